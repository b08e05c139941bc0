from __future__ import annotations

import json
from pathlib import Path
from typing import Optional
from unittest.mock import Mock

import numpy as np
import pytest
from reference_sets import snapshot

from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.report import Report
from evaluator.sections import add_sections
from evaluator.sections import population_section as section
from evaluator.statistics import published_results


def report_with_population(*algorithms: str) -> Report:
    return add_sections(evaluate(snapshot("sim-a"), Options(algorithms)), ["population"], strict=True).report


def rank_by_hand(metric: str, value: Optional[float], reviews: int) -> float:
    """Return the rank among the 40 published values, each interpolated between the geometric middles of classes."""
    published = json.loads(Path(published_results.__file__).with_suffix(".json").read_text(encoding="utf-8"))
    (points,) = (row["points"] for row in published["metrics"] if row["metric"] == metric)
    limits = np.array(published["at_least"][1:])
    middles = np.sqrt(limits[:-1] * limits[1:])
    values = [np.interp(np.log(reviews), np.log(middles), column) for column in np.transpose(points[1:-1])]
    return float(np.interp(value or 0.0, values, (np.arange(40) + 0.5) / 40))


def test_fsrs_5_of_the_benchmark_is_ranked_whether_it_has_run_or_not(monkeypatch):
    result = report_with_population("AVG", "FSRS-6").section("population")
    monkeypatch.setattr(section, "fit_and_predict", Mock(side_effect=AssertionError))
    report = report_with_population("AVG", "FSRS-5 recency")
    row = report.result("FSRS-5 recency")
    assert (result.algorithm, result.reviews) == (row.algorithm, row.size)
    assert result.others.at_least <= row.size < result.others.below
    for rank, metric in ((result.better_by_skill, "skill_average"), (result.better_by_auc, "auc")):
        assert 0.01 < rank < 0.99
        assert rank == pytest.approx(rank_by_hand(metric, row.value(metric), row.size), abs=1e-9)
    assert report.section("population") == result
