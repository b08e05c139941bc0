"""The scheduler in use, its comparison with others, and one piece of advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from .accuracy import PredictionChange
from .values import Comparison, SampleSize


@dataclass(frozen=True)
class RetrainedComparison:
    """Parameters trained again, minus those in presets, on reviews that the latter cannot have been fitted on.

    Those are the reviews since a preset was last changed; all of them, if it holds the published parameters. Nor are
    the former scored on what they were trained on.
    """

    preset: Optional[str]  #: its name; None: all presets together
    changed: Optional[str]  #: ISO date of its last change; None if that does not matter, or of all together
    basis: SampleSize
    comparison: Optional[Comparison]  #: None if there are no such reviews


@dataclass(frozen=True)
class SchedulerInUse:
    """The user's scheduler and its alternatives, for the whole collection or a whole preset."""

    fsrs: bool  #: whether FSRS is switched on
    against_sm2: Optional[Comparison] = None  #: FSRS minus SM-2, if it is off
    #: If FSRS is on: all presets together, then each with such reviews.
    retrained: Tuple[RetrainedComparison, ...] = ()
    change: Optional[PredictionChange] = None  #: change by optimizing now; None if FSRS is off or a row is missing


@dataclass(frozen=True)
class Advice:
    """One thing to do, or to wait for.

    Codes: "hard" (use Again for what was forgotten), "update" (SRS Evaluator, as Anki's FSRS is newer; the algorithm is
    the row whose error has the facts), "turn_on" (FSRS), "turn_on_and_optimize", "optimize" (FSRS's parameters),
    "optimize_if_you_like", "desired_retention" (set it to :attr:`Accuracy.suggested_retention`), "nothing",
    "keep_on" (FSRS, as there are too few reviews to check it).
    """

    code: str
    algorithm: Optional[str] = None  #: the algorithm to turn on, that was retrained, or that cannot be run
    presets: Tuple[str, ...] = ()  #: presets to optimize; empty: all
    reviews: Optional[int] = None  #: number of scored reviews on which this is based
    more_days: Optional[int] = None  #: days with reviews to wait for, about; None: unknown, or too many
    change: Optional[float] = None  #: mean change of predictions, if this is based on it
