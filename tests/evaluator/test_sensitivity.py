"""Does the winner change? The same question asked otherwise."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest
from catalogue_helpers import equipped, lively
from people_predicted_right import person

from evaluator.evaluation import evaluate
from evaluator.interval import MIN_DAYS, Interval
from evaluator.metrics.scores import log_loss_per_review
from evaluator.options import Options
from evaluator.revlog import Snapshot
from evaluator.sections import add_sections
from evaluator.sections.sensitivity import CLIP, Sensitivity, halves, winner, winner_code
from evaluator.statistics.paired import Clusters, Floats
from evaluator.tally import Evaluation

from .made_logs import CLOCK, card, log_of
from .reference_sets import evaluation as reference_evaluation
from .reference_sets import snapshot

OF_PREDICTIONS = ["earlier_half", "later_half", "clipped"]
OF_THE_LOG = ["no_outlier_filter", "no_same_day", "later_start"]


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return add_sections(reference_evaluation("sim-c"), ["sensitivity"], snapshot("sim-c"))


@pytest.fixture(scope="module")
def found(evaluation: Evaluation) -> Sensitivity:
    assert evaluation.report.section("sensitivity") is not None
    return evaluation.report.section("sensitivity")


def test_the_verdicts_pair_and_the_best(evaluation: Evaluation, found: Sensitivity) -> None:
    """The first row is the report's own."""
    verdict = evaluation.report.verdict
    assert found.algorithms[:2] == (verdict.algorithm, verdict.baseline)
    assert set(found.algorithms) == {verdict.algorithm, verdict.baseline, evaluation.report.best}
    assert found.reference.comparison == verdict.comparisons[0]
    assert found.reference.winner == evaluation.report.best


def test_every_variant_has_a_row(found: Sensitivity) -> None:
    assert [row.name for row in found.variants] == OF_PREDICTIONS + OF_THE_LOG
    assert found.complete
    assert all(row.error is None for row in found.variants)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("no_outlier_filter", Options(outlier_filter=False)),
        ("no_same_day", Options(same_day=False)),
    ],
)
def test_variants_are_evaluations_of_their_own(found: Sensitivity, name: str, options: Options) -> None:
    """With the same numbers as if one had asked so in the first place."""
    row = next(row for row in found.variants if row.name == name)
    asked = Options(algorithms=found.algorithms, same_day=options.same_day, outlier_filter=options.outlier_filter)
    other = evaluate(snapshot("sim-c"), asked).report
    assert row.basis == other.verdict.basis
    assert row.comparison == other.verdict.comparisons[0]
    assert row.winner == other.best


def test_the_later_start_leaves_half(evaluation: Evaluation, found: Sensitivity) -> None:
    """Of all reviews, so that five sixths of half of them are tested."""
    row = found.variants[-1]
    assert evaluation.evidence is not None
    assert row.basis is not None
    assert row.basis.reviews == pytest.approx(len(evaluation.evidence.data.reviews) / 2 * 5 / 6, rel=0.05)


def test_of_one_day_there_is_no_later_half() -> None:
    """No row says that it is of half of the reviews where it is of all of them."""
    answers = [a for n in range(60) for a in card(n, 3, (1, 1 if n % 6 == 0 else 3))]
    log = Snapshot(log_of(answers), CLOCK)
    found = add_sections(evaluate(log, Options(algorithms=("SM-2", "AVG"))), ["sensitivity"], log)
    assert found.report.scope.days == 1
    assert found.report.section("sensitivity") is not None
    assert [row.name for row in found.report.section("sensitivity").variants] == ["clipped", *OF_THE_LOG[:2]]


def test_halves_and_clip_by_hand(evaluation: Evaluation, found: Sensitivity) -> None:
    """Mean differences of the report's own predictions."""
    evidence, (a, b) = evaluation.evidence, found.algorithms[:2]
    assert evidence is not None
    predicted = [evidence.fitted[name].predicted for name in (a, b)]
    earlier, later, clipped = found.variants[:3]
    assert earlier.basis is not None
    assert earlier.comparison is not None
    assert later.comparison is not None
    assert clipped.comparison is not None
    losses = evidence.scoring.loss(predicted[0]) - evidence.scoring.loss(predicted[1])
    border = earlier.basis.reviews
    assert earlier.comparison.difference.estimate == pytest.approx(losses[:border].mean(), abs=1e-12)
    assert later.comparison.difference.estimate == pytest.approx(losses[border:].mean(), abs=1e-12)
    kept = [evidence.scoring.loss(np.clip(p, CLIP, 1 - CLIP)) for p in predicted]
    assert clipped.comparison.difference.estimate == pytest.approx((kept[0] - kept[1]).mean(), abs=1e-12)


def test_codes_say_whether_the_winner_changes(found: Sensitivity) -> None:
    for row in found.variants:
        assert (row.code == "same") == (row.winner == found.reference.winner)


def test_what_was_chosen_is_turned_round() -> None:
    """Who evaluated without the filter sees what it would have changed."""
    asked = Options(algorithms=("SM-2", "FSRS-6"), same_day=False, outlier_filter=False)
    evaluated = evaluate(snapshot("sim-c"), asked)
    found = add_sections(evaluated, ["sensitivity"], snapshot("sim-c")).report.section("sensitivity")
    assert found is not None
    assert [row.name for row in found.variants[3:]] == ["outlier_filter", "same_day", "later_start"]


def test_without_the_log_the_rest_is_there() -> None:
    """And it says that something is missing."""
    found = add_sections(reference_evaluation("sim-c"), ["sensitivity"]).report.section("sensitivity")
    assert found is not None
    assert [row.name for row in found.variants] == OF_PREDICTIONS
    assert not found.complete


def test_the_snapshot_is_let_go(evaluation: Evaluation) -> None:
    assert evaluation.evidence is not None
    assert evaluation.evidence.snapshot is None


def test_a_variant_that_cannot_be_evaluated_says_why() -> None:
    """Half of the reviews are too few for so many folds, and the filter would leave none; the others stand."""
    few = equipped(lively(16, reviews=3))
    asked = Options(algorithms=("SM-2", "AVG"), folds=30, outlier_filter=False)
    found = add_sections(evaluate(few, asked), ["sensitivity"], few).report.section("sensitivity")
    assert found is not None
    errors = {row.name: row.error for row in found.variants if row.error is not None}
    assert set(errors) == {"later_start", "outlier_filter"}
    assert (errors["later_start"].code, errors["later_start"].facts["needed"]) == ("too_few_reviews", 31)
    assert errors["outlier_filter"].code == "all_filtered"


def test_one_algorithm_has_no_winner() -> None:
    evaluated = evaluate(snapshot("sim-c"), Options(algorithms=("FSRS-6",), since=dt.date(2000, 1, 1)))
    assert add_sections(evaluated, ["sensitivity"], snapshot("sim-c")).report.section("sensitivity") is None


N = 400
CLUSTERS = Clusters.of(np.arange(N) % 50, np.arange(N) // 4)
NAMES = ("A", "B", "C")


def losses(*means: float) -> Floats:
    """Of A, B and C, with some noise."""
    of: Floats = np.array([means]).T + np.random.default_rng(1).normal(0, 0.01, (len(means), N))
    return of


@pytest.mark.parametrize(
    ("means", "best", "code"),
    [
        ((0.3, 0.2, 0.4), "B", "same"),
        ((0.25, 0.3, 0.2), "C", "other_clearly"),  # A is second: it is the reference's winner that counts
        ((0.1, 0.2, 0.4), "A", "other_clearly"),
    ],
)
def test_who_wins_where_b_does_in_the_reference(means: tuple[float, ...], best: str, code: str) -> None:
    of = losses(*means)
    assert (winner(NAMES, of), winner_code(NAMES, of, CLUSTERS, "B")) == (best, code)


def test_another_winner_by_a_hair() -> None:
    """B is lower by 0.0001 on the mean, and by 0.2 now higher, now lower: not clearly better."""
    swing = np.tile([0.1, -0.1], N // 2)
    of = np.array([0.3 + swing, 0.2999 - swing])
    assert (winner("AB", of), winner_code("AB", of, CLUSTERS, "A")) == ("B", "other")


def test_the_first_of_equal_ones_wins() -> None:
    assert winner(NAMES, np.full((3, N), 0.3)) == "A"


def test_few_days_give_no_clear_winner() -> None:
    few = CLUSTERS.day < MIN_DAYS - 1
    of_both = np.array([np.full(few.sum(), 0.1), np.full(few.sum(), 0.9)])
    assert winner_code("AB", of_both, CLUSTERS.take(few), "B") == "other"
    few = CLUSTERS.day < MIN_DAYS
    of_both = np.array([np.full(few.sum(), 0.1), np.full(few.sum(), 0.9)])
    assert winner_code("AB", of_both, CLUSTERS.take(few), "B") == "other_clearly"


def test_an_interval_that_ends_at_0_is_not_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only one that leaves out 0."""
    codes = []
    for high in (-0.0001, 0.0):
        found = Interval(-0.1, -0.2, high)
        monkeypatch.setitem(winner_code.__globals__, "paired_difference", lambda *_, found=found: found)
        codes.append(winner_code(NAMES, losses(0.3, 0.2, 0.4), CLUSTERS, "A"))
    assert codes == ["other_clearly", "other"]


def test_a_perfect_model_wins_in_both_halves() -> None:
    """Against one that says 10 points too little, and one that always says the average."""
    p = person(np.random.default_rng(9), 6000, days=120)
    of = np.array([log_loss_per_review(q, p.recalled) for q in (p.predicted, p.predicted - 0.1, p.predicted * 0 + 0.8)])
    for mask in halves(p.clusters.day).values():
        assert winner(NAMES, of[:, mask]) == "A"


def test_halves_by_hand() -> None:
    """Days 1, 1, 1, 4, 6: three to two is closer than four to one; a day stays whole, in any order."""
    found = halves(np.array([6, 1, 4, 1, 1]))
    assert found["earlier_half"].tolist() == [False, True, False, True, True]
    assert found["later_half"].tolist() == [True, False, True, False, False]
    assert halves(np.array([3, 3])) == {}
    assert halves(np.zeros(0, dtype=np.int64)) == {}


def test_of_two_borders_that_are_as_good_the_earlier_is_taken() -> None:
    """Three days of one review each: 1 and 2, not 2 and 1."""
    assert halves(np.array([5, 6, 7]))["earlier_half"].tolist() == [True, False, False]
