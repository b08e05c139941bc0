from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_logs import CLOCK, lively, log_of

from evaluator.data.revlog import Deck, Snapshot
from evaluator.evaluation import prepare
from evaluator.findings import make_findings
from evaluator.findings.subjects import evidence_on, reviews_of, subjects_of
from evaluator.findings.thresholds import MIN_OF_DECK, MIN_OF_PRESET
from evaluator.options import Options
from evaluator.report import DECK, DEFAULT_RETENTION, PRESET, WHOLE
from evaluator.scoring.evidence import Evidence

from .made_people import ALL, SCORED, TRAINING, A, B, C, changed_before_last, evidence_of, shuffled_labels

DECKS = (Deck(10, "Law"), Deck(11, "Law::Contracts"), Deck(12, "Arts"), Deck(13, "Music"), Deck(14, "Few::Sub"))


@pytest.mark.parametrize("seed", range(3))
def test_presets_and_decks_with_enough_scored_reviews_are_subjects(seed):
    """Each cell is a preset (tens) and a deck (ones). Law and its subdeck use two presets, Few has no deck itself."""
    cells = {
        14: 450,
        10: 60,
        11: MIN_OF_DECK - 60,
        12: MIN_OF_DECK - 1,
        21: 121,
        22: 130,
        33: MIN_OF_PRESET,
        43: MIN_OF_PRESET - 1,
    }
    cells[13] = SCORED - sum(cells.values())
    cell = shuffled_labels(cells, seed)
    evidence = evidence_of(A, B, C, replace(C, preset_id=4), preset_id=cell // 10, deck_id=10 + cell % 10, decks=DECKS)
    findings = make_findings(evidence, ())
    expected = [
        (WHOLE, "", None, cell > 0),
        (PRESET, "A", 1, cell // 10 == 1),
        (DECK, "Law", 1, np.isin(cell, [10, 11])),
        (DECK, "Music", 1, cell == 13),
        (PRESET, "B", 2, cell // 10 == 2),
        (DECK, "Arts", 2, cell == 22),
        (DECK, "Law", 2, cell == 21),
        (PRESET, "C (3)", 3, cell == 33),
    ]
    assert [(item.kind, item.name, item.preset_id) for item in findings] == [item[:3] for item in expected]
    assert [item.label for item in findings] == [None, 1, 10, 13, 2, 12, 10, 3]
    for finding, (*_, members) in zip(findings, expected, strict=True):
        np.testing.assert_array_equal(reviews_of(evidence, finding), members)
        taken = evidence_on(evidence, finding)
        assert finding.reviews == members[TRAINING:].sum() == len(taken.tested)
        assert taken.tested.review_id.tolist() == evidence.tested.review_id[members[TRAINING:]].tolist()
    with pytest.raises(KeyError):
        reviews_of(evidence, replace(findings[1], label=4, preset_id=4))


@pytest.mark.parametrize(
    ("used", "kept", "in_use", "is_deleted_apart", "preset_of_deleted"),
    [
        ((1,), (1,), "A", False, 1),
        ((1,), (), "A", False, 1),
        ((1, 2), (1,), "A", False, 1),
        ((1, 2), (1, 2), "BA", True, 2),
        ((1, 2), (), "", True, 1),
    ],
)
def test_deleted_cards_have_the_only_preset_in_use(used, kept, in_use, is_deleted_apart, preset_of_deleted):
    """Every third card of each preset that is kept is deleted."""
    preset_id = shuffled_labels({1: 500, 2: 750} if len(used) > 1 else {1: SCORED})
    deleted = np.flatnonzero(~np.isin(preset_id, kept) | (np.arange(ALL) % 3 == 0))
    collection = [replace(item, desired_retention=0.7 + item.preset_id / 10) for item in (A, B)[: len(used)]]
    evidence = evidence_of(*collection, preset_id=preset_id, deleted=deleted)
    presets = evidence.in_use
    assert "".join(preset.name for preset in presets.presets) == in_use
    assert presets.all_deleted is not bool(in_use)
    np.testing.assert_array_equal(np.flatnonzero(presets.is_deleted), deleted if is_deleted_apart else [])
    expected = preset_id.copy()
    expected[deleted] = preset_of_deleted
    np.testing.assert_array_equal(presets.predicting_preset_ids, expected)
    np.testing.assert_allclose(presets.desired_retentions, 0.7 + expected[TRAINING:] / 10)
    remaining = np.delete(preset_id, deleted).tolist()
    several = {"A": remaining.count(1), "B": remaining.count(2)} if is_deleted_apart and in_use else {}
    assert {subject.name: subject.is_member.sum() for subject in subjects_of(evidence)} == {"": ALL, **several}


@pytest.mark.parametrize("stored", [None, 0.0, 1.0, 90])
def test_desired_retention_is_the_decks_own_then_the_presets_then_ankis(stored):
    """Each cell is a preset (tens) and a deck (ones). Values that are not between 0 and 1 do not count."""
    cell = shuffled_labels({10: 500, 11: 300, 20: 250, 21: 200})
    decks = (replace(DECKS[0], desired_retention=0.95), replace(DECKS[1], desired_retention=stored))
    presets = (replace(A, desired_retention=0.8), replace(B, desired_retention=stored))
    evidence = evidence_of(*presets, preset_id=cell // 10, deck_id=10 + cell % 10, decks=decks)
    by_cell = {10: 0.95, 20: 0.95, 11: 0.8, 21: DEFAULT_RETENTION}
    expected = [by_cell[value] for value in cell[TRAINING:].tolist()]
    assert evidence.in_use.desired_retentions.tolist() == expected
    findings = make_findings(evidence, ())
    assert findings[0].desired_retention is None
    # There is one top-level deck.
    assert [item.kind for item in findings] == [WHOLE, PRESET, PRESET]


def test_own_parameters_are_tested_since_their_presets_last_change():
    preset_id = shuffled_labels({1: 500, 2: 400, 3: 350})
    presets = changed_before_last(301), changed_before_last(77, B), C
    scored = preset_id[TRAINING:]
    from_end = np.arange(SCORED, 0, -1)
    expected = ((scored == 1) & (from_end <= 301)) | ((scored == 2) & (from_end <= 77)) | (scored == 3)
    in_use = evidence_of(*presets, preset_id=preset_id).in_use
    np.testing.assert_array_equal(in_use.testable_reviews(in_use.presets), expected)
    unknown = [replace(preset, changed=None) for preset in in_use.presets]
    np.testing.assert_array_equal(in_use.testable_reviews(unknown), scored == 3)


def test_source_without_cards_has_one_subject_and_no_presets():
    snapshot = Snapshot(log_of(lively()), CLOCK, fsrs=True)
    evidence = Evidence.of(snapshot, Options(), prepare(snapshot, Options())[0])
    assert (evidence.in_use.presets, evidence.in_use.all_deleted) == ((), False)
    assert [item.kind for item in subjects_of(evidence)] == [WHOLE]
