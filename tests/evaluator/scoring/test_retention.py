from __future__ import annotations

from dataclasses import replace
from typing import Any, Optional, Tuple

import numpy as np
import pytest
from catalog_helpers import PRESETS, equipped, lively
from made_logs import log_of

from evaluator.data.revlog import Deck, Snapshot
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.scoring.accuracy import most_used_retention

CARDS = 100


def with_retentions(*retentions: Any) -> Snapshot:
    """The two presets of the equipped log, each with its desired retention."""
    presets = tuple(replace(preset, desired_retention=value) for preset, value in zip(PRESETS, retentions, strict=True))
    return replace(equipped(), presets=presets)


def most_used(of: Snapshot) -> Tuple[float, float, Optional[int]]:
    """The desired retention, the share of the reviews that have it, and their preset if it is a single one."""
    evidence = evaluate(of, Options(algorithms=("SM-2", "AVG"), folds=2)).evidence
    assert evidence is not None
    desired, reviews = most_used_retention(evidence)
    presets = np.unique(evidence.data.label("preset")[-len(reviews) :][reviews]) if of.cards else []
    return desired, float(reviews.mean()), int(presets[0]) if len(presets) == 1 else None


def test_presets_with_the_same_one_count_together() -> None:
    assert most_used(with_retentions(0.85, 0.85)) == (0.85, 1.0, None)


def test_desired_retention_with_the_most_reviews_is_used() -> None:
    desired, share, preset = most_used(with_retentions(0.8, 0.95))
    other, share_of_other, preset_of_other = most_used(with_retentions(0.95, 0.8))
    assert (desired, preset, share) == ({10: 0.8, 20: 0.95}[preset or 0], preset_of_other, share_of_other)
    assert other != desired
    assert 0.5 <= share < 1


@pytest.mark.parametrize("own", [0.95, 0.6])
def test_a_decks_own_goes_before_that_of_its_preset(own: float) -> None:
    whole = with_retentions(0.8, 0.8)
    item = most_used(replace(whole, decks=(Deck(1, "Own", own), Deck(2, "None"))))
    other = most_used(replace(whole, decks=(Deck(1, "None"), Deck(2, "Own", own))))
    assert {item[0], other[0]} == {0.8, own}
    assert item[1] == other[1] < 1


@pytest.mark.parametrize("stored", [None, 0.0, 1.0, 90])
def test_a_missing_or_invalid_retention_is_ankis_default(stored: Any) -> None:
    assert most_used(with_retentions(stored, stored))[:2] == (0.9, 1.0)


def test_source_without_presets_has_90_percent() -> None:
    assert most_used(Snapshot(log_of(lively(CARDS)), equipped().clock))[:2] == (0.9, 1.0)


def test_cards_that_no_longer_exist_count_for_the_most_used_preset() -> None:
    whole = with_retentions(0.85, 0.7)
    assert whole.cards is not None
    fewer = replace(
        whole.cards, card_id=whole.cards.card_id[:5], deck_id=whole.cards.deck_id[:5], preset_id=np.full(5, 10)
    )
    assert most_used(replace(whole, cards=fewer))[:2] == (0.85, 1.0)
