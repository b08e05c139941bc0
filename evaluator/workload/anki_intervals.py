"""The next interval in whole days, by Anki's two schedulers, on arrays of cards that broadcast.

As Anki 26.9.3 computes it, in single precision: ankitects/anki, rslib/src/scheduler/states (review.rs, fuzz.rs), and
open-spaced-repetition/fsrs-rs for FSRS's intervals.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ..data.revlog import Sm2Settings

Floats = npt.NDArray[np.floating[Any]]
Ints = npt.NDArray[np.int64]
#: A number for all cards, or one for each.
Numbers = Union[float, npt.NDArray[Any]]

AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4

MIN_EASE = 1300  #: permille
#: What each answer adds to the ease, by rating, in permille.
EASE_CHANGE = np.array([0, -200, -150, 0, 150])

#: Fuzz moves intervals of this many days or more.
MIN_FUZZED = 2.5
#: Fuzz is at most the lowest of these lines: days, plus a share of the interval. (Anki adds up the shares of the
#: interval's parts from 2.5 to 7 days, to 20, and beyond.)
FUZZ = ((0.625, 0.15), (0.975, 0.1), (1.975, 0.05))

_single = np.float32


def sm2_ease(ease: Numbers, rating: Numbers) -> Ints:
    """Return ease in permille after an answer to cards in review, from the ease before it."""
    changed: Ints = np.maximum(np.asarray(ease) + EASE_CHANGE[np.asarray(rating)], MIN_EASE)
    return changed


def sm2_days(
    settings: Sm2Settings,
    interval: Numbers,
    ease: Numbers,
    elapsed: Numbers,
    rating: Numbers,
    fuzz: Optional[Numbers] = None,
    early: Numbers = False,
) -> Ints:
    """Return days until cards in review come back, by SM-2.

    Args:
        settings: of the preset of these cards.
        interval: the last one, in days.
        ease: in permille, before the answer.
        elapsed: days since the last review.
        rating: 1 Again, 2 Hard, 3 Good, 4 Easy; with Again, the days are the reduced interval.
        fuzz: uniform random numbers, from 0 to below 1, one for each card; None: no fuzz.
        early: True for reviews before the due day that count for less, as in Anki's filtered decks; other early reviews
            count as on the due day.
    """
    rating, elapsed, interval = np.asarray(rating), np.asarray(elapsed), np.asarray(interval)
    given, growth = np.maximum(interval, 1).astype(_single), np.asarray(ease).astype(_single) / _single(1000)
    late = np.maximum(elapsed - interval, 0).astype(_single)
    hard_factor, bonus = _single(settings.hard_factor), _single(settings.easy_bonus)
    modifier, longest = _single(settings.interval_modifier), settings.max_interval

    longer = interval + 1
    hard = whole_days(given * hard_factor * modifier, longer if hard_factor > 1 else 1, longest, fuzz)
    good_least = hard + 1 if hard_factor > 1 else longer
    good = whole_days((given + late / _single(2)) * growth * modifier, good_least, longest, fuzz)
    easy = whole_days((given + late) * growth * bonus * modifier, good + 1, longest, fuzz)
    again = whole_days(given * _single(settings.lapse_factor), settings.min_lapse_interval, longest, fuzz)
    days = np.select([rating == HARD, rating == GOOD, rating == EASY], [hard, good, easy], again)

    ahead = np.asarray(early) & (elapsed < interval) & (rating != AGAIN)
    if not ahead.any():
        return days
    last, so_far = interval.astype(_single), elapsed.astype(_single)
    good_days = np.maximum(so_far * growth, last)
    grown = np.select(
        [rating == HARD, rating == GOOD],
        [np.maximum(so_far * hard_factor, last * (hard_factor / _single(2))), good_days],
        good_days * (bonus - (bonus - _single(1)) / _single(2)),
    )
    return np.where(ahead, whole_days(grown * modifier, 1, longest), days)


def sm2_learned_days(settings: Sm2Settings, interval: Numbers, rating: Numbers, fuzz: Optional[Numbers] = None) -> Ints:
    """Return SM-2's first intervals of cards that have just been learned or relearned, in days.

    Args:
        settings: of the preset of these cards.
        interval: what the lapse left of the last interval, in days; 0 for newly learned cards.
        rating: the answer that ended (re)learning: 3 Good, 4 Easy.
        fuzz: uniform random numbers, from 0 to below 1, one for each card; None: no fuzz.
    """
    easily, left = np.asarray(rating) == EASY, np.asarray(interval)
    first = np.where(easily, settings.easy_interval, settings.graduating_interval)
    return np.where(left == 0, whole_days(first, 1, settings.max_interval, fuzz), left + easily)


def fsrs_days(
    exact: Sequence[Numbers], interval: Numbers, rating: Numbers, longest: Numbers, fuzz: Optional[Numbers] = None
) -> Ints:
    """Return FSRS's next intervals of cards in review, in days.

    Args:
        exact: days until recall falls to the desired retention after Again, Hard, Good and Easy, see
            :func:`fsrs_interval`.
        interval: the last one, in days.
        rating: 1 Again, 2 Hard, 3 Good, 4 Easy; Again counts as without relearning steps.
        longest: maximum interval of the preset, in days.
        fuzz: uniform random numbers, from 0 to below 1, one for each card; None: no fuzz.
    """
    (again, hard, good, easy), rating, interval = exact, np.asarray(rating), np.asarray(interval)
    hard_days = whole_days(hard, _fsrs_least(hard, interval, longest), longest, fuzz)
    good_days = whole_days(good, np.maximum(_fsrs_least(good, interval, longest), hard_days + 1), longest, fuzz)
    easy_days = whole_days(easy, np.maximum(_fsrs_least(easy, interval, longest), good_days + 1), longest, fuzz)
    return np.select(
        [rating == HARD, rating == GOOD, rating == EASY],
        [hard_days, good_days, easy_days],
        whole_days(again, 1, longest, fuzz),
    )


def fsrs_learned_days(
    good: Numbers, easy: Numbers, rating: Numbers, longest: Numbers, fuzz: Optional[Numbers] = None
) -> Ints:
    """Return days until cards come back that have been learned or relearned, by FSRS.

    Args:
        good: days until recall falls to the desired retention after Good, see :func:`fsrs_interval`.
        easy: the same after Easy.
        rating: the answer that ended (re)learning: 3 Good, 4 Easy.
        longest: interval of the preset, in days.
        fuzz: uniform random numbers, from 0 to below 1, one for each card; None: no fuzz.
    """
    good, easy = np.asarray(good, dtype=_single), np.asarray(easy, dtype=_single)
    good_days = whole_days(np.maximum(round_half_up(good), 1), 1, longest, fuzz)
    # What Easy has to exceed was not rounded before its fuzz.
    least = whole_days(good, 1, longest, fuzz) + 1
    easy_days = whole_days(np.maximum(round_half_up(easy), 1), least, longest, fuzz)
    return np.where(np.asarray(rating) == EASY, easy_days, good_days)


def fsrs_interval(stability: Numbers, decay: Numbers, desired_retention: Numbers) -> Floats:
    """Days until recall falls to the desired retention: S / F * (r^(-1 / decay) - 1), with F = 0.9^(-1 / decay) - 1.

    Args:
        stability: in days.
        decay: of the forgetting curve (1 + F t / S)^-decay, above 0: w20 of FSRS-6.
        desired_retention: probability.
    """
    power = _single(-1) / np.asarray(decay, dtype=_single)
    factor = np.exp(np.log(_single(0.9)) * power) - _single(1)
    scale = np.asarray(desired_retention, dtype=_single) ** power - _single(1)
    days: Floats = np.asarray(stability, dtype=_single) / factor * scale
    return days


def whole_days(days: Numbers, least: Numbers, longest: Numbers, fuzz: Optional[Numbers] = None) -> Ints:
    """Round intervals to whole days from ``least`` (at least 1) to ``longest``, which takes precedence.

    With ``fuzz`` (uniform, from 0 to below 1) they are spread evenly over the whole days that Anki allows.
    """
    least, exact = np.minimum(np.maximum(least, 1), longest), np.asarray(days, dtype=_single)
    if fuzz is None:
        return _within(round_half_up(exact), least, longest)
    exact = _within(exact, least, longest).astype(_single)
    spread = most_fuzz(exact)
    low = _within(round_half_up(exact - spread), least, longest)
    high = _within(round_half_up(exact + spread), least, longest)
    high = np.where((high == low) & (high > 2) & (high < longest), high + 1, high)
    fuzzy: Ints = np.floor(low + np.asarray(fuzz) * (1 + high - low)).astype(np.int64)
    return fuzzy


def round_half_up(days: Floats) -> Ints:
    """Round days to the nearest integer, halves up."""
    rounded: Ints = np.floor(days.astype(np.float64) + 0.5).astype(np.int64)
    return rounded


def most_fuzz(days: Floats) -> Floats:
    """Return the largest number of days by which fuzz moves an interval, before it is rounded."""
    short, middle, long = (_single(start) + _single(share) * days for start, share in FUZZ)
    return np.where(days < _single(MIN_FUZZED), _single(0), np.minimum(np.minimum(short, middle), long))


def _fsrs_least(days: Numbers, interval: npt.NDArray[Any], longest: Numbers) -> Ints:
    """Return the fewest days after a pass: above the last interval if it grows, the same if fuzz could reach it."""
    exact = np.asarray(days, dtype=_single)
    most = np.minimum(round_half_up(exact + most_fuzz(exact)), longest)
    kept = np.where(most >= interval, interval, 0)
    return np.where(round_half_up(exact) > interval, interval + 1, kept)


def _within(days: npt.NDArray[Any], least: Numbers, longest: Numbers) -> npt.NDArray[Any]:
    """Limit the days, in a quarter of the time that ``np.clip`` takes for few cards."""
    limited: npt.NDArray[Any] = np.minimum(np.maximum(days, least), longest)
    return limited
