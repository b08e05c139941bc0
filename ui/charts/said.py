"""What is said below a graph, in its parts."""

from __future__ import annotations

from typing import NamedTuple, Sequence

from ..phrases import paragraph


class Said(NamedTuple):
    """Sentences. Those on how to read it are the same whatever it shows: of many graphs they are said once."""

    found: Sequence[str] = ()  #: what it shows here
    reading: Sequence[str] = ()  #: how to read it
    reserve: Sequence[str] = ()  #: what is to be kept in mind here

    @property
    def sentence(self) -> str:
        """All of it."""
        return paragraph(*self.found, *self.reading, *self.reserve)

    @property
    def finding(self) -> str:
        """Without how to read it."""
        return paragraph(*self.found, *self.reserve)
