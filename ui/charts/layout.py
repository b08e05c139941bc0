"""Positions in a figure, in fractions of it, computed from its size and font size.

Margins are reckoned rather than measured, which is quick: to measure a graph's texts once takes as long as to draw it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Optional, Sequence, Tuple

import numpy as np

from ..text.lines import break_lines, display_width

Box = Tuple[float, float, float, float]  #: left, bottom, width, height

#: In widths of a letter "m" (the font's size).
_LEFT, _RIGHT, _BOTTOM, _GAP = 6.6, 1.9, 4.1, 1.0
#: With an axis on the right; the graph has one from this width.
_RIGHT_AXIS, _MIN_RIGHT_AXIS = 5.4, 26.0
_LINE = 1.55
_LETTER = 0.6  #: width of an average letter, generously
WIDE = 1.02 / _LETTER  #: letters that a Chinese or Japanese character is as wide as
SAMPLE, SAMPLE_GAP, COLUMN_GAP = 1.9, 0.5, 1.0  #: before and after the text of a legend entry
_ENTRY = SAMPLE + SAMPLE_GAP + COLUMN_GAP
_COUNTS_SHARE, _MIN_COUNTS = 0.2, 2.4
_MIN_BOTH = 8.0  #: minimum height of both panels; below it, the lower one is left out
_MIN_NOTES = 12.0  #: minimum height of all panels; below it, notes are left out
_MIN_MAIN = 6.5  #: and if there is less than this, none for a long legend
_MIN_ENTRIES = 2
_BETWEEN = 1.5  #: letters between names side by side
_LABEL_UP = 5.4  #: distance from the panels to the middle of an upright label
_SECOND_LINE = 1.2  #: height of names below the panels


@dataclass(frozen=True)
class Layout:
    """Boxes in fractions of the figure, and how much fits into them."""

    main: Box
    below: Optional[Box]  #: for the numbers of reviews; None if the figure is too low for it
    names_in_two_lines: bool  #: those below the panels, in turn: side by side they would not all fit
    names_step: int  #: only every n-th of them fits
    letters_across: int  #: maximum number along the panels
    most_ticks_across: int  #: side by side with room between them
    most_ticks_up: int
    upright_letters: int  #: maximum number along the main panel's side
    label_letters: float  #: and below the panels
    label_up: float  #: middle of an upright label, in widths of a panel
    right_axis: bool  #: whether there is room for an axis on the right
    left: float  #: left edge of titles
    title: str  #: broken into lines that fit
    title_top: float
    legend: Tuple[str, ...]  #: notes broken into lines, those that are shown
    legend_columns: int
    legend_top: float
    note: str  #: title broken into lines
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
    right_axis: bool = False,
) -> Layout:
    """Return positions for the title (as many lines as it needs, none if empty), the legend, the notes and the panels.

    ``names`` are at equal distances below the panels, in two lines where one has no room for all.
    If the figure is low, the last notes are left out first, then the last entries of the legend, the lower panel.
    """
    letter = font_size / 72
    width, height = size_inches[0] / letter, size_inches[1] / letter
    room = max(width - 2 * _RIGHT, 1.0)
    lines = break_lines(title, int(room / (_LETTER * 1.12)), WIDE) if title else []
    note_lines = [break_lines(note, int(room / (_LETTER * 0.92)), WIDE) for note in notes]
    entries = ["\n".join(break_lines(text, int((room - _ENTRY) / _LETTER), WIDE)) for text in legend]

    right_axis = right_axis and width >= _MIN_RIGHT_AXIS
    across = max(width - _LEFT - (_RIGHT_AXIS if right_axis else _RIGHT), 1.0)
    in_two_lines, step = _names(names, across / _LETTER)
    under = _BOTTOM + (_SECOND_LINE if in_two_lines else 0.0)

    title_top = height - 0.8
    legend_top = title_top - _LINE * len(lines) - (0.15 if lines else 0.0)
    while True:
        columns, legend_lines = _legend(entries, room)
        note_top = legend_top - _LINE * legend_lines - 0.2
        top = note_top - _LINE * sum(map(len, note_lines)) - 0.4
        least = _MIN_NOTES if note_lines else _MIN_MAIN
        if top - under >= least or not (note_lines or len(entries) > _MIN_ENTRIES):
            break
        (note_lines or entries).pop()

    inside = max(top - under - _GAP, 2.0)
    counts = min(max(_COUNTS_SHARE * inside, _MIN_COUNTS), inside / 2)
    below = two_panels and inside >= _MIN_BOTH
    bottom = under + counts + _GAP if below else under
    high = max(top - bottom, 2.0)
    return Layout(
        main=(_LEFT / width, bottom / height, across / width, high / height),
        below=(_LEFT / width, under / height, across / width, counts / height) if below else None,
        names_in_two_lines=in_two_lines,
        names_step=step,
        letters_across=int(across / _LETTER),
        most_ticks_across=max(min(int(across / 5), 8), 2),
        most_ticks_up=max(min(int(high / 2), 8), 1),
        upright_letters=int(high / _LETTER),
        label_letters=(across + 1.8 * _RIGHT) / _LETTER,
        label_up=-_LABEL_UP / across,
        right_axis=right_axis,
        left=_RIGHT / width,
        title="\n".join(lines),
        title_top=title_top / height,
        legend=tuple(entries),
        legend_columns=columns,
        legend_top=legend_top / height,
        note="\n".join(line for lines in note_lines for line in lines),
        note_top=note_top / height,
    )


def _names(names: Sequence[str], room: float) -> Tuple[bool, int]:
    """Return whether the names need two lines in this width (in letters), and which of them (every n-th) fit."""
    wide = [display_width(name, WIDE) for name in names]

    def fits(step: int) -> bool:
        apart = step * room / len(names)
        return all((item + other) / 2 + _BETWEEN <= apart for item, other in zip(wide, wide[step:]))

    if not names or fits(1):
        return False, 1
    return (True, 1) if fits(2) else (False, next(step for step in range(3, len(names) + 1) if fits(step)))


def _legend(entries: Sequence[str], room: float) -> Tuple[int, int]:
    """Return the number of columns of the legend, filled one after the other, and its number of lines."""
    widths = [_ENTRY + _LETTER * display_width(text, WIDE) for text in entries]
    for columns in range(len(entries), 1, -1):
        if sum(map(max, np.array_split(widths, columns))) <= room:
            return columns, math.ceil(len(entries) / columns)
    return 1, sum(text.count("\n") + 1 for text in entries)
