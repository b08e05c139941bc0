from __future__ import annotations

from dataclasses import replace
from math import sqrt
from statistics import NormalDist
from typing import Dict, List, Tuple

import numpy as np
import pytest
from reference_sets import snapshot

from evaluator.algorithms import CATALOG
from evaluator.evaluation import evaluate
from evaluator.findings.thresholds import MIN_DOT_OFF, MIN_OF_DOT
from evaluator.fitting.predictor import states_before
from evaluator.options import Options
from evaluator.progress import SILENT, Progress
from evaluator.scoring.evidence import Evidence
from evaluator.scoring.report_builder import Evaluation
from evaluator.sections import add_sections
from evaluator.sections.graphs_section import AlgorithmGraphs, compute
from evaluator.statistics import slicings
from evaluator.statistics.slices import BIN_NAMES, RecallSlice

NAMES = ("AVG", "SM-2", "FSRS-6 default", "FSRS-6")


@pytest.fixture(scope="module")
def evaluation():
    return add_sections(evaluate(snapshot("sim-b"), Options(algorithms=NAMES)), ["graphs"])


def graphs_by_name(evaluation: Evaluation) -> Dict[str, AlgorithmGraphs]:
    return {graphs.algorithm: graphs for graphs in evaluation.report.section("graphs")}


def slices_by_name(graphs: AlgorithmGraphs, key: str) -> Dict[str, RecallSlice]:
    return {slice_.name: slice_ for slice_ in graphs.slice_graph(key).slices}


def test_each_algorithm_has_graphs_in_the_order_of_the_report(evaluation):
    assert [graphs.algorithm for graphs in evaluation.report.section("graphs")] == [
        result.algorithm for result in evaluation.report.results
    ]
    expected = ["calibration", "interval", "lateness", "review_number", "last_rating", "month", "maturity"]
    expected += ["stability", "difficulty"]
    for graphs in evaluation.report.section("graphs"):
        keys = [graph.key for graph in graphs.slices]
        assert [key for key in keys if key in expected] == expected
        assert len(set(keys)) == len(keys) == 1 + len(slicings.SLICINGS)


def test_log_without_intervals_has_no_graph_by_lateness():
    log = snapshot("sim-c")
    log = replace(log, revlog=replace(log.revlog, interval=np.zeros_like(log.revlog.interval)))
    report = add_sections(evaluate(log, Options(algorithms=("AVG", "SM-2"))), ["graphs"], strict=True).report
    keys = ["calibration", "interval", "review_number", "last_rating", "month", "maturity", "stability", "difficulty"]
    assert [[graph.key for graph in item.slices] for item in report.section("graphs")] == [keys, keys]


def test_all_reviews_are_in_a_slice_of_each_graph(evaluation):
    total = evaluation.report.scope.reviews
    for graphs in evaluation.report.section("graphs"):
        for graph in graphs.slices:
            assert sum(slice_.reviews for slice_ in graph.slices) == total


def test_slice_matches_hand_calculation(evaluation):
    """The slice of reviews after one day has their count and means."""
    evidence = evaluation.evidence
    predicted = evidence.fitted["SM-2"].predicted
    mask = evidence.tested.elapsed_days == 1
    item = slices_by_name(graphs_by_name(evaluation)["SM-2"], "interval")["1"]
    assert item.reviews == mask.sum()
    assert item.predicted == pytest.approx(predicted[mask].mean())
    assert item.recalled == pytest.approx(evidence.tested.recalled[mask].mean())
    # The band is normal, and holds for all of the 9 slices that are shown: z = 2.77 for a tail of (1 - 0.95^(1/9)) / 2.
    slices = graphs_by_name(evaluation)["SM-2"].slice_graph("interval").slices
    shown = [s for s in slices if s.reviews >= MIN_OF_DOT]
    z = NormalDist().inv_cdf((1 + 0.95 ** (1 / len(shown))) / 2)
    reach = z * sqrt(item.predicted * (1 - item.predicted) / item.reviews)
    assert (item.low, item.high) == pytest.approx((item.predicted - reach, item.predicted + reach))
    assert item.is_off == (abs(item.difference) > max(reach, MIN_DOT_OFF))


def test_slices_are_shown_with_enough_reviews_and_off_outside_their_bands(evaluation):
    for graphs in evaluation.report.section("graphs"):
        for graph in graphs.slices:
            for s in graph.slices:
                assert (s.predicted is None) == (s.low is None) == (s.reviews < MIN_OF_DOT)
                assert s.is_off == (s.is_outside and abs(s.difference) >= MIN_DOT_OFF)


def test_calibration_slices_match_the_benchmarks_groups(evaluation):
    for result in evaluation.report.results:
        slices = graphs_by_name(evaluation)[result.algorithm].slice_graph("calibration").slices
        assert [s.name for s in slices] == list(BIN_NAMES)
        shown = [s for s in slices if s.reviews]
        assert [s.reviews for s in shown] == [group.reviews for group in result.calibration]
        for s, group in zip(shown, result.calibration, strict=True):
            assert s.name == f"{100 * group.left:.1f}-{100 * group.right:.1f}"
            assert s.recalled is None or s.recalled == pytest.approx(group.recalled)


def plain_states(evidence: Evidence, part: slice, w: np.ndarray) -> List[Tuple[float, float]]:
    """Return stability and difficulty before a part of the tested reviews, in a loop over each card's history."""
    algorithm = CATALOG["FSRS-6"]
    rows = evidence.data.rows
    result = []
    for row in evidence.tested.row[part].tolist():
        first = row - int(rows.position[row])
        state = algorithm.first(list(w), rows.rating[first : first + 1])
        for at in range(first + 1, row):
            state = algorithm.step(list(w), state, rows.elapsed_days[at : at + 1], rows.rating[at : at + 1])
        result.append((float(state[0][0]), float(state[1][0])))
    return result


def test_states_use_the_parameters_of_the_fold(evaluation):
    evidence = evaluation.evidence
    w = evidence.fitted["FSRS-6"].parameters
    stability, difficulty = states_before(CATALOG["FSRS-6"], evidence.data, w, SILENT)
    folds = evidence.data.folds
    size = folds[0].test_stop - folds[0].test_start
    for fold in (0, len(folds) - 1):
        part = slice(fold * size, fold * size + 40)
        expected = np.array(plain_states(evidence, part, w[fold]))
        assert np.column_stack((stability, difficulty))[part] == pytest.approx(expected, rel=1e-9)
    assert len(stability) == len(evidence.tested)


def test_report_names_the_source_of_stability(evaluation):
    without = add_sections(evaluate(snapshot("sim-b"), Options(algorithms=("AVG", "SM-2"))), ["graphs"])
    assert {graphs.memory_model for graphs in evaluation.report.section("graphs")} == {"FSRS-6"}
    assert {graphs.memory_model for graphs in without.report.section("graphs")} == {"FSRS-6 default"}
    trained, default = (graphs_by_name(e)["SM-2"].slice_graph("stability") for e in (evaluation, without))
    assert [s.reviews for s in trained.slices] != [s.reviews for s in default.slices]


def test_single_algorithm_gets_the_same_graphs(evaluation):
    steps = []
    # A copy, so that nothing has been computed for it.
    evidence = replace(evaluation.evidence)
    single = compute(evidence, Progress(lambda fraction, *_: steps.append(fraction)), evaluation.report, "SM-2")
    assert single == graphs_by_name(evaluation).get("SM-2")
    assert steps == sorted(steps)
    assert 0 < steps[0] < 1
    assert steps[-1] < 1


def test_states_are_computed_once_for_all_algorithms(evaluation, monkeypatch):
    evidence = replace(evaluation.evidence)
    compute(evidence, SILENT, evaluation.report, "SM-2")
    monkeypatch.setattr("evaluator.sections.graphs_section.states_before", None)
    add_sections(replace(evaluation, evidence=evidence), ["graphs"], names=["AVG"], strict=True)


def test_algorithm_that_was_not_evaluated_has_no_graphs(evaluation):
    with pytest.raises(KeyError):
        compute(evaluation.evidence, SILENT, evaluation.report, "FSRS-5")


def test_results_of_one_algorithm_join_existing_ones(evaluation):
    result = replace(evaluation, report=evaluation.report.with_section("graphs", ()))
    for name in NAMES:
        assert graphs_by_name(result).get(name) is None
        result = add_sections(result, ["graphs"], names=[name])
        assert graphs_by_name(result).get(name) == graphs_by_name(evaluation).get(name)
    assert result.report == evaluation.report
