"""By how much a scheduler looks better than it is, because the memory was fitted to the same reviews as its parameters.

A parametric bootstrap: in a world where the fitted memory is the truth, the person's reviews are answered anew, on the
days on which they really were; memory and scheduler are fitted to them; the year that this fit foretells is compared
with the year that the truth of that world makes of the same scheduler.

Reference: Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 17 (optimism).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..algorithms.algorithm import Parametric
from ..algorithms.fsrs6 import FSRS_6
from ..derivatives import Floats
from ..fitting.dataset import Dataset
from ..fitting.training import train
from ..folds import Fold
from ..progress import Progress
from ..reviews import SMALL
from ..revlog import Ints
from .estimate import DESIRED, Ahead, ratios
from .fitted import Fit, Paces
from .intervals import AGAIN, GOOD
from .memories import memory_of

#: Such worlds; and with more rows than this nothing is looked at, as next to nothing is left to find.
WORLDS, MOST_ROWS = 8, 50_000
#: So many desired retentions are tried, those around where the schedulers are compared.
NEAR = 4


@dataclass(frozen=True)
class Optimism:
    """Natural logarithms of FSRS / SM-2 as they are foretold, minus what they are, one for each world."""

    reviews: Floats  #: at equal knowledge
    seconds: Floats  #: likewise
    known: Floats  #: at equal seconds


NO_OPTIMISM = Optimism(*(np.zeros(1) for _ in range(3)))


def optimism(
    fitted: Fit, paces: Paces, data: Dataset, ahead: Ahead, desired_retention: Floats, progress: Progress
) -> Optimism:
    """What the worlds say; 0 where there are too many reviews, or nothing to compare.

    Args:
        fitted: the memory, which is like FSRS-6.
        paces: of its cards.
        data: what it was fitted to.
        ahead: where the year begins.
        desired_retention: (draws,) near which the schedulers are compared; NaN where they could not be.
        progress: is told how far it is.
    """
    at = np.nanmedian(desired_retention) if np.isfinite(desired_retention).any() else np.nan
    if len(data.rows) > MOST_ROWS or not np.isfinite(at):
        return NO_OPTIMISM
    first = int(np.clip(np.searchsorted(DESIRED, at) - NEAR // 2, 0, len(DESIRED) - NEAR))
    desired = np.array(DESIRED)[first : first + NEAR]
    random = np.random.default_rng(ahead.seed)
    refitted = []
    for world in range(WORLDS):
        progress(world / WORLDS / 2)
        anew = _answered_anew(fitted, paces, data, ahead, random)
        refitted.append([_refitted(algorithm, anew) for algorithm in (fitted.algorithm, FSRS_6)])
    w, of_scheduler = (np.stack(columns, axis=1) for columns in zip(*refitted))
    truth = np.repeat(fitted.w[:, None], WORLDS, axis=1)
    pace = paces.drawn(ahead.numbers(), WORLDS, random)
    found = []
    for number, of_memory in enumerate((w, truth)):
        part = progress.part(0.5 + number / 4, 0.75 + number / 4)
        memory = memory_of(fitted.algorithm, of_memory)
        start = ahead.start(memory, WORLDS, pace)
        sm2 = ahead.run(memory, start, ahead.sm2(), WORLDS, progress=part)
        fsrs = ahead.run(memory, start, ahead.fsrs(of_scheduler, desired, WORLDS), WORLDS, NEAR, progress=part)
        found.append(ratios(sm2, fsrs, desired))
    foretold, real = found
    return Optimism(*(_known(getattr(foretold, of) - getattr(real, of)) for of in ("reviews", "seconds", "known")))


def _known(off: Floats) -> Floats:
    """Those of the worlds in which the two can be compared; none is 0 where these are few."""
    known = off[np.isfinite(off)]
    return known if len(known) > WORLDS // 2 else np.zeros(1)


def _refitted(algorithm: Parametric, data: Dataset) -> Floats:
    """The parameters (P,) by which an algorithm fits all reviews."""
    centre = np.array([[p.default for p in algorithm.parameters]])
    w: Floats = train(algorithm, data.divided(Fold(len(data.reviews), len(data.reviews))), centre)[0][0]
    return w


def _answered_anew(fitted: Fit, paces: Paces, data: Dataset, ahead: Ahead, random: np.random.Generator) -> Dataset:
    """The data with other answers on later days: remembered as the memory says, with the button that was pressed then.

    Where that was the other outcome, it is Good, or Again. Answers on the same day stay.
    """
    rows, study = data.rows, ahead.study
    rating: Ints = rows.rating.astype(np.int64)
    memory = memory_of(fitted.algorithm, fitted.w[:, None])
    pace = paces.drawn(np.arange(len(study.start)), 1, random)
    state = tuple(np.array(column) for column in memory.first(np.zeros(len(pace), dtype=np.int64), rating[study.start]))
    for position in range(1, int(study.size.max(initial=0))):
        card = np.flatnonzero(study.size > position)
        row, none = study.start[card] + position, np.zeros(len(card), dtype=np.int64)
        before, elapsed = tuple(column[card] for column in state), rows.elapsed_days[row]
        passed = random.random(len(card)) < memory.recall(none, before, elapsed * pace[card])
        now = np.where(passed, np.where(rating[row] > AGAIN, rating[row], GOOD), AGAIN)
        rating[row] = np.where(elapsed > 0, now, rating[row])
        for column, value in zip(state, memory.step(none, before, elapsed, rating[row])):
            column[card] = value
    rating = rating.astype(SMALL)
    reviews = replace(data.reviews, recalled=(rating[data.reviews.row] > AGAIN).astype(SMALL))
    return Dataset(replace(rows, rating=rating), reviews, data.folds)
