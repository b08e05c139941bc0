"""The colour of selected rows: Anki's, mixed with the canvas once.

A table that mixes it itself does so twice, and white letters cannot be read on what that gives at night.
"""

from __future__ import annotations

from aqt import colors
from aqt.qt import QAbstractItemView, QColor
from aqt.theme import theme_manager

_CANVAS_SHARE = {False: 0.25, True: 0.5}  #: of the mixture, by whether it is night


def colour_selection(view: QAbstractItemView, more: str = "") -> None:
    """Give the view's selected rows their colour in the theme of now; ``more`` is the rest of its style sheet."""
    share = _CANVAS_SHARE[theme_manager.night_mode]
    mixed = _mixed(theme_manager.qcolor(colors.SELECTED_BG), theme_manager.qcolor(colors.CANVAS_CODE), share)
    text = theme_manager.qcolor(colors.FG).name()
    view.setStyleSheet(
        f"QAbstractItemView {{ selection-background-color: {mixed.name()}; selection-color: {text}; }}\n{more}"
    )


def _mixed(first: QColor, second: QColor, share: float) -> QColor:
    """So much of the second; transparency left aside."""
    pairs = zip((first.red(), first.green(), first.blue()), (second.red(), second.green(), second.blue()))
    return QColor(*(round((1 - share) * one + share * other) for one, other in pairs))
