"""At the desired retention of each preset: recall where it was predicted, and the factor of intervals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Optional, Tuple

import numpy as np
import pytest
from catalogue_helpers import PRESETS, W6, equipped, lively
from made_logs import log_of

from evaluator.evaluation import evaluate
from evaluator.metrics.resampling import logit
from evaluator.options import Options
from evaluator.revlog import Preset, Snapshot
from evaluator.sections import add_sections
from evaluator.sections.desired_retention import RetentionGroup
from evaluator.statistics.at_desired_retention import interval_factor
from evaluator.tally import Evaluation
from tools.simulate import Learner, simulate

from .reference_sets import evaluation as reference_evaluation

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
        assert names[0] == "FSRS-6"
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
        near = one.found.near
        assert (near.reviews, near.recalled.estimate) == (inside.sum(), pytest.approx(y[inside].mean(), abs=1e-12))
        decay = evidence.fitted[one.algorithm].parameters[-1][20]
        expected = interval_factor(one.found.by_line.predicted.known, 0.9, decay)
        assert one.found.by_line.factor.estimate == pytest.approx(expected)
        assert one.found.by_line.experimental
        assert one.held_out is not None
        assert one.held_out.folds <= 4

    @pytest.mark.parametrize(("version", "reason"), [(6, None), (7, "no_curve")])
    def test_presets_that_run_fsrs_7_have_no_such_curve(self, version: int, reason: Optional[str]) -> None:
        """Theirs is a sum of two."""
        person = simulate(Learner(days=120)).snapshot
        cards = replace(person.cards, preset_id=0 * person.cards.card_id)
        preset = Preset(0, "A", tuple(W6) if version == 6 else (), 0.9, fsrs_version=version)
        (group,) = groups(replace(person, cards=cards, presets=(preset,)), "SM-2", "Your parameters")
        own = next(one for one in group.algorithms if one.algorithm == "Your parameters")
        assert own.found.by_line.factor.reason == reason

    def test_without_a_forgetting_curve_there_is_no_factor(self) -> None:
        (group,) = groups(with_retentions(0.9, 0.9), "SM-2", "HLR")
        assert {one.found.by_line.factor.estimate for one in group.algorithms} == {None}
        assert {one.found.by_line.factor.reason for one in group.algorithms} <= {
            "no_curve",
            "not_increasing",
            "out_of_reach",
        }
