"""A guest in somebody's Anki: what it costs at the start, whom it talks to, what it keeps, what it tells."""

from __future__ import annotations

import gc
import socket
import sys
import threading
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any, List

from running import Facts, Running, expect
from sample_collections import write_nested, write_simulated
from session import ADDON_FOLDER, WINDOW_KEY, AnkiSession

#: All that is imported before a menu item is clicked.
AT_START = {
    ADDON_FOLDER,
    *(f"{ADDON_FOLDER}.{name}" for name in ("ui", "ui.menu", "ui.menu_strings", "ui.language", "ui.anki_words")),
    *(f"{ADDON_FOLDER}.{name}" for name in ("evaluator", "evaluator.language", "evaluator.counted")),
}


def starting(folder: Path) -> Facts:
    """Nothing is done but to add the menu; measured without compiled files, as packaged Ankis never write them."""
    import aqt

    sys.dont_write_bytecode = True
    write_simulated(folder / "given.anki2", "sim-c")
    with Running(folder, folder / "given.anki2", with_addon=False) as anki:
        anki.pump(1)
        manager, threads = anki.mw.addonManager, threading.active_count()
        modules = set(sys.modules)
        alone = [_seconds_to_load(manager) for _ in range(5)]
        anki.put_addon(anki.base / "addons21" / ADDON_FOLDER)
        with_it: List[float] = []
        for _ in range(5):
            for name in [name for name in sys.modules if name.startswith(ADDON_FOLDER)]:
                del sys.modules[name]
            aqt.dialogs._dialogs.pop(WINDOW_KEY, None)  # else the next is a second copy, which keeps still
            with_it.append(_seconds_to_load(manager))
        new = {name for name in set(sys.modules) - modules if not name.startswith("encodings.")}  # unpacking needs one
        expect(new == AT_START, f"imported: {sorted(new)}")
        expect(threading.active_count() == threads, "no thread was started")
        expect(not any(anki.base.glob("addons21/*/**/__pycache__")), "nothing was compiled beforehand")
        anki.mw.form.menuTools.actions()[-1].trigger()
        expect(anki.window().isVisible(), "the last one is at work")
        anki.window().close()
    return {
        "added_ms": round(1000 * (sorted(with_it)[2] - sorted(alone)[2]), 1),
        "first_ms": round(1000 * with_it[0], 1),
        "best_ms": round(1000 * min(with_it), 1),
    }


def offline(folder: Path) -> Facts:
    """Everything that can be done in the window, where any connection is refused and noted."""
    write_nested(folder / "given.anki2")
    with Running(folder, folder / "given.anki2") as anki:
        for ask in (socket.socket().connect, socket.create_connection):
            with suppress(ConnectionRefusedError):
                ask(("192.0.2.1", 80))  # an address that is nobody's
                expect(condition=False, what="it would be refused")
            expect("192.0.2.1" in anki.network.asked.pop(), "it would be noticed")
        window = anki.click_menu_item()
        anki.wait_for_results(window)
        window.table.choose(["FSRS-6", "SM-2"])
        for row in range(window.panel.list.count()):
            key = window.panel.list.itemData(row)
            if key:
                window.panel.choose(key)
                anki.wait(lambda key=key: window.panel.shown and window.panel.shown.chart.key == key, f"graph {key}")
        sections = 1
        for number, page in enumerate(window.results.pages, start=1):
            window.results.tabs.setCurrentIndex(number)
            for block in page.blocks:
                if block.button.isVisible():
                    block.button.click()
                anki.wait(block.content.isVisible, f"the section {block.section}")
                sections += 1
        window.results.tabs.setCurrentIndex(0)
        window.results.comparison.fold.click()
        anki.wait(window.results.comparison.cheating.content.isVisible, "the answer to be unfolded")
        for ending in ("json", "csv", "png", "svg", "html"):
            path = folder / f"export.{ending}"
            window.export_to(ending, path)
            anki.wait(lambda path=path: path.exists() and path.stat().st_size > 0, f"the {ending}")
        window.bar.copied.emit("text")
        window.run_on(anki.module("ui.science").ScopeChoice("search", "deck:Geography*"))
        anki.wait_for_results(window)
        window.close()
    return {"sections": sections}


def forgetting(folder: Path) -> Facts:
    """A window that was closed leaves nothing behind: not itself, not what was read, not what was worked out."""
    write_simulated(folder / "given.anki2")
    with Running(folder, folder / "given.anki2") as anki:
        kept, given = [_megabytes()], threading.Event()
        _tell_when_given_back(anki, given)
        for _ in range(3):
            given.clear()
            watched = _open_and_close(anki)
            anki.wait(given.is_set, "freed memory to be given back", 5)
            kept.append(_megabytes())
            alive = [name for name, reference in watched if reference() is not None]
            expect(not alive, f"still there: {alive}")
        expect(not [thread for thread in threading.enumerate() if "freed memory" in thread.name], "no thread is left")
    return {"megabytes_before_and_after_each_window": [round(each) for each in kept]}


def confiding(folder: Path) -> Facts:
    """What is copied and logged when something fails: no name of a deck, no word of a card or a search."""
    write_nested(folder / "given.anki2")
    with Running(folder, folder / "given.anki2") as anki:
        engine, scope = anki.module("ui.engine"), anki.module("ui.science").ScopeChoice
        real, col = engine.evaluate, anki.mw.col
        words = [text for fields in col.db.list("select flds from notes") for text in fields.split("\x1f") if text]
        names = [deck.name for deck in col.decks.all_names_and_ids()]
        expect(len(words) > 20 and len(names) > 5, "there is something to give away")

        def fails(snapshot: Any, options: Any, **_: Any) -> Any:
            yield from ()
            raise RuntimeError(f"odd: {[deck.name for deck in snapshot.decks]}, {snapshot.choice.name}")

        engine.evaluate = fails
        window = anki.click_menu_item()
        window.run_on(scope("search", f'"deck:Languages*" or front:"{words[0]}"'))
        anki.wait_for_results(window)
        window.message.copy_button.click()
        report = anki.app.clipboard().text()
        (log,) = anki.base.glob("logs/addons/*/*.log")
        for text in (report, log.read_text(encoding="utf-8")):
            for said in (
                "RuntimeError: odd: ",
                "rows of the review log: ",
                "Anki: ",
                "evaluate: ",
                "reviews of: search",
            ):
                expect(said in text, f"{said!r} in {text}")
            for name in [*words, *names, "Geography", "Spanish", str(anki.base)]:
                expect(name not in text, f"{name} in {text}")
        expect(report.isascii(), f"it is in English, whatever the window speaks: {report}")
        engine.evaluate = real
        window.run_on(scope("collection", ""))
        anki.wait_for_results(window)
        window._on_section_failed("Title", RuntimeError("boom"))
        window.notice._copy.click()
        expect("  scored reviews: " in anki.app.clipboard().text(), anki.app.clipboard().text())
        window.close()
    return {}


def configuring(folder: Path) -> Facts:
    """Anki's own editor of settings: what is wrong is explained and not saved, what is right acts."""
    from aqt import addons

    write_simulated(folder / "given.anki2", "sim-c")
    with Running(folder, folder / "given.anki2") as anki:
        manager, said = anki.mw.addonManager, []
        addons.showInfo = said.append
        dialog = addons.AddonsDialog(manager)
        editor = addons.ConfigEditor(dialog, ADDON_FOLDER, manager.getConfig(ADDON_FOLDER))
        for wrong, words in (
            ('{"folds": 1}', "folds: allowed is a whole number from 2 to 100."),
            ('{"algorithms": [1]}', 'algorithms: allowed is a list of names, or ["default"].'),
            ('{"reviews": {"since": "May"}}', 'since: allowed is a date like "2024-05-01", or null.'),
            ('{"reviews": {"sameday": true}}', "'sameday' was unexpected"),
            ('{"fold": 5}', "'fold' was unexpected"),
            ('{"fold": {"a": 5}}', "There is such a setting only: algorithms, baseline"),
        ):
            editor.form.editor.setPlainText(wrong)
            editor.accept()
            expect(words in said[-1] and editor.isVisible(), f"{wrong}: {said}")
        expect("config" not in manager.addonMeta(ADDON_FOLDER), "nothing was saved")
        editor.form.editor.setPlainText('{"algorithms": ["AVG", "SM-2"], "reviews": {"same_day": false}}')
        editor.accept()
        expect(not editor.isVisible() and len(said) == 6, f"it is accepted: {said}")
        dialog.close()  # else Anki's other windows wait for it
        window = anki.click_menu_item()
        anki.wait_for_results(window)
        scope = window.table.report.scope
        expect(len(window.table.shown()) == 2 and not scope.same_day, "it acts")
        expect(scope.outlier_filter and scope.folds == 5, "what it does not say is as usual")
        _no_settings_at_all(anki, window)
        anki.press_shortcut(window, "W")
        expect(anki.window() is None, "Ctrl+W closes it, in every version of Anki")
    return {}


behaving = (starting, offline, forgetting, confiding, configuring)


def _no_settings_at_all(anki: AnkiSession, window: Any) -> None:
    """Somebody has edited Anki's file by hand: it is explained, and mended by the next choice."""
    manager = anki.mw.addonManager
    for wrong in (5, [1], "abc"):
        manager.writeAddonMeta(ADDON_FOLDER, {**manager.addonMeta(ADDON_FOLDER), "config": wrong})
        window.run_again()
        anki.wait_for_results(window)
        said = window.message.text.text()
        expect(f"config cannot be {wrong!r}. Allowed: algorithms," in said, said)
    window.run_with(["AVG", "SM-2"], None)
    anki.wait_for_results(window)
    expect(len(window.table.shown()) == 2, "what is chosen acts")
    expect(manager.getConfig(ADDON_FOLDER)["algorithms"] == ["AVG", "SM-2"], "and is saved")
    manager.writeAddonMeta(ADDON_FOLDER, {**manager.addonMeta(ADDON_FOLDER), "config": None})
    window.run_again()
    anki.wait_for_results(window)
    expect(len(window.table.shown()) > 2, "nothing is as usual")


# --- the parts --------------------------------------------------------------------------------------------------------


def _seconds_to_load(manager: Any) -> float:
    """What Anki does with add-ons when it starts."""
    start = time.perf_counter()
    manager.loadAddons()
    return time.perf_counter() - start


def _open_and_close(anki: AnkiSession) -> Any:
    """A window with results and a graph; returns weak references to what it held."""
    window = anki.click_menu_item()
    anki.wait_for_results(window)
    window.results.tabs.setCurrentIndex(1)
    anki.wait(window.results.pages[0].blocks[0].content.isVisible, "a section")
    evaluation = window.findings.evaluation
    held = {
        "the window": window,
        "the run": window._run,
        "the evaluation": evaluation,
        "the report": evaluation.report,
        "the predictions": evaluation.predictions,
        "a graph": window.panel.view._canvas.figure,
        "the table": window.table,
    }
    watched = [(name, weakref.ref(each)) for name, each in held.items()]
    window.close()
    return watched


def _tell_when_given_back(anki: AnkiSession, given: threading.Event) -> None:
    module = anki.module("ui.dialog.window")
    real = module.give_back

    def give_back() -> None:
        before = _megabytes()
        real()
        expect(_megabytes() < before, "something is given back")
        given.set()

    module.give_back = give_back


def _megabytes() -> float:
    """What the process has in memory now."""
    gc.collect()
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0
