"""Simulated learners for pretraining, whose tables are joined and cut into batches of cards.

With learners that follow only FSRS-6, a network would only learn FSRS-6. So there are two kinds of memory, and the
parameters, the desired retention, the habits and the use of the buttons vary widely.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import count, islice
from typing import Iterator

import numpy as np

from evaluator.data.dataset import Dataset
from evaluator.data.reviews import CardRows, Reviews, prepare_reviews
from evaluator.data.revlog import Snapshot
from tools.simulate.learner import Learner
from tools.simulate.memory_models import FSRS, HALF_LIFE
from tools.simulate.people import draw_or_zero, learner, scattered_parameters
from tools.simulate.study import LEARN, RELEARN, simulate
from tools.simulate.trace import concatenate

#: Median number of rows of a learner's log.
ROWS = 2000
#: Minimum share of a learner's reviews that are recalled.
MIN_RECALLED = 0.6


@cache
def population(seed: int, learners: int) -> tuple[CardRows, Reviews]:
    """Return the joined tables of that many learners, with different card ids.

    Learners who recall less than :data:`MIN_RECALLED` are left out, because real people would give up.
    """
    all_tables = (simulate_tables(seed, number) for number in count(1))
    tables = (table for table in all_tables if table[1].recalled.sum() >= MIN_RECALLED * len(table[1]))
    return _join_tables(list(islice(tables, learners)))


def simulate_tables(seed: int, number: int) -> tuple[CardRows, Reviews]:
    """Simulate the learner with that number, and return the rows and the reviews of the log."""
    random = np.random.default_rng((seed, number))
    simulation = simulate(_with_more_variation(learner(number, seed=seed, rows=ROWS, spread=0.5), random))
    log = simulation.revlog
    # With Anki's first scheduler, Good was button 2 in learning.
    if random.random() < 0.2:
        in_learning = (log.kind == LEARN) | (log.kind == RELEARN)
        log = replace(log, button=log.button - (in_learning & (log.button > 2)))
    rows, reviews, _outcome = prepare_reviews(Snapshot(log, simulation.clock))
    return rows, reviews


def _with_more_variation(person: Learner, random: np.random.Generator) -> Learner:
    """Return the learner with memory, scheduler and habits that vary more between learners."""

    def draw_log_uniform(minimum: float, maximum: float) -> float:
        return float(np.exp(random.uniform(np.log(minimum), np.log(maximum))))

    # Factor of the number of days, in which about as many new cards are learned.
    length = draw_log_uniform(0.2, 8)
    pause = draw_log_uniform(5, 3_600)
    # Some learners use only two of the four buttons.
    uses_all_buttons = person.habits.hard > 0
    is_irregular = random.choice([0, 1])
    habits = replace(
        person.habits,
        new_per_day=person.habits.new_per_day / length / 3,
        day_off=is_irregular * random.uniform(0, 0.7),
        holiday=is_irregular * random.uniform(0, 0.05),
        postponed=is_irregular * random.uniform(0, 0.9),
        hard=random.uniform(0, 0.3)
        if uses_all_buttons and random.random() < 0.7
        else uses_all_buttons * random.uniform(0.2, 1.0),
        easy=uses_all_buttons * random.uniform(0, 0.4),
        slips=draw_or_zero(random, 0.08),
        guesses=draw_or_zero(random, 0.3),
        forgets=random.uniform(0, 0.6),
        forgets_after=draw_log_uniform(5, 600),
        pause=(int(pause / 10), int(pause)),
        interrupted=draw_or_zero(random, 0.3),
        again_today=draw_or_zero(random, 0.2),
        learning_steps=int(random.integers(1, 5)),
        relearning_steps=int(random.random() < 0.8),
    )
    return replace(
        person,
        days=int(person.days * length),
        memory=scattered_parameters(random, scale=random.uniform(0.3, 2.0)),
        memory_kind=str(random.choice([FSRS, HALF_LIFE])),
        spread=random.uniform(0, 1.2),
        known=draw_or_zero(random, 0.7),
        scheduler_memory=scattered_parameters(random, scale=random.uniform(0, 1.0)),
        desired_retention=random.uniform(0.7, 0.99),
        habits=habits,
    )


def batches(rows: CardRows, reviews: Reviews, tables: int, seed: int) -> Iterator[Dataset]:
    """Split all cards at random into ``tables`` tables."""
    cards, card_of_row = np.unique(rows.card_id, return_inverse=True)
    batch = np.random.default_rng(seed).permutation(len(cards)) % tables
    batch_of_row = batch[card_of_row]
    for number in range(tables):
        in_batch = batch_of_row == number
        batch_reviews = reviews.take(in_batch[reviews.row])
        yield Dataset(rows.take(in_batch), replace(batch_reviews, row=(np.cumsum(in_batch) - 1)[batch_reviews.row]), ())


def _join_tables(parts: list[tuple[CardRows, Reviews]]) -> tuple[CardRows, Reviews]:
    """Join the tables of several learners, with the reviews in chronological order."""
    # From here on, each learner's cards have ids of their own.
    id_offset = max(int(rows.card_id.max(initial=0)) for rows, _ in parts) + 1
    row_start = 0
    all_rows = []
    all_reviews = []
    for number, (rows, reviews) in enumerate(parts):
        shift = number * id_offset
        all_rows.append(replace(rows, card_id=rows.card_id + shift))
        all_reviews.append(replace(reviews, card_id=reviews.card_id + shift, row=reviews.row + row_start))
        row_start += len(rows)
    reviews = concatenate(all_reviews)
    return concatenate(all_rows), reviews.take(np.argsort(reviews.review_id, kind="stable"))
