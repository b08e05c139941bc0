"""The fitted parameters with their errors and bounds, on simulated logs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, List, Optional, Tuple

import numpy as np
import pytest
from catalogue_helpers import equipped, optimiser

from evaluator.algorithms import CATALOGUE
from evaluator.algorithms.fsrs6 import FSRS_6
from evaluator.anki_intervals import fsrs_interval
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.report import Report
from evaluator.revlog import Preset
from evaluator.sections import add_sections
from evaluator.sections.parameters import AlgorithmParameters, Parameters, first_intervals
from evaluator.tally import Evaluation

from .reference_sets import evaluation as reference_evaluation


@pytest.fixture(scope="module")
def report() -> Report:
    return add_sections(reference_evaluation("sim-a"), ["parameters"]).report


def of(report: Report, algorithm: str) -> AlgorithmParameters:
    return next(one for one in report.section("parameters").algorithms if one.algorithm == algorithm)


def evaluated(*algorithms: str) -> Evaluation:
    evaluation = evaluate(equipped(), Options(algorithms=algorithms, folds=2), optimiser=optimiser())
    return add_sections(evaluation, ["parameters"])


def test_values_defaults_and_bounds(report: Report) -> None:
    """Those of the catalogue and of the report's last fold."""
    assert [one.algorithm for one in report.section("parameters").algorithms] == ["FSRS-5", "FSRS-6", "FSRS-6 recency"]
    stated, last = CATALOGUE["FSRS-6"].parameters, report.result("FSRS-6").parameters_per_fold[-1]
    found = of(report, "FSRS-6").parameters
    for index, (p, one) in enumerate(zip(stated, found, strict=True)):
        assert (one.index, one.default, one.trained) == (index, p.default, last[index])
        assert one.on_bound == (last[index] in (p.lower, p.upper))
    assert any(p.on_bound for one in report.section("parameters").algorithms for p in one.parameters)


def test_presets_of_their_own_and_large_networks_have_none() -> None:
    """Nobody could read them."""
    assert evaluated("FSRS-6 preset", "LSTM", "SM-2").report.section("parameters").algorithms == ()


class TestPresets:
    @staticmethod
    def section(*presets: Preset) -> Parameters:
        """Of presets 10 and 20, which have the cards of an even and an odd number."""
        snapshot = equipped()
        assert snapshot.cards is not None
        cards = replace(snapshot.cards, preset_id=10 + 10 * (snapshot.cards.card_id % 2))
        report = evaluate(replace(snapshot, cards=cards, presets=presets), Options(algorithms=("AVG",), folds=2))
        section = add_sections(report, ["parameters"]).report.section("parameters")
        assert section.algorithms == ()
        return section

    def found(self, *presets: Preset) -> List[Tuple[str, Optional[int], int, str]]:
        return [(one.preset, one.version, one.count, one.code) for one in self.section(*presets).presets]

    def test_what_each_runs(self) -> None:
        published = tuple(p.default for p in CATALOGUE["FSRS-7"].parameters)
        own = tuple(1.01 * w for w in published)
        assert sorted(self.found(Preset(10, "A", (1.0,) * 21), Preset(20, "B", own, fsrs_version=7))) == [
            ("A", 6, 21, "own"),
            ("B", 7, 34, "own"),
        ]
        assert sorted(self.found(Preset(10, "A", (1.0,) * 19), Preset(20, "B", published, fsrs_version=7))) == [
            ("A", 6, 19, "converted"),
            ("B", 7, 34, "published"),
        ]
        assert sorted(self.found(Preset(10, "A", (1.0,) * 18), Preset(20, "B", (), fsrs_version=7))) == [
            ("A", 6, 18, "odd"),
            ("B", 7, 0, "none"),
        ]
        assert sorted(self.found(Preset(10, "A", (1.0,) * 35, newer_fsrs=0), Preset(20, "B", (), newer_fsrs=8))) == [
            ("A", None, 35, "newer"),
            ("B", 8, 0, "newer"),
        ]

    def test_where_each_begins(self) -> None:
        """With its own parameters, by its version's formulas; in the way of an older version, converted."""
        seven: Any = CATALOGUE["FSRS-7"]
        w = [1.01 * p.default for p in seven.parameters]
        first = (0.5, 1.5, 4.0, 9.0)
        presets = Preset(10, "A", (*first, *(1.0,) * 15)), Preset(20, "B", tuple(w), fsrs_version=7)
        begins = {one.preset: one.first_intervals for one in self.section(*presets).presets}
        assert begins["A"] == pytest.approx(first, rel=1e-6)
        assert begins["B"] == pytest.approx(first_intervals(seven, w, 0.9), rel=1e-6)
        odd = self.section(Preset(10, "A", (1.0,) * 18), Preset(20, "B", ())).presets
        assert {one.preset: one.first_intervals is None for one in odd} == {"A": True, "B": False}

    def test_presets_without_cards_or_parameters(self) -> None:
        assert [one[0] for one in self.found(Preset(10, "A", (1.0,) * 21), Preset(30, "C", (1.0,) * 21))] == ["A"]
        assert self.found(Preset(10, "A", ()), Preset(20, "B", ())) == []

    def test_a_log_without_presets(self) -> None:
        snapshot = replace(equipped(), cards=None, presets=(Preset(10, "A", (1.0,) * 21),))
        evaluation = add_sections(evaluate(snapshot, Options(algorithms=("AVG",), folds=2)), ["parameters"])
        assert evaluation.report.section("parameters").presets == ()


def test_first_intervals_are_those_of_the_formula(report: Report) -> None:
    """Of FSRS-6: its initial stabilities at 90 %, and by its forgetting curve elsewhere; of FSRS-7 where it recalls."""
    w = [p.default for p in FSRS_6.parameters]
    assert first_intervals(FSRS_6, w, 0.9) == pytest.approx(w[:4], rel=1e-6)
    expected = [float(fsrs_interval(stability, w[20], 0.8)) for stability in w[:4]]
    assert first_intervals(FSRS_6, w, 0.8) == pytest.approx(expected, rel=1e-4)
    seven: Any = CATALOGUE["FSRS-7"]
    defaults = [p.default for p in seven.parameters]
    days = np.array(first_intervals(seven, defaults, 0.85))
    recall = seven.recall(defaults, seven.first(defaults, np.arange(1, 5)), days)
    np.testing.assert_allclose(recall, 0.85, atol=1e-6)
    found = report.section("parameters")
    assert found.desired_retention == 0.9
    of_all = {one.algorithm: one.first_intervals for one in found.algorithms}
    assert of_all["FSRS-6"][1] == pytest.approx([p.trained for p in of(report, "FSRS-6").parameters[:4]], rel=1e-5)
