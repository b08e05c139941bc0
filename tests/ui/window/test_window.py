from __future__ import annotations

from typing import Any
from unittest.mock import Mock

from anki.collection import OpChanges

from ui.views import HELP_PAGES, PAGES
from ui.window.bottom_bar import BottomBar
from ui.window.window import DOCS, EvaluatorWindow


def test_export_needs_results(qtbot: Any) -> None:
    bar = BottomBar()
    qtbot.addWidget(bar)
    assert not bar.export.isEnabled()
    for change, enabled in (
        (lambda: bar.show_started("Loading"), False),
        (lambda: bar.show_ended("", results=False), False),
        (lambda: bar.show_ended("90 rows", results=True), True),
        (lambda: bar.show_progress("Saving", 0.5), True),
        (lambda: bar.show_started("Loading"), False),
        (bar.show_rows, False),
    ):
        change()
        assert bar.export.isEnabled() == enabled


def test_only_changes_of_due_cards_are_noticed() -> None:
    noticed_fields = []
    for name in OpChanges.DESCRIPTOR.fields_by_name:
        window = Mock()
        EvaluatorWindow._on_operation(window, OpChanges(**{name: True}), None)
        noticed_fields += [name] * window._on_change.call_count
    assert noticed_fields == ["study_queues"]


def test_each_tab_has_a_page_of_the_documentation() -> None:
    assert len(HELP_PAGES) == 1 + len(PAGES)
    assert all((DOCS / f"{name}.md").is_file() for name in ("anki", *HELP_PAGES))
