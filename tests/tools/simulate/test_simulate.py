from __future__ import annotations

import contextlib
import datetime as dt
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from anki.collection import Collection

from evaluator.data.revlog import REVLOG_COLUMNS, Sm2Settings
from evaluator.evaluation import evaluate
from evaluator.options import Options
from tools import sources
from tools.simulate import Habits, Learner, memory, simulate, write_collection
from tools.simulate.deck import DeckState
from tools.simulate.deck_schedulers import SimulatedFsrs, SimulatedSm2

LEARNER = Learner(seed=11, days=200, habits=Habits(cram=0.1, reset=0.001, rescheduled=0.03, set_due_date=0.001))


@pytest.fixture(scope="module")
def simulated():
    return simulate(LEARNER)


def reviews_seen_again_that_day(**habits: float):
    """Return the hours from each review to the card's next answer on that day, and the review's button."""
    log = simulate(Learner(seed=11, days=100, habits=Habits(evening_session=0, cram=0, early=0, **habits))).revlog
    log = log.take(np.lexsort((log.review_id, log.card_id)))
    hours = np.diff(log.review_id) / 3_600_000
    is_seen_again = (np.diff(log.card_id) == 0) & (hours < 16) & (log.kind[:-1] == 1)
    return hours[is_seen_again], log.button[:-1][is_seen_again]


def test_habits_decide_when_cards_are_seen_again():
    hours, button = reviews_seen_again_that_day()
    assert hours.max() < 1
    assert (button == 1).all()
    assert reviews_seen_again_that_day(interrupted=0.5)[0].max() > 2
    assert (reviews_seen_again_that_day(again_today=0.3)[1] > 1).any()
    assert not len(reviews_seen_again_that_day(relearning_steps=0)[0])


def test_more_learning_steps_give_more_rows():
    rows_per_card = []
    for steps in (1, 3):
        log = simulate(Learner(days=1, habits=Habits(new_per_day=100, day_off=0, learning_steps=steps))).revlog
        rows_per_card.append(len(log) / len(np.unique(log.card_id)))
    assert rows_per_card[1] > rows_per_card[0] + 1


def test_cards_known_before_are_rarely_forgotten_when_relearned():
    log = simulate(Learner(days=200, known=1.0)).revlog
    assert (log.button[log.kind == 1] > 1).mean() > 0.99


def test_drift_takes_no_random_number_from_anything_else():
    # A little more than 7 new cards, because a factor just below 1 would round down the number of cards.
    steady = Learner(seed=5, days=100, habits=Habits(new_per_day=7.01, cram=0.1))
    drifting, expected = (simulate(replace(steady, drift=drift)).revlog for drift in (1e-12, 0.0))
    for name, column in vars(drifting).items():
        np.testing.assert_array_equal(column, getattr(expected, name))


def test_drifting_person_is_mispredicted_for_weeks():
    steady, drifting = (
        np.exp(np.mean([np.log(error_of_weeks(seed, drift)) for seed in (1, 3)])) for drift in (0.0, 0.8)
    )
    assert steady < 1.4
    assert drifting > 1.8


def error_of_weeks(seed: int, drift: float) -> float:
    """Return the standard error by clusters of 28 days, as a multiple of that by clusters of one day.

    It is the error of FSRS-6's mean log loss minus SM-2's. The multiple is about 1 if days are independent.
    """
    evaluation = evaluate(simulate(Learner(seed=seed, days=300, drift=drift)).snapshot, Options(("SM-2", "FSRS-6")))
    scoring = evaluation.evidence.scoring
    loss = {name: scoring.loss(predicted) for name, predicted in evaluation.predictions.predicted.items()}
    difference = loss["FSRS-6"] - loss["SM-2"]
    deviation = difference - difference.mean()
    squares = [(np.bincount(scoring.clusters.day // days, deviation) ** 2).sum() for days in (1, 28)]
    return np.sqrt(squares[1] / squares[0])


def test_fsrs_writes_the_difficulty_as_anki_does():
    deck = SimpleNamespace(believed_difficulty=np.array([1.0, 5.5, 10.0, np.nan]))
    scheduler = SimulatedFsrs(memory.PUBLISHED, 0.9)
    np.testing.assert_array_equal(scheduler.factors(deck, np.arange(4)), [100, 600, 1100, 0])


def test_every_kind_of_row_occurs_as_anki_writes_it(simulated):
    log = simulated.revlog
    assert set(log.kind) == {0, 1, 2, 3, 4, 5}
    unanswered = log.button == 0
    np.testing.assert_array_equal(unanswered, log.kind >= 4)
    assert set(log.button[~unanswered]) == {1, 2, 3, 4}
    assert (log.factor[log.kind == 5] > 0).all()
    for kind in (3, 4):  # cramming and resets
        assert ((log.kind == kind) & (log.factor == 0)).any()
    assert ((log.kind == 3) & (log.factor > 0)).any()
    assert (log.interval[(log.kind == 1) & (log.button > 1)] >= 1).all()
    assert (log.interval[(log.kind == 1) & (log.button == 1)] < 0).all()  # a lapse goes to relearning
    assert not np.isin(log.card_id, simulated.cards.card_id).all()  # some cards were deleted
    assert (np.diff(log.review_id) > 0).all()
    _, first = np.unique(log.card_id, return_index=True)
    assert (log.kind[first] == 0).all()
    end = dt.datetime.combine(LEARNER.last_day + dt.timedelta(days=2), dt.time(), tzinfo=dt.UTC)
    assert log.review_id.max() / 1000 < end.timestamp()


def test_memory_follows_the_published_equations():
    """Calculate by hand: R(S) is 0.9 whatever the decay, and Good on time increases a stability of 10."""
    w = memory.PUBLISHED
    ten, five = np.array([10.0]), np.array([5.0])
    assert memory.recall(w, ten, ten)[0] == pytest.approx(0.9)
    stability, _ = memory.next_state(w, ten, five, ten, np.array([3]))
    growth = np.exp(1.8722) * (11 - 5) * 10**-0.1666 * (np.exp(0.796 * 0.1) - 1)
    assert stability[0] == pytest.approx(10 * (1 + growth))


def test_sm2_interval_grows_by_the_ease_before_the_answer():
    deck = DeckState(3, np.ones(3))
    deck.kind[:] = DeckState.REVIEW
    deck.interval[:] = 100
    scheduler = SimulatedSm2(Sm2Settings())
    days = scheduler.next_days(deck, np.arange(3), deck.interval, np.array([1, 3, 4]), np.full(3, 0.5))
    assert days.tolist() == [1, 250, 325]
    assert scheduler.factors(deck, np.arange(3)).tolist() == [2300, 2500, 2650]


def test_anki_reads_the_simulated_facts(simulated, tmp_path):
    path = write_collection(simulated, tmp_path / "collection.anki2")
    with contextlib.closing(Collection(str(path), server=True)) as col:
        rows = col.db.all(f"select {', '.join(REVLOG_COLUMNS)} from revlog order by id")
        np.testing.assert_array_equal(rows, np.stack(list(vars(simulated.revlog).values()), axis=1))
        assert col.card_count() == len(simulated.cards.card_id)
        assert {deck.name for deck in col.decks.all_names_and_ids()} >= {"Vocabulary", "Anatomy"}
        decks = col.db.list("select distinct did from cards")
        assert {col.decks.config_dict_for_deck_id(deck)["name"] for deck in decks} == {"Vocabulary", "Anatomy"}
        message, ok = col.fix_integrity()
        assert ok, message


@pytest.mark.parametrize("scheduler", ["fsrs", "sm2"])
def test_evaluation_reads_the_simulated_facts(scheduler, tmp_path):
    simulation = simulate(Learner(seed=2, days=30, scheduler=scheduler, desired_retention=0.84))
    read = sources.read(write_collection(simulation, tmp_path / "collection.anki2"))
    simulated = simulation.snapshot
    assert read.fsrs == simulated.fsrs == (scheduler == "fsrs")
    result, expected = preset_by_card(read), preset_by_card(simulated)
    assert result.keys() == expected.keys()
    for card, preset in result.items():
        original = expected[card]
        assert preset.parameters == pytest.approx(original.parameters)
        assert preset.desired_retention == pytest.approx(original.desired_retention)
        names = ("preset_id", "changed", "parameters", "desired_retention")  # what Anki decides or rounds
        assert preset == replace(original, **{name: getattr(preset, name) for name in names})
    assert not read.cards.set_aside.any()
    assert not simulated.cards.set_aside.any()


def preset_by_card(snapshot):
    by_id = {preset.preset_id: preset for preset in snapshot.presets}
    cards = snapshot.cards
    return {card: by_id[preset] for card, preset in zip(cards.card_id.tolist(), cards.preset_id.tolist(), strict=True)}


def test_existing_collection_is_never_overwritten(simulated, tmp_path):
    path = tmp_path / "collection.anki2"
    path.write_text("mine")
    with pytest.raises(FileExistsError):
        write_collection(simulated, path)
    assert path.read_text() == "mine"
