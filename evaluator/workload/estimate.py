"""The year ahead under each scheduler, by one memory: what it asks, what is remembered, and how they compare."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import Callable, List, Optional, Sequence, Union

import numpy as np

from ..algorithms.fsrs6 import FSRS_6
from ..derivatives import Floats
from ..interval import OUT_OF_REACH, Interval
from ..progress import SILENT, Progress
from ..revlog import Ints
from ..statistics.student_t import student_t_quantile
from .in_use import InUse, eases
from .memories import Memory, RecurrentMemory, State, replay
from .person import Study
from .result import SM_2, Load
from .schedulers import Fsrs, Scheduler, Sm2
from .year import COUNTED_FROM, Habits, Start, Totals, simulate

#: Desired retentions of the curve. The first is not shown: it is for who has it lower than the others with SM-2.
DESIRED = (0.60, 0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 0.97)
SHOWN = slice(1, None)
HORIZON = 365
#: Draws of a memory's parameters; more runs at the fitted ones say how much is chance.
DRAWS, REPEATS = 30, 6
T = student_t_quantile(0.975, DRAWS - 1)
#: With fewer draws that reach the other scheduler's knowledge nothing is compared.
LEAST_DRAWS = 24
NOTHING = np.zeros(1)
PUBLISHED_W = np.array([p.default for p in FSRS_6.parameters])


@dataclass(frozen=True)
class Ahead:
    """The cards and habits with which the year begins, the same for all memories and schedulers."""

    study: Study
    in_use: InUse
    card: Ints  #: the cards of the log that are simulated, as numbers of the study
    new: int  #: how many new cards besides, spread over the year
    share: float  #: of all cards that are alive or new, those that are simulated
    habits: Habits
    most_a_day: Optional[Ints]  #: later-day reviews on each studied day; None: all that are due
    today: int
    longest: int  #: interval that FSRS gives
    seed: int

    def with_fewer(self, most: int, random: np.random.Generator) -> Ahead:
        """The same with about so many cards at most, drawn from these: at least one that was answered."""
        share = min(1.0, most / max(self.cards, 1))
        card = np.sort(random.choice(self.card, max(1, round(share * len(self.card))), replace=False))
        a_day = self.most_a_day
        if a_day is not None:
            a_day = np.diff(np.round(np.cumsum(a_day) * share), prepend=0).astype(np.int64)
        return replace(self, card=card, new=round(share * self.new), share=self.share * share, most_a_day=a_day)

    @property
    def cards(self) -> int:
        """How many are simulated."""
        return len(self.card) + self.new

    def numbers(self) -> Ints:
        """The number of each simulated card in the study; -1 of new ones."""
        return np.concatenate([self.card, np.full(self.new, -1)])

    def start(self, memory: Memory, draws: int, pace: Floats) -> Start:
        """Where the year begins, with what the memory says of the cards by each of its draws."""
        study, size = self.study, self.study.size[self.card]
        row = study.start[self.card] + size - 1
        interval = np.concatenate([study.given(row), np.zeros(self.new, dtype=np.int64)])
        last = np.concatenate([study.rows.day[row] - self.today - 1, np.zeros(self.new, dtype=np.int64)])
        due = last + interval
        due[len(self.card) :] = (np.arange(self.new) + 0.5) / max(self.new, 1) * HORIZON
        many = len(self.card)
        units = np.tile(np.arange(many), draws)
        state = replay(memory, study.first_rows(self.card, size), units, np.repeat(np.arange(draws), many))
        return Start(due, self.numbers() < 0, last, interval, self._with_new(state, draws), pace)

    def _with_new(self, state: State, draws: int) -> State:
        """Columns (draws * cards of the log, ...) with room for the new cards: (draws * cards, ...)."""
        found = []
        for column in state:
            of_draw = column.reshape(draws, len(self.card), *column.shape[1:])
            room = np.ones((draws, self.new, *column.shape[1:]), dtype=column.dtype)
            found.append(np.concatenate([of_draw, room], axis=1).reshape(draws * self.cards, *column.shape[1:]))
        return tuple(found)

    def sm2(self) -> Scheduler:
        """SM-2 with the settings of the presets; of a card whose ease is not known it is the starting one."""
        study, settings = self.study, self.in_use.sm2
        starting = np.array([one.starting_ease for one in settings])
        preset = np.concatenate([self.in_use.preset[self.card], np.full(self.new, self.in_use.most_used)])
        row = study.start[self.card] + study.size[self.card] - 1
        ease = np.concatenate([eases(study, row, starting[preset[: len(row)]]), 1000 * starting[preset[len(row) :]]])
        return Sm2(settings, preset, ease.astype(np.int64))

    def fsrs(self, w: Floats, desired_retention: Floats, draws: int) -> Scheduler:
        """FSRS-6 at these desired retentions (variants,), with parameters w (P, draws), or (P, 1) for all draws."""
        own, variants = w.shape[1], len(desired_retention)
        rows = self.study.first_rows(self.card, self.study.size[self.card])
        units = np.tile(np.arange(len(self.card)), own)
        believed = replay(RecurrentMemory(FSRS_6, w), rows, units, np.repeat(np.arange(own), len(self.card)))
        state = (column.reshape(own, self.cards) for column in self._with_new(believed, own))
        return Fsrs(
            w if own == 1 else np.tile(w, variants),
            np.repeat(desired_retention, draws),
            tuple(np.tile(column, (variants * draws // own, 1)) for column in state),
            self.longest,
        )

    def run(
        self,
        memory: Memory,
        start: Start,
        scheduler: Scheduler,
        draws: int,
        variants: int = 1,
        seen: Callable[[Ints, Ints, Floats], object] = lambda *_: None,
        progress: Progress = SILENT,
    ) -> Totals:
        """The year under one scheduler."""
        return simulate(
            memory,
            scheduler,
            start,
            self.habits,
            HORIZON,
            draws=draws,
            variants=variants,
            seed=self.seed,
            most_a_day=self.most_a_day,
            seen=seen,
            progress=progress,
        )


@dataclass(frozen=True)
class Ratios:
    """Natural logarithms of FSRS / SM-2, one for each draw; NaN where the curve does not get there."""

    reviews: Floats  #: at equal knowledge
    seconds: Floats  #: likewise
    known: Floats  #: at equal seconds
    desired: Floats  #: desired retention of equal knowledge; not a logarithm
    desired_at_equal_work: Floats
    at_the_end: Floats  #: of the cards remembered on the last day, at equal knowledge over the year


def ratios(sm2: Totals, fsrs: Totals, desired_retention: Union[Floats, Sequence[float]] = DESIRED) -> Ratios:
    """Compare SM-2 (1, draws) with FSRS's curve (variants, draws) over these desired retentions (variants,)."""
    desired = np.repeat(np.array(desired_retention)[:, None], fsrs.known.shape[1], axis=1)
    known, seconds = sm2.known[0], sm2.seconds[0]
    with np.errstate(divide="ignore", invalid="ignore"):  # nothing took any time: there is no such ratio
        return Ratios(
            read_off(fsrs.known, np.log(fsrs.reviews), known) - np.log(sm2.reviews[0]),
            read_off(fsrs.known, np.log(fsrs.seconds), known) - np.log(seconds),
            read_off(fsrs.seconds, np.log(fsrs.known), seconds) - np.log(known),
            read_off(fsrs.known, desired, known),
            read_off(fsrs.seconds, desired, seconds),
            read_off(fsrs.known, np.log(fsrs.known_at_the_end), known) - np.log(sm2.known_at_the_end[0]),
        )


def at_most(sm2: Totals, fsrs: Totals) -> Ratios:
    """Compare where each day's reviews are limited: at the desired retention with which most is known.

    Of those are only looked at that ask for no more time than SM-2, all draws together, but for a hundredth.
    """
    none = np.full(fsrs.known.shape[1], np.nan)
    affordable = fsrs.seconds.mean(axis=1) <= 1.01 * sm2.seconds.mean()
    if not affordable.any():
        return Ratios(none, none, none, none, none, none)
    best = int(np.argmax(np.where(affordable, fsrs.known.mean(axis=1), -np.inf)))
    desired = np.full(fsrs.known.shape[1], DESIRED[best])
    return Ratios(none, none, np.log(fsrs.known[best] / sm2.known[0]), none, desired, none)


def read_off(x: Floats, y: Floats, at: Floats) -> Floats:
    """For each draw y where x is ``at``, on the part of the curve from the lowest x on; x, y (variants, draws)."""
    found = np.full(len(at), np.nan)
    for draw in range(len(at)):
        lowest = int(np.argmin(x[:, draw]))
        rising = np.maximum.accumulate(x[lowest:, draw])
        keep = lowest + np.flatnonzero(np.diff(rising, prepend=-np.inf) > 0)
        if x[keep[0], draw] <= at[draw] <= x[keep[-1], draw]:
            found[draw] = np.interp(at[draw], x[keep, draw], y[keep, draw])
    return found


def with_interval(values: Floats, off: Floats = NOTHING) -> Interval:
    """The mean of the draws, less that of ``off``, with its 95 % interval; values (DRAWS + REPEATS,), the repeats last.

    mean +- t(29) sd sqrt(1 + 1 / 30); the variance of the repeats, which is chance alone, is taken off the draws' one,
    and what is left is not less than that of chance. To it comes the variance of the mean of ``off``.
    """
    of_draws, of_chance = values[:DRAWS], values[DRAWS:]
    of_draws, of_chance = of_draws[np.isfinite(of_draws)], of_chance[np.isfinite(of_chance)]
    if len(of_draws) < LEAST_DRAWS or len(of_chance) < 2:
        return Interval(None, reason=OUT_OF_REACH)
    chance = float(np.var(of_chance, ddof=1))
    sd = sqrt(max(float(np.var(of_draws, ddof=1)) - chance, chance) + float(np.var(off)) / max(len(off) - 1, 1))
    mean, reach = float(of_draws.mean() - off.mean()), T * sd * sqrt(1 + 1 / len(of_draws))
    return Interval(mean, mean - reach, mean + reach, sd)


def loads(ahead: Ahead, scheduler: str, totals: Totals, tried: Floats) -> List[Load]:
    """A year under a scheduler, for each of its variants; ``tried`` (variants,)."""
    found = []
    days = HORIZON - COUNTED_FROM
    for number in range(len(totals.known)):
        reviews, seconds, known = (
            of[number] / ahead.share for of in (totals.reviews / days, totals.seconds / days / 60, totals.known)
        )
        found.append(
            Load(
                scheduler,
                None if scheduler == SM_2 else DESIRED[number],
                with_interval(reviews),
                with_interval(seconds),
                with_interval(known),
                with_interval(totals.remembered[number] / np.maximum(totals.reviews[number], 1)),
                float(tried[number]),
            )
        )
    return found
