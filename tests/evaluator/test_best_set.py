"""The set that cannot be told from the best: against tables, by its properties, and by how often it holds the best."""

from __future__ import annotations

from random import Random
from typing import List, Optional, Tuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.interval import CONFIDENCE, MIN_CARDS, MIN_DAYS
from evaluator.statistics.best_set import best_set, p_values
from evaluator.statistics.paired import Clusters, paired_difference, spread
from tools.simulate.reviews import log_loss, simulate

Floats = npt.NDArray[np.float64]


def one_review_each(n: int) -> Clusters:
    """Every review is its own card and its own day."""
    return Clusters.of(np.arange(n), np.arange(n))


def p_value(difference: Floats, clusters: Clusters) -> float:
    """Of no difference, by the paired interval."""
    found = spread(difference, clusters)
    assert found is not None
    return found.p_value


@given(st.integers(0, 2**32), st.floats(-0.5, 0.5))
def test_two_algorithms_are_a_pair(seed: int, worse: float) -> None:
    """The one that looks worse has the p-value of the paired interval; it leaves where that leaves out 0."""
    loss, clusters = random_losses(np.random.default_rng(seed), np.array([0.0, worse]), 2, reviews=200)
    lost = int(loss[1].mean() > loss[0].mean())
    p = p_values(loss, clusters)
    assert p is not None
    assert p[lost] == pytest.approx(p_value(loss[1] - loss[0], clusters), rel=1e-6)
    assert p[1 - lost] == 1
    members = best_set(loss, clusters)
    assert members is not None
    assert (len(members) == 1) == (paired_difference(loss[1] - loss[0], clusters).side() != 0)


def test_three_algorithms_by_hand() -> None:
    """Of the three pairs the clearest counts three times; of the two that stay there is one pair.

    Differences 1 up and 1 down, in turn or by pairs, so that each mean has a variance of its own.
    """
    n = np.arange(400)
    worst, middle = np.where(n % 2, 1, -1) + 0.14, np.where(n // 2 % 2, 1, -1) + 0.12
    losses, clusters = np.stack([worst, middle, np.zeros(400)]), one_review_each(400)
    pairs = [p_value(worst, clusters), p_value(middle, clusters), p_value(worst - middle, clusters)]
    first = int(np.argmin(pairs[:2]))
    assert pairs[first] == min(pairs)
    p = p_values(losses, clusters)
    assert p is not None
    assert p[first] == pytest.approx(3 * pairs[first], rel=1e-6)
    assert p[1 - first] == pytest.approx(max(3 * pairs[first], pairs[1 - first]), rel=1e-6)
    assert p[2] == 1


def test_a_p_value_is_never_below_that_of_a_larger_set() -> None:
    """Neither alone could be as good as the best (p = 0.04), but among three they could: all stay.

    Differences 1 up and 1 down, in turn or by pairs.
    """
    n = np.arange(400)
    worst, middle = np.where(n % 2, 1, -1) + 0.105, np.where(n // 2 % 2, 1, -1) + 0.103
    losses, clusters = np.stack([worst, middle, np.zeros(400)]), one_review_each(400)
    assert 0.03 < p_value(worst, clusters) < p_value(middle, clusters) < 0.05
    p = p_values(losses, clusters)
    assert p is not None
    assert p[0] == p[1] == pytest.approx(3 * p_value(worst, clusters), rel=1e-6)
    assert best_set(losses, clusters) == (2, 1, 0)


def test_three_algorithms_leave_in_turn() -> None:
    """The clearly worst first, the middle one next; the p-values never fall on the way."""
    random = np.random.default_rng(3)
    noise = random.normal(0, 1, (3, 400))
    noise -= noise.mean(axis=1, keepdims=True)
    losses = noise + np.array([[0.5], [0.0], [0.2]])
    p = p_values(losses, one_review_each(400))
    assert p[0] <= p[2] < 0.05
    assert best_set(losses, one_review_each(400)) == (1,)


@st.composite
def losses(draw: st.DrawFn) -> Tuple[Floats, Clusters]:
    """Of 2 to 5 algorithms on 200 reviews of 50 cards on 40 days; sometimes one is a copy, or one is constant."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    worse = draw(st.lists(st.sampled_from([0.0, 0.05, 0.2, 1.0]), min_size=2, max_size=5))
    n = np.arange(200)
    some = random.normal(0, draw(st.sampled_from([0.01, 0.3, 1])), (len(worse), 200)) + np.array(worse)[:, None]
    if draw(st.booleans()):
        some[0] = some[-1]
    return some + random.exponential(0.4, 200), Clusters.of(random.permutation(n % 50), n // 5)


@given(losses(), st.randoms(use_true_random=False))
def test_the_order_of_algorithms_and_reviews_changes_nothing(case: Tuple[Floats, Clusters], shuffle: Random) -> None:
    loss, clusters = case
    before = p_values(loss, clusters)
    order: List[int] = list(range(len(loss)))
    reviews: List[int] = list(range(loss.shape[1]))
    shuffle.shuffle(order)
    shuffle.shuffle(reviews)
    moved = Clusters.of(clusters.card[reviews], clusters.day[reviews])
    after = p_values(loss[order][:, reviews], moved)
    assert after is not None
    assert after == pytest.approx([before[i] for i in order], rel=1e-6, abs=1e-9)


@given(losses())
def test_what_always_holds(case: Tuple[Floats, Clusters]) -> None:
    """The lowest is a member, members are sorted, copies share a fate, and units and what is common do not matter."""
    loss, clusters = case
    members, p = best_set(loss, clusters), p_values(loss, clusters)
    means = loss.mean(axis=1)
    assert members[0] == int(means.argmin())
    assert p.max() == 1
    assert [means[i] for i in members] == sorted(means[i] for i in members)
    assert set(members) == {i for i, each in enumerate(p) if each >= 1 - CONFIDENCE}
    if (loss[0] == loss[-1]).all():
        assert p[0] == p[-1]
    assert p_values(loss * 7, clusters) == pytest.approx(p, rel=1e-6, abs=1e-9)
    assert p_values(loss + np.sin(np.arange(200)), clusters) == pytest.approx(p, rel=1e-6, abs=1e-9)


def test_copies_are_all_members() -> None:
    """No difference, no spread, p = 1; the first comes first."""
    losses = np.tile(np.linspace(0, 1, 50), (3, 1))
    p = p_values(losses, one_review_each(50))
    assert p is not None
    assert p.tolist() == [1, 1, 1]
    assert best_set(losses, one_review_each(50)) == (0, 1, 2)


@pytest.mark.parametrize("constant", [0.0, 2e-7])
def test_what_is_rounded_is_the_same_algorithm(constant: float) -> None:
    """Predictions with nine digits: t is large, as all the spread is rounding, and yet nothing is told apart."""
    random = np.random.default_rng(8)
    predicted = random.uniform(0.6, 0.99, 400)
    loss = -np.log(predicted)
    rounded = -np.log(predicted.round(9)) + constant
    far = loss + random.normal(0.3, 0.1, 400)
    losses = np.stack([rounded, loss, far])
    members = best_set(losses, one_review_each(400))
    p = p_values(losses, one_review_each(400))
    assert set(members) == {0, 1}
    assert p == pytest.approx([1, 1, 0], abs=1e-6)


def test_a_tiny_difference_with_a_large_error_is_no_copy() -> None:
    """Two that agree on the mean only do not share a p-value: one may be told from the best, and the other not."""
    n = np.arange(400)
    noisy, steady = np.where(n % 2, 3.0, -3.0), np.zeros(400)
    found = best_set(np.stack([noisy, steady, steady - 0.01]), one_review_each(400))
    assert found == (2, 0)


def test_a_constant_difference_is_certain() -> None:
    """It has no spread, however small it is, as long as it is more than rounding."""
    one = np.zeros(64)
    losses = np.stack([one + 2.0**-19, one])
    p = p_values(losses, one_review_each(64))
    assert p.tolist() == [0, 1]
    assert best_set(losses, one_review_each(64)) == (1,)


@pytest.mark.parametrize(("cards", "days"), [(MIN_CARDS - 1, 100), (100, MIN_DAYS - 1)])
def test_too_few_cards_or_days_give_no_set(cards: int, days: int) -> None:
    n = np.arange(100)
    assert best_set(np.stack([n / 100, n / 200]), Clusters.of(n % cards, n % days)) is None


@pytest.mark.parametrize(("forgotten", "found"), [(9, None), (10, (1, 0))])
def test_a_rare_outcome_gives_no_set(forgotten: int, found: Optional[Tuple[int, ...]]) -> None:
    n = np.arange(100)
    clusters = Clusters.of(n, n, (n >= forgotten).astype(np.int64))
    assert best_set(np.stack([np.sin(n) + 0.01, np.cos(n)]), clusters) == found


def test_what_cannot_be_compared() -> None:
    """One algorithm, no reviews, other reviews, or a loss that is not a number."""
    with pytest.raises(ValueError, match="1 algorithms on 50 reviews; at least two on one are needed"):
        best_set(np.zeros((1, 50)), one_review_each(50))
    with pytest.raises(ValueError, match="2 algorithms on 0 reviews"):
        best_set(np.zeros((2, 0)), one_review_each(0))
    with pytest.raises(ValueError, match="losses of 50 reviews, clusters of 49"):
        best_set(np.zeros((2, 50)), one_review_each(49))
    with pytest.raises(ValueError, match="a loss is not finite"):
        best_set(np.array([[np.nan] * 50, [1.0] * 50]), one_review_each(50))


def test_the_perfect_model_stays() -> None:
    """Those that are off by half in the logit leave; whether one that is off by 0.05 does is luck."""
    reviews = simulate(np.random.default_rng(4), cards=1500, days=200, reviews=20_000, card_sd=0.3, day_sd=0.1)
    shifts = (0.6, 0.0, 0.05, -0.5)
    loss = np.stack([log_loss(reviews.known + shift, reviews.recalled) for shift in shifts])
    found = best_set(loss, Clusters.of(reviews.card, reviews.day))
    assert found is not None
    assert set(found) in ({1}, {1, 2})


def random_losses(
    random: np.random.Generator, worse: Floats, families: int, *, reviews: int = 2000
) -> Tuple[Floats, Clusters]:
    """Of K algorithms on so many reviews of 200 cards on 60 days, each ``worse`` than the best by so much.

    All share most of their loss. Each has effects of card and day and noise, of very different sizes; those of one
    family share most of these too.
    """
    cards, days, n, size = 200, 60, reviews, len(worse)
    weight = random.gamma(2, 1, cards)
    card, day = random.choice(cards, n, p=weight / weight.sum()), random.integers(days, size=n)

    def own(members: int) -> Floats:
        by_card, by_day = random.normal(0, 0.4, (members, cards)), random.normal(0, 0.15, (members, days))
        return by_card[:, card] + by_day[:, day] + 0.5 * random.standard_t(5, (members, n))

    scale = np.linspace(0.06, 0.6, size)[:, None]
    differ = own(size) if families == size else 0.3 * own(size) + own(families)[np.arange(size) % families]
    return random.exponential(0.35, n) + scale * differ + worse[:, None], Clusters.of(card, day)


@pytest.mark.parametrize(
    ("algorithms", "families", "people"), [(2, 2, 500), (8, 8, 300), (20, 20, 120), (20, 4, 120)], ids=str
)
def test_all_of_the_equally_good_are_in_the_set(algorithms: int, families: int, people: int) -> None:
    """95 % of the time (between 92 and 99 % of so many people), and one that is named beforehand more often than that.

    Holding each against the lowest with the plain paired interval would leave out one of eight in two of five people.
    """
    random = np.random.default_rng(1984)
    all_in = first_in = naive = 0
    for _ in range(people):
        loss, clusters = random_losses(random, np.zeros(algorithms), families)
        found = best_set(loss, clusters)
        assert found is not None
        all_in += len(found) == algorithms
        first_in += 0 in found
        lows = [paired_difference(each - loss[found[0]], clusters).low for each in loss]
        naive += all(low is not None and low <= 0 for low in lows)
    assert 0.92 <= all_in / people <= 0.99
    assert first_in / people >= 0.95
    assert algorithms == 2 or naive / people < 0.75


@pytest.mark.parametrize(("algorithms", "people"), [(8, 300), (20, 120)])
def test_the_one_best_is_in_the_set(algorithms: int, people: int) -> None:
    """Where the others are worse, by little and by much; the worst are seldom in."""
    random = np.random.default_rng(2024)
    worse = np.linspace(0, 0.15, algorithms)
    best_in = worst_in = 0
    for _ in range(people):
        loss, clusters = random_losses(random, worse, algorithms)
        found = best_set(loss, clusters)
        best_in += 0 in found
        worst_in += algorithms - 1 in found
    assert best_in / people >= 0.95
    assert worst_in / people <= 0.05
