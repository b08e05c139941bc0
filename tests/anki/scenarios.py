"""What a person does with the add-on, in the real Anki: ``python scenarios.py NAME FOLDER`` runs one of them.

The folder gets the collection, the exports, and ``facts.json`` with what was measured. Any failed expectation ends the
process with an error; so does a message box, or a word on stderr.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any, Callable, Dict, List

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "ui")]

from behaving import behaving  # noqa: E402
from documenting import documenting  # noqa: E402
from installing import changing, installing  # noqa: E402
from libraries import libraries, libraries_from_index, libraries_hanging, libraries_later  # noqa: E402
from running import Facts, Running, expect  # noqa: E402
from sample_collections import write_empty, write_nested, write_simulated, write_studied  # noqa: E402
from session import ADDON_FOLDER, WINDOW_KEY, AnkiSession, Heartbeat, prepare_environment  # noqa: E402
from speaking import speaking  # noqa: E402
from speaking_beside import speaking_another, speaking_beside  # noqa: E402

SCREENSHOTS = ROOT / "screenshots"
SIZES = {"narrow": (900, 600), "wide": (1920, 1080)}
LARGE_LETTERS = 1.6


def results(folder: Path) -> Facts:
    """Click, wait, compare; the collection stays as it is; a review made afterwards is noticed."""
    write_simulated(folder / "given.anki2")
    with Running(folder, folder / "given.anki2") as anki:
        col = anki.mw.col
        undo_before, modified_before = _make_an_undoable_change(anki)
        files_before = _digests(anki.collection_path)
        table = Table(anki)

        beat = Heartbeat()
        window = anki.click_menu_item()
        opened = window.isVisible()
        seconds = anki.wait_for_results(window)
        facts: Facts = {"longest_block_ms": round(1000 * beat.stop()), "seconds": round(seconds, 2)}
        expect(opened, "the window is there at once")
        expect(anki.click_menu_item() is window, "a second click raises the same window")

        report = window.table.report
        expect(not report.unfinished, "all algorithms ran")
        expect(table.names(window) == [row.algorithm for row in report.results], "the table is in the report's order")
        expect(window.results.verdict.heading.text() == report.verdict.sentences[0], "the verdict comes first")
        expect(window.panel.sentence.whole, "a sentence stands under the graph")
        expect(window.panel.shown.algorithms == (report.best,), "the best is drawn")

        expect(col.undo_status().undo == undo_before, "undo is as it was")
        expect(col.mod == modified_before, "the modification time is as it was")
        expect(_digests(anki.collection_path) == files_before, "the file is as it was")

        _export_everything(anki, window, folder)
        _ask_all_that_is_slow(anki, window)
        _export(anki, window, folder / "exports" / "whole", "json", "html")
        table.choose(window, "FSRS-6", "SM-2")
        expect(len(window.panel.shown.algorithms) == 2, "two are laid over each other")
        window.notice.clear()
        anki.screenshot(window, SCREENSHOTS / "results-light.png")
        window.bar.copied.emit("markdown")
        expect("| **" in anki.app.clipboard().text(), "the table is on the clipboard")

        window.run_again()
        anki.wait(lambda: window._run._fraction > 0.12, "the arithmetic")
        _answer_a_card(anki)
        anki.wait_for_results(window)
        expect(window.notice.isVisible() and "changed" in window.notice.label.text(), "the review is noticed")
        expect(window.table.report.scope == report.scope, "the results are of what was read")
        expect(table.selected(window) == {"FSRS-6", "SM-2"}, "what was chosen is chosen again")
        window.resize(1234, 777)
        window.close()
        expect(anki.window() is None, "the window is closed")
        again = anki.click_menu_item()
        expect((again.width(), again.height()) == (1234, 777), "it has its size again")
        anki.wait_for_results(again)
        anki.press_escape(again)
        expect(anki.window() is None, "Esc closes it")
    return facts


def choosing(folder: Path) -> Facts:
    """Which algorithms run is chosen in a small window over the large one, and remembered."""
    write_studied(folder / "given.anki2")
    with Running(folder, folder / "given.anki2") as anki:
        window = anki.click_menu_item()
        expect(window.choose_button.text() == "Algorithms: Default", window.choose_button.text())
        expect(not window.choose_button.isEnabled(), "the list comes with the libraries")
        anki.wait_for_results(window)
        groups = anki.module("ui.engine").catalogue().groups

        chooser = _open_chooser(anki, window)
        expect(chooser.groups["default"].isChecked() and chooser.chosen == set(groups["default"]), "Default is chosen")
        chooser.groups["all"].click()
        expect(chooser.chosen == set(groups["all"]) and chooser.groups["all"].isChecked(), "All is one click")
        chooser.cancel.click()
        anki.pump(0.1)
        expect(_asked(anki) == ["default"] and window.chooser is None, "Cancel changes nothing")
        facts = _run_published(anki, window)
        expect(window.choose_button.text() == "Algorithms: Published", window.choose_button.text())
        expect(_asked(anki) == ["published"], "a group stays a group")

        window.close()
        window = anki.click_menu_item()
        expect(window.choose_button.text() == "Algorithms: Published", "it is remembered")
        anki.wait(lambda: window.table.report is not None and len(window.table.report.results) >= 9, "nine rows")
        start = time.monotonic()
        window.bar.cancel.click()
        expect(window.bar.again.isVisible(), "Cancel has acted")
        facts["cancel_among_many_ms"] = round(1000 * (time.monotonic() - start), 1)
        anki.wait(lambda: window._run.at_rest, "the arithmetic to end", 1)
        expect("more." in window.notice.label.text() and len(window.table.shown()) >= 9, window.notice.label.text())

        window.close()
    return facts


def choosing_each(folder: Path) -> Facts:
    """Algorithms by themselves; names that nobody knows; Esc."""
    write_studied(folder / "given.anki2", 60)
    with Running(folder, folder / "given.anki2") as anki:
        window = anki.click_menu_item()
        anki.wait_for_results(window)
        chooser = _open_chooser(anki, window)
        for name in ("FSRS-5", "FSRS-6 default", "FSRS-rs", "AVG"):
            _click_row(anki, chooser, name)
        for expected in (True, False):
            anki.press_key(chooser.list, "Key_Space")
            expect(("AVG" in chooser.chosen) == expected, "Space checks the row that was clicked, and unchecks it")
        chooser.run.click()
        anki.wait_for_results(window)
        expect(_asked(anki) == ["SM-2", "FSRS-6", "Your parameters"], str(_asked(anki)))
        expect(window.choose_button.text() == "Algorithms: 3 chosen", window.choose_button.text())
        anki.screenshot(window, SCREENSHOTS / "few-light.png")
        own = next(row for row in window.table.shown() if row.algorithm == "Your parameters")
        stored = list(map(anki.module("ui.anki_versions").fsrs_parameters, anki.mw.col.decks.all_config()))
        # An Anki that is older than the collection does not know its parameters of a newer FSRS.
        expect(own.log_loss is not None or not any(stored), "the presets' own parameters are a row")
        expect(not own.in_sample, "they are the published ones, or there are none")

        config = {"algorithms": ["FSRS-66", "SM-2"], "folds": 4, "binning": "benchmark"}
        anki.mw.addonManager.writeConfig(ADDON_FOLDER, config)
        window.run_again()
        anki.wait_for_results(window)
        expect("FSRS-66" in window.message.text.text(), "an unknown name is said calmly")
        chooser = _open_chooser(anki, window)
        expect(chooser.chosen == {"SM-2"}, "what is known is chosen")
        chooser.list.choose([])
        expect(not chooser.run.isEnabled(), "nothing cannot be run")
        chooser.groups["default"].click()
        chooser.baselines.setCurrentIndex(chooser.baselines.findData("FSRS-5"))
        chooser.run.click()
        anki.wait_for_results(window)
        expect(window.table.report.verdict.baseline == "FSRS-5", "it is compared with what was chosen")
        config = anki.mw.addonManager.getConfig(ADDON_FOLDER)
        expect((config["algorithms"], config["folds"]) == (["default"], 4), "mended")
        expect(window.table.report.scope.folds == 4, "other settings are kept")
        expect("rmse_bins_benchmark" in window.table.metrics, "and act in the table")
        expect(_open_chooser(anki, window).baseline == config["baseline"] == "FSRS-5", "the baseline is remembered")
        window.chooser.reject()

        _open_chooser(anki, window)
        anki.press_escape(window.chooser)
        expect(window.chooser is None and anki.window() is window, "Esc closes the chooser only")
        _open_chooser(anki, window)
        window.close()
        expect(anki.window() is None, "both are closed")
    return {}


def scopes(folder: Path) -> Facts:
    """From a deck's gear menu, from the browser, and in the window: just those cards; choices are remembered."""
    write_nested(folder / "given.anki2")
    with Running(folder, folder / "given.anki2") as anki:
        col = anki.mw.col
        undo_before, modified_before = _make_an_undoable_change(anki)
        window = _click_gear(anki, "Languages")
        anki.wait_for_results(window)
        spanish = window.table.report
        expect((spanish.scope.kind, spanish.scope.name) == ("deck", "Languages"), str(spanish.scope))
        home = "select id from cards where case odid when 0 then did else odid end = ?"
        cards = set(col.db.list(home, col.decks.id_for_name("Languages::Spanish::Verbs")))
        scored = set(window.findings.evaluation.predictions.card_id.tolist())
        expect(scored and scored <= cards, "the cards of its subdecks, those in a filtered deck too")
        expect(window.scope_bar.scope.words == "Languages", window.scope_bar.scope.words)
        window.export_to("json", folder / "deck.json")
        anki.wait(lambda: _settled(folder / "deck.json"), "the report")
        expect(window.bar.rows.text().startswith("Deck Languages with subdecks:\n"), window.bar.rows.text())

        browser = _browse(anki, "deck:Geography* -is:new")
        expect(_click_in_browser(anki, browser) is window, "the same window")
        anki.wait_for_results(window)
        geography = window.table.report
        found = set(col.find_cards("deck:Geography* -is:new"))
        expect(
            set(window.findings.evaluation.predictions.card_id.tolist()) <= found, "the cards that the browser lists"
        )
        expect((geography.scope.kind, geography.scope.name) == ("search", "deck:Geography* -is:new"), "echoed")
        expect(anki.click_menu_item() is window, "the Tools menu raises it ...")
        expect(window._run is not None and not window._run.active, "... as it is")

        _choose_scopes(anki, window)
        _choose_options(anki, window)
        _click_gear(anki, "Languages::French")
        anki.wait_for_results(window)
        expect(window.message.heading.text() == "No reviews here yet", window.message.heading.text())
        expect("Languages::French" in window.message.text.text(), window.message.text.text())
        _click_gear(anki, "Cram")
        anki.wait_for_results(window)
        expect("deck:" in window.message.text.text() + window.bar.rows.text(), "a filtered deck: what is in it now")
        window.reopen(anki.module("ui.science").ScopeChoice("search", "("))
        anki.wait_for_results(window)
        expect(window.message.heading.text() == "The search cannot be understood", window.message.heading.text())

        window.close()
        window = anki.click_menu_item()
        expect(window.scope_bar.scope.words == "Whole collection", "the deck was for that window only")
        expect(window.scope_bar.options.words == "Options (1 changed)", "the options are remembered")
        window.close()
        browser.close()
        expect((col.undo_status().undo, col.mod) == (undo_before, modified_before), "undo is as it was")
    return {}


def looks_of_scopes(folder: Path) -> Facts:
    """The row at the top and what drops down from it, with many decks, in large letters, in light and night."""
    write_nested(folder / "given.anki2")
    with Running(folder, folder / "given.anki2") as anki:
        window = _click_gear(anki, "Languages::Spanish")
        anki.wait_for_results(window)
        browser = _browse(anki, "tag:verb or (deck:Geography* -is:new prop:ivl>20)")
        bar = window.scope_bar
        for night in (False, True):
            theme = "night" if night else "light"
            anki.set_night(night)
            window.resize(*SIZES["narrow"])
            anki.screenshot(window, SCREENSHOTS / f"scope-deck-narrow-{theme}.png")
            for name, button, popup in _popups(bar):
                button.click()
                anki.pump(0.2)
                anki.screenshot(popup, SCREENSHOTS / f"scope-{name}-{theme}.png")
                expect(_fits(popup), f"{name} fits on the screen")
                anki.press_key(popup, "Key_Escape")
                expect(not popup.isVisible() and window.isVisible(), "Esc closes the popup only")
        window.run_on(anki.module("ui.science").ScopeChoice("deck", anki.mw.col.decks.name(_geography(anki))))
        anki.wait_for_results(window)
        anki.screenshot(window, SCREENSHOTS / "scope-long-narrow-night.png")
        window.close()
        _in_large_letters(anki)
        browser.close()
    return {}


def pages(folder: Path) -> Facts:
    """Every page and every graph, worked out when it is opened; the window answers meanwhile, and Cancel acts."""
    write_studied(folder / "given.anki2", 400)
    with Running(folder, folder / "given.anki2") as anki:
        window = anki.click_menu_item()
        tabs, results = window.results.tabs, window.results
        expect(results.pages, "there are pages")
        tabs.setCurrentIndex(1)
        anki.pump(0.1)
        first = results.pages[0].blocks[0]
        expect("still running" in first.words.text(), first.words.text())
        anki.screenshot(window, SCREENSHOTS / "page-running-light.png")
        anki.wait_for_results(window)
        tabs.setCurrentIndex(0)
        facts = _choose_every_graph(anki, window)
        facts.update(_open_every_page(anki, window))
        facts.update(_ask_slowly(anki))
        _fail_calmly(anki)
        _every_look(anki)
    return facts


def looks(folder: Path) -> Facts:
    """Every state in light and night, narrow and wide, with the same made-up results each time."""
    fake = _fake()

    write_simulated(folder / "given.anki2", "sim-c")
    with Running(folder, folder / "given.anki2") as anki:
        window = anki.click_menu_item()
        anki.wait_for_results(window)
        engine, table = anki.module("ui.engine"), Table(anki)
        for night in (False, True):
            anki.set_night(night)
            _screenshots_of_results(anki, window, engine, fake, "night" if night else "light")
        table.choose(window, "FSRS-6")
        before = _colours(window)
        anki.set_night(False)
        expect(_colours(window) != before, "the graph follows the theme at once")
    return {}


def cancel(folder: Path) -> Facts:
    """Cancel answers at once and keeps what is finished; so does an error; a failed algorithm says why."""
    fake = _fake()

    write_simulated(folder / "given.anki2", "sim-c")
    with Running(folder, folder / "given.anki2") as anki:
        engine = anki.module("ui.engine")
        slow = fake.FakeEvaluate(step_seconds=0.1)
        engine.evaluate = slow
        window = anki.click_menu_item()
        anki.wait(lambda: window.table.report is not None and len(window.table.report.results) >= 2, "two rows")
        kept = window.table.report
        start = time.monotonic()
        window.bar.cancel.click()
        expect(window.bar.again.isVisible() and not window.bar.cancel.isVisible(), "Cancel has acted")
        answered = time.monotonic() - start
        anki.wait(lambda: not slow.running, "the background to end", 1)
        ended = time.monotonic() - start
        expect(len(window.table.report.results) >= len(kept.results), "what is finished is kept")
        expect("Not run" in window.notice.label.text(), "what is not is named")

        engine.evaluate = fake.FakeEvaluate(step_seconds=0.1)
        window.run_again()
        window.bar.cancel.click()
        expect(window.stack.currentWidget() is window.message, "nothing is finished yet")
        expect(window.message.heading.text() == "Cancelled", window.message.heading.text())

        engine.evaluate = fake.FakeEvaluate(failed=("SM-2", "FSRS-5"))
        window.run_again()
        anki.wait_for_results(window)
        last = window.table.shown()[-1]
        expect(last.error and last.log_loss is None, "failed rows come last")

        engine.evaluate = fake.FakeEvaluate(raises=RuntimeError("boom"), raises_after=2)
        window.run_again()
        anki.wait_for_results(window)
        expect(len(window.table.shown()) == 2 and "Something went wrong" in window.notice.label.text(), "rows are kept")

        class Panic(BaseException):
            """Like the backend's."""

        engine.evaluate = fake.FakeEvaluate(raises=Panic("the backend panicked"))
        window.run_again()
        anki.wait_for_results(window)
        expect(window.message.heading.text() == "Something went wrong", "a panic is a calm message")
        expect("the backend panicked" in window.message.details, "with details to copy")
        expect(anki.mw.col is not None, "Anki lives")
        anki.screenshot(window, SCREENSHOTS / "unexpected-light.png")
        expect(any(anki.base.glob("logs/addons/*/*.log")), "the log has it")
    return {"cancel_answered_ms": round(1000 * answered, 1), "background_ended_ms": round(1000 * ended)}


def empty(folder: Path) -> Facts:
    """No reviews; too few; a wrong setting; a library that is missing."""
    write_empty(folder / "given.anki2")
    with Running(folder, folder / "given.anki2") as anki:
        window = anki.click_menu_item()
        anki.wait_for_results(window)
        expect(window.message.heading.text() == "No reviews yet", window.message.heading.text())
        expect(not window.message.copy_button.isVisible(), "no details: the input is not a fault of ours")
        for night in (False, True):
            anki.set_night(night)
            anki.screenshot(window, SCREENSHOTS / f"empty-{'night' if night else 'light'}.png")
        anki.set_night(False)

        first_answers = [(1_600_000_000_000 + card, card, 3, 1, 1, 2500, 4000, 0) for card in range(1, 30)]
        anki.mw.col.db.executemany("insert into revlog values (?,?,-1,?,?,?,?,?,?)", first_answers)
        window.run_again()
        anki.wait_for_results(window)
        expect(window.message.heading.text() == "No review can be scored", window.message.heading.text())
        expect(window.funnel.isVisible(), "the funnel opens by itself")
        anki.screenshot(window, SCREENSHOTS / "all-filtered-light.png")

        anki.mw.addonManager.writeConfig("1234567890", {"algorithms": ["FSRS-66"]})
        window.run_again()
        anki.wait_for_results(window)
        expect("FSRS-6" in window.message.text.text(), window.message.text.text())
        for wrong, words in (({"folds": "many"}, "from 2 to 100"), ({"reviews": {"sameday": 1}}, "'reviews.same_day'")):
            anki.mw.addonManager.writeConfig("1234567890", wrong)
            window.run_again()
            anki.wait_for_results(window)
            expect(window.message.heading.text() == "A setting needs correcting", window.message.heading.text())
            expect(words in window.message.text.text(), window.message.text.text())
    return {}


def missing_library(folder: Path) -> Facts:
    """Without matplotlib or NumPy the person is asked; without one that these need there is a calm sentence."""
    import aqt

    write_simulated(folder / "given.anki2", "sim-c")
    absent = {"numpy", "matplotlib"}

    class Absent:
        """Finds none of these."""

        def find_spec(self, name: str, *_: object) -> None:
            if name.split(".", maxsplit=1)[0] in absent:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    sys.meta_path.insert(0, Absent())
    with Running(folder, folder / "given.anki2") as anki:
        expect("numpy" not in sys.modules and "matplotlib" not in sys.modules, "nothing is imported at start")
        expect(anki.click_menu_item() is None, "no window yet")
        dialog = aqt.dialogs._dialogs["srs_evaluator_libraries"][1]
        expect("NumPy" in dialog.text.text() and dialog.install_button.isVisible(), dialog.text.text())
        anki.press_escape(dialog)
        expect(aqt.dialogs._dialogs["srs_evaluator_libraries"][1] is None, "Esc closes it")

        install = anki.module("ui.libraries.install")
        real, install.obstacle = install.obstacle, lambda: "Something stands in the way."
        anki.click_menu_item()
        dialog = aqt.dialogs._dialogs["srs_evaluator_libraries"][1]
        expect(dialog.status.text() == "Something stands in the way.", dialog.status.text())
        expect("MB" not in dialog.text.text() and "can be installed" not in dialog.text.text(), dialog.text.text())
        expect(dialog.install_button.isHidden() and dialog.close_button.text() == "Close", "nothing else to do")
        anki.press_escape(dialog)
        install.obstacle = real

        absent.clear()
        absent.add("PIL")
        expect(anki.click_menu_item() is None, "what matplotlib needs is needed, too")
        dialog = aqt.dialogs._dialogs["srs_evaluator_libraries"][1]
        for night in (False, True):
            anki.set_night(night)
            anki.screenshot(dialog, SCREENSHOTS / f"libraries-{'night' if night else 'light'}.png")
        anki.press_escape(dialog)

        window = aqt.dialogs.open(WINDOW_KEY)  # it has vanished just now
        anki.wait_for_results(window)
        expect(window.message.heading.text() == "A library is missing", window.message.heading.text())
        expect("PIL" in window.message.text.text(), window.message.text.text())
        for night in (True, False):
            anki.set_night(night)
            anki.screenshot(window, SCREENSHOTS / f"missing-library-{'night' if night else 'light'}.png")
    return {}


def closing(folder: Path) -> Facts:
    """The profile is closed while it runs; on the profile screen there is a sentence; the threads end."""
    fake = _fake()

    write_simulated(folder / "given.anki2")
    with Running(folder, folder / "given.anki2") as anki:
        slow = fake.FakeEvaluate(step_seconds=0.2, steps_per_fold=10)
        engine = anki.module("ui.engine")
        engine.evaluate = slow
        window = anki.click_menu_item()
        anki.wait(lambda: slow.running, "the arithmetic")
        anki.mw.unloadProfileAndShowProfileManager()
        anki.wait(lambda: anki.mw.col is None, "the profile to close")
        expect(anki.window() is None, "the window closed with it")
        anki.wait(lambda: not slow.running, "the background to end", 1)

        window = anki.click_menu_item()
        anki.wait_for_results(window)
        expect(window.message.heading.text() == "No collection is open", window.message.heading.text())
        anki.screenshot(window, SCREENSHOTS / "no-collection-light.png")
        window.close()

        anki.mw.onOpenProfile()
        anki.wait(lambda: anki.mw.col is not None and anki.mw.state == "deckBrowser", "the profile to open")
        window = anki.click_menu_item()

        def close_the_collection(_col: object, _scope: object) -> Any:
            yield 1, 10
            anki.mw.col.close_for_full_sync()
            anki.mw.backend.close_collection(downgrade_to_schema11=False)
            yield 2, 10
            yield from read_steps(anki.mw.col)

        read_steps = engine.read_steps
        engine.read_steps = close_the_collection
        window.run_again()
        anki.wait_for_results(window)
        expect(window.message.heading.text() == "No collection is open", window.message.text.text())
        anki.mw.col.reopen(after_full_sync=False)
        engine.read_steps = read_steps
        slow = engine.evaluate = fake.FakeEvaluate(step_seconds=0.2, steps_per_fold=10)
        window.run_again()
        anki.wait(lambda: slow.running, "the arithmetic")
        start = time.monotonic()
    return {"quit_while_running_seconds": round(time.monotonic() - start, 2)}


SCENARIOS: Dict[str, Callable[[Path], Facts]] = {
    scenario.__name__: scenario
    for scenario in (
        results,
        choosing,
        choosing_each,
        pages,
        scopes,
        looks_of_scopes,
        looks,
        cancel,
        empty,
        missing_library,
        closing,
        installing,
        changing,
        libraries,
        libraries_hanging,
        libraries_later,
        libraries_from_index,
        *behaving,
        speaking,
        speaking_beside,
        speaking_another,
        documenting,
    )
}


# --- the parts --------------------------------------------------------------------------------------------------------


class Table:
    """The window's table, as a person sees it."""

    def __init__(self, anki: AnkiSession) -> None:
        self.anki = anki

    def names(self, window: Any) -> List[str]:
        return [result.algorithm for result in window.table.shown()]

    def choose(self, window: Any, *names: str) -> None:
        window.table.choose(list(names))
        self.anki.pump(0.4)

    def selected(self, window: Any) -> set[str]:
        return {result.algorithm for result in window.table.selected()}


def _open_chooser(anki: AnkiSession, window: Any) -> Any:
    window.choose_button.click()
    anki.wait(lambda: window.chooser is not None and window.chooser.isVisible(), "the chooser")
    anki.pump(0.1)
    return window.chooser


def _click_gear(anki: AnkiSession, deck: str) -> Any:
    """The item in the menu behind a deck's gear; returns the window."""
    from aqt import gui_hooks
    from aqt.qt import QMenu

    menu = QMenu(anki.mw)
    gui_hooks.deck_browser_will_show_options_menu(menu, anki.mw.col.decks.id_for_name(deck))
    actions = [action for action in menu.actions() if action.text() == "Evaluate with SRS Evaluator…"]
    expect(len(actions) == 1, "one item in the gear menu")
    actions[0].trigger()
    return anki.window()


def _browse(anki: AnkiSession, search: str) -> Any:
    """The browser with this search, and something else typed that was not searched for."""
    import aqt

    browser = aqt.dialogs.open("Browser", anki.mw)
    browser.search_for(search)
    browser._line_edit().setText("typed only")
    anki.pump(0.2)
    return browser


def _click_in_browser(anki: AnkiSession, browser: Any) -> Any:
    actions = [action for action in browser.form.menu_Cards.actions() if "SRS Evaluator" in action.text()]
    expect(len(actions) == 1, "one item in the browser")
    actions[0].trigger()
    return anki.window()


def _choose_scopes(anki: AnkiSession, window: Any) -> None:
    """With keys alone: some letters, Down, Enter."""
    bar, names = window.scope_bar, []
    for letters in ("verb", "tag", "whole", "vocab"):
        bar.scope.click()
        anki.pump(0.1)
        expect(bar.list.isVisible() and bar.list.line.hasFocus(), "one can type at once")
        bar.list.line.setText(letters)
        if letters == "tag":
            expect(bar.list.tree.currentItem() is None, "nothing is found")
            anki.press_key(bar.list.line, "Key_Return")
            expect(bar.list.isVisible(), "Enter chooses nothing")
            anki.press_key(bar.list, "Key_Escape")
            continue
        anki.press_key(bar.list.line, "Key_Return")
        expect(not bar.list.isVisible(), "Enter closes the list")
        anki.wait_for_results(window)
        names.append((window.table.report.scope.kind, window.table.report.scope.name))
    expect(names[0] == ("deck", "Languages::Spanish::Verbs"), str(names))
    expect(names[1:] == [("collection", ""), ("preset", "Vocabulary")], str(names))


def _choose_options(anki: AnkiSession, window: Any) -> None:
    """They are kept in the configuration, everything else as it was."""
    import datetime as dt

    from aqt.qt import QDate

    bar, scope = window.scope_bar, window.table.report.scope
    bar.options.click()
    anki.pump(0.1)
    expect(bar.boxes.same_day.hasFocus(), "keys act at once")
    anki.press_key(bar.boxes.same_day, "Key_Space")
    anki.press_key(bar.boxes.same_day, "Key_Escape")
    anki.pump(0.1)
    expect(not bar.boxes.isVisible() and bar.options.hasFocus(), "and then at the button again")
    anki.wait_for_results(window)
    changed = window.table.report.scope
    expect(not changed.same_day and changed.outlier_filter and changed.reviews == scope.reviews, str(changed))
    expect("No algorithm was told of same-day reviews." in window.results.legend.text(), window.results.legend.text())

    day = dt.date.fromisoformat(scope.first_day) + dt.timedelta(days=20)
    for expected, choose in (
        (day.isoformat(), lambda: bar.calendar.calendar.activated.emit(QDate(day.year, day.month, day.day))),
        (None, bar.calendar.beginning.click),
    ):
        bar.since.click()
        anki.pump(0.1)
        expect(bar.calendar.calendar.isAncestorOf(anki.app.focusWidget()), "keys go through the days")
        choose()
        anki.wait_for_results(window)
        config = anki.mw.addonManager.getConfig(ADDON_FOLDER)
        expect(window.table.report.scope.since == config["reviews"]["since"] == expected, str(config))
        expect(bar.since.words == (expected or "the beginning"), bar.since.words)
    expect(config["reviews"]["same_day"] is False and config["folds"] == 5, str(config))


def _popups(bar: Any) -> Any:
    return ("list", bar.scope, bar.list), ("since", bar.since, bar.calendar), ("options", bar.options, bar.boxes)


def _fits(popup: Any) -> bool:
    return popup.screen().availableGeometry().contains(popup.frameGeometry())


def _geography(anki: AnkiSession) -> Any:
    return next(d.id for d in anki.mw.col.decks.all_names_and_ids() if d.name.startswith("Geography"))


def _in_large_letters(anki: AnkiSession) -> None:
    """And with five hundred decks."""
    for outer in range(25):
        for inner in range(20):
            anki.mw.col.decks.id(f"Subject {outer:02d}::Chapter {inner:02d}")
    font = anki.app.font()
    font.setPointSizeF(LARGE_LETTERS * font.pointSizeF())
    anki.app.setFont(font)
    window = _click_gear(anki, "Languages::Spanish::Verbs")
    anki.wait_for_results(window)
    row, margins = window.layout().itemAt(0), window.layout().contentsMargins()
    needed = row.minimumSize().width() + margins.left() + margins.right()
    expect(needed <= SIZES["narrow"][0], f"the row at the top fits, even in {needed} pixels")
    anki.screenshot(window, SCREENSHOTS / "scope-large-narrow-night.png")
    for name, button, popup in _popups(window.scope_bar):
        start = time.monotonic()
        button.click()
        expect(time.monotonic() - start < 0.5, f"{name} is there at once")
        anki.pump(0.2)
        anki.screenshot(popup, SCREENSHOTS / f"scope-{name}-large-night.png")
        if name == "list":
            popup.line.setText("17 chap 3")
            anki.screenshot(popup, SCREENSHOTS / "scope-list-found-large-night.png")
        anki.press_key(popup, "Key_Escape")
    window.close()


def _run_published(anki: AnkiSession, window: Any) -> Facts:
    chooser = _open_chooser(anki, window)
    chooser.groups["published"].click()
    published = chooser.chosen
    expect(chooser.count.text().startswith(f"{len(published)} of "), chooser.count.text())
    beat = Heartbeat()
    start = time.monotonic()
    chooser.run.click()
    texts = _texts_until_done(anki, window)
    seconds, longest = time.monotonic() - start, beat.stop()
    names = {row.algorithm for row in window.table.report.results}
    expect(names == published, "a row for each")
    expect(any(f" of {len(names)}): " in text for text in texts), "the words say how many there are")
    return {
        "published_seconds": round(seconds, 2),
        "published_computing_seconds": round(sum(window.findings.evaluation.timing.values()), 2),
        "published_longest_block_ms": round(1000 * longest),
        "published_blocks_over_100_ms": sum(gap > 0.1 for gap in beat.gaps),
        "reviews": window.table.report.scope.reviews,
    }


def _click_row(anki: AnkiSession, chooser: Any, name: str) -> None:
    """With the mouse, on the words beside the box."""
    from aqt.qt import QApplication, QEvent, QMouseEvent, QPoint, QPointF, Qt

    row = chooser.list.row(name)
    chooser.list.scrollToItem(row)
    before = row.checkState(0)
    place = chooser.list.visualRect(chooser.list.indexFromItem(row, 1)).topLeft() + QPoint(40, 10)
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        buttons = Qt.MouseButton.LeftButton if kind == QEvent.Type.MouseButtonPress else Qt.MouseButton.NoButton
        where = QPointF(place)
        spot = QPointF(chooser.list.viewport().mapToGlobal(place))
        click = QMouseEvent(kind, where, spot, Qt.MouseButton.LeftButton, buttons, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(chooser.list.viewport(), click)
    expect(row.checkState(0) != before, f"a click on {name} acts")


def _asked(anki: AnkiSession) -> Any:
    return anki.mw.addonManager.getConfig(ADDON_FOLDER)["algorithms"]


def _texts_until_done(anki: AnkiSession, window: Any) -> List[str]:
    """What the progress said."""
    texts: List[str] = []

    def ended() -> bool:
        text = window.bar.stage.text()
        if text not in texts[-1:]:
            texts.append(text)
        return not window._run.active

    anki.wait(ended, "the evaluation to end", 240)
    return texts


def _export_everything(anki: AnkiSession, window: Any, folder: Path) -> None:
    exports = folder / "exports"
    exports.mkdir()
    _export(anki, window, exports / "export", "json", "csv", "png", "svg", "html")
    window.export_to("png", folder / "no such folder" / "x.png")
    anki.wait(window.notice.isVisible, "a word on the failed export")
    expect(window.notice.label.text().startswith("Not saved"), window.notice.label.text())


def _export(anki: AnkiSession, window: Any, stem: Path, *endings: str) -> None:
    for file in (stem.with_suffix(f".{ending}") for ending in endings):
        window.export_to(file.suffix[1:], file)
        anki.wait(lambda file=file: _settled(file), file.name)


def _ask_all_that_is_slow(anki: AnkiSession, window: Any) -> None:
    for section in ("splitting", "sensitivity"):
        page, block = _page_with(window, section)
        window.results.tabs.setCurrentIndex(page)
        block.button.click()
        anki.wait(block.content.isVisible, f"the section {section}", 120)
    window.results.tabs.setCurrentIndex(0)


def _fake() -> Any:
    """The made-up evaluation. It needs the checkout on the path; where the real one runs, that must not be needed."""
    sys.path.append(str(ROOT))
    import fake

    return fake


def _screenshots_of_results(anki: AnkiSession, window: Any, engine: Any, fake: Any, theme: str) -> None:
    slow = engine.evaluate = fake.FakeEvaluate(step_seconds=0.03)
    for name, size in SIZES.items():
        window.resize(*size)
        window.table._by_person = False
        window.run_again()
        anki.wait(lambda: window.table.report is not None and len(window.table.report.results) >= 3, "three rows")
        anki.screenshot(window, SCREENSHOTS / f"running-{name}-{theme}.png")
        anki.wait_for_results(window)
        anki.screenshot(window, SCREENSHOTS / f"finished-{name}-{theme}.png")
        window.table.choose(["FSRS-6", "SM-2"])
        anki.screenshot(window, SCREENSHOTS / f"two-{name}-{theme}.png")
        window.bar.funnel_toggle.setChecked(True)
        anki.screenshot(window, SCREENSHOTS / f"funnel-{name}-{theme}.png")
        window.bar.funnel_toggle.setChecked(False)
    expect(not slow.running, "the run has ended")
    _screenshots_of_many(anki, window, engine, fake, theme)
    engine.evaluate = fake.FakeEvaluate(failed=("FSRS-5", "SM-2"))
    window.resize(1100, 720)
    window.run_again()
    anki.wait_for_results(window)
    window._on_change()
    anki.screenshot(window, SCREENSHOTS / f"failed-{theme}.png")


def _screenshots_of_many(anki: AnkiSession, window: Any, engine: Any, fake: Any, theme: str) -> None:
    engine.evaluate = fake.FakeEvaluate(names=fake.MANY, step_seconds=0.06)
    anki.pump(0.1)
    window.resize(*SIZES["narrow"])
    chooser = _open_chooser(anki, window)
    anki.screenshot(chooser, SCREENSHOTS / f"chooser-default-{theme}.png")
    chooser.groups["all"].click()
    _click_row(anki, chooser, "FSRS-6 recency")
    anki.screenshot(chooser, SCREENSHOTS / f"chooser-own-{theme}.png")
    chooser.groups["all"].click()
    window.table._by_person = False
    chooser.run.click()
    anki.wait(lambda: "about" in window.bar.stage.text(), "the time left")
    anki.screenshot(window, SCREENSHOTS / f"many-running-narrow-{theme}.png")
    engine.evaluate = fake.FakeEvaluate(names=fake.MANY, failed=("FSRS-rs",))
    for name, size in SIZES.items():
        window.resize(*size)
        window.run_again()
        anki.wait_for_results(window)
        window.table.choose(["FSRS-6", "SM-2"])
        anki.screenshot(window, SCREENSHOTS / f"many-{name}-{theme}.png")
    engine.evaluate = fake.FakeEvaluate(names=fake.MANY, step_seconds=0.1)
    window.run_again()
    anki.wait(lambda: window.table.report is not None and len(window.table.report.results) >= 3, "three rows")
    window.resize(*SIZES["narrow"])
    window.bar.cancel.click()
    anki.screenshot(window, SCREENSHOTS / f"many-cancelled-narrow-{theme}.png")
    window.run_with(engine.catalogue().groups["default"], None)


def _choose_every_graph(anki: AnkiSession, window: Any) -> Facts:
    """Each is drawn of two algorithms, with a sentence below it and a table behind it; the choice is remembered."""
    window.table.choose(["FSRS-6", "SM-2"])
    panel, beat = window.panel, Heartbeat()
    keys = [panel.list.itemData(row) for row in range(panel.list.count()) if panel.list.itemData(row)]
    expect("calibration" in keys, "the classic graph can be chosen")
    for key in keys:
        panel.choose(key)
        anki.wait(lambda key=key: panel.shown is not None and panel.shown.chart.key == key, f"the graph {key}")
        expect(panel.sentence.whole, f"{key} has a sentence")
        expect(panel.shown.algorithms[0] == "FSRS-6", f"{key} shows what is chosen")
        anki.wait(lambda: window.jobs.over, "all that was asked")
        anki.screenshot(window, SCREENSHOTS / f"graph-{key}-light.png")
    gaps = beat.stop()
    panel.as_numbers.click()
    anki.screenshot(window, SCREENSHOTS / "numbers-light.png")
    expect(panel.numbers.isVisible() and panel.numbers.table.rows, "the numbers are in the graph's place")
    anki.press_key(panel.numbers, "Key_C", control=True)
    expect(anki.app.clipboard().text().count("\n") == len(panel.numbers.table.rows) + 1, "they can be copied")
    panel.as_numbers.click()
    chosen = panel.chosen
    window.close()
    window = anki.click_menu_item()
    expect(window.panel.chosen == chosen, "the choice is remembered")
    anki.wait_for_results(window)
    return {"graphs_longest_block_ms": round(1000 * gaps), "graphs": len(keys)}


def _open_every_page(anki: AnkiSession, window: Any) -> Facts:
    window = anki.window()
    beat = Heartbeat()
    for number, page in enumerate(window.results.pages, start=1):
        window.results.tabs.setCurrentIndex(number)
        for block in page.blocks:
            if not block.button.isVisible():
                anki.wait(lambda block=block: block.content.isVisible(), f"the section {block.section}")
        anki.screenshot(window, SCREENSHOTS / f"page-{page.page.sections[0]}-light.png")
    window.results.tabs.setCurrentIndex(0)
    window.results.comparison.fold.click()
    anki.wait(window.results.comparison.cheating.content.isVisible, "the answer to be unfolded")
    anki.screenshot(window, SCREENSHOTS / "cheating-light.png")
    return {"pages_longest_block_ms": round(1000 * beat.stop()), "pages": len(window.results.pages)}


def _ask_slowly(anki: AnkiSession) -> Facts:
    """A slow section begins with a click; other questions are answered meanwhile; Cancel acts at once."""
    window = anki.window()
    sections, page, block = anki.module("ui.engine").SECTIONS, *_page_with(window, "splitting")
    real = sections["splitting"]
    _replace_section(sections, "splitting", _takes_long)
    window.results.tabs.setCurrentIndex(page)
    expect(block.button.isVisible() and "evaluation did" in block.words.text(), "it says how long it may take")
    block.button.click()
    anki.wait(window.bar.cancel.isVisible, "the progress")
    anki.screenshot(window, SCREENSHOTS / "page-computing-light.png")
    window.results.tabs.setCurrentIndex(0)
    window.table.choose(["FSRS-5"])
    window.panel.choose("interval")
    anki.wait(lambda: window.panel.shown and window.panel.shown.algorithms == ("FSRS-5",), "a graph meanwhile", 5)
    expect(window.bar.cancel.isVisible(), "the slow section goes on")
    start = time.monotonic()
    window.bar.cancel.click()
    expect(window.bar.again.isVisible(), "Cancel has acted")
    answered = time.monotonic() - start
    anki.wait(lambda: window.jobs.over, "the background to end", 1)
    window.results.tabs.setCurrentIndex(page)
    expect("Stopped" in block.words.text() and block.button.isVisible(), block.words.text())
    sections["splitting"] = real
    block.button.click()
    anki.wait(block.content.isVisible, "the real section")
    anki.screenshot(window, SCREENSHOTS / "page-splitting-light.png")
    _, block = _page_with(window, "sensitivity")
    window.results.tabs.setCurrentIndex(_page_with(window, "sensitivity")[0])
    block.button.click()
    anki.wait(block.content.isVisible, "the section that reads the collection again", 120)
    expect(window.findings.report.sensitivity.complete, "it has got what was evaluated")
    return {"section_cancelled_ms": round(1000 * answered, 1)}


def _fail_calmly(anki: AnkiSession) -> None:
    """A section that cannot be worked out says so, and can be tried again; the rest is not affected."""
    window = anki.window()
    sections = anki.module("ui.engine").SECTIONS
    real = sections["desired_retention"]
    _replace_section(sections, "desired_retention", _fails)
    window.run_again()
    anki.wait_for_results(window)
    page, block = _page_with(window, "desired_retention")
    window.results.tabs.setCurrentIndex(page)
    anki.wait(lambda: "could not be worked out" in block.words.text(), "the failure to be said")
    expect("not affected" in window.notice.label.text() and window.notice._copy.isVisible(), window.notice.label.text())
    anki.screenshot(window, SCREENSHOTS / "page-failed-light.png")
    sections["desired_retention"] = real
    block.button.click()
    anki.wait(block.content.isVisible, "the second attempt")
    window.notice.clear()


def _every_look(anki: AnkiSession) -> None:
    """Night, narrow, wide, and with large letters."""
    window = anki.window()
    window.table.choose(["FSRS-6", "SM-2"])
    for theme in ("light", "night"):
        anki.set_night(theme == "night")
        for name, size in {"narrow": (1000, 700), "usual": (1366, 768), "wide": (2560, 1440)}.items():
            window.resize(*size)
            expect((window.width(), window.height()) == size, f"it can be as small as {size}")
            for page in range(len(window.results.pages) + 1):
                window.results.tabs.setCurrentIndex(page)
                anki.screenshot(window, SCREENSHOTS / f"page-{page}-{name}-{theme}.png")
            window.results.tabs.setCurrentIndex(0)
            for key in ("reliability", "month", "memory"):
                window.panel.choose(key)
                anki.pump(0.1)
                expect(name != "usual" or _is_whole(window.panel.sentence), f"the sentence of {key} is not cut off")
                anki.screenshot(window, SCREENSHOTS / f"graph-{key}-{name}-{theme}.png")
    anki.set_night(False)
    _look_with_large_letters(anki)


def _is_whole(sentence: Any) -> bool:
    """Whether all of it can be read without its tooltip."""
    return bool(sentence.whole) and sentence.text().replace("\n", " ") == sentence.whole


def _look_with_large_letters(anki: AnkiSession) -> None:
    anki.window().close()
    font, large = anki.app.font(), anki.app.font()
    large.setPointSizeF(LARGE_LETTERS * font.pointSizeF())
    anki.app.setFont(large)
    window = anki.click_menu_item()
    anki.wait_for_results(window)
    window.table.choose(["FSRS-6", "SM-2"])
    window.resize(1000, 700)
    expect(window.width() == 1000, f"it fits, letters of that size or not: {window.width()}")
    for page in range(len(window.results.pages) + 1):
        window.results.tabs.setCurrentIndex(page)
        anki.pump(0.1)
        anki.wait(lambda: window.jobs.over, "all that was asked")
        anki.screenshot(window, SCREENSHOTS / f"page-{page}-large-light.png")
    window.close()
    anki.app.setFont(font)


def _page_with(window: Any, section: str) -> Any:
    """The number of its tab, and its block."""
    for number, page in enumerate(window.results.pages, start=1):
        for block in page.blocks:
            if block.section == section:
                return number, block
    raise LookupError(section)


def _replace_section(sections: Dict[str, Any], name: str, find: Any) -> None:
    sections[name] = dataclasses.replace(sections[name], find=find)


def _takes_long(_report: object, _evidence: object) -> Any:
    for step in range(100):
        time.sleep(0.05)
        yield step / 100
    return ()


def _fails(_report: object, _evidence: object) -> Any:
    yield 0.5
    raise RuntimeError("boom")


def _colours(window: Any) -> Any:
    return window.panel.view._canvas.figure.get_facecolor()


def _make_an_undoable_change(anki: AnkiSession) -> Any:
    col = anki.mw.col
    note = col.new_note(col.models.by_name("Basic"))
    note["Front"] = "one more"
    col.add_note(note, col.decks.id("Default"))
    expect(col.undo_status().undo, "there is something to undo")
    return col.undo_status().undo, col.mod


def _answer_a_card(anki: AnkiSession) -> None:
    from anki.scheduler.v3 import CardAnswer
    from aqt.operations import CollectionOp

    def answer(col: Any) -> Any:
        queued = col.sched.get_queued_cards(fetch_limit=1).cards[0]
        card = col.get_card(queued.card.id)
        card.start_timer()
        states = queued.states
        return col.sched.answer_card(col.sched.build_answer(card=card, states=states, rating=CardAnswer.GOOD))

    CollectionOp(anki.mw, answer).run_in_background()


def _digests(path: Path) -> str:
    """Of the collection and its log, taken by another process: Anki's own must not open the file a second time."""
    names = [str(path), f"{path}-wal"]
    program = "import hashlib, sys; [print(n, hashlib.sha256(open(n, 'rb').read()).hexdigest()) for n in sys.argv[1:]]"
    command = [sys.executable, "-c", program, *(name for name in names if Path(name).exists())]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _settled(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def main() -> None:
    """Run the scenario that is named, in the folder that is given."""
    name, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    prepare_environment()
    import aqt  # noqa: F401 - before anki, as in Anki itself: 24.11 and 25.02 change requests before it is imported

    code = 0
    try:
        facts = SCENARIOS[name](folder)
        (folder / "facts.json").write_text(json.dumps(facts), encoding="utf-8")
    except BaseException:  # noqa: BLE001 - whatever it is, it is the answer
        traceback.print_exc(file=sys.__stderr__)
        code = 1
    sys.stdout.flush()
    os._exit(code)  # Qt's web engine may crash while Python takes itself apart; all that matters has been looked at


if __name__ == "__main__":
    if len(sys.argv) == 2:
        sys.argv.append(tempfile.mkdtemp())
    main()
