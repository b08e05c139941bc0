"""Colours between those of Anki's theme."""

from __future__ import annotations

from aqt import colors
from aqt.qt import QAbstractItemView, QColor
from aqt.theme import theme_manager

#: Of what is quiet, and of selected rows, so much is the canvas.
_QUIET = 0.35
_SELECTED = {False: 0.25, True: 0.5}  #: by whether it is night


def quiet_text() -> QColor:
    """Of text beside what matters. Anki's own is so faint that it can hardly be read at night."""
    return _mixed(theme_manager.qcolor(colors.FG), theme_manager.qcolor(colors.CANVAS), _QUIET)


def colour_selection(view: QAbstractItemView, more: str = "") -> None:
    """Give the view's selected rows their colour in the theme of now; ``more`` is the rest of its style sheet.

    It is Anki's, which lets the canvas shine through, mixed once: a table does so twice, and white letters cannot be
    read on what that gives at night.
    """
    share = _SELECTED[theme_manager.night_mode]
    mixed = _mixed(theme_manager.qcolor(colors.SELECTED_BG), theme_manager.qcolor(colors.CANVAS_CODE), share)
    text = theme_manager.qcolor(colors.FG).name()
    view.setStyleSheet(
        f"QAbstractItemView {{ selection-background-color: {mixed.name()}; selection-color: {text}; }}\n{more}"
    )


def _mixed(first: QColor, second: QColor, share: float) -> QColor:
    """So much of the second; transparency left aside."""
    pairs = zip((first.red(), first.green(), first.blue()), (second.red(), second.green(), second.blue()))
    return QColor(*(round((1 - share) * one + share * other) for one, other in pairs))
