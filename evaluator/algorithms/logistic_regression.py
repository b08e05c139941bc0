"""Logistic regression (2026) on counts and times of the reviews of a card.

R = sigmoid(w0 f0 + ... + w32 f32 + w33). The first ten features are multiplied by the logarithm of the elapsed time t,
so they make a forgetting curve in ln t. All others shift it.

Reference: open-spaced-repetition/srs-benchmark, LogisticRegression, as of August 2026. The constant is the eleventh of
34 features there, and the last parameter here.
"""

from __future__ import annotations

from typing import List, NamedTuple, Tuple

import numpy as np

from ..data.histories import FRACTIONAL_DAYS, Numbers, Trie
from ..derivatives import Floats
from .algorithm import Array, Encoder, Parameter, Recency, Training, sigmoid

# fmt: off
#: The published coefficients, and their standard deviations among people.
MEANS = (
    -0.9012, -0.6941, -0.6258, -0.4678, 0.3926, 0.1316, 0.3508, -0.3259, -0.2125, -0.1402,
    0.0669, 0.3914, 0.5828, 0.9292, 1.1583, 1.4103, 0.9388, 0.9164, 0.9797, -0.6411, 0.4951, 0.1038, -0.1564, 0.4332,
    0.3287, 0.3429, 0.4068, -0.1779, -0.0585, -0.1062, -0.3521, -0.1613, -0.1758, 1.2775,
)
DEVIATIONS = (
    0.2869, 0.2811, 0.2910, 0.2166, 0.1740, 0.1612, 0.1428, 0.1352, 0.1284, 0.0331,
    0.2065, 0.2022, 0.1670, 0.2454, 0.2954, 0.2896, 0.3473, 0.5685, 0.2795, 0.1298, 0.0467, 0.1200, 0.1317, 0.0785,
    0.1190, 0.0854, 0.1634, 0.1892, 0.1052, 0.0750, 0.1913, 0.1372, 0.0783, 0.4013,
)
# fmt: on
#: Width of the prior, in standard deviations. The benchmark uses weight decay towards the means instead. Of the widths
#: from 0.3 to 5, this one has the lowest mean held-out log loss on simulated and real review logs.
WIDTH = 3.0

RECENCY = Recency(oldest=0.1, power=4)


class Past(NamedTuple):
    """Summaries of cards, each up to and including one target review, as arrays of one length.

    A review within a second of the one before is not a target review. Lapses and passes leave out the first review of
    the card, and answers include it.
    """

    elapsed: Numbers  #: days since the review before
    same_day: Numbers  #: 1 if it is on the day of the review before, or if there was no target review yet, otherwise 0
    failed_same_day: Numbers  #: number of lapses on the day of the review before
    failed_later: Numbers  #: number of lapses on a later day than the review before
    passed_same_day: Floats  #: number of passes on the day of the review before
    passed_later: Floats  #: number of passes on a later day than the review before
    seen_same_day: Numbers  #: number of answers on the day of the review before
    seen_later: Floats  #: number of answers on a later day than the review before
    passed: Numbers  #: 1 if any answer was a pass, otherwise 0
    time: Numbers  #: days from the first review to the last answer
    reset: Numbers  #: days from the first review to the last Again, or 0
    first_rating: Numbers  #: the first answer, or 0 if there was no target review yet

    def take(self, index: Numbers) -> Past:
        """Return the summaries at these indices."""
        return Past(*(column[index] for column in self))


def _advance(past: Past, rating: Numbers, elapsed: Numbers, same_day: Numbers) -> Past:
    """Return the summaries at the next reviews, after one more answer.

    Args:
        past: the summaries without the answer.
        rating: the answer.
        elapsed: days from the answer to the next review.
        same_day: whether the next review is on the day of the answer.
    """
    is_first = past.first_rating == 0
    again = rating == 1
    on_same_day = past.same_day * ~is_first
    on_later_day = 1 - past.same_day
    time = past.time + past.elapsed
    return Past(
        elapsed=elapsed,
        same_day=same_day,
        failed_same_day=past.failed_same_day + on_same_day * again,
        failed_later=past.failed_later + on_later_day * again,
        passed_same_day=past.passed_same_day + on_same_day * ~again,
        passed_later=past.passed_later + on_later_day * ~again,
        seen_same_day=past.seen_same_day + past.same_day,
        seen_later=past.seen_later + on_later_day,
        passed=np.maximum(past.passed, ~again),
        time=time,
        reset=np.maximum(past.reset, time * (is_first | again)),
        first_rating=np.where(is_first, rating, past.first_rating),
    )


def _past_by_node(trie: Trie) -> Past:
    """Return the summary at the last target review in the history of each node."""
    past = Past(*np.zeros((len(Past._fields), trie.n_nodes)))
    past.same_day[:] = 1
    for level in list(trie.levels())[1:]:
        parent = trie.parent[level]
        parent_past = past.take(parent)
        node_past = _advance(parent_past, trie.rating[parent], trie.elapsed[level], trie.same_day[level])
        for column, node_column, parent_column in zip(past, node_past, parent_past):
            column[level] = np.where(trie.elapsed[level] > 0, node_column, parent_column)
    return past


def _scaled_log(days: Numbers) -> Floats:
    """Return the logarithm of days, roughly standardized."""
    scaled: Floats = (np.log(days + 1e-5) + 1.3) / 5
    return scaled


class LogisticRegression(Encoder):
    """Logistic regression on 33 features, whose coefficients are the parameters."""

    family = "Half-life and activation"
    inputs = FRACTIONAL_DAYS
    parameters = tuple(
        Parameter(mean, mean - 30 * deviation, mean + 30 * deviation, WIDTH * deviation)
        for mean, deviation in zip(MEANS, DEVIATIONS)
    )

    def encode(self, trie: Trie) -> Floats:
        node_past = _past_by_node(trie).take(trie.query_node)
        rating = trie.rating[trie.query_node]
        past = _advance(node_past, rating, trie.query_elapsed, trie.query_same_day)
        is_first = node_past.first_rating == 0
        same_day = trie.query_same_day
        failed_same_day = np.log1p(past.failed_same_day)
        failed_later = np.log1p(past.failed_later)
        passed_same_day = np.log1p(past.passed_same_day)
        passed_later = np.log1p(past.passed_later)
        seen_same_day = np.log1p(past.seen_same_day)
        seen_later = np.log1p(past.seen_later)
        ratings = [rating == button for button in (2, 3, 4)]
        first_ratings = [past.first_rating == button for button in (2, 3, 4)]
        first_passed = past.first_rating > 1
        slopes: List[Numbers] = [np.ones(trie.n_queries), *ratings, (rating == 2) & is_first, (rating > 2) & is_first]
        slopes += [failed_same_day, passed_later * ~same_day, failed_later * ~same_day, passed_same_day]
        shifts: List[Numbers] = [*ratings, *first_ratings, *(was_pressed & is_first for was_pressed in first_ratings)]
        shifts += [
            failed_same_day,
            passed_later * ~same_day,
            _scaled_log(node_past.elapsed),
            failed_later,
            passed_later,
        ]
        shifts += [passed_same_day * same_day, past.passed]
        shifts += [_scaled_log(past.time - past.reset), same_day, _scaled_log(past.time)]
        shifts += [first_passed * count for count in (failed_same_day, failed_later, seen_same_day, seen_later)]
        by_time = _scaled_log(trie.query_elapsed)
        return np.stack([*(slope * by_time for slope in slopes), *shifts], axis=1)

    def curve(self, outputs: Tuple[Array, ...], elapsed: Array) -> Array:
        return sigmoid(outputs[0])


ALGORITHMS = (
    LogisticRegression(
        "Logistic Regression default",
        "Counts and times of a card's reviews, weighted as published, not trained on your reviews",
    ),
    LogisticRegression(
        "Logistic Regression",
        "Counts and times of a card's reviews, trained with more weight on recent reviews",
        training=Training(recency=RECENCY),
    ),
)
