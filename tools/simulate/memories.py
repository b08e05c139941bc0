"""What people's memories may be like: each says how probable recall is, and how a card's state changes by an answer.

A state is a tuple of columns, the first axis of which is the cards. Where nothing else is said, cards differ by their
memorability, which multiplies the first stability, and whose 0.3rd power multiplies later gains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from tools.simulate import memory as fsrs
from tools.simulate.memory import Floats, Ints, Parameters

if TYPE_CHECKING:
    from tools.simulate.learner import Learner

State = tuple[Floats, ...]

DAYS_PER_YEAR = 365


class Memory(Protocol):
    """One person's memory. Days are counted from the first one of the study; ``elapsed`` is in days, too."""

    def first(self, rating: Ints, memorability: Floats, day: float) -> State:
        """The state after a card's first answer."""

    def after(self, state: State, elapsed: Floats, rating: Ints) -> State:
        """The state after a further answer."""

    def recall(self, state: State, elapsed: Floats) -> Floats:
        """The probability of recall."""


@dataclass(frozen=True)
class Fsrs:
    """The memory of FSRS-6; state: stability, difficulty, memorability. A decay beyond its bounds is allowed."""

    w: Parameters

    def first(self, rating: Ints, memorability: Floats, day: float) -> State:  # noqa: ARG002 - others change with it
        stability, difficulty = fsrs.first(self.w, rating)
        return np.maximum(stability * memorability, fsrs.MIN_STABILITY), difficulty, memorability

    def after(self, state: State, elapsed: Floats, rating: Ints) -> State:
        before, difficulty, memorability = state
        stability, difficulty = fsrs.after(self.w, before, difficulty, elapsed, rating)
        better = (stability > before) & (elapsed >= 1)
        stability = np.where(better, stability * memorability**0.3, stability)
        return np.maximum(stability, fsrs.MIN_STABILITY), difficulty, memorability

    def recall(self, state: State, elapsed: Floats) -> Floats:
        return fsrs.recall(self.w, state[0], elapsed)


@dataclass(frozen=True)
class Changing:
    """The memory of FSRS-6, but time passes faster or slower for it from year to year.

    State: that of :class:`Fsrs`, and the day of the last answer.
    """

    fsrs: Fsrs
    rate: float  #: of the logarithm of the pace, a year

    def first(self, rating: Ints, memorability: Floats, day: float) -> State:
        return (*self.fsrs.first(rating, memorability, day), np.full(len(rating), float(day)))

    def after(self, state: State, elapsed: Floats, rating: Ints) -> State:
        felt = np.where(elapsed < 1, elapsed, np.maximum(self._felt(state, elapsed), 1))
        return (*self.fsrs.after(state[:3], felt, rating), state[3] + elapsed)

    def recall(self, state: State, elapsed: Floats) -> Floats:
        return self.fsrs.recall(state[:3], self._felt(state, elapsed))

    def _felt(self, state: State, elapsed: Floats) -> Floats:
        return np.asarray(elapsed * np.exp(np.clip(self.rate * (state[3] + elapsed) / DAYS_PER_YEAR, -1.5, 1.5)))


@dataclass(frozen=True)
class ActR:
    """Each answer leaves a trace that fades by a power of time, the sooner the more active the memory was then.

    activation = ln(sum of weight * age^-decay), decay = least + by_activation * e^activation; recall = the logistic
    function of (activation + strength) / noise. The strength of a card is that with which recall would be 90 % after
    the first stability that FSRS-6 with parameters w gives it.

    State: ages at the last answer, decays and weights of the newest traces, each (cards, TRACES), strength.
    Reference: Pavlik & Anderson (2005), Practice and forgetting effects on vocabulary memory, Cognitive Science 29:559,
    doi 10.1207/s15516709cog0000_14.
    """

    w: Parameters
    least: float
    by_activation: float
    noise: float

    TRACES = 16
    #: Ages are counted in hundredths of a day; two answers are at least one of these apart.
    PER_DAY = 100
    WEIGHTS = np.array([0.5, 0.8, 1.0, 1.4])

    def first(self, rating: Ints, memorability: Floats, day: float) -> State:  # noqa: ARG002 - others change with it
        stability = np.maximum(fsrs.first(self.w, rating)[0] * memorability, fsrs.MIN_STABILITY)
        weight = self.WEIGHTS[rating - 1]
        strength = self.noise * np.log(9) + self.least * np.log(1 + stability * self.PER_DAY) - np.log(weight)
        ages, decays, weights = (np.zeros((len(rating), self.TRACES)) for _ in range(3))
        decays[:, 0], weights[:, 0] = self.least, weight
        return ages, decays, weights, strength

    def after(self, state: State, elapsed: Floats, rating: Ints) -> State:
        ages, decays, weights, strength = state
        now, then, left = np.zeros_like(ages), np.empty_like(decays), np.empty_like(weights)
        now[:, 1:] = ages[:, :-1] + np.maximum(elapsed * self.PER_DAY, 1)[:, None]
        then[:, 1:], left[:, 1:] = decays[:, :-1], weights[:, :-1]
        then[:, 0] = self.least + self.by_activation * np.exp(np.minimum(self._activation(state, elapsed), 0))
        left[:, 0] = self.WEIGHTS[rating - 1]
        return now, then, left, strength

    def recall(self, state: State, elapsed: Floats) -> Floats:
        return np.asarray(1 / (1 + np.exp(-(self._activation(state, elapsed) + state[3]) / self.noise)))

    def _activation(self, state: State, elapsed: Floats) -> Floats:
        ages, decays, weights, _ = state
        most = int((weights > 0).sum(axis=1).max(initial=1))  # the older columns are empty
        now = 1 + ages[:, :most] + np.maximum(elapsed * self.PER_DAY, 1)[:, None]
        return np.asarray(np.log((weights[:, :most] * now ** -decays[:, :most]).sum(axis=1)))


#: Kinds of memory.
FSRS, POWER, ACT_R, DRIFT = "fsrs", "power", "act-r", "drift"
KINDS = (FSRS, POWER, ACT_R, DRIFT)


def memory_of(learner: Learner) -> Memory:
    """The learner's memory.

    "power" has the curve of FSRS-6 with a decay of 1 to 2, where FSRS-6 allows 0.8 at most; "drift" changes by some
    tenths a year. What else these and "act-r" need is drawn from the learner's seed, by random numbers of its own.
    """
    random = np.random.default_rng(np.random.SeedSequence(learner.seed, spawn_key=(2,)))
    if learner.memory_kind == POWER:
        return Fsrs((*learner.memory[:20], float(np.exp(random.uniform(0, np.log(2))))))
    if learner.memory_kind == ACT_R:
        return ActR(learner.memory, random.uniform(0.15, 0.35), random.uniform(0.2, 0.5), random.uniform(0.2, 0.4))
    if learner.memory_kind == DRIFT:
        return Changing(Fsrs(learner.memory), random.normal(0, 0.4))
    return Fsrs(learner.memory)
