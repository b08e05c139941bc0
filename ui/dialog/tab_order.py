"""The order in which the Tab key goes through a window, for what is made later than what stands below it."""

from __future__ import annotations

from aqt.qt import QWidget


def go_through(*widgets: QWidget) -> None:
    """From the first to the second, then to the third, and so on; after the last to what came after it before."""
    for before, after in zip(widgets, widgets[1:]):
        QWidget.setTabOrder(before, after)
