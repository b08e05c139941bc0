"""Where two algorithms disagree: sides by hand, what is said of them, and the groups of the graph."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Iterator, Tuple

import numpy as np
import numpy.typing as npt
import pytest

from evaluator.evaluation import evaluate
from evaluator.interval import BETTER, CANNOT_TELL, NO_REVIEWS, RARE, TOO_FEW, WORSE, Interval
from evaluator.metrics.universal import universal_metric_plus
from evaluator.options import Options
from evaluator.report import Disagreement, to_dict
from evaluator.sections import add_sections, without_chosen_pairs
from evaluator.sections.disagreement import PairDisagreement
from evaluator.statistics.disagreement import disagreement, sides_by_group
from evaluator.statistics.paired import Clusters, paired_difference
from evaluator.tally import Evaluation

from .catalogue_helpers import equipped
from .reference_sets import reference_predictions, snapshot

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


def test_what_is_said_rests_on_the_brier_scores_of_both_sides_together() -> None:
    """(y - 0.8)^2 - (y - 0.6)^2 is -0.12 where recalled and 0.28 where not; on the other side 0.16 and -0.24."""
    both = found(*BY_HAND)
    expected = (480 * -0.12 + 120 * 0.28 + 240 * 0.16 + 160 * -0.24) / 1000
    assert both.difference.known == pytest.approx(expected)
    assert both.difference.ends is not None
    assert both.code == BETTER == {-1: BETTER, 0: CANNOT_TELL, 1: WORSE}[both.difference.side() or 0]


def test_the_share_is_the_ratio_of_its_sums() -> None:
    """(p_A - p_B) (y - p_B) is 0.2 (y - 0.6) and -0.2 (y - 0.7); (p_A - p_B)^2 is 0.04 everywhere."""
    share = found(*BY_HAND).share
    expected = (0.2 * (480 - 600 * 0.6) - 0.2 * (240 - 400 * 0.7)) / (1000 * 0.04)
    assert share.known == pytest.approx(expected) == pytest.approx(0.8)
    assert share.low is not None
    assert share.high is not None
    assert 0.5 < share.low < 0.8 < share.high


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
    assert (there.threshold, there.code, back.code) == (back.threshold, BETTER, WORSE)
    for forth, mirror, around in ((there.difference, back.difference, 0.0), (there.share, back.share, 1.0)):
        expected = (around - forth.known, around - (forth.high or 0), around - (forth.low or 0))
        assert (mirror.known, mirror.low, mirror.high) == pytest.approx(expected)
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
        assert (surer.gap.reason, both.difference, both.code) == (TOO_FEW, Interval(None, reason=TOO_FEW), TOO_FEW)


def test_two_that_agree_leave_nothing_to_say() -> None:
    both = found(BY_HAND[0], BY_HAND[0], BY_HAND[2])
    assert (both.surer.reviews, both.less_sure.reviews, both.code) == (0, 0, TOO_FEW)
    assert both.share.reason == TOO_FEW


@dataclass(frozen=True)
class Pair:
    """Two forecasters' predictions of one person's reviews."""

    one: Floats
    other: Floats
    recalled: Ints
    clusters: Clusters

    @property
    def found(self) -> Disagreement:
        return disagreement(self.one, self.other, self.recalled, self.clusters)


def equally_good(
    people: int,
    *,
    reviews: int = 900,
    cards: int = 200,
    days: int = 60,
    noise: float = 0.6,
    drift: float = 0,
    step: int = 1,
) -> Iterator[Pair]:
    """Both see the logit of recall with errors of their own: of each review (sd ``noise``), and of ``step`` days."""
    random = np.random.default_rng(26)
    for _ in range(people):
        card, day = random.integers(cards, size=reviews), np.sort(random.integers(days, size=reviews))
        logit = random.normal(1.5, 0.8, reviews) + random.normal(0, 0.5, cards)[card] + random.normal(0, 0.3, days)[day]
        errors = (
            random.normal(0, noise, reviews) + random.normal(0, drift, days // step + 1)[day // step] for _ in range(2)
        )
        one, other = (1 / (1 + np.exp(-logit - error)) for error in errors)
        recalled = (random.random(reviews) < 1 / (1 + np.exp(-logit))).astype(np.int64)
        yield Pair(one, other, recalled, Clusters.of(card, day, recalled))


def test_equally_good_forecasters_are_seldom_told_apart() -> None:
    """24 of 300 people at most. Judged by itself, each side would crown the surer one for more than half of them."""
    told, surer_is_nearer = 0, 0
    for pair in equally_good(300):
        both = pair.found
        assert both.code != TOO_FEW
        told += both.code != CANNOT_TELL
        near = [abs(gap.known) for side in (both.surer, both.less_sure) for gap in (side.gap, side.gap_of_baseline)]
        surer_is_nearer += near[0] < near[1] and near[2] > near[3]
    assert told <= 24
    assert surer_is_nearer > 150


@pytest.mark.parametrize(("reviews", "days", "step"), [(1500, 60, 14), (2000, 100, 20), (2000, 208, 30)])
def test_nor_are_those_that_drift(reviews: int, days: int, step: int) -> None:
    """Of 200 people 20 at most; and the share tells them apart where the code does, and nowhere else."""
    told = 0
    for pair in equally_good(200, reviews=reviews, days=days, noise=0.2, drift=0.5, step=step):
        both = pair.found
        told += both.code in (BETTER, WORSE)
        if both.share.ends is not None:
            assert both.share.side(0.5) == {BETTER: 1, WORSE: -1, CANNOT_TELL: 0}[both.code]
    assert told <= 20


def test_the_interval_of_the_share_covers_the_truth() -> None:
    """A lies a quarter of the way beyond the probability of recall, B three quarters before it: the share is 3/4."""
    random, covered = np.random.default_rng(3), 0
    for _ in range(200):
        card, day = random.integers(150, size=800), np.sort(random.integers(50, size=800))
        recall = np.clip(random.uniform(0.4, 0.7, 800) + random.normal(0, 0.03, 150)[card], 0.3, 0.8)
        apart = random.choice([-0.24, -0.16, 0.16, 0.24], 800) * random.choice([0.2, 1.0], 800)
        recalled = (random.random(800) < recall).astype(np.int64)
        both = disagreement(recall + apart / 4, recall - 3 * apart / 4, recalled, Clusters.of(card, day, recalled))
        covered += both.share.side(0.75) == 0
    assert 0.93 <= covered / 200 <= 1


@pytest.mark.parametrize(("by_other", "code"), [(0.9, RARE), (0.6, BETTER)])
def test_where_hardly_any_forgetting_was_to_be_expected_nothing_is_said(by_other: float, code: str) -> None:
    """All were recalled. Of the 100 that are apart 6 were to be forgotten, halfway between 98 % and 90 %; or 21."""
    here, elsewhere = (100, 100, 0.98, by_other), (300, 300, 0.8, 0.8)
    one, other, recalled = made(here, elsewhere)
    whole = clusters(len(one))
    both = disagreement(one, other, recalled, Clusters.of(whole.card, whole.day, recalled))
    assert both.code == code
    assert both.difference.known == pytest.approx(0.02**2 - (1 - by_other) ** 2)
    assert (both.share.reason, both.difference.reason) == ((RARE, RARE) if code == RARE else (None, None))
    assert both.surer.gap.reason == RARE  # nothing was forgotten, so how far that is from chance is not known


class TestUniversalMetricPlus:
    def test_by_hand(self) -> None:
        """Groups at 0.2, -0.2 and 0: A is off by 0, 0.1 and 0 there, B by 0.2, 0.1 and 0."""
        one, other, recalled = BY_HAND
        assert universal_metric_plus(one, other, recalled) == pytest.approx(math.sqrt(400 * 0.1**2 / 1160))
        expected = math.sqrt((600 * 0.2**2 + 400 * 0.1**2) / 1160)
        assert universal_metric_plus(other, one, recalled) == pytest.approx(expected)

    def test_halves_go_to_the_even_group(self) -> None:
        """0.025 is half a group from 0 and goes to it, 0.075 goes to 0.1."""
        one = np.repeat([0.825, 0.875, 0.8], 60)
        groups = sides_by_group(one, np.full(180, 0.8), np.tile([1, 1, 0], 60), clusters(180))
        assert [(number, side.reviews) for number, _, side in groups] == [(0, 120), (2, 60)]

    @pytest.mark.parametrize(
        ("log", "one", "other", "expected"),
        [
            ("sim-a", "p_AVG", "p_SM2", 0.0341101156),
            ("sim-a", "p_AVG", "p_FSRS-6-default", 0.0703696872),
            ("sim-a", "p_SM2", "p_AVG", 0.2239311732),
            ("sim-a", "p_SM2", "p_FSRS-6-default", 0.2323344630),
            ("sim-a", "p_FSRS-6-default", "p_AVG", 0.0316308587),
            ("sim-a", "p_FSRS-6-default", "p_SM2", 0.0350266069),
            ("sim-c", "p_AVG", "p_SM2", 0.0759980668),
            ("sim-c", "p_SM2", "p_FSRS-6-default", 0.1299190332),
            ("sim-c", "p_FSRS-6-default", "p_SM2", 0.0462067096),
        ],
    )
    def test_it_is_that_of_its_authors(self, log: str, one: str, other: str, expected: float) -> None:
        """By the published code, of the same predictions."""
        known = reference_predictions(log)
        value = universal_metric_plus(known[one], known[other], known["y"].astype(np.int64))
        assert value == pytest.approx(expected, abs=1e-9)


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
        squares = [one.reviews * one.gap.known**2 for one in headline.groups if one.gap.estimate is not None]
        assert math.sqrt(sum(squares) / whole.report.scope.reviews) <= headline.universal_metric

    def test_any_two_can_be_asked_for(self, evaluation: Evaluation) -> None:
        """In whatever order: the baseline comes second, else the lower log loss first. What was known stays."""
        asked = add_sections(evaluation, ["disagreement"], names=["AVG", "FSRS-6 default"])
        first, second = (row.algorithm for row in asked.report.results if row.algorithm in ("AVG", "FSRS-6 default"))
        assert pairs(asked) == ((first, second),)
        more = add_sections(asked, ["disagreement"], names=["SM-2", "AVG"])
        assert pairs(more) == (("AVG", "SM-2"), (first, second))
        whole = add_sections(more, ["disagreement"])
        assert pairs(whole)[-1] == (first, second)
        assert set(pairs(whole)[:-1]) == set(pairs(add_sections(evaluation, ["disagreement"])))
        assert add_sections(whole, ["disagreement"]).report == whole.report
        alone = add_sections(evaluation, ["disagreement"]).report
        assert to_dict(without_chosen_pairs(whole.report)) == to_dict(without_chosen_pairs(alone)) == to_dict(alone)

    def test_one_is_compared_with_the_baseline_and_that_with_the_headline(self, evaluation: Evaluation) -> None:
        report = evaluation.report
        assert report.pair(["AVG"]) == ("AVG", "SM-2")
        assert report.pair(["SM-2"]) == ("FSRS-6 default", "SM-2")
        assert report.pair(["AVG", "SM-2", "FSRS-6 default"]) == ("AVG", "SM-2")
        assert report.pair(["AVG", "FSRS-7"]) is None

    def test_alone_there_is_nothing_to_disagree_with(self) -> None:
        alone = evaluate(snapshot("sim-c"), Options(algorithms=("AVG",)))
        assert alone.report.verdict.disagreement is None
        assert alone.report.pair(["AVG"]) is None
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
