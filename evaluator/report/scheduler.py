"""Which scheduler is in use, how it compares, and one piece of advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from .accuracy import PredictionChange
from .values import Comparison, SampleSize


@dataclass(frozen=True)
class RetrainedComparison:
    """Parameters trained anew, minus those in presets, on reviews that the latter cannot have been fitted on.

    Those are the reviews since a preset was last changed; all of them, where it holds the published parameters. Nor are
    the former scored on what they were trained on.
    """

    preset: Optional[str]  #: its name; None: all presets together
    changed: Optional[str]  #: ISO date of its last change; None where that does not matter, or of all together
    basis: SampleSize
    comparison: Optional[Comparison]  #: None where there are no such reviews


@dataclass(frozen=True)
class SchedulerInUse:
    """Which scheduler the person uses, and what could be used instead; on the whole collection or a whole preset."""

    fsrs: bool  #: whether FSRS is switched on
    against_sm2: Optional[Comparison] = None  #: FSRS minus SM-2, where it is off
    trained_anew: Tuple[
        RetrainedComparison, ...
    ] = ()  #: where it is on: all presets together, then each with such reviews
    change: Optional[PredictionChange] = None  #: by optimizing now; None if FSRS is off or a row is missing


@dataclass(frozen=True)
class Advice:
    """One thing to do, or to wait for.

    Codes: "hard" (use Again for what was forgotten), "update" (SRS Evaluator, as Anki's FSRS is newer; the algorithm is
    the row whose error has the facts), "turn_on" (FSRS), "turn_on_and_optimize", "optimize" (FSRS's parameters),
    "optimize_if_you_like", "desired_retention" (set it to :attr:`Accuracy.suggested_retention`), "nothing",
    "keep_on" (FSRS, as there are too few reviews to check it).
    """

    code: str
    algorithm: Optional[str] = None  #: that is to be turned on, was trained anew, or cannot be run
    presets: Tuple[str, ...] = ()  #: to optimize; empty: all
    reviews: Optional[int] = None  #: scored ones that this rests on
    more_days: Optional[int] = None  #: about so many days with reviews should come first; None: not known, or too many
    change: Optional[float] = None  #: mean change of predictions, if this rests on it
