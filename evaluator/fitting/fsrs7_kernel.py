"""Hand-derived kernel of FSRS-7, several times as fast as :mod:`evaluator.fitting.recurrence`.

The derivation, with all symbols, is in ``README.md`` of this folder. The formulas in
:mod:`evaluator.algorithms.fsrs7` remain the reference, and tests compare both.

The same curve predicts a review and decides how it changes the state. So the unit of computation is an *event*, a
review some time after a history. An event is a query of the trie, leads to one of its nodes, or both. Exact intervals
hardly ever occur twice, so nearly every event is both. Within a level, the passes come first, then the lapses, then
the events that lead to no node. So each branch of the formula works on neighbors, and only the states before them have
to be gathered. Derivatives are computed for a chunk of neighbors at a time, of several levels if these are short, so
that they fit into a processor's cache.

A pair of rows is (long, short). N is the number of events including the roots of the trie, and M that of queries.
"""

from __future__ import annotations

from functools import cached_property
from typing import List, Tuple

import numpy as np

from ..algorithms.algorithm import Recurrent
from ..algorithms.fsrs5 import first_difficulty
from ..algorithms.fsrs7 import DECAYS, MARGIN, MAX_LOG_STRETCH, MIN_STABILITY, SHORT_SHARE
from ..algorithms.fsrs_state import MAX_STABILITY
from ..data.histories import Trie
from ..data.reviews import COMPACT_INT
from ..data.revlog import Bools
from ..derivatives import Floats
from .replay import HandDerivedReplay, convert_arrays, precision_for

PARAMETERS = 34
#: Largest logarithm of f2. Above it, days divided by a stability could overflow in single precision.
LARGE_IN_SINGLE_PRECISION = 64.0
#: Number of events in a chunk of derivatives. In single precision, a chunk fits into the processor's cache.
CHUNK = 16_384
#: Number of events in a matrix multiplication. It is so small that BLAS does not start threads.
AT_ONCE = 2_048
#: Smallest value of a parameter by which derivatives are divided.
TINY = 1e-12
#: Largest stretch, minus the rounding of single precision.
MAX_STRETCH = 0.999999 * float(np.exp(MAX_LOG_STRETCH))
#: Factor of the mixture of the curves in R.
MIX = 1 - 2 * MARGIN
#: First of the eight parameters that change L at a review.
LONG = 7
#: First of the eight parameters that change K at a review.
SHORT = 15

# The rows of a sweep, in an order in which one call computes many. Only the first row of a pair has a name.
R2 = 0
GAP = 1  #: a (R2 - R1)
R1 = 2
ONE = 3  #: always 1
AGAIN = 4  #: 1 for events with this rating, otherwise 0
HARD = 5
EASY = 6
LOG_L = 7
LOG_K = 8
E = 9
R = 10
GROWTH = 11  #: g of passes, a pair
KEEP = 13  #: k
M2 = 14
M1 = 15
RATE = 16  #: q, a pair
SHARE = 18  #: a
Y2 = 19
Y1 = 20
STRETCH = 21  #: s1
LOG_Y = 22  #: a pair
ROWS = 24  #: number of rows
KNOWN = slice(ONE, R)
MIXED = slice(GAP, AGAIN)
LINEAR = slice(KEEP, Y1)

# The quantities in the derivatives by parameters. The first three are of ln L'.
GREW = 0  #: g / (1 + g)
BY_RECALL = 1  #: d ln S' / d R
BY_FORGETTING = 2  #: d ln S' / d ln(1 - R), which is 1 - R times BY_RECALL
# The next three are of R for a fixed R1.
BY_LOG_X2 = 3  #: without its factor -m2
BY_LOG_V = 4
BY_M2 = 5
# Two are of R1.
BY_LOG_M1 = 6
BY_LOG_B1 = 7
OF_K = 8  #: first quantity of ln K', whose three are in the order of those of ln L'
# Two are of E'.
MOVED = 11
ANSWERED = 12
QUANTITIES = 13  #: number of quantities
#: The quantities of each outcome, which are ln L', R for a fixed R1, R1, ln K' and E'.
OUTCOMES = (slice(0, 3), slice(3, 6), slice(6, 8), slice(8, 11), slice(11, 13))

#: Part of a level, as five numbers of events: its start, the start of its lapses, the start of its events that lead to
#: no node, its end, and the number of lapses before it.
Block = Tuple[int, int, int, int, int]


class _Parameters:
    """The parameters, and all values that depend on them alone.

    Single numbers are arrays too, because NumPy starts twice as fast with an array as with a Python number.
    """

    def __init__(self, values: Floats, precision: type) -> None:
        self.w = w = values.tolist()
        #: Index of the parameter that is L after each first rating. It is the largest one up to that rating.
        self.first_from = [max(range(rating), key=w.__getitem__) for rating in (1, 2, 3, 4)]
        difficulty = first_difficulty(w, np.arange(5))
        #: L, K and E after each first rating.
        self.first = np.ones((3, 5))
        self.first[:2, 1:] = [w[index] for index in self.first_from]
        self.first[1] *= SHORT_SHARE
        self.first[2] = difficulty - 10.0
        self.change = change = 0.99 * w[6] / 9
        self.drift = np.array(0.01 * difficulty[4] - 0.1)
        self.unit = np.array(1.0)
        self.short_share = np.array(SHORT_SHARE)

        block = np.maximum([w[LONG:SHORT], w[SHORT : SHORT + 8]], TINY)
        self.gain_power = block[:, 1, None]
        self.gain_recall = block[:, 2, None]
        self.lapse_power = block[:, 4, None]
        self.lapse_recall = block[:, 5, None]
        gain = block[:, 2]
        lapse = np.log(block[:, 3])
        lapse_recall = block[:, 5]
        hard, easy = np.log(block[:, 6:]).T

        self.log_b1 = float(np.log(w[25]))
        self.minus_log_b1 = np.array(-self.log_b1)
        self.m1_power = w[33] - 0.3
        extremes = [w[23] * k**self.m1_power for k in (MIN_STABILITY, MAX_STABILITY)]
        #: Whether m1 or s1 can reach a limit. Checking this for each event would take a twentieth of the time.
        self.may_reach_limit = (
            min(extremes) < max(DECAYS[0], -self.log_b1 / MAX_LOG_STRETCH) or max(extremes) > DECAYS[1]
        )
        self.m2 = m2 = min(max(w[24], DECAYS[0]), DECAYS[1])
        self.b2 = max(w[25], w[26])
        self.s2 = float(np.exp(-np.log(self.b2) / m2))
        x2_by_difficulty = w[32] - 0.3
        v_by_difficulty = w[31] - 0.5
        log_f2 = float(np.log(self.s2 - 1))
        # With w24 and w26 at their lower bounds, x would become infinite in single precision.
        if precision == np.float32:
            log_f2 = min(log_f2, LARGE_IN_SINGLE_PRECISION)

        #: Coefficients by the rows KNOWN of k, m2, and the logarithms of m1, both q without 1 - E, v1 / v2, and x2 / t.
        self.linear = np.array(
            [
                [0.99, 0.0, -change, change, 0.0, 0.0, 0.0],
                [m2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
                [np.log(w[23]), 0.0, 0.0, 0.0, 0.0, self.m1_power, 0.0],
                [w[7] - 1.5, 0.0, hard[0], easy[0], -w[8], 0.0, 0.0],
                [w[15] - 1.5, 0.0, hard[1], easy[1], 0.0, -w[16], 0.0],
                [np.log(w[27] / w[28]) - 5 * v_by_difficulty, 0.0, 0.0, 0.0, -w[30], -w[29], -v_by_difficulty],
                [log_f2 + 5 * x2_by_difficulty, 0.0, 0.0, 0.0, -1.0, 0.0, x2_by_difficulty],
            ]
        )
        # Coefficients by GAP, R1 and 1 of R, R1 and 1.
        recall = np.array([[MIX, MIX, MARGIN], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        #: Coefficients by the rows MIXED of R and the exponents of both growths. Those of ``lapsed`` are of k and the
        #: logarithms of both F, without the terms of the stabilities before.
        self.passed = np.array([[1.0, 0.0, 0.0], [-gain[0], 0.0, gain[0]], [0.0, -gain[1], gain[1]]]) @ recall
        forgot = lapse_recall + lapse
        lapsed = [
            [-lapse_recall[0], 0.0, forgot[0]],
            [0.0, -lapse_recall[1], forgot[1]],
            [-2.0 * change, 0.0, 0.99 - 0.2 * change],
        ]
        self.lapsed = np.array(lapsed) @ recall
        #: Coefficients by BY_LOG_X2 and BY_LOG_V of d R / d (ln L, ln K, E) for a fixed R1.
        self.by_state = np.array([[m2, w[30]], [0.0, w[29]], [-m2 * x2_by_difficulty, v_by_difficulty]])
        convert_arrays(self, precision)

    @cached_property
    def slopes(self) -> Floats:
        """Coefficients of the derivatives by parameters (34, 13, 7).

        The derivative by a parameter is the sum of quantity * known value * coefficient over all pairs.
        """
        w = self.w
        slopes = np.zeros((PARAMETERS, QUANTITIES, 7))
        constant, again, hard, easy, log_l, log_k, e = range(7)
        stretched = self.s2 / (self.s2 - 1)
        slopes[24, BY_LOG_X2, constant] = -stretched * float(np.log(self.b2)) / self.m2
        slopes[26 if w[26] > w[25] else 25, BY_LOG_X2, constant] = stretched / self.b2
        slopes[32, BY_LOG_X2, [e, constant]] = -self.m2, -5 * self.m2
        slopes[[27, 28], BY_LOG_V, constant] = -1 / w[27], 1 / w[28]
        slopes[[29, 30, 31], BY_LOG_V, [log_k, log_l, e]] = 1.0
        slopes[31, BY_LOG_V, constant] = 5.0
        slopes[24, BY_M2, constant] = 1.0
        slopes[23, BY_LOG_M1, constant] = 1 / w[23]
        slopes[33, BY_LOG_M1, log_k] = 1.0
        slopes[25, BY_LOG_B1, constant] += 1 / w[25]
        for first_quantity, first, log_s in ((0, LONG, log_l), (OF_K, SHORT, log_k)):
            grew = first_quantity + GREW
            by_recall = first_quantity + BY_RECALL
            by_forgetting = first_quantity + BY_FORGETTING
            lapse_recall = max(w[first + 5], TINY)
            slopes[[first, first + 1], grew, [constant, log_s]] = 1.0, -1.0
            slopes[[first + 6, first + 7], grew, [hard, easy]] = 1 / max(w[first + 6], TINY), 1 / w[first + 7]
            slopes[first + 3, by_recall, again] = -1 / (lapse_recall * w[first + 3])
            slopes[first + 2, by_forgetting, [constant, again]] = -1 / w[first + 2], 1 / w[first + 2]
            slopes[first + 5, by_forgetting, again] = -1 / lapse_recall
        slopes[6, MOVED, e] = -1 / w[6]
        slopes[[4, 5], ANSWERED, constant] = 0.01, -0.03 * np.exp(3 * w[5])
        return slopes


class Events:
    """The events of a trie, level by level after its roots.

    Arrays have length N unless stated otherwise. They take less memory than the trie, which can then be released.
    """

    def __init__(self, trie: Trie) -> None:
        self.n_roots = n_roots = int(trie.level_start[1]) if trie.n_nodes else 0
        n_later = trie.n_nodes - n_roots
        has_child = trie.query_child >= 0
        childless = np.flatnonzero(~has_child)

        level_of_node = np.repeat(np.arange(len(trie.level_start) - 1, dtype=np.uint16), np.diff(trie.level_start))
        from_node = np.concatenate((trie.parent[n_roots:], trie.query_node[childless]))
        group = 3 * level_of_node[from_node]
        group[:n_later] += trie.rating[n_roots:] == 1
        group[n_later:] += 2
        order = np.argsort(group, kind="stable")
        number = np.empty(len(order), dtype=COMPACT_INT)
        number[order] = np.arange(n_roots, n_roots + len(order))
        of_node = np.concatenate((np.arange(n_roots, dtype=COMPACT_INT), number[:n_later]))

        self.size = size = n_roots + len(order)
        precision = precision_for(size)
        elapsed = np.concatenate((trie.elapsed[n_roots:], trie.query_elapsed[childless])).astype(precision, copy=False)
        #: The event that led to the history before. The value of the roots has no meaning.
        self.source = np.append(np.zeros(n_roots, dtype=np.int64), of_node[from_node[order]])
        #: Days since that event, in the precision of all computations.
        self.elapsed: Floats = np.concatenate((np.zeros(n_roots, dtype=precision), elapsed[order]))
        #: The rating, or 0 if the event leads to no node.
        self.rating = np.zeros(size, dtype=COMPACT_INT)
        self.rating[of_node] = trie.rating
        self.lapses = np.flatnonzero(self.rating[n_roots:] == 1) + n_roots
        # Ends of the passes, the lapses and the other events of each level after the first, one after the other.
        ends = n_roots + np.bincount(group, minlength=3 * (len(trie.level_start) - 1)).cumsum()
        #: The event of each query (M,).
        self.of_query = np.empty(trie.n_queries, dtype=np.int64)
        self.of_query[has_child] = number[trie.query_child[has_child] - n_roots]
        self.of_query[childless] = number[n_later:]
        #: The blocks of each chunk of events, in level order.
        self.chunks: List[List[Block]] = [[] for _ in range(n_roots, size, CHUNK)]
        start = n_roots
        lapses = 0
        for passes_end, lapses_end, level_end in ends.reshape(-1, 3).tolist():
            while start < level_end:
                chunk, n_used = divmod(start - n_roots, CHUNK)
                stop = min(level_end, start + CHUNK - n_used)
                first_lapse = min(max(passes_end, start), stop)
                first_query = min(max(lapses_end, start), stop)
                self.chunks[chunk].append((start, first_lapse, first_query, stop, lapses))
                lapses += first_query - first_lapse
                start = stop


class FSRS7Replay(HandDerivedReplay):
    """FSRS-7 on a trie."""

    def __init__(self, _: Recurrent, trie: Trie) -> None:
        self.events = events = Events(trie)
        self.precision = precision = events.elapsed.dtype.type
        super().__init__(lambda w: _Parameters(w, precision))
        chunk_size = min(CHUNK, events.size - events.n_roots)
        #: Smallest and largest L, K and E = D - 10.
        self._min = np.array([[MIN_STABILITY], [MIN_STABILITY], [-9.0]], precision)
        self._max = np.array([[MAX_STABILITY], [MAX_STABILITY], [0.0]], precision)
        # L', K' and E' before their limits are in one array, so that one call can gather all three.
        self.after = np.empty((3, events.size), precision)
        self.rows = np.empty((ROWS, events.size), precision)
        self.rows[ONE] = 1.0
        self.rows[AGAIN : EASY + 1] = events.rating == np.array([[1], [2], [4]])
        #: S, ln(S + 1), (S + 1)^p - 1 and F of the lapses, each a pair.
        self.lapsed = np.empty((4, 2, len(events.lapses)), precision)

        # The states before a block, and the ingredients of the derivatives of a chunk. The next one overwrites them.
        self._states_before_block = np.empty(3 * chunk_size, precision)
        local = np.empty((16, chunk_size), precision)
        self._quantities = local[:QUANTITIES]
        self._by_r1 = local[QUANTITIES]
        self._r1_by_log_k = local[QUANTITIES + 1]
        self._pairs = local.reshape(2, OF_K, -1)[:, :3]  #: quantities of ln L' and of ln K'
        # d (ln L', ln K', E', R) / d (ln L, ln K, E), and d loss / d (ln L', ln K', E', R).
        self._by_state = np.empty((4, 3, chunk_size), precision)
        self._outer = np.empty((4, events.size), precision)

    def _sweep_forward(self, p: _Parameters) -> Floats:
        events = self.events
        p.first.take(events.rating[: events.n_roots], axis=1, out=self.after[:, : events.n_roots], mode="clip")
        for chunk in events.chunks:
            for start, first_lapse, first_query, stop, lapses in chunk:
                rows = self.rows[:, start:stop]
                after = self.after[:, start:stop]
                state: Floats = self._states_before_block[: 3 * (stop - start)].reshape(3, -1)
                self.after.take(events.source[start:stop], axis=1, out=state, mode="clip")
                np.maximum(state, self._min, out=state)
                np.minimum(state, self._max, out=state)
                self._compute_curves(p, rows, state, events.elapsed[start:stop])
                if first_lapse > start:
                    span = slice(0, first_lapse - start)
                    self._compute_passes(p, rows[:, span], state[:2, span], after[:, span])
                if first_query > first_lapse:
                    span = slice(first_lapse - start, first_query - start)
                    lapsed = self.lapsed[:, :, lapses : lapses + first_query - first_lapse]
                    self._compute_lapses(p, rows[:, span], state[:2, span], after[:, span], lapsed)
                np.multiply(rows[E], rows[KEEP], after[2])
                np.add(after[2], p.drift, after[2])
        predicted: Floats = self.rows[R].take(events.of_query).astype(np.float64, copy=False)
        return predicted

    def _compute_curves(self, p: _Parameters, rows: Floats, state: Floats, elapsed: Floats) -> None:
        """Compute both curves, R, and all other values that do not depend on the rating."""
        m1 = rows[M1]
        stretch = rows[STRETCH]
        log_y = rows[LOG_Y:]
        ratios = rows[SHARE:STRETCH]
        x = rows[Y2:STRETCH]
        curves = rows[R2 : R1 + 1 : 2]
        np.log(state[:2], rows[LOG_L : LOG_K + 1])
        np.copyto(rows[E], state[2])
        np.matmul(p.linear, rows[KNOWN], rows[LINEAR])
        np.exp(rows[M1:Y1], rows[M1:Y1])
        if p.may_reach_limit:
            np.clip(m1, *DECAYS, out=m1)
        np.divide(p.minus_log_b1, m1, stretch)
        if p.may_reach_limit:
            np.minimum(stretch, MAX_LOG_STRETCH, out=stretch)
        np.exp(stretch, stretch)
        np.subtract(stretch, p.unit, x[1])
        np.divide(x[1], state[1], x[1])
        np.multiply(x, elapsed, x)
        # The ratios v1 / v2, x2 and x1 become a, y2 and y1, which are 1 / (1 + ratio).
        np.add(ratios, p.unit, ratios)
        np.reciprocal(ratios, ratios)
        # log1p would take longer, and its additional precision would be lost in R.
        np.log(x, log_y)
        np.multiply(log_y, rows[M2:RATE], curves)
        np.exp(curves, curves)
        np.subtract(curves[0], curves[1], rows[GAP])
        np.multiply(rows[GAP], rows[SHARE], rows[GAP])
        np.matmul(p.passed, rows[MIXED], rows[R:KEEP])

    def _compute_passes(self, p: _Parameters, rows: Floats, state: Floats, after: Floats) -> None:
        """Compute g and S' = S (1 + g) of both stabilities after passes."""
        growth = rows[GROWTH:KEEP]
        rate = rows[RATE:SHARE]
        stability = after[:2]
        spare = after[2]
        np.exp(growth, growth)
        np.subtract(growth, p.unit, growth)
        np.subtract(p.unit, rows[E], spare)
        np.multiply(rate, spare, rate)
        np.multiply(growth, rate, growth)
        np.multiply(growth, state, stability)
        np.add(stability, state, stability)

    def _compute_lapses(self, p: _Parameters, rows: Floats, state: Floats, after: Floats, lapsed: Floats) -> None:
        """Compute F, L' = min(L, F) and K' = min(K, F, 0.8 L') after lapses."""
        stability, log, power, formula = lapsed
        np.copyto(stability, state)
        np.log1p(state, log)
        np.multiply(log, p.lapse_power, power)
        np.expm1(power, power)
        np.matmul(p.lapsed, rows[MIXED], rows[GROWTH : KEEP + 1])
        np.exp(rows[GROWTH:KEEP], rows[GROWTH:KEEP])
        np.multiply(rows[GROWTH:KEEP], power, formula)
        np.minimum(state, formula, out=after[:2])
        np.multiply(after[0], p.short_share, after[2])
        np.minimum(after[1], after[2], out=after[1])

    def _compute_slopes(self, p: _Parameters, chunk: List[Block]) -> Tuple[int, int]:
        """Compute the quantities of a chunk, and the derivatives of its outcomes by the states before them.

        Returns:
            The first event of the chunk, and the one after its last.
        """
        start, _, _, _, lapses_before = chunk[0]
        _, first_lapse, first_query, stop, lapses = chunk[-1]
        rows = self.rows[:, start:stop]
        local_span = slice(0, stop - start)
        self._compute_curve_slopes(p, rows, local_span)
        by_s, by_recall = self._compute_stability_slopes(p, rows, local_span)
        self._set_lapse_slopes(p, start, slice(lapses_before, lapses + first_query - first_lapse), by_s, by_recall)
        quantities = self._quantities[:, local_span]
        grew, _, by_forgetting = self._pairs[:, :, local_span].swapaxes(0, 1)
        np.multiply(by_recall, 1.0 - rows[R :: R1 - R], by_forgetting)
        np.subtract(0.99, rows[KEEP], quantities[MOVED])
        quantities[ANSWERED] = 1.0
        self._e_by_recall = rows[E] * rows[AGAIN]
        self._e_by_recall *= -2.0 * p.change

        long, short, difficulty, recall = self._by_state[:, :, local_span]
        by_e: Floats = grew / (rows[E] - 1.0)
        np.multiply(recall, by_recall[0], long)
        long[0] += by_s[0]
        long[2] += by_e[0]
        short[0] = 0.0
        np.multiply(self._r1_by_log_k[local_span], by_recall[1], short[1])
        short[1] += by_s[1]
        short[2] = by_e[1]
        np.multiply(recall, self._e_by_recall, difficulty)
        difficulty[2] += rows[KEEP]
        short[:, self._capped] = long[:, self._capped]
        # Rows in which some states are at a limit, and which states are not.
        is_free_by_row = enumerate(self._free_states(slice(start, stop)))
        self._limited = [(row, is_free) for row, is_free in is_free_by_row if not is_free.all()]
        for row, is_free in self._limited:
            self._by_state[row, :, local_span] *= is_free
        return start, stop

    def _compute_curve_slopes(self, p: _Parameters, rows: Floats, local_span: slice) -> None:
        """Compute the derivatives of R and R1 by ln L, ln K and E, and the quantities of R and R1."""
        r1 = rows[R1]
        m1 = rows[M1]
        share = rows[SHARE]
        stretch = rows[STRETCH]
        log_y2, log_y1 = rows[LOG_Y:]
        z2, z1 = 1.0 - rows[Y2:STRETCH]
        by_r1 = self._by_r1[local_span]
        r1_by_log_k = self._r1_by_log_k[local_span]
        by_log_x2, by_log_v, by_m2, by_log_m1, by_log_b1 = self._quantities[BY_LOG_X2:OF_K, local_span]
        np.multiply(z1, stretch, by_log_b1)
        by_log_b1 /= stretch - 1.0
        by_log_b1 *= r1
        if p.may_reach_limit:
            by_log_b1 *= stretch < MAX_STRETCH
        np.multiply(m1, r1, r1_by_log_k)
        np.multiply(log_y1, r1_by_log_k, by_log_m1)
        by_log_m1 -= by_log_b1 * p.log_b1
        if p.may_reach_limit:
            by_log_m1 *= (m1 > DECAYS[0]) & (m1 < DECAYS[1])
        r1_by_log_k *= z1
        r1_by_log_k += p.m1_power * by_log_m1

        np.subtract(1.0, share, by_r1)
        by_r1 *= MIX
        np.multiply(rows[GAP], by_r1, by_log_v)
        np.multiply(rows[R2], share, by_log_x2)
        by_log_x2 *= MIX
        np.multiply(by_log_x2, log_y2, by_m2)
        by_log_x2 *= z2
        recall = self._by_state[3, :, local_span]
        np.matmul(p.by_state, self._quantities[BY_LOG_X2 : BY_LOG_V + 1, local_span], recall)
        recall[1] += by_r1 * r1_by_log_k

    def _compute_stability_slopes(self, p: _Parameters, rows: Floats, local_span: slice) -> Tuple[Floats, Floats]:
        """Return d ln S' / d ln S and d ln S' / d R of L and K (2, n), as if no event were a lapse."""
        grew, by_recall, _ = self._pairs[:, :, local_span].swapaxes(0, 1)
        ratio: Floats = 1.0 / (rows[GROWTH:KEEP] + 1.0)
        np.multiply(rows[GROWTH:KEEP], ratio, grew)
        np.multiply(rows[RATE:SHARE], ratio, by_recall)
        by_recall += grew
        by_recall *= -p.gain_recall
        # The rows of lapses hold other values than g.
        grew *= 1.0 - rows[AGAIN]
        by_s: Floats = 1.0 - grew * p.gain_power
        return by_s, by_recall

    def _set_lapse_slopes(self, p: _Parameters, start: int, lapses: slice, by_s: Floats, by_recall: Floats) -> None:
        """Replace the derivatives of the lapses of a chunk. ``lapses`` are their indices among all lapses."""
        self._lapses = self.events.lapses[lapses]
        lapse_indices = self._lapses - start
        s, log, power, formula = self.lapsed[:, :, lapses]
        is_lowered = formula < s
        new_s = np.minimum(s, formula)
        self._capped = lapse_indices[new_s[1] > SHORT_SHARE * new_s[0]]  #: events whose K' is limited by L'
        by_power = (power + 1.0) / power
        self._by_power = is_lowered * by_power * log  #: d ln S' / d (parameter of the power of S + 1)
        by_s[:, lapse_indices] = np.where(is_lowered, p.lapse_power * by_power * (s / (s + 1.0)), 1.0)
        by_recall[:, lapse_indices] = -p.lapse_recall * is_lowered

    def _free_states(self, span: slice) -> Bools:
        """Return which of L', K' and E' after some events are within their limits (3, n)."""
        after = self.after[:, span]
        is_free: Bools = (after >= self._min) & (after <= self._max)
        return is_free

    def _gradient(self, p: _Parameters, by_predicted: Floats) -> Floats:
        self._replay(p)
        events = self.events
        outer = self._outer
        roots = slice(0, events.n_roots)
        outer.fill(0.0)
        outer[3][events.of_query] = by_predicted.astype(self.precision)
        gradient = np.zeros(PARAMETERS)
        sums = np.zeros((QUANTITIES, 7))
        for chunk in reversed(events.chunks):
            start, stop = self._compute_slopes(p, chunk)
            span = slice(start, stop)
            local_span = slice(0, stop - start)
            for begin, _, _, end, _ in reversed(chunk):
                by_state = self._by_state[:, :, begin - start : end - start]
                for target, source_terms in zip(outer, np.einsum("oin,on->in", by_state, outer[:, begin:end])):
                    np.add.at(target, events.source[begin:end], source_terms)
            long, short, difficulty, recall = outer[:, span]
            for row, is_free in self._limited:
                outer[row, span] *= is_free
            long[self._capped] += short[self._capped]
            short[self._capped] = 0.0
            for index, by_outcome, by_power in zip((LONG + 4, SHORT + 4), (long, short), self._by_power):
                gradient[index] += by_outcome[self._lapses - start] @ by_power
            quantities = self._quantities[:, local_span]
            known = self.rows[KNOWN, span]
            recall += long * quantities[BY_RECALL]
            recall += difficulty * self._e_by_recall
            of_r1 = recall * self._by_r1[local_span] + short * quantities[OF_K + BY_RECALL]
            for of_outcome, by_outcome in zip(OUTCOMES, (long, recall, of_r1, short, difficulty)):
                quantities[of_outcome] *= by_outcome
            for begin in range(0, local_span.stop, AT_ONCE):
                batch = slice(begin, begin + AT_ONCE)
                sums += quantities[:, batch] @ known[:, batch].T
        gradient += np.einsum("pqk,qk->p", p.slopes, sums)

        long, short, difficulty = outer[:3, roots] * self._free_states(roots)
        first = np.bincount(events.rating[roots], long + short, minlength=5)
        np.add.at(gradient, p.first_from, first[1:] / p.first[0, 1:])
        steps = events.rating[roots] - 1.0
        gradient[4] += difficulty.sum()
        gradient[5] += difficulty @ (-steps * np.exp(p.w[5] * steps))
        return gradient

    def _jacobian(self, p: _Parameters) -> Floats:
        self._replay(p)
        events = self.events
        roots = slice(0, events.n_roots)
        # The derivatives of ln L', ln K', E' and R of each event by the parameters.
        state: Floats = np.empty((events.size, 4, PARAMETERS), self.precision)
        state[roots] = 0.0
        for rating, index in enumerate(p.first_from, start=1):
            state[roots, :2, index] += (events.rating[roots] == rating)[:, None] / p.w[index]
        steps = events.rating[roots] - 1.0
        state[roots, 2, 4] = 1.0
        state[roots, 2, 5] = -steps * np.exp(p.w[5] * steps)
        state[roots, :3] *= self._free_states(roots).T[:, :, None]

        quantity, known = np.nonzero(p.slopes.any(axis=0))
        slopes = p.slopes[:, quantity, known].T.astype(self.precision)
        recall, of_r1, short, difficulty = np.searchsorted(quantity, [outcome.start for outcome in OUTCOMES[1:]])
        for chunk in events.chunks:
            start, stop = self._compute_slopes(p, chunk)
            for begin in range(start, stop, AT_ONCE // 4):
                end = min(begin + AT_ONCE // 4, stop)
                span = slice(begin, end)
                local_span = slice(begin - start, end - start)
                quantities = self._quantities[:, local_span]
                terms = quantities[quantity] * self.rows[KNOWN, span][known]
                np.matmul(terms[difficulty:].T, slopes[difficulty:], state[span, 2])
                of_k = terms[of_r1:difficulty].copy()
                of_k[: short - of_r1] *= quantities[OF_K + BY_RECALL]
                np.matmul(of_k.T, slopes[of_r1:difficulty], state[span, 1])
                terms[of_r1:short] *= self._by_r1[local_span]
                np.matmul(terms[recall:short].T, slopes[recall:short], state[span, 3])
                state[span, 2, 23:] += self._e_by_recall[local_span, None] * state[span, 3, 23:]
                terms[recall:short] *= quantities[BY_RECALL]
                np.matmul(terms[:short].T, slopes[:short], state[span, 0])
            state[self._lapses, 0, LONG + 4], state[self._lapses, 1, SHORT + 4] = self._by_power
            state[start + self._capped, 1] = state[start + self._capped, 0]
            for row, is_free in self._limited:
                state[start + np.flatnonzero(~is_free), row] = 0.0
            by_state = np.ascontiguousarray(self._by_state[:, :, : stop - start].transpose(2, 0, 1))
            for begin, _, _, end, _ in chunk:
                parent_state = state.take(events.source[begin:end], axis=0)
                state[begin:end] += by_state[begin - start : end - start] @ parent_state[:, :3]
        recall_of_query: Floats = state.reshape(-1, PARAMETERS).take(4 * events.of_query + 3, axis=0)
        return recall_of_query.T
