from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Callable

import stalled_evaluations
from evaluating import names, open_section, page_with
from running import expect
from session import ADDON_FOLDER, QUICK, WINDOW_KEY, AnkiSession
from stalled_evaluations import StalledEvaluation


def cancel(anki: AnkiSession, _folder: Path) -> None:
    """Cancel, and let the run and an algorithm fail. What is finished stays."""
    fake, engine = stalled_evaluations.fake_module(), stalled_evaluations.engine(anki)
    real = engine.evaluate
    slow = engine.evaluate = StalledEvaluation(fake.FakeEvaluate(), after=2)
    window = anki.click_menu_item()
    stalled_evaluations.cancel(anki, window, slow)
    expect(len(names(window)) == 2, "what is finished is kept")
    heading = window.results.headline.heading.text()
    expect("no result for" in heading, f"no headline without its rows: {heading}")
    messages = anki.module("ui.window.messages")
    others = window.table.report.unfinished
    text = messages.cancelled_sentence(others)
    expect(others and window.notice.label.text() == text, "what is not is named")

    slow = engine.evaluate = StalledEvaluation(fake.FakeEvaluate())
    window.model.evaluate()
    stalled_evaluations.cancel(anki, window, slow)
    expect(window.stack.currentWidget() is window.message, "nothing is finished yet")
    expect(window.message.heading.text() == messages.NOTHING_FINISHED.heading, window.message.heading.text())

    engine.evaluate = fake.FakeEvaluate(failed=("SM-2", "FSRS-5"))
    anki.evaluate(window)
    last = window.table.rows[-1].result
    expect(last.error and last.log_loss is None, "failed rows come last")

    engine.evaluate = fake.FakeEvaluate(raises=RuntimeError("boom"), raises_after=2)
    anki.evaluate(window)
    expect(len(window.table.rows) == 2 and messages.UNEXPECTED in window.notice.label.text(), "rows are kept")

    class Panic(BaseException):
        """Like the backend's."""

    engine.evaluate = fake.FakeEvaluate(raises=Panic("the backend panicked"))
    anki.evaluate(window)
    expect(window.message.heading.text() == messages.UNEXPECTED, "a panic is a calm message")
    expect("  Panic\n" in window.message.copy_button.details, "with details to copy")
    expect(anki.mw.col is not None, "Anki lives")
    anki.screenshot(window, "unexpected-light")
    expect(any(anki.base.glob("logs/addons/*/*.log")), "the log has it")
    engine.evaluate = real


def empty(anki: AnkiSession, _folder: Path) -> None:
    db = anki.mw.col.db
    reviews = db.all("select * from revlog")
    db.execute("delete from revlog")
    window = anki.open_window()
    headings = anki.module("ui.window.messages").INPUT_HEADINGS
    expect(window.message.heading.text() == headings["empty_revlog"], window.message.heading.text())
    expect(not window.message.copy_button.isVisible(), "no details: the input is not a fault of ours")
    for night in (False, True):
        anki.set_night(night)
        anki.screenshot(window, f"empty-{'night' if night else 'light'}")
    anki.set_night(False)

    first_answers = [(1_600_000_000_000 + card, card, 3, 1, 1, 2500, 4000, 0) for card in range(1, 30)]
    db.executemany("insert into revlog values (?,?,-1,?,?,?,?,?,?)", first_answers)
    anki.evaluate(window)
    expect(window.message.heading.text() == headings["no_later_day"], window.message.heading.text())
    expect("29 reviews" in window.message.text.text(), window.message.text.text())
    for night in (False, True):
        anki.set_night(night)
        anki.screenshot(window, f"one-day-{'night' if night else 'light'}")
    anki.set_night(False)

    db.execute("update revlog set type = 3, factor = 0")  # cramming
    anki.evaluate(window)
    expect(window.message.heading.text() == headings["all_filtered"], window.message.heading.text())
    expect(window.funnel.isVisible(), "the funnel opens by itself")
    anki.screenshot(window, "all-filtered-light")

    anki.mw.addonManager.writeConfig(ADDON_FOLDER, {"algorithms": ["FSRS-66"]})
    anki.evaluate(window)
    expect("FSRS-6" in window.message.text.text(), window.message.text.text())
    db.execute("delete from revlog")
    db.transact(lambda: db.executemany("insert into revlog values (?,?,?,?,?,?,?,?,?)", reviews))


def missing_library(anki: AnkiSession, _folder: Path) -> None:
    """Hide libraries. For matplotlib and NumPy an installation is offered, for their dependencies an error is shown."""
    import aqt

    absent = {"numpy", "matplotlib"}

    class Absent:
        def find_spec(self, name: str, *_: object) -> None:
            if name.split(".", maxsplit=1)[0] in absent:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    finder = Absent()
    sys.meta_path.insert(0, finder)
    expect("numpy" not in sys.modules and "matplotlib" not in sys.modules, "nothing is imported at start")
    expect(anki.click_menu_item() is None, "no window yet")
    dialog = aqt.dialogs._dialogs["srs_evaluator_libraries"][1]
    offered = dialog.text.text()
    expect("NumPy" in offered and dialog.install_button.isVisible(), offered)
    anki.press_escape(dialog)
    expect(aqt.dialogs._dialogs["srs_evaluator_libraries"][1] is None, "Esc closes it")

    install = anki.module("ui.anki.libraries.install")
    real, install.obstacle = install.obstacle, lambda: "Something stands in the way."
    anki.click_menu_item()
    dialog = aqt.dialogs._dialogs["srs_evaluator_libraries"][1]
    expect(dialog.status.text() == "Something stands in the way.", dialog.status.text())
    expect("MB" not in dialog.text.text() and len(dialog.text.text()) < len(offered) / 2, dialog.text.text())
    expect(dialog.install_button.isHidden() and dialog.close_button.isVisible(), "nothing else to do")
    anki.press_escape(dialog)
    install.obstacle = real

    absent.clear()
    absent.add("PIL")
    expect(anki.click_menu_item() is None, "what matplotlib needs is needed, too")
    dialog = aqt.dialogs._dialogs["srs_evaluator_libraries"][1]
    for night in (False, True):
        anki.set_night(night)
        anki.screenshot(dialog, f"libraries-{'night' if night else 'light'}")
    anki.press_escape(dialog)

    window = aqt.dialogs.open(WINDOW_KEY)  # it has vanished just now
    anki.wait_for_results(window)
    expect("PIL" in window.message.text.text(), window.message.text.text())
    for night in (True, False):
        anki.set_night(night)
        anki.screenshot(window, f"missing-library-{'night' if night else 'light'}")
    sys.meta_path.remove(finder)


def closing(anki: AnkiSession, _folder: Path) -> Callable[[], None]:
    """Close the profile during a run, then Anki itself."""
    fake, engine = stalled_evaluations.fake_module(), stalled_evaluations.engine(anki)
    slow = engine.evaluate = StalledEvaluation(fake.FakeEvaluate())
    window = anki.click_menu_item()
    anki.wait(lambda: slow.holds, "the arithmetic")
    jobs, begun = window.model.jobs, slow.begun
    anki.mw.unloadProfileAndShowProfileManager()
    anki.wait(lambda: anki.mw.col is None, "the profile to close")
    expect(anki.window() is None, "the window closed with it")
    expect(not jobs.is_idle, "before the background has ended")
    slow.let_go()
    anki.wait(lambda: jobs.is_idle, "the background to end")
    expect(slow.begun == begun, "no further step is computed")

    window = anki.open_window()
    heading = anki.module("ui.window.messages").INPUT_HEADINGS["collection_closed"]
    expect(window.message.heading.text() == heading, window.message.heading.text())
    anki.screenshot(window, "no-collection-light")
    window.close()

    anki.mw.onOpenProfile()
    anki.wait(lambda: anki.mw.col is not None and anki.mw.state == "deckBrowser", "the profile to open")
    window = anki.click_menu_item()

    def close_the_collection(*_: object) -> Any:
        yield 1, 10
        anki.mw.col.close_for_full_sync()
        anki.mw.backend.close_collection(downgrade_to_schema11=False)
        yield 2, 10
        yield from read_steps(anki.mw.col)

    read_steps = engine.read_steps
    engine.read_steps = close_the_collection
    anki.evaluate(window)
    expect(window.message.heading.text() == heading, window.message.text.text())
    anki.mw.col.reopen(after_full_sync=False)
    engine.read_steps = read_steps
    last = engine.evaluate = StalledEvaluation(fake.FakeEvaluate())
    window.model.evaluate()
    anki.wait(lambda: last.holds, "the arithmetic")
    begun = last.begun
    anki.app.aboutToQuit.connect(last.let_go)  # Anki quits while the step is held, otherwise it would never
    return lambda: expect(last.begun == begun, "no further step is computed after Anki has quit")


def closing_while_reading(anki: AnkiSession, _folder: Path) -> None:
    """A section for which the collection is read again: that is closed in the midst, then the whole profile."""
    anki.mw.addonManager.writeConfig(ADDON_FOLDER, {"algorithms": QUICK})
    engine = stalled_evaluations.engine(anki)
    real, turns = engine.read_steps, []

    def close_the_collection(col: Any, *requested: Any) -> Any:
        yield 1, 10
        anki.mw.col.close_for_full_sync()
        anki.mw.backend.close_collection(downgrade_to_schema11=False)
        yield from real(col, *requested)

    def read_forever(col: Any, *_: Any) -> Any:
        while True:
            turns.append(col.db.scalar("select count() from revlog"))
            yield len(turns), 1_000_000

    window = anki.open_window()
    engine.read_steps = close_the_collection
    _, block = page_with(window, "workload")
    block.button.click()
    failed = anki.module("ui.window.section_page").SECTION_FAILED
    anki.wait(lambda: block.words.text() == failed, "the failure to be said")
    anki.mw.col.reopen(after_full_sync=False)
    engine.read_steps = read_forever
    block.button.click()
    anki.wait(lambda: turns and window.bar.cancel.isVisible(), "the second reading")
    jobs = window.model.jobs
    anki.mw.unloadProfileAndShowProfileManager()
    anki.wait(lambda: anki.mw.col is None and jobs.is_idle, "the profile to close, and the background to end")
    expect(anki.window() is None, "the window closed with it")
    read = len(turns)
    anki.pump(0.3)
    expect(len(turns) == read, "nothing is read any more")
    engine.read_steps = real
    anki.mw.onOpenProfile()
    anki.wait(lambda: anki.mw.col is not None and anki.mw.state == "deckBrowser", "the profile to open")
    window = anki.open_window()
    open_section(anki, window, "workload")
    expect(window.model.findings.report.section("workload") is not None, "all is as it was")
