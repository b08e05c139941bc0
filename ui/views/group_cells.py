"""Cells of tables of presets and decks."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional, Protocol, Sequence, Tuple, TypeVar

from ..lines import without_middle
from ..text import Counted, _
from ..text.numbers import MINUS
from ..text.phrases import with_interval

if TYPE_CHECKING:
    from evaluator.interval import Interval

#: The row that sums them up.
GROUP_TAIL = {
    "preset": Counted("{count:,} smaller preset", "{count:,} smaller presets"),
    "deck": Counted("{count:,} smaller deck", "{count:,} smaller decks"),
}
GROUP_TAIL_NOTE = {
    "preset": Counted(
        "Smaller presets: those with {count:,} scored review or fewer, summed up in one row.",
        "Smaller presets: those with {count:,} scored reviews or fewer, summed up in one row.",
    ),
    "deck": Counted(
        "Smaller decks: those with {count:,} scored review or fewer, summed up in one row.",
        "Smaller decks: those with {count:,} scored reviews or fewer, summed up in one row.",
    ),
}

#: So many groups are listed whatever their size; of more, those with fewer than SMALL reviews are summed up, ...
FEW_GROUPS = 12
SMALL = 100
#: ... and all beyond this many.
MOST_GROUPS = 30

#: Longer names lose their middle.
NAME_LENGTH = 24


class Sized(Protocol):
    """A preset or deck of some part of the report."""

    @property
    def label(self) -> Optional[int]: ...

    @property
    def reviews(self) -> int: ...


G = TypeVar("G", bound=Sized)


def off_by(gap: Interval) -> str:
    """How far predictions were too high or too low, in words, from what was remembered minus what was predicted."""
    side = -1 if gap.known < 0 else 1
    # Translators: Percentage points.
    form = _("{points:.1f} points too high") if side < 0 else _("{points:.1f} points too low")
    text = form.format(points=100 * abs(gap.known))
    if gap.ends is None:
        return text
    bounds = sorted(side * end for end in gap.ends)
    return with_interval(text, *(f"{100 * bound:.1f}".replace("-", MINUS) for bound in bounds))


def name_of(label: Optional[int], name: str) -> str:
    """The name as it fits into a cell."""
    if label is None:
        return _("deleted cards")
    return without_middle(name, NAME_LENGTH, NAME_LENGTH // 2)


def tail_of(groups: Sequence[G]) -> Tuple[List[G], List[G]]:
    """The groups to list, and those to sum up; cards that no longer exist are always listed."""
    if len(groups) <= FEW_GROUPS:
        return list(groups), []
    by_size = sorted((group for group in groups if group.label is not None), key=lambda group: -group.reviews)
    listed = [group for group in by_size if group.reviews >= SMALL][:MOST_GROUPS]
    gone = [group for group in groups if group.label is None]
    return listed + gone, by_size[len(listed) :]


def tail_name(rest: Sequence[Sized], by: str) -> str:
    """What the groups are that are summed up: "317 smaller decks"."""
    return GROUP_TAIL[by](len(rest))


def tail_notes(rest: Sequence[Sized], by: str) -> Tuple[str, ...]:
    """How small they are; nothing where there are none."""
    most = max((group.reviews for group in rest), default=0)
    return (GROUP_TAIL_NOTE[by](most),) if rest else ()
