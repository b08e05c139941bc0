"""Check that the add-on starts fast, stays offline, frees memory, keeps secrets and explains wrong settings."""

from __future__ import annotations

import gc
import socket
import sys
import threading
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any, Dict, Set

import stalled_evaluations
from evaluating import page_with
from running import Running, expect, expect_equal
from sample_collections import write_short
from session import ADDON_FOLDER, QUICK, WINDOW_KEY, AnkiSession

#: Modules of the add-on that are imported when Anki starts.
AT_START = {
    ADDON_FOLDER,
    *(f"{ADDON_FOLDER}.{name}" for name in ("ui", "ui.anki", "ui.anki.language", "ui.menu", "ui.text")),
}
#: Files of each add-on that Anki itself reads when it starts.
ANKI_FILES = {"meta.json", "manifest.json"}


def starting(folder):
    """Load the add-on, and expect that little is imported and read, that no thread starts, and that nothing is written.

    A language with a catalog also reads that catalog.
    """
    import aqt
    from anki.lang import set_lang

    sys.dont_write_bytecode = True  # Packaged Anki does the same.
    write_short(folder / "given.anki2")
    with Running(folder, folder / "given.anki2", with_addon=False) as anki:
        manager = anki.mw.addonManager
        threads = threading.active_count()
        addon = anki.base / "addons21" / ADDON_FOLDER
        anki.unpack_addon(addon)
        modules = set(sys.modules)
        files_read = _record_files_read(addon)
        for language, catalogs in (("ja_JP", {"ja.mo"}), ("en_US", set())):
            for name in AT_START & set(sys.modules):
                del sys.modules[name]
            # Without this, the add-on takes itself for a second copy and does nothing.
            aqt.dialogs._dialogs.pop(WINDOW_KEY, None)
            set_lang(language)
            files_read.clear()
            manager.loadAddons()
            expect_equal(set(sys.modules) - modules, AT_START)
            sources = {Path(sys.modules[name].__file__) for name in AT_START}
            expect(sources <= files_read, f"read: {sorted(map(str, files_read))}")
            expect_equal({path.name for path in files_read - sources} - ANKI_FILES, catalogs)
        expect_equal(threading.active_count(), threads)
        expect(not any(addon.glob("**/__pycache__")), "nothing is compiled")
        anki.mw.form.menuTools.actions()[-1].trigger()
        expect(anki.window().isVisible(), "the menu item of the last load opens the window")
        anki.window().close()


def offline(anki, _folder):
    """Check that the other scenarios would notice a connection."""
    for connect in (socket.socket().connect, socket.create_connection):
        with suppress(ConnectionRefusedError):
            connect(("192.0.2.1", 80))  # This address is reserved for documentation.
            expect(condition=False, message="the connection is refused")
        expect("192.0.2.1" in anki.connections.pop(), "the attempt is recorded")


def forgetting(anki, _folder):
    """Close the window, and expect that it, the log and the results are freed."""
    anki.configure(algorithms=QUICK)
    references = _open_and_close(anki)
    anki.settle()
    gc.collect()
    expect_equal([name for name, reference in references.items() if reference() is not None], [])


def confiding(anki, _folder):
    """Expect that error reports and the log contain no deck name, no word of a card and no search."""
    anki.configure(algorithms=QUICK)
    engine = stalled_evaluations.engine(anki)
    scope_choice = anki.module("ui.science").ScopeChoice
    real_evaluate = engine.evaluate
    col = anki.mw.col
    words = [text for fields in col.db.list("select flds from notes") for text in fields.split("\x1f") if text]
    names = [deck.name for deck in col.decks.all_names_and_ids()]
    expect(len(words) > 20 and len(names) > 5, "there is something to reveal")

    def fail(snapshot, options, **_):
        raise RuntimeError(f"odd: {[deck.name for deck in snapshot.decks]}, {snapshot.choice.name}")

    engine.evaluate = fail
    window = anki.click_menu_item()
    window.model.choose_scope(scope_choice("search", f'"deck:Languages*" or front:"{words[0]}"'))
    anki.wait_for_results(window)
    window.message.copy_button.click()
    report = anki.app.clipboard().text()
    (log,) = anki.base.glob("logs/addons/*/*.log")
    for text in (report, log.read_text(encoding="utf-8")):
        for part in ("  RuntimeError\n", "rows of the review log: ", "Anki: ", "evaluate: ", "reviews of: search"):
            expect(part in text, f"{part!r} in {text}")
        for name in [*words, *names, "Geography", "Spanish", str(anki.base)]:
            expect(name not in text, f"{name} in {text}")
    expect(report.isascii(), f"it is in English, whatever the language of the window: {report}")
    engine.evaluate = real_evaluate
    window.model.choose_scope(scope_choice("collection", ""))
    anki.wait_for_results(window)
    window._on_section_failed("Title", RuntimeError("boom"))
    window.notice._copy.click()
    expect("  at: algorithm " in anki.app.clipboard().text(), anki.app.clipboard().text())
    window.close()


def configuring(anki, _folder):
    """Edit the configuration in Anki's editor. Wrong values are explained and not saved, right ones are used."""
    from aqt import addons

    manager = anki.mw.addonManager
    messages = []
    addons.showInfo = messages.append
    dialog = addons.AddonsDialog(manager)
    editor = addons.ConfigEditor(dialog, ADDON_FOLDER, manager.getConfig(ADDON_FOLDER))
    for config, sentence in (
        ('{"folds": 1}', "folds: allowed is an integer from 2 to 100."),
        ('{"algorithms": [1]}', 'algorithms: allowed is a list of names, or ["default"].'),
        ('{"reviews": {"since": "May"}}', 'since: allowed is a date like "2024-05-01", or null.'),
        ('{"reviews": {"sameday": true}}', "'sameday' was unexpected"),
        ('{"fold": 5}', "'fold' was unexpected"),
        ('{"fold": {"a": 5}}', "There is such a setting only: algorithms, baseline"),
    ):
        editor.form.editor.setPlainText(config)
        editor.accept()
        expect(sentence in messages[-1] and editor.isVisible(), f"{config}: {messages}")
    expect("config" not in manager.addonMeta(ADDON_FOLDER), "nothing was saved")
    editor.form.editor.setPlainText('{"algorithms": ["AVG", "SM-2"], "reviews": {"same_day": false}}')
    editor.accept()
    expect(not editor.isVisible() and len(messages) == 6, f"the configuration is saved: {messages}")
    # Anki's other windows wait for this modal dialog.
    dialog.close()
    window = anki.open_window()
    scope = window.table.report.scope
    expect_equal((len(window.table.rows), scope.same_day), (2, False))
    expect(scope.outlier_filter and scope.folds == 5, "settings that are not given have their defaults")
    anki.press_shortcut(window, "Key_W", "ControlModifier")
    anki.settle()
    expect(anki.window() is None, "Ctrl+W closes it in every version of Anki")


def _record_files_read(folder: Path) -> Set[Path]:
    """Return the set to which each opened file in this folder will be added."""
    files_read = set()

    def record(event, arguments):
        if event == "open" and str(arguments[0]).startswith(str(folder)) and Path(arguments[0]).is_file():
            files_read.add(Path(arguments[0]))

    sys.addaudithook(record)
    return files_read


def _open_and_close(anki: AnkiSession) -> Dict[str, Any]:
    """Open and close a window with results and a graph. Return weak references to its parts by their names."""
    window = anki.open_window()
    _, block = page_with(window, "parameters")
    anki.wait(block.content.isVisible, "a section")
    evaluation = window.model.results.evaluation
    parts = {
        "the window": window,
        "the model": window.model,
        "the evaluation": evaluation,
        "the report": evaluation.report,
        "the predictions": evaluation.predictions,
        "a graph": window.panel.view,
        "the table": window.table,
    }
    anki.settle()
    window.close()
    return {name: weakref.ref(part) for name, part in parts.items()}
