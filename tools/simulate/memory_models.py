"""Kinds of memory: each gives the probability of recall, and the change of a card's state after an answer.

A state is a tuple of columns; their first axis is the cards. Unless stated otherwise, cards differ by their
memorability, which multiplies the first stability, and whose 0.3rd power multiplies later gains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from evaluator.data.revlog import SECONDS_PER_DAY
from tools.simulate import memory as fsrs
from tools.simulate.memory import Floats, Ints, Parameters

if TYPE_CHECKING:
    from tools.simulate.learner import Habits, Learner

State = tuple[Floats, ...]


class MemoryModel(Protocol):
    """One person's memory. Elapsed time is in days."""

    def first(self, rating: Ints, memorability: Floats) -> State:
        """Return the state after a card's first answer."""

    def after(self, state: State, elapsed: Floats, rating: Ints) -> State:
        """Return the state after a further answer."""

    def recall(self, state: State, elapsed: Floats) -> Floats:
        """Return the probability of recall."""


@dataclass(frozen=True)
class FsrsMemory:
    """The memory of FSRS-6, also with a decay beyond its bounds. State: stability, difficulty, memorability."""

    w: Parameters

    def first(self, rating: Ints, memorability: Floats) -> State:
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
class ActR:
    """Each answer leaves a trace that fades by a power of time, faster if the memory was more active.

    activation = ln(sum of weight * age^-decay), decay = least + by_activation * e^activation; recall = the logistic
    function of (activation + strength) / noise. The strength of a card is that with which recall would be 90% after
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

    def first(self, rating: Ints, memorability: Floats) -> State:
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


@dataclass(frozen=True)
class HalfLife:
    """Half-lives that grow by a factor, more if recall was at risk, with exponential forgetting or a power tail.

    h' = h (1 + growth * (t / h)^spacing * button) after a pass. After a lapse it is the larger of keep * h and the
    first half-life after Again, but never longer than before. With the first half-life, recall is 90% after the first
    stability that FSRS-6 with parameters w gives the card.

    State: half-life, that after Again on the new card, growth.
    """

    w: Parameters
    growth: float
    spacing: float
    keep: float
    tail: float  #: decay of the power; infinity: exponential forgetting
    same_day: float  #: factor of a pass on the same day

    BUTTONS = np.array([0, 0.6, 1.0, 1.8])

    def first(self, rating: Ints, memorability: Floats) -> State:
        again, now = (fsrs.first(self.w, r)[0] * memorability / self._age(0.9) for r in (np.ones_like(rating), rating))
        return np.maximum(now, fsrs.MIN_STABILITY), again, self.growth * memorability**0.5

    def after(self, state: State, elapsed: Floats, rating: Ints) -> State:
        before, again, growth = state
        grown = 1 + growth * np.minimum(elapsed / before, 3.0) ** self.spacing * self.BUTTONS[rating - 1]
        passed = before * np.where(elapsed < 1, self.same_day, grown)
        lapsed = np.maximum(self.keep * before, np.minimum(before, again))
        half_life = np.where(rating == fsrs.AGAIN, lapsed, passed)
        return np.clip(half_life, fsrs.MIN_STABILITY, fsrs.MAX_STABILITY), again, growth

    def recall(self, state: State, elapsed: Floats) -> Floats:
        ages = elapsed / state[0]
        if np.isinf(self.tail):
            return np.asarray(0.5**ages)
        return np.asarray((1 + (2 ** (1 / self.tail) - 1) * ages) ** -self.tail)

    def _age(self, chance: float) -> float:
        """Return the age at a given recall, in half-lives."""
        if np.isinf(self.tail):
            return float(np.log2(1 / chance))
        return float((chance ** (-1 / self.tail) - 1) / (2 ** (1 / self.tail) - 1))


@dataclass(frozen=True)
class TwoTraces:
    """A trace that fades by a power and one that fades exponentially. Recall is their weighted mean.

    State: that of the one, then that of the other.
    """

    power: FsrsMemory
    exponential: HalfLife
    share: float  #: weight of the power

    def first(self, rating: Ints, memorability: Floats) -> State:
        return self.power.first(rating, memorability) + self.exponential.first(rating, memorability)

    def after(self, state: State, elapsed: Floats, rating: Ints) -> State:
        return self.power.after(state[:3], elapsed, rating) + self.exponential.after(state[3:], elapsed, rating)

    def recall(self, state: State, elapsed: Floats) -> Floats:
        power, exponential = self.power.recall(state[:3], elapsed), self.exponential.recall(state[3:], elapsed)
        return np.asarray(self.share * power + (1 - self.share) * exponential)


@dataclass(frozen=True)
class Dash:
    """Logit of recall: linear in the logarithms of 1 + the numbers of recent passes, and of recent attempts.

    "Recent" on five scales of time, on each of which a past answer counts less by exp(-age / scale). A failed attempt
    counts as a part of a pass, because the answer was seen. The logarithm of a card's memorability adds to the logit.

    State: passes and attempts, both (cards, scales), memorability. Reference: Lindsey, Shroyer, Pashler & Mozer (2014),
    Improving students' long-term knowledge retention through personalized review, Psychol. Sci. 25:639, doi
    10.1177/0956797613504302 (their DASH[MCM]).
    """

    bias: float
    gain: Floats  #: (scales,), of a pass
    penalty: float  #: of an attempt that is no pass

    SCALES = np.array([1.0, 7.0, 30.0, 180.0, 1000.0])  #: days
    PASSES = np.array([0.4, 0.7, 1.0, 1.5])

    def first(self, rating: Ints, memorability: Floats) -> State:
        ones = np.ones((len(rating), len(self.SCALES)))
        return self.PASSES[rating - 1, None] * ones, ones, memorability

    def after(self, state: State, elapsed: Floats, rating: Ints) -> State:
        passes, attempts = self._left(state, elapsed)
        return passes + self.PASSES[rating - 1, None], attempts + 1, state[2]

    def recall(self, state: State, elapsed: Floats) -> Floats:
        passes, attempts = map(np.log1p, self._left(state, elapsed))
        logit = self.bias + np.log(state[2]) + (passes @ self.gain) - self.penalty * (attempts - passes).sum(axis=1)
        return np.asarray(1 / (1 + np.exp(-logit)))

    def _left(self, state: State, elapsed: Floats) -> tuple[Floats, Floats]:
        left = np.exp(-elapsed[:, None] / self.SCALES)
        return state[0] * left, state[1] * left


@dataclass(frozen=True)
class Answered:
    """A memory as seen in answers: forgotten cards may be guessed, weak ones are forgotten within the day."""

    memory: MemoryModel
    habits: Habits

    def first(self, rating: Ints, memorability: Floats) -> State:
        return self.memory.first(rating, memorability)

    def after(self, state: State, elapsed: Floats, rating: Ints) -> State:
        return self.memory.after(state, elapsed, rating)

    def recall(self, state: State, elapsed: Floats) -> Floats:
        habits, chance = self.habits, self.memory.recall(state, elapsed)
        weak = np.sqrt(1 - self.memory.recall(state, np.ones_like(elapsed)))
        share = habits.forgets * elapsed / (elapsed + habits.forgets_after / SECONDS_PER_DAY)
        chance = chance * (1 - np.where(elapsed < 1, share * weak, 0))
        return np.asarray(habits.guesses + (1 - habits.guesses) * chance)


#: Kinds of memory.
FSRS, POWER, ACT_R, HALF_LIFE, TWO_TRACES, DASH = "fsrs", "power", "act-r", "half-life", "two-traces", "dash"
KINDS = (FSRS, POWER, ACT_R, HALF_LIFE, TWO_TRACES, DASH)


def memory_of(learner: Learner) -> MemoryModel:
    """Return the learner's memory, with their answering habits."""
    memory, habits = _own_memory(learner), learner.habits
    return Answered(memory, habits) if habits.guesses or habits.forgets else memory


def _own_memory(learner: Learner) -> MemoryModel:
    """Return the memory alone.

    "power" has the curve of FSRS-6 with a decay of 1 to 2, where FSRS-6 allows 0.8 at most. What else a memory needs is
    drawn from the learner's seed, by random numbers of its own.
    """
    random = np.random.default_rng(np.random.SeedSequence(learner.seed, spawn_key=(2,)))
    if learner.memory_kind == POWER:
        return FsrsMemory((*learner.memory[:20], float(np.exp(random.uniform(0, np.log(2))))))
    if learner.memory_kind == ACT_R:
        return ActR(learner.memory, random.uniform(0.15, 0.35), random.uniform(0.2, 0.5), random.uniform(0.2, 0.4))
    if learner.memory_kind == HALF_LIFE:
        tail = float(random.choice([np.inf, random.uniform(0.1, 1.0)]))
        growth, spacing = float(np.exp(random.normal(0.5, 0.8))), random.uniform(0, 1)
        return HalfLife(learner.memory, growth, spacing, random.uniform(0, 0.5), tail, np.exp(random.uniform(0, 0.5)))
    if learner.memory_kind == TWO_TRACES:
        growth, keep, same_day = (
            float(np.exp(random.normal(0.5, 0.5))),
            random.uniform(0.1, 0.5),
            random.uniform(1, 1.4),
        )
        exponential = HalfLife(learner.memory, growth, 0.5, keep, np.inf, same_day)
        return TwoTraces(FsrsMemory(learner.memory), exponential, random.uniform(0.3, 0.7))
    if learner.memory_kind == DASH:
        gain = 0.9 * np.exp(random.normal(0, 0.25, len(Dash.SCALES)))
        return Dash(random.uniform(-2.5, -0.5), gain, random.uniform(0.1, 0.5))
    return FsrsMemory(learner.memory)
