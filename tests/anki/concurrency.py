from __future__ import annotations

import dataclasses
import threading
import time
from pathlib import Path
from typing import Any, List, Set

import stalled_evaluations
from evaluating import names, page_with
from running import expect
from session import AnkiSession
from stalled_evaluations import StalledEvaluation

#: The slow section is somewhere in its middle.
MIDDLE = 0.4


class Dawdling:
    """Stands in for what computes a section: in the middle it takes small steps until it is let go."""

    def __init__(self, compute: Any) -> None:
        self._compute, self.let_go = compute, threading.Event()
        self.dawdles = self.ended = False
        self.threads: Set[threading.Thread] = set()

    def __call__(self, report: Any, evidence: Any, names: Any, progress: Any) -> Any:
        def step(fraction: float, *texts: Any) -> None:
            progress(fraction, *texts)
            self.threads.add(threading.current_thread())
            while fraction > MIDDLE and not self.let_go.is_set():
                self.dawdles = True
                time.sleep(0.01)
                progress(fraction, *texts)

        result = self._compute(report, evidence, names, type(progress)(step))
        self.ended = True
        return result


def concurrency(anki: AnkiSession, _folder: Path) -> None:
    """Request graphs of other algorithms during a slow section, and cancel. Numbers and rows stay."""
    window = anki.open_window()
    sections = anki.module("ui.engine").SECTIONS
    real = sections["splitting"]
    slow = Dawdling(real.compute)
    sections["splitting"] = dataclasses.replace(real, compute=slow)
    page, block = page_with(window, "splitting")
    window.results.tabs.setCurrentIndex(page)
    _cancel_section(anki, window, block, slow)
    block.button.click()
    _ask_meanwhile(anki, window, slow)
    slow.let_go.set()
    window.results.tabs.setCurrentIndex(page)
    anki.wait(block.content.isVisible, "the slow section")
    window.results.tabs.setCurrentIndex(0)
    evaluation = window.model.findings.evaluation
    result = {item.algorithm for item in evaluation.report.section("graphs")}
    expect({"AVG", "FSRS-6", "Anki-SM-2"} <= result, f"nothing is lost: {result}")
    alone = _alone(real.compute, evaluation, anki.module("evaluator.progress").SILENT)
    expect(evaluation.report.section("splitting") == alone, "the numbers are those that it finds by itself")
    expect(threading.main_thread() not in slow.threads, "nothing of it is computed on the main thread")
    sections["splitting"] = real
    _cancel(anki, window)


def _cancel_section(anki: AnkiSession, window: Any, block: Any, slow: Dawdling) -> None:
    block.button.click()
    anki.wait(lambda: slow.dawdles and window.bar.cancel.isVisible(), "the middle of the slow section")
    expect(not block.button.isVisible(), "it is being worked out")
    window.bar.cancel.click()
    expect(block.button.isVisible(), "Cancel has acted")
    anki.wait(lambda: window.model.jobs.is_idle, "the background to end")
    expect(not slow.ended and not block.content.isVisible(), "there is no answer")
    slow.dawdles = False


def _ask_meanwhile(anki: AnkiSession, window: Any, slow: Dawdling) -> None:
    """One graph, then one of two algorithms, each a question of its own."""
    anki.wait(lambda: slow.dawdles and window.bar.cancel.isVisible(), "the middle of the slow section")
    window.results.tabs.setCurrentIndex(0)
    window.panel.choose("interval")
    for requested in (["AVG"], ["FSRS-6", "Anki-SM-2"]):
        window.table.choose(requested)
        anki.wait(lambda requested=requested: _is_drawn(window, requested), f"the graph of {requested} meanwhile")
    expect(not slow.ended and window.bar.cancel.isVisible(), "the slow section goes on")


def _cancel(anki: AnkiSession, window: Any) -> None:
    """Cancel during an evaluation: finished rows stay, and have details."""
    engine = anki.module("ui.engine")
    real = engine.evaluate
    slow = engine.evaluate = StalledEvaluation(real, after=2)
    window.model.evaluate()
    stalled_evaluations.cancel(anki, window, slow)
    engine.evaluate = real
    kept = names(window)
    expect(len(kept) == 2, f"what is finished is kept: {kept}")
    expect(not any(row.result.error for row in window.table.rows), "and nothing has failed")
    others = window.table.report.unfinished
    text = anki.module("ui.window.messages").cancelled_sentence(others)
    expect(others and window.notice.label.text() == text, "what is not is named")
    window.table.choose(kept[:1])
    anki.wait(lambda: _is_drawn(window, kept[:1]), "the graph of a row that was kept")


def _is_drawn(window: Any, algorithms: List[str]) -> bool:
    shown = window.panel.shown
    return shown is not None and shown.key == "interval" and set(shown.names) == set(algorithms)


def _alone(compute: Any, evaluation: Any, progress: Any) -> Any:
    return stalled_evaluations.on_another_thread(lambda: compute(evaluation.report, evaluation.evidence, [], progress))
