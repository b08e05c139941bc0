"""What is evaluated, on the buttons and in the line below; and what there is to choose from."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Dict, List

import fake
import pytest

from evaluator.report import FunnelStep
from evaluator.scope import WHOLE_COLLECTION, ScopeChoice
from ui.text import strings
from ui.text.phrases import SCOPES
from ui.views.choices import LONGEST_NAME, options_button, rows_line, scope_button, shortened, since_button
from ui.window.places import Places, places


def test_every_kind_of_scope_has_words() -> None:
    assert set(strings.SCOPE_BUTTON) == set(SCOPES)
    assert scope_button(WHOLE_COLLECTION) == "Whole collection"
    assert scope_button(ScopeChoice("deck", "A::B")) == "A::B"
    assert scope_button(ScopeChoice("preset", "Hard {x}")) == "Preset Hard {x}"


def test_the_other_buttons() -> None:
    assert since_button(None) == "the beginning"
    assert since_button(dt.date(2024, 5, 1)) == "2024-05-01"
    changed = [options_button(same_day=a, outlier_filter=b) for a in (True, False) for b in (True, False)]
    assert changed == ["Options", "Options (1 changed)", "Options (1 changed)", "Options (2 changed)"]


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("collection", "", "1,234 rows read, 16,000 scored."),
        ("deck", "Spanish", "Deck Spanish with subdecks:\n1,234 rows read, 16,000 scored."),
    ],
)
def test_the_line_below_counts_the_rows_of_the_scope(kind: str, name: str, expected: str) -> None:
    """Rows of other cards were read, too, but are nothing that it is about."""
    report = fake.report()
    funnel = (FunnelStep("outside_scope", "left_out", 9000), FunnelStep("scored", "scored", 1234))
    assert rows_line(replace(report, scope=replace(report.scope, kind=kind, name=name), funnel=funnel)) == expected


def test_long_names_lose_their_middle() -> None:
    assert shortened("x" * LONGEST_NAME) == "x" * LONGEST_NAME
    short = shortened("Languages::Romance::Spanish::Verbs")
    assert len(short) <= LONGEST_NAME
    assert short.startswith("Lang")
    assert short.endswith("::Spanish::Verbs")


def test_what_there_is_to_choose_from() -> None:
    """Each preset's name once, without regard to letters; without a collection only the search."""
    asked: List[Dict[str, Any]] = []

    def all_names_and_ids(**options: Any) -> List[Any]:
        asked.append(options)
        return [SimpleNamespace(id=1, name="Default"), SimpleNamespace(id=2, name="Zoo")]

    presets = [{"name": name} for name in ("usual", "Hard", "usual")]
    decks = SimpleNamespace(all_names_and_ids=all_names_and_ids, all_config=lambda: presets)
    col = SimpleNamespace(db=object(), decks=decks)
    assert places(col, "is:due") == Places(("Default", "Zoo"), ("Hard", "usual"), "is:due")
    assert asked == [{"skip_empty_default": True, "include_filtered": False}]
    for closed in (None, SimpleNamespace(db=None)):
        assert places(closed, "is:due") == Places(search="is:due")
