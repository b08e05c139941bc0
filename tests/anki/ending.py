"""Cancel, fail, and close in the middle of an evaluation, and evaluate without reviews or libraries."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Callable

import stalled_evaluations
from running import expect, expect_equal
from session import WINDOW_KEY, AnkiSession, is_idle
from stalled_evaluations import StalledEvaluation
from window_tour import screenshot_themes


def cancel(anki, _folder):
    """Cancel, and let the run and an algorithm fail. Finished rows stay."""
    fake = stalled_evaluations.fake_module()
    engine = stalled_evaluations.engine(anki)
    real_evaluate = engine.evaluate
    slow = engine.evaluate = StalledEvaluation(fake.FakeEvaluate(), after=2)
    window = anki.click_menu_item()
    stalled_evaluations.cancel(anki, window, slow)
    stalled_evaluations.expect_finished_rows(anki, window, 2)
    heading = window.results.headline.heading.text()
    expect("no result for" in heading, f"no headline without its rows: {heading}")

    slow = engine.evaluate = StalledEvaluation(fake.FakeEvaluate())
    window.model.evaluate()
    stalled_evaluations.cancel(anki, window, slow)
    expect(window.stack.currentWidget() is window.message, "a message instead of results")
    messages = anki.module("ui.window.messages")
    expect_equal(window.message.heading.text(), messages.NOTHING_FINISHED.heading)

    engine.evaluate = fake.FakeEvaluate(failed=("SM-2", "FSRS-5"))
    anki.evaluate(window)
    last_row = window.table.rows[-1].result
    expect(last_row.error and last_row.log_loss is None, "failed rows come last")

    engine.evaluate = fake.FakeEvaluate(raises=RuntimeError("boom"), raises_after=2)
    anki.evaluate(window)
    expect_equal(len(window.table.rows), 2)
    expect(messages.UNEXPECTED in window.notice.label.text(), window.notice.label.text())

    class Panic(BaseException):
        """Error of the same kind as a panic of Anki's backend."""

    engine.evaluate = fake.FakeEvaluate(raises=Panic("the backend panicked"))
    anki.evaluate(window)
    expect_equal(window.message.heading.text(), messages.UNEXPECTED)
    expect("  Panic\n" in window.message.copy_button.details, "details to copy")
    anki.screenshot(window, "unexpected-light")
    expect(any(anki.base.glob("logs/addons/*/*.log")), "the error is logged")
    engine.evaluate = real_evaluate


def empty(anki, _folder):
    """Evaluate without reviews, with reviews on a single day, with filtered reviews, and with an unknown algorithm."""
    db = anki.mw.col.db
    reviews = db.all("select * from revlog")
    db.execute("delete from revlog")
    window = anki.open_window()
    headings = anki.module("ui.window.messages").INPUT_HEADINGS
    expect_equal(window.message.heading.text(), headings["empty_revlog"])
    expect(not window.message.copy_button.isVisible(), "no error report, because the add-on is not at fault")
    screenshot_themes(anki, window, "empty")

    first_answers = [(1_600_000_000_000 + card, card, 3, 1, 1, 2500, 4000, 0) for card in range(1, 30)]
    db.executemany("insert into revlog values (?,?,-1,?,?,?,?,?,?)", first_answers)
    anki.evaluate(window)
    expect_equal(window.message.heading.text(), headings["no_later_day"])
    expect("29 reviews" in window.message.text.text(), window.message.text.text())
    screenshot_themes(anki, window, "one-day")

    # Cramming reviews are filtered out.
    db.execute("update revlog set type = 3, factor = 0")
    anki.evaluate(window)
    expect_equal(window.message.heading.text(), headings["all_filtered"])
    expect(window.row_accounting.isVisible(), "the row accounting opens by itself")
    anki.screenshot(window, "all-filtered-light")

    anki.configure(algorithms=["FSRS-66"])
    anki.evaluate(window)
    expect("FSRS-6" in window.message.text.text(), window.message.text.text())
    db.execute("delete from revlog")
    db.transact(lambda: db.executemany("insert into revlog values (?,?,?,?,?,?,?,?,?)", reviews))


def missing_library(anki, _folder):
    """Hide NumPy and matplotlib, for which an installation is offered, then a dependency, which is an error."""
    import aqt

    hidden = {"numpy", "matplotlib"}

    class HidingFinder:
        def find_spec(self, name: str, *_: object) -> None:
            if name.split(".", maxsplit=1)[0] in hidden:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    def open_dialog():
        expect(anki.click_menu_item() is None, "no window yet")
        return aqt.dialogs._dialogs["srs_evaluator_libraries"][1]

    finder = HidingFinder()
    sys.meta_path.insert(0, finder)
    expect("numpy" not in sys.modules and "matplotlib" not in sys.modules, "nothing is imported at start")
    dialog = open_dialog()
    offer = dialog.text.text()
    expect("NumPy" in offer and dialog.install_button.isVisible(), offer)
    anki.press_key(dialog, "Key_Escape")
    expect(aqt.dialogs._dialogs["srs_evaluator_libraries"][1] is None, "Esc closes it")

    install = anki.module("ui.anki.libraries.install")
    real_obstacle = install.obstacle
    install.obstacle = lambda: "Something stands in the way."
    dialog = open_dialog()
    expect_equal(dialog.status.text(), "Something stands in the way.")
    expect("MB" not in dialog.text.text() and len(dialog.text.text()) < len(offer) / 2, dialog.text.text())
    expect(dialog.install_button.isHidden() and dialog.close_button.isVisible(), "it can only be closed")
    anki.press_key(dialog, "Key_Escape")
    install.obstacle = real_obstacle

    hidden.clear()
    hidden.add("PIL")
    dialog = open_dialog()
    screenshot_themes(anki, dialog, "libraries")
    anki.press_key(dialog, "Key_Escape")

    # Open the window as if the dependency had vanished after the check for libraries.
    window = aqt.dialogs.open(WINDOW_KEY, None)
    anki.wait_for_results(window)
    expect("PIL" in window.message.text.text(), window.message.text.text())
    screenshot_themes(anki, window, "missing-library")
    sys.meta_path.remove(finder)


def closing(anki: AnkiSession, _folder: Path) -> Callable[[], None]:
    """Close the profile during a run, close the collection during another, then quit Anki during a third."""
    fake = stalled_evaluations.fake_module()
    engine = stalled_evaluations.engine(anki)
    slow = engine.evaluate = StalledEvaluation(fake.FakeEvaluate())
    window = anki.click_menu_item()
    anki.wait(lambda: slow.is_holding, "a step to be held")
    jobs = window.model.jobs
    begun = slow.begun
    anki.mw.unloadProfileAndShowProfileManager()
    anki.wait(lambda: anki.mw.col is None, "the profile to close")
    expect(anki.window() is None, "the window is closed, too")
    expect(not is_idle(jobs), "the background has not ended")
    slow.release()
    anki.wait(lambda: is_idle(jobs), "the background to end")
    expect_equal(slow.begun, begun)

    window = anki.open_window()
    heading = anki.module("ui.window.messages").INPUT_HEADINGS["collection_closed"]
    expect_equal(window.message.heading.text(), heading)
    anki.screenshot(window, "no-collection-light")
    window.close()

    _open_profile(anki)
    window = anki.click_menu_item()
    read_steps = engine.read_steps
    engine.read_steps = _close_collection_while_reading(anki, read_steps)
    anki.evaluate(window)
    expect_equal(window.message.heading.text(), heading)
    anki.mw.col.reopen(after_full_sync=False)
    engine.read_steps = read_steps
    last = engine.evaluate = StalledEvaluation(fake.FakeEvaluate())
    window.model.evaluate()
    anki.wait(lambda: last.is_holding, "a step to be held")
    begun = last.begun
    # Anki waits for the held step before it ends.
    anki.app.aboutToQuit.connect(last.release)
    return lambda: expect_equal(last.begun, begun)


def _close_collection_while_reading(anki: AnkiSession, read_steps: Callable[..., Any]) -> Callable[..., Any]:
    """Return a replacement for ``read_steps`` that closes the collection after its first step."""

    def close_and_read(col, *arguments):
        yield 1, 10
        anki.mw.col.close_for_full_sync()
        anki.mw.backend.close_collection(downgrade_to_schema11=False)
        yield from read_steps(col, *arguments)

    return close_and_read


def _open_profile(anki):
    anki.mw.onOpenProfile()
    anki.wait(lambda: anki.mw.col is not None and anki.mw.state == "deckBrowser", "the profile to open")
