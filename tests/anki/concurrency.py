"""Use the window while a slow section is computed."""

from __future__ import annotations

import dataclasses
import threading
import time
from pathlib import Path
from typing import Any, Set

from choosing import show_interval_graph
from evaluating import page_with
from running import expect, expect_equal
from session import AnkiSession
from stalled_evaluations import run_on_another_thread


class SlowSection:
    """Replacement for the function that computes a section. It takes small steps in the middle until ``let_go`` is set.

    Attributes:
        in_middle: whether it takes the small steps.
        ended: whether a result was returned.
        threads: threads on which it was computed.
    """

    def __init__(self, compute: Any) -> None:
        self._compute, self.let_go = compute, threading.Event()
        self.in_middle = self.ended = False
        self.threads: Set[threading.Thread] = set()

    def __call__(self, evidence: Any, progress: Any) -> Any:
        def step(fraction: float, *texts: Any) -> None:
            progress(fraction, *texts)
            self.threads.add(threading.current_thread())
            while fraction > 0.4 and not self.let_go.is_set():
                self.in_middle = True
                time.sleep(0.01)
                progress(fraction, *texts)

        result = self._compute(evidence, type(progress)(step))
        self.ended = True
        return result


def concurrency(anki: AnkiSession, _folder: Path) -> None:
    """Cancel a slow section, request it again, and look at graphs meanwhile. No number changes."""
    window = anki.open_window()
    sections = anki.module("ui.engine").SECTIONS
    real_section = sections["splitting"]
    slow = SlowSection(real_section.compute)
    sections["splitting"] = dataclasses.replace(real_section, compute=slow)
    page, block = page_with(window, "splitting")
    window.results.tabs.setCurrentIndex(page)
    _cancel_section(anki, window, block, slow)
    block.button.click()
    _draw_graphs_meanwhile(anki, window, slow)
    slow.let_go.set()
    window.results.tabs.setCurrentIndex(page)
    anki.wait(block.content.isVisible, "the slow section")
    window.results.tabs.setCurrentIndex(0)
    evaluation = window.model.results.evaluation
    drawn_names = {graphs.algorithm for graphs in evaluation.report.section("graphs")}
    expect({"AVG", "FSRS-6", "Anki-SM-2"} <= drawn_names, f"nothing is lost: {drawn_names}")
    progress = anki.module("evaluator.progress").SILENT
    undisturbed = run_on_another_thread(lambda: real_section.compute(evaluation.evidence, progress))
    expect(evaluation.report.section("splitting") == undisturbed, "the numbers are those of an undisturbed computation")
    expect(threading.main_thread() not in slow.threads, "it is computed on another thread")
    sections["splitting"] = real_section


def _cancel_section(anki: AnkiSession, window: Any, block: Any, slow: SlowSection) -> None:
    block.button.click()
    anki.wait(lambda: slow.in_middle and window.bar.cancel.isVisible(), "the middle of the slow section")
    expect(not block.button.isVisible(), "no button while it is computed")
    window.bar.cancel.click()
    expect(block.button.isVisible(), "the button is back at once")
    anki.wait(lambda: window.model.jobs.is_idle, "the background to end")
    expect(not slow.ended and not block.content.isVisible(), "there is no result")
    slow.in_middle = False


def _draw_graphs_meanwhile(anki: AnkiSession, window: Any, slow: SlowSection) -> None:
    """Request the graph of one algorithm, then that of two others, which are computed separately."""
    anki.wait(lambda: slow.in_middle and window.bar.cancel.isVisible(), "the middle of the slow section")
    window.results.tabs.setCurrentIndex(0)
    show_interval_graph(anki, window, "AVG")
    show_interval_graph(anki, window, "FSRS-6", "Anki-SM-2")
    expect_equal((slow.ended, window.bar.cancel.isVisible()), (False, True))
