"""Which part of a collection is asked for. Plain values, no NumPy."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ScopeChoice:
    """The cards whose reviews are evaluated.

    Kinds: "collection" (all reviews, also those of deleted cards), "deck" (with its subdecks; a card in a filtered deck
    belongs to its home deck), "deck_id" (one deck of a source that knows no names and so no subdecks), "preset",
    "search" (what Anki's browser finds), "cards" (some that the caller names).
    """

    kind: str = "collection"
    name: str = ""  #: of the deck or preset, the text of the search; empty for the collection


WHOLE_COLLECTION = ScopeChoice()
