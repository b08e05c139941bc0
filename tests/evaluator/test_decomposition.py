"""Score = miscalibration - discrimination + uncertainty; what a perfect model's miscalibration is; and skill."""

from __future__ import annotations

from math import log
from typing import List, Tuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from people_predicted_right import fitted

from evaluator.metrics.decomposition import Decompositions, decompose, perfect_miscalibration
from evaluator.metrics.isotonic import cumulative, isotonic_fit
from evaluator.metrics.resampling import Fits, Ordered, draw_outcomes, fits
from evaluator.metrics.scores import CLIP, Floats, Outcomes, brier_per_review, log_loss_per_review
from evaluator.metrics.skill import running_average, running_average_by_class, skill

REVIEWS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 1)), min_size=1, max_size=50)
OUTCOMES = st.lists(st.integers(0, 1), max_size=40)


def columns(reviews: List[Tuple[float, int]]) -> Tuple[Floats, Outcomes]:
    predicted, recalled = zip(*reviews, strict=True)
    return np.array(predicted, dtype=float), np.array(recalled, dtype=np.int64)


def taken_apart(predicted: Floats, recalled: Outcomes) -> Decompositions:
    fit = isotonic_fit(Ordered.of(predicted).ties(recalled))
    return decompose(predicted, recalled, fit, log_loss_per_review(predicted, recalled))


def perfect(n: int, seed: int) -> Tuple[Floats, Outcomes]:
    """A perfect model's predictions of n reviews."""
    random = np.random.default_rng(seed)
    predicted = 1 / (1 + np.exp(-random.normal(2.2, 0.8, n)))
    return predicted, (random.random(n) < predicted).astype(np.int64)


def test_brier_by_hand() -> None:
    """0.6: 1, 0; 0.8: 1, 1. PAV: 1/2, 1; base rate 3/4."""
    found = taken_apart(*columns([(0.6, 1), (0.6, 0), (0.8, 1), (0.8, 1)])).brier
    score, of_fit, uncertainty = (0.16 + 0.36 + 0.04 + 0.04) / 4, (0.25 + 0.25) / 4, 0.75 * 0.25
    assert found.score == pytest.approx(score)
    assert found.miscalibration == pytest.approx(score - of_fit)
    assert found.discrimination == pytest.approx(uncertainty - of_fit)
    assert found.uncertainty == pytest.approx(uncertainty)


def test_log_loss_by_hand() -> None:
    """The same reviews; the step in which all was recalled costs nothing."""
    found = taken_apart(*columns([(0.6, 1), (0.6, 0), (0.8, 1), (0.8, 1)])).log_loss
    score = -(log(0.6) + log(0.4) + 2 * log(0.8)) / 4
    of_fit, uncertainty = 2 * log(2) / 4, -(0.75 * log(0.75) + 0.25 * log(0.25))
    assert found.miscalibration == pytest.approx(score - of_fit)
    assert found.discrimination == pytest.approx(uncertainty - of_fit)
    assert found.uncertainty == pytest.approx(uncertainty)


@given(REVIEWS)
def test_parts_add_up_and_none_is_negative(reviews: List[Tuple[float, int]]) -> None:
    """S = MCB - DSC + UNC, and the scores are those of the scores' own functions, fit and all."""
    predicted, recalled = columns(reviews)
    found = taken_apart(predicted, recalled)
    for d, loss in ((found.log_loss, log_loss_per_review), (found.brier, brier_per_review)):
        assert d.score == pytest.approx(d.miscalibration - d.discrimination + d.uncertainty)
        assert d.score == loss(predicted, recalled).mean()
        of_fit = loss(fitted(predicted, recalled), recalled).mean()
        assert d.score - d.miscalibration == pytest.approx(of_fit, abs=1e-12)
        base = np.full(len(recalled), recalled.mean())
        assert d.uncertainty == pytest.approx(loss(base, recalled).mean(), abs=1e-12)
        assert min(d.miscalibration, d.discrimination, d.uncertainty) >= -1e-9


def test_certain_and_wrong() -> None:
    """Clipped: half of the reviews cost -ln CLIP, and so much is miscalibration."""
    found = taken_apart(*columns([(1, 0), (1, 1)])).log_loss
    assert found.score == pytest.approx(-log(CLIP) / 2)
    assert found.miscalibration == pytest.approx(-log(CLIP) / 2 - log(2))
    assert found.discrimination == 0


def test_one_outcome_is_all_miscalibration() -> None:
    for d in vars(taken_apart(*columns([(0.7, 1), (0.9, 1)]))).values():
        assert (d.miscalibration, d.discrimination, d.uncertainty) == (d.score, 0, 0)


def test_no_reviews_have_no_score() -> None:
    with pytest.raises(ValueError, match="no reviews"):
        perfect_miscalibration(np.array([]), 9)


@pytest.mark.parametrize(
    ("n", "mean", "quantile"), [(300, 0.025, 0.036), (1000, 0.012, 0.016), (10_000, 0.0025, 0.003)]
)
def test_a_perfect_models_miscalibration(n: int, mean: float, quantile: float) -> None:
    """In nats, as found independently of this code, for another spread of predictions."""
    assert perfect_miscalibration(perfect(n, 2)[0], 200) == pytest.approx((mean, quantile), rel=0.15)


def test_resamples_are_decomposed_like_any_outcomes() -> None:
    """The quick sums over groups of ties are the miscalibration of each resample, from its reviews; ties and all."""
    for digits in (1, 2, 16):
        predicted = np.round(perfect(80, 3)[0], digits)
        ordered = Ordered.of(predicted)
        drawn = np.diff(next(draw_outcomes(ordered, resamples=5, seed=9))).astype(int)
        member = np.arange(80) - np.repeat(ordered.start, ordered.reviews)  # its number among ties
        outcomes = [member < np.repeat(row, ordered.reviews) for row in drawn]
        parts = [taken_apart(np.repeat(ordered.value, ordered.reviews), y.astype(np.int64)) for y in outcomes]
        each = [part.log_loss.miscalibration for part in parts]
        found = perfect_miscalibration(predicted, 5, seed=9)
        assert found == pytest.approx((np.mean(each), np.quantile(each, 0.95)))
        assert found == perfect_miscalibration(predicted, 5, seed=9) != perfect_miscalibration(predicted, 5, seed=8)


def test_perfect_models_are_rarely_called_miscalibrated() -> None:
    """Of 200 perfect models 1 to 10 % are above the 95 % quantile of chance; of biased ones nearly all."""
    found = []
    for shift in (0.0, 0.1):
        above = []
        for k in range(200):
            predicted, recalled = perfect(400, 100 + k)
            said = np.clip(predicted - shift, 0.01, 1)
            observed = taken_apart(said, recalled).log_loss.miscalibration
            above.append(observed > perfect_miscalibration(said, 39)[1])
        found.append(np.mean(above))
    assert 0.01 <= found[0] <= 0.1
    assert found[1] > 0.9


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 4)), min_size=1, max_size=30), st.integers(1, 4))
def test_fits_of_resamples(groups: List[Tuple[int, int]], copies: int) -> None:
    reviews, total = np.array(groups).T
    total = cumulative(np.stack([np.roll(total, k) for k in range(copies)]).astype(float))
    found: Fits = fits(total, reviews)
    everywhere = found.at(np.arange(len(reviews)), copies, len(reviews))
    assert (np.diff(everywhere, axis=1) >= 0).all()
    for k in range(copies):
        alone = fits(total[k : k + 1], reviews)
        assert alone.at(np.arange(len(reviews)), 1, len(reviews))[0].tolist() == everywhere[k].tolist()
        assert (everywhere[k] * reviews).sum() == pytest.approx(total[k, -1])


def test_skill_by_hand() -> None:
    """1 - 0.3 / 0.4; nothing improves on 0."""
    assert skill(0.3, 0.4) == pytest.approx(1 - 0.3 / 0.4)
    assert skill(0.3, 0) is None
    assert skill(0, 0.4) == 1


def test_running_average_by_hand() -> None:
    """Two of three recalled in training, then 0, 1, 1."""
    found = running_average(np.array([0, 1, 1]), np.array([1, 1, 0]))
    assert found == pytest.approx([2.5 / 4, 2.5 / 5, 3.5 / 6])
    assert running_average(np.array([1]), np.array([], dtype=np.int64)).tolist() == [0.5]


def test_running_average_by_class_by_hand() -> None:
    """Class 5: one of one in training; class 9 is new, and begins with the running average, (1.5 + 1) / 3."""
    found = running_average_by_class(np.array([1, 0, 1]), np.array([5, 9, 9]), np.array([1]), np.array([5]))
    all_so_far = [1.5 / 2, 2.5 / 3, 2.5 / 4]
    assert found == pytest.approx([(1 + all_so_far[0]) / 2, all_so_far[1], (0 + all_so_far[2]) / 2])


@given(OUTCOMES, OUTCOMES, st.integers(0, 2**32))
def test_references_know_only_the_past(before: List[int], recalled: List[int], seed: int) -> None:
    """Changing an outcome changes no prediction up to it; none is ever certain; one class is (nearly) the average."""
    random = np.random.default_rng(seed)
    y, past = np.array(recalled, dtype=np.int64), np.array(before, dtype=np.int64)
    label, past_label = random.integers(0, 3, len(y)), random.integers(0, 3, len(past))
    for k in range(len(y)):
        other = y.copy()
        other[k] = 1 - y[k]
        for a, b in (
            (running_average(y, past), running_average(other, past)),
            (
                running_average_by_class(y, label, past, past_label),
                running_average_by_class(other, label, past, past_label),
            ),
        ):
            assert a[: k + 1].tolist() == b[: k + 1].tolist()
            assert ((a > 0) & (a < 1)).all()
            assert k + 1 == len(y) or a[k + 1] != b[k + 1]


@given(OUTCOMES, OUTCOMES)
def test_averages_slowly(before: List[int], recalled: List[int]) -> None:
    y, past = np.array(recalled, dtype=np.int64), np.array(before, dtype=np.int64)
    label, past_label = np.arange(len(y)) % 3, np.arange(len(past)) % 2
    expected = []
    for i in range(len(y)):
        so_far = [*before, *recalled[:i]]
        labels = [*past_label, *label[:i]]
        average = (sum(so_far) + 0.5) / (len(so_far) + 1)
        mine = [o for o, c in zip(so_far, labels, strict=True) if c == label[i]]
        expected.append((sum(mine) + average) / (len(mine) + 1))
    assert running_average_by_class(y, label, past, past_label) == pytest.approx(expected)
