"""Logistic regression's features against a loop over one card's reviews, and its predictions by hand."""

from __future__ import annotations

from math import exp, log
from typing import List, Sequence, Tuple

import numpy as np
import pytest
from catalogue_helpers import ask_about, fittable, lively, ready
from made_logs import CLOCK, LEARN, Answer, log_of

from evaluator.algorithms.logistic_regression import DEVIATIONS, MEANS, features
from evaluator.fitting.dataset import Dataset
from evaluator.histories import BY_THE_SECOND
from evaluator.revlog import Snapshot

#: (days since the review before to the second, calendar days since then, rating)
Step = Tuple[float, int, int]


def log_days(days: float) -> float:
    return (log(days + 1e-5) + 1.3) / 5


def plain_features(steps: Sequence[Step]) -> List[float]:
    """The features of the last of a card's reviews, its first one being the first step. Its own rating is not used.

    Reviews within a second of the one before are rows of no table: they only are the "review before" of the next.
    """
    rows = [k for k in range(1, len(steps)) if steps[k][0] > 0]
    same, later = {True: 0, False: 0}, {True: 0, False: 0}  # by whether it was passed; without the first review
    seen_same = seen_later = passed = 0
    time = reset = 0.0
    before = (0.0, 0)
    for k in rows:
        first, rating = k == rows[0], steps[k - 1][2]
        on_same_day = before[1] == 0
        if not first:
            (same if on_same_day else later)[rating > 1] += 1
        seen_same += on_same_day
        seen_later += not on_same_day
        passed = max(passed, int(rating > 1))
        time += before[0]
        if first or rating == 1:
            reset = max(reset, time)
        interval_before, before = before[0], steps[k][:2]
    days, calendar_days = before
    apart = calendar_days > 0
    first_rating = steps[rows[0] - 1][2]
    failed_same, failed_later = log(1 + same[False]), log(1 + later[False])
    passed_same, passed_later = log(1 + same[True]), log(1 + later[True])
    slopes = [1, rating == 2, rating == 3, rating == 4, first and rating == 2, first and rating > 2]
    slopes += [failed_same, passed_later * apart, failed_later * apart, passed_same]
    shifts = [rating == 2, rating == 3, rating == 4, *(first_rating == one for one in (2, 3, 4))]
    shifts += [first and first_rating == one for one in (2, 3, 4)]
    shifts += [failed_same, passed_later * apart, log_days(interval_before), failed_later, passed_later]
    shifts += [passed_same * (not apart), passed, log_days(time - reset), not apart, log_days(time)]
    counts = [failed_same, failed_later, log(1 + seen_same), log(1 + seen_later)]
    shifts += [(first_rating > 1) * count for count in counts]
    return [float(x) for x in [*(slope * log_days(days) for slope in slopes), *shifts]]


def steps_to(data: Dataset, row: int) -> List[Step]:
    """The reviews of a row's card up to that row."""
    rows = data.rows
    card = range(row - int(rows.position[row]), row + 1)
    return [(rows.elapsed_seconds[k] / 86_400, int(rows.elapsed_days[k]), int(rows.rating[k])) for k in card]


def with_quick_answers(answers: Sequence[Answer]) -> List[Answer]:
    """Every seventh answer followed by another one within the same second, as a misclick is."""
    return [
        a for k, one in enumerate(answers) for a in [one, *([one._replace(button=1 + k % 4)] if k % 7 == 0 else [])]
    ]


@pytest.mark.parametrize("quick", [False, True])
def test_features_are_those_of_a_loop(quick: bool) -> None:
    answers = lively(reviews=9)
    data = ready(Snapshot(log_of(with_quick_answers(answers) if quick else answers), CLOCK))
    reviews, histories = data.training(BY_THE_SECOND)
    assert (data.rows.elapsed_days[reviews.row] == 0).any()
    assert (len(reviews) < (data.rows.position > 0).sum()) == quick
    found = features(histories)[histories.place_of_review]
    expected = [plain_features(steps_to(data, int(row))) for row in reviews.row]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_days_are_those_of_the_calendar() -> None:
    """One review an hour later, on the same day for the one card, after its end for the other: two answers."""
    late = 16 * 60 - 30  # half an hour before the day ends
    cards = [
        *(Answer(1, 0, 3, LEARN, minute=late - 100), Answer(1, 0, 3, minute=late - 40), Answer(1, 9)),
        *(Answer(2, 0, 3, LEARN, minute=late), Answer(2, 1, 3, minute=late + 60 - 24 * 60), Answer(2, 9)),
    ]
    first, second = (
        ask_about("Logistic Regression default", [a._replace(card=1) for a in part])[-1]
        for part in (cards[:3], cards[3:])
    )
    assert first != pytest.approx(second, abs=1e-3)


def test_prediction() -> None:
    """Good, then asked after 3 days: the first row, so only what the first rating and the interval say.

    (MEANS without the constant's feature, which is the last.)
    """
    by_time = MEANS[0] + MEANS[2] + MEANS[5]
    shift = MEANS[11] + MEANS[14] + MEANS[17] + MEANS[25] + MEANS[33]  # Good; first rating Good, twice; passed
    before = (log(1e-5) + 1.3) / 5  # no interval before, no time since the first review
    shift += before * (MEANS[21] + MEANS[26] + MEANS[28])
    shift += MEANS[31] * log(2)  # one answer on the day of the review before, as which the first counts
    days = 3 + 1 / 1440
    logit = by_time * (log(days + 1e-5) + 1.3) / 5 + shift
    answers = [Answer(1, 0, 3, LEARN), Answer(1, 3, 3, minute=1)]
    assert ask_about("Logistic Regression default", answers) == pytest.approx([1 / (1 + exp(-logit))], rel=1e-9)


def test_prior_is_in_deviations() -> None:
    widths = [p.width for p in fittable("Logistic Regression").parameters]
    np.testing.assert_allclose(np.divide(widths, DEVIATIONS), 3.0)
