"""The true probability of each review, and what makes people hard to predict."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evaluator.data.revlog import SECONDS_PER_DAY
from tools.simulate import Habits, Learner, memory_models, simulate
from tools.simulate.kinds import ONE, OPPOSITE, PLAIN, SM2, TWO, Kind, delete_leeches, join
from tools.simulate.learner import FORGETFUL
from tools.simulate.memory import PUBLISHED

LEARNER = Learner(seed=5, days=250, habits=Habits(slips=0.05, cram=0.1))
MS_PER_DAY = SECONDS_PER_DAY * 1000


def recall_and_outcomes(simulation):
    """Return the true probability and the outcome of each answer but the cards' first."""
    is_predictable = ~np.isnan(simulation.recall)
    return simulation.recall[is_predictable], simulation.revlog.button[is_predictable] > 1


@pytest.mark.parametrize("kind", [memory_models.FSRS, memory_models.TWO_TRACES, memory_models.DASH])
@pytest.mark.parametrize("changes", [{}, {"drift": 0.8}, {"hard_after": 500}, {"ability": -0.5}], ids=str)
def test_answers_are_drawn_from_the_recorded_probability(kind, changes):
    simulation = simulate(replace(LEARNER, memory_kind=kind, **changes))
    recall, passed = recall_and_outcomes(simulation)
    for part in (recall < np.median(recall), recall >= np.median(recall)):
        standard_error = np.sqrt((recall * (1 - recall))[part].sum())
        assert abs(passed[part].sum() - recall[part].sum()) < 3.5 * standard_error
    _, first = np.unique(simulation.revlog.card_id, return_index=True)
    unanswered = np.flatnonzero(simulation.revlog.button == 0)
    assert set(np.flatnonzero(np.isnan(simulation.recall))) == {*first, *unanswered}


def test_break_of_90_days_has_no_reviews():
    usual, broken = (simulate(replace(LEARNER, break_after=after)).revlog for after in (None, 1000))
    gap = np.diff(broken.review_id) / MS_PER_DAY
    assert 89 < gap.max() < 92
    assert 1000 <= gap.argmax() < 1300
    np.testing.assert_array_equal(usual.review_id[:1000], broken.review_id[:1000])
    assert np.diff(usual.review_id).max() < 20 * MS_PER_DAY


def test_desired_retention_changes_after_a_row():
    person = replace(LEARNER, scheduler_memory=FORGETFUL, desired_retention=0.8, habits=Habits(postponed=0.0))
    changed = simulate(replace(person, earlier_retention=(2000, 0.95)))
    before = simulate(replace(person, desired_retention=0.95)).revlog
    np.testing.assert_array_equal(changed.revlog.interval[:2000], before.interval[:2000])
    is_review = changed.revlog.kind == 1
    is_late = np.arange(len(changed.revlog)) > 3000
    assert changed.desired_retention == 0.8
    assert changed.recall[is_review & is_late].mean() < changed.recall[is_review & ~is_late].mean() - 0.05


def test_use_decides_the_number_of_presets_and_their_errors():
    kinds = [Kind("fsrs", PLAIN, 500, use) for use in (ONE, TWO, SM2)]
    assert [len(kind.draw(np.random.default_rng(1))) for kind in kinds] == [1, 2, 1]
    better, worse = Kind("fsrs", PLAIN, 500, OPPOSITE).draw(np.random.default_rng(1))
    assert better.ability == -worse.ability > 0
    assert better.scheduler_memory == worse.scheduler_memory == PUBLISHED


def test_leeches_are_the_cards_that_were_forgotten_most_often():
    snapshot = simulate(LEARNER).snapshot
    until = int(snapshot.revlog.review_id[4000]) // 1000
    left = delete_leeches(snapshot, until)
    is_past = snapshot.revlog.review_id < 1000 * until
    lapsed = snapshot.revlog.card_id[is_past & (snapshot.revlog.button == 1) & (snapshot.revlog.kind == 1)]
    lapses = {card: int((lapsed == card).sum()) for card in snapshot.cards.card_id.tolist()}
    deleted = lapses.keys() - set(left.cards.card_id.tolist())
    assert len(deleted) == pytest.approx(len(set(lapsed.tolist())) / 10, abs=2)
    assert min(lapses[card] for card in deleted) >= max(lapses[card] for card in left.cards.card_id.tolist())
    assert len(left.cards.preset_id) == len(left.cards.card_id)
    assert left.revlog is snapshot.revlog


def test_lapses_are_pressed_hard_after_a_row():
    person = replace(LEARNER, habits=replace(LEARNER.habits, hard=0.0))
    log = simulate(replace(person, hard_after=1500)).revlog
    row = np.arange(len(log))
    # The change comes with the day after the row.
    before, after = (log.button[part & (log.kind == 1)] for part in (row < 1500, row > 1700))
    assert not (before == 2).any()
    hard, again = (after == 2).sum(), (after == 1).sum()
    assert hard / (hard + again) == pytest.approx(person.habits.hard_for_lapse, abs=0.05)


def test_dash_counts_recent_answers():
    """Calculate by hand: a pass a day ago and a lapse now, on the five scales of time."""
    memory = memory_models.Dash(-1.0, np.array([0.5, 0.6, 0.7, 0.8, 0.9]), 0.2)
    ones = np.ones(1)
    state = memory.next_state(memory.first_state(np.array([3]), 2 * ones), ones, np.array([1]))
    left = np.exp(-1 / np.array([1, 7, 30, 180, 1000]))
    passes, attempts = np.log1p(left + 0.4), np.log1p(left + 1)
    logit = -1.0 + np.log(2) + memory.gain @ passes - 0.2 * (attempts - passes).sum()
    assert memory.recall(state, 0 * ones)[0] == pytest.approx(1 / (1 + np.exp(-logit)))


def test_joined_studies_keep_their_cards_and_their_truth():
    studies = [simulate(replace(LEARNER, seed=seed, days=60)) for seed in (1, 2)]
    collection, recall = join(studies)
    log = collection.revlog
    cards = collection.cards
    assert len(log) == sum(len(study.revlog) for study in studies)
    assert (np.diff(log.review_id) > 0).all()
    assert len(np.unique(cards.card_id)) == len(cards.card_id)
    for part, study in enumerate(studies):
        rows = np.isin(log.card_id, study.revlog.card_id + part)
        np.testing.assert_array_equal(recall[rows], study.recall)
        np.testing.assert_array_equal(log.button[rows], study.revlog.button)
        assert (cards.preset_id[np.isin(cards.card_id, study.cards.card_id + part)] == part + 1).all()
