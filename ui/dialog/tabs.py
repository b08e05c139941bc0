"""A quiet row of words to choose a page of the window by; the one that is shown is underlined."""

from __future__ import annotations

from typing import Optional, Sequence, Tuple

from aqt import colors
from aqt.qt import QFocusEvent, QSizePolicy, QTabBar, QWidget
from aqt.theme import theme_manager

from .. import strings
from .shades import quiet_text

#: Anki's own tabs look like buttons.
_LOOK = """
QTabBar::tab, QTabBar::tab:first, QTabBar::tab:last, QTabBar::tab:selected, QTabBar::tab:hover {{
    background: none; border: none; border-bottom: 2px solid transparent; border-radius: 0;
    color: {quiet}; padding: 2px 2px 4px 2px; margin: 0 20px 0 0; min-width: 0;
}}
QTabBar::tab:hover {{ color: {text}; }}
QTabBar::tab:selected, QTabBar::tab:selected:hover {{ color: {text}; border-bottom: {thick}px solid {accent}; }}
"""


class Tabs(QTabBar):
    """With the arrow keys or the mouse."""

    def __init__(self, titles: Sequence[Tuple[str, str]], parent: Optional[QWidget] = None) -> None:
        """``titles``: the words, and what is said of them when they are hovered over."""
        super().__init__(parent)
        self.setAccessibleName(strings.TABS_NAME)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for title, tip in titles:
            self.setTabToolTip(self.addTab(title), tip)
        self.follow_theme()

    def focusInEvent(self, event: Optional[QFocusEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: the arrow keys choose now."""
        super().focusInEvent(event)
        self.follow_theme()

    def focusOutEvent(self, event: Optional[QFocusEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: they do no longer."""
        super().focusOutEvent(event)
        self.follow_theme()

    def follow_theme(self) -> None:
        """The colours of now."""
        self.setStyleSheet(
            _LOOK.format(
                quiet=quiet_text().name(),
                text=theme_manager.var(colors.FG),
                accent=theme_manager.var(colors.BORDER_FOCUS),
                thick=4 if self.hasFocus() else 2,
            )
        )
