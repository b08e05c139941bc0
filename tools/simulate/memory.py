"""The simulated memory: the equations of FSRS-6, on arrays of cards.

Stated here once more, apart from :mod:`evaluator.algorithms`: a simulator that shared their code could not show their
mistakes. Reference: J. Ye, The Algorithm, wiki of open-spaced-repetition/fsrs4anki, section FSRS-6.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Parameters = tuple[float, ...]  #: w0 to w20

PUBLISHED: Parameters = (
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629, 1.6483,
    0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
)  # fmt: skip

AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4
MIN_STABILITY, MAX_STABILITY = 0.01, 36_500.0


def recall(w: Parameters, stability: Floats, elapsed_days: Floats) -> Floats:
    """Return the probability of recall after some days: 0.9 when they equal the stability."""
    factor: float = 0.9 ** (-1 / w[20]) - 1
    return np.asarray((1 + factor * elapsed_days / stability) ** -w[20])


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x))."""
    return np.asarray(1 / (1 + np.exp(-x)))


def shifted(chance: Floats, logit: float) -> Floats:
    """Change a probability of recall by an amount in the logit."""
    odds = np.exp(logit)
    return np.asarray(chance * odds / (1 - chance + chance * odds))


def first(w: Parameters, rating: Ints) -> tuple[Floats, Floats]:
    """Return stability and difficulty after the first answer."""
    return np.array(w[:4])[rating - 1], np.clip(_first_difficulty(w, rating), 1, 10)


def after(
    w: Parameters, stability: Floats, difficulty: Floats, elapsed_days: Floats, rating: Ints
) -> tuple[Floats, Floats]:
    """Return stability and difficulty after a further answer. Below one day the equation for the same day holds."""
    retrievability = recall(w, stability, elapsed_days)
    same_day = elapsed_days < 1
    next_stability = np.where(
        same_day,
        _same_day(w, stability, rating),
        np.where(
            rating == AGAIN,
            _forgotten(w, stability, difficulty, retrievability),
            _recalled(w, stability, difficulty, retrievability, rating),
        ),
    )
    return np.clip(next_stability, MIN_STABILITY, MAX_STABILITY), _next_difficulty(w, difficulty, rating)


def _first_difficulty(w: Parameters, rating: Ints) -> Floats:
    return np.asarray(w[4] - np.exp(w[5] * (rating - 1)) + 1)


def _next_difficulty(w: Parameters, difficulty: Floats, rating: Ints) -> Floats:
    damped = difficulty - w[6] * (rating - 3) * (10 - difficulty) / 9
    reverted = w[7] * _first_difficulty(w, np.array(EASY)) + (1 - w[7]) * damped
    return np.clip(reverted, 1, 10)


def _recalled(w: Parameters, stability: Floats, difficulty: Floats, retrievability: Floats, rating: Ints) -> Floats:
    bonus = np.where(rating == HARD, w[15], np.where(rating == EASY, w[16], 1.0))
    growth = np.exp(w[8]) * (11 - difficulty) * stability ** -w[9] * np.expm1(w[10] * (1 - retrievability))
    return np.asarray(stability * (1 + growth * bonus))


def _forgotten(w: Parameters, stability: Floats, difficulty: Floats, retrievability: Floats) -> Floats:
    after_lapse = w[11] * difficulty ** -w[12] * ((stability + 1) ** w[13] - 1) * np.exp(w[14] * (1 - retrievability))
    return np.asarray(np.minimum(after_lapse, stability / np.exp(w[17] * w[18])))


def _same_day(w: Parameters, stability: Floats, rating: Ints) -> Floats:
    gain = np.exp(w[17] * (rating - 3 + w[18])) * stability ** -w[19]
    return np.asarray(stability * np.where(rating >= HARD, np.maximum(gain, 1.0), gain))
