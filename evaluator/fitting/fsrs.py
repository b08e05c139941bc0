"""FSRS-5 and FSRS-6 on a trie, derived by hand: what :mod:`evaluator.fitting.recurrence` does, several times as fast.

Four things save time. Difficulty depends on ratings alone, so it goes through the trie first and by itself. Nodes are
laid out in *blocks*, parts of one level that stay in a processor's cache; within a block, same-day reviews come first,
then those on a later day that were passed, then the lapses. So each branch of the formula works on neighbors, what
branches share is computed for both at once, and only the states before have to be gathered. Derivatives are taken for
all nodes in one sweep. And backwards only one number per node and state is carried from level to level; the sums for
the parameters follow from these in one go.

FSRS-5 is FSRS-6 with w19 = 0, w20 = 0.5 and same-day gains that may be losses too. The formulas are those of
:mod:`evaluator.algorithms.fsrs5` and :mod:`evaluator.algorithms.fsrs6`, which stay the statement of what is right; the
tests hold both ways against each other. Symbols: S and D before a review, S' and D' after it, R the recall at it,
x = F t / S. Written with a power p, a factor f and a scale c,

    same-day review   S' = S p, with p = e^(w17 (rating - 3 + w18)) S^-w19, but from Hard no less than 1 (FSRS-6)
    pass              S' = S (1 + c p f), with c = e^w8 (11 - D) bonus, p = S^-w9, f = e^(w10 (1 - R)) - 1
    lapse             S' = c p f, with c = w11 D^-w12, p = e^(w14 (1 - R)), f = (S + 1)^w13 - 1, at most S / e^(w17 w18)

where the bonus is w15 for Hard, 1 for Good and w16 for Easy. N nodes, M queries, n nodes of a branch.
"""

from __future__ import annotations

from typing import Iterator, List, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from ..algorithms.fsrs5 import FSRS5
from ..algorithms.fsrs_state import MAX_STABILITY
from ..data.histories import Trie
from ..data.revlog import Ints
from ..derivatives import Floats
from .replay import AnalyticReplay, Precision, empty_rows, in_precision, precision_for

PARAMETERS = 21

#: Elements worked on in one go: what stays in a processor's cache, and is too little for BLAS to start threads, which
#: would cost more than they save.
CHUNK = 8_192

LOG_90 = float(np.log(0.9))
#: What w15 is at least, so that derivatives can be divided by it.
TINY = 1e-8

Bools = npt.NDArray[np.bool_]
#: Derivatives at n nodes: pairs (p, derivative by parameter p at each node).
ByParameter = List[Tuple[int, Floats]]


def chunks(start: int, stop: int) -> Iterator[slice]:
    """Split the elements from start to stop into slices that fit into a processor's cache."""
    for begin in range(start, stop, CHUNK):
        yield slice(begin, min(begin + CHUNK, stop))


class _Parameters:
    """The parameters as those of FSRS-6, and what follows from them alone. Arrays of five are indexed by rating."""

    def __init__(self, algorithm: FSRS5, own: Floats, precision: Precision) -> None:
        self.own = own
        is_6 = len(own) == PARAMETERS
        self.w = w = [float(value) for value in own] + ([] if is_6 else [0.0, 0.5])
        least = 1.0 if is_6 else 0.0
        self.least_gain = np.array([0.0, 0.0, least, least, least])  #: smallest gains after a same-day review
        self.least_stability = np.array(algorithm.min_stability)
        self.lapse_power, self.negative = np.array(w[13]), [np.array(-value, precision) for value in w]
        self.factor = float(np.exp(LOG_90 / -w[20]) - 1)
        self.by_factor = w[20] * ((self.factor + 1) * LOG_90 / w[20] ** 2 / self.factor)  #: w20 (d F / d w20) / F
        self.gain = float(np.exp(w[8]))
        w[15] = max(w[15], TINY)  # it is divided by
        self.bonus = np.array([1.0, 1.0, w[15], 1.0, w[16]])
        self.ceiling = np.array(np.exp(-w[17] * w[18]))
        rating = np.arange(5)
        self.first_stability = np.array([1.0, *w[:4]])
        self.first_difficulty = w[4] - np.exp(w[5] * (rating - 1)) + 1
        self.target = float(self.first_difficulty[4])
        change = w[6] * (rating - 3) / 9
        self.keep = (1 - w[7]) * (1 + change)  #: D' = keep D + add
        self.add = w[7] * self.target - (1 - w[7]) * 10 * change
        self.one, self.most_stability = np.array(1.0), np.array(MAX_STABILITY)
        self.least_difficulty, self.most_difficulty = np.array(1.0), np.array(10.0)
        in_precision(self, precision)


class _Layout:
    def __init__(self, trie: Trie) -> None:
        self.size, self.rating, self.parent = trie.nodes, trie.rating, trie.parent
        self.roots = roots = int(trie.level_start[1]) if trie.nodes else 0
        same_day, lapsed = trie.elapsed < 1, trie.rating == 1
        lapsed[same_day] = False
        same_day[:roots] = lapsed[:roots] = False
        self.passed: Bools = ~(same_day | lapsed)
        self.passed[:roots] = False
        self.same_day, self.lapses = np.flatnonzero(same_day), np.flatnonzero(lapsed)
        self.hard, self.easy = (np.flatnonzero(self.passed & (trie.rating == rating)) for rating in (2, 4))
        ends = trie.level_start[1:].tolist()
        starts = [begin for level in zip(ends, ends[1:]) for begin in range(*level, CHUNK)]
        at = np.array([*starts, self.size])
        same_day_before, lapses_before = self.same_day.searchsorted(at), self.lapses.searchsorted(at)
        passes, lapses = at[:-1] + np.diff(same_day_before), at[1:] - np.diff(lapses_before)
        #: Bounds of each block: its start, the start of its passes and of its lapses, its end, and the number of
        #: same-day reviews before it.
        self.bounds = list(zip(starts, passes.tolist(), lapses.tolist(), at[1:].tolist(), same_day_before.tolist()))


def _pull(time: Floats, s: Floats, r: Floats) -> Floats:
    """Return R x / (1 + x), a factor of the derivatives of R, from F t, S and R."""
    pull: Floats = time / (s + time)
    pull *= r
    return pull


class FSRSReplay(AnalyticReplay):
    """FSRS-5 or FSRS-6 on a trie, in arrays that are kept from one parameter set to the next."""

    def __init__(self, algorithm: FSRS5, trie: Trie) -> None:
        self._algorithm, self.trie, self.layout = algorithm, trie, _Layout(trie)
        layout = self.layout
        self.precision = precision = precision_for(trie.nodes)
        self.difficulties, self.rows, self.back, own = (
            empty_rows(count, layout.size, precision) for count in (5, 10, 3, 5)
        )
        self.d, self.keep, self.add, self.d_raw, self.d_after = self.difficulties  # D; D' before and after its limits
        # S; ln S, but of lapses ln(S + 1); R - 1; p; f; S' before and after its limits; c; F t; ln(1 + x)
        self.s, self.log, self.lost, self.power, self.factor, self.raw, self.after, self.scale, *_ = self.rows
        self.time, self.log_recall = self.rows[-2:]
        self.by_s, self.to, self.to_difficulty = self.back  # d S' / d S, d L / d S', d L / d D'
        self._asked = np.empty((3, trie.n_queries))  # by query: F t, S, ln(1 + x)
        # rating - 3; d S' / d D of passes and lapses; of passes S c p f, d S' / d (1 - R) / w10, and the last times
        # R x / (1 + x)
        self._offset, self._by_d, self._gain, self._by_recall, self._through_recall = own
        np.subtract(layout.rating, 3.0, out=self._offset)
        self.by_s[: layout.roots] = self._by_d[: layout.roots] = 0.0  # which no one else writes
        self.factor[layout.same_day] = 0.0  # not defined for same-day reviews
        self.constant, self.least_gain = np.empty((2, len(layout.same_day)), dtype=precision)
        self._sloped: Optional[_Parameters] = None
        self._predicted: Floats = np.zeros(0)

    def parameters(self, w: Floats) -> _Parameters:
        return _Parameters(self._algorithm, w, self.precision)

    def forward(self, p: _Parameters) -> Floats:
        """Return the probability of recall at each query, (M,)."""
        if self.at is p:
            return self._predicted
        self._sweep(p)
        self.at, self._sloped = p, None
        self._predicted = np.empty(self.trie.n_queries)
        for chunk in chunks(0, self.trie.n_queries):
            (time, s, log), recall = self._asked[:, chunk], self._predicted[chunk]
            s[:] = self.after.take(self.trie.query_node[chunk], mode="clip")
            np.multiply(self.trie.query_elapsed[chunk], p.factor, out=time)
            np.divide(time, s, out=log)
            np.log1p(log, out=log)
            np.multiply(log, -p.w[20], out=recall)
            np.exp(recall, out=recall)
        return self._predicted

    def _sweep(self, p: _Parameters) -> None:
        layout, roots = self.layout, slice(0, self.layout.roots)
        rating = layout.rating[roots]
        self.d_raw[roots] = p.first_difficulty[rating]
        np.clip(self.d_raw[roots], p.least_difficulty, p.most_difficulty, out=self.d_after[roots])
        p.keep.take(layout.rating, out=self.keep, mode="clip")
        p.add.take(layout.rating, out=self.add, mode="clip")
        self._difficulties(p)
        self._scale(p)
        self.raw[roots] = p.first_stability[rating]
        np.clip(self.raw[roots], p.least_stability, MAX_STABILITY, out=self.after[roots])
        np.multiply(self.trie.elapsed, p.factor, out=self.time)
        self._stabilities(p)

    def _difficulties(self, p: _Parameters) -> None:
        parents, d, keep, add, d_raw, d_after = self.layout.parent, *self.difficulties
        for start, _, _, stop, _ in self.layout.bounds:
            before, raw, after = d[start:stop], d_raw[start:stop], d_after[start:stop]
            d_after.take(parents[start:stop], out=before, mode="clip")
            np.multiply(before, keep[start:stop], raw)
            np.add(raw, add[start:stop], raw)
            np.maximum(raw, p.least_difficulty, out=after)
            np.minimum(after, p.most_difficulty, out=after)

    def _stabilities(self, p: _Parameters) -> None:
        parents, minus = self.layout.parent, p.negative
        for start, passes, lapses, stop, same_day in self.layout.bounds:
            first, last = passes - start, lapses - start
            s, log, lost, power, factor, raw, after, scale, time, log_recall = self.rows[:, start:stop]
            self.after.take(parents[start:stop], out=s, mode="clip")
            np.log(s, log)
            np.divide(time, s, log_recall)
            np.log1p(log_recall, log_recall)
            np.multiply(log_recall, minus[20], lost)
            np.expm1(lost, lost)
            np.multiply(log[first:last], minus[9], power[first:last])
            np.multiply(lost[first:last], minus[10], factor[first:last])
            if first:
                gain = power[:first]
                np.multiply(log[:first], minus[19], gain)
                np.add(gain, self.constant[same_day : same_day + first], gain)
            if stop > lapses:
                np.log1p(s[last:], log[last:])
                np.multiply(lost[last:], minus[14], power[last:])
                np.multiply(log[last:], p.lapse_power, factor[last:])
            np.exp(power, power)
            np.expm1(factor, factor)
            np.multiply(power, factor, raw)
            np.multiply(raw, scale, raw)
            passed, kept = raw[first:last], raw[:last]
            np.add(passed, p.one, passed)
            if first:
                np.maximum(gain, self.least_gain[same_day : same_day + first], out=raw[:first])
            np.multiply(kept, s[:last], kept)
            if stop > lapses:
                lapsed = raw[last:]
                np.minimum(lapsed, s[last:] * p.ceiling, out=lapsed)
            np.maximum(raw, p.least_stability, out=after)
            np.minimum(after, p.most_stability, out=after)

    def _scale(self, p: _Parameters) -> None:
        """Fill in the scales, and all terms that do not depend on the stabilities."""
        layout, w = self.layout, p.w
        p.bonus.take(layout.rating, out=self.scale, mode="clip")
        self.scale[layout.same_day] = 0.0
        for chunk in chunks(layout.roots, layout.size):
            self.scale[chunk] *= p.gain * (11.0 - self.d[chunk])
        self._log_d = np.log(self.d[layout.lapses])
        self.scale[layout.lapses] = w[11] * np.exp(-w[12] * self._log_d)
        np.multiply(self._offset[layout.same_day] + w[18], w[17], out=self.constant)
        p.least_gain.take(layout.rating[layout.same_day], out=self.least_gain)

    def _local(self, p: _Parameters) -> None:
        """After a forward sweep, fill in the derivatives of S', and of R at each query, by S, D and w20."""
        self.forward(p)
        if self._sloped is p:
            return
        self._sloped = p
        w, layout = p.w, self.layout
        for chunk in chunks(layout.roots, layout.size):  # treat all as passes first
            s, raw, by_s, by_recall = self.s[chunk], self.raw[chunk], self.by_s[chunk], self._by_recall[chunk]
            np.multiply(self.scale[chunk], self.power[chunk], out=by_recall)
            by_recall *= s
            gain = np.multiply(by_recall, self.factor[chunk], out=self._gain[chunk])  # S' - S is less precise
            by_recall += gain
            through = np.multiply(
                _pull(self.time[chunk], s, self.lost[chunk] + 1.0), by_recall, self._through_recall[chunk]
            )
            np.divide(gain, self.d[chunk] - 11.0, out=self._by_d[chunk])
            np.subtract(raw, w[9] * gain, out=by_s)
            by_s -= w[10] * w[20] * through
            by_s /= s
        self._lapse_slopes(p)
        at = layout.same_day
        self.by_s[at] = np.where(self.power[at] < self.least_gain, self.least_gain, (1 - w[19]) * self.power[at])
        self._by_d[at] = 0.0
        self._free, self._d_free = self.raw == self.after, self.d_raw == self.d_after
        self.by_s *= self._free
        self.keep *= self._d_free  # which is d D' / d D from now

    def _lapse_slopes(self, p: _Parameters) -> None:
        """Fill in the same for all lapses, and the terms of the derivatives by parameters."""
        at, w = self.layout.lapses, p.w
        s = self.s[at]
        plain = self.scale[at] * self.power[at]
        grown = plain * (self.factor[at] + 1.0)
        plain *= self.factor[at]
        capped = plain > s * p.ceiling
        plain[capped] = grown[capped] = 0.0
        self._lapsed, self._lapsed_grown, self._at_ceiling = plain, grown, capped * s * -p.ceiling
        by_s = grown * (w[13] / (s + 1.0))
        self._lapsed_through = plain * _pull(self.time[at], s, self.lost[at] + 1.0)
        by_s -= w[14] * w[20] * self._lapsed_through / s
        self.by_s[at] = by_s + capped * p.ceiling
        self._by_d[at] = -w[12] * plain / self.d[at]

    def _branches(self, p: _Parameters) -> Iterator[Tuple[Ints, ByParameter]]:
        """Some nodes, and d S' / d w of these for fixed S and D, as if S' were not clamped.

        They are the lapses, the same-day reviews, and of passes what only Hard and Easy have.
        """
        at, w, lapsed = self.layout.lapses, p.w, self._lapsed
        yield (
            at,
            [
                (11, lapsed / w[11]),
                (12, -lapsed * self._log_d),
                (13, self._lapsed_grown * self.log[at]),
                (14, -lapsed * self.lost[at]),
                (17, w[18] * self._at_ceiling),
                (18, w[17] * self._at_ceiling),
                (20, w[14] * (p.by_factor * self._lapsed_through + lapsed * self._fading(at))),
            ],
        )
        at = self.layout.same_day
        own = (self.power[at] >= self.least_gain) * self.raw[at]
        yield at, [(17, own * (self._offset[at] + w[18])), (18, own * w[17]), (19, -own * self.log[at])]
        for index, at in ((15, self.layout.hard), (16, self.layout.easy)):
            yield at, [(index, self._gain[at] / p.w[index])]

    def _fading(self, at: Union[slice, Ints]) -> Floats:
        """R ln(1 + x) at some nodes."""
        fading: Floats = self.lost[at] + 1.0
        fading *= self.log_recall[at]
        return fading

    def backward(self, p: _Parameters, by_predicted: Floats) -> Floats:
        """Return the gradient (21,) of L from d L / d predicted (M,)."""
        self._local(p)
        layout, gradient, to, to_difficulty, w = self.layout, np.zeros(PARAMETERS), self.to, self.to_difficulty, p.w
        to.fill(0.0)
        to_difficulty.fill(0.0)
        for chunk in chunks(0, self.trie.n_queries):
            (time, s, log), by_recall = self._asked[:, chunk], by_predicted[chunk]
            pulled = _pull(time, s, self._predicted[chunk])
            pulled *= by_recall
            gradient[20] -= p.by_factor * pulled.sum() + (by_recall * self._predicted[chunk]) @ log
            pulled *= w[20]
            pulled /= s
            np.add.at(to, self.trie.query_node[chunk], pulled.astype(self.precision, copy=False))
        for start, _, _, stop, _ in reversed(layout.bounds):
            np.add.at(to, layout.parent[start:stop], to[start:stop] * self.by_s[start:stop])

        roots = slice(0, layout.roots)
        gradient[:4] = np.bincount(layout.rating[roots], to[roots] * self._free[roots], minlength=5)[1:]
        for chunk in chunks(layout.roots, layout.size):  # for passes; 0 otherwise
            to[chunk] *= self._free[chunk]
            np.add.at(to_difficulty, layout.parent[chunk], to[chunk] * self._by_d[chunk])
            own = to[chunk] * layout.passed[chunk]
            gradient[20] += w[10] * p.by_factor * (own @ self._through_recall[chunk])
            gained = self._gain[chunk] * own
            gradient[8] += gained.sum()
            gradient[9] -= gained @ self.log[chunk]
            own *= self._by_recall[chunk]
            gradient[10] -= own @ self.lost[chunk]
            gradient[20] += w[10] * (own @ self._fading(chunk))
        for at, derivatives in self._branches(p):
            own = to[at]
            for index, derivative in derivatives:
                gradient[index] += own @ derivative
        return gradient + self._difficulty_backward(p)

    def _difficulty_backward(self, p: _Parameters) -> Floats:
        """Return the part of the gradient (21,) that comes through the difficulties."""
        to, layout, gradient = self.to_difficulty, self.layout, np.zeros(PARAMETERS)
        for start, _, _, stop, _ in reversed(layout.bounds):
            np.add.at(to, layout.parent[start:stop], to[start:stop] * self.keep[start:stop])
        to *= self._d_free
        own = to[: layout.roots]
        for index, derivative in self._first_difficulty_by_parameter(p):
            gradient[index] += own @ derivative
        sums = np.zeros(3)
        for chunk in chunks(layout.roots, layout.size):
            sums += [to[chunk] @ known for known in self._known_of_difficulty(chunk)]
        gradient[4:8] += self._difficulty_slopes(p) @ sums
        return gradient

    def _first_difficulty_by_parameter(self, p: _Parameters) -> ByParameter:
        """d D' / d w of the roots, as if D' were not clamped."""
        steps = self.layout.rating[: self.layout.roots] - 1.0
        return [(4, np.ones(len(steps))), (5, -steps * np.exp(p.w[5] * steps))]

    def _known_of_difficulty(self, span: slice) -> List[Floats]:
        """Return the parts of d D' / d (w4 .. w7) of later nodes, for fixed D, as if D' were not clamped."""
        before = self.d[span]
        return [np.ones_like(before), before, (10.0 - before) * self._offset[span]]

    def _difficulty_slopes(self, p: _Parameters) -> Floats:
        """Return the coefficients of those parts in d D' / d (w4 .. w7), (4, 3)."""
        w = p.w
        return np.array(
            [
                [w[7], 0.0, 0.0],
                [-3 * np.exp(3 * w[5]) * w[7], 0.0, 0.0],
                [0.0, 0.0, (w[7] - 1) / 9],
                [p.target, -1.0, w[6] / 9],
            ]
        )

    def jacobian(self, p: _Parameters) -> Floats:
        """d predicted / d parameters at each query, (21, M)."""
        self._local(p)
        layout, roots, w = self.layout, slice(0, self.layout.roots), p.w
        later = slice(layout.roots, layout.size)
        state = empty_rows(PARAMETERS + 4, layout.size, self.precision)  # derivatives of S'; of D'
        state.fill(0.0)
        stability, difficulty = state[:PARAMETERS], state[PARAMETERS:]
        for rating in range(1, 5):
            stability[rating - 1, roots] = layout.rating[roots] == rating
        passed = layout.passed[later]
        gained, by_recall = self._gain[later] * passed, self._by_recall[later] * passed
        stability[8, later] = gained
        np.multiply(gained, -self.log[later], out=stability[9, later])
        np.multiply(by_recall, -self.lost[later], out=stability[10, later])
        by_decay = passed * self._through_recall[later]
        by_decay *= p.by_factor
        by_decay += by_recall * self._fading(later)
        np.multiply(by_decay, w[10], out=stability[20, later])
        for at, derivatives in self._branches(p):
            for index, derivative in derivatives:
                stability[index, at] = derivative
        if not self._free.all():
            stability *= self._free
        for index, derivative in self._first_difficulty_by_parameter(p):
            difficulty[index - 4, roots] = derivative
        known = self._known_of_difficulty(later)
        for row, slopes in zip(difficulty, self._difficulty_slopes(p)):
            for slope, each in zip(slopes, known):
                if slope:
                    row[later] += slope * each
        difficulty *= self._d_free
        by_d = self._by_d * self._free
        for start, _, _, stop, _ in layout.bounds:
            before, mask = state.take(layout.parent[start:stop], axis=1), state[:, start:stop]
            through_d = before[PARAMETERS:]
            np.add(mask[4:8], by_d[start:stop] * through_d, mask[4:8])
            np.multiply(through_d, self.keep[start:stop], through_d)
            np.multiply(before[:PARAMETERS], self.by_s[start:stop], before[:PARAMETERS])
            np.add(mask, before, mask)
        jacobian: Floats = stability.take(self.trie.query_node, axis=1)
        time, s, log = self._asked
        pull = _pull(time, s, self._predicted)
        jacobian *= w[20] * pull / s
        jacobian[20] -= p.by_factor * pull + self._predicted * log
        return jacobian
