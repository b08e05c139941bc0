"""The year ahead by the true memory of a simulated person: what FSRS would really ask, beside SM-2."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import log

import numpy as np

from evaluator.algorithms.algorithm import Parametric
from evaluator.algorithms.fsrs6 import FSRS_6
from evaluator.histories import Numbers
from evaluator.workload.estimate import DESIRED, PUBLISHED_W, Ahead
from evaluator.workload.memories import RecurrentMemory, State
from evaluator.workload.year import Start, Totals
from tools.simulate.learner import Learner
from tools.simulate.memories import Changing, Memory
from tools.simulate.memory import Floats, Ints
from tools.simulate.trace import Simulation

#: The year is simulated so many times.
REPEATS = 25


class TrueMemory:
    """A simulated person's memory in the form that a simulated year asks for."""

    def __init__(self, memory: Memory, spread: float, slips: float, seed: int) -> None:
        """``spread`` is that of the new cards' memorability, ``slips`` the share of what is known that is answered with
        Again.
        """
        self._memory, self._spread, self._slips = memory, spread, slips
        self._random = np.random.default_rng(seed)
        self._day = 0.0  # the last one on which anything was asked, of a memory that changes

    @property
    def algorithm(self) -> Parametric:
        """FSRS-6 sees what these memories do: whole days, and answers on the same day."""
        return FSRS_6

    def first(self, draw: Ints, rating: Ints) -> State:
        memorability = np.exp(self._random.normal(0, self._spread, len(draw)))
        return self._memory.first(rating, memorability, self._day)

    def step(self, draw: Ints, state: State, elapsed: Numbers, rating: Ints) -> State:  # noqa: ARG002 - all draws are alike
        return self._memory.after(state, np.asarray(elapsed, dtype=float), rating)

    def recall(self, draw: Ints, state: State, elapsed: Numbers) -> Floats:  # noqa: ARG002 - likewise
        since = np.asarray(elapsed, dtype=float)
        if isinstance(self._memory, Changing):
            self._day = float((state[-1] + since).max(initial=self._day))
        return self._memory.recall(state, since) * (1 - self._slips)


@dataclass(frozen=True)
class Year:
    """The expected year under one scheduler."""

    reviews: float
    seconds: float
    known: float

    @classmethod
    def of(cls, totals: Totals) -> Year:
        return cls(*(float(column.mean()) for column in (totals.reviews, totals.seconds, totals.known)))


class Truth:
    """The years of one person under SM-2 and under FSRS-6 with some parameters, each simulated when it is asked for."""

    def __init__(self, learner: Learner, simulation: Simulation, ahead: Ahead, repeats: int = REPEATS) -> None:
        self._learner, self._memory, self._ahead, self._repeats = learner, simulation.memory, ahead, repeats
        study = ahead.study
        place = np.searchsorted(simulation.cards.card_id, study.rows.card_id[study.start[ahead.card]])
        self._state = tuple(self._with_new(column[place]) for column in simulation.state)

    def _with_new(self, column: Floats) -> Floats:
        """Columns of all repeats, with room for new cards."""
        room = np.ones((self._ahead.new, *column.shape[1:]))
        return np.concatenate([np.concatenate([column, room])] * self._repeats)

    @cached_property
    def _start(self) -> Start:
        units = self._repeats * self._ahead.cards
        published = RecurrentMemory(FSRS_6, np.repeat(PUBLISHED_W[:, None], self._repeats, axis=1))
        return replace(self._ahead.start(published, self._repeats, np.ones(units)), memory=self._state)

    def _year(self, w: Floats | None, desired_retention: float) -> Year:
        ahead = self._ahead
        habits = self._learner.habits
        memory = TrueMemory(self._memory, self._learner.spread, habits.slips, ahead.seed)
        desired = np.array([desired_retention])
        scheduler = ahead.sm2() if w is None else ahead.fsrs(w[:, None], desired, self._repeats)
        return Year.of(ahead.run(memory, self._start, scheduler, self._repeats))

    @cached_property
    def sm2(self) -> Year:
        """The year under SM-2."""
        return self._year(None, 0.0)

    def fsrs(self, w: Floats) -> Curve:
        """The years under FSRS-6 with parameters w."""
        return Curve(lambda place: self._year(w, DESIRED[place]))


class Curve:
    """Years by desired retention, those of :data:`evaluator.workload.estimate.DESIRED`, simulated when needed."""

    def __init__(self, year: Callable[[int], Year]) -> None:
        self._year, self._years = year, dict[int, Year]()

    def at(self, place: int) -> Year:
        """The year of one desired retention."""
        if place not in self._years:
            self._years[place] = self._year(place)
        return self._years[place]

    def where(self, name: str, value: float) -> tuple[int, float] | None:
        """The place before which the column of that name reaches a value, and how far on the way to the next it does.

        None where none of them does. It is taken to rise with the desired retention.
        """
        low, high = -1, len(DESIRED)
        while high - low > 1:
            middle = (low + high + 1) // 2
            if getattr(self.at(middle), name) <= value:
                low = middle
            else:
                high = middle
        if low < 0 or high == len(DESIRED):
            return None
        before, after = (getattr(self.at(place), name) for place in (low, high))
        return low, (value - before) / (after - before)

    def read_off(self, name: str, where: tuple[int, float] | None) -> float | None:
        """The logarithm of the column of that name there; between two places it is a straight line."""
        if where is None:
            return None
        low, way = where
        before, after = (log(getattr(self.at(place), name)) for place in (low, low + 1))
        return before + way * (after - before)


def ratios(sm2: Year, curve: Curve) -> dict[str, float | None]:
    """Logarithms of FSRS / SM-2: reviews and minutes at equal knowledge, knowledge at equal minutes."""
    equal_knowledge, equal_work = curve.where("known", sm2.known), curve.where("seconds", sm2.seconds)
    found = {
        "reviews": (curve.read_off("reviews", equal_knowledge), sm2.reviews),
        "minutes": (curve.read_off("seconds", equal_knowledge), sm2.seconds),
        "known": (curve.read_off("known", equal_work), sm2.known),
    }
    return {name: None if value is None else value - log(than) for name, (value, than) in found.items()}
