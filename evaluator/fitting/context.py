"""What is known beside the reviews: presets, decks, and Anki's optimiser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence, Tuple

from ..revlog import Deck, Preset, Snapshot
from .anki_optimiser import Optimiser, Optimize


@dataclass(frozen=True)
class Context:
    """What one evaluation knows beside the reviews. Most algorithms need nothing of it."""

    presets: Sequence[Preset] = ()
    decks: Sequence[Deck] = ()
    optimiser: Optional[Optimiser] = None  #: Anki's own
    optimize: Optional[Optimize] = None  #: what Anki's Optimize does
    fsrs: Optional[bool] = None  #: whether FSRS is switched on; None where the source does not say
    renumbered_buttons: int = 0  #: rows of the log whose button was another in Anki's first scheduler
    by_the_second: bool = True  #: false: the seconds between reviews are not known, only whole days
    notes: Tuple[Tuple[str, int], ...] = ()  #: as :attr:`evaluator.revlog.Snapshot.notes`

    @classmethod
    def of(cls, snapshot: Snapshot, optimiser: Optional[Optimiser], optimize: Optional[Optimize] = None) -> Context:
        """The presets and decks of a snapshot, and Anki's optimiser and Optimize, where there are any."""
        presets, decks = snapshot.presets or (), snapshot.decks or ()
        return cls(
            presets,
            decks,
            optimiser,
            optimize,
            fsrs=snapshot.fsrs,
            renumbered_buttons=snapshot.renumbered_buttons,
            by_the_second=snapshot.elapsed_days is None,
            notes=snapshot.notes,
        )


NO_CONTEXT = Context()
