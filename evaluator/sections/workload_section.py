"""The year ahead with each scheduler: how much work it brings, and how much is remembered.

The memory, FSRS-6 with slips, is fitted twice: for the back-test to the reviews before the last fifth of the days of
study, and for the year ahead to all reviews. Each step is a file of :mod:`evaluator.workload`.
"""

from __future__ import annotations

from ..progress import Progress
from ..scoring.evidence import Evidence
from ..workload.back_test import run_back_test
from ..workload.estimate import forecast_year
from ..workload.inputs import WorkloadInputs
from ..workload.person import MIN_ON_TIME_SHARE
from ..workload.result import KNOWLEDGE, PASSED, WORK, Workload
from .section import Section


def forecast_workload(evidence: Evidence, progress: Progress) -> Workload:
    """Forecast the user's year ahead. If the back-test is not passed, only its result is returned.

    Raises:
        ValueError: if the evidence has no snapshot.
    """
    inputs = WorkloadInputs.of(evidence)
    test = run_back_test(inputs, progress.part(0.0, 0.4))
    question = WORK if inputs.on_time >= MIN_ON_TIME_SHARE else KNOWLEDGE
    forecast = Workload(question, inputs.on_time, *inputs.settings.dominant_retention, test)
    if test.code != PASSED:
        return forecast
    return forecast_year(forecast, inputs, progress.part(0.4, 1.0))


SECTION = Section(Workload, forecast_workload, slow=True, needs_snapshot=True, whole_day_only=True)
