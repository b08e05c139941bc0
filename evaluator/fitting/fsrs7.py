"""FSRS-7 on a trie, derived by hand: what :mod:`evaluator.fitting.recurrence` does, several times as fast.

The same curve tells what a review is predicted to be and how it changes the state. So what is worked out is not nodes
and places, but *events*: a review some time after a history, which is a place of the trie, leads to one of its nodes,
or both. Intervals to the second are hardly ever the same twice, so nearly every event is both. Within a level the
events that were passed come first, then the lapses, then those that lead to no node; so each branch of the formula
works on neighbours, and only the states before them have to be gathered. Derivatives are taken of a chunk of neighbours
at a time, of several levels where these are short, so that they stay in a processor's cache. Backwards, four numbers
per event are carried from level to level; the sums for the parameters follow from these chunk by chunk, as each
derivative by a parameter is a sum of a few quantities times what is known before the event.

The formulas are those of :mod:`evaluator.algorithms.fsrs7`, which stay the statement of what is right; the tests hold
both ways against each other. Derivatives are by the logarithms of the stabilities. Symbols: L, K, D before an event;
L', K', D' after it; R the recall at it, R1 that of the short curve alone, R2 that of the long one; x = f t / S. Pairs
of rows are (long, short). N events with the roots of the trie before them, M places.
"""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

import numpy as np

from ..algorithms.fsrs7 import DECAYS, FSRS7, MARGIN, MIN_STABILITY, MOST_LOG_STRETCH, SHORT_SHARE
from ..algorithms.fsrs_state import MAX_STABILITY
from ..derivatives import Floats
from ..histories import Trie
from ..revlog import Ints
from .fsrs import LEAST_DIFFICULTY, MOST_DIFFICULTY, Bools
from .replay import Linearisation, Precision, Replay, Workspace

PARAMETERS = 34
#: With at least so many events derivatives are taken in single precision, which takes half the time. With few, as in
#: a deck of its own, the search could end a little elsewhere for it.
SINGLE_PRECISION_FROM = 20_000
#: A logarithm that leaves room, in single precision, for days times the reciprocal of a stability.
LARGE_IN_SINGLE_PRECISION = 64.0
MIX = 1 - 2 * MARGIN
LEAST = np.array([[MIN_STABILITY], [MIN_STABILITY], [LEAST_DIFFICULTY]])
MOST = np.array([[MAX_STABILITY], [MAX_STABILITY], [MOST_DIFFICULTY]])
#: Events of which derivatives are taken together: in single precision, what stays in a processor's cache.
CHUNK = 16_384
#: What a parameter that may be 0 is at least, so that derivatives can be divided by it.
TINY = 1e-12
#: How many rows a sweep's known numbers have, and of how many quantities derivatives by parameters are made.
KNOWN, QUANTITIES = 7, 13
#: Events of which these are multiplied at a time: so few that BLAS does not divide them among threads.
AT_ONCE = 2_048
MOST_STRETCH = float(np.exp(MOST_LOG_STRETCH))
LONG, SHORT = 7, 15  #: where the two blocks of parameters begin that say how a review changes a stability


def is_plain_fsrs_7(algorithm: FSRS7) -> bool:
    """Whether the algorithm's formulas are those of FSRS-7, and no subclass has replaced one of them."""
    formulas = ("first", "step", "recall")
    plain = all(getattr(type(algorithm), f) is getattr(FSRS7, f) for f in formulas)
    return plain and len(algorithm.parameters) == PARAMETERS


class _Parameters:
    """The parameters, and what follows from them alone."""

    def __init__(self, own: Floats, precision: Precision) -> None:
        #: Numbers as NumPy takes them most quickly.
        self.one, self.ten, self.eleven, self.mix, self.margin = map(np.array, (1.0, 10.0, 11.0, MIX, MARGIN))
        self.own = own
        self.w = w = [float(value) for value in own]
        #: The parameter that says the stability after each first rating: no later one below an earlier one.
        self.first_from = [0, 0, 0, 0]
        for index in range(1, 4):
            before = self.first_from[index - 1]
            self.first_from[index] = index if w[index] > w[before] else before
        first = [w[index] for index in self.first_from]
        self.first_stability = np.array([1.0, *first]) * np.array([[1.0], [SHORT_SHARE]])  #: by row and rating
        self.first_difficulty = w[4] - np.exp(w[5] * (np.arange(5) - 1)) + 1
        self.change = 0.99 * w[6] / 9  #: D' = mean + keep (D - 10), with keep = 0.99 - change * what the rating says
        self.mean = np.array(9.9 + 0.01 * float(self.first_difficulty[4]))

        block = np.maximum([w[LONG:SHORT], w[SHORT : SHORT + 8]], TINY)[:, :, None]
        self.gain_power, self.gain_recall = block[:, 1], block[:, 2]
        self.lapse, self.lapse_power, self.lapse_recall = block[:, 3], block[:, 4], block[:, 5]
        hard, easy = np.log(block[:, 6:, 0]).T

        self.log_base = float(np.log(w[25]))
        self.minus_log_base = np.array(-self.log_base)
        self.decay_power = w[33] - 0.3
        extremes = [w[23] * s**self.decay_power for s in (MIN_STABILITY, MAX_STABILITY)]
        #: Whether the short curve's decay may have to be clamped, or its stretch.
        self.clamps = min(extremes) < max(DECAYS[0], -self.log_base / MOST_LOG_STRETCH) or max(extremes) > DECAYS[1]
        long_decay = min(max(w[24], DECAYS[0]), DECAYS[1])
        self.long_decay = np.array(long_decay)
        self.long_base = max(w[25], w[26])
        self.stretch = float(np.exp(-np.log(self.long_base) / long_decay))
        by_difficulty = w[32] - 0.3  #: of the logarithm of the long curve's time
        share_by_difficulty = w[31] - 0.5  #: of the logarithm of v2 / v1
        start = float(np.log(self.stretch - 1))
        if precision == np.float32:  # where w24 and w26 are at their least, x would become infinite
            start = min(start, LARGE_IN_SINGLE_PRECISION)

        #: The logarithms of some quantities by what is KNOWN: the short curve's decay, v1 / v2, the two rates of
        #: growth (without 11 - D), and f2 / L times what D does to the long curve's time.
        self.known = np.array(
            [
                [0.0, self.decay_power, 0.0, np.log(w[23]), 0.0, 0.0, 0.0],
                [-w[30], -w[29], -share_by_difficulty, np.log(w[27] / w[28]) + 5 * share_by_difficulty, 0.0, 0.0, 0.0],
                [-w[8], 0.0, 0.0, w[7] - 1.5, 0.0, hard[0], easy[0]],
                [0.0, -w[16], 0.0, w[15] - 1.5, 0.0, hard[1], easy[1]],
                [-1.0, 0.0, by_difficulty, start - 5 * by_difficulty, 0.0, 0.0, 0.0],
            ]
        )
        #: d R / d (ln L, ln K, D), by d R / d ln x of the long curve, by d R / d ln(v2 / v1) and by that of R1.
        self.by_state = np.array(
            [
                [long_decay, w[30], 0.0],
                [0.0, w[29], 1.0],
                [-long_decay * by_difficulty, share_by_difficulty, 0.0],
            ]
        )
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray) and value is not own:
                setattr(self, name, value.astype(precision))

    def slopes(self) -> Floats:
        """How the derivatives by parameters are put together, (34, quantities, KNOWN), see :meth:`_Sweep._quantities`.

        Each is the sum of some of the quantities, times what is known, times these.
        """
        w, long_decay, slopes = self.w, float(self.long_decay), np.zeros((PARAMETERS, QUANTITIES, KNOWN))
        log_long, log_short, d, one, again, hard, easy = range(KNOWN)
        pull, by_share, faded, by_decay, base = range(5)
        stretched = self.stretch / (self.stretch - 1)
        slopes[24, pull, one] = -stretched * float(np.log(self.long_base)) / long_decay
        slopes[26 if w[26] > w[25] else 25, pull, one] = stretched / self.long_base
        slopes[32, pull, [d, one]] = -long_decay, 5 * long_decay
        slopes[[27, 28], by_share, one] = -1 / w[27], 1 / w[28]
        slopes[[29, 30, 31], by_share, [log_short, log_long, d]] = 1.0
        slopes[31, by_share, one] = -5.0
        slopes[24, faded, one] = 1.0
        slopes[23, by_decay, one], slopes[33, by_decay, log_short] = 1 / w[23], 1.0
        slopes[25, base, one] += 1 / w[25]
        for row, first, log in ((0, LONG, log_long), (1, SHORT, log_short)):
            growth, by_recall, forgot = 5 + row, 7 + row, 9 + row
            lapse_recall = max(w[first + 5], TINY)
            slopes[[first, first + 1], growth, [one, log]] = 1.0, -1.0
            slopes[[first + 6, first + 7], growth, [hard, easy]] = 1 / max(w[first + 6], TINY), 1 / w[first + 7]
            slopes[first + 3, by_recall, again] = -1 / (lapse_recall * w[first + 3])
            slopes[first + 2, forgot, [one, again]] = -1 / w[first + 2], 1 / w[first + 2]
            slopes[first + 5, forgot, again] = -1 / lapse_recall
        moved, answered = 11, 12
        slopes[6, moved, [d, one]] = -1 / w[6], 10 / w[6]
        slopes[[4, 5], answered, one] = 0.01, -0.03 * np.exp(3 * w[5])
        return slopes


class _Events:
    """The events of a trie, level by level, after its roots."""

    def __init__(self, trie: Trie) -> None:
        self.roots = roots = int(trie.level_start[1]) if trie.nodes else 0
        also_leads = trie.place_child >= 0
        only_asks = np.flatnonzero(~also_leads)

        level_of = np.repeat(np.arange(len(trie.level_start) - 1), np.diff(trie.level_start))
        from_node = np.concatenate((trie.parent[roots:], trie.place_node[only_asks]))
        kind = np.concatenate((np.where(trie.rating[roots:] > 1, 0, 1), np.full(len(only_asks), 2)))
        group = 3 * level_of[from_node] + kind
        order = np.argsort(group.astype(np.uint16), kind="stable")
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.arange(roots, roots + len(order))
        event_of_node = np.concatenate((np.arange(roots), number[: trie.nodes - roots]))

        self.size = roots + len(order)
        self.source: Ints = np.concatenate((np.zeros(roots, dtype=np.int64), event_of_node[from_node[order]]))
        elapsed = np.concatenate((trie.elapsed[roots:], trie.place_elapsed[only_asks]))
        self.elapsed: Floats = np.concatenate((np.zeros(roots), elapsed[order]))
        rating = np.concatenate((trie.rating[roots:], np.zeros(len(only_asks), dtype=np.int64)))
        self.rating: Ints = np.concatenate((trie.rating[:roots], rating[order]))
        self.place: Ints = np.empty(trie.places, dtype=np.int64)  #: the event of each place
        self.place[also_leads] = number[trie.place_child[also_leads] - roots]
        self.place[only_asks] = number[trie.nodes - roots :]
        self.lapses: Ints = np.flatnonzero(self.rating[roots:] == 1) + roots

        bounds = roots + np.searchsorted(group[order], np.arange(3 * (int(group.max(initial=-1)) // 3 + 1) + 1))
        starts = np.arange(roots, self.size, CHUNK)
        cuts = np.union1d(bounds[::3], starts)
        begin, end = cuts[:-1], cuts[1:]
        level = 3 * np.searchsorted(bounds[::3], begin, side="right")
        lapsed, asks = np.clip((bounds[level - 2], bounds[level - 1]), begin, end)
        blocks = np.column_stack((begin, lapsed, asks, end)).tolist()
        #: Of each chunk its blocks, parts of one level each: where a block begins, where its lapses begin, where those
        #: begin that only ask, and where it ends.
        first = np.searchsorted(begin, starts).tolist()
        self.chunks: List[List[List[int]]] = [blocks[a:b] for a, b in zip(first, [*first[1:], len(blocks)])]


class FSRS7Replay(Replay):
    """FSRS-7 on a trie, in arrays that are kept from one parameter set to the next."""

    def __init__(self, trie: Trie, room: Optional[Workspace] = None) -> None:
        self.trie = trie
        self._events = _Events(trie)
        self._room = room
        self._sweeps: Dict[Precision, _Sweep] = {}

    def predict(self, w: Floats) -> Floats:
        return self._sweep(np.float64).linearise(w).predicted

    def linearise(self, w: Floats) -> FSRS7Linearisation:
        return self._sweep(np.float32 if self._events.size >= SINGLE_PRECISION_FROM else np.float64).linearise(w)

    def _sweep(self, precision: Precision) -> _Sweep:
        if precision not in self._sweeps:
            self._sweeps[precision] = _Sweep(self._events, self._room or Workspace(self._events.size), precision)
        return self._sweeps[precision]


class _Chunk:
    """Some neighbouring events, of which derivatives are taken together, and their blocks."""

    def __init__(self, on: _Sweep, blocks: List[List[int]]) -> None:
        start, stop = blocks[0][0], blocks[-1][-1]
        self.here, self.size = slice(start, stop), stop - start
        numbers = np.searchsorted(on.events.lapses, (start, stop))
        self.lapses = slice(*numbers.tolist())  #: among all lapses
        self.lapsed = on.events.lapses[self.lapses]
        self.lapsed_here = self.lapsed - start
        self.blocks: List[_Block] = []
        number = int(numbers[0])
        for block in blocks:
            self.blocks.append(_Block(on, self, block, number))
            number += block[2] - block[1]


class _Block:
    """The parts of a sweep's arrays that belong to one block, for the ways through the trie level by level."""

    def __init__(self, on: _Sweep, chunk: _Chunk, bounds: List[int], number: int) -> None:
        """``number``: how many lapses there are before it."""
        start, lapses, asks, stop = bounds
        whole, passed, lapsed, answered = (
            slice(start, stop),
            slice(start, lapses),
            slice(lapses, asks),
            slice(start, asks),
        )
        self.whole = whole
        self.passes, self.lapses = lapses > start, asks > lapses
        self.source, self.elapsed = on.events.source[whole], on.elapsed[whole]
        self.s, self.known = on.s[:, : stop - start], on.known[:, whole]
        self.logs, self.before = self.known[:2], self.known[:3]
        self.powers, self.x, self.grown = on.powers[:, whole], on.x[:, whole], on.grown[:, whole]
        self.decay, self.share = self.powers[:2]
        self.stretch, self.x_short, self.s_short = on.stretch[whole], self.x[1], self.s[1]
        self.curves, (self.long, self.recall, self.short) = on.curves[::2, whole], on.curves[:, whole]
        self.d, self.keep, self.d_after = on.known[2, answered], on.keep[answered], on.after[2, answered]
        if self.passes:
            self.growth, self.rate = on.growth[:, passed], on.powers[2:4, passed]
            self.recall_pass, self.d_pass = on.curves[1:, passed], on.known[2, passed]
            self.s_pass, self.s_after, self.spare = (
                self.s[:, : lapses - start],
                on.after[:2, passed],
                on.after[2, passed],
            )
        if self.lapses:
            self.s_lapse, self.s_lapsed = self.s[:, lapses - start : asks - start], on.after[:2, lapsed]
            self.recall_lapse, self.keep_lapse = on.curves[1:, lapsed], on.keep[lapsed]
            lapse_rows = on.lapse_rows[:, number : number + asks - lapses]
            self.s_kept, self.log_1, self.power, self.formula = (lapse_rows[row : row + 2] for row in (0, 2, 4, 6))
        here = slice(start - chunk.here.start, stop - chunk.here.start)
        self.to, self.through = on.to[:, whole], on.through[:, :, here]

    def forward(self, p: _Parameters, after: Floats, least: Floats, most: Floats) -> None:
        """Fill in the recall at these events and the states after them, from ``after``, the states after all events."""
        known, decay, stretch, share, recall = self.known, self.decay, self.stretch, self.share, self.recall
        x, grown, s = self.x, self.grown, self.s
        for row, before in zip(after, self.before):
            row.take(self.source, out=before, mode="clip")
        np.maximum(self.before, least, out=self.before)
        np.minimum(self.before, most, out=self.before)
        np.copyto(s, self.logs)
        np.log(s, out=self.logs)
        np.matmul(p.known, known, out=self.powers)
        np.exp(self.powers, out=self.powers)
        if p.clamps:
            np.maximum(decay, DECAYS[0], out=decay)
            np.minimum(decay, DECAYS[1], out=decay)
        np.divide(p.minus_log_base, decay, out=stretch)
        if p.clamps:
            np.minimum(stretch, MOST_LOG_STRETCH, out=stretch)
        np.exp(stretch, out=stretch)
        np.subtract(stretch, p.one, out=self.x_short)
        np.divide(self.x_short, self.s_short, out=self.x_short)
        np.multiply(x, self.elapsed, out=x)
        np.add(x, p.one, out=x)
        np.reciprocal(x, out=x)
        np.log(x, out=grown)  # log1p takes longer, and what it adds in precision is lost in R
        np.multiply(grown[0], p.long_decay, out=self.long)
        np.multiply(grown[1], decay, out=self.short)
        np.exp(self.curves, out=self.curves)
        np.add(share, p.one, out=share)
        np.reciprocal(share, out=share)
        np.subtract(self.long, self.short, out=recall)
        np.multiply(recall, share, out=recall)
        np.add(recall, self.short, out=recall)
        np.multiply(recall, p.mix, out=recall)
        np.add(recall, p.margin, out=recall)
        if self.passes:
            self._pass(p)
        if self.lapses:
            self._lapse(p)
        np.subtract(self.d, p.ten, out=self.d_after)
        np.multiply(self.d_after, self.keep, out=self.d_after)
        np.add(self.d_after, p.mean, out=self.d_after)

    def _pass(self, p: _Parameters) -> None:
        """Fill in the stabilities after the events that were passed."""
        growth, rate, s = self.growth, self.rate, self.s_after
        np.subtract(p.one, self.recall_pass, out=growth)
        np.multiply(growth, p.gain_recall, out=growth)
        np.exp(growth, out=growth)
        np.subtract(growth, p.one, out=growth)
        np.subtract(p.eleven, self.d_pass, out=self.spare)
        np.multiply(rate, self.spare, out=rate)
        np.multiply(growth, rate, out=growth)
        np.multiply(growth, self.s_pass, out=s)
        np.add(s, self.s_pass, out=s)

    def _lapse(self, p: _Parameters) -> None:
        """Fill in the stabilities after the lapses, and what D - 10 is then multiplied by."""
        power, formula, (long, short) = self.power, self.formula, self.s_lapsed
        np.copyto(self.s_kept, self.s_lapse)
        np.log1p(self.s_lapse, out=self.log_1)
        np.multiply(self.log_1, p.lapse_power, out=power)
        np.expm1(power, out=power)
        np.subtract(p.one, self.recall_lapse, out=formula)
        np.multiply(formula, p.lapse_recall, out=formula)
        np.exp(formula, out=formula)
        np.multiply(formula, power, out=formula)
        np.multiply(formula, p.lapse, out=formula)
        np.minimum(self.s_lapse, formula, out=self.s_lapsed)
        np.minimum(short, SHORT_SHARE * long, out=short)
        np.multiply(self.recall_lapse[0], -2.0 * p.change, out=self.keep_lapse)
        np.add(self.keep_lapse, 0.99 - 0.2 * p.change, out=self.keep_lapse)

    def back(self, to: Floats) -> None:
        """Hand on to ``to``, of all events, what the outcomes of these mean for L, by the states before them."""
        for into, row in zip(to, np.einsum("oin,on->in", self.through, self.to)):
            np.add.at(into, self.source, row)


class _Sweep:
    """The events' arrays, of one precision, and the ways through them."""

    def __init__(self, events: _Events, room: Workspace, precision: Precision) -> None:
        self.events = events
        self._precision = precision

        def rows(count: int, size: int = events.size) -> Floats:
            return room.rows(count, size, precision)

        self.elapsed: Floats = events.elapsed.astype(precision)
        self._least: Floats = LEAST.astype(precision)
        self._most: Floats = MOST.astype(precision)
        self.after = rows(3)  # L', K', D' before they are held within their limits
        self.known = rows(KNOWN)  # ln L, ln K, D, 1, and whether the answer was Again, Hard, Easy
        self.known[3] = 1.0
        for row, rating in zip(self.known[4:], (1, 2, 4)):
            np.equal(events.rating, rating, out=row)
        quantities = rows(6)
        self.powers, self.x = quantities[:5], quantities[4:]  # decay, share, rates; 1 / (1 + x)
        self.stretch, self.keep = rows(2)  # f1 + 1; D' = mean + keep (D - 10)
        self.grown, self.growth = rows(2), rows(2)  # -ln(1 + x); S' / S - 1 of what was passed
        self.growth.fill(0.0)
        self.curves = rows(3)  # R2, R, R1
        self.to = rows(4)  # d L / d (ln L', ln K', D', R)
        self.lapse_rows = rows(8, len(events.lapses))
        self._s_lapsed, self._log_1, self._power, self._formula = self.lapse_rows.reshape(4, 2, -1)

        # Of one block or chunk after the other: L, K; and what derivatives are made of
        most = max((blocks[-1][-1] - blocks[0][0] for blocks in events.chunks), default=0)
        local = rows(26, most)
        self.through = local[:12].reshape(4, 3, -1)  # d (ln L', ln K', D', R) / d (ln L, ln K, D)
        self._mixed, self.s, self._s_by_recall, self._grew, rest = np.split(local[12:], (3, 5, 7, 9))
        self._by_decay, self._base, self._faded, self._rest, self._short_by_state = rest
        self._chunks = [_Chunk(self, blocks) for blocks in events.chunks]
        self._at: Optional[_Parameters] = None
        self._predicted: Floats = np.zeros(0)

    def linearise(self, w: Floats) -> FSRS7Linearisation:
        """The predictions with parameters ``w`` (P,), which are worked out anew if others were asked for last."""
        at = self._at
        if at is None or not np.array_equal(at.own, w):
            at = _Parameters(w.copy(), self._precision)
        return FSRS7Linearisation(self, at)

    def forward(self, p: _Parameters) -> Floats:
        """Probability of recall at each place, (M,)."""
        if self._at is p:
            return self._predicted
        self._at = p
        events, roots = self.events, slice(0, self.events.roots)
        rating = events.rating[roots]
        self.after[:2, roots], self.after[2, roots] = p.first_stability[:, rating], p.first_difficulty[rating]
        for chunk in self._chunks:
            keep = self.keep[chunk.here]
            np.subtract(self.known[6, chunk.here], self.known[5, chunk.here], out=keep)
            keep *= p.change
            keep += 0.99
            for block in chunk.blocks:
                block.forward(p, self.after, self._least, self._most)
        self._predicted = self.curves[1].take(events.place).astype(np.float64)
        return self._predicted

    def _local(self, p: _Parameters, chunk: _Chunk) -> None:
        """Fill in the derivatives of the outcome of each event of a chunk by what was before it."""
        here, into = chunk.here, slice(0, chunk.size)
        self._curve_slopes(p, here, into)
        by_recall, by_s, by_d = self._pass_slopes(p, here, into)
        self._lapse_slopes(p, chunk, by_recall, by_s)
        long, short, difficulty, recall = self.through[:, :, into]
        np.multiply(recall, by_recall[0], out=long)
        long[0] += by_s[0]
        long[2] += by_d[0]
        short[0] = 0.0
        np.multiply(self._short_by_state[into], by_recall[1], out=short[1])
        short[1] += by_s[1]
        short[2] = by_d[1]
        difficulty[:2] = 0.0
        difficulty[2] = self.keep[here]
        difficulty[:, chunk.lapsed_here] += self._d_by_recall * recall[:, chunk.lapsed_here]
        short[:, self._capped] = long[:, self._capped]

        free = self._free_of(here)
        #: Of which states some are held at a limit, and which are not.
        self._held = [(row, own.astype(long.dtype)) for row, own in enumerate(free) if not own.all()]
        for row, own in self._held:
            self.through[row, :, into] *= own

    def _free_of(self, here: slice) -> Bools:
        """Whether the states after some events are within their limits, (3, n)."""
        after = self.after[:, here]
        free: Bools = (after >= self._least) & (after <= self._most)
        return free

    def _curve_slopes(self, p: _Parameters, here: slice, into: slice) -> None:
        """Fill in how R and R1 change with ln L, ln K and D, and what the derivatives by parameters are made of."""
        long, _, r1 = self.curves[:, here]
        (decay, share), stretch, grown = self.powers[:2, here], self.stretch[here], self.grown[:, here]
        z = 1.0 - self.x[:, here]
        base, by_decay, faded, rest, short_by_s = (
            row[into] for row in (self._base, self._by_decay, self._faded, self._rest, self._short_by_state)
        )
        np.multiply(z[1], stretch, out=base)  # d R1 / d ln w25
        base /= stretch - 1.0
        base *= r1
        if p.clamps:
            base *= stretch < MOST_STRETCH
        np.multiply(decay, r1, out=short_by_s)
        np.multiply(grown[1], short_by_s, out=by_decay)  # d R1 / d ln(decay)
        by_decay -= base * p.log_base
        if p.clamps:
            by_decay *= (decay > DECAYS[0]) & (decay < DECAYS[1])
        short_by_s *= z[1]
        short_by_s += p.decay_power * by_decay

        pull, by_share, through_short = mixed = self._mixed[:, into]
        np.subtract(1.0, share, out=rest)
        rest *= MIX
        np.subtract(long, r1, out=by_share)  # d R / d ln(v2 / v1)
        by_share *= share
        by_share *= rest
        np.multiply(long, share, out=pull)  # d R / d ln x of the long curve, but for its decay
        pull *= MIX
        np.multiply(pull, grown[0], out=faded)  # d R / d decay of the long curve, for a fixed x
        pull *= z[0]
        np.multiply(rest, short_by_s, out=through_short)
        np.matmul(p.by_state, mixed, out=self.through[3, :, into])

    def _pass_slopes(self, p: _Parameters, here: slice, into: slice) -> Tuple[Floats, Floats, Floats]:
        """d (ln L', ln K') / d (R, R1), by (ln L, ln K), and by D, (2, n) each, as if no event was a lapse."""
        grew, by_recall = self._grew[:, into], self._s_by_recall[:, into]
        ratio: Floats = 1.0 / (self.growth[:, here] + 1.0)
        np.subtract(1.0, ratio, out=grew)
        np.multiply(self.powers[2:4, here], ratio, out=by_recall)
        by_recall += grew
        by_recall *= -p.gain_recall
        by_s: Floats = 1.0 - grew * p.gain_power
        return by_recall, by_s, grew / (self.known[2, here] - 11.0)

    def _lapse_slopes(self, p: _Parameters, chunk: _Chunk, by_recall: Floats, by_s: Floats) -> None:
        """Correct that for the lapses, and fill in what only they have."""
        at, number = chunk.lapsed_here, chunk.lapses
        s, power, formula = self._s_lapsed[:, number], self._power[:, number], self._formula[:, number]
        below = formula < s
        lowered = np.minimum(s, formula)
        self._capped = at[lowered[1] > SHORT_SHARE * lowered[0]]  #: where K' is held below L'
        by_power = (power + 1.0) / power
        self._by_power = below * by_power * self._log_1[:, number]
        by_s[:, at] = np.where(below, p.lapse_power * by_power * (s / (s + 1.0)), 1.0)
        by_recall[:, at] = -p.lapse_recall * below
        self._d_by_recall = 2.0 * p.change * (10.0 - self.known[2, chunk.lapsed])

    def _quantities(self, chunk: _Chunk) -> List[Floats]:
        """What the derivatives by parameters are made of, at the n events of a chunk: QUANTITIES arrays (n,).

        Those of R for a fixed R1 (3), of R1 (2), of ln L' and ln K' in turn (6), of D' (2).
        """
        here, into = chunk.here, slice(0, chunk.size)
        by_recall = self._s_by_recall[:, into]
        by_forgetting = by_recall * (1.0 - self.curves[1:, here])
        moved = 0.99 - self.keep[here]
        curves = [*self._mixed[:2, into], *(row[into] for row in (self._faded, self._by_decay, self._base))]
        return [*curves, *self._grew[:, into], *by_recall, *by_forgetting, moved, self.known[3, here]]

    def backward(self, p: _Parameters, by_predicted: Floats) -> Floats:
        """The gradient (34,) of L from d L / d predicted (M,)."""
        self.forward(p)
        events, to, roots = self.events, self.to, slice(0, self.events.roots)
        to.fill(0.0)
        to[3, events.place] = by_predicted
        gradient, sums = np.zeros(PARAMETERS), np.zeros((QUANTITIES, KNOWN))
        for chunk in reversed(self._chunks):
            self._local(p, chunk)
            for block in reversed(chunk.blocks):
                block.back(to[:3])
            into, at = slice(0, chunk.size), chunk.lapsed_here
            long, short, difficulty, recall = to[:, chunk.here]
            for row, own in self._held:
                to[row, chunk.here] *= own
            long[self._capped] += short[self._capped]
            short[self._capped] = 0.0
            gradient[[LONG + 4, SHORT + 4]] += (to[:2, chunk.lapsed] * self._by_power).sum(axis=1)
            recall += long * self._s_by_recall[0, into]
            recall[at] += difficulty[at] * self._d_by_recall
            through_short = recall * self._rest[into] + short * self._s_by_recall[1, into]
            back = 3 * [recall] + 2 * [through_short] + 3 * [long, short] + 2 * [difficulty]
            weighted, known = np.empty((QUANTITIES, chunk.size), recall.dtype), self.known[:, chunk.here]
            for row, outer, inner in zip(weighted, back, self._quantities(chunk)):
                np.multiply(outer, inner, out=row)
            for start in range(0, chunk.size, AT_ONCE):
                part = slice(start, start + AT_ONCE)
                sums += weighted[:, part] @ known[:, part].T
        gradient += np.einsum("pqk,qk->p", p.slopes(), sums)

        long, short, difficulty = to[:3, roots] * self._free_of(roots)
        first = np.bincount(events.rating[roots], long + short, minlength=5)
        np.add.at(gradient, p.first_from, first[1:] / p.first_stability[0, 1:])
        steps = events.rating[roots] - 1.0
        gradient[4] += difficulty.sum()
        gradient[5] += difficulty @ (-steps * np.exp(p.w[5] * steps))
        return gradient

    def jacobian(self, p: _Parameters) -> Floats:
        """d predicted / d parameters at each place, (34, M)."""
        self.forward(p)
        events = self.events
        state: Floats = np.zeros((5, PARAMETERS, events.size), dtype=self.s.dtype)
        long, short, difficulty, recall, of_short = state
        roots = slice(0, events.roots)
        for rating, index in enumerate(p.first_from, start=1):
            state[:2, index, roots] += (events.rating[roots] == rating) / p.w[index]
        steps = events.rating[roots] - 1.0
        difficulty[4, roots] = 1.0
        difficulty[5, roots] = -steps * np.exp(p.w[5] * steps)
        state[:3, :, roots] *= self._free_of(roots)[:, None]

        made_of = 3 * [recall] + 2 * [of_short] + 3 * [long, short] + 2 * [difficulty]
        slopes = p.slopes().astype(self.s.dtype)
        used = [np.flatnonzero(slopes[:, quantity].any(axis=1)) for quantity in range(QUANTITIES)]
        for chunk in self._chunks:
            self._local(p, chunk)
            here = chunk.here
            for own, derivatives, slope, rows in zip(self._quantities(chunk), made_of, slopes.swapaxes(0, 1), used):
                derivatives[rows, here] += own * (slope[rows] @ self.known[:, here])
            into, at = slice(0, chunk.size), chunk.lapsed
            recall[:, here] += self._rest[into] * of_short[:, here]
            long[LONG + 4, at], short[SHORT + 4, at] = self._by_power
            long[:, here] += self._s_by_recall[0, into] * recall[:, here]
            short[:, here] += self._s_by_recall[1, into] * of_short[:, here]
            short[:, here][:, self._capped] = long[:, here][:, self._capped]
            difficulty[:, at] += self._d_by_recall * recall[:, at]
            for row, held in self._held:
                state[row, :, here] *= held
            for block in chunk.blocks:
                before = state[:3].take(block.source, axis=2)
                for own, through in zip(state, block.through):
                    own[:, block.whole] += (before * through[:, None]).sum(axis=0)
        jacobian: Floats = recall.take(events.place, axis=1)
        return jacobian


class FSRS7Linearisation(Linearisation):
    """Predictions of FSRS-7 with given parameters, and how they change with each of them."""

    def __init__(self, sweep: _Sweep, at: _Parameters) -> None:
        self._sweep = sweep
        self._at = at
        self.predicted = sweep.forward(at)

    def gradient(self, by_predicted: Floats) -> Floats:
        return self._sweep.backward(self._at, by_predicted)

    def jacobian(self) -> Floats:
        return self._sweep.jacobian(self._at)
