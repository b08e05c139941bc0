"""What every table is, wherever it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple


@dataclass(frozen=True)
class Column:
    """A column's header, and what one is told who asks what it means."""

    name: str
    tip: str = ""
    number: bool = True  #: its cells are numbers, to be set to the right
    terse: bool = False  #: the name alone says too little: where nobody can hover, the tip is said below the table


@dataclass(frozen=True)
class Table:
    """Rows of cells under a title; ``sentence`` says in plain words how to read it and what it shows here."""

    title: str
    columns: Tuple[Column, ...]
    rows: Tuple[Tuple[str, ...], ...]
    sentence: str = ""
    notes: Tuple[str, ...] = ()  #: below the rows
