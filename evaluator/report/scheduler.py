"""The scheduler in use, the state of each preset, and a piece of advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from .accuracy import Accuracy, Rivalry


@dataclass(frozen=True)
class PresetInUse:
    """One of the user's presets, with its accuracy and the effect of optimizing it."""

    preset_id: int  #: Anki's id
    name: str  #: name in Anki, with the id if two presets have the same name
    reviews: int  #: number of scored reviews
    changed: Optional[str]  #: ISO date of its last change; None if the source does not say
    #: Accuracy at the preset's own desired retention. "off" takes account of the number of presets (Holm).
    accuracy: Accuracy
    #: The optimized row compared with the preset's own parameters, on reviews that these cannot have been fitted to.
    #: None without such reviews. The comparison takes account of the number of presets (Holm).
    optimized_against_own: Optional[Rivalry] = None
    #: Desired retention that would correct half of the gap. None unless the gap is known to persist.
    suggested_retention: Optional[float] = None
    #: Mean absolute change of the predictions if the preset is optimized now on all its reviews, as Anki does. None if
    #: it is not known, or if Anki would find nothing to optimize.
    change: Optional[float] = None
    #: Number of its reviews that are scored if the whole collection is evaluated. None until the evaluation has
    #: finished.
    all_reviews: Optional[int] = None
    #: Why Anki would find no review to optimize this preset on: all reviewed cards are "deleted" or "suspended" (or
    #: buried), or the others are "ignored" (by "Ignore cards reviewed before"). None if there are reviews.
    nothing_to_optimize: Optional[str] = None
    #: Advice for this preset by itself: "optimize", "desired_retention", "optimize_if_you_like", "nothing" or
    #: "keep_on". None until the evaluation has finished.
    advice: Optional[str] = None

    @property
    def reviews_to_optimize(self) -> int:
        """Number of scored reviews of the whole preset, even if only a part of it is evaluated."""
        return self.reviews if self.all_reviews is None else self.all_reviews


@dataclass(frozen=True)
class SchedulerInUse:
    """The user's scheduler, and the presets of the evaluated cards."""

    fsrs: bool  #: whether FSRS is switched on
    version: Optional[int] = None  #: version of Anki's scheduler, 1 to 3; None if the source does not say
    #: Presets with at least 50 scored reviews, or all presets if none has as many, the largest first. Empty if FSRS is
    #: off.
    presets: Tuple[PresetInUse, ...] = ()
    #: The optimized row compared with the default parameters. None if FSRS is on.
    optimized_against_default: Optional[Rivalry] = None

    @property
    def change(self) -> Optional[float]:
        """Mean absolute change of the predictions by optimizing all presets, or None if it is not known."""
        changes = [(preset.change, preset.reviews) for preset in self.presets if preset.change is not None]
        return sum(change * n for change, n in changes) / sum(n for _, n in changes) if changes else None


@dataclass(frozen=True)
class Advice:
    """One thing to do, or to wait for. The codes are listed in :mod:`.advice`."""

    code: str
    #: Name of the algorithm to turn on, or of the row that cannot be run because a preset needs a newer FSRS.
    algorithm: Optional[str] = None
    presets: Tuple[str, ...] = ()  #: names of the presets concerned; empty for all presets
    preset_id: Optional[int] = None  #: Anki's id of the first preset concerned
    change: Optional[float] = None  #: mean absolute change of the predictions by optimizing these presets
    desired_retention: Optional[float] = None  #: the current desired retention, for "desired_retention"
    suggested_retention: Optional[float] = None  #: the desired retention to set instead
    #: The largest preset, for "optimize" if one set of parameters for all presets predicts about as well.
    shared_preset: Optional[str] = None
