from __future__ import annotations

from dataclasses import replace
from typing import Dict
from unittest.mock import Mock

import numpy as np
import pytest

from evaluator.data.selection import select
from evaluator.errors import OptimizerFailed
from evaluator.evaluation import evaluate
from evaluator.findings import optimizing
from evaluator.findings.optimizing import effects_of_optimizing, optimize_presets
from evaluator.findings.rivalry import compare_rows
from evaluator.options import Options
from evaluator.progress import SILENT
from evaluator.report import OWN, Optimizing
from evaluator.scope import ScopeChoice
from evaluator.scoring.evidence import Evidence

from .made_people import (
    AFTER_A_DAY,
    ALL,
    OWN_PARAMETERS,
    PUBLISHED,
    SCORED,
    TRAINING,
    A,
    B,
    changed_before_last,
    evidence_of,
    person,
    shuffled_labels,
)

PRESET_ID = shuffled_labels({1: 700, 2: 550})
PREDICTED = np.linspace(0.6, 0.99, SCORED)


def effects(evidence: Evidence) -> Dict[int, Optimizing]:
    return effects_of_optimizing(evidence, SILENT)


def test_change_is_the_mean_over_scored_reviews_of_cards_that_exist():
    deleted = np.arange(0, ALL, 7)
    presets = changed_before_last(500), B
    evidence = evidence_of(*presets, preset_id=PRESET_ID, deleted=deleted, predicted={OWN: PREDICTED},
                           optimize=lambda _rows, _current: PUBLISHED)  # fmt: skip
    exists = ~np.isin(np.arange(ALL), deleted)
    for number, effect in effects(evidence).items():
        members = (exists & (number == PRESET_ID))[TRAINING:]
        assert effect.change == pytest.approx(np.abs(PREDICTED - AFTER_A_DAY)[members].mean())
        assert (effect.reviews, effect.is_by_anki, effect.obstacle) == (members.sum(), True, None)
        # Own parameters are compared with optimized ones on unseen reviews only.
        unseen = members & ((np.arange(SCORED) >= SCORED - 500) | (number == 2))
        assert effect.against_own == compare_rows(evidence, "FSRS-6", OWN, unseen)


@pytest.mark.parametrize("missing", [OWN, "FSRS-6"])
def test_missing_row_is_not_compared(missing):
    effect = effects(evidence_of(changed_before_last(500), predicted={missing: None}))[1]
    assert effect.against_own is None
    assert (effect.change is None) == (missing == OWN)


@pytest.mark.parametrize(
    ("way", "calls", "is_by_anki"),
    [
        ("given", 1, True),
        ("fails", 1, False),
        ("odd", 1, False),
        ("large", 0, True),
        ("none", 0, False),
        ("seven", 0, False),
        ("large seven", 0, False),
    ],
)
def test_our_optimizer_replaces_ankis_if_that_cannot_be_used(way, calls, is_by_anki, monkeypatch):
    """Half of the cards are suspended. Anki leaves them out too."""
    train = Mock(return_value=(np.array([PUBLISHED]), None))
    monkeypatch.setattr(optimizing, "train", train)
    result = {"fails": OptimizerFailed(detail="panic"), "odd": [[1.0] * 35]}.get(way, [OWN_PARAMETERS])
    optimize = Mock(side_effect=result)
    version = 7 if "seven" in way else 6
    data = evidence_of(replace(A, parameters=OWN_PARAMETERS, fsrs_version=version)).data
    is_suspended = data.cards.card_id % 2 == 0
    data = replace(data, cards=replace(data.cards, set_aside=is_suspended))
    n_rows = int(2 * np.count_nonzero(~is_suspended))
    monkeypatch.setattr(optimizing, "MAX_FOR_ANKI", n_rows - ("large" in way))
    ((preset_id, optimized),) = optimize_presets(data, data.presets, optimize=None if way == "none" else optimize)
    assert (preset_id, optimize.call_count, optimized.is_by_anki) == (1, calls, is_by_anki)
    assert optimized.parameters.tolist() == list(OWN_PARAMETERS if way == "given" else PUBLISHED)
    for call in optimize.call_args_list:
        rows, current = call.args
        assert (len(rows), set(rows.card_id % 2), current) == (n_rows, {1}, OWN_PARAMETERS)
    if way != "given":
        training_set = train.call_args.args[0]
        assert (training_set.algorithm.name, len(training_set.data.rows)) == (f"FSRS-{version} recency", n_rows)


@pytest.mark.parametrize(
    ("deleted", "suspended", "ignored", "obstacle"),
    [
        (False, False, False, None),
        (True, True, True, "deleted"),
        (False, True, True, "suspended"),
        (False, False, True, "ignored"),
    ],
)
def test_obstacle_says_why_anki_would_get_no_review(deleted, suspended, ignored, obstacle):
    never = 2**62
    optimize = Mock(side_effect=lambda _rows, current: current)
    preset = replace(A, parameters=OWN_PARAMETERS, ignore_before=never * ignored)
    evidence = evidence_of(preset, deleted=range(ALL) if deleted else (), optimize=optimize)
    cards = evidence.data.cards
    data = replace(evidence.data, cards=replace(cards, set_aside=np.full(len(cards.card_id), suspended)))
    effect = effects(replace(evidence, data=data))[1]
    assert effect.obstacle == obstacle
    assert (effect.change is None) == (obstacle is not None)
    assert optimize.called == (obstacle is None)


def test_part_is_optimized_on_all_reviews_and_measured_on_its_own():
    collection = person(replace(A, parameters=OWN_PARAMETERS))
    cards = collection.revlog.card_id[2 * TRAINING :: 6].tolist()
    optimize = Mock(side_effect=lambda _rows, _current: PUBLISHED)
    part = select(collection, ScopeChoice("search", "some"), cards)
    evaluation = evaluate(part, Options((OWN,)), optimize=optimize)
    effect = evaluation.report.findings[0].optimizing
    assert [len(call.args[0]) for call in optimize.call_args_list] == [len(collection.revlog)]
    assert effect.reviews == SCORED
    assert evaluation.report.scope.reviews < SCORED / 2
    said = evaluation.predictions.predicted[OWN]
    assert effect.change == pytest.approx(np.abs(said - AFTER_A_DAY).mean())
