"""Which part of a collection, and which of its reviews, to evaluate. Plain values, no NumPy."""

from __future__ import annotations

from dataclasses import dataclass

#: The benchmark's two tables. One has reviews on a later day than the card's last one, and counts whole days; the
#: other has all but each card's first, also those on the same day, with times to the second.
WHOLE_DAY_TABLE, SAME_DAY_TABLE = TABLES = ("whole-day", "same-day")


@dataclass(frozen=True)
class ScopeChoice:
    """The cards whose reviews are evaluated.

    Kinds: "collection" (all reviews, also those of deleted cards), "deck" (with its subdecks; a card in a filtered deck
    belongs to its home deck), "deck_id" (one deck of a source that knows no names and so no subdecks), "preset",
    "search" (what Anki's browser finds), "cards" (some that the caller names).
    """

    kind: str = "collection"
    name: str = ""  #: name of the deck or preset, or the text of the search; empty for the collection


WHOLE_COLLECTION = ScopeChoice()
