"""Where two algorithms disagree: sides by hand, what is said of them, and the groups of the graph."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Tuple

import numpy as np
import numpy.typing as npt
import pytest

from evaluator.evaluation import evaluate
from evaluator.interval import NO_REVIEWS, TOO_FEW, Interval
from evaluator.metrics.universal import um_plus_of_all
from evaluator.options import Options
from evaluator.report import Disagreement, to_dict
from evaluator.sections import add_sections
from evaluator.sections.disagreement import PairDisagreement
from evaluator.statistics.disagreement import disagreement, sides_by_group
from evaluator.statistics.paired import Clusters, paired_difference
from evaluator.tally import Evaluation

from .catalogue_helpers import equipped
from .reference_sets import snapshot

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def clusters(reviews: int, cards: int = 60, days: int = 50) -> Clusters:
    """Of reviews whose cards and days come in turn."""
    place = np.arange(reviews)
    return Clusters.of(place % cards, place * days // reviews)


def made(*parts: Tuple[int, int, float, float]) -> Tuple[Floats, Floats, Ints]:
    """Predictions of both and outcomes: so many reviews, so many of them recalled, what A said, what B said."""
    sizes, known, first, second = zip(*parts, strict=True)
    one, other = (np.repeat(values, sizes) for values in (first, second))
    recalled = np.concatenate([np.arange(n) < y for n, y in zip(sizes, known, strict=True)])
    order = np.random.default_rng(5).permutation(len(one))
    return one[order], other[order], recalled[order].astype(np.int64)


#: A said 80 % and B 60 % of 600 of which 480 were recalled; A 50 % and B 70 % of 400 of which 240; 90 % both of 160.
BY_HAND = made((600, 480, 0.8, 0.6), (400, 240, 0.5, 0.7), (160, 144, 0.9, 0.9))


def found(one: Floats, other: Floats, recalled: Ints, **of: int) -> Disagreement:
    return disagreement(one, other, recalled, clusters(len(one), **of))


def test_both_sides_are_described_by_their_means() -> None:
    both = found(*BY_HAND)
    surer, less_sure = both.surer, both.less_sure
    assert (both.threshold, surer.reviews, less_sure.reviews) == (0.10, 600, 400)
    assert (surer.recalled, surer.predicted, surer.predicted_by_baseline) == pytest.approx((480 / 600, 0.8, 0.6))
    assert (less_sure.recalled, less_sure.predicted, less_sure.predicted_by_baseline) == pytest.approx((0.6, 0.5, 0.7))
    gaps = (surer.gap, surer.gap_of_baseline, less_sure.gap, less_sure.gap_of_baseline)
    assert [gap.known for gap in gaps] == pytest.approx([0, 0.2, 0.1, -0.1])
    assert all(gap.low is not None and gap.low < gap.known < (gap.high or 0) for gap in gaps)
    here = np.flatnonzero(BY_HAND[0] == 0.8)
    all_ = clusters(len(BY_HAND[0]))
    own = all_.take(here)
    assert (surer.cards, surer.days) == (own.cards, own.days)
    assert surer.gap_of_baseline == paired_difference(BY_HAND[2][here] - 0.6, own)


def test_exchanging_the_two_mirrors_everything() -> None:
    one, other, recalled = BY_HAND
    there, back = found(one, other, recalled), found(other, one, recalled)
    mirrored = replace(
        there.surer,
        predicted=there.surer.predicted_by_baseline,
        predicted_by_baseline=there.surer.predicted,
        gap=there.surer.gap_of_baseline,
        gap_of_baseline=there.surer.gap,
    )
    assert back.less_sure == mirrored
    assert there.threshold == back.threshold
    groups = [list(sides_by_group(*pair, recalled, clusters(1160))) for pair in ((one, other), (other, one))]
    assert [(-number, side.reviews, side.gap_of_baseline) for number, _, side in reversed(groups[1])] == [
        (number, side.reviews, side.gap) for number, _, side in groups[0]
    ]


def test_five_points_do_only_where_too_few_reviews_are_ten_apart() -> None:
    """Ten exactly counts, whatever the last digit of 0.9 - 0.8 is; what was recalled does not matter."""
    for outcome in (0, 1):
        for reviews, expected in ((199, 0.05), (200, 0.10)):
            apart = made((reviews, outcome * reviews, 0.9, 0.8), (300, 200, 0.85, 0.8), (100, 80, 0.84, 0.8))
            both = found(*apart)
            assert both.threshold == expected
            assert both.surer.reviews == (reviews if expected == 0.10 else reviews + 300)
            assert both.less_sure == replace(
                both.less_sure, reviews=0, recalled=None, gap=Interval(None, reason=NO_REVIEWS)
            )


@pytest.mark.parametrize(
    ("reviews", "cards", "days", "described"),
    [(50, 20, 8, True), (49, 20, 8, False), (50, 19, 8, False), (50, 20, 7, False)],
)
def test_a_side_is_described_from_fifty_reviews_twenty_cards_and_eight_days_on(
    reviews: int, cards: int, days: int, described: bool
) -> None:
    """What there is of a smaller one is counted; without any described side nothing is said."""
    one, other = np.full(reviews, 0.9), np.full(reviews, 0.6)
    both = found(one, other, (np.arange(reviews) % 3 > 0).astype(np.int64), cards=cards, days=days)
    surer = both.surer
    assert (surer.reviews, surer.cards, surer.days) == (reviews, cards, days)
    assert [x is not None for x in (surer.recalled, surer.predicted, surer.predicted_by_baseline)] == [described] * 3
    if not described:
        assert surer.gap.reason == TOO_FEW


def test_two_that_agree_leave_nothing_to_say() -> None:
    both = found(BY_HAND[0], BY_HAND[0], BY_HAND[2])
    assert (both.surer.reviews, both.less_sure.reviews) == (0, 0)


class TestUniversalMetricPlus:
    def test_by_hand(self) -> None:
        """Groups at 0.2, -0.2 and 0: A is off by 0, 0.1 and 0 there, B by 0.2, 0.1 and 0."""
        one, other, recalled = BY_HAND
        found = um_plus_of_all(np.stack([one, other]), recalled)
        assert found[0, 1] == pytest.approx(math.sqrt(400 * 0.1**2 / 1160))
        assert found[1, 0] == pytest.approx(math.sqrt((600 * 0.2**2 + 400 * 0.1**2) / 1160))

    def test_halves_go_to_the_even_group(self) -> None:
        """0.025 is half a group from 0 and goes to it, 0.075 goes to 0.1."""
        one = np.repeat([0.825, 0.875, 0.8], 60)
        groups = sides_by_group(one, np.full(180, 0.8), np.tile([1, 1, 0], 60), clusters(180))
        assert [(number, side.reviews) for number, _, side in groups] == [(0, 120), (2, 60)]


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return evaluate(snapshot("sim-a"), Options(algorithms=("AVG", "SM-2", "FSRS-5 default", "FSRS-6 default")))


def pairs(evaluation: Evaluation) -> Tuple[Tuple[str, str], ...]:
    items: Tuple[PairDisagreement, ...] = evaluation.report.section("disagreement")
    return tuple((one.algorithm, one.baseline) for one in items)


class TestSection:
    def test_each_is_compared_with_the_baseline(self, evaluation: Evaluation) -> None:
        """In the order of the results; the pair of the verdict is known with the verdict."""
        whole = add_sections(evaluation, ["disagreement"])
        others = [row.algorithm for row in whole.report.results if row.algorithm != "SM-2"]
        assert pairs(whole) == tuple((name, "SM-2") for name in others)
        verdict = evaluation.report.verdict
        headline = next(one for one in whole.report.section("disagreement") if one.algorithm == verdict.algorithm)
        assert headline.sides == verdict.disagreement
        assert sum(one.reviews for one in headline.groups) == whole.report.scope.reviews

    def test_the_baselines_figures_are_those_of_exchanged_predictions(self, evaluation: Evaluation) -> None:
        evidence = evaluation.evidence
        assert evidence is not None
        (one,) = add_sections(evaluation, ["disagreement"], names=["SM-2", "FSRS-6 default"]).report.section(
            "disagreement"
        )
        first, second = (evidence.fitted[name].predicted for name in (one.algorithm, one.baseline))
        exchanged = [*sides_by_group(second, first, evidence.scoring.recalled, evidence.scoring.clusters)][::-1]
        assert [group.gap_of_baseline for group in one.groups] == [side.gap for _, _, side in exchanged]
        assert [group.gap for group in one.groups] != [group.gap_of_baseline for group in one.groups]

    def test_those_that_are_asked_for_join_those_that_are_there(self, evaluation: Evaluation) -> None:
        """For the baseline stands the algorithm of the verdict."""
        one = add_sections(evaluation, ["disagreement"], names=["AVG"])
        assert pairs(one) == (("AVG", "SM-2"),)
        two = add_sections(one, ["disagreement"], names=["SM-2"])
        assert set(pairs(two)) == {("AVG", "SM-2"), ("FSRS-6 default", "SM-2")}
        whole = add_sections(evaluation, ["disagreement"])
        assert add_sections(two, ["disagreement"]).report == whole.report

    def test_alone_there_is_nothing_to_disagree_with(self) -> None:
        alone = evaluate(snapshot("sim-c"), Options(algorithms=("AVG",)))
        assert alone.report.verdict.disagreement is None
        assert pairs(add_sections(alone, ["disagreement"])) == ()

    def test_what_may_have_seen_the_reviews_is_named(self) -> None:
        names = ("AVG", "SM-2", "FSRS-6 default", "Your parameters")
        report = add_sections(evaluate(equipped(), Options(algorithms=names)), ["disagreement"]).report
        known = {one.algorithm: one.in_sample for one in report.section("disagreement")}
        assert known == {"AVG": (), "FSRS-6 default": (), "Your parameters": ("Your parameters",)}

    def test_it_is_in_the_json(self, evaluation: Evaluation) -> None:
        tree = to_dict(add_sections(evaluation, ["disagreement"]).report)
        assert tree["verdict"]["disagreement"]["surer"]["gap"].keys() >= {"estimate", "low", "high"}
        assert {one["baseline"] for one in tree["disagreement"]} == {"SM-2"}
