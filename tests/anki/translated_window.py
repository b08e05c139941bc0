"""The whole window in another language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from running import Running, expect
from sample_collections import write_nested
from session import AnkiSession
from window_tour import graphs, open_chooser, pages

SIZES = {"narrow": (900, 600), "wide": (1920, 1080)}


def speaking(folder: Path) -> None:
    """Every page and every graph."""
    write_nested(folder / "given.anki2")
    with Running(folder, folder / "given.anki2") as anki:
        window = anki.click_menu_item()
        anki.wait(lambda: window.bar.progress.value() > 0.3 * window.bar.progress.maximum(), "something to happen")
        look(anki, window, "running")
        anki.wait_for_results(window)
        look(anki, window, "finished", night=True)
        window.bar.funnel_toggle.setChecked(True)
        look(anki, window, "funnel")
        window.bar.funnel_toggle.setChecked(False)
        window.table.choose(["FSRS-6", "Anki-SM-2"])
        for key in graphs(anki, window):
            look(anki, window, f"graph-{key}")
        window.panel.as_numbers.click()
        look(anki, window, "numbers")
        window.panel.as_numbers.click()
        for page in pages(anki, window):
            look(anki, window, f"page-{page.page.views[0]}")
        look(anki, open_chooser(anki, window), "chooser", resize=False)
        window.chooser.close()


def speaking_english(folder: Path) -> None:
    write_nested(folder / "given.anki2", 60)
    with Running(folder, folder / "given.anki2") as anki:
        window = anki.open_window()
        bar, code, close = (
            window.scope_bar,
            anki.module("ui.text").code(),
            window.bar.close_button.text().strip("\u2066\u2069"),
        )
        expect((code, close, bar.calendar.locale().name()[:2]) == ("en", "Close", "en"), f"{code} {close}")
        chooser = open_chooser(anki, window)
        parts = [window, window.table, chooser, bar.since.menu(), window.bar.export.menu()]
        expect(not any(part.isRightToLeft() for part in parts), "from left to right")
        window.close()


def look(anki: AnkiSession, window: Any, name: str, *, resize: bool = True, night: bool = False) -> None:
    """Take pictures, narrow and wide, by day and by night."""
    for theme in ("light", "night") if night else ("light",):
        anki.set_night(theme == "night")
        for size, pixels in SIZES.items():
            if resize:
                window.resize(*pixels)
            anki.screenshot(window, f"{name}-{size}-{theme}-{anki.language}")
    anki.set_night(False)
