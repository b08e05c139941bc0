"""A text that depends on a number: "1 review", "2 reviews"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional


@dataclass(frozen=True)
class Counted:
    """Its forms in English; ``choose`` gives that of another language for a number, as its own grammar has it."""

    one: str  #: ``{count}``, with a format such as ``{count:,}``, is where the number stands
    other: str
    choose: Optional[Callable[[int], str]] = None

    def __call__(self, count: int, **facts: Any) -> str:
        """The text for so many, with whatever else stands in braces filled in."""
        choose = self.choose or self._in_english
        return choose(count).format(count=count, **facts)

    def _in_english(self, count: int) -> str:
        return self.one if count == 1 else self.other
