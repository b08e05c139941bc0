"""How verdicts fared: kept after an evaluation, judged by later reviews, erased, switched off, damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List

from looking import take_every_size
from running import expect
from session import ADDON_FOLDER, AnkiSession

#: The share of the time that is over when the first verdict is found, and the second.
FIRST, SECOND = 0.4, 0.8
STABILITY = 3


def forecasting(anki: AnkiSession, _folder: Path) -> None:
    """Evaluate, study for months, evaluate again, and look; then erase all, switch it off, and find it damaged."""
    col = anki.mw.col
    undo_before, modified_before = col.undo_status().undo, col.mod
    later = _take_away_after(col, FIRST)
    window = anki.open_window()
    kept = _wait_until_kept(anki, window)
    expect([one["outcome"] for one in kept] == [None], "one waits")
    block = _open(anki, window)
    expect("is still open" in _words(block), _words(block))
    anki.screenshot(window, "forecast-open-light")

    _study(col, later, SECOND)
    anki.evaluate(window)
    kept = _wait_until_kept(anki, window)
    expect([one["outcome"] is None for one in kept] == [False, True], "it is judged, and the next one waits")
    expect(kept[0]["outcome"]["reviews"] >= 300 and kept[0]["outcome"]["days"] >= 60, str(kept[0]["outcome"]))
    block = _open(anki, window)
    _expect_both(block, kept)
    take_every_size(anki, window, "forecast-judged")

    anki.evaluate(window)
    expect(_wait_until_kept(anki, window) == kept, "nothing new came, so nothing is new")
    _study(col, later, 1.0)
    window.model.choose_scope(anki.module("ui.science").ScopeChoice("deck", "Default"))
    anki.wait_for_results(window)
    window.model.choose_scope(anki.module("ui.science").WHOLE_COLLECTION)
    anki.wait_for_results(window)
    kept_at_the_end = _wait_until_kept(anki, window)
    expect(kept_at_the_end[0] == kept[0], "what is judged stays")

    _erase(anki, window)
    _switch_off(anki, window)
    _damage(anki, window)
    expect((col.undo_status().undo, col.mod) == (undo_before, modified_before), "the collection is as it was")


def _take_away_after(col: Any, share: float) -> List[Any]:
    """The rows that are made only later; they leave the review log, and come back with :func:`_study`."""
    first, last = col.db.first("select min(id), max(id) from revlog")
    rows: List[Any] = col.db.all("select * from revlog where id > ? order by id", first + (last - first) * share)
    col.db.execute("delete from revlog where id >= ?", rows[0][0])
    return rows


def _study(col: Any, later: List[Any], share: float) -> None:
    """Those of the rows are made that come first, up to so much of the whole time."""
    first = col.db.scalar("select min(id) from revlog")
    end = later[-1][0] if share == 1 else first + (later[-1][0] - first) * share
    now = [row for row in later if row[0] <= end]
    col.db.executemany("insert or ignore into revlog values (?,?,?,?,?,?,?,?,?)", now)


def _files(anki: AnkiSession) -> List[Path]:
    return sorted((anki.base / "addons21" / ADDON_FOLDER / "user_files").glob("*"))


def _wait_until_kept(anki: AnkiSession, window: Any) -> List[Dict[str, Any]]:
    """What is in the file, once nothing is to be worked out any more."""
    anki.wait(lambda: window.model.jobs.over, "the forecast")
    (file,) = _files(anki)
    expect("User" not in file.read_text(encoding="utf-8") + file.name, "no names")
    forecasts: List[Dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["forecasts"]
    return forecasts


def _open(anki: AnkiSession, window: Any) -> Any:
    window.results.tabs.setCurrentIndex(STABILITY)
    (block,) = (block for block in window.results.pages[STABILITY - 1].blocks if block.section == "forecasts")
    anki.wait(block.content.isVisible, "the section")
    anki.settle()
    return block


def _words(block: Any) -> str:
    from aqt.qt import QLabel

    return "\n".join(label.text() for label in block.findChildren(QLabel) if label.isVisibleTo(block))


def _expect_both(block: Any, kept: List[Dict[str, Any]]) -> None:
    """The sentence and the table say what is in the file."""
    judged, waiting = kept
    words = _words(block)
    expect(f"On {judged['date']} FSRS-6 was " in words, words)
    expect(f"{judged['outcome']['reviews']:,} reviews from then to {judged['outcome']['date']}" in words, words)
    (table,) = (child for child in block.content.findChildren(_table_type(block)) if child.table.rows)
    expect([row[0] for row in table.table.rows] == [waiting["date"], judged["date"]], "the newest first")
    expect(table.table.rows[0][-1] == "still open", str(table.table.rows))
    expect("this computer" in words, words)


def _table_type(block: Any) -> Any:
    import importlib

    return importlib.import_module(type(block).__module__.replace("kept_section", "text_table")).TextTable


def _erase(anki: AnkiSession, window: Any) -> None:
    block = _open(anki, window)
    block.erase.click()
    expect(_files(anki), "it asks once more")
    anki.screenshot(window, "forecast-erase-light")
    block.keep.click()
    expect(_files(anki) and not block.keep.isVisible(), "and then again")
    block.erase.click()
    block.erase.click()
    anki.settle()
    expect(not _files(anki), str(_files(anki)))
    expect("erased" in _words(block) and not block.content.isVisible(), _words(block))
    anki.screenshot(window, "forecast-erased-light")
    anki.evaluate(window)
    expect(len(_wait_until_kept(anki, window)) == 1, "begun anew")


def _switch_off(anki: AnkiSession, window: Any) -> None:
    """In Options: nothing is written any more, and what was kept can be erased."""
    popup, report = window.scope_bar.options_popup, window.table.report
    window.scope_bar.options.click()
    anki.settle()
    expect(popup.forecasts.isChecked(), "it is on")
    anki.screenshot(popup, "forecast-options-light")
    popup.forecasts.click()
    anki.press_key(popup, "Key_Escape")
    anki.settle()
    expect(anki.mw.addonManager.getConfig(ADDON_FOLDER)["forecasts"] is False, "it is remembered")
    expect(window.table.report is report, "nothing is evaluated for that")
    window.results.tabs.setCurrentIndex(STABILITY)
    (block,) = (block for block in window.results.pages[STABILITY - 1].blocks if block.section == "forecasts")
    anki.wait(lambda: "switched off" in _words(block), "it to be said")
    anki.screenshot(window, "forecast-off-light")
    block.erase.click()
    block.erase.click()
    anki.evaluate(window)
    anki.settle()
    expect(not _files(anki), "nothing is written")
    window.model.choose_forecasts(True)
    expect(len(_wait_until_kept(anki, window)) == 1, "on again")


def _damage(anki: AnkiSession, window: Any) -> None:
    (file,) = _files(anki)
    file.write_text('{"version": 1, "forecasts": [', encoding="utf-8")
    anki.evaluate(window)
    anki.wait(lambda: window.model.jobs.over, "the forecast")
    expect(len(_files(anki)) == 2, "it is set aside, and a new one begun")
    block = _open(anki, window)
    expect("was damaged" in _words(block), _words(block))
    anki.screenshot(window, "forecast-damaged-light")
