"""How every state of the window looks: light and night, narrow and wide, with large letters."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any, Dict

import stalled_evaluations
from choosing import click_row
from evaluating import open_section, page_with
from running import expect
from session import AnkiSession
from stalled_evaluations import StalledEvaluation
from window_tour import open_chooser

SIZES = {"narrow": (900, 600), "wide": (1920, 1080)}


def looks(anki: AnkiSession, _folder: Path) -> None:
    """Every state in light and night, narrow and wide, with the same made-up results each time."""
    window = anki.open_window()
    engine, fake = anki.module("ui.engine"), stalled_evaluations.fake_module()
    real = engine.evaluate
    for night in (False, True):
        anki.set_night(night)
        _screenshots_of_results(anki, window, engine, fake, "night" if night else "light")
    engine.evaluate = real
    window.results.tabs.setCurrentIndex(0)
    window.table.choose(["FSRS-6"])
    anki.settle()
    before = _colors(window)
    anki.set_night(False)
    expect(_colors(window) != before, "the graph follows the theme at once")
    _look_at_the_year_ahead(anki, window)


def _look_at_the_year_ahead(anki: AnkiSession, window: Any) -> None:
    """Take pictures of made-up results: a user who keeps up, one who does not, and one with a failed back-test."""
    made = stalled_evaluations.fake_module("made_workload")
    sections = anki.module("ui.engine").SECTIONS
    real = sections["workload"]
    for name, result in {"work": made.workload(), "knowledge": made.knowledge(), "failed": made.FAILED[-2]}.items():
        _replace_section(sections, "workload", lambda *_, result=result: result)
        anki.evaluate(window)
        open_section(anki, window, "workload")
        _, block = page_with(window, "workload")
        graphs = [
            item for item in block.findChildren(anki.module("ui.window.graph_panel").GraphView) if item.isVisible()
        ]
        expect(len(graphs) == (name != "failed"), f"{name}: {len(graphs)} graphs")
        take_every_size(anki, window, f"workload-{name}")
    sections["workload"] = real


def _screenshots_of_results(anki: AnkiSession, window: Any, engine: Any, fake: Any, theme: str) -> None:
    for name, size in SIZES.items():
        window.resize(*size)
        window.table._by_person = False
        slow = engine.evaluate = StalledEvaluation(fake.FakeEvaluate(), after=3)
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
    slow = engine.evaluate = StalledEvaluation(fake.FakeEvaluate(names=fake.MANY), after=3)
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
    slow = engine.evaluate = StalledEvaluation(fake.FakeEvaluate(names=fake.MANY), after=3)
    window.model.evaluate()
    window.resize(*SIZES["narrow"])
    stalled_evaluations.cancel(anki, window, slow)
    anki.screenshot(window, f"many-cancelled-narrow-{theme}")
    window.model.choose_algorithms(engine.catalog().groups["default"])


def take_every_size(anki: AnkiSession, window: Any, name: str) -> None:
    """Take pictures by day and by night, narrow and wide. If nobody keeps them, take the smallest only."""
    if "SCREENSHOTS" not in os.environ:
        window.resize(*SIZES["narrow"])
        anki.screenshot(window, name)
        return
    for night in (False, True):
        anki.set_night(night)
        for size, pixels in SIZES.items():
            window.resize(*pixels)
            anki.screenshot(window, f"{name}-{size}-{'night' if night else 'light'}")
    anki.set_night(False)


def _replace_section(sections: Dict[str, Any], name: str, compute: Any) -> None:
    sections[name] = dataclasses.replace(sections[name], compute=compute)


def _colors(window: Any) -> Any:
    return window.panel.view.image.pixelColor(0, 0)
