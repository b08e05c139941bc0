"""Layout of a figure: which lines of its heading, entries of its legend, panels and names along an axis fit.

Widths are estimated from the number of characters. Later, matplotlib's layout engine places the panels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import List, Sequence, Tuple

import numpy as np

from ..text.text_width import break_lines, display_width
from .style import SMALL

# Lengths are in font sizes, unless a comment says that they are in characters.
#: Margin of texts.
MARGIN = 0.8
#: Room that axes take at the left.
_LEFT = 6.6
#: Room that they take at the right, without and with an axis there.
_RIGHT = 1.9
_RIGHT_AXIS = 5.4
#: Room that they take below.
_UNDER = 4.5
#: Minimum width of a figure with an axis on the right.
_MIN_RIGHT_AXIS = 26.0
#: Height of a line.
LINE = 1.55
#: Average width of a character in a label, and in a sentence.
_CHARACTER = 0.6
_PROSE = 0.54
#: Width of a Chinese or Japanese character.
_EM = 1.02
#: Width of a Chinese or Japanese character in average characters of a label.
WIDE = _EM / _CHARACTER
#: Font size of titles, relative to other texts.
TITLE = 1.12
#: Width of the sample of a legend entry.
SAMPLE = 1.9
#: Gap between the sample and the text.
SAMPLE_GAP = 0.5
#: Gap between the text and the next entry.
COLUMN_GAP = 1.0
#: Width of a legend entry without its text.
_ENTRY = SAMPLE + SAMPLE_GAP + COLUMN_GAP
#: Height of the lower of two panels as a share of both, and its minimum.
_COUNTS_SHARE = 0.2
_MIN_COUNTS = 2.6
#: Minimum height of two panels together.
_MIN_BOTH = 9.0
#: Minimum height of the panels below notes, and below a legend with more entries than are always shown.
_MIN_BELOW_NOTES = 12.0
_MIN_BELOW_LEGEND = 6.5
#: Number of legend entries that are always shown.
_MIN_ENTRIES = 2
#: Gap between names side by side, in characters.
_BETWEEN = 1.5
#: Maximum number of steps of an axis.
_MAX_STEPS = 8
#: Minimum width of a step, in characters.
_STEP_ACROSS = 8.3
#: Minimum height of a step.
_STEP_UP = 2.0


@dataclass(frozen=True)
class Layout:
    """Texts and sizes that fit into a figure. Heights are fractions of the figure's height."""

    title: str  #: the title, broken into lines
    legend: Tuple[str, ...]  #: the entries that fit, broken into lines
    legend_columns: int
    legend_top: float
    note: str  #: the notes that fit, broken into lines
    note_top: float
    panels_top: float
    counts_share: float  #: height of the lower panel as a share of both, 0 if there is none
    right_axis: bool  #: whether there is room for an axis on the right
    names_in_two_lines: bool  #: whether every second name below the panels must be in a second line
    names_step: int  #: distance of the names that fit: 1 if all do, 2 if every second one does
    characters_per_line: int  #: number of characters that fit along the width of the panels
    characters_up: int  #: number of characters that fit along the height of the first panel

    @property
    def steps_across(self) -> int:
        """Maximum number of steps of the horizontal axis."""
        return max(min(int(self.characters_per_line / _STEP_ACROSS), _MAX_STEPS), 2)

    @property
    def steps_up(self) -> int:
        """Maximum number of steps of the vertical axis."""
        return max(min(int(self.characters_up * _CHARACTER / _STEP_UP), _MAX_STEPS), 1)


def lay_out(
    *,
    size_inches: Tuple[float, float],
    font_size: float,
    title: str,
    legend: Sequence[str],
    notes: Sequence[str],
    names: Sequence[str],
    right_axis: bool,
) -> Layout:
    """Compute which texts and panels fit into a figure.

    The title gets as many lines as it needs. If the figure is low, the last notes are left out first, then the last
    entries of the legend, then the lower panel.

    Args:
        size_inches: width and height of the figure.
        font_size: font size in points.
        title: title, which may be empty.
        legend: texts of the legend.
        notes: sentences below the legend.
        names: names below two panels, at equal distances. Without names, there is one panel.
        right_axis: whether an axis on the right is needed.
    """
    inches = font_size / 72
    width, height = size_inches[0] / inches, size_inches[1] / inches
    room = max(width - 2 * MARGIN, 1.0)
    title_lines = break_lines(title, int(room / (_CHARACTER * TITLE)), WIDE) if title else []
    note_lines = [break_note(note, width) for note in notes]
    entries = ["\n".join(break_lines(text, int((room - _ENTRY) / _CHARACTER), WIDE)) for text in legend]

    right_axis = right_axis and width >= _MIN_RIGHT_AXIS
    across = max(width - _LEFT - (_RIGHT_AXIS if right_axis else _RIGHT), 1.0)
    in_two_lines, step = _fit_names(names, across / _CHARACTER)

    # Small gaps separate the title, the legend, the notes and the panels.
    legend_top = height - MARGIN - LINE * len(title_lines) - (0.15 if title_lines else 0.0)
    while True:
        columns, legend_lines = _fit_legend(entries, room)
        note_top = legend_top - LINE * legend_lines - 0.2
        panels_top = note_top - LINE * sum(map(len, note_lines)) - 0.2
        panels_height = panels_top - _UNDER
        min_height = _MIN_BELOW_NOTES if note_lines else _MIN_BELOW_LEGEND
        if panels_height >= min_height or not (note_lines or len(entries) > _MIN_ENTRIES):
            break
        (note_lines or entries).pop()
    counts_share = max(_COUNTS_SHARE, _MIN_COUNTS / panels_height) if names and panels_height >= _MIN_BOTH else 0.0
    return Layout(
        title="\n".join(title_lines),
        legend=tuple(entries),
        legend_columns=columns,
        legend_top=legend_top / height,
        note="\n".join(line for lines in note_lines for line in lines),
        note_top=note_top / height,
        panels_top=panels_top / height,
        counts_share=counts_share,
        right_axis=right_axis,
        names_in_two_lines=in_two_lines,
        names_step=step,
        characters_per_line=int(across / _CHARACTER),
        characters_up=int(max(panels_height * (1 - counts_share), 2.0) / _CHARACTER),
    )


def break_note(note: str, width: float) -> List[str]:
    """Break a note into the lines that it needs in a figure of this width, in font sizes."""
    return break_lines(note, int(max(width - 2 * MARGIN, 1.0) / (_PROSE * SMALL)), _EM / _PROSE)


def _fit_names(names: Sequence[str], room: float) -> Tuple[bool, int]:
    """Fit names side by side into a width of ``room`` characters.

    Returns:
        Whether the names need two lines, and n if only every n-th name fits, otherwise 1.
    """
    widths = [display_width(name, WIDE) for name in names]

    def fits(step: int) -> bool:
        """Return whether a name fits beside the next one if every ``step``-th is written."""
        distance = step * room / len(names)
        return all((width + next_width) / 2 + _BETWEEN <= distance for width, next_width in zip(widths, widths[step:]))

    if not names or fits(1):
        return False, 1
    return (True, 1) if fits(2) else (False, next(step for step in range(3, len(names) + 1) if fits(step)))


def _fit_legend(entries: Sequence[str], room: float) -> Tuple[int, int]:
    """Return the number of columns and of lines of the legend in a width of ``room`` font sizes."""
    widths = [_ENTRY + _CHARACTER * display_width(text, WIDE) for text in entries]
    for columns in range(len(entries), 1, -1):
        if sum(map(max, np.array_split(widths, columns))) <= room:
            return columns, math.ceil(len(entries) / columns)
    return 1, sum(text.count("\n") + 1 for text in entries)
