from __future__ import annotations

import json
from dataclasses import replace
from math import log

import numpy as np
import pytest

from evaluator.algorithms.fsrs6 import FSRS_6
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.workload import pipeline
from evaluator.workload.estimate import log_review_ratio
from evaluator.workload.fitted import Fit
from evaluator.workload.memories import Memory
from tools.development.measure import workload as bench
from tools.development.measure.workload import ALGORITHMS, REPEATS, SimulationSpec, line_of, tables, true_logarithm
from tools.simulate import Habits, Learner, simulate

#: Someone whose cards are all alike, who never slips, and whose year is short to simulate.
ALIKE = Learner(seed=3, days=120, spread=0.0, scheduler="sm2", habits=Habits(new_per_day=0.7, cram=0, slips=0))
ASKED = SimulationSpec(seed=1, rows=6000, spread=0.6, memory="fsrs")


@pytest.fixture(scope="module")
def alike():
    simulation = simulate(ALIKE)
    evidence = evaluate(simulation.snapshot, Options(ALGORITHMS)).evidence
    return simulation, pipeline.WorkloadInputs.of(replace(evidence, snapshot=simulation.snapshot))


def test_with_the_true_memory_as_the_fitted_one_the_year_is_the_true_one(alike, monkeypatch):
    simulation, known = alike
    w = np.array(ALIKE.memory)
    monkeypatch.setattr(bench, "DESIRED", (0.80, 0.90, 0.95))  # around what SM-2 asks for
    monkeypatch.setattr(bench, "fit", lambda *_: Fit(FSRS_6, w, np.zeros((21, 21))))
    ahead, desired = known.ahead, np.array(bench.DESIRED)
    memory = Memory(FSRS_6, np.repeat(w[:, None], REPEATS, axis=1))
    start = ahead.start(memory, REPEATS)
    sm2 = ahead.run(memory, start, ahead.sm2(), REPEATS, 1)
    fsrs = ahead.run(memory, start, ahead.fsrs(w[:, None], desired, REPEATS), REPEATS, len(desired))
    expected = float(log_review_ratio(sm2, fsrs).mean())
    assert true_logarithm(ALIKE, simulation, known, "work") == pytest.approx(expected, abs=0.04)
    index = bench.DESIRED.index(known.used.dominant_retention[0])
    expected = float(np.log(fsrs.known[index] / sm2.known[0]).mean())
    assert true_logarithm(ALIKE, simulation, known, "knowledge") == pytest.approx(expected, abs=0.01)


def line(number, code="passed", truth=-0.12, **changed):
    """Return a user with an estimate of -0.10 (-0.15 to -0.05) that is true."""
    text = [-0.10, -0.15, -0.05] if code == "passed" else None
    about = {"number": number, "scheduler": "sm2", "slips": False, "early": {"30": code}, "question": "work"}
    return {**about, "code": code, "ratio": 1.1, "said": text, "true": truth, **changed}


def rows(table):
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_tables_count_people_and_errors():
    slips = line(5, slips=True)
    result = tables([line(1), line(2, truth=-0.10), line(3, truth=0.0), line(4, "reviews"), slips])
    (kind,), (after_30, of_all), (plain, slipping) = map(rows, result)
    assert (kind["people"], kind["passed"], kind["others"]) == (5, 0.8, "reviews 1")
    assert (kind["ratio"], kind["error"]) == pytest.approx((1.1, 0.0))
    assert (after_30["people"], after_30["passed"], of_all["passed"]) == (5, 0.8, 0.8)
    assert (plain["people"], plain["claims"], plain["false"], slipping["people"]) == (3, 3, 1, 1)
    assert (plain["holds"], plain["off"], plain["width"]) == pytest.approx((2 / 3, -0.08 / 3, 0.1))
    mean = -0.08 / 3
    squares = (0.02 - mean) ** 2 + mean**2 + (-0.10 - mean) ** 2
    assert plain["error"] == pytest.approx((squares / 2 / 3) ** 0.5)


def test_people_without_a_result_are_counted():
    item = line_of(ASKED, 108)
    assert (item["question"], item["code"], item["said"]) == ("none", "none", None)
    assert rows(tables([item])[1])[-1]["passed"] == 0


def test_of_a_person_the_interval_is_near_the_truth(monkeypatch):
    monkeypatch.setattr(pipeline, "MAX_CARDS", 60)
    monkeypatch.setattr(bench, "REPEATS", 4)
    monkeypatch.setattr(bench, "DESIRED", (0.80, 0.90, 0.95))
    item = line_of(replace(ASKED, rows=1500, spread=0.0), 4)
    estimate, low, high = item["said"]
    assert low < estimate < high
    assert abs(estimate - item["true"]) < 0.25
    assert abs(item["true"]) < log(2)
    assert (item["question"], item["code"], item["early"]["120"]) == ("work", "passed", "passed")
    assert json.loads(json.dumps(item)) == item
