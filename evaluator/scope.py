"""Choice of the part of a collection and of the reviews to evaluate, without NumPy."""

from __future__ import annotations

from dataclasses import dataclass

#: The benchmark's two tables. The whole-day table has the reviews on a later day than the card's last one, and counts
#: whole days. The same-day table has all reviews except each card's first one, with times to the second.
WHOLE_DAY_TABLE = "whole-day"
SAME_DAY_TABLE = "same-day"
TABLES = (WHOLE_DAY_TABLE, SAME_DAY_TABLE)


@dataclass(frozen=True)
class ScopeChoice:
    """The cards whose reviews are evaluated.

    The kinds are "collection" (all reviews, including those of deleted cards), "deck" (with its subdecks, and with its
    cards that are in filtered decks), "deck_id" (a deck of a source without names, and so without subdecks), "preset",
    "search" (the cards that Anki's browser finds) and "cards" (cards that the caller lists).
    """

    kind: str = "collection"
    name: str = ""  #: name of the deck or preset, or text of the search; empty for the collection


WHOLE_COLLECTION = ScopeChoice()
