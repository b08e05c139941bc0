from __future__ import annotations

from dataclasses import replace
from typing import List, Optional, Tuple

import pytest
from catalog_helpers import optimizer, snapshot_with_presets
from reference_sets import evaluation as reference_evaluation

from evaluator.algorithms import CATALOG
from evaluator.data.revlog import Preset
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.scoring.report_builder import Evaluation
from evaluator.sections import add_sections
from evaluator.sections.parameters_section import Parameters
from ui.views import parameters_view


@pytest.fixture(scope="module")
def report():
    return add_sections(reference_evaluation("sim-a"), ["parameters"]).report


def evaluation_with_parameters(*algorithms: str) -> Evaluation:
    evaluation = evaluate(snapshot_with_presets(), Options(algorithms=algorithms, folds=2), optimizer=optimizer())
    return add_sections(evaluation, ["parameters"])


def test_values_defaults_and_bounds_are_listed(report):
    algorithms = report.section("parameters").algorithms
    assert [algorithm.algorithm for algorithm in algorithms] == ["FSRS-5", "FSRS-6", "FSRS-6 recency"]
    last = report.result("FSRS-6").parameters_per_fold[-1]
    rows = algorithms[1].parameters
    for index, (p, row) in enumerate(zip(CATALOG["FSRS-6"].parameters, rows, strict=True)):
        assert (row.index, row.default, row.trained) == (index, p.default, last[index])
        assert row.on_bound == (last[index] in (p.lower, p.upper))
    assert any(p.on_bound for algorithm in algorithms for p in algorithm.parameters)


def test_fsrs_6_replaces_a_headline_without_trained_parameters(report):
    untrained_report = replace(report, verdict=replace(report.verdict, algorithm="FSRS-6 default"))
    assert [next(parameters_view.blocks(r)).heading for r in (report, untrained_report)] == [
        "The parameters of FSRS-6 (as in the benchmark)"
    ] * 2


def test_presets_and_large_networks_have_no_parameters_listed():
    assert evaluation_with_parameters("FSRS-6 preset", "LSTM", "SM-2").report.section("parameters").algorithms == ()


class TestPresets:
    @staticmethod
    def section(*presets: Preset) -> Parameters:
        """Return the section for presets 10 and 20, which have the cards with even and with odd numbers."""
        snapshot = snapshot_with_presets()
        cards = replace(snapshot.cards, preset_id=10 + 10 * (snapshot.cards.card_id % 2))
        evaluation = evaluate(replace(snapshot, cards=cards, presets=presets), Options(algorithms=("AVG",), folds=2))
        section = add_sections(evaluation, ["parameters"]).report.section("parameters")
        assert section.algorithms == ()
        return section

    def preset_rows(self, *presets: Preset) -> List[Tuple[str, Optional[int], int, str]]:
        return [(preset.preset, preset.version, preset.count, preset.code) for preset in self.section(*presets).presets]

    def test_each_preset_states_its_version(self):
        published = tuple(p.default for p in CATALOG["FSRS-7"].parameters)
        own = tuple(1.01 * w for w in published)
        first = [Preset(10, "A", (1.0,) * count) for count in (21, 19, 18)]
        second = [Preset(20, "B", stored, fsrs_version=7) for stored in (own, published, ())]
        newer = Preset(10, "A", (1.0,) * 35, fsrs_version=0), Preset(20, "B", (), fsrs_version=8)
        rows = [sorted(self.preset_rows(*presets)) for presets in (*zip(first, second, strict=True), newer)]
        assert rows == [
            [("A", 6, 21, "own"), ("B", 7, 34, "own")],
            [("A", 6, 19, "converted"), ("B", 7, 34, "published")],
            [("A", 6, 18, "odd"), ("B", 7, 0, "none")],
            [("A", None, 35, "newer"), ("B", 8, 0, "newer")],
        ]

    def test_clipped_parameters_are_counted_per_preset(self):
        section = self.section(Preset(10, "A", (0.0,) * 21), Preset(20, "A", (), fsrs_version=7))
        assert sorted(preset.clipped for preset in section.presets) == [0, 14]
        (block,) = parameters_view.blocks(evaluation_with_parameters("SM-2").report.with_section("parameters", section))
        assert "14 clipped to FSRS's bounds" in {row[-1] for row in block.table.rows}

    def test_presets_without_cards_or_parameters_are_not_listed(self):
        rows = self.preset_rows(Preset(10, "A", (1.0,) * 21), Preset(30, "C", (1.0,) * 21))
        assert [preset for preset, *_ in rows] == ["A"]
        assert self.preset_rows(Preset(10, "A", ()), Preset(20, "B", ())) == []

    def test_log_without_cards_lists_no_presets(self):
        snapshot = replace(snapshot_with_presets(), cards=None, presets=(Preset(10, "A", (1.0,) * 21),))
        evaluation = add_sections(evaluate(snapshot, Options(algorithms=("AVG",), folds=2)), ["parameters"])
        assert evaluation.report.section("parameters").presets == ()
