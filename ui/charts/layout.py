"""Where things stand in a figure, in fractions of it, from its size and the size of its font.

Margins are reckoned rather than measured: it is the same on every machine, and quick. A graph is drawn in 20 ms like
this, as SVG. With matplotlib's axes and legend a plain one takes 40; to measure its texts once (``get_tightbbox``)
takes 19 more, ``tight_layout`` 21, the constrained layout 30. Neither breaks a title into lines, chooses the columns of
a legend, or leaves something out where a window is small. Its legend alone takes 3 ms more than ours, and as many
lines.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Iterator, List, NamedTuple, Optional, Sequence, Tuple

from ..text.lines import break_lines, letters

Box = Tuple[float, float, float, float]  #: left, bottom, width, height

#: In widths of a letter "m" (the font's size).
_LEFT, _RIGHT, _BOTTOM, _GAP = 6.6, 1.9, 4.1, 1.0
_LINE = 1.55
_LETTER = 0.6  #: width of an average letter, generously
WIDE = 1.02 / _LETTER  #: letters that a Chinese or Japanese character is as wide as
_SAMPLE, _SAMPLE_GAP, _COLUMN_GAP = 1.9, 0.5, 1.0  #: of a legend's entry: before its text, and after it
_ENTRY = _SAMPLE + _SAMPLE_GAP + _COLUMN_GAP
_SAMPLE_DOWN = 0.42  #: from the top of the text to the sample beside it
_COUNTS_SHARE, _COUNTS_LEAST = 0.2, 4.6
_BOTH_LEAST = 11.0  #: of both panels; where there is less, the lower one is left out
_MAIN_LEAST = 6.5  #: of the main panel; where there is less, there is no room for notes
_ENTRIES_LEAST = 2
_BETWEEN = 1.5  #: letters between names side by side
TICK_GAP, TICK_LINE = 0.35, 1.2  #: from a tick to its name, and from the upper names below the panels to the lower ones
LABEL_UP, LABEL_ACROSS = 5.4, 0.65  #: to the labels: from the panels to the middle, from the names' line to the top


class LegendEntry(NamedTuple):
    """Where an entry of the legend stands: a sample of the line, and its text."""

    sample: Tuple[float, float]  #: left and right
    sample_height: float
    left: float
    top: float
    text: str  #: broken into lines that fit


@dataclass(frozen=True)
class Layout:
    """Boxes in fractions of the figure, and how much fits into them."""

    main: Box
    below: Optional[Box]  #: for the numbers of reviews; None where the figure is too low for it
    names_in_two_lines: bool  #: those below the panels, in turn: side by side they would not all fit
    names_step: int  #: every so many-th of them fits
    most_ticks_across: int  #: side by side with room between them
    most_ticks_up: int
    upright_letters: int  #: as many fit along the main panel's side
    label_letters: float  #: and below the panels
    left: float  #: where titles begin
    title: str  #: broken into lines that fit
    title_top: float
    legend: Tuple[LegendEntry, ...]  #: those that are shown
    note: str  #: likewise broken
    note_top: float


def lay_out(
    *,
    size_inches: Tuple[float, float],
    font_size: float,
    title: str,
    legend: Sequence[str],
    notes: Sequence[str],
    names: Sequence[str] = (),
    two_panels: bool = True,
) -> Layout:
    """Places for a title of as many lines as it needs (none if empty), a legend, notes, and the panels below.

    ``names`` stand at equal distances below the panels, in two lines where one has no room for all.
    Where the figure is low, the last notes are left out first, then the last entries of the legend, the lower panel.
    """
    letter = font_size / 72
    width, height = size_inches[0] / letter, size_inches[1] / letter
    room = max(width - 2 * _RIGHT, 1.0)
    lines = break_lines(title, int(room / (_LETTER * 1.12)), WIDE) if title else []
    note_lines = [break_lines(note, int(room / (_LETTER * 0.92)), WIDE) for note in notes]
    entries = ["\n".join(break_lines(text, int((room - _ENTRY) / _LETTER), WIDE)) for text in legend]

    across = _across(width)
    in_two_lines, step = _names(names, across / _LETTER)
    under = _BOTTOM + (TICK_LINE if in_two_lines else 0.0)

    title_top = height - 0.8
    legend_top = title_top - _LINE * len(lines) - (0.15 if lines else 0.0)
    while True:
        columns = _legend_columns(entries, room)
        note_top = legend_top - _LINE * _legend_lines(entries, columns) - 0.2
        top = note_top - _LINE * sum(map(len, note_lines)) - 0.4
        if top - under >= _MAIN_LEAST or not (note_lines or len(entries) > _ENTRIES_LEAST):
            break
        if note_lines:
            note_lines.pop()
        else:
            entries.pop()

    inside = max(top - under - _GAP, 2.0)
    counts = min(max(_COUNTS_SHARE * inside, _COUNTS_LEAST), inside / 2)
    below = two_panels and inside >= _BOTH_LEAST
    bottom = under + counts + _GAP if below else under
    high = max(top - bottom, 2.0)
    return Layout(
        main=(_LEFT / width, bottom / height, across / width, high / height),
        below=(_LEFT / width, under / height, across / width, counts / height) if below else None,
        names_in_two_lines=in_two_lines,
        names_step=step,
        most_ticks_across=max(min(int(across / 5), 8), 2),
        most_ticks_up=max(min(int(high / 2), 8), 2),
        upright_letters=int(high / _LETTER),
        label_letters=(across + 1.8 * _RIGHT) / _LETTER,
        left=_RIGHT / width,
        title="\n".join(lines),
        title_top=title_top / height,
        legend=tuple(_placed(entries, columns, legend_top, (width, height))),
        note="\n".join(line for lines in note_lines for line in lines),
        note_top=note_top / height,
    )


def letters_across(width_inches: float, font_size: float) -> float:
    """How many letters fit along the panels of a figure of that width."""
    return _across(width_inches * 72 / font_size) / _LETTER


def _across(width: float) -> float:
    """The width of the panels in a figure of that width."""
    return max(width - _LEFT - _RIGHT, 1.0)


def _names(names: Sequence[str], room: float) -> Tuple[bool, int]:
    """Whether the names need two lines in that room (in letters), and at which step they fit."""
    wide = [letters(name, WIDE) for name in names]

    def fits(step: int) -> bool:
        apart = step * room / len(names)
        return all((one + other) / 2 + _BETWEEN <= apart for one, other in zip(wide, wide[step:]))

    if not names or fits(1):
        return False, 1
    return (True, 1) if fits(2) else (False, next(step for step in range(3, len(names) + 1) if fits(step)))


def _legend_columns(legend: Sequence[str], room: float) -> int:
    """How many entries fit side by side; columns are filled one after the other."""
    if any("\n" in text for text in legend):
        return 1
    for columns in range(len(legend), 1, -1):
        widest = [max(letters(text, WIDE) for text in column) for column in _in_columns(legend, columns)]
        if sum(_LETTER * width + _ENTRY for width in widest) <= room:
            return columns
    return 1


def _in_columns(legend: Sequence[str], columns: int) -> List[Sequence[str]]:
    least, longer = divmod(len(legend), columns)  # the first columns have one entry more
    ends = [least * column + min(column, longer) for column in range(columns + 1)]
    return [legend[begin:stop] for begin, stop in zip(ends, ends[1:])]


def _placed(legend: Sequence[str], columns: int, top: float, size: Tuple[float, float]) -> Iterator[LegendEntry]:
    """Place the legend's entries, in fractions of a figure of that size."""
    width, height = size
    left = _RIGHT
    for column in _in_columns(legend, columns):
        line = top
        for text in column:
            ends = left / width, (left + _SAMPLE) / width
            right = (left + _SAMPLE + _SAMPLE_GAP) / width
            yield LegendEntry(ends, (line - _SAMPLE_DOWN) / height, right, line / height, text)
            line -= _LINE * (text.count("\n") + 1)
        left += _ENTRY + _LETTER * max(letters(text, WIDE) for text in column)


def _legend_lines(legend: Sequence[str], columns: int) -> int:
    if columns > 1:
        return math.ceil(len(legend) / columns)
    return sum(text.count("\n") + 1 for text in legend)
