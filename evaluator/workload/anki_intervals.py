"""The next interval in whole days by Anki's two schedulers, on arrays of cards that broadcast.

It is computed in single precision, as Anki 26.9.3 does: see ankitects/anki, rslib/src/scheduler/states (review.rs,
fuzz.rs), and open-spaced-repetition/fsrs-rs for FSRS's intervals.

In all functions, ``rating`` is 1 Again, 2 Hard, 3 Good or 4 Easy, and ``fuzz`` is a uniform random number from 0 to
below 1 for each card, or None for intervals without fuzz.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ..data.revlog import AGAIN, EASY, Sm2Settings

Floats = npt.NDArray[np.floating[Any]]
Ints = npt.NDArray[np.int64]
#: A number for all cards, or one for each.
Numbers = Union[float, npt.NDArray[Any]]

#: Minimum ease, in permille.
MIN_EASE = 1300
#: What each rating adds to the ease, in permille.
EASE_CHANGE = np.array([0, -200, -150, 0, 150])

#: Minimum interval that is fuzzed, in days.
MIN_FUZZED = 2.5
#: Intercepts, in days, and slopes of three lines over the interval. The lowest line is the maximum fuzz. Anki instead
#: adds up shares of the interval's parts from 2.5 to 7 days, to 20, and beyond, which gives the same.
FUZZ_LINES = ((0.625, 0.15), (0.975, 0.1), (1.975, 0.05))

#: Precision of Anki.
_single = np.float32


def sm2_ease(ease: Ints, rating: Ints) -> Ints:
    """Return the ease after an answer to cards in review, from the ease before it, in permille."""
    new_ease: Ints = np.maximum(ease + EASE_CHANGE[rating], MIN_EASE)
    return new_ease


def sm2_days(
    settings: Sm2Settings, interval: Ints, ease: Ints, elapsed: Ints, rating: Ints, fuzz: Optional[Numbers]
) -> Ints:
    """Return SM-2's next intervals of cards in review, in days. After Again it is the reduced interval.

    Args:
        settings: the settings of the cards' preset.
        interval: the last interval, in days.
        ease: the ease before the answer, in permille.
        elapsed: the days since the last review. An early review counts as if on the due day.
        rating: the answer.
        fuzz: the random numbers.
    """
    base = np.maximum(interval, 1).astype(_single)
    growth = ease.astype(_single) / _single(1000)
    days_late = np.maximum(elapsed - interval, 0).astype(_single)
    hard_factor = _single(settings.hard_factor)
    bonus = _single(settings.easy_bonus)
    modifier = _single(settings.interval_modifier)
    maximum = settings.max_interval

    min_longer = interval + 1
    hard = whole_days(base * hard_factor * modifier, min_longer if hard_factor > 1 else 1, maximum, fuzz)
    min_good = hard + 1 if hard_factor > 1 else min_longer
    good = whole_days((base + days_late / _single(2)) * growth * modifier, min_good, maximum, fuzz)
    easy = whole_days((base + days_late) * growth * bonus * modifier, good + 1, maximum, fuzz)
    again = whole_days(base * _single(settings.lapse_factor), settings.min_lapse_interval, maximum, fuzz)
    return np.choose(rating - AGAIN, (again, hard, good, easy))


def sm2_learned_days(settings: Sm2Settings, interval: Numbers, rating: Numbers, fuzz: Optional[Numbers]) -> Ints:
    """Return SM-2's first intervals of cards that have just been learned or relearned, in days.

    Args:
        settings: the settings of the cards' preset.
        interval: the reduced interval after the lapse, in days, or 0 for newly learned cards.
        rating: the answer that ended (re)learning, Good or Easy.
        fuzz: the random numbers, which matter for newly learned cards only.
    """
    is_easy = rating == EASY
    first_interval = np.where(is_easy, settings.easy_interval, settings.graduating_interval)
    return np.where(interval == 0, whole_days(first_interval, 1, settings.max_interval, fuzz), interval + is_easy)


def fsrs_days(exact: Sequence[Floats], interval: Ints, rating: Ints, maximum: Numbers, fuzz: Optional[Numbers]) -> Ints:
    """Return FSRS's next intervals of cards in review, in days. Again counts as if there were no relearning steps.

    Args:
        exact: the days until recall falls to the desired retention after Again, Hard, Good and Easy, see
            :func:`fsrs_interval`.
        interval: the last interval, in days.
        rating: the answer.
        maximum: the maximum interval of the preset, in days.
        fuzz: the random numbers.
    """
    again, *passes = exact
    days_by_rating = [whole_days(again, 1, maximum, fuzz)]
    longer_than_worse: Numbers = 0
    for days in passes:
        minimum = np.maximum(_min_after_pass(days, interval, maximum), longer_than_worse)
        days_by_rating.append(whole_days(days, minimum, maximum, fuzz))
        longer_than_worse = days_by_rating[-1] + 1
    return np.choose(rating - AGAIN, days_by_rating)


def fsrs_learned_days(good: Floats, easy: Floats, rating: Numbers, maximum: Numbers, fuzz: Optional[Numbers]) -> Ints:
    """Return FSRS's first intervals of cards that have just been learned or relearned, in days.

    Args:
        good: the days until recall falls to the desired retention after Good, see :func:`fsrs_interval`.
        easy: the same after Easy.
        rating: the answer that ended (re)learning, Good or Easy.
        maximum: the maximum interval of the preset, in days.
        fuzz: the random numbers.
    """
    good_days = whole_days(np.maximum(round_half_up(good), 1), 1, maximum, fuzz)
    # Anki compares Easy with an interval that is not rounded before its fuzz.
    min_easy = whole_days(good, 1, maximum, fuzz) + 1
    easy_days = whole_days(np.maximum(round_half_up(easy), 1), min_easy, maximum, fuzz)
    return np.where(rating == EASY, easy_days, good_days)


def fsrs_interval(stability: Numbers, decay: Numbers, desired_retention: Numbers) -> Floats:
    """Return the days until recall falls to the desired retention.

    With decay d they are S / F * (r^(-1 / d) - 1), where F = 0.9^(-1 / d) - 1.

    Args:
        stability: S, in days.
        decay: the decay of the forgetting curve (1 + F t / S)^-d, above 0. It is w20 of FSRS-6.
        desired_retention: r, a probability.
    """
    power = _single(-1) / np.asarray(decay, dtype=_single)
    factor = np.exp(np.log(_single(0.9)) * power) - _single(1)
    scale = np.asarray(desired_retention, dtype=_single) ** power - _single(1)
    days: Floats = np.asarray(stability, dtype=_single) / factor * scale
    return days


def whole_days(days: Numbers, minimum: Numbers, maximum: Numbers, fuzz: Optional[Numbers] = None) -> Ints:
    """Round intervals to whole days from ``minimum`` (at least 1) to ``maximum``, which takes precedence.

    With ``fuzz`` they are spread evenly over the whole days that Anki allows.
    """
    minimum = np.minimum(np.maximum(minimum, 1), maximum)
    exact = np.asarray(days, dtype=_single)
    if fuzz is None:
        return _limit(round_half_up(exact), minimum, maximum)
    exact = _limit(exact, minimum, maximum).astype(_single)
    reach = max_fuzz(exact)
    low = _limit(round_half_up(exact - reach), minimum, maximum)
    high = _limit(round_half_up(exact + reach), minimum, maximum)
    high = np.where((high == low) & (high > 2) & (high < maximum), high + 1, high)
    fuzzed: Ints = np.floor(low + np.asarray(fuzz) * (1 + high - low)).astype(np.int64)
    return fuzzed


def round_half_up(days: Floats) -> Ints:
    """Round days to the nearest integer, and halves up."""
    rounded: Ints = np.floor(days.astype(np.float64) + 0.5).astype(np.int64)
    return rounded


def max_fuzz(days: Floats) -> Floats:
    """Return the largest number of days by which fuzz moves an interval before it is rounded."""
    short, middle, long = (_single(intercept) + _single(share) * days for intercept, share in FUZZ_LINES)
    return np.where(days < _single(MIN_FUZZED), _single(0), np.minimum(np.minimum(short, middle), long))


def _min_after_pass(days: Floats, interval: Ints, maximum: Numbers) -> Ints:
    """Return the minimum interval after a pass, given the exact and the last interval.

    It is above the last interval if the interval grows. If only fuzz could let it grow, it is the last interval.
    """
    max_days = np.minimum(round_half_up(days + max_fuzz(days)), maximum)
    min_without_growth = np.where(max_days >= interval, interval, 0)
    return np.where(round_half_up(days) > interval, interval + 1, min_without_growth)


def _limit(days: npt.NDArray[Any], minimum: Numbers, maximum: Numbers) -> npt.NDArray[Any]:
    """Limit the days, in a quarter of the time that ``np.clip`` takes for few cards."""
    limited: npt.NDArray[Any] = np.minimum(np.maximum(days, minimum), maximum)
    return limited
