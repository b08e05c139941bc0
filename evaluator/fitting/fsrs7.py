"""FSRS-7 on a trie, derived by hand: what :mod:`evaluator.fitting.recurrence` does, several times as fast.

The same curve predicts a review and decides how it changes the state. So the unit of computation is an *event*: a
review some time after a history, which is a query of the trie, leads to one of its nodes, or both. Intervals to the
second are hardly ever the same twice, so nearly every event is both. Within a level the events that were passed come
first, then the lapses, then those that lead to no node; so each branch of the formula works on neighbors, and only the
states before them have to be gathered. Derivatives are taken of a chunk of neighbors at a time, of several levels where
these are short, so that they stay in a processor's cache. Backwards, four numbers per event are carried from level to
level; the sums for the parameters follow from these chunk by chunk, as each derivative by a parameter is a sum of a few
quantities times values known before the event. Forwards, for the Jacobian, the derivatives of an event by all
parameters lie side by side.

The formulas are those of :mod:`evaluator.algorithms.fsrs7`, which stay the statement of what is right; the tests hold
both ways against each other. Derivatives are by the logarithms of the stabilities. Symbols: L, K, E before an event,
with E = D - 10; L', K', E' after it; R the recall at it, R1 that of the short curve alone, R2 that of the long one;
x = f t / S. Pairs of rows are (long, short). N events with the roots of the trie before them, M queries.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import List, Tuple

import numpy as np

from ..algorithms.fsrs7 import DECAYS, MARGIN, MAX_LOG_STRETCH, MIN_STABILITY, SHORT_SHARE
from ..algorithms.fsrs_state import MAX_STABILITY
from ..data.histories import Trie
from ..data.reviews import COMPACT_INT
from ..data.revlog import Ints
from ..derivatives import Floats
from .fsrs import Bools
from .replay import AnalyticReplay, Precision, empty_rows, in_precision, precision_for

PARAMETERS = 34
#: A logarithm that leaves room, in single precision, for days times the reciprocal of a stability.
LARGE_IN_SINGLE_PRECISION = 64.0
MIX = 1 - 2 * MARGIN
#: Of L, K and E.
MIN_STATE = np.array([[MIN_STABILITY], [MIN_STABILITY], [-9.0]])
MAX_STATE = np.array([[MAX_STABILITY], [MAX_STABILITY], [0.0]])
#: Events per chunk of derivatives: in single precision, a chunk stays in a processor's cache.
CHUNK = 16_384
#: What a parameter that may be 0 is at least, so that derivatives can be divided by it.
TINY = 1e-12
#: Events per multiplication: few enough that BLAS does not use several threads.
AT_ONCE = 2_048
#: The upper limit of a stretch, minus what single precision loses.
MAX_STRETCH = 0.999999 * float(np.exp(MAX_LOG_STRETCH))
LONG, SHORT = 7, 15  #: first parameter of each of the two blocks that change a stability at a review

#: The rows of a sweep, in an order in which one call computes many. Of a pair the first row has a name.
R2, GAP, R1 = range(3)  # GAP = (R2 - R1) share, with share = v2 / (v1 + v2)
ONE, AGAIN, HARD, EASY, LOG_LONG, LOG_SHORT, E = range(3, 10)  # 1, and whether it was answered so; ln L, ln K
R, GROWTH, KEEP = 10, 11, 13  # GROWTH = S' / S - 1 of what was passed, a pair; E' = drift + KEEP E
LONG_DECAY, DECAY, RATE, SHARE = 14, 15, 16, 18  # RATE of growth, a pair
X, X_SHORT, STRETCH, GROWN, ROWS = 19, 20, 21, 22, 24  # X = 1 / (1 + x); STRETCH = f1 + 1; GROWN = -ln(1 + x), a pair
KNOWN, MIXED, LINEAR = slice(ONE, R), slice(GAP, AGAIN), slice(KEEP, X_SHORT)
#: Whether an answer was Again, Hard, Easy, by rating.
ANSWERS = np.array([1, 2, 4])[:, None] == np.arange(5)

#: Part of a level: its start, the start of its lapses, the start of its queries, its end, how many
#: lapses there are before it, and whether some of its events follow the same history.
Block = Tuple[int, int, int, int, int, bool]

#: Derivatives by parameters are made of this many quantities: of ln L', of R for a fixed R1, of R1, of ln K', of E'.
OUTCOMES = (slice(0, 3), slice(3, 6), slice(6, 8), slice(8, 11), slice(11, 13))
QUANTITIES = 13


class _Parameters:
    def __init__(self, own: Floats, precision: Precision) -> None:
        self.own = own
        self.w = w = own.tolist()
        #: The parameter that says the stability after each first rating: no later one below an earlier one.
        self.first_from = [0, 0, 0, 0]
        for index in range(1, 4):
            before = self.first_from[index - 1]
            self.first_from[index] = index if w[index] > w[before] else before
        difficulty = w[4] - np.exp(w[5] * (np.arange(5) - 1)) + 1
        self.first = np.ones((3, 5))  #: L, K, E after each first rating
        self.first[:2, 1:] = [w[index] for index in self.first_from]
        self.first[1] *= SHORT_SHARE
        self.first[2] = difficulty - 10.0
        self.change = change = 0.99 * w[6] / 9  #: KEEP = 0.99 - change * what the rating says
        self.drift = np.array(0.01 * difficulty[4] - 0.1)
        self.one, self.short_share = np.array(1.0), np.array(SHORT_SHARE)

        block = np.maximum([w[LONG:SHORT], w[SHORT : SHORT + 8]], TINY)
        self.gain_power, self.gain_recall = block[:, 1, None], block[:, 2, None]
        self.lapse_power, self.lapse_recall = block[:, 4, None], block[:, 5, None]
        gain, lapse, lapse_recall = block[:, 2], np.log(block[:, 3]), block[:, 5]
        hard, easy = np.log(block[:, 6:]).T

        self.log_base = float(np.log(w[25]))
        self.minus_log_base = np.array(-self.log_base)
        self.decay_power = w[33] - 0.3
        extremes = [w[23] * s**self.decay_power for s in (MIN_STABILITY, MAX_STABILITY)]
        #: Whether the short curve's decay may have to be clamped, or its stretch.
        self.clamps = min(extremes) < max(DECAYS[0], -self.log_base / MAX_LOG_STRETCH) or max(extremes) > DECAYS[1]
        self.long_decay = long_decay = min(max(w[24], DECAYS[0]), DECAYS[1])
        self.long_base = max(w[25], w[26])
        self.stretch = float(np.exp(-np.log(self.long_base) / long_decay))
        by_difficulty = w[32] - 0.3  #: in the logarithm of the long curve's time
        share_by_difficulty = w[31] - 0.5  #: in the logarithm of v2 / v1
        start = float(np.log(self.stretch - 1))
        if precision == np.float32:  # with w24 and w26 at their lower bounds, x would become infinite
            start = min(start, LARGE_IN_SINGLE_PRECISION)

        #: By what is KNOWN: KEEP, the long curve's decay, and the logarithms of the short one's, of the two rates of
        #: growth (without 1 - E), of v1 / v2, and of f2 / L times what D does to the long curve's time.
        self.linear = np.array(
            [
                [0.99, 0.0, -change, change, 0.0, 0.0, 0.0],
                [long_decay, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
                [np.log(w[23]), 0.0, 0.0, 0.0, 0.0, self.decay_power, 0.0],
                [w[7] - 1.5, 0.0, hard[0], easy[0], -w[8], 0.0, 0.0],
                [w[15] - 1.5, 0.0, hard[1], easy[1], 0.0, -w[16], 0.0],
                [np.log(w[27] / w[28]) - 5 * share_by_difficulty, 0.0, 0.0, 0.0, -w[30], -w[29], -share_by_difficulty],
                [start + 5 * by_difficulty, 0.0, 0.0, 0.0, -1.0, 0.0, by_difficulty],
            ]
        )
        recall = np.array([[MIX, MIX, MARGIN], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])  # R, R1 and 1 by GAP, R1 and 1
        #: By these: R and how much it takes for growth, as a logarithm; of lapses the logarithms of L' and K', except
        #: what the stabilities before do, and KEEP.
        self.passed = np.array([[1.0, 0.0, 0.0], [-gain[0], 0.0, gain[0]], [0.0, -gain[1], gain[1]]]) @ recall
        forgot = lapse_recall + lapse
        self.lapsed = (
            np.array(
                [
                    [-lapse_recall[0], 0.0, forgot[0]],
                    [0.0, -lapse_recall[1], forgot[1]],
                    [-2.0 * change, 0.0, 0.99 - 0.2 * change],
                ]
            )
            @ recall
        )
        #: d R / d (ln L, ln K, E), for a fixed R1, by d R / d ln x of the long curve and by d R / d ln(v2 / v1).
        self.by_state = np.array(
            [[long_decay, w[30]], [0.0, w[29]], [-long_decay * by_difficulty, share_by_difficulty]]
        )
        in_precision(self, precision)

    @cached_property
    def slopes(self) -> Floats:
        """Return the coefficients of the quantities in the derivatives by parameters, (34, QUANTITIES, KNOWN).

        Each is the sum of some of the quantities, times known values, times these; see :meth:`FSRS7Replay._local`.
        """
        w, slopes = self.w, np.zeros((PARAMETERS, QUANTITIES, 7))
        item, again, hard, easy, log_long, log_short, e = range(7)
        pull, by_share, faded, by_decay, base = range(3, 8)
        stretched = self.stretch / (self.stretch - 1)
        slopes[24, pull, item] = -stretched * float(np.log(self.long_base)) / self.long_decay
        slopes[26 if w[26] > w[25] else 25, pull, item] = stretched / self.long_base
        slopes[32, pull, [e, item]] = -self.long_decay, -5 * self.long_decay
        slopes[[27, 28], by_share, item] = -1 / w[27], 1 / w[28]
        slopes[[29, 30, 31], by_share, [log_short, log_long, e]] = 1.0
        slopes[31, by_share, item] = 5.0
        slopes[24, faded, item] = 1.0
        slopes[23, by_decay, item], slopes[33, by_decay, log_short] = 1 / w[23], 1.0
        slopes[25, base, item] += 1 / w[25]
        for grew, first, log in ((0, LONG, log_long), (8, SHORT, log_short)):
            by_recall, forgot = grew + 1, grew + 2
            lapse_recall = max(w[first + 5], TINY)
            slopes[[first, first + 1], grew, [item, log]] = 1.0, -1.0
            slopes[[first + 6, first + 7], grew, [hard, easy]] = 1 / max(w[first + 6], TINY), 1 / w[first + 7]
            slopes[first + 3, by_recall, again] = -1 / (lapse_recall * w[first + 3])
            slopes[first + 2, forgot, [item, again]] = -1 / w[first + 2], 1 / w[first + 2]
            slopes[first + 5, forgot, again] = -1 / lapse_recall
        moved, answered = 11, 12
        slopes[6, moved, e] = -1 / w[6]
        slopes[[4, 5], answered, item] = 0.01, -0.03 * np.exp(3 * w[5])
        return slopes


@dataclass(frozen=True)
class Events:
    """The events of a trie, level by level after its roots; arrays of length N except the last two.

    It takes less memory than the trie, which need not be kept for it.
    """

    roots: int
    source: Ints  #: the event that led to the history before; of the roots 0, which means nothing
    elapsed: Floats  #: days since then, in the precision in which all is computed; of the roots 0
    rating: Ints  #: 0 if the answer leads to no node; COMPACT_INT
    ends: Ints  #: ends of the passes, the lapses and the other events of each level after the first
    of_query: Ints  #: the event of each query, (M,)

    @classmethod
    def of(cls, trie: Trie) -> Events:
        """Return the events of all nodes and queries of a trie."""
        roots = int(trie.level_start[1]) if trie.nodes else 0
        also_leads = trie.query_child >= 0
        only_asks = np.flatnonzero(~also_leads)

        level_of = np.repeat(np.arange(len(trie.level_start) - 1, dtype=np.uint16), np.diff(trie.level_start))
        from_node = np.concatenate((trie.parent[roots:], trie.query_node[only_asks]))
        group = 3 * level_of[from_node]
        group[: trie.nodes - roots] += trie.rating[roots:] == 1
        group[trie.nodes - roots :] += 2
        order = np.argsort(group, kind="stable")
        number = np.empty(len(order), dtype=COMPACT_INT)
        number[order] = np.arange(roots, roots + len(order))
        of_node = np.concatenate((np.arange(roots, dtype=COMPACT_INT), number[: trie.nodes - roots]))

        size = roots + len(order)
        precision = precision_for(size)
        elapsed = np.concatenate((trie.elapsed[roots:], trie.query_elapsed[only_asks])).astype(precision, copy=False)
        rating = np.zeros(size, dtype=COMPACT_INT)
        rating[of_node] = trie.rating
        of_query = np.empty(trie.n_queries, dtype=np.int64)
        of_query[also_leads] = number[trie.query_child[also_leads] - roots]
        of_query[only_asks] = number[trie.nodes - roots :]
        return cls(
            roots=roots,
            source=np.append(np.zeros(roots, dtype=np.int64), of_node[from_node[order]]),
            elapsed=np.concatenate((np.zeros(roots, dtype=precision), elapsed[order])),
            rating=rating,
            ends=roots + np.bincount(group, minlength=3 * (len(trie.level_start) - 1)).cumsum(),
            of_query=of_query,
        )

    @property
    def size(self) -> int:
        """Number of events."""
        return len(self.source)

    @cached_property
    def lapses(self) -> Ints:
        """The lapses among them."""
        return np.flatnonzero(self.rating[self.roots :] == 1) + self.roots

    @cached_property
    def chunks(self) -> List[List[Block]]:
        """Blocks of each chunk of events, in level order."""
        roots, ends = self.roots, self.ends.tolist()
        levels, lapses = [roots, *ends[2::3]], 0
        cuts = sorted({*levels, *range(roots, self.size, CHUNK)})
        shared = (np.bincount(self.source[roots:], minlength=1) > 1)[self.source]
        chunks: List[List[Block]] = [[] for _ in range(roots, self.size, CHUNK)]
        for start, stop in zip(cuts, cuts[1:]):
            level = 3 * bisect_right(levels, start)
            lapsed, asks = (min(max(end, start), stop) for end in ends[level - 3 : level - 1])
            block = start, lapsed, asks, stop, lapses, bool(shared[start:stop].any())
            chunks[(start - roots) // CHUNK].append(block)
            lapses += asks - lapsed
        return chunks


class FSRS7Replay(AnalyticReplay):
    """FSRS-7 on a trie, in arrays that are kept from one parameter set to the next."""

    def __init__(self, events: Events) -> None:
        self.events = events
        self.precision = precision = events.elapsed.dtype.type
        most = min(CHUNK, events.size - events.roots)
        self._least, self._most = MIN_STATE.astype(precision), MAX_STATE.astype(precision)
        # L', K', E' before they are held within their limits; side by side, as all are taken from by one call
        self.after = empty_rows(3, events.size, precision)
        self.rows = empty_rows(ROWS, events.size, precision)
        self.rows[ONE] = 1.0
        ANSWERS.astype(precision).take(events.rating, axis=1, out=self.rows[AGAIN : EASY + 1], mode="clip")
        #: For lapses: L and K, ln(S + 1), (S + 1)^power - 1, and S' by the formula.
        self.lapsed = empty_rows(8, len(events.lapses), precision)

        # L, K, E for one block after the other; ingredients of the derivatives for one chunk after the other
        self._before, local = empty_rows(1, 3 * most, precision)[0], empty_rows(28, most, precision)
        self._quantities, (self._pause_jobs, self._short_by_state, _) = np.split(local[:16], (QUANTITIES,))
        self._pairs = local[:16].reshape(2, 8, -1)[:, :3]  #: quantities of ln L' and of ln K'
        self._through = local[16:].reshape(4, 3, -1)  # d (ln L', ln K', E', R) / d (ln L, ln K, E)
        self._to = empty_rows(4, events.size, precision)  # d L / d (ln L', ln K', E', R)
        self._predicted: Floats = np.zeros(0)

    def parameters(self, w: Floats) -> _Parameters:
        return _Parameters(w, self.precision)

    def forward(self, p: _Parameters) -> Floats:
        """Return the probability of recall at each query, (M,)."""
        if self.at is p:
            return self._predicted
        self.at, events = p, self.events
        p.first.take(events.rating[: events.roots], axis=1, out=self.after[:, : events.roots], mode="clip")
        for chunk in events.chunks:
            for *block, _ in chunk:
                self._forward(p, *block)
        self._predicted = self.rows[R].take(events.of_query).astype(np.float64, copy=False)
        return self._predicted

    def _forward(self, p: _Parameters, start: int, lapses: int, asks: int, stop: int, number: int) -> None:
        rows = self.rows[:, start:stop]
        before: Floats = self._before[: 3 * (stop - start)].reshape(3, -1)
        after = self.after[:, start:stop]
        decay, share, stretch = rows[DECAY], rows[SHARE], rows[STRETCH]
        inverse, x, grown, curves = rows[SHARE:STRETCH], rows[X:STRETCH], rows[GROWN:], rows[R2 : R1 + 1 : 2]
        self.after.take(self.events.source[start:stop], axis=1, out=before, mode="clip")
        np.maximum(before, self._least, out=before)
        np.minimum(before, self._most, out=before)
        np.log(before[:2], rows[LOG_LONG : LOG_SHORT + 1])
        np.copyto(rows[E], before[2])
        np.matmul(p.linear, rows[KNOWN], rows[LINEAR])
        np.exp(rows[DECAY:X_SHORT], rows[DECAY:X_SHORT])
        if p.clamps:
            np.clip(decay, *DECAYS, out=decay)
        np.divide(p.minus_log_base, decay, stretch)
        if p.clamps:
            np.minimum(stretch, MAX_LOG_STRETCH, out=stretch)
        np.exp(stretch, stretch)
        np.subtract(stretch, p.one, x[1])
        np.divide(x[1], before[1], x[1])
        np.multiply(x, self.events.elapsed[start:stop], x)
        np.add(inverse, p.one, inverse)
        np.reciprocal(inverse, inverse)
        np.log(x, grown)  # log1p takes longer, and what it adds in precision is lost in R
        np.multiply(grown, rows[LONG_DECAY:RATE], curves)
        np.exp(curves, curves)
        np.subtract(curves[0], curves[1], rows[GAP])
        np.multiply(rows[GAP], share, rows[GAP])
        np.matmul(p.passed, rows[MIXED], rows[R:KEEP])
        if lapses > start:
            span = slice(0, lapses - start)
            self._pass(p, rows[:, span], before[:2, span], after[:, span])
        if asks > lapses:
            span = slice(lapses - start, asks - start)
            lapsed = self.lapsed[:, number : number + asks - lapses].reshape(4, 2, -1)
            self._lapse(p, rows[:, span], before[:2, span], after[:, span], lapsed)
        np.multiply(rows[E], rows[KEEP], after[2])
        np.add(after[2], p.drift, after[2])

    def _pass(self, p: _Parameters, rows: Floats, before: Floats, after: Floats) -> None:
        growth, rate, stability, spare = rows[GROWTH:KEEP], rows[RATE:SHARE], after[:2], after[2]
        np.exp(growth, growth)
        np.subtract(growth, p.one, growth)
        np.subtract(p.one, rows[E], spare)
        np.multiply(rate, spare, rate)
        np.multiply(growth, rate, growth)
        np.multiply(growth, before, stability)
        np.add(stability, before, stability)

    def _lapse(self, p: _Parameters, rows: Floats, before: Floats, after: Floats, lapsed: Floats) -> None:
        stability, log, power, formula = lapsed
        np.copyto(stability, before)
        np.log1p(before, log)
        np.multiply(log, p.lapse_power, power)
        np.expm1(power, power)
        np.matmul(p.lapsed, rows[MIXED], rows[GROWTH : KEEP + 1])
        np.exp(rows[GROWTH:KEEP], rows[GROWTH:KEEP])
        np.multiply(rows[GROWTH:KEEP], power, formula)
        np.minimum(before, formula, out=after[:2])
        np.multiply(after[0], p.short_share, after[2])
        np.minimum(after[1], after[2], out=after[1])

    def _local(self, p: _Parameters, chunk: List[Block]) -> slice:
        """Fill in the derivatives of each outcome in a chunk by the state before it, and the quantities.

        Returns which events these are.
        """
        (start, *_), (_, last, asks, stop, before, _) = chunk[0], chunk[-1]
        rows, into, lapses = self.rows[:, start:stop], slice(0, stop - start), slice(chunk[0][4], before + asks - last)
        self._curve_slopes(p, rows, into)

        # ln L' and ln K', as if no event was a lapse
        quantities, (grew, by_recall, by_forgetting) = self._quantities[:, into], self._pairs[:, :, into].swapaxes(0, 1)
        ratio: Floats = 1.0 / (rows[GROWTH:KEEP] + 1.0)
        np.multiply(rows[GROWTH:KEEP], ratio, grew)
        np.multiply(rows[RATE:SHARE], ratio, by_recall)
        by_recall += grew
        by_recall *= -p.gain_recall
        grew *= 1.0 - rows[AGAIN]  # a lapse has left something else there
        by_s: Floats = 1.0 - grew * p.gain_power

        self._lapses = self.events.lapses[lapses]
        at = self._lapses - start
        s, log, power, formula = self.lapsed.reshape(4, 2, -1)[:, :, lapses]
        below = formula < s
        lowered = np.minimum(s, formula)
        self._capped = at[lowered[1] > SHORT_SHARE * lowered[0]]  #: events with K' held below L'
        by_power = (power + 1.0) / power
        self._by_power = below * by_power * log
        of_lapses = np.where(below, p.lapse_power * by_power * (s / (s + 1.0)), 1.0), -p.lapse_recall * below
        for everywhere, of_lapse in zip((*by_s, *by_recall), (row for rows in of_lapses for row in rows)):
            everywhere[at] = of_lapse
        self._e_by_recall = rows[E] * rows[AGAIN]
        self._e_by_recall *= -2.0 * p.change
        np.multiply(by_recall, 1.0 - rows[R :: R1 - R], by_forgetting)  # R, R1
        np.subtract(0.99, rows[KEEP], quantities[11])
        quantities[12] = 1.0

        long, short, difficulty, recall = self._through[:, :, into]
        by_e: Floats = grew / (rows[E] - 1.0)
        np.multiply(recall, by_recall[0], long)
        long[0] += by_s[0]
        long[2] += by_e[0]
        short[0] = 0.0
        np.multiply(self._short_by_state[into], by_recall[1], short[1])
        short[1] += by_s[1]
        short[2] = by_e[1]
        np.multiply(recall, self._e_by_recall, difficulty)
        difficulty[2] += rows[KEEP]
        short[:, self._capped] = long[:, self._capped]

        #: states held at a limit, and states that are not
        self._held = [
            (row, own.astype(long.dtype)) for row, own in enumerate(self._free(slice(start, stop))) if not own.all()
        ]
        for row, own in self._held:
            self._through[row, :, into] *= own
        return slice(start, stop)

    def _free(self, span: slice) -> Bools:
        """Return whether the states after some events are within their limits, (3, n)."""
        after = self.after[:, span]
        free: Bools = (after >= self._least) & (after <= self._most)
        return free

    def _curve_slopes(self, p: _Parameters, rows: Floats, into: slice) -> None:
        """Fill in how R and R1 change with ln L, ln K and E, and the quantities that they are made of."""
        r1, decay, share, stretch = rows[R1], rows[DECAY], rows[SHARE], rows[STRETCH]
        grown, short_grown = rows[GROWN:]
        z = 1.0 - rows[X:STRETCH]
        rest, short_by_state = self._pause_jobs[into], self._short_by_state[into]
        pull, by_share, faded, by_decay, base = self._quantities[3:8, into]
        np.multiply(z[1], stretch, base)  # d R1 / d ln w25
        base /= stretch - 1.0
        base *= r1
        if p.clamps:
            base *= stretch < MAX_STRETCH
        np.multiply(decay, r1, short_by_state)
        np.multiply(short_grown, short_by_state, by_decay)  # d R1 / d ln(decay)
        by_decay -= base * p.log_base
        if p.clamps:
            by_decay *= (decay > DECAYS[0]) & (decay < DECAYS[1])
        short_by_state *= z[1]
        short_by_state += p.decay_power * by_decay

        np.subtract(1.0, share, rest)
        rest *= MIX
        np.multiply(rows[GAP], rest, by_share)  # d R / d ln(v2 / v1)
        np.multiply(rows[R2], share, pull)  # d R / d ln x of the long curve, except its decay
        pull *= MIX
        np.multiply(pull, grown, faded)  # d R / d decay of the long curve, for a fixed x
        pull *= z[0]
        recall = self._through[3, :, into]
        np.matmul(p.by_state, self._quantities[3:5, into], recall)
        recall[1] += rest * short_by_state

    def backward(self, p: _Parameters, by_predicted: Floats) -> Floats:
        """Return the gradient (34,) of L from d L / d predicted (M,)."""
        self.forward(p)
        events, to, roots = self.events, self._to, slice(0, self.events.roots)
        to[:, : events.size] = 0.0
        to[3][events.of_query] = by_predicted.astype(self.precision)
        gradient, sums = np.zeros(PARAMETERS), np.zeros((QUANTITIES, 7))
        for chunk in reversed(events.chunks):
            span = self._local(p, chunk)
            start, into = span.start, slice(0, span.stop - span.start)
            for begin, _, _, end, _, shared in reversed(chunk):
                source = events.source[begin:end]
                back = np.einsum("oin,on->in", self._through[:, :, begin - start : end - start], to[:, begin:end])
                for own, row in zip(to, back):
                    if shared:
                        np.add.at(own, source, row)
                    else:
                        own[source] = row
            long, short, difficulty, recall = to[:, span]
            for row, own in self._held:
                to[row, span] *= own
            long[self._capped] += short[self._capped]
            short[self._capped] = 0.0
            for index, row, by_power in zip((LONG + 4, SHORT + 4), to, self._by_power):
                gradient[index] += row[self._lapses] @ by_power
            quantities, known = self._quantities[:, into], self.rows[KNOWN, span]
            recall += long * quantities[1]
            recall += difficulty * self._e_by_recall
            of_short = recall * self._pause_jobs[into] + short * quantities[9]
            for own, outcome in zip(OUTCOMES, (long, recall, of_short, short, difficulty)):
                quantities[own] *= outcome
            for begin in range(0, into.stop, AT_ONCE):
                part = slice(begin, begin + AT_ONCE)
                sums += quantities[:, part] @ known[:, part].T
        gradient += np.einsum("pqk,qk->p", p.slopes, sums)

        long, short, difficulty = to[:3, roots] * self._free(roots)
        first = np.bincount(events.rating[roots], long + short, minlength=5)
        np.add.at(gradient, p.first_from, first[1:] / p.first[0, 1:])
        steps = events.rating[roots] - 1.0
        gradient[4] += difficulty.sum()
        gradient[5] += difficulty @ (-steps * np.exp(p.w[5] * steps))
        return gradient

    def jacobian(self, p: _Parameters) -> Floats:
        """d predicted / d parameters at each query, (34, M)."""
        self.forward(p)
        events, roots = self.events, slice(0, self.events.roots)
        state, before, added = self._tangents
        state[roots] = 0.0
        for rating, index in enumerate(p.first_from, start=1):
            state[roots, :2, index] += (events.rating[roots] == rating)[:, None] / p.w[index]
        steps = events.rating[roots] - 1.0
        state[roots, 2, 4] = 1.0
        state[roots, 2, 5] = -steps * np.exp(p.w[5] * steps)
        state[roots, :3] *= self._free(roots).T[:, :, None]

        quantity, known = np.nonzero(p.slopes.any(axis=0))
        slopes = p.slopes[:, quantity, known].T.astype(self.precision)
        recall, of_short, short, difficulty = np.searchsorted(quantity, [own.start for own in OUTCOMES[1:]])
        for chunk in events.chunks:
            every = self._local(p, chunk)
            start, stop = every.start, every.stop
            for begin in range(start, stop, AT_ONCE // 4):
                end = min(begin + AT_ONCE // 4, stop)
                span, own = slice(begin, end), self._quantities[:, begin - start : end - start]
                terms = own[quantity] * self.rows[KNOWN, span][known]
                np.matmul(terms[difficulty:].T, slopes[difficulty:], state[span, 2])
                of_k = terms[of_short:difficulty].copy()
                of_k[: short - of_short] *= own[9]
                np.matmul(of_k.T, slopes[of_short:difficulty], state[span, 1])
                terms[of_short:short] *= self._pause_jobs[begin - start : end - start]
                np.matmul(terms[recall:short].T, slopes[recall:short], state[span, 3])
                state[span, 2, 23:] += self._e_by_recall[begin - start : end - start, None] * state[span, 3, 23:]
                terms[recall:short] *= own[1]
                np.matmul(terms[:short].T, slopes[:short], state[span, 0])
            state[self._lapses, 0, LONG + 4], state[self._lapses, 1, SHORT + 4] = self._by_power
            state[start + self._capped, 1] = state[start + self._capped, 0]
            for row, own in self._held:
                state[start + np.flatnonzero(own == 0), row] = 0.0
            through = np.ascontiguousarray(self._through[:, :, : stop - start].transpose(2, 0, 1))
            for begin, _, _, end, *_ in chunk:
                state.take(events.source[begin:end], axis=0, out=before[: end - begin], mode="clip")
                np.matmul(through[begin - start : end - start], before[: end - begin, :3], added[: end - begin])
                state[begin:end] += added[: end - begin]
        jacobian: Floats = state.reshape(-1, PARAMETERS).take(4 * events.of_query + 3, axis=0).T
        return jacobian

    @cached_property
    def _tangents(self) -> List[Floats]:
        """Buffers for d (ln L', ln K', E', R) / d parameters: of all events, before a block, and what they add."""
        most = max((end - begin for chunk in self.events.chunks for begin, _, _, end, *_ in chunk), default=0)
        made = empty_rows(self.events.size + 2 * most, 4 * PARAMETERS, self.precision).reshape(-1, 4, PARAMETERS)
        return np.split(made, (self.events.size, self.events.size + most))
