"""Review logs for tests, written by hand or drawn at random."""

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
    """One row of the log. Rows at the same minute are a millisecond apart."""

    card: int
    day: int
    button: int = 3
    kind: int = REVIEW
    factor: int = 2500
    minute: int = 0


def moment(day: int, minute: int = 0) -> int:
    """Return the time of noon plus some minutes on a day, in milliseconds since 1970.

    Day 0 begins at ``NEXT_DAY_AT``.
    """
    return NEXT_DAY_AT * 1000 + day * DAY_MS + DAY_MS // 3 + minute * 60_000


def log_of(answers: Sequence[Answer]) -> Revlog:
    """Return a log with these rows, in this order."""
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
    """Return the answers of a card that is learned on day ``start`` with the rating ``first``.

    Each of the ``later`` answers is (days since the previous answer, rating).
    """
    answers = [Answer(number, start, first, LEARN)]
    for elapsed, rating in later:
        answers.append(Answer(number, answers[-1].day + elapsed, rating, minute=len(answers)))
    return answers


def similar_cards(first: int = 3, elapsed: int = 1, *, cards: int = 20, number: int = 10_000) -> List[Answer]:
    """Return the answers of cards that share a first rating and a second interval.

    With 20 such cards, the outlier filter keeps the interval.
    """
    return [answer for n in range(cards) for answer in card(number + n, first, (elapsed, 3))]


class Table(NamedTuple):
    """Result of :func:`prepare_reviews` for a log."""

    log: Revlog
    rows: CardRows
    reviews: Reviews
    outcome: npt.NDArray[Any]

    def outcomes(self) -> List[str]:
        """Return the name of each row's outcome."""
        return [ROW_OUTCOMES[number][0] for number in self.outcome]

    def of_card(self, number: int) -> List[Tuple[int, int, int, int]]:
        """Return (elapsed_days, review_number, lapses, recalled) of each scored row of this card."""
        r = self.reviews
        mask = r.card_id == number
        columns = (r.elapsed_days, r.review_number, r.lapses, r.recalled)
        return list(zip(*(column[mask].tolist() for column in columns), strict=True))


def table_of(log: Revlog, clock: Clock = CLOCK, *, same_day: bool = True, table: str = WHOLE_DAY_TABLE) -> Table:
    return Table(log, *prepare_reviews(Snapshot(log, clock), same_day=same_day, table=table))


def table(*answers: Answer) -> Table:
    """Return the table of these answers."""
    return table_of(log_of(answers))


def lively(
    cards: int = 100, reviews: int = 5, seed: int = 1, first_ratings: Sequence[int] = (1, 2, 3, 4)
) -> List[Answer]:
    """Draw cards with random later ratings, growing intervals and some same-day reviews.

    The cards have these first ratings in turn. The outlier filter keeps the second interval of a first rating if more
    than 20 of its cards are reviewed on the next day.
    """
    random = np.random.default_rng(seed)
    answers = []
    for number in range(cards):
        steps = [(1, 1 if random.random() < 0.2 else 3)]
        for step in range(1, reviews):
            elapsed = 0 if random.random() < 0.15 else int(random.integers(1, 2 + 3 * step))
            steps.append((elapsed, int(random.choice([1, 2, 3, 4], p=[0.15, 0.15, 0.5, 0.2]))))
        answers += card(number, first_ratings[number % len(first_ratings)], *steps, start=number % 30)
    return answers


def learner(cards: int = 60, reviews: int = 6, seed: int = 1) -> Snapshot:
    """Return a small lively collection, in which all cards are first rated Good."""
    return Snapshot(log_of(lively(cards, reviews, seed, first_ratings=(3,))), CLOCK)


def six_reviews() -> Snapshot:
    """Return the smallest log that can be evaluated. The fourth and sixth of its six scored reviews fail.

    All 20 cards have the same first rating. The outlier filter removes the 14 cards at seven rarer intervals and keeps
    the six cards after one day.
    """
    answers = []
    for number in range(6):
        answers += card(number, 3, (1, 1 if number in {3, 5} else 3), start=number)
    for number in range(14):
        answers += card(100 + number, 3, (2 + number // 2, 3))
    return Snapshot(log_of(answers), CLOCK)
