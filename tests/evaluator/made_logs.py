"""Review logs made by hand: a row is written as what was answered on which day."""

from __future__ import annotations

from typing import Any, List, NamedTuple, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from evaluator.data.reviews import CardRows, Reviews, prepare_reviews
from evaluator.data.revlog import Clock, Revlog, Snapshot
from evaluator.data.row_accounting import ROW_OUTCOMES
from evaluator.scope import WHOLE_DAY_TABLE

DAY_MS = 86_400_000

#: 2020-09-14 04:00 UTC.
NEXT_DAY_AT = 1_600_056_000
CLOCK = Clock(NEXT_DAY_AT)

LEARN, REVIEW, RELEARN, FILTERED, MANUAL, RESCHEDULED = range(6)


class Answer(NamedTuple):
    """One row of the log. Rows are a millisecond apart if nothing else says when they were."""

    card: int
    day: int
    button: int = 3
    kind: int = REVIEW
    factor: int = 2500
    minute: int = 0


def moment(day: int, minute: int = 0) -> int:
    """Return the milliseconds since 1970 at noon, plus these minutes, of a day. Day 0 begins at ``NEXT_DAY_AT``."""
    return NEXT_DAY_AT * 1000 + day * DAY_MS + DAY_MS // 3 + minute * 60_000


def log_of(answers: Sequence[Answer]) -> Revlog:
    count = len(answers)
    columns = np.array([(a.card, a.button, a.factor, a.kind) for a in answers], dtype=np.int64).reshape(count, 4).T
    return Revlog(
        review_id=np.array([moment(a.day, a.minute) + n for n, a in enumerate(answers)], dtype=np.int64),
        card_id=columns[0].copy(),
        button=columns[1].copy(),
        interval=np.ones(count, dtype=np.int64),
        last_interval=np.ones(count, dtype=np.int64),
        factor=columns[2].copy(),
        duration_ms=np.full(count, 5000, dtype=np.int64),
        kind=columns[3].copy(),
    )


def card(number: int, first: int, *later: Tuple[int, int], start: int = 0) -> List[Answer]:
    """A card learned on day ``start`` with the rating ``first``, then reviewed: (days since the row before, rating)."""
    answers = [Answer(number, start, first, LEARN)]
    for elapsed, rating in later:
        answers.append(Answer(number, answers[-1].day + elapsed, rating, minute=len(answers)))
    return answers


def company(first: int = 3, elapsed: int = 1, *, cards: int = 20, number: int = 10_000) -> List[Answer]:
    """This many cards with that first rating and second interval: with 20 of them neither is unusual."""
    return [answer for n in range(cards) for answer in card(number + n, first, (elapsed, 3))]


class Table(NamedTuple):
    """Result of :func:`prepare_reviews` for a log."""

    log: Revlog
    rows: CardRows
    reviews: Reviews
    outcome: npt.NDArray[Any]

    def ways(self) -> List[str]:
        return [ROW_OUTCOMES[number][0] for number in self.outcome]

    def of_card(self, number: int) -> List[Tuple[int, int, int, int]]:
        """(elapsed_days, review_number, lapses, recalled) of each row of the table that is of this card."""
        r = self.reviews
        mask = r.card_id == number
        columns = (r.elapsed_days, r.review_number, r.lapses, r.recalled)
        return list(zip(*(column[mask].tolist() for column in columns), strict=True))


def table_of(log: Revlog, clock: Clock = CLOCK, *, same_day: bool = True, table: str = WHOLE_DAY_TABLE) -> Table:
    return Table(log, *prepare_reviews(Snapshot(log, clock), same_day=same_day, table=table))


def table(*answers: Answer) -> Table:
    return table_of(log_of(answers))


def learner(cards: int = 60, reviews: int = 6, seed: int = 1) -> Snapshot:
    """A small, lively collection: random ratings (85% recalled) at intervals that grow, some days with two rows."""
    random = np.random.default_rng(seed)
    answers: List[Answer] = []
    for number in range(cards):
        steps = [(1, 3)]
        for step in range(1, reviews):
            elapsed = 0 if random.random() < 0.15 else int(random.integers(1, 2 + 2 * step))
            steps.append((elapsed, int(random.choice([1, 2, 3, 4], p=[0.15, 0.1, 0.6, 0.15]))))
        steps[0] = (1, 1 if random.random() < 0.15 else 3)
        answers += card(number, 3, *steps, start=number % 50)
    return Snapshot(log_of(answers), CLOCK)


def six_reviews() -> Snapshot:
    """The smallest log that can be evaluated: six scored reviews, the fourth and the sixth forgotten.

    Twenty cards with the same first rating; seven intervals that two cards each have are rarer and use up the outlier
    filter's 14 of 20, and the six cards after one day stay.
    """
    answers: List[Answer] = []
    for number in range(6):
        answers += card(number, 3, (1, 1 if number in {3, 5} else 3), start=number)
    for number in range(14):
        answers += card(100 + number, 3, (2 + number // 2, 3))
    return Snapshot(log_of(answers), CLOCK)
