"""The set that cannot be told from the best: against tables, by its properties, and by how often it holds the best."""

from __future__ import annotations

from math import sqrt
from random import Random
from typing import List, Tuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.interval import CONFIDENCE, MIN_GROUPS
from evaluator.statistics.best_set import DRAWS, _null_maxima, _standard_errors, _wishart, best_set, p_values
from evaluator.statistics.paired import Clusters, paired_difference
from tools.simulate.reviews import log_loss, simulate

Floats = npt.NDArray[np.float64]

#: Where only what is certain is looked at.
FEW_DRAWS = 1000
#: For each of hundreds of people, over the number of algorithms: their luck levels out that of the draws.
DRAWS_OF_MANY = 16_000


def one_review_each(n: int) -> Clusters:
    """Every review is its own card and its own day."""
    return Clusters.of(np.arange(n), np.arange(n))


@pytest.mark.parametrize(("t", "p"), [(2.0227, 0.05), (2.7079, 0.01), (0.6808, 0.5)])
def test_two_algorithms_by_hand(t: float, p: float) -> None:
    """40 reviews, differences 1 up and 1 down around t / sqrt(39): the p-value of the table for 39 degrees."""
    difference = np.where(np.arange(40) % 2, 1, -1) + t / sqrt(39)  # standard error sqrt(40 / 39 * 40 * 1) / 40
    found = p_values(np.stack([difference, np.zeros(40)]), one_review_each(40))
    assert found is not None
    assert found[0] == pytest.approx(p, abs=2.6 * sqrt(p * (1 - p) / DRAWS))
    assert found[1] == 1


def test_standard_errors_by_hand() -> None:
    """Four reviews, differences 3, 1, -1 and -3; two cards with two each (sums 4 and -4), and four days.

    Cards: 2 / 1 * (16 + 16); days: 4 / 3 * (9 + 1 + 1 + 9), as for cards and days at once; the sum less the last is the
    first. All over 4 squared.
    """
    losses = np.array([[3.0, 1, -1, -3], [0, 0, 0, 0]]) + np.array([5, 6, 7, 8])
    errors = _standard_errors(losses, losses.mean(axis=1), Clusters.of(np.array([1, 1, 2, 2]), np.arange(4)))
    expected = sqrt(2 / 1 * (16 + 16) / 4**2)
    assert errors == pytest.approx(np.array([[0, expected], [expected, 0]]))


def test_a_p_value_is_never_below_that_of_a_larger_set() -> None:
    """Three could be equally good (t = 2.25 is usual among three), so all stay, although two alone (2.15) could not.

    The published 5 % point of the range for 39 degrees, over sqrt(2), is 3.445 / sqrt(2) = 2.44 of three and 2.023 of
    two. Differences 1 up and 1 down, in turn or by pairs, around t / sqrt(39).
    """
    n = np.arange(40)
    worst = np.where(n % 2, 1, -1) + 2.25 / sqrt(39)
    middle = np.where(n // 2 % 2, 1, -1) + 2.15 / sqrt(39)
    losses = np.stack([worst, middle, np.zeros(40)])
    p = p_values(losses, one_review_each(40))
    assert p is not None
    assert p[0] == p[1] == pytest.approx(0.075, abs=0.01)
    assert best_set(losses, one_review_each(40)) == (2, 1, 0)


@pytest.mark.parametrize(("algorithms", "range95"), [(2, 2.772), (3, 3.314), (5, 3.858), (10, 4.474), (20, 5.012)])
def test_null_is_the_studentised_range(algorithms: int, range95: float) -> None:
    """Its published upper 5 % points for infinite degrees, over sqrt(2) as it is of t and not of means."""
    null = _null_maxima(algorithms, 10**6, draws=20_000, seed=1)
    assert np.quantile(null[-1], 0.95) == pytest.approx(range95 / sqrt(2), abs=0.03)


@pytest.mark.parametrize(("size", "degrees"), [(1, 50), (4, 50), (6, 3)])
def test_wishart_matrices(size: int, degrees: int) -> None:
    """Mean degrees * I; the variance of a diagonal element is 2 * degrees, of another one degrees."""
    products = _wishart(size, degrees, 20_000, np.random.default_rng(5))
    assert products.mean(axis=0) == pytest.approx(degrees * np.eye(size), abs=0.05 * degrees)
    assert products.var(axis=0) == pytest.approx(degrees * (1 + np.eye(size)), rel=0.08)
    assert np.linalg.matrix_rank(products[0]) == min(size, degrees)


def test_three_algorithms_leave_in_turn() -> None:
    """The clearly worst first, the middle one next; the p-values never fall on the way."""
    random = np.random.default_rng(3)
    noise = random.normal(0, 1, (3, 400))
    noise -= noise.mean(axis=1, keepdims=True)
    losses = noise + np.array([[0.5], [0.0], [0.2]])
    p = p_values(losses, one_review_each(400), draws=FEW_DRAWS)
    assert p[0] <= p[2] < 0.05
    assert best_set(losses, one_review_each(400), draws=FEW_DRAWS) == (1,)


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
    before = p_values(loss, clusters, draws=200)
    order: List[int] = list(range(len(loss)))
    reviews: List[int] = list(range(loss.shape[1]))
    shuffle.shuffle(order)
    shuffle.shuffle(reviews)
    moved = Clusters.of(clusters.card[reviews], clusters.day[reviews])
    after = p_values(loss[order][:, reviews], moved, draws=200)
    assert after is not None
    assert after == pytest.approx([before[i] for i in order], abs=0.011)


@given(losses())
def test_what_always_holds(case: Tuple[Floats, Clusters]) -> None:
    """The lowest is a member, members are sorted, copies share a fate, and units and what is common do not matter."""
    loss, clusters = case
    members, p = best_set(loss, clusters, draws=200), p_values(loss, clusters, draws=200)
    means = loss.mean(axis=1)
    assert members[0] == int(means.argmin())
    assert p.max() == 1
    assert [means[i] for i in members] == sorted(means[i] for i in members)
    assert set(members) == {i for i, each in enumerate(p) if each >= 1 - CONFIDENCE}
    if (loss[0] == loss[-1]).all():
        assert p[0] == p[-1]
    assert p_values(loss * 7, clusters, draws=200) == pytest.approx(p, abs=0.011)
    assert p_values(loss + np.sin(np.arange(200)), clusters, draws=200) == pytest.approx(p, abs=0.011)


def test_copies_are_all_members() -> None:
    """No difference, no spread, p = 1; the first comes first."""
    losses = np.tile(np.linspace(0, 1, 50), (3, 1))
    p = p_values(losses, one_review_each(50), draws=FEW_DRAWS)
    assert p is not None
    assert p.tolist() == [1, 1, 1]
    assert best_set(losses, one_review_each(50), draws=FEW_DRAWS) == (0, 1, 2)


@pytest.mark.parametrize("constant", [0.0, 2e-7])
def test_what_is_rounded_is_the_same_algorithm(constant: float) -> None:
    """Predictions with nine digits: t is large, as all the spread is rounding, and yet nothing is told apart."""
    random = np.random.default_rng(8)
    predicted = random.uniform(0.6, 0.99, 400)
    loss = -np.log(predicted)
    rounded = -np.log(predicted.round(9)) + constant
    far = loss + random.normal(0.3, 0.1, 400)
    losses = np.stack([rounded, loss, far])
    members = best_set(losses, one_review_each(400), draws=FEW_DRAWS)
    p = p_values(losses, one_review_each(400), draws=FEW_DRAWS)
    assert set(members) == {0, 1}
    assert p.tolist() == [1, 1, 0]


def test_a_tiny_difference_with_a_large_error_is_no_copy() -> None:
    """Two that agree on the mean only do not share a p-value: one may be told from the best, and the other not."""
    n = np.arange(400)
    noisy, steady = np.where(n % 2, 3.0, -3.0), np.zeros(400)
    found = best_set(np.stack([noisy, steady, steady - 0.01]), one_review_each(400), draws=FEW_DRAWS)
    assert found == (2, 0)


def test_a_constant_difference_is_certain() -> None:
    """It has no spread, however small it is, as long as it is more than rounding."""
    one = np.zeros(64)
    losses = np.stack([one + 2.0**-19, one])
    p = p_values(losses, one_review_each(64), draws=FEW_DRAWS)
    assert p.tolist() == [0, 1]
    assert best_set(losses, one_review_each(64), draws=FEW_DRAWS) == (1,)


@pytest.mark.parametrize(("cards", "days"), [(MIN_GROUPS - 1, 100), (100, MIN_GROUPS - 1)])
def test_too_few_cards_or_days_give_no_set(cards: int, days: int) -> None:
    n = np.arange(100)
    assert best_set(np.stack([n / 100, n / 200]), Clusters.of(n % cards, n % days)) is None


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


def random_losses(random: np.random.Generator, worse: Floats, families: int) -> Tuple[Floats, Clusters]:
    """Of K algorithms on 2,000 reviews of 200 cards on 60 days, each ``worse`` than the best by so much.

    All share most of their loss. Each has effects of card and day and noise, of very different sizes; those of one
    family share most of these too.
    """
    cards, days, n, size = 200, 60, 2000, len(worse)
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
        found = best_set(loss, clusters, draws=DRAWS_OF_MANY // algorithms)
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
        found = best_set(loss, clusters, draws=DRAWS_OF_MANY // algorithms)
        best_in += 0 in found
        worst_in += algorithms - 1 in found
    assert best_in / people >= 0.95
    assert worst_in / people <= 0.05
