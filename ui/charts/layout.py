"""What fits into a figure of some size: lines of its heading, entries of its legend, panels, names along its axis.

These are reckoned from the number of letters. Where the panels end, matplotlib's constrained layout finds out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Sequence, Tuple

import numpy as np

from ..text.lines import break_lines, display_width
from .style import SMALL

#: In font sizes: the margin of texts, what axes take at the left and the right, with another axis there, and below.
MARGIN, _LEFT, _RIGHT, _RIGHT_AXIS, _UNDER = 0.8, 6.6, 1.9, 5.4, 4.5
#: From this width, there is room for an axis on the right.
_MIN_RIGHT_AXIS = 26.0
_LINE = 1.55
#: Width of a letter, generously, on average in a label and in sentences, and of a Chinese or Japanese character.
_LETTER, _PROSE, _EM = 0.6, 0.54, 1.02
WIDE = _EM / _LETTER  #: letters that a Chinese or Japanese character is as wide as
TITLE = 1.12  #: font size of titles, relative to the rest
SAMPLE, SAMPLE_GAP, COLUMN_GAP = 1.9, 0.5, 1.0  #: before and after the text of a legend entry
_ENTRY = SAMPLE + SAMPLE_GAP + COLUMN_GAP
_COUNTS_SHARE, _MIN_COUNTS = 0.2, 2.6  #: of the height of both panels, for the lower one
_MIN_BOTH = 9.0  #: minimum height of two panels
_MIN_NOTES = 12.0  #: minimum height of all panels below notes
_MIN_MAIN = 6.5  #: and below a long legend
_MIN_ENTRIES = 2
_BETWEEN = 1.5  #: letters between names side by side
#: Maximum number of steps of an axis, and how much room each takes: in letters across, in lines up.
_MAX_STEPS, _STEP_ACROSS, _STEP_UP = 8, 8.3, 2.0


@dataclass(frozen=True)
class Layout:
    """How much fits. Heights are in fractions of the figure."""

    title: str  #: broken into lines
    legend: Tuple[str, ...]  #: the entries that are shown, broken into lines
    legend_columns: int
    legend_top: float
    note: str  #: broken into lines
    note_top: float
    panels_top: float
    counts_share: float  #: of the height, for the lower panel if there is one
    right_axis: bool
    names_in_two_lines: bool  #: those below the panels, in turn: side by side they would not all fit
    names_step: int  #: only every n-th of them fits
    letters_across: int  #: maximum number along the panels
    letters_up: int  #: maximum number along their side

    @property
    def steps_across(self) -> int:
        """Maximum number of steps of the horizontal axis."""
        return max(min(int(self.letters_across / _STEP_ACROSS), _MAX_STEPS), 2)

    @property
    def steps_up(self) -> int:
        """Maximum number of steps of the vertical axis."""
        return max(min(int(self.letters_up * _LETTER / _STEP_UP), _MAX_STEPS), 1)


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
    """Return what fits: the title in as many lines as it needs, the legend, the notes and the panels.

    If the figure is low, the last notes are left out first, then the last entries of the legend, then the lower panel.
    The names are at equal distances below the panels. If a line has no room for all of them, they are in two lines.
    """
    letter = font_size / 72
    width, height = size_inches[0] / letter, size_inches[1] / letter
    room = max(width - 2 * MARGIN, 1.0)
    lines = break_lines(title, int(room / (_LETTER * TITLE)), WIDE) if title else []
    note_lines = [break_lines(note, int(room / (_PROSE * SMALL)), _EM / _PROSE) for note in notes]
    entries = ["\n".join(break_lines(text, int((room - _ENTRY) / _LETTER), WIDE)) for text in legend]

    right_axis = right_axis and width >= _MIN_RIGHT_AXIS
    across = max(width - _LEFT - (_RIGHT_AXIS if right_axis else _RIGHT), 1.0)
    in_two_lines, step = _names(names, across / _LETTER)

    legend_top = height - MARGIN - _LINE * len(lines) - (0.15 if lines else 0.0)
    while True:
        columns, legend_lines = _legend(entries, room)
        note_top = legend_top - _LINE * legend_lines - 0.2
        top = note_top - _LINE * sum(map(len, note_lines)) - 0.2
        high = top - _UNDER
        least = _MIN_NOTES if note_lines else _MIN_MAIN
        if high >= least or not (note_lines or len(entries) > _MIN_ENTRIES):
            break
        (note_lines or entries).pop()
    counts_share = max(_COUNTS_SHARE, _MIN_COUNTS / high) if two_panels and high >= _MIN_BOTH else 0.0
    return Layout(
        title="\n".join(lines),
        legend=tuple(entries),
        legend_columns=columns,
        legend_top=legend_top / height,
        note="\n".join(line for lines in note_lines for line in lines),
        note_top=note_top / height,
        panels_top=top / height,
        counts_share=counts_share,
        right_axis=right_axis,
        names_in_two_lines=in_two_lines,
        names_step=step,
        letters_across=int(across / _LETTER),
        letters_up=int(max(high * (1 - counts_share), 2.0) / _LETTER),
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
