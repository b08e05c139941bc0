"""The whole window in another language: what there is to be read is gathered, and pictures are taken."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Iterator, List, Optional

from running import Facts, Running
from sample_collections import write_nested
from session import AnkiSession
from touring import graphs, open_chooser, pages

SIZES = {"narrow": (900, 600), "wide": (1920, 1080)}


def speaking(folder: Path) -> Facts:
    """Every page and every graph; ``CATALOGUE`` may name a file with a translation, beside those that ship."""
    write_nested(folder / "given.anki2")
    with Running(folder, folder / "given.anki2", catalogue=given_catalogue()) as anki:
        heard: List[str] = [action.text() for action in anki.mw.form.menuTools.actions() if "SRS" in action.text()]
        window = anki.click_menu_item()
        anki.wait(lambda: window.bar.progress.value() > 0.3 * window.bar.progress.maximum(), "something to happen")
        look(anki, window, heard, "running")
        anki.wait_for_results(window)
        look(anki, window, heard, "finished", night=True)
        window.bar.funnel_toggle.setChecked(True)
        look(anki, window, heard, "funnel")
        window.bar.funnel_toggle.setChecked(False)
        window.table.choose(["FSRS-6", "SM-2"])
        for key in graphs(anki, window):
            look(anki, window, heard, f"graph-{key}")
        window.panel.as_numbers.click()
        look(anki, window, heard, "numbers")
        window.panel.as_numbers.click()
        for page in pages(anki, window):
            look(anki, window, heard, f"page-{page.page.views[0]}")
        look(anki, open_chooser(anki, window), heard, "chooser", resize=False)
        window.chooser.close()
        return {"heard": sorted(set(heard)), "names": names(anki)}


def given_catalogue() -> Optional[bytes]:
    """What ``CATALOGUE`` names."""
    return Path(os.environ["CATALOGUE"]).read_bytes() if "CATALOGUE" in os.environ else None


def names(anki: AnkiSession) -> List[str]:
    """What no translation of ours holds: names of algorithms, decks and presets, and the words of Anki and of Qt."""
    from aqt.utils import tr

    words = anki.module("ui.anki.language")
    borrow = words.borrow_from(tr)
    decks = anki.mw.col.decks
    return [
        *anki.module("evaluator.algorithms").CATALOGUE,
        *(part for deck in decks.all_names_and_ids() for part in (deck.name, *deck.name.split("::"))),
        *(preset["name"] for preset in decks.all_config()),
        *map(borrow, words.ANKI_WORDS),
        "separator",  # how Qt marks one in a list
    ]


def look(
    anki: AnkiSession, window: Any, heard: List[str], name: str, *, resize: bool = True, night: bool = False
) -> None:
    """Gather the texts, and take pictures, narrow and wide; at night too."""
    anki.settle()
    heard += [text for text in spoken_texts(window) if text]
    for theme in ("light", "night") if night else ("light",):
        anki.set_night(theme == "night")
        for size, pixels in SIZES.items():
            if resize:
                window.resize(*pixels)
            anki.screenshot(window, f"{name}-{size}-{theme}-{anki.language}")
    anki.set_night(False)


# --- what there is to be read -----------------------------------------------------------------------------------------


def spoken_texts(window: Any) -> Iterator[str]:
    """Of the window and all within it: what is seen, what is heard, and what appears where the mouse rests."""
    from aqt.qt import QWidget

    for widget in [window, *window.findChildren(QWidget)]:
        yield from texts_of(widget)


def texts_of(widget: Any) -> Iterator[str]:
    """Of the widget alone, not of those within it."""
    from aqt.qt import QAbstractItemView, QComboBox, QMenu, QTabBar

    if _is_qts_own(widget):
        return
    for name in ("windowTitle", "toolTip", "accessibleName", "accessibleDescription", "text", "placeholderText"):
        said = getattr(widget, name, None)
        if callable(said):
            yield str(said())
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(row) for row in range(widget.count()))
    if isinstance(widget, QTabBar):
        yield from (text for row in range(widget.count()) for text in (widget.tabText(row), widget.tabToolTip(row)))
    if isinstance(widget, QMenu):
        yield from (text for action in widget.actions() for text in (action.text(), action.toolTip()))
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from _items(widget.model())


def _is_qts_own(widget: Any) -> bool:
    """Within a calendar, or a button that scrolls tabs: Qt says what is there."""
    from aqt.qt import QCalendarWidget, QTabBar

    parent = widget.parent()
    while parent is not None and not isinstance(parent, (QCalendarWidget, QTabBar)):
        parent = parent.parent()
    return parent is not None


def _items(model: Any, parent: Any = None) -> Iterator[str]:
    from aqt.qt import QModelIndex, Qt

    roles = [
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.ToolTipRole,
        Qt.ItemDataRole.AccessibleTextRole,
        Qt.ItemDataRole.AccessibleDescriptionRole,
    ]
    parent = QModelIndex() if parent is None else parent
    for column in range(model.columnCount(parent)):
        yield from (str(model.headerData(column, Qt.Orientation.Horizontal, role) or "") for role in roles)
        for row in range(model.rowCount(parent)):
            index = model.index(row, column, parent)
            yield from (str(model.data(index, role) or "") for role in roles)
            if column == 0:
                yield from _items(model, index)
