"""What the person can choose from: the decks, the presets, and the browser's search. No NumPy, no window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Tuple


@dataclass(frozen=True)
class Places:
    """Names, sorted as Anki sorts them."""

    decks: Tuple[str, ...] = ()  #: whole ones, each deck after the one it lies in
    presets: Tuple[str, ...] = ()
    search: str = ""  #: what the open browser shows; empty where none is open, or it shows all


def places(col: Any, search: str = "") -> Places:
    """Of an open collection; only the search where ``col`` is None."""
    if col is None or col.db is None:
        return Places(search=search)
    decks = col.decks.all_names_and_ids(skip_empty_default=True, include_filtered=False)
    presets = sorted({str(preset["name"]) for preset in col.decks.all_config()}, key=str.casefold)
    return Places(tuple(str(deck.name) for deck in decks), tuple(presets), search)
