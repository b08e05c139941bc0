"""`python3 tools bench workload`: the true year, other memories, what is counted, and runs that are taken up again."""

from __future__ import annotations

import json
from dataclasses import replace
from math import log

import numpy as np
import pytest

from evaluator.algorithms.fsrs6 import FSRS_6
from evaluator.errors import BadOption
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.workload import found
from evaluator.workload.estimate import DESIRED
from evaluator.workload.memories import RecurrentMemory
from tools import commands
from tools.bench.workload import command, figures
from tools.bench.workload.figures import Case, summary
from tools.bench.workload.person import ALGORITHMS, Asked, line_of
from tools.bench.workload.truth import Curve, Truth, Year, ratios
from tools.simulate import Habits, Learner, memories, simulate
from tools.simulate.people import learner

#: Somebody whose cards are all alike, who never slips, and whose year is short to simulate.
ALIKE = Learner(seed=3, days=120, spread=0.0, scheduler="sm2", habits=Habits(new_per_day=0.7, cram=0, slips=0))
REPEATS = 4


@pytest.fixture(scope="module")
def alike():
    simulation = simulate(ALIKE)
    evidence = evaluate(simulation.snapshot, Options(ALGORITHMS)).evidence
    return simulation, found.Prepared.of(replace(evidence, snapshot=simulation.snapshot)).ahead


def test_with_the_true_memory_as_the_fitted_one_the_year_is_the_true_one(alike):
    """The same cards, days and chance: two statements of one memory come to nearly the same numbers."""
    simulation, ahead = alike
    truth = Truth(ALIKE, simulation, ahead, REPEATS)
    w = np.array(ALIKE.memory)
    memory = RecurrentMemory(FSRS_6, np.repeat(w[:, None], REPEATS, axis=1))
    start = ahead.start(memory, REPEATS, np.ones(REPEATS * ahead.cards))
    for fsrs, true in ((None, truth.sm2), (0.9, truth.fsrs(w).at(DESIRED.index(0.9)))):
        scheduler = ahead.sm2() if fsrs is None else ahead.fsrs(w[:, None], np.array([fsrs]), REPEATS)
        year = Year.of(ahead.run(memory, start, scheduler, REPEATS))
        assert year.reviews == pytest.approx(true.reviews, rel=0.03)
        assert year.known == pytest.approx(true.known, rel=0.02)


def test_the_true_year_is_not_that_of_another_memory(alike):
    """Where all is forgotten four times as fast, more reviews are asked for, and less is known."""
    simulation, ahead = alike
    true = Truth(ALIKE, simulation, ahead, REPEATS).sm2
    fast = memories.Changing(memories.Fsrs(ALIKE.memory), 100.0)
    states = (*simulation.state, np.zeros(len(simulation.cards.card_id)))
    faster = Truth(ALIKE, replace(simulation, memory=fast, state=states), ahead, REPEATS).sm2
    assert faster.reviews > 1.2 * true.reviews
    assert faster.known < true.known


def year_of(place: int) -> Year:
    """Knowledge 10, 20, ... 80; reviews and seconds are the squares of that."""
    known = 10.0 * (place + 1)
    return Year(known**2, known**2, known)


def test_equal_knowledge_lies_between_two_years():
    """By hand: SM-2 knows 25, half-way from 20 to 30, with 500 reviews, where FSRS needs sqrt(400 * 900) = 600."""
    asked = []
    curve = Curve(lambda place: asked.append(place) or year_of(place))
    of = ratios(Year(500.0, 650.0, 25.0), curve)
    assert of["reviews"] == pytest.approx(log(600 / 500))
    assert of["minutes"] == pytest.approx(log(600 / 650))
    # At 650 seconds, half-way from 400 to 900.
    assert of["known"] == pytest.approx(log((20 * 30) ** 0.5 / 25))
    assert len(asked) == len(set(asked)) < len(DESIRED)


@pytest.mark.parametrize("known", [5.0, 85.0])
def test_knowledge_out_of_reach_has_no_ratio(known):
    of = ratios(Year(500.0, 650.0, known), Curve(year_of))
    assert of["reviews"] is None
    assert of["minutes"] is None
    assert of["known"] is not None


@pytest.mark.parametrize("kind", memories.KINDS)
def test_every_memory_begins_with_its_first_stability_and_grows(kind):
    """Recall is 90 % then, and after a review at that time it falls more slowly; a forgotten card is known for less."""
    memory = memories.memory_of(replace(ALIKE, memory_kind=kind))
    good, one = np.array([3]), np.ones(1)
    state = memory.first(good, one, day=0.0)
    stability = np.array([ALIKE.memory[2]])
    assert memory.recall(state, stability)[0] == pytest.approx(0.9, abs=0.01)
    grown, lapsed = (memory.after(state, stability, np.array([rating])) for rating in (3, 1))
    later = 3 * stability
    assert memory.recall(grown, later)[0] > memory.recall(state, later)[0] + 0.02
    assert memory.recall(grown, later)[0] > memory.recall(lapsed, later)[0]


def test_other_memories_are_others():
    """After ten times the stability: FSRS-6 within its bounds (decay at most 0.8) cannot forget as much."""
    power = memories.memory_of(replace(ALIKE, memory_kind="power"))
    state = power.first(np.array([3]), np.ones(1), day=0.0)
    ten = 10 * state[0]
    bound = memories.Fsrs((*ALIKE.memory[:20], 0.8)).recall(state, ten)[0]
    assert power.recall(state, ten)[0] < bound - 0.01


def test_what_answers_show_of_a_memory():
    """Guesses raise recall; after the seconds by which half is forgotten, a weak card has lost half of that share."""
    memory, day = memories.Fsrs(ALIKE.memory), np.ones(1)
    state = memory.first(np.array([1]), day, day=0.0)
    soon = 60 * day / (24 * 60 * 60)
    chance, weak = memory.recall(state, soon)[0], (1 - memory.recall(state, day)[0]) ** 0.5
    habits = replace(ALIKE.habits, guesses=0.2, forgets=0.4, forgets_after=60)
    answered = memories.memory_of(replace(ALIKE, habits=habits))
    assert answered.recall(state, soon)[0] == pytest.approx(0.2 + 0.8 * chance * (1 - 0.4 * weak / 2))
    assert answered.recall(state, day)[0] == pytest.approx(0.2 + 0.8 * memory.recall(state, day)[0])
    assert answered.after(state, day, np.array([3])) == memory.after(state, day, np.array([3]))


def test_memory_that_changes_does_so_from_year_to_year():
    memory = memories.Changing(memories.Fsrs(ALIKE.memory), 0.5)
    good, week = np.array([3]), np.array([7.0])
    early, late = (memory.recall(memory.first(good, np.ones(1), day), week)[0] for day in (0.0, 730.0))
    assert late < early - 0.05


def test_figures_by_hand():
    """Two of three hold; errors 0.0, 0.1 and -0.4; two claims of less, one of which is false."""
    cases = [Case(-0.1, -0.2, -0.05, -0.1), Case(0.1, -0.1, 0.3, 0.0), Case(-0.4, -0.5, -0.3, 0.0)]
    count, held, error, standard_error, width, claims, false = summary(cases)
    assert (count, claims, false) == (3, 2, 1)
    assert held == pytest.approx(2 / 3)
    assert error == pytest.approx(-0.1)
    # Squares of 0.1, 0.2 and 0.3 over 2, then over 3.
    assert standard_error == pytest.approx((0.14 / 2 / 3) ** 0.5)
    assert width == pytest.approx((0.15 + 0.4 + 0.2) / 3)


def test_who_cannot_be_evaluated_is_counted():
    """All first intervals of this person's cards are unusual, so that no review is left."""
    one = line_of(ASKED, 108)
    assert (one["question"], one["gate"]["code"], one["memories"]) == ("none", "all_filtered", {})
    assert figures.people([one]).json[0]["others"] == "all_filtered 1"


def line(number: int, code: str = "passed", *, together: bool = False) -> dict:
    """A person of whom FSRS-6 says -0.10 (-0.15 to -0.05) with an optimism of 0.02, and -0.12 is true."""
    versus = {name: [-0.10, -0.15, -0.05] for name in ("reviews", "minutes", "known")}
    memory = {"kept": True, "optimism": 0.02, "versus": versus}
    return {
        "number": number,
        "scheduler": "sm2",
        "rows": 2000,
        "slips": 0.0,
        "question": "work",
        "gate": {"code": code, "ratio": 1.1, "days": 40, "held": {"reviews": True, "remembered": False}},
        "memories": {"FSRS-6": memory, **({"DASH": memory} if together else {})},
        "together": versus,
        "truth": dict.fromkeys(("FSRS-6", "together"), dict.fromkeys(versus, -0.12)),
        "seconds": 2.0,
    }


def test_the_tables_count_who_passes_and_all():
    slipping = {**line(3, "reviews"), "slips": 0.02}
    people, told, *others = figures.tables([line(1, together=True), line(2), slipping])
    kinds = people.json[0]
    assert (kinds["people"], kinds["passed"], kinds["others"]) == (3, pytest.approx(2 / 3), "reviews 1")
    assert (kinds["ratio"], kinds["reviews_held"], kinds["remembered_held"]) == (pytest.approx(1.1), 1.0, 0.0)
    fitted, alone, together = told.json[:3]
    assert [row["compared"] for row in (fitted, alone, together)] == [2, 2, 1]
    assert [table.json[0]["compared"] for table in others] == [3, 2, 1]  # all, who never slips, who does
    # Without what is taken off for optimism: -0.10 + 0.02 = -0.08.
    assert fitted["error"] == pytest.approx(0.04)
    assert alone["error"] == pytest.approx(0.02)


ASKED = Asked(seed=1, rows=6000, spread=0.6, memory="fsrs", short_of_time=False, together=5)


def test_people_are_those_of_simulate_but_with_fewer_new_cards_or_less_time():
    """Of 7 rows a card, 200 days of at most rows / 1,400 new cards; who is short of time does 2 reviews for each."""
    some = [(learner(n, seed=1, rows=6000, spread=0.6), ASKED.learner(n)) for n in range(1, 9)]
    most = [drawn.most_rows / 1400 for drawn, _ in some]
    drawn_new = [drawn.habits.new_per_day for drawn, _ in some]
    assert min(drawn_new) < 10 < max(drawn_new)
    assert [ours.habits.new_per_day for _, ours in some] == pytest.approx(list(map(min, drawn_new, most)))
    assert [drawn.seed for drawn, _ in some] == [ours.seed for _, ours in some]
    short = replace(ASKED, short_of_time=True).learner(1).habits
    assert short.reviews_per_day == round(2 * short.new_per_day) < some[0][1].habits.reviews_per_day


def test_a_stopped_run_goes_on(tmp_path, capsys):
    """Who is in the file is not simulated again; a line that was cut off is."""
    out = tmp_path / "people.jsonl"
    assert command.known(out, ASKED) == {}
    whole = out.read_text() + "".join(json.dumps(line(number)) + "\n" for number in (1, 2))
    out.write_text(whole + json.dumps(line(3))[:-9])
    assert list(command.known(out, ASKED)) == [1, 2]
    assert out.read_text() == whole
    assert commands.run(["bench", "workload", "--people", "2", "--out", str(out)]) == 0
    assert "2 simulated people" in capsys.readouterr().out
    assert out.read_text() == whole


def test_a_file_of_other_options_is_not_gone_on_with(tmp_path, capsys):
    out = tmp_path / "people.jsonl"
    command.known(out, ASKED)
    with pytest.raises(BadOption):
        command.known(out, replace(ASKED, memory="drift"))
    other = tmp_path / "letter.txt"
    other.write_text("Dear reader")
    assert commands.run(["bench", "workload", "--out", str(other)]) == 2
    assert "letter.txt" in capsys.readouterr().err
    assert other.read_text() == "Dear reader"


@pytest.mark.parametrize(
    "option", [("--people", "0"), ("--memory", "elephant"), ("--spread", "4"), ("--together", "0")]
)
def test_bad_options_are_refused(option, capsys):
    assert commands.run(["bench", "workload", *option]) == 2
    assert option[0] in capsys.readouterr().err


def test_of_a_person_the_interval_is_near_the_truth(monkeypatch):
    """With few cards, so that it is quick: the same line each time, and estimates where they should be."""
    monkeypatch.setattr(found, "MOST_CARDS", 60)
    monkeypatch.setattr(found, "optimism", lambda *_: found.NO_OPTIMISM)
    monkeypatch.setattr(Truth.__init__, "__defaults__", (REPEATS,))
    asked = replace(ASKED, rows=1500, spread=0.0, together=100)
    found_of_one = line_of(asked, 4)
    versus = found_of_one["memories"]["FSRS-6"]["versus"]
    for quantity, truth in found_of_one["truth"]["FSRS-6"].items():
        estimate, low, high = versus[quantity]
        assert low < estimate < high
        assert abs(estimate - truth) < 0.25
    assert found_of_one["question"] == "work"
    assert json.loads(json.dumps(found_of_one)) == found_of_one
