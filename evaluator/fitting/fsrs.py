"""FSRS-5 and FSRS-6 on a trie, derived by hand: what :mod:`evaluator.fitting.recurrence` does, several times as fast.

Three things save time. Difficulty depends on ratings alone, so it goes through the trie first and by itself. Stability
then takes, at each node, only the branch of the formula that the last review asks for: one on a later day that was
passed or that was not, or one on the same day; derivatives are taken for all nodes of a branch in one sweep. And
backwards only one number per node and state is carried from level to level; the sums for the parameters follow from
these in one go.

FSRS-5 is FSRS-6 with w19 = 0, w20 = 0.5 and same-day gains that may be losses, too. The formulas are those of
:mod:`evaluator.algorithms.fsrs5` and :mod:`evaluator.algorithms.fsrs6`, which stay the statement of what is right; the
tests hold both ways against each other. Symbols: S and D before a step, S' and D' after it, R the recall at it,
x = F t / S. N nodes, M places, n nodes of a branch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, List, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ..algorithms.fsrs5 import FSRS5
from ..algorithms.fsrs6 import FSRS6
from ..algorithms.fsrs_state import MAX_STABILITY
from ..derivatives import Floats
from ..histories import Trie
from ..revlog import Ints
from .replay import Linearisation, Replay, Workspace

PARAMETERS = 21

#: Elements whose derivatives are taken in one sweep: what stays in a processor's cache, and is too little for BLAS to
#: start threads, which would cost more than they save.
CHUNK = 8_192

LEAST_DIFFICULTY, MOST_DIFFICULTY = 1.0, 10.0
LOG_90 = float(np.log(0.9))

Bools = npt.NDArray[np.bool_]
#: Derivatives at n nodes: pairs (p, derivative by parameter p at each node).
ByParameter = List[Tuple[int, Floats]]


def is_plain_fsrs(algorithm: FSRS5) -> bool:
    """Whether the algorithm's formulas are those of FSRS-5 or FSRS-6, and no subclass has replaced one of them."""
    formulas = ("first", "step", "recall", "_same_day", "_first_difficulty", "_clamp")
    return any(
        len(algorithm.parameters) == len(plain.parameters)
        and all(getattr(type(algorithm), f) is getattr(plain, f) for f in formulas)
        for plain in (FSRS5, FSRS6)
    )


def chunks(start: int, stop: int) -> Iterator[slice]:
    """Split the elements from start to stop into slices that fit into a processor's cache."""
    for begin in range(start, stop, CHUNK):
        yield slice(begin, min(begin + CHUNK, stop))


class _Parameters:
    """The parameters as those of FSRS-6, and what follows from them alone. Arrays of five are indexed by rating."""

    def __init__(self, algorithm: FSRS5, own: Floats) -> None:
        self.count = len(own)  #: as the algorithm has them
        is_6 = self.count == PARAMETERS
        self.w = w = [float(value) for value in own] + ([] if is_6 else [0.0, 0.5])
        self.least_gain = 1.0 if is_6 else 0.0  #: of a same-day review that was not Again
        self.least_stability = algorithm.min_stability
        self.factor = float(np.exp(LOG_90 / -w[20]) - 1)
        self.factor_slope = (self.factor + 1) * LOG_90 / w[20] ** 2 / self.factor  #: (d F / d w20) / F
        self.gain = float(np.exp(w[8]))  #: of a review on a later day that was passed, ...
        self.bonus = np.array([1.0, 1.0, w[15], 1.0, w[16]])  #: ... times that of its rating
        rating = np.arange(5)
        self.first_stability = np.array([1.0, *w[:4]])
        self.first_difficulty = w[4] - np.exp(w[5] * (rating - 1)) + 1
        self.target = float(self.first_difficulty[4])
        change = w[6] * (rating - 3) / 9
        self.keep = (1 - w[7]) * (1 + change)  #: D' = keep D + add
        self.add = w[7] * self.target - (1 - w[7]) * 10 * change


class _Difficulty:
    """The difficulties on a trie, which depend on the ratings alone."""

    def __init__(self, trie: Trie, room: Workspace) -> None:
        self.trie = trie
        self.levels = list(trie.levels())
        self.roots = self.levels[0].stop if self.levels else 0
        self.value, self.raw, self.keep = (room.empty(trie.nodes) for _ in range(3))

    def forward(self, p: _Parameters) -> None:
        """Fill in the difficulty after each node's last review."""
        trie, value, raw = self.trie, self.value, self.raw
        keep = p.keep.take(trie.rating, out=self.keep, mode="clip")
        raw[: self.roots] = p.first_difficulty[trie.rating[: self.roots]]
        for number, here in enumerate(self.levels):
            if number:
                np.multiply(value[trie.parent[here]], keep[here], out=raw[here])
                raw[here] += p.add.take(trie.rating[here])
            np.maximum(raw[here], LEAST_DIFFICULTY, out=value[here])
            np.minimum(value[here], MOST_DIFFICULTY, out=value[here])

    def slopes(self, p: _Parameters) -> Floats:
        """d D' / d D at each node, (N,)."""
        self.free = self.raw == self.value  # not clamped
        slopes = np.take(p.keep, self.trie.rating, out=self.keep, mode="clip")
        slopes *= self.free
        return slopes

    def backward(self, p: _Parameters, to: Floats) -> Floats:
        """The gradient (21,) from ``to`` (N,): d L / d difficulty at each node, later difficulties left aside."""
        trie, slopes, gradient = self.trie, self.slopes(p), np.zeros(PARAMETERS)
        for here in reversed(self.levels[1:]):
            np.add.at(to, trie.parent[here], to[here] * slopes[here])
        for here in chunks(0, self.roots):
            own = to[here] * self.free[here]
            for index, first in self.first_by_parameter(p, here):
                gradient[index] += (own * first).sum()
        for here in chunks(self.roots, trie.nodes):
            own = to[here] * self.free[here]
            for index, later in self.by_parameter(p, here):
                gradient[index] += (own * later).sum()
        return gradient

    def first_by_parameter(self, p: _Parameters, here: slice) -> ByParameter:
        """d D' / d w of nodes on the first level, as if D' were not clamped."""
        steps = self.trie.rating[here] - 1.0
        return [(4, np.ones(1)), (5, -steps * np.exp(p.w[5] * steps))]

    def by_parameter(self, p: _Parameters, here: slice) -> ByParameter:
        """d D' / d w of nodes on later levels for fixed D, as if D' were not clamped."""
        w, before = p.w, self.value[self.trie.parent[here]]
        change = (10 - before) * (self.trie.rating[here] - 3.0)
        constants = np.array([[w[7]], [-3 * np.exp(3 * w[5]) * w[7]]])
        return [
            (4, constants[0]),
            (5, constants[1]),
            (6, (w[7] - 1) / 9 * change),
            (7, w[6] / 9 * change - (before - p.target)),
        ]


class _Recall:
    """R = (1 + x)^-w20 at n elements, with its slopes."""

    def __init__(self, elapsed: npt.NDArray[np.generic], room: Workspace) -> None:
        self.elapsed = elapsed
        self.scaled, self.log, self.r = (room.empty(len(elapsed)) for _ in range(3))

    def begin(self, p: _Parameters) -> None:
        """Take the parameters, before the first step."""
        np.multiply(self.elapsed, p.factor, out=self.scaled)

    def forward(self, p: _Parameters, here: slice, s: Floats) -> Floats:
        """R at some of the elements, from S."""
        log, r = self.log[here], self.r[here]
        np.divide(self.scaled[here], s, out=log)
        np.log1p(log, out=log)
        np.multiply(log, -p.w[20], out=r)
        return np.exp(r, out=r)

    def slopes(self, p: _Parameters, here: slice, s: Floats) -> Tuple[Floats, Floats]:
        """d R / d S and d R / d w20 at some of the elements."""
        r, log = self.r[here], self.log[here]
        y = np.expm1(-log)  # -x / (1 + x)
        y *= r
        return y * (-p.w[20] / s), y * (p.w[20] * p.factor_slope) - r * log


@dataclass(frozen=True)
class _Branch:
    """The nodes that take one branch of the formula, level by level; arrays of length n."""

    node: Ints
    parent: Ints
    levels: List[slice]  #: which of the nodes are on level 2, on level 3, ...

    @classmethod
    def where(cls, trie: Trie, condition: Bools) -> _Branch:
        """The nodes where the condition holds."""
        node = np.flatnonzero(condition)
        bounds = np.searchsorted(node, trie.level_start[1:])
        levels = [slice(int(start), int(stop)) for start, stop in zip(bounds[:-1], bounds[1:])]
        return cls(node, trie.parent[node], levels)


class _Stability:
    """Stability on one branch of the formula: a step forward, and the derivatives for the way back.

    ``s``, ``d``, ``after``: S, D and S' before it is clamped. ``by_s``, ``by_d``: d S' / d S and d S' / d D, likewise;
    ``by_decay``: d R / d w20.
    """

    p: _Parameters

    def __init__(self, branch: _Branch, room: Workspace) -> None:
        self.branch = branch
        size = len(branch.node)
        self.s, self.d, self.after, self.by_s, self.by_d, self.by_decay = (room.empty(size) for _ in range(6))

    def begin(self, p: _Parameters, difficulty: Floats) -> None:
        """Take the parameters and the difficulties, before the first level."""
        self.p = p
        np.take(difficulty, self.branch.parent, out=self.d, mode="clip")

    def step(self, here: slice, s: Floats) -> None:
        """Fill in S' of some nodes, which are on one level."""
        raise NotImplementedError

    def slopes(self, here: slice) -> None:
        """Fill in d S' / d S and d S' / d D of some nodes."""
        raise NotImplementedError

    def free(self, here: slice) -> Bools:
        """Where S' is not clamped."""
        after = self.after[here]
        return (after >= self.p.least_stability) & (after <= MAX_STABILITY)

    def by_parameter(self, here: slice) -> ByParameter:
        """d S' / d w of some nodes for fixed S and D, as if S' were not clamped."""
        raise NotImplementedError


class _Passed(_Stability):
    """S' = S (1 + e^w8 (11 - D) S^-w9 (e^(w10 (1 - R)) - 1) bonus), where bonus is w15 for Hard and w16 for Easy."""

    def __init__(self, trie: Trie, branch: _Branch, room: Workspace) -> None:
        super().__init__(branch, room)
        self.recall = _Recall(trie.elapsed[branch.node], room)
        self.rating = trie.rating[branch.node]
        size = len(branch.node)
        self.log_s, self.term, self.size, self.by_recall = (room.empty(size) for _ in range(4))
        self.scale_bonus = room.empty(size)

    def begin(self, p: _Parameters, difficulty: Floats) -> None:
        super().begin(p, difficulty)
        self.recall.begin(p)
        np.take(p.bonus, self.rating, out=self.scale_bonus, mode="clip")
        for here in chunks(0, len(self.d)):
            self.scale_bonus[here] *= p.gain * (11.0 - self.d[here])

    def step(self, here: slice, s: Floats) -> None:
        log_s, size, term, after = self.log_s[here], self.size[here], self.term[here], self.after[here]
        np.log(s, out=log_s)
        np.multiply(log_s, -self.p.w[9], out=size)
        np.exp(size, out=size)
        np.multiply(self.recall.forward(self.p, here, s), -self.p.w[10], out=term)
        term += self.p.w[10]
        np.expm1(term, out=term)
        np.multiply(size, term, out=after)
        after *= self.scale_bonus[here]
        after += 1.0
        after *= s

    def slopes(self, here: slice) -> None:
        s, after = self.s[here], self.after[here]
        gain = after - s
        by_recall = (self.term[here] + 1) * self.scale_bonus[here]
        by_recall *= self.size[here]
        by_recall *= s
        self.by_recall[here] = by_recall
        by_s, self.by_decay[here] = self.recall.slopes(self.p, here, s)
        self.by_s[here] = (after - self.p.w[9] * gain) / s - self.p.w[10] * by_recall * by_s
        self.by_d[here] = gain / (self.d[here] - 11)

    def by_parameter(self, here: slice) -> ByParameter:
        s, by_recall = self.s[here], self.by_recall[here]
        gain = self.after[here] - s
        plain = s * self.size[here] * self.p.gain * (11.0 - self.d[here]) * self.term[here]
        return [
            (8, gain),
            (9, -gain * self.log_s[here]),
            (10, by_recall * (1 - self.recall.r[here])),
            (15, plain * (self.rating[here] == 2)),
            (16, plain * (self.rating[here] == 4)),
            (20, -self.p.w[10] * by_recall * self.by_decay[here]),
        ]


class _Lapsed(_Stability):
    """S' = w11 D^-w12 ((S + 1)^w13 - 1) e^(w14 (1 - R)), at most S / e^(w17 w18)."""

    def __init__(self, trie: Trie, branch: _Branch, room: Workspace) -> None:
        super().__init__(branch, room)
        self.recall = _Recall(trie.elapsed[branch.node], room)
        self.log_d, self.log_s1, self.scale, self.rest, self.power = (room.empty(len(branch.node)) for _ in range(5))

    def begin(self, p: _Parameters, difficulty: Floats) -> None:
        super().begin(p, difficulty)
        self.recall.begin(p)
        np.log(self.d, out=self.log_d)
        np.multiply(self.log_d, -p.w[12], out=self.scale)
        np.exp(self.scale, out=self.scale)
        self.scale *= p.w[11] * np.exp(p.w[14])
        self.ceiling = float(np.exp(-p.w[17] * p.w[18]))

    def step(self, here: slice, s: Floats) -> None:
        log_s1, rest, power, after = self.log_s1[here], self.rest[here], self.power[here], self.after[here]
        np.multiply(self.recall.forward(self.p, here, s), -self.p.w[14], out=rest)
        np.exp(rest, out=rest)
        rest *= self.scale[here]
        np.log1p(s, out=log_s1)
        np.multiply(log_s1, self.p.w[13], out=power)
        np.expm1(power, out=power)
        np.multiply(rest, power, out=after)
        np.minimum(after, s * self.ceiling, out=after)

    def _parts(self, here: slice) -> Tuple[Floats, Bools]:
        """S', with 0 where it is at its ceiling, and a mask of where that is."""
        lapsed = self.rest[here] * self.power[here]
        capped = lapsed > self.s[here] * self.ceiling
        lapsed[capped] = 0.0
        return lapsed, capped

    def slopes(self, here: slice) -> None:
        s = self.s[here]
        lapsed, capped = self._parts(here)
        by_s = (self.rest[here] * (self.power[here] + 1)) * (self.p.w[13] / (s + 1))
        recall_by_s, self.by_decay[here] = self.recall.slopes(self.p, here, s)
        by_s -= self.p.w[14] * lapsed * recall_by_s
        self.by_s[here] = np.where(capped, self.ceiling, by_s)
        self.by_d[here] = -self.p.w[12] * lapsed / self.d[here]

    def by_parameter(self, here: slice) -> ByParameter:
        w, s = self.p.w, self.s[here]
        lapsed, capped = self._parts(here)
        at_ceiling = capped * s * -self.ceiling
        return [
            (11, lapsed / w[11]),
            (12, -lapsed * self.log_d[here]),
            (13, self.rest[here] * (self.power[here] + 1) * ~capped * self.log_s1[here]),
            (14, lapsed * (1 - self.recall.r[here])),
            (17, w[18] * at_ceiling),
            (18, w[17] * at_ceiling),
            (20, -w[14] * lapsed * self.by_decay[here]),
        ]


class _SameDay(_Stability):
    """S' = S e^(w17 (rating - 3 + w18)) S^-w19, after Hard to Easy at least S."""

    def __init__(self, trie: Trie, branch: _Branch, room: Workspace) -> None:
        super().__init__(branch, room)
        self.rating = trie.rating[branch.node]
        self.offset = self.rating - 3.0
        self.log_s, self.gain = room.empty(len(branch.node)), room.empty(len(branch.node))

    def begin(self, p: _Parameters, difficulty: Floats) -> None:
        super().begin(p, difficulty)
        self.least = np.array([0.0, 0.0, p.least_gain, p.least_gain, p.least_gain])[self.rating]
        self.constant = p.w[17] * (self.offset + p.w[18])
        self.by_d.fill(0.0)

    def step(self, here: slice, s: Floats) -> None:
        log_s, gain, after = self.log_s[here], self.gain[here], self.after[here]
        np.log(s, out=log_s)
        np.multiply(log_s, -self.p.w[19], out=gain)
        gain += self.constant[here]
        np.exp(gain, out=gain)
        np.maximum(gain, self.least[here], out=after)
        after *= s

    def slopes(self, here: slice) -> None:
        gain, least = self.gain[here], self.least[here]
        self.by_s[here] = np.where(gain >= least, (1 - self.p.w[19]) * gain, least)

    def by_parameter(self, here: slice) -> ByParameter:
        own = (self.gain[here] >= self.least[here]) * self.after[here]
        return [(17, own * (self.offset[here] + self.p.w[18])), (18, own * self.p.w[17]), (19, -own * self.log_s[here])]


class FSRSReplay(Replay):
    """FSRS-5 or FSRS-6 on a trie, in arrays that are kept from one parameter set to the next."""

    def __init__(self, algorithm: FSRS5, trie: Trie, room: Optional[Workspace] = None) -> None:
        room = room or Workspace(max(trie.nodes, trie.places))
        self._algorithm = algorithm
        self.trie = trie
        later = np.arange(trie.nodes) >= (trie.level_start[1] if trie.nodes else 0)
        same_day, again = trie.elapsed < 1, trie.rating == 1
        self._difficulty = _Difficulty(trie, room)
        self._branches: Tuple[_Stability, ...] = (
            _Passed(trie, _Branch.where(trie, later & ~same_day & ~again), room),
            _Lapsed(trie, _Branch.where(trie, later & ~same_day & again), room),
            _SameDay(trie, _Branch.where(trie, later & same_day), room),
        )
        self._recall = _Recall(trie.place_elapsed, room)
        self._stability, self._by_s, self._to, self._to_difficulty = (room.empty(trie.nodes) for _ in range(4))
        self._at_places, self._recall_by_s, self._recall_by_decay = (room.empty(trie.places) for _ in range(3))
        self._at: Optional[_Parameters] = None

    def predict(self, w: Floats) -> Floats:
        return self.forward(_Parameters(self._algorithm, w))

    def linearise(self, w: Floats) -> FSRSLinearisation:
        return FSRSLinearisation(self, _Parameters(self._algorithm, w))

    def forward(self, p: _Parameters) -> Floats:
        """Probability of recall at each place, (M,)."""
        self._at = p
        trie, stability, roots = self.trie, self._stability, self._difficulty.roots
        self._difficulty.forward(p)
        for branch in self._branches:
            branch.begin(p, self._difficulty.value)
        stability[:roots] = np.clip(p.first_stability, p.least_stability, MAX_STABILITY)[trie.rating[:roots]]
        self._recall.begin(p)
        for level, whole in enumerate(self._difficulty.levels[1:]):
            for branch in self._branches:
                here = branch.branch.levels[level]
                if here.stop > here.start:
                    s = branch.s[here]
                    stability.take(branch.branch.parent[here], out=s, mode="clip")
                    branch.step(here, s)
                    stability[branch.branch.node[here]] = branch.after[here]
            now = stability[whole]
            np.minimum(np.maximum(now, p.least_stability, out=now), MAX_STABILITY, out=now)
        stability.take(trie.place_node, out=self._at_places, mode="clip")
        return self._recall.forward(p, slice(None), self._at_places).copy()

    def _local(self, p: _Parameters) -> Tuple[Floats, Floats]:
        """After a sweep forward: d R / d S and d R / d w20 at each place; and fill in d S' / d S at each node."""
        if self._at is not p:
            self.forward(p)
        for branch in self._branches:
            for here in chunks(0, len(branch.s)):
                branch.slopes(here)
                self._by_s[branch.branch.node[here]] = branch.by_s[here] * branch.free(here)
        by_s, by_decay = self._recall_by_s, self._recall_by_decay
        for here in chunks(0, self.trie.places):
            by_s[here], by_decay[here] = self._recall.slopes(p, here, self._at_places[here])
        return by_s, by_decay

    def _first_is_free(self, p: _Parameters) -> Bools:
        """Of each rating: whether the stability after a first answer is not clamped."""
        return (p.first_stability >= p.least_stability) & (p.first_stability <= MAX_STABILITY)

    def backward(self, p: _Parameters, by_predicted: Floats) -> Floats:
        """The gradient (21,) of L from d L / d predicted (M,)."""
        recall_by_s, recall_by_decay = self._local(p)
        trie, roots, gradient = self.trie, self._difficulty.roots, np.zeros(PARAMETERS)
        to, to_difficulty = self._to, self._to_difficulty
        to.fill(0.0)
        to_difficulty.fill(0.0)
        for here in chunks(0, trie.places):
            np.add.at(to, trie.place_node[here], by_predicted[here] * recall_by_s[here])
            gradient[20] += by_predicted[here] @ recall_by_decay[here]
        for level in reversed(self._difficulty.levels[1:]):
            np.add.at(to, trie.parent[level], to[level] * self._by_s[level])

        for branch in self._branches:
            for here in chunks(0, len(branch.s)):
                own = to[branch.branch.node[here]] * branch.free(here)
                for index, derivative in branch.by_parameter(here):
                    gradient[index] += own @ derivative
                np.add.at(to_difficulty, branch.branch.parent[here], own * branch.by_d[here])
        first = np.bincount(trie.rating[:roots], to[:roots], minlength=5)
        gradient[:4] = (first * self._first_is_free(p))[1:]
        return gradient + self._difficulty.backward(p, to_difficulty)

    def jacobian(self, p: _Parameters) -> Floats:
        """d predicted / d parameters at each place, (21, M)."""
        recall_by_s, recall_by_decay = self._local(p)
        trie, everything, by_d = self.trie, slice(None), np.zeros(self.trie.nodes)
        stability, difficulty = np.zeros((PARAMETERS, trie.nodes)), np.zeros((4, trie.nodes))
        for rating in range(1, 5):
            stability[rating - 1] = (trie.parent < 0) & (trie.rating == rating) & self._first_is_free(p)[rating]
        for branch in self._branches:
            free = branch.free(everything)
            by_d[branch.branch.node] = branch.by_d * free
            for index, derivative in branch.by_parameter(everything):
                stability[index, branch.branch.node] = derivative * free
        slopes = self._difficulty.slopes(p)
        first, later, free = (
            slice(0, self._difficulty.roots),
            slice(self._difficulty.roots, None),
            self._difficulty.free,
        )
        for index, derivative in self._difficulty.first_by_parameter(p, first):
            difficulty[index - 4, first] = derivative * free[first]
        for index, derivative in self._difficulty.by_parameter(p, later):
            difficulty[index - 4, later] = derivative * free[later]
        for here in self._difficulty.levels[1:]:
            parent = trie.parent[here]
            before = difficulty[:, parent]
            stability[:, here] += self._by_s[here] * stability[:, parent]
            stability[4:8, here] += by_d[here] * before
            difficulty[:, here] += slopes[here] * before
        jacobian: Floats = recall_by_s * stability[:, trie.place_node]
        jacobian[20] += recall_by_decay
        return jacobian


class FSRSLinearisation(Linearisation):
    """Predictions of FSRS with given parameters, and how they change with each of them."""

    def __init__(self, replay: FSRSReplay, at: _Parameters) -> None:
        self._replay = replay
        self._at = at
        self.predicted = replay.forward(at)

    def gradient(self, by_predicted: Floats) -> Floats:
        return self._replay.backward(self._at, by_predicted)[: self._at.count]

    def jacobian(self) -> Floats:
        return self._replay.jacobian(self._at)[: self._at.count]
