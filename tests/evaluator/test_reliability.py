"""The reliability curve and its bands: by hand, and how often they hold the curve of a model that is right."""

from __future__ import annotations

from typing import List, Tuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.interval import MIN_DAYS
from evaluator.metrics import reliability as module
from evaluator.metrics.isotonic import isotonic_fit
from evaluator.metrics.reliability import Band, Reliability, reliability
from evaluator.metrics.resampling import Ordered
from evaluator.metrics.scores import Floats, Outcomes
from evaluator.statistics.paired import Clusters


def people(random: np.random.Generator, card_sd: float, day_sd: float) -> Tuple[Floats, Outcomes, Clusters]:
    """1,200 reviews of 120 cards on 60 days, predicted rightly on average over effects of card and day (in logits)."""
    n = 1200
    card, day = random.integers(120, size=n), random.integers(60, size=n)
    effects, weights = np.polynomial.hermite_e.hermegauss(20)
    x = random.normal(2.2, 0.9, n)
    spread = np.hypot(card_sd, day_sd)
    predicted = (1 / (1 + np.exp(-x[:, None] - spread * effects))) @ (weights / weights.sum())
    true = 1 / (1 + np.exp(-x - random.normal(0, card_sd, 120)[card] - random.normal(0, day_sd, 60)[day]))
    return predicted, (random.random(n) < true).astype(np.int64), Clusters.of(card, day)


def share_within(found: Reliability, band: Band, curve: Floats) -> float:
    """At how many of the places the curve is in the band."""
    return float(((curve >= band.low - 1e-12) & (curve <= band.high + 1e-12)).mean())


def test_steps_by_hand() -> None:
    """0.2: 0; 0.4: 1; 0.6: 0, which are pooled; 0.9: 1."""
    found = reliability(np.array([0.9, 0.2, 0.6, 0.4]), np.array([1, 0, 0, 1])).steps
    assert found.left.tolist() == [0.2, 0.4, 0.9]
    assert found.right.tolist() == [0.2, 0.6, 0.9]
    assert found.observed.tolist() == [0, 0.5, 1]
    assert found.reviews.tolist() == [1, 2, 1]


def test_histogram_by_hand() -> None:
    """Steps of 0.02; 1 belongs to the last."""
    found = reliability(np.array([0, 0.03, 0.99, 1]), np.array([0, 1, 1, 1]))
    assert (found.histogram[[0, 1, 49]].tolist(), found.histogram.sum()) == ([1, 1, 2], 4)


def test_one_prediction_has_the_band_of_a_share() -> None:
    """400 reviews at 0.9: 0.9 +- 1.96 sqrt(0.09 / 400)."""
    found = reliability(np.full(400, 0.9), np.ones(400, dtype=np.int64), resamples=4000)
    assert found.predicted == pytest.approx([0.9])
    reach = 1.96 * 0.015
    assert [*found.perfect.low, *found.perfect.high] == pytest.approx([0.9 - reach, 0.9 + reach], abs=0.003)


def test_certain_predictions_have_bands_of_no_width() -> None:
    found = reliability(np.array([0.0, 1, 1]), np.array([1, 1, 1]))
    assert (found.perfect.low.tolist(), found.perfect.high.tolist()) == ([0, 1], [0, 1])


def test_both_ways_by_hand() -> None:
    """Distances 2, 4, 1.5 below and 2, 2, 1 above (hundredths), those by day twice as large for drift.

    sqrt(16 + 9 - 4), and sqrt(4 + 4 - 4) = 2.
    """
    diagonal = np.array([0.5])
    bands = [Band(diagonal - low / 100, diagonal + high / 100) for low, high in ((2, 2), (4, 2), (1.5, 1))]
    found = module._both_ways(diagonal, *bands, 2.0)
    assert found.low == pytest.approx([0.5 - (16 + 9 - 4) ** 0.5 / 100])
    assert found.high == pytest.approx([0.52])


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 1)), min_size=1, max_size=60))
def test_what_it_promises(reviews: List[Tuple[float, int]]) -> None:
    """Monotone curve and bands, all reviews counted, the bands around the places' own predictions."""
    predicted, recalled = (np.array(column) for column in zip(*reviews, strict=True))
    found = reliability(predicted.astype(float), recalled, resamples=20)
    assert (np.diff(found.steps.observed) > 0).all()
    assert found.steps.reviews.sum() == found.histogram.sum() == len(reviews)
    assert found.steps.observed @ found.steps.reviews == pytest.approx(recalled.sum())
    assert (np.diff(found.predicted) > 0).all()
    for edge in vars(found.perfect).values():
        assert (np.diff(edge) >= -1e-12).all()
        assert ((edge >= 0) & (edge <= 1)).all()
    assert (found.clustered, found.resamples) == (None, 20)


def test_never_too_much_to_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_STEPS", 10)
    random = np.random.default_rng(3)
    predicted = random.uniform(0, 1, 5000)
    recalled = (random.random(5000) < predicted).astype(np.int64)
    found, fit = reliability(predicted, recalled, resamples=5), isotonic_fit(Ordered.of(predicted).ties(recalled))
    assert len(found.steps.left) <= 10 < len(fit.value)
    assert len(found.predicted) <= 10
    assert found.steps.reviews.sum() == 5000
    assert (np.diff(found.steps.observed) > 0).all()
    assert (found.steps.right[:-1] < found.steps.left[1:]).all()


def test_a_curve_on_the_edge_of_its_band_is_not_outside() -> None:
    """Where all was certain, and right, the band has no width and the curve lies on it."""
    found = reliability(np.array([0.0, 1.0, 1.0]), np.array([0, 1, 1]), resamples=5)
    assert (found.outside, found.outside_by_chance) == (0, 0)


def test_as_many_steps_as_can_be_drawn_are_drawn() -> None:
    """200 predictions, of each of which one more of 200 reviews is recalled: 200 steps. Of 201 every second."""
    for steps, drawn in ((200, 200), (201, 101)):
        predicted = np.repeat(np.arange(steps) / 1000, 201)
        recalled = np.concatenate([np.arange(201) < k for k in range(steps)]).astype(np.int64)
        assert len(reliability(predicted, recalled, resamples=2).steps.observed) == drawn


@pytest.mark.parametrize("largest", [0, 1, 2])
def test_how_much_is_outside_by_chance_is_the_most_of_three_ways(largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    shares = [0.1, 0.1, 0.1]
    shares[largest] = 0.3
    left, band = iter(shares), module._band
    monkeypatch.setattr(module, "_band", lambda *drawn: (band(*drawn)[0], next(left)))
    found = reliability(*people(np.random.default_rng(1), 0, 0), resamples=5)
    assert found.clustered is not None
    assert found.outside_by_chance == 0.3


def test_seeds() -> None:
    s = people(np.random.default_rng(1), 0.5, 0.3)
    one, again, other = (reliability(*s, resamples=20, seed=seed) for seed in (4, 4, 5))
    assert one.perfect.low.tolist() == again.perfect.low.tolist() != other.perfect.low.tolist()
    assert one.clustered.low.tolist() == again.clustered.low.tolist()
    assert other.seed == 5


def test_too_few_cards_or_days_have_no_clustered_band() -> None:
    predicted, recalled, clusters = people(np.random.default_rng(1), 0.5, 0.3)
    few = Clusters.of(clusters.card, clusters.day % (MIN_DAYS - 1))
    assert reliability(predicted, recalled, few, resamples=5).clustered is None


def test_coarser_groups_and_shared_signs_keep_the_band(monkeypatch: pytest.MonkeyPatch) -> None:
    """A third of the groups and of the signs, and the bands change less than with another seed."""
    s = people(np.random.default_rng(2), 0.5, 0.3)
    exact, other_seed = reliability(*s, seed=1), reliability(*s, seed=2)
    monkeypatch.setattr(module, "MAX_GROUPS", 400)
    grouped = reliability(*s, seed=1)
    monkeypatch.setattr(module, "MAX_SIGNS", 40)
    shared = reliability(*s, seed=1)
    at = np.linspace(exact.predicted[3], exact.predicted[-4], 50)

    def distance(one: Reliability, two: Reliability) -> float:
        """Root mean square distance of the limits of both bands."""
        limits = [
            [
                np.interp(at, r.predicted, edge)
                for band in (r.perfect, r.clustered)
                if band
                for edge in vars(band).values()
            ]
            for r in (one, two)
        ]
        return float(np.sqrt(np.square(np.subtract(*limits)).mean()))

    assert len(grouped.predicted) < len(exact.predicted)
    assert distance(exact, grouped) < distance(exact, other_seed)
    assert distance(exact, shared) < distance(exact, other_seed)


def test_neighbours_put_together() -> None:
    """At most 4 groups: limits at a prediction of 1/2 and at half of the six reviews; ties are not parted."""
    fine = Ordered.of(np.array([0.4, 0.1, 0.1, 0.3, 0.9, 0.45]))
    assert fine.coarser(5) is fine
    coarse = fine.coarser(4)
    assert coarse.reviews.tolist() == [3, 2, 1]
    assert coarse.value == pytest.approx([0.5 / 3, 0.85 / 2, 0.9])
    assert coarse.group.tolist() == [1, 0, 0, 0, 2, 1]


def test_bands_hold_the_curves_of_models_that_are_right() -> None:
    """At 90 to 98 % of the places: perfect models the first band, those right on average the second.

    The first is too narrow for models that do not see cards and days.
    """
    random = np.random.default_rng(8)
    perfect, too_narrow, clustered = [], [], []
    said_wrong = 0
    for _ in range(60):
        predicted, recalled, _ = people(random, 0, 0)
        found = reliability(predicted, recalled, resamples=100)
        said_wrong += found.outside > found.outside_by_chance
        perfect.append(share_within(found, found.perfect, found.observed))
        s = people(random, 0.8, 0.5)
        found = reliability(*s, resamples=100)
        said_wrong += found.outside > found.outside_by_chance
        assert found.clustered is not None
        too_narrow.append(share_within(found, found.perfect, found.observed))
        clustered.append(share_within(found, found.clustered, found.observed))
    assert 0.90 <= np.mean(perfect) <= 0.98
    assert 0.90 <= np.mean(clustered) <= 0.98
    assert np.mean(too_narrow) < np.mean(clustered) - 0.02
    assert said_wrong <= 0.1 * 120


def test_a_biased_model_leaves_the_band() -> None:
    random = np.random.default_rng(9)
    predicted = random.uniform(0.7, 0.95, 3000)
    recalled = (random.random(3000) < predicted - 0.1).astype(np.int64)
    found = reliability(predicted, recalled)
    assert share_within(found, found.perfect, found.observed) < 0.2
    assert found.outside > 0.8
    assert found.outside_by_chance < 0.5


def test_nothing_to_draw() -> None:
    with pytest.raises(ValueError, match="no reviews"):
        reliability(np.array([]), np.array([], dtype=np.int64))
    with pytest.raises(ValueError, match="0 resamples; at least 1 is needed"):
        reliability(np.array([0.5]), np.array([1]), resamples=0)
