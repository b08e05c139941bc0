"""A tour of the window: its graphs, its pages, what drops down from it."""

from __future__ import annotations

from typing import Any, Iterator

from session import AnkiSession


def graphs(anki: AnkiSession, window: Any) -> Iterator[str]:
    """Choose each graph, and yield its key once it is shown."""
    panel = window.panel
    for key in filter(None, [panel.list.itemData(row) for row in range(panel.list.count())]):
        panel.choose(key)
        anki.wait(lambda key=key: panel.shown is not None and panel.shown.key == key, f"the graph {key}")
        yield key


def pages(anki: AnkiSession, window: Any, *, ask: bool = True) -> Iterator[Any]:
    """Visit each page, then the first again. Slow sections are requested, or only seen to be offered."""
    for number, page in enumerate(window.results.pages, start=1):
        window.results.tabs.setCurrentIndex(number)
        anki.settle()  # what is quick is computed by itself
        offered = [block for block in page.blocks if block.button.isVisible()]
        for block in offered if ask else ():
            block.button.click()
        for block in page.blocks:
            if ask or block not in offered:
                anki.wait(block.content.isVisible, f"the section {block.section}")
        yield page
    window.results.tabs.setCurrentIndex(0)


def open_menu(anki: AnkiSession, button: Any) -> Any:
    """Drop down the button's menu. A click would wait for its end."""
    menu = button.menu()
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
    anki.settle()
    return menu


def open_chooser(anki: AnkiSession, window: Any) -> Any:
    """Click the button at the top, and return the small window."""
    window.choose_button.click()
    anki.wait(lambda: window.chooser is not None and window.chooser.isVisible(), "the chooser")
    anki.settle()
    return window.chooser
