from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pytest
from sentence_matching import contains_sentence, matches_sentence

from evaluator.data.revlog import Cards, Deck, Preset, Revlog, Snapshot
from evaluator.data.selection import with_parts
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.scoring.report_builder import Evaluation
from evaluator.sections import add_sections
from evaluator.sections.splitting_section import Splitting
from tools.simulate import Habits, Learner, memory, simulate
from ui.views.splitting_view import splitting_sentence

#: Parameters of a memory that lasts long and fades by a steep curve.
OTHER = (2.0, 8.0, 20.0, 60.0, *memory.PUBLISHED[4:8], 2.6, *memory.PUBLISHED[9:20], 0.6)

HABITS = Habits(deleted=0.0)


def two_people(second: memory.Parameters, days: int) -> Snapshot:
    """Return the reviews of two people in one log.

    The cards of the first one are in preset 1 and deck 1, and those of the second in preset 2 and the decks 2 and 3.
    """
    logs = [
        simulate(Learner(seed=seed, days=days, memory=w, habits=HABITS)).revlog
        for seed, w in ((1, memory.PUBLISHED), (2, second))
    ]
    last = int(logs[0].card_id.max())
    columns = {name: np.concatenate([getattr(log, name) for log in logs]) for name in vars(logs[0])}
    is_second = np.arange(len(columns["card_id"])) >= len(logs[0])
    columns["card_id"] = np.where(is_second, columns["card_id"] + last, columns["card_id"])
    columns["review_id"] = 2 * (columns["review_id"] // 2) + is_second
    card_id = np.unique(columns["card_id"])
    preset_id = 1 + (card_id > last).astype(np.int64)
    deck_id = preset_id + np.where(preset_id == 2, card_id % 2, 0)
    cards = Cards(card_id, deck_id, preset_id)
    presets = (Preset(1, "Law", memory.PUBLISHED), Preset(2, "Spanish", OTHER))
    decks = (Deck(1, "Law"), Deck(2, "Spanish::Verbs"), Deck(3, "Spanish::Nouns"))
    clock = simulate(Learner(seed=1, days=2)).clock
    return Snapshot(Revlog(**columns), clock, cards, presets, decks)


@functools.cache
def evaluate_splitting(second: memory.Parameters, days: int, *algorithms: str) -> Evaluation:
    evaluation = evaluate(two_people(second, days), Options(("SM-2", *algorithms)))
    return add_sections(evaluation, ["splitting"])


def splitting_by(evaluation: Evaluation, kind: str) -> Splitting:
    return next(splitting for splitting in evaluation.report.section("splitting") if splitting.by == kind)


def test_different_memories_are_split():
    presets = splitting_by(evaluate_splitting(OTHER, 240, "FSRS-6"), "preset")
    assert presets.total.code == "split"
    assert {group.name: group.code for group in presets.groups} == {"Law": "split", "Spanish": "split"}
    assert matches_sentence(
        splitting_sentence(presets), "Each preset should have its own parameters: they predict better."
    )
    assert all(group.own_now for group in presets.groups)


def test_equal_memories_are_kept_together():
    presets = splitting_by(evaluate_splitting(memory.PUBLISHED, 120, "FSRS-6"), "preset")
    assert presets.total.code in ("keep_together", "cannot_tell")
    assert {group.code for group in presets.groups} <= {"keep_together", "cannot_tell"}
    assert contains_sentence(splitting_sentence(presets), "One set of parameters for all presets")


def test_splitting_one_persons_cards_by_deck_gains_nothing():
    presets, decks = (splitting_by(evaluate_splitting(OTHER, 240, "FSRS-6"), kind) for kind in ("preset", "deck"))
    assert decks.groups[0].name == "Law"
    assert {group.name for group in decks.groups} == {"Law", "Spanish::Verbs", "Spanish::Nouns"}
    preset_difference = presets.total.comparison.difference.estimate
    assert decks.total.comparison.difference.estimate == pytest.approx(preset_difference, abs=0.003)


def test_parts_equal_to_presets_get_the_same_answer():
    log = two_people(OTHER, 240)
    evaluation = evaluate_splitting(OTHER, 240, "FSRS-6")
    divided = with_parts(log, [("deck:Law", log.cards.card_id[log.cards.preset_id == 1].tolist())])
    requested = add_sections(evaluation, ["splitting"], divided)
    assert requested.report.section("splitting")[:-1] == evaluation.report.section("splitting")
    parts, presets = splitting_by(requested, "part"), splitting_by(evaluation, "preset")
    assert {(part.label, part.name) for part in parts.groups} == {(1, "deck:Law"), (0, "")}
    assert parts.total == presets.total
    preset_names = {"deck:Law": "Law", "": "Spanish"}
    as_presets = [
        replace(part, label=1 if part.label else 2, name=preset_names[part.name], own_now=True) for part in parts.groups
    ]
    assert as_presets == list(presets.groups)


def test_few_reviews_give_no_advice():
    presets = splitting_by(evaluate_splitting(OTHER, 10, "FSRS-6"), "preset")
    assert presets.total is None
    assert {group.code for group in presets.groups} == {"too_few"}
    assert {group.comparison for group in presets.groups} == {None}
    assert contains_sentence(splitting_sentence(presets), "No preset has enough reviews yet")


def test_existing_results_are_not_trained_again():
    separate = evaluate_splitting(OTHER, 60)
    together = evaluate_splitting(OTHER, 60, "FSRS-6", "FSRS-6 preset", "FSRS-6 deck")
    for kind in ("preset", "deck"):
        trained, reused = splitting_by(separate, kind), splitting_by(together, kind)
        assert trained.total.shared_log_loss == pytest.approx(reused.total.shared_log_loss, abs=1e-9)
        assert together.report.result("FSRS-6").log_loss == pytest.approx(reused.total.shared_log_loss)
        for group, expected in zip((*trained.groups, trained.total), (*reused.groups, reused.total), strict=True):
            assert group.comparison.difference.estimate == pytest.approx(
                expected.comparison.difference.estimate, abs=1e-9
            )


def test_groups_add_up_to_the_total():
    for kind in ("preset", "deck"):
        result = splitting_by(evaluate_splitting(OTHER, 240, "FSRS-6"), kind)
        weighted = sum(group.reviews * group.comparison.difference.estimate for group in result.groups)
        assert weighted / result.total.reviews == pytest.approx(result.total.comparison.difference.estimate)
        assert sum(group.reviews for group in result.groups) == result.total.reviews
        assert sum(group.cards for group in result.groups) == result.total.cards
