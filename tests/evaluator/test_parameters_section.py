"""The fitted parameters with their errors and bounds, on simulated logs."""

from __future__ import annotations

from dataclasses import replace
from typing import List, Tuple

import numpy as np
import pytest
from catalogue_helpers import equipped, optimiser

from evaluator.algorithms import CATALOGUE
from evaluator.algorithms.algorithm import Recurrent
from evaluator.evaluation import evaluate
from evaluator.fitting import training
from evaluator.fitting.objective import Prior
from evaluator.fitting.training import SEED, Material
from evaluator.options import Options
from evaluator.report import Report
from evaluator.revlog import Preset
from evaluator.sections import add_sections
from evaluator.sections.parameters import AlgorithmParameters
from evaluator.tally import Evaluation

from .reference_sets import data
from .reference_sets import evaluation as reference_evaluation


@pytest.fixture(scope="module")
def report() -> Report:
    return add_sections(reference_evaluation("sim-a"), ["parameters"]).report


def of(report: Report, algorithm: str) -> AlgorithmParameters:
    return next(one for one in report.section("parameters").algorithms if one.algorithm == algorithm)


def evaluated(*algorithms: str) -> Evaluation:
    evaluation = evaluate(equipped(), Options(algorithms=algorithms, folds=2), optimiser=optimiser())
    return add_sections(evaluation, ["parameters"])


def test_values_defaults_bounds_and_spread(report: Report) -> None:
    """Those of the catalogue and of the report's own folds."""
    assert [one.algorithm for one in report.section("parameters").algorithms] == ["FSRS-5", "FSRS-6", "FSRS-6 recency"]
    stated, folds = CATALOGUE["FSRS-6"].parameters, report.result("FSRS-6").parameters_per_fold
    found = of(report, "FSRS-6")
    assert found.seed == SEED
    for index, (p, one) in enumerate(zip(stated, found.parameters, strict=True)):
        values = [fold[index] for fold in folds]
        assert (one.index, one.default, one.lower, one.upper) == (index, p.default, p.lower, p.upper)
        assert (one.lowest, one.highest, one.last.estimate) == (min(values), max(values), values[-1])


def test_bounds_and_differences_are_flagged(report: Report) -> None:
    """On a bound there is no error; elsewhere "differs" says whether the default lies outside the interval."""
    flags = []
    for p in (p for one in report.section("parameters").algorithms for p in one.parameters):
        if p.last.reason is not None:
            assert p.last.estimate == {"lower": p.lower, "upper": p.upper}[p.last.reason]
            assert (p.last.standard_error, p.differs) == (None, None)
            continue
        low, high = p.last.ends or (9, -9)
        assert p.lower <= low <= p.last.known <= high <= p.upper
        assert p.differs == (p.default < low or p.default > high)
        flags.append(p.differs)
    assert len(set(flags)) == 2, "some do and some do not"


def test_information_is_that_of_the_search_without_the_prior() -> None:
    """Of all cards where there are few."""
    stated = CATALOGUE["FSRS-6"]
    assert isinstance(stated, Recurrent)
    material = Material(stated, data("sim-a"))
    w = np.array([p.default for p in stated.parameters])
    x = np.log(w[:4])
    width = np.array([p.width for p in stated.parameters])
    found, cards = material.information(4, w)
    assert cards is None
    at = np.concatenate([x, w[4:]])
    whole = material.objective(4, Prior(at, width)).at(at).information
    np.testing.assert_allclose(found, whole - np.diag(2 / width**2), rtol=1e-9, atol=1e-6)


def test_a_sample_is_scaled_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """From some of the cards it is about the same as from all, and says from how many."""
    stated = CATALOGUE["FSRS-6"]
    assert isinstance(stated, Recurrent)
    material = Material(stated, data("sim-a"))
    w = np.array([p.default for p in stated.parameters])
    whole, _ = material.information(4, w)
    monkeypatch.setattr(training, "FISHER_CARDS", 200)
    part, cards = material.information(4, w)
    assert cards == 200
    determined = np.diag(whole) > 100
    np.testing.assert_allclose(np.diag(part)[determined], np.diag(whole)[determined], rtol=0.4)


def test_untrained_parameters_are_fixed() -> None:
    """Of "pretrain" all but the initial stabilities."""
    (found,) = evaluated("FSRS-6 pretrain", "SM-2").report.section("parameters").algorithms
    held = [p.last.reason for p in found.parameters]
    assert held[4:] == ["fixed"] * 17
    assert all(p.differs is None and p.last.estimate == p.default for p in found.parameters[4:])
    assert any(p.last.standard_error is not None for p in found.parameters[:4])


def test_ankis_optimiser_does_not_say_how_sure_it_is() -> None:
    """Values and bounds only."""
    (found,) = evaluated("FSRS-rs", "SM-2").report.section("parameters").algorithms
    assert {p.last.reason for p in found.parameters} <= {"elsewhere", "lower", "upper"}
    assert all(p.last.standard_error is None for p in found.parameters)


def test_presets_of_their_own_and_large_networks_have_none() -> None:
    """Nobody could read them."""
    assert evaluated("FSRS-6 preset", "LSTM", "SM-2").report.section("parameters").algorithms == ()


class TestPresets:
    @staticmethod
    def found(*presets: Preset) -> List[Tuple[str, int, int, str]]:
        """Of presets 10 and 20, which have the cards of an even and an odd number."""
        snapshot = equipped()
        assert snapshot.cards is not None
        cards = replace(snapshot.cards, preset_id=10 + 10 * (snapshot.cards.card_id % 2))
        report = evaluate(replace(snapshot, cards=cards, presets=presets), Options(algorithms=("AVG",), folds=2))
        section = add_sections(report, ["parameters"]).report.section("parameters")
        assert section.algorithms == ()
        return [(one.preset, one.version, one.count, one.code) for one in section.presets]

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

    def test_presets_without_cards_or_parameters(self) -> None:
        assert [one[0] for one in self.found(Preset(10, "A", (1.0,) * 21), Preset(30, "C", (1.0,) * 21))] == ["A"]
        assert self.found(Preset(10, "A", ()), Preset(20, "B", ())) == []

    def test_a_log_without_presets(self) -> None:
        snapshot = replace(equipped(), cards=None, presets=(Preset(10, "A", (1.0,) * 21),))
        evaluation = add_sections(evaluate(snapshot, Options(algorithms=("AVG",), folds=2)), ["parameters"])
        assert evaluation.report.section("parameters").presets == ()
