from __future__ import annotations

from dataclasses import replace
from typing import Optional, Tuple

import numpy as np
import pytest
from reference_sets import snapshot

from evaluator.data.revlog import Cards, Preset, Snapshot
from evaluator.evaluation import evaluate
from evaluator.interval import ConfidenceInterval
from evaluator.options import Options
from evaluator.report import Comparison, Failure
from evaluator.sections import add_sections
from evaluator.sections.splitting_section import Splitting, split_code

#: Stored parameters, whose values do not matter here.
STORED = (0.3, 1.5, 2.5, 9.0)


def comparison(difference: float, low: Optional[float], high: Optional[float], code: str) -> Comparison:
    return Comparison("own", "shared", ConfidenceInterval(difference, low, high, 0.001), code)


@pytest.mark.parametrize(
    ("compared", "code"),
    [
        (None, "too_few"),
        (comparison(-0.01, None, None, "too_few"), "too_few"),
        (comparison(-0.01, -0.02, -0.001, "better"), "split"),
        (comparison(-0.002, -0.0039, -0.0001, "better"), "split"),
        (comparison(-0.0019, -0.0037, -0.0001, "better"), "either"),
        (comparison(-0.001, -0.0019, -0.0001, "equivalent"), "keep_together"),
        (comparison(0.01, 0.001, 0.02, "worse"), "keep_together"),
        # The possible gain is at most the margin.
        (comparison(0.01, -0.002, 0.022, "cannot_tell"), "keep_together"),
        (comparison(0.01, -0.0021, 0.022, "cannot_tell"), "cannot_tell"),
        # Among many groups, an interval below 0 is not enough.
        (comparison(-0.01, -0.02, -0.001, "cannot_tell"), "cannot_tell"),
    ],
)
def test_advice_follows_the_comparison(compared, code):
    """Shared parameters are kept if separate ones cannot gain more than the margin of 0.002."""
    assert split_code(compared) == code


def with_presets(presets: int, deleted: int = 0, stored: Tuple[Tuple[float, ...], ...] = ((), ())) -> Snapshot:
    """Return a simulated log whose cards are in turn in the presets and decks. Of ten cards, some are deleted."""
    log = snapshot("sim-c")
    card_id = np.unique(log.revlog.card_id)
    card_id = card_id[np.arange(len(card_id)) % 10 >= deleted]
    label = 1 + np.arange(len(card_id)) % presets
    named = tuple(Preset(number, f"P{number}", parameters) for number, parameters in enumerate(stored, start=1))
    return replace(log, cards=Cards(card_id, label, label), presets=named)


def splitting(log: Snapshot) -> Tuple[Splitting, ...]:
    evaluation = evaluate(log, Options(("SM-2",)))
    return add_sections(evaluation, ["splitting"]).report.section("splitting")


def test_single_preset_is_not_split():
    log = with_presets(1)
    decks = 1 + np.arange(len(log.cards.card_id)) % 2
    by_preset, by_deck = splitting(replace(log, cards=replace(log.cards, deck_id=decks)))
    assert by_preset.groups == ()
    assert by_preset.total is None
    assert by_preset.in_use == 1
    assert by_deck.by == "deck"
    assert len(by_deck.groups) == 2


def test_group_counts_its_own_cards_and_days():
    (result,) = splitting(with_presets(2))
    assert sum(group.cards for group in result.groups) == result.total.cards
    assert all(group.cards < result.total.cards for group in result.groups)
    assert all(result.total.days / 2 < group.days <= result.total.days for group in result.groups)
    assert all(group.days != group.cards for group in result.groups)


def test_decks_equal_to_presets_are_not_tried_twice():
    assert [result.by for result in splitting(with_presets(2))] == ["preset"]


def test_deleted_cards_are_no_preset():
    (result,) = splitting(with_presets(2, deleted=3))
    assert {group.name for group in result.groups} == {"P1", "P2"}
    everything, _ = splitting(with_presets(1, deleted=10))
    assert everything.groups == ()
    assert everything.in_use == 0


def test_log_without_cards_is_an_error():
    assert [result.error for result in splitting(snapshot("sim-c"))] == [
        Failure("decks_unknown", {"what": "preset"}),
        Failure("decks_unknown", {"what": "deck"}),
    ]


@pytest.mark.parametrize(
    ("stored", "own_now"),
    [
        (((), ()), [False, False]),
        ((STORED, STORED), [False, False]),
        ((STORED, ()), [True, False]),
        ((STORED, STORED[::-1]), [True, True]),
        # The third preset is not in use.
        ((STORED, STORED[::-1], STORED), [True, True]),
    ],
)
def test_presets_with_own_parameters_are_known(stored, own_now):
    (result,) = splitting(with_presets(2, stored=stored))
    assert [group.own_now for group in sorted(result.groups, key=lambda group: group.name)] == own_now
