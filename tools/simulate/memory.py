"""Equations of FSRS-6 on arrays of cards, for the simulated memory.

They are written once more, because a simulator that shared the code of :mod:`evaluator.algorithms` could not reveal
its mistakes.

Reference: J. Ye, The Algorithm, wiki of open-spaced-repetition/fsrs4anki, section FSRS-6.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
#: The parameters w0 to w20.
Parameters = tuple[float, ...]

#: The default parameters of FSRS-6.
PUBLISHED: Parameters = (
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629, 1.6483,
    0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
)  # fmt: skip

AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4
#: Bounds of the stability in days.
MIN_STABILITY, MAX_STABILITY = 0.01, 36_500.0


def recall(w: Parameters, stability: Floats, elapsed_days: Floats) -> Floats:
    """Return the probability of recall after some days. It is 0.9 when the days equal the stability."""
    factor: float = 0.9 ** (-1 / w[20]) - 1
    return (1 + factor * elapsed_days / stability) ** -w[20]


def sigmoid(x: Floats) -> Floats:
    """Return 1 / (1 + exp(-x))."""
    return 1 / (1 + np.exp(-x))


def shift_logit(probability: Floats, change: float) -> Floats:
    """Return the probability after a change of its logit."""
    odds_ratio = np.exp(change)
    return np.asarray(probability * odds_ratio / (1 - probability + probability * odds_ratio))


def first_state(w: Parameters, rating: Ints) -> tuple[Floats, Floats]:
    """Return stability and difficulty after the first answer."""
    return np.array(w[:4])[rating - 1], np.clip(_first_difficulty(w, rating), 1, 10)


def next_state(
    w: Parameters, stability: Floats, difficulty: Floats, elapsed_days: Floats, rating: Ints
) -> tuple[Floats, Floats]:
    """Return stability and difficulty after a further answer. Below one day, the equation for the same day is used."""
    retrievability = recall(w, stability, elapsed_days)
    same_day = elapsed_days < 1
    next_stability = np.where(
        same_day,
        _same_day_stability(w, stability, rating),
        np.where(
            rating == AGAIN,
            _lapse_stability(w, stability, difficulty, retrievability),
            _pass_stability(w, stability, difficulty, retrievability, rating),
        ),
    )
    return np.clip(next_stability, MIN_STABILITY, MAX_STABILITY), _next_difficulty(w, difficulty, rating)


def _first_difficulty(w: Parameters, rating: Ints) -> Floats:
    """Return the difficulty after the first answer, before it is clipped."""
    return np.asarray(w[4] - np.exp(w[5] * (rating - 1)) + 1)


def _next_difficulty(w: Parameters, difficulty: Floats, rating: Ints) -> Floats:
    """Return the difficulty after a further answer."""
    damped = difficulty - w[6] * (rating - 3) * (10 - difficulty) / 9
    reverted = w[7] * _first_difficulty(w, np.array(EASY)) + (1 - w[7]) * damped
    return np.clip(reverted, 1, 10)


def _pass_stability(w: Parameters, stability: Floats, difficulty: Floats, recall: Floats, rating: Ints) -> Floats:
    """Return the stability after a pass on a later day."""
    bonus = np.where(rating == HARD, w[15], np.where(rating == EASY, w[16], 1.0))
    growth = np.exp(w[8]) * (11 - difficulty) * stability ** -w[9] * np.expm1(w[10] * (1 - recall))
    return np.asarray(stability * (1 + growth * bonus))


def _lapse_stability(w: Parameters, stability: Floats, difficulty: Floats, retrievability: Floats) -> Floats:
    """Return the stability after a lapse on a later day."""
    after_lapse = w[11] * difficulty ** -w[12] * ((stability + 1) ** w[13] - 1) * np.exp(w[14] * (1 - retrievability))
    return np.asarray(np.minimum(after_lapse, stability / np.exp(w[17] * w[18])))


def _same_day_stability(w: Parameters, stability: Floats, rating: Ints) -> Floats:
    """Return the stability after an answer on the same day."""
    gain = np.exp(w[17] * (rating - 3 + w[18])) * stability ** -w[19]
    return np.asarray(stability * np.where(rating >= HARD, np.maximum(gain, 1.0), gain))
