"""smECE: by hand, as its authors' package computes it, and an interval that holds the truth."""

from __future__ import annotations

from math import erf, sqrt

import numpy as np
import pytest
from reference_sets import reference_predictions

from evaluator.interval import RARE, TOO_FEW
from evaluator.metrics import smooth_calibration
from evaluator.metrics.isotonic import isotonic_fit
from evaluator.metrics.ordered import Ordered
from evaluator.metrics.smooth_calibration import smece, smooth_calibration_error
from evaluator.statistics.paired import Clusters
from tools.bench.intervals.people import People, clusters_of
from tools.simulate.reviews import recall_given, sigmoid

#: By relplot 1.0.3, of the reference's own predictions.
PUBLISHED = {
    ("sim-a", "p_AVG"): 0.0067806848,
    ("sim-a", "p_SM2"): 0.1247223314,
    ("sim-a", "p_FSRS-6-default"): 0.0169925252,
    ("sim-c", "p_AVG"): 0.0151676318,
    ("sim-c", "p_SM2"): 0.0571385167,
    ("sim-c", "p_FSRS-6-default"): 0.0200358424,
}


@pytest.mark.parametrize(("log", "column"), PUBLISHED)
def test_it_is_that_of_its_authors(log: str, column: str) -> None:
    known = reference_predictions(log)
    value = smooth_calibration_error(known[column], known[column] - known["y"])
    assert value == pytest.approx(PUBLISHED[log, column], abs=1e-9)


@pytest.mark.parametrize("count", [1, 1000])
def test_a_constant_is_off_by_what_it_is_off(count: int) -> None:
    """Whatever the width, all differences are smoothed alike: 0.75 against 1 in 2."""
    predicted = np.full(2 * count, 0.75)
    difference = predicted - np.tile([0, 1], count)
    assert smooth_calibration_error(predicted, difference) == pytest.approx(0.25, abs=0.0002)


def test_errors_in_opposite_directions_cancel_where_they_are_near() -> None:
    """+a at 0.5 - h and -a at 0.5 + h: a * erf(h / (width sqrt 2)) at that width, which is the error itself.

    h is a quarter of the width, so a = width / erf(sqrt(1/32)); the reflections at 0 and 1 are far away.
    """
    width, count = 0.04, 500
    off = width / erf(0.25 / sqrt(2))
    predicted = np.repeat([0.5 - 0.25 * width, 0.5 + 0.25 * width], count)
    difference = np.repeat([off, -off], count)
    assert smooth_calibration_error(predicted, difference) == pytest.approx(width, abs=0.0002)


def test_the_order_of_the_reviews_does_not_matter_nor_does_the_direction() -> None:
    random = np.random.default_rng(5)
    predicted = random.beta(8, 1, 700)
    difference = predicted - (random.random(700) < predicted**2)
    order = random.permutation(700)
    value = smooth_calibration_error(predicted, difference)
    assert smooth_calibration_error(predicted[order], difference[order]) == pytest.approx(value, abs=1e-12)
    assert smooth_calibration_error(predicted, -difference) == pytest.approx(value, abs=1e-12)


def test_certain_predictions() -> None:
    """Of 0 and 1 that are right it is 0; that are wrong throughout 1."""
    predicted = np.tile([0.0, 1.0], 200)
    assert smooth_calibration_error(predicted, np.zeros(400)) == 0
    assert smooth_calibration_error(np.ones(400), np.ones(400)) == pytest.approx(1, abs=0.001)


@pytest.mark.parametrize(
    ("cards", "forgotten", "reason"), [(10, 60, TOO_FEW), (60, 60, None), (60, 3, RARE)], ids=["cards", "", "lapses"]
)
def test_there_is_an_interval_where_a_difference_has_one(cards: int, forgotten: int, reason: str) -> None:
    """And it holds the value, within 0 and 1."""
    number = np.arange(600)
    recalled = (number % (600 // forgotten) != 0).astype(np.int64)
    predicted = 0.8 + 0.0003 * number
    clusters = Clusters.of(number % cards, number // 20, recalled)
    ordered = Ordered.of(predicted)
    found = smece(predicted, recalled, ordered, isotonic_fit(ordered.ties(recalled)), clusters)
    assert found.known == smooth_calibration_error(predicted, predicted - recalled)
    assert found.reason == reason
    if reason is None:
        assert found.ends is not None
        assert 0 <= found.ends[0] < found.known < found.ends[1] <= 1


def test_few_cards_widen_the_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    """By what Student's t is further out than the normal distribution, at the number of cards."""
    number = np.arange(600)
    card, day = number % 25, number // 20
    recalled = (card % 5 > 0).astype(np.int64)  # some cards are always forgotten
    predicted = 0.6 + 0.0005 * (7 * number % 600)
    clusters, ordered = Clusters.of(card, day, recalled), Ordered.of(predicted)

    def width() -> float:
        found = smece(predicted, recalled, ordered, isotonic_fit(ordered.ties(recalled)), clusters)
        assert found.ends is not None
        return found.ends[1] - found.known

    today = width()
    monkeypatch.setattr(smooth_calibration, "further_than_normal", lambda *_: 1.0)
    assert width() < today


@pytest.mark.parametrize(
    ("people", "too_high"),
    [(People(100, 8, 300), None), (People(300, 60, 2500), None), (People(20, 20, 400), 0.2)],
    ids=str,
)
def test_the_interval_holds_the_truth(people: People, too_high: float | None) -> None:
    """Of 95 %: in 90 % of 100 people at least, and of those who are right (None) it begins at 0."""
    random, held = np.random.default_rng(2023), []
    for _ in range(100):
        reviews = people.draw(random)
        recall = recall_given(reviews.known, day_sd=people.day_sd)
        predicted = recall if too_high is None else sigmoid(reviews.known + too_high)
        ordered = Ordered.of(predicted)
        fit = isotonic_fit(ordered.ties(reviews.recalled))
        found = smece(predicted, reviews.recalled, ordered, fit, clusters_of(reviews))
        if found.ends is not None:
            held.append(found.side(smooth_calibration_error(predicted, predicted - recall)) == 0)
    assert np.mean(held) >= 0.9
