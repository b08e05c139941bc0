from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from evaluator.report import Report

# Qt reads this when it is first imported. Tests have no screen.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture(scope="session")
def real() -> Report:
    """The report of a simulated log, with all quick sections."""
    from evaluator.evaluation import evaluate
    from evaluator.options import Options
    from evaluator.sections import add_sections
    from tools.simulate import Learner, simulate

    options = Options(algorithms=("AVG", "SM-2", "FSRS-6"), folds=2)
    return add_sections(evaluate(simulate(Learner(days=150)).snapshot, options), ["quick"]).report
