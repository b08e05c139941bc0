from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evaluator.algorithms.fsrs6 import FSRS_6
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.progress import SILENT
from evaluator.workload.estimate import YearSetup, log_review_ratio
from evaluator.workload.fitted import Fit
from evaluator.workload.inputs import WorkloadInputs
from evaluator.workload.memory_draws import Memory
from tools.development.measure import workload_forecast as workload
from tools.development.measure.workload_forecast import ALGORITHMS, REPEATS, tables, true_logarithm
from tools.simulate import Habits, Learner, simulate

#: Learner whose cards are all alike, who never slips, and whose year is simulated fast.
ALIKE = Learner(seed=3, days=120, spread=0.0, scheduler="sm2", habits=Habits(new_per_day=0.7, cram=0, slips=0))


def test_true_year_equals_the_forecast_with_the_true_memory(monkeypatch):
    simulation = simulate(ALIKE)
    w = np.array(ALIKE.memory)
    evidence = evaluate(simulation.snapshot, Options(ALGORITHMS)).evidence
    inputs = WorkloadInputs.of(replace(evidence, snapshot=simulation.snapshot))
    monkeypatch.setattr(workload, "DESIRED_RETENTIONS", (0.80, 0.90, 0.95))  # around SM-2's retention
    monkeypatch.setattr(workload, "fit", lambda *_: Fit(FSRS_6, w, np.zeros((21, 21))))
    year = YearSetup.of(inputs)
    desired = np.array(workload.DESIRED_RETENTIONS)
    memory = Memory(FSRS_6, np.repeat(w[:, None], REPEATS, axis=1))
    start = year.initial_state(memory)
    sm2 = year.run(memory, start, year.sm2_scheduler(REPEATS), (1, REPEATS), SILENT)
    fsrs = year.run(memory, start, year.fsrs_scheduler(w[:, None], desired, REPEATS), (len(desired), REPEATS), SILENT)
    work = true_logarithm(ALIKE, simulation, inputs, "work")
    assert work == pytest.approx(float(log_review_ratio(sm2, fsrs).mean()), abs=0.04)
    index = workload.DESIRED_RETENTIONS.index(inputs.settings.dominant_retention[0])
    knowledge = true_logarithm(ALIKE, simulation, inputs, "knowledge")
    assert knowledge == pytest.approx(float(np.log(fsrs.known[index] / sm2.known[0]).mean()), abs=0.01)


def line(truth=-0.12, code="passed", *, slips=False):
    """Return a line of results about one learner."""
    return {
        "scheduler": "sm2", "slips": slips, "early": {"30": code}, "question": "work", "code": code, "ratio": 1.1,
        "said": [-0.10, -0.15, -0.05] if code == "passed" else None,  # the estimate and its interval
        "true": truth,
    }  # fmt: skip


def test_tables_count_people_and_errors():
    people = [line(), line(-0.10), line(0.0), line(code="reviews"), line(slips=True)]
    rows = [
        [row.strip("| ").replace(" ", "").split("|") for row in table.splitlines()[2:]] for _, table in tables(people)
    ]
    standard_error = np.std([0.02, 0.0, -0.10], ddof=1) / 3**0.5
    assert rows == [
        [["sm2", "work", "5", "80.0%", "1.100", "0.000", "reviews1"]],
        [["30", "5", "80.0%"], ["all", "5", "80.0%"]],
        [
            ["work", "no", "3", "66.7%", "-0.027", f"{standard_error:.3f}", "3", "1"],
            ["work", "yes", "1", "100.0%", "-", "-", "1", "0"],
        ],
    ]
