"""At the desired retention of each preset: recall where it was predicted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Tuple

import numpy as np
import pytest
from catalogue_helpers import PRESETS, equipped, lively
from made_logs import log_of
from reference_sets import evaluation as reference_evaluation

from evaluator.data.revlog import Deck, Snapshot
from evaluator.evaluation import evaluate
from evaluator.metrics.scores import logit
from evaluator.options import Options
from evaluator.scoring.report_builder import Evaluation
from evaluator.scoring.retention import RetentionGroup
from evaluator.sections import add_sections

CARDS = 100


def with_retentions(*retentions: Any) -> Snapshot:
    """The two presets of the equipped log, each with its desired retention."""
    presets = tuple(replace(preset, desired_retention=value) for preset, value in zip(PRESETS, retentions, strict=True))
    return replace(equipped(), presets=presets)


def evaluated(of: Snapshot, *algorithms: str) -> Evaluation:
    evaluation = evaluate(of, Options(algorithms=algorithms, folds=2))
    return add_sections(evaluation, ["desired_retention"])


def groups(of: Snapshot, *algorithms: str) -> Tuple[RetentionGroup, ...]:
    return evaluated(of, *(algorithms or ("FSRS-6", "SM-2"))).report.section("desired_retention")


class TestGroups:
    def test_presets_that_desire_the_same_are_one(self) -> None:
        (group,) = groups(with_retentions(0.85, 0.85))
        assert (group.desired_retention, group.assumed) == (0.85, False)
        assert sorted(group.presets) == ["First", "Second"]

    def test_each_desired_retention_has_its_own_reviews(self) -> None:
        """All of them together are all reviews; the one with the most comes first."""
        evaluation = evaluated(with_retentions(0.8, 0.95), "FSRS-6", "SM-2")
        first, second = evaluation.report.section("desired_retention")
        assert {first.desired_retention, second.desired_retention} == {0.8, 0.95}
        assert first.reviews >= second.reviews > 0
        assert first.reviews + second.reviews == evaluation.report.scope.reviews

    def test_a_decks_own_goes_before_that_of_its_preset(self) -> None:
        decks = (Deck(1, "Own", 0.95), Deck(2, "None"))
        found = groups(replace(with_retentions(0.8, 0.8), decks=decks))
        assert {group.desired_retention: (group.presets, group.decks) for group in found} == {
            0.95: ((), ("Own",)),
            0.8: (("Second",), ()),
        }

    @pytest.mark.parametrize("stored", [None, 0.0, 1.0, 90])
    def test_what_is_not_said_or_no_probability_is_ankis_default(self, stored: Any) -> None:
        (group,) = groups(with_retentions(stored, stored))
        assert (group.desired_retention, group.assumed) == (0.9, True)

    def test_a_source_without_presets(self) -> None:
        (group,) = groups(Snapshot(log_of(lively(CARDS)), equipped().clock))
        assert (group.desired_retention, group.assumed, group.presets) == (0.9, True, ())

    def test_cards_that_no_longer_exist_count_to_the_most_used_preset(self) -> None:
        whole = with_retentions(0.85, 0.85)
        assert whole.cards is not None
        none = replace(whole.cards, preset_id=np.full(len(whole.cards.card_id), 10), card_id=whole.cards.card_id + 0)
        fewer = replace(none, card_id=none.card_id[:5], deck_id=none.deck_id[:5], preset_id=np.full(5, 10))
        (group,) = groups(replace(whole, cards=fewer))
        assert group.presets == ("First",)


class TestRows:
    def test_the_verdicts_the_best_and_ones_own(self) -> None:
        """Each once; the person's own parameters may be in-sample."""
        (group,) = groups(with_retentions(0.9, 0.9), "SM-2", "FSRS-6", "FSRS-5", "Your parameters")
        names = [one.algorithm for one in group.algorithms]
        assert names[0] == "Your parameters"
        assert "Your parameters" in names
        assert len(names) == len(set(names))
        assert {one.algorithm: one.in_sample for one in group.algorithms}["Your parameters"]

    def test_near_by_hand(self) -> None:
        """The reviews predicted within a quarter logit of 90 %."""
        evaluation = add_sections(reference_evaluation("sim-a"), ["desired_retention"])
        evidence = evaluation.evidence
        assert evidence is not None
        (group,) = evaluation.report.section("desired_retention")
        one = group.algorithms[0]
        p, y = evidence.fitted[one.algorithm].predicted, evidence.scoring.recalled
        inside = np.abs(logit(p) - np.log(9)) <= 0.25
        near = one.near
        assert (near.reviews, near.recalled.estimate) == (inside.sum(), pytest.approx(y[inside].mean(), abs=1e-12))
