"""A guest in someone's Anki: what it costs at the start, whom it talks to, what it keeps, what it tells."""

from __future__ import annotations

import gc
import socket
import sys
import threading
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any, Set, Tuple

import stalled_evaluations
from evaluating import page_with
from running import Running, expect
from sample_collections import write_short
from session import ADDON_FOLDER, QUICK, WINDOW_KEY, AnkiSession

#: All that is imported before a menu item is clicked.
AT_START = {
    ADDON_FOLDER,
    *(f"{ADDON_FOLDER}.{name}" for name in ("ui", "ui.anki", "ui.anki.language", "ui.menu", "ui.text")),
}
#: What Anki itself reads of each add-on when it starts.
FILES_OF_ANKI = {"meta.json", "manifest.json"}


def starting(folder: Path) -> None:
    import aqt
    from anki.lang import set_lang

    sys.dont_write_bytecode = True  # packaged Anki does the same
    write_short(folder / "given.anki2")
    with Running(folder, folder / "given.anki2", with_addon=False) as anki:
        manager, threads = anki.mw.addonManager, threading.active_count()
        addon = anki.base / "addons21" / ADDON_FOLDER
        anki.put_addon(addon)
        modules, read = set(sys.modules), _note_files_read(addon)
        for language, catalogs in (("ja_JP", {"ja.mo"}), ("en_US", set())):
            for name in AT_START & set(sys.modules):
                del sys.modules[name]
            aqt.dialogs._dialogs.pop(WINDOW_KEY, None)  # else the next is a second copy, which keeps still
            set_lang(language)
            read.clear()
            manager.loadAddons()
            new = set(sys.modules) - modules
            expect(new == AT_START, f"imported: {sorted(new)}")
            sources = {Path(sys.modules[name].__file__) for name in AT_START}
            others = {path.name for path in read - sources}
            expect(sources <= read, f"read: {sorted(map(str, read))}")
            expect(others - FILES_OF_ANKI == catalogs, f"read: {sorted(others)}")
        expect(threading.active_count() == threads, "no thread was started")
        expect(not any(addon.glob("**/__pycache__")), "nothing was compiled beforehand")
        anki.mw.form.menuTools.actions()[-1].trigger()
        expect(anki.window().isVisible(), "the last one is at work")
        anki.window().close()


def offline(anki: AnkiSession, _folder: Path) -> None:
    for ask in (socket.socket().connect, socket.create_connection):
        with suppress(ConnectionRefusedError):
            ask(("192.0.2.1", 80))  # an address that is no one's
            expect(condition=False, what="it would be refused")
        expect("192.0.2.1" in anki.network.asked.pop(), "it would be noticed")


def forgetting(anki: AnkiSession, _folder: Path) -> None:
    """Closing the window frees it, the log and the results."""
    anki.mw.addonManager.writeConfig(ADDON_FOLDER, {"algorithms": QUICK})
    watched = _open_and_close(anki)
    anki.settle()
    gc.collect()
    alive = [name for name, reference in watched if reference() is not None]
    expect(not alive, f"still there: {alive}")


def confiding(anki: AnkiSession, _folder: Path) -> None:
    """Return what is copied and logged when something fails: no name of a deck, no word of a card or a search."""
    anki.mw.addonManager.writeConfig(ADDON_FOLDER, {"algorithms": QUICK})
    engine, scope = stalled_evaluations.engine(anki), anki.module("ui.science").ScopeChoice
    real, col = engine.evaluate, anki.mw.col
    words = [text for fields in col.db.list("select flds from notes") for text in fields.split("\x1f") if text]
    names = [deck.name for deck in col.decks.all_names_and_ids()]
    expect(len(words) > 20 and len(names) > 5, "there is something to give away")

    def fails(snapshot: Any, options: Any, **_: Any) -> Any:
        raise RuntimeError(f"odd: {[deck.name for deck in snapshot.decks]}, {snapshot.choice.name}")

    engine.evaluate = fails
    window = anki.click_menu_item()
    window.model.choose_scope(scope("search", f'"deck:Languages*" or front:"{words[0]}"'))
    anki.wait_for_results(window)
    window.message.copy_button.click()
    report = anki.app.clipboard().text()
    (log,) = anki.base.glob("logs/addons/*/*.log")
    for text in (report, log.read_text(encoding="utf-8")):
        for said in ("  RuntimeError\n", "rows of the review log: ", "Anki: ", "evaluate: ", "reviews of: search"):
            expect(said in text, f"{said!r} in {text}")
        for name in [*words, *names, "Geography", "Spanish", str(anki.base)]:
            expect(name not in text, f"{name} in {text}")
    expect(report.isascii(), f"it is in English, whatever the window speaks: {report}")
    engine.evaluate = real
    window.model.choose_scope(scope("collection", ""))
    anki.wait_for_results(window)
    window._on_section_failed("Title", RuntimeError("boom"))
    window.notice._copy.click()
    expect("  at: algorithm " in anki.app.clipboard().text(), anki.app.clipboard().text())
    window.close()


def configuring(anki: AnkiSession, _folder: Path) -> None:
    """Anki's own editor of settings: what is wrong is explained and not saved, what is right acts."""
    from aqt import addons

    manager, texts = anki.mw.addonManager, []
    addons.showInfo = texts.append
    dialog = addons.AddonsDialog(manager)
    editor = addons.ConfigEditor(dialog, ADDON_FOLDER, manager.getConfig(ADDON_FOLDER))
    for wrong, words in (
        ('{"folds": 1}', "folds: allowed is an integer from 2 to 100."),
        ('{"algorithms": [1]}', 'algorithms: allowed is a list of names, or ["default"].'),
        ('{"reviews": {"since": "May"}}', 'since: allowed is a date like "2024-05-01", or null.'),
        ('{"reviews": {"sameday": true}}', "'sameday' was unexpected"),
        ('{"fold": 5}', "'fold' was unexpected"),
        ('{"fold": {"a": 5}}', "There is such a setting only: algorithms, baseline"),
    ):
        editor.form.editor.setPlainText(wrong)
        editor.accept()
        expect(words in texts[-1] and editor.isVisible(), f"{wrong}: {texts}")
    expect("config" not in manager.addonMeta(ADDON_FOLDER), "nothing was saved")
    editor.form.editor.setPlainText('{"algorithms": ["AVG", "SM-2"], "reviews": {"same_day": false}}')
    editor.accept()
    expect(not editor.isVisible() and len(texts) == 6, f"it is accepted: {texts}")
    dialog.close()  # else Anki's other windows wait for it
    window = anki.open_window()
    scope = window.table.report.scope
    expect(len(window.table.rows) == 2 and not scope.same_day, "it acts")
    expect(scope.outlier_filter and scope.folds == 5, "what it does not say is as usual")
    anki.press_shortcut(window, "W")
    expect(anki.window() is None, "Ctrl+W closes it, in every version of Anki")


# --- the parts --------------------------------------------------------------------------------------------------------


def _note_files_read(folder: Path) -> Set[Path]:
    """The files of that folder, from now and for good."""
    read: Set[Path] = set()

    def hear(event: str, arguments: Tuple[Any, ...]) -> None:
        if event == "open" and str(arguments[0]).startswith(str(folder)) and Path(arguments[0]).is_file():
            read.add(Path(arguments[0]))

    sys.addaudithook(hear)
    return read


def _open_and_close(anki: AnkiSession) -> Any:
    """Open a window with results and a graph, and return weak references to what it held."""
    window = anki.open_window()
    _, block = page_with(window, "comparisons")
    anki.wait(block.content.isVisible, "a section")
    evaluation = window.model.findings.evaluation
    kept = {
        "the window": window,
        "the model": window.model,
        "the evaluation": evaluation,
        "the report": evaluation.report,
        "the predictions": evaluation.predictions,
        "a graph": window.panel.view,
        "the table": window.table,
    }
    watched = [(name, weakref.ref(each)) for name, each in kept.items()]
    anki.settle()
    window.close()
    return watched
