"""The isotonic fit: by hand, against a slow statement of it, and what it promises."""

from __future__ import annotations

from typing import List, Tuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from people_predicted_right import fitted

from evaluator.metrics import isotonic
from evaluator.metrics.isotonic import isotonic_fit
from evaluator.metrics.ordered import Ordered
from evaluator.metrics.scores import Floats, Outcomes, Ties

Reviews = List[Tuple[float, int]]

REVIEWS = st.lists(st.tuples(st.integers(0, 12).map(lambda k: k / 12), st.integers(0, 1)), min_size=1, max_size=60)


def columns(reviews: Reviews) -> Tuple[Floats, Outcomes]:
    predicted, recalled = zip(*reviews, strict=True)
    return np.array(predicted, dtype=float), np.array(recalled, dtype=np.int64)


def slow(weight: npt.NDArray[np.float64], mean: npt.NDArray[np.float64]) -> List[float]:
    """The max-min statement: the highest, over beginnings before i, of the lowest mean up to any end after i."""
    total, count = (np.concatenate(([0.0], np.cumsum(a))) for a in (weight * mean, weight))
    n = len(mean)
    return [
        max(min((total[k] - total[j]) / (count[k] - count[j]) for k in range(i + 1, n + 1)) for j in range(i + 1))
        for i in range(n)
    ]


def test_by_hand() -> None:
    """0.2: 1; 0.4: 0 and 1; 0.6: 1; 0.8: 0, 1, 1; the first two and the last two are pooled."""
    reviews = [(0.8, 0), (0.2, 1), (0.4, 0), (0.4, 1), (0.6, 1), (0.8, 1), (0.8, 1)]
    predicted, recalled = columns(reviews)
    found = isotonic_fit(Ordered.of(predicted).ties(recalled))
    assert (found.value.tolist(), found.reviews.tolist(), found.recalled.tolist()) == ([0.2, 0.6], [3, 4], [2, 3])
    assert fitted(*columns(reviews)) == pytest.approx([3 / 4, 2 / 3, 2 / 3, 2 / 3, 3 / 4, 3 / 4, 3 / 4])


@given(REVIEWS)
def test_is_the_slow_statement(reviews: Reviews) -> None:
    values = sorted({p for p, _ in reviews})
    groups = [[y for p, y in reviews if p == value] for value in values]
    expected = slow(np.array([len(g) for g in groups], dtype=float), np.array([sum(g) / len(g) for g in groups]))
    assert fitted(*columns(reviews)) == pytest.approx([expected[values.index(p)] for p, _ in reviews])


@given(REVIEWS)
def test_is_monotone_and_keeps_the_mean(reviews: Reviews) -> None:
    predicted, recalled = columns(reviews)
    fit = isotonic_fit(Ordered.of(predicted).ties(recalled))
    assert (np.diff(fit.recalled / fit.reviews) > 0).all()
    assert (np.diff(fit.value) > 0).all()
    assert fitted(predicted, recalled).mean() == pytest.approx(recalled.mean())


@given(REVIEWS, st.lists(st.floats(0, 1), min_size=13, max_size=13).map(sorted))
def test_no_other_increasing_function_is_closer(reviews: Reviews, other: List[float]) -> None:
    predicted, recalled = columns(reviews)
    ours, theirs = fitted(predicted, recalled), np.array(other)[np.round(predicted * 12).astype(int)]
    assert ((ours - recalled) ** 2).sum() <= ((theirs - recalled) ** 2).sum() + 1e-9
    given = [np.clip(np.where(recalled == 1, f, 1 - f), 1e-300, 1) for f in (ours, theirs)]
    assert -np.log(given[0]).sum() <= -np.log(given[1]).sum() + 1e-9


@given(REVIEWS)
def test_order_and_rounding_noise_do_not_matter(reviews: Reviews) -> None:
    """Ties are ties to 10 digits."""
    noise = 1e-14 * np.random.default_rng(1).random(len(reviews))
    noisy = [(p + e, y) for (p, y), e in zip(reviews, noise, strict=True)]
    assert fitted(*columns(noisy[::-1]))[::-1].tolist() == fitted(*columns(reviews)).tolist()


@pytest.mark.parametrize("worth", [0.0, 0.05, 10.0])
@given(REVIEWS)
def test_by_passes_or_one_by_one_it_is_the_same(worth: float, reviews: Reviews) -> None:
    predicted, recalled = columns(reviews)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(isotonic, "WORTH_A_PASS", worth)
        found = fitted(predicted, recalled)
    assert found.tolist() == fitted(predicted, recalled).tolist()


def test_one_outcome_is_one_step() -> None:
    """Whatever is predicted, 0 and 1 too."""
    predicted, recalled = columns([(0.0, 1), (0.5, 1), (1.0, 1)])
    found = isotonic_fit(Ordered.of(predicted).ties(recalled))
    assert (found.reviews.tolist(), found.recalled.tolist()) == ([3], [3])


def test_no_reviews_have_no_fit() -> None:
    with pytest.raises(ValueError, match="no reviews"):
        isotonic_fit(Ties(*np.zeros((3, 0), dtype=np.int64)))


def test_a_perfect_model_fits_the_diagonal() -> None:
    """To the noise of 20,000 reviews."""
    random = np.random.default_rng(11)
    predicted = random.uniform(0.5, 1, 20_000)
    found = fitted(predicted, (random.random(20_000) < predicted).astype(np.int64))
    assert np.abs(found - predicted).mean() < 0.02
