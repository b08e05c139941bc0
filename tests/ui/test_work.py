"""Work of the window on other threads, driven here without a window."""

from __future__ import annotations

from typing import Generator

import pytest

from ui.dialog.work import Work


def _counted(computed: list[int]) -> Generator[int, None, str]:
    """Three steps, each noted when it is computed."""
    for step in range(3):
        computed.append(step)
        yield step
    return "the end"


def test_it_is_driven_to_its_end() -> None:
    """Each step is told."""
    computed: list[int] = []
    told: list[int] = []
    assert Work(None, pytest.fail).drive(_counted(computed), told.append) == "the end"
    assert computed == told == [0, 1, 2]


def test_what_is_stopped_while_it_rests_computes_no_further_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where Cancel is clicked while a graph is drawn, for which the arithmetic is held."""
    work, computed = Work(None, pytest.fail), []
    work.hold(True, "a graph")
    monkeypatch.setattr(work._go_on, "wait", lambda _seconds: work.stop())
    assert work.drive(_counted(computed), lambda _step: None) is None
    assert computed == []
