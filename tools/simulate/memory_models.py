"""Kinds of simulated memory, each with a probability of recall and a state of the cards that changes with answers.

A state is a tuple of columns, whose first axis is the cards. Unless stated otherwise, cards differ by their
memorability, a factor of the first stability, whose 0.3rd power is also a factor of later gains.
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

#: State of cards, as columns.
State = tuple[Floats, ...]


class MemoryModel(Protocol):
    """Memory of a learner. Elapsed time is in days."""

    def first_state(self, rating: Ints, memorability: Floats) -> State:
        """Return the state after a card's first answer."""

    def next_state(self, state: State, elapsed: Floats, rating: Ints) -> State:
        """Return the state after a further answer."""

    def recall(self, state: State, elapsed: Floats) -> Floats:
        """Return the probability of recall."""


@dataclass(frozen=True)
class FsrsMemory:
    """Memory that follows FSRS-6, possibly with a decay beyond its bounds.

    The state is stability, difficulty and memorability.
    """

    w: Parameters

    def first_state(self, rating: Ints, memorability: Floats) -> State:
        stability, difficulty = fsrs.first_state(self.w, rating)
        return np.maximum(stability * memorability, fsrs.MIN_STABILITY), difficulty, memorability

    def next_state(self, state: State, elapsed: Floats, rating: Ints) -> State:
        old_stability, difficulty, memorability = state
        stability, difficulty = fsrs.next_state(self.w, old_stability, difficulty, elapsed, rating)
        has_gained = (stability > old_stability) & (elapsed >= 1)
        stability = np.where(has_gained, stability * memorability**0.3, stability)
        return np.maximum(stability, fsrs.MIN_STABILITY), difficulty, memorability

    def recall(self, state: State, elapsed: Floats) -> Floats:
        return fsrs.recall(self.w, state[0], elapsed)


@dataclass(frozen=True)
class ActR:
    """Memory in which each answer leaves a trace that fades by a power of time, faster if the memory was more active.

        activation = ln(sum of weight * (1 + age)^-decay)
        decay = min_decay + by_activation * e^activation
        recall = 1 / (1 + e^(-(activation + strength) / noise))

    A card's strength is such that recall would be 90% after the first stability that FSRS-6 with parameters w gives it.

    The state is the ages at the last answer, the decays and the weights of the newest traces, each of shape
    (cards, TRACES), and the strength.

    Reference: Pavlik & Anderson (2005), Practice and forgetting effects on vocabulary memory, Cognitive Science 29:559,
    doi 10.1207/s15516709cog0000_14.
    """

    w: Parameters
    min_decay: float
    by_activation: float
    noise: float

    #: Maximum number of traces of a card.
    TRACES = 16
    #: Number of units of age in a day. Two answers are at least one unit apart.
    PER_DAY = 100
    #: Weight of a trace by the rating.
    WEIGHTS = np.array([0.5, 0.8, 1.0, 1.4])

    def first_state(self, rating: Ints, memorability: Floats) -> State:
        stability = np.maximum(fsrs.first_state(self.w, rating)[0] * memorability, fsrs.MIN_STABILITY)
        weight = self.WEIGHTS[rating - 1]
        strength = self.noise * np.log(9) + self.min_decay * np.log(1 + stability * self.PER_DAY) - np.log(weight)
        shape = (len(rating), self.TRACES)
        ages = np.zeros(shape)
        decays = np.zeros(shape)
        decays[:, 0] = self.min_decay
        weights = np.zeros(shape)
        weights[:, 0] = weight
        return ages, decays, weights, strength

    def next_state(self, state: State, elapsed: Floats, rating: Ints) -> State:
        ages, decays, weights, strength = state
        decay = self.min_decay + self.by_activation * np.exp(np.minimum(self._activation(state, elapsed), 0))
        current_ages = ages + np.maximum(elapsed * self.PER_DAY, 1)[:, None]
        new_ages = np.column_stack([np.zeros(len(ages)), current_ages[:, :-1]])
        new_decays = np.column_stack([decay, decays[:, :-1]])
        new_weights = np.column_stack([self.WEIGHTS[rating - 1], weights[:, :-1]])
        return new_ages, new_decays, new_weights, strength

    def recall(self, state: State, elapsed: Floats) -> Floats:
        return 1 / (1 + np.exp(-(self._activation(state, elapsed) + state[3]) / self.noise))

    def _activation(self, state: State, elapsed: Floats) -> Floats:
        """Return the activation after the elapsed days."""
        ages, decays, weights, _ = state
        # The columns after these have no traces yet.
        n_used = int((weights > 0).sum(axis=1).max(initial=1))
        bases = 1 + ages[:, :n_used] + np.maximum(elapsed * self.PER_DAY, 1)[:, None]
        return np.asarray(np.log((weights[:, :n_used] * bases ** -decays[:, :n_used]).sum(axis=1)))


@dataclass(frozen=True)
class HalfLife:
    """Memory with a half-life that grows by a factor at each pass, by more if recall was less likely.

    After a pass, the half-life h becomes h (1 + growth * (t / h)^spacing * button). After a lapse, it is the larger of
    keep * h and the first half-life after Again, but never longer than before. With the first half-life, recall is 90%
    after the first stability that FSRS-6 with parameters w gives the card.

    The state is the half-life, the first half-life after Again, and the growth.
    """

    w: Parameters
    growth: float
    spacing: float
    keep: float
    #: Decay of the forgetting curve, which is a power of time. With infinity, it is exponential.
    tail: float
    #: Factor of the half-life after a pass on the same day.
    same_day: float

    #: Factor of the growth by the rating.
    BUTTONS = np.array([0, 0.6, 1.0, 1.8])

    def first_state(self, rating: Ints, memorability: Floats) -> State:
        after_again, after_rating = (
            fsrs.first_state(self.w, r)[0] * memorability / self._age_at_90() for r in (np.ones_like(rating), rating)
        )
        return np.maximum(after_rating, fsrs.MIN_STABILITY), after_again, self.growth * memorability**0.5

    def next_state(self, state: State, elapsed: Floats, rating: Ints) -> State:
        old_half_life, first_after_again, growth = state
        factor = 1 + growth * np.minimum(elapsed / old_half_life, 3.0) ** self.spacing * self.BUTTONS[rating - 1]
        after_pass = old_half_life * np.where(elapsed < 1, self.same_day, factor)
        after_lapse = np.maximum(self.keep * old_half_life, np.minimum(old_half_life, first_after_again))
        half_life = np.where(rating == fsrs.AGAIN, after_lapse, after_pass)
        return np.clip(half_life, fsrs.MIN_STABILITY, fsrs.MAX_STABILITY), first_after_again, growth

    def recall(self, state: State, elapsed: Floats) -> Floats:
        ages = elapsed / state[0]
        if np.isinf(self.tail):
            return 0.5**ages
        return (1 + (2 ** (1 / self.tail) - 1) * ages) ** -self.tail

    def _age_at_90(self) -> float:
        """Return the age, in half-lives, at which the probability of recall is 90%."""
        if np.isinf(self.tail):
            return float(np.log2(1 / 0.9))
        return float((0.9 ** (-1 / self.tail) - 1) / (2 ** (1 / self.tail) - 1))


@dataclass(frozen=True)
class TwoTraces:
    """Memory with a trace that fades by a power of time, and one that fades exponentially.

    The probability of recall is the weighted mean of both. The state is that of ``power``, followed by that of
    ``exponential``.
    """

    power: FsrsMemory
    exponential: HalfLife
    #: Weight of ``power``.
    share: float

    def first_state(self, rating: Ints, memorability: Floats) -> State:
        return self.power.first_state(rating, memorability) + self.exponential.first_state(rating, memorability)

    def next_state(self, state: State, elapsed: Floats, rating: Ints) -> State:
        return self.power.next_state(state[:3], elapsed, rating) + self.exponential.next_state(
            state[3:], elapsed, rating
        )

    def recall(self, state: State, elapsed: Floats) -> Floats:
        power = self.power.recall(state[:3], elapsed)
        exponential = self.exponential.recall(state[3:], elapsed)
        return self.share * power + (1 - self.share) * exponential


@dataclass(frozen=True)
class Dash:
    """Memory whose logit of recall is linear in the logarithms of 1 + the numbers of recent passes and attempts.

    These are counted on five time scales, where a past answer counts exp(-age / scale). A failed attempt
    counts as a part of a pass, because the answer was seen. The logarithm of a card's memorability is added to the
    logit.

    The state is the passes and the attempts, each of shape (cards, scales), and the memorability.

    Reference: DASH[MCM] in Lindsey, Shroyer, Pashler & Mozer (2014), Improving students' long-term knowledge retention
    through personalized review, Psychol. Sci. 25:639, doi 10.1177/0956797613504302.
    """

    bias: float
    #: Coefficient of the passes on each scale, shape (scales,).
    gain: Floats
    #: Coefficient of the attempts that are not passes.
    penalty: float

    #: Time scales in days.
    SCALES = np.array([1.0, 7.0, 30.0, 180.0, 1000.0])
    #: Number of passes that an answer counts as, by the rating.
    PASSES = np.array([0.4, 0.7, 1.0, 1.5])

    def first_state(self, rating: Ints, memorability: Floats) -> State:
        ones = np.ones((len(rating), len(self.SCALES)))
        return self.PASSES[rating - 1, None] * ones, ones, memorability

    def next_state(self, state: State, elapsed: Floats, rating: Ints) -> State:
        passes, attempts = self._decayed_counts(state, elapsed)
        return passes + self.PASSES[rating - 1, None], attempts + 1, state[2]

    def recall(self, state: State, elapsed: Floats) -> Floats:
        passes, attempts = map(np.log1p, self._decayed_counts(state, elapsed))
        logit = self.bias + np.log(state[2]) + (passes @ self.gain) - self.penalty * (attempts - passes).sum(axis=1)
        return np.asarray(1 / (1 + np.exp(-logit)))

    def _decayed_counts(self, state: State, elapsed: Floats) -> tuple[Floats, Floats]:
        """Return the passes and the attempts on each scale, after the elapsed days."""
        decay = np.exp(-elapsed[:, None] / self.SCALES)
        return state[0] * decay, state[1] * decay


def recall_with_habits(memory: MemoryModel, habits: Habits, state: State, elapsed: Floats) -> Floats:
    """Return the probability of recall if forgotten cards may be guessed, and weak cards are forgotten within a day."""
    probability = memory.recall(state, elapsed)
    if habits.forgets:
        weakness = np.sqrt(1 - memory.recall(state, np.ones_like(elapsed)))
        share = habits.forgets * elapsed / (elapsed + habits.forgets_after / SECONDS_PER_DAY)
        probability = probability * (1 - np.where(elapsed < 1, share * weakness, 0))
    return habits.guesses + (1 - habits.guesses) * probability


FSRS = "fsrs"
POWER = "power"
ACT_R = "act-r"
HALF_LIFE = "half-life"
TWO_TRACES = "two-traces"
DASH = "dash"
#: Kinds of memory.
KINDS = (FSRS, POWER, ACT_R, HALF_LIFE, TWO_TRACES, DASH)


def memory_of(learner: Learner) -> MemoryModel:
    """Return the memory of the learner's kind. Further parameters that it needs are drawn by the learner's seed.

    The kind "power" is FSRS-6 with a decay from 1 to 2, where FSRS-6 allows at most 0.8.
    """
    random = np.random.default_rng(np.random.SeedSequence(learner.seed, spawn_key=(2,)))
    if learner.memory_kind == POWER:
        return FsrsMemory((*learner.memory[:20], float(np.exp(random.uniform(0, np.log(2))))))
    if learner.memory_kind == ACT_R:
        return ActR(learner.memory, random.uniform(0.15, 0.35), random.uniform(0.2, 0.5), random.uniform(0.2, 0.4))
    if learner.memory_kind == HALF_LIFE:
        tail = float(random.choice([np.inf, random.uniform(0.1, 1.0)]))
        growth = float(np.exp(random.normal(0.5, 0.8)))
        spacing = random.uniform(0, 1)
        return HalfLife(learner.memory, growth, spacing, random.uniform(0, 0.5), tail, np.exp(random.uniform(0, 0.5)))
    if learner.memory_kind == TWO_TRACES:
        growth = float(np.exp(random.normal(0.5, 0.5)))
        keep = random.uniform(0.1, 0.5)
        same_day = random.uniform(1, 1.4)
        exponential = HalfLife(learner.memory, growth, 0.5, keep, np.inf, same_day)
        return TwoTraces(FsrsMemory(learner.memory), exponential, random.uniform(0.3, 0.7))
    if learner.memory_kind == DASH:
        gain = 0.9 * np.exp(random.normal(0, 0.25, len(Dash.SCALES)))
        return Dash(random.uniform(-2.5, -0.5), gain, random.uniform(0.1, 0.5))
    return FsrsMemory(learner.memory)
