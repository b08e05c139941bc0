from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pytest
from catalog_helpers import optimizer
from hypothesis import given
from hypothesis import strategies as st
from made_logs import CLOCK, LEARN, NEXT_DAY_AT, Answer, Table, learner, log_of, table_of
from random_logs import hostile_logs, lifelike_logs
from reference_sets import SETS, data, reference, snapshot
from slow_benchmark import slow_same_day_table

from evaluator.algorithms import ALGORITHM_GROUPS, CATALOG, group_members
from evaluator.data.histories import FRACTIONAL_DAYS, Histories
from evaluator.data.revlog import SECONDS_PER_DAY, Cards, Clock, Revlog
from evaluator.evaluation import evaluate, prepare
from evaluator.options import Options
from evaluator.report import Failure
from evaluator.scope import SAME_DAY_TABLE, TABLES, WHOLE_DAY_TABLE
from evaluator.scoring.report_builder import Evaluation
from evaluator.sections import SECTIONS, add_sections
from evaluator.statistics.slicings import WITHIN_DAY_NAMES
from ui.text.error_sentences import error_sentence

SAME_DAY = Options(table=SAME_DAY_TABLE)
UNTRAINED = ("AVG", "MOVING-AVG", "RMSE-BINS-EXPLOIT", "SM-2", "Anki-SM-2", "Ebisu v2", "FSRS-5 default")
UNTRAINED += ("FSRS-6 default", "FSRS-7 default")
#: Tolerance for the benchmark's metrics.
TOLERANCE = 1e-6
#: Tolerance for algorithms that the benchmark runs in single precision, which also rounds the loss of a failure at a
#: probability within a millionth of 1.
TOLERANCE_SINGLE_PRECISION = {"Anki-SM-2": 5e-6, "Ebisu v2": 1e-5, "FSRS-7 default": 1e-5}


def same_day_table_of(log: Revlog, clock: Clock = CLOCK) -> Table:
    return table_of(log, clock, table=SAME_DAY_TABLE)


def check_against_slow(log: Revlog, clock: Clock = CLOCK) -> None:
    """Check that table, outcomes and histories equal those of the slow re-implementation."""
    t = same_day_table_of(log, clock)
    rows, outcomes = slow_same_day_table(log, clock.next_day_at)
    assert t.outcomes() == outcomes
    columns = (t.rows.log_row[t.reviews.row], t.reviews.review_id, t.reviews.card_id, t.reviews.elapsed_seconds)
    columns += (t.reviews.elapsed_days, t.reviews.review_number, t.reviews.lapses, t.reviews.recalled)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == [row[:8] for row in rows]
    h = Histories.of(t.rows, t.reviews, FRACTIONAL_DAYS)
    for row, query in zip(rows, h.query_of_review, strict=True):
        steps = []
        node = int(h.query_node[query])
        while node >= 0:
            steps.append((round(float(h.elapsed[node]) * SECONDS_PER_DAY), int(h.rating[node])))
            node = int(h.parent[node])
        assert steps[::-1] == row.history
        assert h.query_elapsed[query] * SECONDS_PER_DAY == pytest.approx(row.elapsed_seconds, rel=1e-12)


@given(lifelike_logs())
def test_lifelike_logs_give_the_slow_table(log):
    check_against_slow(log)


@given(hostile_logs(), st.integers(-(2**33), 2**33))
def test_hostile_logs_give_the_slow_table(log, next_day_at):
    check_against_slow(log, Clock(next_day_at))


@pytest.mark.parametrize("name", SETS)
def test_simulated_logs_give_the_slow_table(name):
    check_against_slow(snapshot(name).revlog, snapshot(name).clock)


def at_seconds(*seconds: float, buttons: str) -> Revlog:
    """Return the log of one card, answered at these seconds after ``NEXT_DAY_AT``, or before it if negative."""
    log = log_of([Answer(1, 0, int(button), LEARN) for button in buttons])
    moments = np.array([round((NEXT_DAY_AT + second) * 1000) for second in seconds], dtype=np.int64)
    return replace(log, review_id=moments)


def test_card_matches_hand_calculation():
    """Answer Again, Good after 10 s, Good within the same second, Again on the next day, and Good after an hour.

    The answer within the same second is not scored, but is part of the histories. Every Again is a lapse.
    """
    t = same_day_table_of(at_seconds(-50, -40, -39.5, 20, 3620, buttons="13313"))
    r = t.reviews
    assert r.elapsed_seconds.tolist() == [10, 59, 3600]
    assert r.elapsed_days.tolist() == [0, 1, 0]
    assert r.review_number.tolist() == [1, 2, 2]
    assert r.lapses.tolist() == [1, 1, 2]
    assert r.recalled.tolist() == [1, 0, 1]
    assert t.outcomes() == ["first_review", "scored", "same_second", "scored", "scored"]
    assert Histories.of(t.rows, r, FRACTIONAL_DAYS).length_of_review.tolist() == [1, 3, 4]


def test_day_boundary_within_a_second_is_no_interval():
    t = same_day_table_of(at_seconds(-0.25, 0.25, 60, buttons="333"))
    assert t.outcomes() == ["first_review", "same_second", "scored"]
    assert t.reviews.review_number.tolist() == [1]


@functools.cache
def evaluate_same_day(name: str) -> Evaluation:
    return evaluate(snapshot(name), replace(SAME_DAY, algorithms=UNTRAINED))


@pytest.mark.parametrize("name", SETS)
def test_folds_are_those_of_the_benchmark(name):
    folds = prepare(snapshot(name), SAME_DAY)[0].folds
    sizes = [[fold.test_start, fold.test_stop - fold.test_start] for fold in folds]
    assert sizes == reference(name)["fold_sizes_train_test_same_day"]


@pytest.mark.parametrize(
    ("name", "algorithm"), [(name, a) for name in SETS for a in UNTRAINED if a in reference(name)["results_same_day"]]
)
def test_untrained_algorithms_equal_the_benchmark(name, algorithm):
    expected = reference(name)["results_same_day"][algorithm]
    result = evaluate_same_day(name).report.result(algorithm)
    tolerance = TOLERANCE_SINGLE_PRECISION.get(algorithm, TOLERANCE)
    assert result.size == expected["size"]
    assert result.log_loss == pytest.approx(expected["log_loss"], abs=tolerance, rel=0)
    assert result.value("rmse_bins_benchmark") == pytest.approx(expected["rmse_bins_benchmark"], abs=tolerance, rel=0)
    # Single precision breaks ties between equal predictions.
    assert result.value("auc") == pytest.approx(expected["auc"], abs=1e-3, rel=0)


@pytest.mark.parametrize("algorithm", ["DASH", "DASH[MCM]", "DASH[ACT-R]", "ACT-R", "HLR", "FSRS-4.5", "FSRS-6"])
def test_trained_algorithms_are_no_worse_than_the_benchmarks(algorithm):
    result = evaluate(snapshot("sim-c"), replace(SAME_DAY, algorithms=(algorithm,))).report.result(algorithm)
    expected = reference("sim-c")["results_same_day"][algorithm]
    assert result.size == expected["size"]
    # As for small sets in test_reference_catalog.py.
    assert result.log_loss - expected["log_loss"] <= 0.008


# --- training reviews of algorithms with exact times in the whole-day table -------------------------------------------


@pytest.mark.parametrize("name", SETS)
def test_training_sizes_with_exact_times_are_those_of_the_benchmark(name):
    dataset = data(name)
    reviews, _ = dataset.training(FRACTIONAL_DAYS)
    sizes = [
        [dataset.training_stop(reviews, k), fold.test_stop - fold.test_start] for k, fold in enumerate(dataset.folds)
    ]
    assert sizes == reference(name)["fold_sizes_train_test_by_the_second"]


def test_exact_times_train_on_all_rows_of_the_same_day_table():
    dataset = data("sim-c")
    reviews, _ = dataset.training(FRACTIONAL_DAYS)
    expected = prepare(snapshot("sim-c"), SAME_DAY)[0].reviews
    np.testing.assert_array_equal(reviews.review_id, expected.review_id)
    assert set(dataset.rows.card_id[reviews.row]) > set(dataset.reviews.card_id)


def test_deck_trains_on_its_cards_before_each_fold():
    log = snapshot("sim-c")
    ids = np.unique(log.revlog.card_id)
    dataset = prepare(replace(log, cards=Cards(ids, ids % 2)), Options())[0]
    all_reviews, _ = dataset.training(FRACTIONAL_DAYS)
    for deck, _, part in dataset.partitions("deck"):
        reviews, _ = part.training(FRACTIONAL_DAYS)
        deck_review_ids = all_reviews.review_id[dataset.rows.card_id[all_reviews.row] % 2 == deck]
        np.testing.assert_array_equal(reviews.review_id, deck_review_ids)
        for k, fold in enumerate(dataset.folds):
            first_tested = dataset.reviews.review_id[fold.test_start]
            assert part.training_stop(reviews, k) == (deck_review_ids < first_tested).sum()
            assert part.training_stop(part.reviews, k) == part.folds[k].test_start


@pytest.mark.parametrize("table", TABLES)
def test_reviews_before_the_start_date_do_not_train(table):
    log = snapshot("sim-c")
    day = int(np.median(data("sim-c").reviews.day))
    dataset = prepare(log, Options(table=table, since=log.clock.date_of(day)))[0]
    reviews, _ = dataset.training(FRACTIONAL_DAYS)
    assert dataset.rows.day[reviews.row].min() == day
    expected = prepare(log, SAME_DAY)[0].reviews
    np.testing.assert_array_equal(reviews.review_id, expected.review_id[expected.day >= day])


# --- options, groups and algorithms for whole days only ---------------------------------------------------------------


def test_every_algorithm_gets_exact_times():
    for algorithm in replace(SAME_DAY, algorithms=tuple(CATALOG)).algorithms_to_run():
        assert algorithm.inputs.fractional
        assert algorithm.inputs.same_day
        assert algorithm.inputs.two_buttons == CATALOG[algorithm.name].inputs.two_buttons
        assert algorithm.min_stability == 0.0001
    assert CATALOG["FSRS-6"].min_stability == 0.001


def test_whole_day_algorithms_explain_their_absence():
    def refuse(_):
        raise AssertionError("the optimizer is not to be called")

    names = [name for name, algorithm in CATALOG.items() if algorithm.whole_days_only]
    assert {"FSRS-rs", "NN-17"} <= set(names)
    evaluation = evaluate(learner(), replace(SAME_DAY, algorithms=("AVG", *names)), optimizer=refuse)
    for name in names:
        error = evaluation.report.result(name).error
        assert error.code == "whole_day_only"
        assert "whole days" in error_sentence(error)
    assert evaluation.report.result("AVG").error is None


@pytest.mark.parametrize("name", ALGORITHM_GROUPS)
def test_groups_leave_out_whole_day_algorithms(name):
    members = group_members(name, SAME_DAY_TABLE)
    assert members
    assert not [member for member in members if CATALOG[member].whole_days_only]
    algorithms = replace(SAME_DAY, algorithms=(name,)).algorithms_to_run()
    assert [algorithm.name for algorithm in algorithms] == [item for item in CATALOG if item in members]
    assert group_members(name, WHOLE_DAY_TABLE) == ALGORITHM_GROUPS[name]


def test_whole_day_sections_fail_and_others_use_the_table():
    names = ("AVG", "SM-2", "FSRS-6", "FSRS-7 default")
    evaluation = evaluate(learner(), replace(SAME_DAY, algorithms=names), optimizer=optimizer())
    report = add_sections(evaluation, ["all"], learner()).report
    for key, section in SECTIONS.items():
        result = report.section(key)
        assert isinstance(result, Failure) == section.whole_day_only, key
    whole_day_sections = {key for key, section in SECTIONS.items() if section.whole_day_only}
    assert whole_day_sections == {"population", "splitting", "workload"}
    within_day = report.section("graphs")[0].slice_graph("interval").slices[: len(WITHIN_DAY_NAMES)]
    predictions = evaluation.predictions
    assert sum(item.reviews for item in within_day) == (predictions.elapsed_days == 0).sum() > 0
    assert (report.findings, report.hard, report.verdict.advice) == ((), None, None)
