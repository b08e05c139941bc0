from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import Mock

import fake
import pytest
from sentence_matching import contains_sentence, matches_sentence

from evaluator.algorithms import ALGORITHM_GROUPS, resolve
from evaluator.report import RowCount
from evaluator.scope import SAME_DAY_TABLE, ScopeChoice
from ui.engine import catalog
from ui.text import strings
from ui.views.choices import CHOOSE, algorithms_button, parameters_and_inputs, rows_line, scope_button, since_button
from ui.window.scope_bar import decks_and_presets

ALL = catalog("whole-day")
PUBLISHED = strings.ALGORITHM_GROUPS["published"].name


def test_catalog_has_all_algorithms_of_the_evaluator():
    families = ALL.families()
    assert [entry.name for _, entries in families for entry in entries] == [entry.name for entry in ALL.entries]
    assert [entry.name for entry in ALL.entries] == list(ALGORITHM_GROUPS["all"])
    assert len({family for family, _ in families}) == len(families)
    assert all(entry.description and entry.uses for entry in ALL.entries)
    assert set(strings.ALGORITHM_GROUPS) == set(ALGORITHM_GROUPS)


def test_some_algorithms_cannot_be_chosen_with_same_day_reviews():
    same_day = catalog(SAME_DAY_TABLE)
    assert [entry.name for entry in same_day.entries] == [entry.name for entry in ALL.entries]
    excluded = {entry.name for entry in same_day.entries if not entry.is_runnable}
    assert excluded
    assert all(entry.is_runnable for entry in ALL.entries)
    for name, members in same_day.groups.items():
        assert not excluded & set(members)
        assert set(members) == {algorithm.name for algorithm in resolve([name], table=SAME_DAY_TABLE)}
    inputs = {entry.name: entry.input_codes() for entry in same_day.entries}
    assert "intervals_to_the_second" in inputs["FSRS-6"]


@pytest.mark.parametrize("group", list(ALGORITHM_GROUPS))
def test_group_is_stored_by_its_name(group):
    assert ALL.to_config(ALL.expand([group])) == [group]
    assert ALL.group_of(ALGORITHM_GROUPS[group]) == group
    assert algorithms_button([group], ALL) == CHOOSE.format(choice=strings.ALGORITHM_GROUPS[group].name)


def test_custom_choice_survives_round_trip():
    chosen = {"FSRS-6", "SM-2", "DASH[MCM]"}
    config = ALL.to_config(chosen)
    assert config == ["SM-2", "FSRS-6", "DASH[MCM]"]
    assert ALL.expand(config) == chosen
    assert {algorithm.name for algorithm in resolve(config)} == chosen


def test_names_are_resolved_as_by_the_evaluation():
    assert ALL.expand(["default", " fsrs-4.5 "]) == {*ALGORITHM_GROUPS["default"], "FSRS-4.5"}
    assert ALL.expand(["FSRS-66"]) == frozenset()


@pytest.mark.parametrize(
    ("requests", "expected"),
    [
        (["SM-2", "FSRS-6"], ["2"]),
        (["default", "FSRS-4.5"], [str(len(ALGORITHM_GROUPS["default"]) + 1)]),
        (list(ALGORITHM_GROUPS["published"]), [PUBLISHED]),
        (["FSRS-66"], []),
    ],
)
def test_button_shows_the_choice(requests, expected):
    assert re.findall(rf"\d+|{PUBLISHED}", algorithms_button(requests, ALL)) == expected
    assert algorithms_button(requests, None) == algorithms_button([], ALL)


def test_facts_state_parameters_and_inputs():
    for count, text in (
        (21, "21 trained parameters. Uses ratings."),
        (1, "1 trained parameter. Uses ratings."),
        (0, "Not trained. Uses ratings."),
    ):
        assert parameters_and_inputs(bool(count), count, ("ratings",)) == text


def test_chooser_says_which_algorithms_are_defaults():
    descriptions = {entry.name: ALL.describe(entry) for entry in ALL.entries}
    defaults = {name for name, text in descriptions.items() if text.endswith("In “Default”.")}
    assert defaults == set(ALGORITHM_GROUPS["default"])
    excluded = next(entry for entry in catalog(SAME_DAY_TABLE).entries if not entry.is_runnable)
    assert ALL.describe(excluded) == strings.WHOLE_DAY_ONLY


def test_buttons_name_the_choice():
    assert scope_button(ScopeChoice("preset", "Hard {x}")) == "Preset Hard {x}"
    assert contains_sentence(since_button(None), "All dates")
    assert contains_sentence(since_button(dt.date(2024, 5, 1)), "Since 2024-05-01")


def test_rows_line_counts_the_rows_of_the_scope():
    row_counts = (
        RowCount("outside_scope", "left_out", 9000),
        RowCount("first_days", "training", 34),
        RowCount("scored", "scored", 1200),
    )
    assert matches_sentence(rows_line(replace(fake.report(), funnel=row_counts)), "1,234 rows read, 1,200 tested.")


def test_choices_list_decks_and_presets():
    all_names_and_ids = Mock(return_value=[SimpleNamespace(name="Default"), SimpleNamespace(name="Zoo")])
    presets = [{"name": name} for name in ("Hard", "Easy", "Hard")]
    decks = SimpleNamespace(all_names_and_ids=all_names_and_ids, all_config=lambda: presets)
    col = SimpleNamespace(db=object(), decks=decks)
    expected = [("deck", "Default"), ("deck", "Zoo"), ("preset", "Easy"), ("preset", "Hard")]
    assert [(scope.kind, scope.name) for scope in decks_and_presets(col)] == expected
    all_names_and_ids.assert_called_once_with(skip_empty_default=True, include_filtered=False)
    for closed in (None, SimpleNamespace(db=None)):
        assert decks_and_presets(closed) == []
