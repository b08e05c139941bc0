"""Walk through the window: its graphs, its pages, its menus, and pictures of them."""

from __future__ import annotations

import os
from typing import Any, Iterator

from session import AnkiSession

SIZES = {"narrow": (900, 600), "wide": (1920, 1080)}


def graphs(anki: AnkiSession, window: Any) -> Iterator[str]:
    """Choose each graph, and yield its key once it is shown."""
    panel = window.panel
    for key in filter(None, [panel.list.itemData(row) for row in range(panel.list.count())]):
        panel.choose(key)
        anki.wait(lambda key=key: panel.shown is not None and panel.shown.key == key, f"the graph {key}")
        yield key


def pages(anki: AnkiSession, window: Any) -> Iterator[Any]:
    """Open each page, request its slow sections, and yield the page once all are shown. At last return to the first."""
    for number, page in enumerate(window.results.pages, start=1):
        window.results.tabs.setCurrentIndex(number)
        anki.settle()  # Quick sections are computed without a request.
        for block in page.blocks:
            if block.button.isVisible():
                block.button.click()
        for block in page.blocks:
            anki.wait(block.content.isVisible, f"the section {block.section}")
        yield page
    window.results.tabs.setCurrentIndex(0)


def open_menu(anki, button):
    """Open the button's menu and return it. A click would block until the menu is closed."""
    menu = button.menu()
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
    anki.settle()
    return menu


def open_chooser(anki, window):
    """Open the dialog that chooses algorithms, and return it."""
    window.choose_button.click()
    anki.wait(lambda: window.chooser is not None and window.chooser.isVisible(), "the chooser")
    anki.settle()
    return window.chooser


def screenshot_themes(anki: AnkiSession, widget: Any, name: str) -> None:
    """Take a picture in the dark theme, then one in the light theme, which stays."""
    for theme in ("night", "light"):
        anki.set_night(theme == "night")
        anki.screenshot(widget, f"{name}-{theme}")


def screenshot_sizes(anki: AnkiSession, window: Any, name: str) -> None:
    """Take pictures in both themes, narrow and wide. If they are not kept, take the smallest light one only."""
    if "SCREENSHOTS" not in os.environ:
        window.resize(*SIZES["narrow"])
        anki.screenshot(window, name)
        return
    for size, pixels in SIZES.items():
        window.resize(*pixels)
        screenshot_themes(anki, window, f"{name}-{size}")
