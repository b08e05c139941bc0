"""The learners that the networks learn from: tables of many of them as one, cut into batches of cards.

A network that saw FSRS-6 learners alone would only learn FSRS-6. So the memories are of two kinds, their parameters are
spread widely, and so are the retention that schedulers aim at, the habits and the use of the buttons.
"""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from itertools import count, islice
from typing import Iterator

import numpy as np

from evaluator.data.dataset import Dataset
from evaluator.data.reviews import CardRows, Reviews, prepare_reviews
from evaluator.data.revlog import Ints, Snapshot
from tools.simulate.learner import Learner
from tools.simulate.memory_models import FSRS, HALF_LIFE
from tools.simulate.people import learner, scattered_parameters
from tools.simulate.study import LEARN, RELEARN, simulate

ROWS = 2000  #: median number of rows of a learner's log
MIN_RECALLED = 0.6  #: minimum recall over one learner's reviews


@cache
def population(seed: int, learners: int) -> tuple[CardRows, Reviews]:
    """Return the tables of that many learners, one below the other, with card ids of their own.

    Learners who recall less than MIN_RECALLED are left out: people would give up.
    """
    studied = (study(seed, number) for number in count(1))
    kept = (table for table in studied if table[1].recalled.sum() >= MIN_RECALLED * len(table[1]))
    return _joined(list(islice(kept, learners)))


def study(seed: int, number: int) -> tuple[CardRows, Reviews]:
    """Return the benchmark's table of the reviews of the learner of that number."""
    random = np.random.default_rng((seed, number))
    studied = simulate(_unlike(learner(number, seed=seed, rows=ROWS, spread=0.5), random))
    log = studied.revlog
    if random.random() < 0.2:  # Good was button 2 in learning with Anki's first scheduler
        learning = (log.kind == LEARN) | (log.kind == RELEARN)
        log = replace(log, button=log.button - (learning & (log.button > 2)))
    rows, reviews, _outcome = prepare_reviews(Snapshot(log, studied.clock))
    return rows, reviews


def _unlike(person: Learner, random: np.random.Generator) -> Learner:
    """Return the user with larger deviations from the others in memory, scheduler and habits."""

    def sometimes(most: float) -> float:
        return float(random.choice([0, random.uniform(0, most)]))

    def logarithmic(least: float, most: float) -> float:
        return float(np.exp(random.uniform(np.log(least), np.log(most))))

    longer, pause, buttons = logarithmic(0.2, 8), logarithmic(5, 3_600), person.habits.hard > 0
    late = random.choice([0, 1])
    habits = replace(
        person.habits,
        new_per_day=person.habits.new_per_day / longer / 3,
        day_off=late * random.uniform(0, 0.7),
        holiday=late * random.uniform(0, 0.05),
        postponed=late * random.uniform(0, 0.9),
        hard=random.uniform(0, 0.3) if buttons and random.random() < 0.7 else buttons * random.uniform(0.2, 1.0),
        easy=buttons * random.uniform(0, 0.4),
        slips=sometimes(0.08),
        guesses=sometimes(0.3),
        forgets=random.uniform(0, 0.6),
        forgets_after=logarithmic(5, 600),
        pause=(int(pause / 10), int(pause)),
        interrupted=sometimes(0.3),
        again_today=sometimes(0.2),
        learning_steps=int(random.integers(1, 5)),
        relearning_steps=int(random.random() < 0.8),
    )
    return replace(
        person,
        days=int(person.days * longer),
        memory=scattered_parameters(random, scale=random.uniform(0.3, 2.0)),
        memory_kind=str(random.choice([FSRS, HALF_LIFE])),
        spread=random.uniform(0, 1.2),
        known=sometimes(0.7),
        scheduler_memory=scattered_parameters(random, scale=random.uniform(0, 1.0)),
        desired_retention=random.uniform(0.7, 0.99),
        habits=habits,
    )


def batches(rows: CardRows, reviews: Reviews, tables: int, seed: int) -> Iterator[Dataset]:
    """Split all cards at random into this many tables."""
    cards, card_of_row = np.unique(rows.card_id, return_inverse=True)
    batch = np.random.default_rng(seed).permutation(len(cards)) % tables
    of_row = batch[card_of_row]
    for number in range(tables):
        mask = of_row == number
        part = CardRows(**{f.name: getattr(rows, f.name)[mask] for f in fields(CardRows)})
        kept = reviews.take(mask[reviews.row])
        yield Dataset(part, replace(kept, row=(np.cumsum(mask) - 1)[kept.row]), ())


def _joined(parts: list[tuple[CardRows, Reviews]]) -> tuple[CardRows, Reviews]:
    row_start = np.cumsum([0, *(len(rows) for rows, _ in parts[:-1])])
    most = max(int(rows.card_id.max(initial=0)) for rows, _ in parts)
    apart, none = np.arange(len(parts)) * (most + 1), np.zeros(len(parts), dtype=np.int64)

    def columns(kind: type, number: int, moved: dict[str, Ints]) -> dict[str, Ints]:
        return {
            name: np.concatenate(
                [getattr(part[number], name) + by for part, by in zip(parts, moved.get(name, none), strict=True)]
            )
            for name in (f.name for f in fields(kind))
        }

    rows = columns(CardRows, 0, {"card_id": apart})
    reviews = columns(Reviews, 1, {"card_id": apart, "row": row_start})
    order = np.argsort(reviews["review_id"], kind="stable")
    return CardRows(**rows), Reviews(**{name: column[order] for name, column in reviews.items()})
