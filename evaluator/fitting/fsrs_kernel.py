"""Hand-derived kernel of FSRS-5 and FSRS-6, several times as fast as :mod:`evaluator.fitting.recurrence`."""

from __future__ import annotations

from typing import Iterator, List, Tuple, Union

import numpy as np

from ..algorithms.fsrs5 import FSRS5, first_difficulty
from ..algorithms.fsrs_state import MAX_STABILITY
from ..data.histories import Trie
from ..data.revlog import Ints
from ..derivatives import Floats
from ..metrics.scores import chunks
from .replay import HandDerivedReplay, convert_arrays, precision_for

#: Number of parameters of FSRS-6.
PARAMETERS = 21

#: Number of elements in a chunk. A chunk fits into the processor's cache. It is also too small for BLAS to start
#: threads, which would cost more than they save.
CHUNK = 8_192

LOG_90 = float(np.log(0.9))
#: Smallest w15, because derivatives are divided by it.
TINY = 1e-8

#: 0 for S' or 1 for D', some nodes, and for some parameters p the pair (p, derivatives of S' or D' of the nodes by p).
ByParameter = Tuple[int, Union[slice, Ints], List[Tuple[int, Floats]]]


class _Parameters:
    """The parameters in the form of FSRS-6, and all values that depend on them alone.

    Arrays of length 5 are indexed by rating. Single numbers are arrays too, because NumPy starts twice as fast with an
    array as with a Python number.
    """

    given: Floats  #: the parameters as they were given

    def __init__(self, algorithm: FSRS5, values: Floats, precision: type) -> None:
        is_6 = len(values) == PARAMETERS
        self.w = w = values.tolist() + ([] if is_6 else [0.0, 0.5])
        w[15] = max(w[15], TINY)
        min_gain = 1.0 if is_6 else 0.0
        #: Smallest factor of stability at a same-day review
        self.min_gain = np.array([0.0, 0.0, min_gain, min_gain, min_gain])
        self.min_stability = np.array(algorithm.min_stability)
        self.max_stability = np.array(MAX_STABILITY)
        self.min_difficulty = np.array(1.0)
        self.max_difficulty = np.array(10.0)
        self.unit = np.array(1.0)
        self.minus: List[Floats] = [np.array(-value, precision) for value in w]
        self.lapse_power = np.array(w[13])
        self.factor = float(np.exp(LOG_90 / -w[20]) - 1)
        #: w20 (d F / d w20) / F
        self.by_factor = w[20] * ((self.factor + 1) * LOG_90 / w[20] ** 2 / self.factor)
        self.growth = float(np.exp(w[8]))
        self.bonus = np.array([1.0, 1.0, w[15], 1.0, w[16]])
        self.ceiling = np.array(np.exp(-w[17] * w[18]))
        self.first_stability = np.array([1.0, *w[:4]])
        rating = np.arange(5)
        self.first_difficulty = first_difficulty(w, rating)
        self.target = float(self.first_difficulty[4])
        change = w[6] * (rating - 3) / 9
        #: D' = keep D + add, before its limits
        self.keep = (1 - w[7]) * (1 + change)
        self.add = w[7] * self.target - (1 - w[7]) * 10 * change
        convert_arrays(self, precision)


class _Layout:
    """Nodes of a trie by branch of the formulas, and the blocks in which they are computed.

    Within a level, same-day reviews come first, then passes, then lapses.
    """

    def __init__(self, trie: Trie) -> None:
        self.size = trie.n_nodes
        self.rating = trie.rating
        self.parent = trie.parent
        n_roots = int(trie.level_start[1]) if trie.n_nodes else 0
        self.roots = slice(0, n_roots)
        is_same_day = trie.elapsed < 1
        # The roots, whose elapsed days are 0, come first.
        self.same_day = np.flatnonzero(is_same_day)[n_roots:]
        is_later_day = ~is_same_day
        self.lapses = np.flatnonzero(is_later_day & (trie.rating == 1))
        self.hard = np.flatnonzero(is_later_day & (trie.rating == 2))
        self.easy = np.flatnonzero(is_later_day & (trie.rating == 4))
        ends = trie.level_start[1:].tolist()
        starts = [begin for level in zip(ends, ends[1:]) for begin in range(*level, CHUNK)]
        bounds = np.array([*starts, self.size])
        same_day_before = self.same_day.searchsorted(bounds)
        lapses_before = self.lapses.searchsorted(bounds)
        passes = bounds[:-1] + np.diff(same_day_before)
        lapses = bounds[1:] - np.diff(lapses_before)
        #: Bounds of each block: its start, the start of its passes and of its lapses, its end, and the number of
        #: same-day reviews before it.
        self.bounds = list(zip(starts, passes.tolist(), lapses.tolist(), bounds[1:].tolist(), same_day_before.tolist()))
        #: The nodes after the roots, in slices that fit into a processor's cache.
        self.chunks = list(chunks(self.size, CHUNK, n_roots))


def _recall_slope(time: Floats, s: Floats, r: Floats) -> Floats:
    """Return R x / (1 + x), which is d R / d ln S divided by w20.

    Args:
        time: F t in days.
        s: stability in days.
        r: probability of recall.
    """
    slope: Floats = time / (s + time)
    slope *= r
    return slope


class FSRSReplay(HandDerivedReplay):
    """FSRS-5 or FSRS-6 on a trie."""

    def __init__(self, algorithm: FSRS5, trie: Trie) -> None:
        self.precision = precision = precision_for(trie.n_nodes)
        super().__init__(lambda w: _Parameters(algorithm, w, precision))
        self.trie = trie
        self.layout = layout = _Layout(trie)
        self.difficulties = np.empty((5, layout.size), precision)
        self.rows = np.empty((10, layout.size), precision)
        derivatives = np.empty((6, layout.size), precision)
        # d is D, and d_raw and d_after are D' before and after its limits.
        self.d, self.keep, self.add, self.d_raw, self.d_after = self.difficulties
        # s is S, and log is ln S, but ln(S + 1) for lapses. lost is R - 1, power is p, and factor is f. raw and
        # after are S' before and after its limits. scale is c, time is F t, and log_recall is ln(1 + x).
        self.s, self.log, self.lost, self.power, self.factor, self.raw, self.after, self.scale, *_ = self.rows
        self.time, self.log_recall = self.rows[-2:]
        # The rows are F t, S and ln(1 + x).
        self._at_query = np.empty((3, trie.n_queries))
        # offset is rating - 3, by_s is d S' / d S, and by_d is d S' / d D. The others are of passes: gain is S c p f,
        # by_recall is d S' / d (1 - R) / w10, and through_recall is by_recall times R x / (1 + x).
        self._offset, self.by_s, self._by_d, self._gain, self._by_recall, self._through_recall = derivatives
        np.subtract(layout.rating, 3.0, out=self._offset)
        # Nothing computes these entries, but formulas for whole arrays read them.
        self.by_s[layout.roots] = self._by_d[layout.roots] = 0.0
        self.factor[layout.same_day] = 0.0
        # Of same-day reviews, the logarithm of the gain at S = 1, and the minimum gain.
        self.log_unit_gain, self.min_gain = np.empty((2, len(layout.same_day)), precision)

    def _sweep_forward(self, p: _Parameters) -> Floats:
        self._compute_difficulties(p)
        self._compute_scales(p)
        self._compute_stabilities(p)
        predicted = np.empty(self.trie.n_queries)
        for chunk in chunks(self.trie.n_queries, CHUNK):
            time, s, log = self._at_query[:, chunk]
            recall = predicted[chunk]
            s[:] = self.after.take(self.trie.query_node[chunk], mode="clip")
            np.multiply(self.trie.query_elapsed[chunk], p.factor, out=time)
            np.divide(time, s, out=log)
            np.log1p(log, out=log)
            np.multiply(log, -p.w[20], out=recall)
            np.exp(recall, out=recall)
        return predicted

    def _compute_difficulties(self, p: _Parameters) -> None:
        """Compute D and D' of all nodes, level by level."""
        layout = self.layout
        self.d_raw[layout.roots] = p.first_difficulty[layout.rating[layout.roots]]
        np.clip(self.d_raw[layout.roots], p.min_difficulty, p.max_difficulty, out=self.d_after[layout.roots])
        p.keep.take(layout.rating, out=self.keep, mode="clip")
        p.add.take(layout.rating, out=self.add, mode="clip")
        for start, _, _, stop, _ in layout.bounds:
            d, keep, add, raw, after = self.difficulties[:, start:stop]
            self.d_after.take(layout.parent[start:stop], out=d, mode="clip")
            np.multiply(d, keep, raw)
            np.add(raw, add, raw)
            np.maximum(raw, p.min_difficulty, out=after)
            np.minimum(after, p.max_difficulty, out=after)

    def _compute_scales(self, p: _Parameters) -> None:
        """Compute the scales, and all other terms that do not depend on the stabilities."""
        layout = self.layout
        w = p.w
        p.bonus.take(layout.rating, out=self.scale, mode="clip")
        self.scale[layout.same_day] = 0.0
        for chunk in layout.chunks:
            self.scale[chunk] *= p.growth * (11.0 - self.d[chunk])
        self._log_d = np.log(self.d[layout.lapses])
        self.scale[layout.lapses] = w[11] * np.exp(-w[12] * self._log_d)
        np.multiply(self._offset[layout.same_day] + w[18], w[17], out=self.log_unit_gain)
        p.min_gain.take(layout.rating[layout.same_day], out=self.min_gain)

    def _compute_stabilities(self, p: _Parameters) -> None:
        """Compute S and S' of all nodes, level by level."""
        layout = self.layout
        minus = p.minus
        self.raw[layout.roots] = p.first_stability[layout.rating[layout.roots]]
        np.clip(self.raw[layout.roots], p.min_stability, p.max_stability, out=self.after[layout.roots])
        np.multiply(self.trie.elapsed, p.factor, out=self.time)
        for start, passes, lapses, stop, same_day in layout.bounds:
            first_pass = passes - start
            first_lapse = lapses - start
            s, log, lost, power, factor, raw, after, scale, time, log_recall = self.rows[:, start:stop]
            self.after.take(layout.parent[start:stop], out=s, mode="clip")
            np.log(s, log)
            np.divide(time, s, log_recall)
            np.log1p(log_recall, log_recall)
            np.multiply(log_recall, minus[20], lost)
            np.expm1(lost, lost)
            np.multiply(log[first_pass:first_lapse], minus[9], power[first_pass:first_lapse])
            np.multiply(lost[first_pass:first_lapse], minus[10], factor[first_pass:first_lapse])
            if first_pass:
                gain = power[:first_pass]
                np.multiply(log[:first_pass], minus[19], gain)
                np.add(gain, self.log_unit_gain[same_day : same_day + first_pass], gain)
            if stop > lapses:
                np.log1p(s[first_lapse:], log[first_lapse:])
                np.multiply(lost[first_lapse:], minus[14], power[first_lapse:])
                np.multiply(log[first_lapse:], p.lapse_power, factor[first_lapse:])
            np.exp(power, power)
            np.expm1(factor, factor)
            np.multiply(power, factor, raw)
            np.multiply(raw, scale, raw)
            passed = raw[first_pass:first_lapse]
            not_lapsed = raw[:first_lapse]
            np.add(passed, p.unit, passed)
            if first_pass:
                np.maximum(gain, self.min_gain[same_day : same_day + first_pass], out=raw[:first_pass])
            np.multiply(not_lapsed, s[:first_lapse], not_lapsed)
            if stop > lapses:
                lapsed = raw[first_lapse:]
                np.minimum(lapsed, s[first_lapse:] * p.ceiling, out=lapsed)
            np.maximum(raw, p.min_stability, out=after)
            np.minimum(after, p.max_stability, out=after)

    def _compute_slopes(self, p: _Parameters) -> None:
        """Compute the derivatives of S' by S and D, and the terms of the derivatives by parameters."""
        self._replay(p)
        w = p.w
        layout = self.layout
        # A chunk mixes all kinds of reviews, so all are treated as passes first.
        for chunk in layout.chunks:
            s = self.s[chunk]
            raw = self.raw[chunk]
            by_s = self.by_s[chunk]
            by_recall = self._by_recall[chunk]
            np.multiply(self.scale[chunk], self.power[chunk], out=by_recall)
            by_recall *= s
            gain = np.multiply(by_recall, self.factor[chunk], out=self._gain[chunk])
            by_recall += gain
            recall_slope = _recall_slope(self.time[chunk], s, self.lost[chunk] + 1.0)
            through_recall = np.multiply(recall_slope, by_recall, self._through_recall[chunk])
            np.divide(gain, self.d[chunk] - 11.0, out=self._by_d[chunk])
            np.subtract(raw, w[9] * gain, out=by_s)
            by_s -= w[10] * w[20] * through_recall
            by_s /= s
        for nodes in (layout.same_day, layout.lapses):
            self._gain[nodes] = self._by_recall[nodes] = self._through_recall[nodes] = self._by_d[nodes] = 0.0
        nodes = layout.same_day
        self.by_s[nodes] = np.where(self.power[nodes] < self.min_gain, self.min_gain, (1 - w[19]) * self.power[nodes])
        self._compute_lapse_slopes(p)
        self._stability_is_free = self.raw == self.after
        self._difficulty_is_free = self.d_raw == self.d_after
        self.by_s *= self._stability_is_free
        self._by_d *= self._stability_is_free
        # From here on, this is d D' / d D.
        self.keep *= self._difficulty_is_free

    def _compute_lapse_slopes(self, p: _Parameters) -> None:
        """Compute the derivatives of S' after lapses by S and D, and the terms of those by parameters."""
        nodes = self.layout.lapses
        w = p.w
        s = self.s[nodes]
        stability = self.scale[nodes] * self.power[nodes]
        grown = stability * (self.factor[nodes] + 1.0)
        stability *= self.factor[nodes]
        is_capped = stability > s * p.ceiling
        stability[is_capped] = grown[is_capped] = 0.0
        self._lapsed = stability
        self._lapsed_grown = grown
        self._at_ceiling = is_capped * s * -p.ceiling
        by_s = grown * (w[13] / (s + 1.0))
        self._lapsed_through = stability * _recall_slope(self.time[nodes], s, self.lost[nodes] + 1.0)
        by_s -= w[14] * w[20] * self._lapsed_through / s
        self.by_s[nodes] = by_s + is_capped * p.ceiling
        self._by_d[nodes] = -w[12] * stability / self.d[nodes]

    def _by_parameter(self, p: _Parameters) -> Iterator[ByParameter]:
        """Yield the derivatives of S' and D' by the parameters for fixed S and D, as if S' and D' had no limits.

        If the same nodes come twice with a parameter, its first derivatives are 0.
        """
        layout = self.layout
        w = p.w
        yield 0, layout.roots, [(index, 1.0 * (layout.rating[layout.roots] == index + 1)) for index in range(4)]
        for nodes in layout.chunks:
            gain = self._gain[nodes]
            by_recall = self._by_recall[nodes]
            by_decay = w[10] * (p.by_factor * self._through_recall[nodes] + by_recall * self._log_decay_slope(nodes))
            by_10 = -by_recall * self.lost[nodes]
            yield 0, nodes, [(8, gain), (9, -gain * self.log[nodes]), (10, by_10), (20, by_decay)]
        yield 0, layout.hard, [(15, self._gain[layout.hard] / w[15])]
        yield 0, layout.easy, [(16, self._gain[layout.easy] / w[16])]
        same_day = layout.same_day
        lapses = layout.lapses
        lapsed = self._lapsed
        free_gain = (self.power[same_day] >= self.min_gain) * self.raw[same_day]
        by_17 = free_gain * (self._offset[same_day] + w[18])
        yield 0, same_day, [(17, by_17), (18, free_gain * w[17]), (19, -free_gain * self.log[same_day])]
        by_13 = self._lapsed_grown * self.log[lapses]
        by_14 = -lapsed * self.lost[lapses]
        by_parameter = [(11, lapsed / w[11]), (12, -lapsed * self._log_d), (13, by_13), (14, by_14)]
        by_decay = w[14] * (p.by_factor * self._lapsed_through + lapsed * self._log_decay_slope(lapses))
        yield 0, lapses, [*by_parameter, (17, w[18] * self._at_ceiling), (18, w[17] * self._at_ceiling), (20, by_decay)]
        steps = layout.rating[layout.roots] - 1.0
        yield 1, layout.roots, [(4, np.ones(len(steps))), (5, -steps * np.exp(w[5] * steps))]
        for nodes in layout.chunks:
            ones = np.ones_like(self.d[nodes])
            d = self.d[nodes]
            change = (10.0 - d) * self._offset[nodes] / 9
            by_5 = -3 * float(np.exp(3 * w[5])) * w[7] * ones
            yield 1, nodes, [(4, w[7] * ones), (5, by_5), (6, (w[7] - 1) * change), (7, p.target - d + w[6] * change)]

    def _log_decay_slope(self, nodes: Union[slice, Ints]) -> Floats:
        """Return R ln(1 + x) at some nodes, a factor of the derivative of R by w20."""
        slope: Floats = self.lost[nodes] + 1.0
        slope *= self.log_recall[nodes]
        return slope

    def _gradient(self, p: _Parameters, by_predicted: Floats) -> Floats:
        self._compute_slopes(p)
        layout = self.layout
        gradient = np.zeros(PARAMETERS)
        # The derivatives of the loss by S' and D'.
        by_stability, by_difficulty = by_state = np.zeros((2, layout.size), self.precision)
        for chunk in chunks(self.trie.n_queries, CHUNK):
            time, s, log = self._at_query[:, chunk]
            by_recall = by_predicted[chunk]
            slope = _recall_slope(time, s, self._predicted[chunk])
            slope *= by_recall
            gradient[20] -= p.by_factor * slope.sum() + (by_recall * self._predicted[chunk]) @ log
            slope *= p.w[20]
            slope /= s
            np.add.at(by_stability, self.trie.query_node[chunk], slope.astype(self.precision, copy=False))
        for start, _, _, stop, _ in reversed(layout.bounds):
            np.add.at(by_stability, layout.parent[start:stop], by_stability[start:stop] * self.by_s[start:stop])
        for chunk in layout.chunks:
            np.add.at(by_difficulty, layout.parent[chunk], by_stability[chunk] * self._by_d[chunk])
        for start, _, _, stop, _ in reversed(layout.bounds):
            np.add.at(by_difficulty, layout.parent[start:stop], by_difficulty[start:stop] * self.keep[start:stop])
        by_stability *= self._stability_is_free
        by_difficulty *= self._difficulty_is_free
        for row, nodes, derivatives in self._by_parameter(p):
            node_slopes = by_state[row, nodes]
            for index, derivative in derivatives:
                gradient[index] += node_slopes @ derivative
        return gradient[: len(p.given)]

    def _jacobian(self, p: _Parameters) -> Floats:
        self._compute_slopes(p)
        layout = self.layout
        w = p.w
        # The rows are the derivatives of S' by w0 to w20, and those of D' by w4 to w7.
        state = np.zeros((PARAMETERS + 4, layout.size), self.precision)
        stability = state[:PARAMETERS]
        for row, nodes, derivatives in self._by_parameter(p):
            for index, derivative in derivatives:
                state[index + (PARAMETERS - 4) * row, nodes] = derivative
        if not self._stability_is_free.all():
            stability *= self._stability_is_free
        state[PARAMETERS:] *= self._difficulty_is_free
        for start, _, _, stop, _ in layout.bounds:
            parent_slopes = state.take(layout.parent[start:stop], axis=1)
            slopes = state[:, start:stop]
            by_difficulty = parent_slopes[PARAMETERS:]
            np.add(slopes[4:8], self._by_d[start:stop] * by_difficulty, slopes[4:8])
            np.multiply(by_difficulty, self.keep[start:stop], by_difficulty)
            np.multiply(parent_slopes[:PARAMETERS], self.by_s[start:stop], parent_slopes[:PARAMETERS])
            np.add(slopes, parent_slopes, slopes)
        jacobian: Floats = stability.take(self.trie.query_node, axis=1)
        time, s, log = self._at_query
        recall_slope = _recall_slope(time, s, self._predicted)
        jacobian *= w[20] * recall_slope / s
        jacobian[20] -= p.by_factor * recall_slope + self._predicted * log
        return jacobian[: len(p.given)]
