"""Which algorithms are asked for: between the configuration, the chooser and the button."""

from __future__ import annotations

import pytest

from evaluator.algorithms import ALGORITHM_GROUPS, CATALOGUE, resolve
from ui.engine import catalogue
from ui.text import strings
from ui.views.choices import facts, summary

ALL = catalogue()


def test_the_catalogue_is_the_evaluator_s() -> None:
    """Every algorithm once, under its family; and every group has words."""
    families = ALL.families()
    assert [entry.name for _, entries in families for entry in entries] == [entry.name for entry in ALL.entries]
    assert [entry.name for entry in ALL.entries] == list(CATALOGUE)
    assert len({family for family, _ in families}) == len(families)
    assert all(entry.description and entry.uses for entry in ALL.entries)
    assert set(strings.GROUPS) == set(ALGORITHM_GROUPS)


@pytest.mark.parametrize("group", list(ALGORITHM_GROUPS))
def test_a_group_stays_a_group(group: str) -> None:
    assert ALL.to_config(ALL.expand([group])) == [group]
    assert ALL.group_of(ALGORITHM_GROUPS[group]) == group
    for known in (None, ALL):
        assert summary([group], known) == f"Algorithms: {group.capitalize()}"


def test_a_choice_of_one_s_own_goes_there_and_back() -> None:
    """By name, in the catalogue's order; and the evaluation takes it."""
    chosen = {"FSRS-6", "SM-2", "DASH[MCM]"}
    config = ALL.to_config(chosen)
    assert config == ["SM-2", "FSRS-6", "DASH[MCM]"]
    assert ALL.expand(config) == chosen
    assert {algorithm.name for algorithm in resolve(config)} == chosen


def test_names_are_understood_as_the_evaluation_does() -> None:
    """Whatever their case; groups and names together; what nobody knows is left out."""
    assert ALL.expand(["default", " fsrs-7 "]) == {*ALGORITHM_GROUPS["default"], "FSRS-7"}
    assert ALL.expand(["FSRS-66"]) == frozenset()


@pytest.mark.parametrize(
    ("asked", "early", "late"),
    [
        (["SM-2", "FSRS-6"], "Algorithms: 2 chosen", "Algorithms: 2 chosen"),
        (["default", "FSRS-7"], "Algorithms…", "Algorithms: 8 chosen"),
        (
            list(ALGORITHM_GROUPS["published"]),
            f"Algorithms: {len(ALGORITHM_GROUPS['published'])} chosen",
            "Algorithms: Published",
        ),
        (["FSRS-66"], "Algorithms: 1 chosen", "Algorithms…"),
    ],
)
def test_the_button_says_what_can_be_said(asked: list[str], early: str, late: str) -> None:
    assert summary(asked, None) == early
    assert summary(asked, ALL) == late


def test_facts_are_words() -> None:
    assert facts(trained=True, parameter_count=21, uses=("ratings",)) == "21 trained parameters. Uses ratings."
    assert facts(trained=True, parameter_count=1, uses=("ratings",)) == "1 trained parameter. Uses ratings."
    assert facts(trained=False, parameter_count=0, uses=("intervals",)) == "Not trained. Uses intervals."
