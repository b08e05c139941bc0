"""Show every state of the window in both themes and in two sizes."""

from __future__ import annotations

import dataclasses

import stalled_evaluations
from choosing import click_row
from evaluating import open_section, page_with
from running import expect, expect_equal
from stalled_evaluations import StalledEvaluation
from window_tour import SIZES, graphs, open_chooser, pages, screenshot_sizes, screenshot_themes


def looks(anki, _folder):
    """Show the states of the window, with made-up results that are the same each time."""
    window = anki.open_window()
    engine = anki.module("ui.engine")
    fake = stalled_evaluations.fake_module()
    real_evaluate = engine.evaluate
    slow = engine.evaluate = StalledEvaluation(fake.FakeEvaluate(), after=3)
    window.model.evaluate()
    anki.wait(lambda: window.table.report is not None and len(window.table.report.results) == 3, "three rows")
    screenshot_sizes(anki, window, "three-rows")
    slow.release()
    anki.wait_for_results(window)
    _show_many_algorithms(anki, window, engine, fake)
    engine.evaluate = fake.FakeEvaluate(failed=("FSRS-5", "SM-2"))
    anki.evaluate(window)
    window._on_change()
    screenshot_sizes(anki, window, "failed")
    engine.evaluate = real_evaluate
    window.results.tabs.setCurrentIndex(0)
    window.table.choose(["FSRS-6"])
    corners = []
    for night in (True, False):
        anki.set_night(night)
        corners.append(window.panel.view.pixmap().toImage().pixelColor(0, 0))
    expect(corners[0] != corners[1], "the graph follows the theme at once")
    _show_workloads(anki, window, engine)


def _show_workloads(anki, window, engine):
    """Show the workload of a user who keeps up, of one who does not, and of one whose past was not predicted."""
    workloads = stalled_evaluations.fake_module("made_workload")
    sections = engine.SECTIONS
    real_section = sections["workload"]
    for name, result in {
        "work": workloads.workload(),
        "knowledge": workloads.knowledge(),
        "failed": workloads.FAILED[-2],
    }.items():
        sections["workload"] = dataclasses.replace(real_section, compute=lambda *_, result=result: result)
        anki.evaluate(window)
        open_section(anki, window, "workload")
        _, block = page_with(window, "workload")
        views = block.findChildren(anki.module("ui.window.graph_panel").GraphView)
        expect_equal(len([view for view in views if view.isVisible()]), int(name != "failed"))
        screenshot_sizes(anki, window, f"workload-{name}")
    sections["workload"] = real_section


def _show_many_algorithms(anki, window, engine, fake):
    """Show the chooser, and many algorithms that are running, finished and cancelled."""
    slow = engine.evaluate = StalledEvaluation(fake.FakeEvaluate(names=fake.MANY), after=3)
    window.resize(*SIZES["narrow"])
    chooser = open_chooser(anki, window)
    screenshot_themes(anki, chooser, "chooser-default")
    chooser.groups["all"].click()
    click_row(anki, chooser, "FSRS-6 recency")
    screenshot_themes(anki, chooser, "chooser-single")
    chooser.groups["all"].click()
    chooser.run.click()
    anki.wait(lambda: "about" in window.bar.stage.text(), "the time left")
    screenshot_themes(anki, window, "many-running-narrow")
    slow.release()
    anki.wait_for_results(window)
    engine.evaluate = fake.FakeEvaluate(names=fake.MANY, failed=("FSRS-rs",))
    anki.evaluate(window)
    window.table.choose(["FSRS-6", "SM-2"])
    screenshot_sizes(anki, window, "many")
    slow = engine.evaluate = StalledEvaluation(fake.FakeEvaluate(names=fake.MANY), after=3)
    window.model.evaluate()
    window.resize(*SIZES["narrow"])
    stalled_evaluations.cancel(anki, window, slow)
    screenshot_themes(anki, window, "many-cancelled-narrow")
    window.model.choose_algorithms(engine.catalog("whole-day").groups["default"], "")
    anki.wait_for_results(window)


def speaking(anki, _folder):
    """Show every page and every graph in Anki's language."""
    window = anki.click_menu_item()
    anki.wait(lambda: window.bar.progress.value() > 0.3 * window.bar.progress.maximum(), "something to happen")
    screenshot_sizes(anki, window, "running")
    anki.wait_for_results(window)
    screenshot_sizes(anki, window, "finished")
    window.bar.row_accounting_button.setChecked(True)
    screenshot_sizes(anki, window, "funnel")
    window.bar.row_accounting_button.setChecked(False)
    window.table.choose(["FSRS-6", "Anki-SM-2"])
    for key in graphs(anki, window):
        screenshot_sizes(anki, window, f"graph-{key}")
    window.panel.as_numbers.click()
    screenshot_sizes(anki, window, "numbers")
    window.panel.as_numbers.click()
    for page in pages(anki, window):
        screenshot_sizes(anki, window, f"page-{page.page.views[0]}")
    screenshot_themes(anki, open_chooser(anki, window), "chooser")
    window.chooser.close()


def speaking_english(anki, _folder):
    """Expect English, from left to right, because Anki's language has no catalog."""
    window = anki.open_window()
    bar = window.scope_bar
    close = window.bar.close_button.text().strip("\u2066\u2069")
    language = anki.module("ui.text").language_code(), close, bar.calendar.locale().name()[:2]
    expect_equal(language, ("en", "Close", "en"))
    widgets = [window, window.table, open_chooser(anki, window), bar.since.menu(), window.bar.export.menu()]
    expect(not any(widget.isRightToLeft() for widget in widgets), "from left to right")
    window.chooser.close()
