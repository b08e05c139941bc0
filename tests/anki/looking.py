"""How every state of the window looks: light and night, narrow and wide, with large letters."""

from __future__ import annotations

import dataclasses
import threading
import time
from pathlib import Path
from typing import Any, Dict

import held
import touring
from choosing import click_row
from evaluating import open_section, page_with
from held import Held
from running import expect
from session import AnkiSession
from touring import graphs, open_chooser

SIZES = {"narrow": (900, 600), "wide": (1920, 1080)}


def pages(anki: AnkiSession, _folder: Path) -> None:
    """Every page and every graph, worked out when it is opened; the window answers meanwhile, and Cancel acts."""
    window = anki.click_menu_item()
    tabs, results = window.results.tabs, window.results
    expect(results.pages, "there are pages")
    tabs.setCurrentIndex(1)
    anki.settle()
    first = results.pages[0].blocks[0]
    expect("still running" in first.words.text(), first.words.text())
    anki.screenshot(window, "page-running-light")
    anki.wait_for_results(window)
    tabs.setCurrentIndex(0)
    _choose_every_graph(anki, window)
    _open_every_page(anki)
    _ask_slowly(anki)
    _fail_calmly(anki)
    _every_look(anki)


def looks(anki: AnkiSession, _folder: Path) -> None:
    """Every state in light and night, narrow and wide, with the same made-up results each time."""
    window = anki.open_window()
    engine, fake = anki.module("ui.engine"), held.fake_module()
    real = engine.evaluate
    for night in (False, True):
        anki.set_night(night)
        _screenshots_of_results(anki, window, engine, fake, "night" if night else "light")
    engine.evaluate = real
    window.results.tabs.setCurrentIndex(0)
    window.table.choose(["FSRS-6"])
    anki.settle()
    before = _colours(window)
    anki.set_night(False)
    expect(_colours(window) != before, "the graph follows the theme at once")
    _look_at_the_year_ahead(anki, window)


def _look_at_the_year_ahead(anki: AnkiSession, window: Any) -> None:
    """Of who keeps up, who does not, and whose past was not foreseen; all made up, and asked for with a click."""
    made = held.fake_module("made_workload")
    sections = anki.module("ui.engine").SECTIONS
    real = sections["workload"]
    for name, found in {"work": made.workload(), "knowledge": made.knowledge(), "failed": made.FAILED[-2]}.items():
        _replace_section(sections, "workload", lambda *_, found=found: found)
        anki.evaluate(window)
        open_section(anki, window, "workload")
        _, block = page_with(window, "workload")
        graphs = block.findChildren(anki.module("ui.window.graph_panel").GraphView)
        expect(len(graphs) == (name != "failed"), f"{name}: {len(graphs)} graphs")
        take_every_size(anki, window, f"workload-{name}")
    sections["workload"] = real


def _screenshots_of_results(anki: AnkiSession, window: Any, engine: Any, fake: Any, theme: str) -> None:
    for name, size in SIZES.items():
        window.resize(*size)
        window.table._by_person = False
        slow = engine.evaluate = Held(fake.FakeEvaluate(), after=3)
        window.model.evaluate()
        anki.wait(lambda: window.table.report is not None and len(window.table.report.results) == 3, "three rows")
        anki.screenshot(window, f"running-{name}-{theme}")
        slow.let_go()
        anki.wait_for_results(window)
        anki.screenshot(window, f"finished-{name}-{theme}")
        window.table.choose(["FSRS-6", "SM-2"])
        anki.screenshot(window, f"two-{name}-{theme}")
        window.bar.funnel_toggle.setChecked(True)
        anki.screenshot(window, f"funnel-{name}-{theme}")
        window.bar.funnel_toggle.setChecked(False)
    _screenshots_of_many(anki, window, engine, fake, theme)
    engine.evaluate = fake.FakeEvaluate(failed=("FSRS-5", "SM-2"))
    window.resize(1100, 720)
    anki.evaluate(window)
    window._on_change()
    anki.screenshot(window, f"failed-{theme}")


def _screenshots_of_many(anki: AnkiSession, window: Any, engine: Any, fake: Any, theme: str) -> None:
    slow = engine.evaluate = Held(fake.FakeEvaluate(names=fake.MANY), after=3)
    window.resize(*SIZES["narrow"])
    chooser = open_chooser(anki, window)
    anki.screenshot(chooser, f"chooser-default-{theme}")
    chooser.groups["all"].click()
    click_row(anki, chooser, "FSRS-6 recency")
    anki.screenshot(chooser, f"chooser-own-{theme}")
    chooser.groups["all"].click()
    window.table._by_person = False
    chooser.run.click()
    anki.wait(lambda: "about" in window.bar.stage.text(), "the time left")
    anki.screenshot(window, f"many-running-narrow-{theme}")
    slow.let_go()
    engine.evaluate = fake.FakeEvaluate(names=fake.MANY, failed=("FSRS-rs",))
    for name, size in SIZES.items():
        window.resize(*size)
        anki.evaluate(window)
        window.table.choose(["FSRS-6", "SM-2"])
        anki.screenshot(window, f"many-{name}-{theme}")
    slow = engine.evaluate = Held(fake.FakeEvaluate(names=fake.MANY), after=3)
    window.model.evaluate()
    window.resize(*SIZES["narrow"])
    held.cancel(anki, window, slow)
    anki.screenshot(window, f"many-cancelled-narrow-{theme}")
    window.model.choose_algorithms(engine.catalogue().groups["default"], None)


def _choose_every_graph(anki: AnkiSession, window: Any) -> None:
    """Each is drawn of two algorithms, with a sentence below it and a table behind it; the choice is remembered."""
    window.table.choose(["FSRS-6", "SM-2"])
    panel = window.panel
    for key in graphs(anki, window):
        expect(panel.sentence.text(), f"{key} has a sentence")
        expect(panel.shown.names[0] == "FSRS-6", f"{key} shows what is chosen")
        anki.screenshot(window, f"graph-{key}-light")
    panel.as_numbers.click()
    anki.screenshot(window, "numbers-light")
    expect(panel.numbers.isVisible() and panel.numbers.table.rows, "the numbers are in the graph's place")
    anki.press_key(panel.numbers, "Key_C", control=True)
    expect(anki.app.clipboard().text().count("\n") == len(panel.numbers.table.rows) + 1, "they can be copied")
    panel.as_numbers.click()
    chosen = panel.chosen
    window.close()
    window = anki.click_menu_item()
    expect(window.panel.chosen == chosen, "the choice is remembered")
    anki.wait_for_results(window)


def _open_every_page(anki: AnkiSession) -> None:
    window = anki.window()
    for page in touring.pages(anki, window, ask=False):
        anki.screenshot(window, f"page-{page.page.views[0]}-light")


def _ask_slowly(anki: AnkiSession) -> None:
    """A slow section begins with a click; other questions are answered meanwhile; Cancel acts at once."""
    window = anki.window()
    sections, page, block = anki.module("ui.engine").SECTIONS, *page_with(window, "splitting")
    real, soon = sections["splitting"], threading.Event()
    endless = Held(_without_end, soon.is_set)
    _replace_section(sections, "splitting", endless)
    window.results.tabs.setCurrentIndex(page)
    took = sum(window.model.findings.evaluation.timing.values())
    words = anki.module("ui.window.section_page").duration(took)
    expect(block.button.isVisible() and words in block.words.text(), "it says how long it may take")
    block.button.click()
    anki.wait(window.bar.cancel.isVisible, "the progress")
    anki.screenshot(window, "page-computing-light", computing=True)
    window.results.tabs.setCurrentIndex(0)
    window.table.choose(["FSRS-7"])
    window.panel.choose("interval")
    anki.wait(lambda: window.panel.shown and window.panel.shown.names == ("FSRS-7",), "a graph meanwhile")
    expect(window.bar.cancel.isVisible(), "the slow section goes on")
    soon.set()
    held.cancel(anki, window, endless)
    window.results.tabs.setCurrentIndex(page)
    stopped = anki.module("ui.window.section_page").SECTION_STOPPED
    expect(block.words.text() == stopped and block.button.isVisible(), block.words.text())
    sections["splitting"] = real
    block.button.click()
    anki.wait(block.content.isVisible, "the real section")
    anki.screenshot(window, "page-splitting-light")
    open_section(anki, window, "workload")  # which reads the collection again
    expect(window.model.findings.report.section("workload") is not None, "it has got what was evaluated")


def _fail_calmly(anki: AnkiSession) -> None:
    """A section that cannot be worked out says so, and can be tried again; the rest is not affected."""
    window = anki.window()
    sections = anki.module("ui.engine").SECTIONS
    real = sections["desired_retention"]
    _replace_section(sections, "desired_retention", _fails)
    anki.evaluate(window)
    page, block = page_with(window, "desired_retention")
    window.results.tabs.setCurrentIndex(page)
    anki.wait(
        lambda: block.words.text() == anki.module("ui.window.section_page").SECTION_FAILED, "the failure to be said"
    )
    title = anki.module("ui.views.desired_retention").VIEW.title
    expect(title in window.notice.label.text() and window.notice._copy.isVisible(), window.notice.label.text())
    anki.screenshot(window, "page-failed-light")
    sections["desired_retention"] = real
    block.button.click()
    anki.wait(block.content.isVisible, "the second attempt")
    window.notice.clear()


def _every_look(anki: AnkiSession) -> None:
    window = anki.window()
    window.table.choose(["FSRS-6", "SM-2"])
    for theme in ("light", "night"):
        anki.set_night(theme == "night")
        for name, size in {"narrow": (1000, 700), "usual": (1366, 768), "wide": (2560, 1440)}.items():
            window.resize(*size)
            expect((window.width(), window.height()) == size, f"it can be as small as {size}")
            for page in range(len(window.results.pages) + 1):
                window.results.tabs.setCurrentIndex(page)
                anki.screenshot(window, f"page-{page}-{name}-{theme}")
            window.results.tabs.setCurrentIndex(0)
            for key in ("calibration", "month", "memory"):
                window.panel.choose(key)
                anki.settle()
                sentence = window.panel.sentence
                tall_enough = sentence.height() >= sentence.heightForWidth(sentence.width())
                expect(tall_enough, f"the sentence of {key} is not cut off")
                anki.screenshot(window, f"graph-{key}-{name}-{theme}")
    anki.set_night(False)
    _look_with_large_letters(anki)


def _look_with_large_letters(anki: AnkiSession) -> None:
    anki.window().close()
    font = anki.enlarge_letters()
    window = anki.open_window()
    window.table.choose(["FSRS-6", "SM-2"])
    window.resize(1000, 700)
    expect(window.width() == 1000, f"it fits, letters of that size or not: {window.width()}")
    anki.settle()
    expect(window.panel.view.height() >= 180, f"the graph keeps its room: {window.panel.view.height()}")
    for page in range(len(window.results.pages) + 1):
        window.results.tabs.setCurrentIndex(page)
        anki.settle()
        anki.screenshot(window, f"page-{page}-large-light")
    window.close()
    anki.app.setFont(font)


def take_every_size(anki: AnkiSession, window: Any, name: str) -> None:
    """Take pictures by day and by night, narrow and wide."""
    for night in (False, True):
        anki.set_night(night)
        for size, pixels in SIZES.items():
            window.resize(*pixels)
            anki.screenshot(window, f"{name}-{size}-{'night' if night else 'light'}")
    anki.set_night(False)


def _replace_section(sections: Dict[str, Any], name: str, compute: Any) -> None:
    sections[name] = dataclasses.replace(sections[name], compute=compute)


def _without_end(_report: object, _evidence: object, _names: object, progress: Any) -> Any:
    while True:
        time.sleep(0.05)
        progress(0.5)


def _fails(_report: object, _evidence: object, _names: object, progress: Any) -> Any:
    progress(0.5)
    raise RuntimeError("boom")


def _colours(window: Any) -> Any:
    return window.panel.view.image.pixelColor(0, 0)
