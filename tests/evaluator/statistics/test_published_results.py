from __future__ import annotations

import math

import numpy as np
import pytest

from evaluator.interval import ConfidenceInterval
from evaluator.statistics import published_results
from evaluator.statistics.published_results import percentile_rank, probability_better

#: Results of two classes of collections, with four values each at their middles, 100 and 1,000 reviews.
SMALL = {
    "at_least": [0, 316],
    "collections": [4, 8],
    "middles": np.log([100, 1000]),
    "differences": {
        ("FSRS-5 recency", "SM-2"): {
            "better": [3, 7],
            "points": np.array([[-0.3, -0.2, -0.1, 0.1], [-0.1, -0.1, -0.1, 0.1]]),
        }
    },
    "metrics": {"auc": np.array([[0.4, 0.5, 0.6, 0.7], [0.5, 0.6, 0.7, 0.8]])},
}
NO_OWN_EVIDENCE = ConfidenceInterval(0.2, reason="too_few")


@pytest.fixture
def small(monkeypatch):
    """Replace the shipped file by a small one."""
    monkeypatch.setattr(published_results, "_published_results", lambda: SMALL)


@pytest.mark.usefixtures("small")
def test_probability_without_own_evidence_is_that_of_the_peers():
    """Three of the four values are below 0."""
    result = probability_better("FSRS-6", "SM-2", NO_OWN_EVIDENCE, 100)
    assert (result.better, result.better_for) == (3 / 4, 3)
    assert (result.others.at_least, result.others.below, result.others.collections) == (0, 316, 4)
    assert (result.algorithm, result.baseline) == ("FSRS-5 recency", "SM-2")


@pytest.mark.usefixtures("small")
def test_evidence_weighs_each_value_by_its_distance():
    """They are one, one, two and three standard errors away. The last three are below 0."""
    one, two, three = (math.exp(-(distance**2) / 2) for distance in (1, 2, 3))
    result = probability_better("FSRS-6", "SM-2", ConfidenceInterval(0.0, -0.2, 0.2, 0.1), 100)
    assert result.better == pytest.approx((one + two + three) / (2 * one + two + three))


@pytest.mark.usefixtures("small")
def test_reversed_pair_gets_the_other_sign():
    result = probability_better("SM-2", "FSRS-7", NO_OWN_EVIDENCE, 100)
    assert (result.better, result.better_for, result.baseline) == (1 / 4, 1, "FSRS-5 recency")


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("d", "expected"), [(-9.0, 5 / 6), (9.0, 1 / 6)])
def test_sign_of_evidence_decides_far_from_all_peers(d, expected):
    """All weights are 0. Four collections allow probabilities from 1/6 to 5/6."""
    result = probability_better("FSRS-6", "SM-2", ConfidenceInterval(d, d, d, 0.01), 100)
    assert result.better == pytest.approx(expected)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("reviews", "expected"), [(round(10**2.5), 0.375), (1000, 0.25), (300_000, 0.25)])
def test_values_between_classes_are_interpolated_by_the_logarithm(reviews, expected):
    """The value at 10^2.5 reviews, half way from 100 to 1,000, is the mean of both classes. The last has no end."""
    assert percentile_rank("auc", 0.55, reviews) == pytest.approx(expected, abs=1e-3)
    assert percentile_rank("auc", 0.99, reviews) == 0.99


def test_shipped_file_covers_each_pair():
    for pair in (
        ("FSRS-6", "Anki-SM-2"),
        ("FSRS-rs", "SM-2"),
        ("FSRS-6 default", "SM-2"),
        ("FSRS-7", "Your parameters"),
        ("FSRS-6", "FSRS-6 default"),
        ("FSRS-7", "AVG"),
        ("SM-2", "AVG"),
    ):
        assert probability_better(*pair, NO_OWN_EVIDENCE, 300) is not None
    for pair in (("FSRS-7", "FSRS-6"), ("LSTM", "SM-2"), ("SM-2 trainable", "AVG"), ("A file", "FSRS-6")):
        assert probability_better(*pair, NO_OWN_EVIDENCE, 300) is None
