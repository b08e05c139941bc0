"""FSRS-7 on a trie, derived by hand: what :mod:`evaluator.fitting.recurrence` does, several times as fast.

The same curve tells what a review is predicted to be and how it changes the state. So what is worked out is not nodes
and places, but *events*: a review some time after a history, which is a place of the trie, leads to one of its nodes,
or both. Intervals to the second are hardly ever the same twice, so nearly every event is both. Within a level the
events that were passed come first, then the lapses, then those that lead to no node; so each branch of the formula
works on neighbours, and only the states before them have to be gathered. Backwards, three numbers per event are
carried from level to level; the sums for the parameters follow from these in one go.

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
from .fsrs import LEAST_DIFFICULTY, MOST_DIFFICULTY, ByParameter, chunks
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
        self.w = w = [float(value) for value in own]
        rating = np.arange(5)
        #: The parameter that says the stability after each first rating: no later one below an earlier one.
        self.first_from = [0, 0, 0, 0]
        for index in range(1, 4):
            before = self.first_from[index - 1]
            self.first_from[index] = index if w[index] > w[before] else before
        first = [w[index] for index in self.first_from]
        self.first_stability = np.array([1.0, *first]) * np.array([[1.0], [SHORT_SHARE]])  #: by row and rating
        self.first_difficulty = w[4] - np.exp(w[5] * (rating - 1)) + 1
        self.target = float(self.first_difficulty[4])
        change = -w[6] * (rating - 3) / 9
        self.keep = 0.99 * (1 - change)  #: after a pass D' = keep D + add
        self.add = 0.01 * self.target + 0.99 * 10 * change
        self.lapse_change = 0.99 * 2 * w[6] / 9  #: after a lapse it is moved by this times (R + 0.1) (10 - D)

        block = np.array([w[LONG:SHORT], w[SHORT : SHORT + 8]])[:, :, None]
        self.gain_power, self.gain_recall = block[:, 1], block[:, 2]
        self.lapse, self.lapse_power, self.lapse_recall = block[:, 3], block[:, 4], block[:, 5]
        self.bonus = np.array([[0.0, 0.0, w[o + 6], 1.0, w[o + 7]] for o in (LONG, SHORT)])  #: by row and rating

        self.log_base = float(np.log(w[25]))
        self.decay_power = w[33] - 0.3
        extremes = [w[23] * s**self.decay_power for s in (MIN_STABILITY, MAX_STABILITY)]
        #: Whether the short curve's decay may have to be clamped, or its stretch.
        self.clamps = min(extremes) < max(DECAYS[0], -self.log_base / MOST_LOG_STRETCH) or max(extremes) > DECAYS[1]
        self.long_decay = min(max(w[24], DECAYS[0]), DECAYS[1])
        self.long_base = max(w[25], w[26])
        self.stretch = float(np.exp(-np.log(self.long_base) / self.long_decay))
        self.by_difficulty = w[32] - 0.3  #: of the logarithm of the long curve's time
        self.share_by_difficulty = w[31] - 0.5  #: of the logarithm of v2 / v1

        #: The logarithms of some quantities are ``known`` times (ln L, ln K, D) plus ``constant``: the short curve's
        #: decay, v2 / v1, the two rates of growth (without 11 - D), and f2 times what D does to the long curve's time.
        self.known = np.array(
            [
                [0.0, self.decay_power, 0.0],
                [w[30], w[29], self.share_by_difficulty],
                [-w[8], 0.0, 0.0],
                [0.0, -w[16], 0.0],
                [0.0, 0.0, self.by_difficulty],
            ]
        )
        constant = [np.log(w[23]), np.log(w[28] / w[27]), w[7] - 1.5, w[15] - 1.5, np.log(self.stretch - 1)]
        self.constant = np.array(constant)[:, None]
        self.constant[[1, 4], 0] -= 5 * self.known[[1, 4], 2]
        if precision == np.float32:  # where w24 and w26 are at their least, x would become infinite
            self.constant[4] = np.minimum(self.constant[4], LARGE_IN_SINGLE_PRECISION)
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                setattr(self, name, value.astype(precision))


class _Level:
    """The events of one level: which were passed, which were lapses, and all."""

    def __init__(self, start: int, passed: int, lapses: int, stop: int, lapses_before: int) -> None:
        self.all = slice(start, stop)
        self.passed = slice(start, passed)
        self.lapses = slice(passed, lapses)
        self.answered = slice(start, lapses)
        self.lapse_numbers = slice(lapses_before, lapses_before + lapses - passed)  #: among all lapses


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

        bounds = roots + np.searchsorted(group[order], np.arange(3 * (int(group.max(initial=-1)) // 3 + 1) + 1))
        self.levels: List[_Level] = []
        lapses = 0
        for start, passed, lapsed, stop in zip(bounds[:-1:3], bounds[1::3], bounds[2::3], bounds[3::3]):
            self.levels.append(_Level(int(start), int(passed), int(lapsed), int(stop), lapses))
            lapses += int(lapsed - passed)
        self.lapses: Ints = np.flatnonzero((self.rating == 1) & (np.arange(self.size) >= roots))


class FSRS7Replay(Replay):
    """FSRS-7 on a trie, in arrays that are kept from one parameter set to the next."""

    def __init__(self, trie: Trie, room: Optional[Workspace] = None) -> None:
        self.trie = trie
        self._events = _Events(trie)
        self._room = room
        self._sweeps: Dict[Precision, _Sweep] = {}

    def predict(self, w: Floats) -> Floats:
        return self._sweep(np.float64).forward(_Parameters(w, np.float64))

    def linearise(self, w: Floats) -> FSRS7Linearisation:
        precision: Precision = np.float32 if self._events.size >= SINGLE_PRECISION_FROM else np.float64
        return FSRS7Linearisation(self._sweep(precision), _Parameters(w, precision))

    def _sweep(self, precision: Precision) -> _Sweep:
        if precision not in self._sweeps:
            self._sweeps[precision] = _Sweep(self._events, self._room or Workspace(self._events.size), precision)
        return self._sweeps[precision]


class _Sweep:
    """The events' arrays, of one precision, and the ways through them."""

    def __init__(self, events: _Events, room: Workspace, precision: Precision) -> None:
        self._events = events

        def rows(count: int, size: int = events.size) -> Floats:
            return room.rows(count, size, precision)

        self._elapsed, self._least, self._most = (a.astype(precision) for a in (events.elapsed, LEAST, MOST))
        self._from_good = (3 - events.rating).astype(precision)
        self._state, self._after = rows(3), rows(3)  # L', K', D'; the same, not clamped
        self._s, self._known = rows(2), rows(3)  # L, K; ln L, ln K, D
        quantities = rows(6)
        self._powers, self._x = quantities[:5], quantities[4:]
        self._decay, self._share, self._rate = quantities[0], quantities[1], quantities[2:4]
        self._stretch, self._grown = rows(1)[0], rows(2)  # f1 + 1; ln(1 + x)
        self._curves = rows(3)  # R2, R, R1
        self._long_recall, self._recall = self._curves[0], self._curves[1:]
        self._term, self._bonus = rows(2), rows(2)  # growth = rate term bonus
        self._term.fill(0.0)
        self._keep, self._add = rows(2)
        lapses = len(events.lapses)
        self._log_1, self._power, self._formula = rows(2, lapses), rows(2, lapses), rows(2, lapses)
        self._hard, self._easy = events.rating == 2, events.rating == 4

        self._by_decay, self._pull, self._by_share, self._base, self._short_by_state = rows(5)
        self._by_state = rows(3)
        self._s_by_s, self._s_by_recall, self._s_by_d, self._growth = rows(2), rows(2), rows(2), rows(2)
        self._free, self._d_by_d = rows(3), rows(1)[0]
        self._to, self._to_recall = rows(3), rows(2)
        self._at: Optional[_Parameters] = None
        self._sloped: Optional[_Parameters] = None

    def forward(self, p: _Parameters) -> Floats:
        """Probability of recall at each place, (M,)."""
        self._at, self._sloped = p, None
        events, roots = self._events, slice(0, self._events.roots)
        rating = events.rating[roots]
        self._after[:2, roots], self._after[2, roots] = p.first_stability[:, rating], p.first_difficulty[rating]
        self._clamp(roots)
        for row, by_rating in zip((*self._bonus, self._keep, self._add), (*p.bonus, p.keep, p.add)):
            by_rating.take(events.rating, out=row, mode="clip")
        for level in events.levels:
            for here in chunks(level.all.start, level.all.stop):
                self._ask(p, here)
            for here in chunks(level.passed.start, level.passed.stop):
                self._pass(p, here)
            if level.lapses.stop > level.lapses.start:
                self._lapse(p, level.lapses, level.lapse_numbers)
            self._clamp(level.answered)
        predicted: Floats = self._recall[0].take(events.place).astype(np.float64)
        return predicted

    def _clamp(self, here: slice) -> None:
        """Take over the states after some events, within their limits."""
        state = self._state[:, here]
        np.maximum(self._after[:, here], self._least, out=state)
        np.minimum(state, self._most, out=state)

    def _ask(self, p: _Parameters, here: slice) -> None:
        """Gather the states before some events, and work out the recall at them."""
        known, powers, s = self._known[:, here], self._powers[:, here], self._s[:, here]
        for state, before in zip(self._state, (*s, known[2])):
            state.take(self._events.source[here], out=before, mode="clip")
        np.log(s, out=known[:2])
        np.matmul(p.known, known, out=powers)
        powers += p.constant
        np.exp(powers, out=powers)

        decay, stretch, x, grown = self._within(p, here), self._stretch[here], self._x[:, here], self._grown[:, here]
        np.divide(-p.log_base, decay, out=stretch)
        if p.clamps:
            np.minimum(stretch, MOST_LOG_STRETCH, out=stretch)
        np.exp(stretch, out=stretch)
        np.subtract(stretch, 1.0, out=x[1])
        x *= self._elapsed[here] / s
        np.log(x + 1.0, out=grown)  # log1p takes twice as long, and what it adds in precision is lost in R

        curves, share = self._curves[:, here], self._share[here]
        np.multiply(grown[0], -p.long_decay, out=curves[0])
        np.multiply(grown[1], decay, out=curves[2])
        np.negative(curves[2], out=curves[2])
        np.exp(curves[::2], out=curves[::2])
        share /= share + 1.0
        recall = curves[1]
        np.subtract(curves[0], curves[2], out=recall)
        recall *= share
        recall += curves[2]
        recall *= MIX
        recall += MARGIN

    def _within(self, p: _Parameters, here: slice) -> Floats:
        """The short curve's decay at some events, within its limits."""
        decay = self._decay[here]
        within: Floats = np.minimum(np.maximum(decay, DECAYS[0]), DECAYS[1]) if p.clamps else decay
        return within

    def _pass(self, p: _Parameters, here: slice) -> None:
        """Fill in the states after some events that were passed."""
        term, rate, after, d = self._term[:, here], self._rate[:, here], self._after[:, here], self._known[2, here]
        np.subtract(1.0, self._recall[:, here], out=term)
        term *= p.gain_recall
        np.exp(term, out=term)
        term -= 1.0
        rate *= 11.0 - d
        stability, difficulty = after[:2], after[2]
        np.multiply(rate, term, out=stability)
        stability *= self._bonus[:, here]
        stability += 1.0
        stability *= self._s[:, here]
        np.multiply(self._keep[here], d, out=difficulty)
        difficulty += self._add[here]

    def _lapse(self, p: _Parameters, here: slice, number: slice) -> None:
        """Fill in the states after some lapses; ``number`` says which of all lapses they are."""
        s, d, recall, after = self._s[:, here], self._known[2, here], self._recall[:, here], self._after[:, here]
        log_1, power, formula = self._log_1[:, number], self._power[:, number], self._formula[:, number]
        np.log1p(s, out=log_1)
        np.multiply(log_1, p.lapse_power, out=power)
        np.expm1(power, out=power)
        np.exp((1.0 - recall) * p.lapse_recall, out=formula)
        formula *= p.lapse
        formula *= power
        np.minimum(s, formula, out=after[:2])
        np.minimum(after[1], SHORT_SHARE * after[0], out=after[1])
        np.multiply((recall[0] + 0.1) * p.lapse_change, 10.0 - d, out=after[2])
        after[2] += 0.99 * d + 0.01 * p.target

    def _local(self, p: _Parameters) -> None:
        """Fill in the derivatives of each event's outcome by what was before it."""
        if self._at is not p:
            self.forward(p)
        if self._sloped is not p:
            np.equal(self._after, self._state, out=self._free)
            for here in chunks(self._events.roots, self._events.size):
                self._curve_slopes(p, here)
                self._pass_slopes(p, here)
            self._d_by_d[:] = self._keep
            self._lapse_slopes(p)
            self._sloped = p

    def _curve_slopes(self, p: _Parameters, here: slice) -> None:
        """Fill in how R and R1 change with ln L, ln K and D, and what the derivatives by parameters are made of."""
        w, decay, stretch, x = p.w, self._decay[here], self._stretch[here], self._x[:, here]
        r1, r2, share = self._recall[1, here], self._long_recall[here], self._share[here]
        z = x / (x + 1.0)
        within = self._within(p, here)
        base, by_decay = self._base[here], self._by_decay[here]
        np.multiply(z[1], stretch, out=base)  # d R1 / d ln w25
        base /= stretch - 1.0
        base *= r1
        if p.clamps:
            base *= stretch < MOST_STRETCH
        np.multiply(self._grown[1, here], r1, out=by_decay)  # d R1 / d ln(decay)
        by_decay *= within
        by_decay += base * p.log_base
        np.negative(by_decay, out=by_decay)
        if p.clamps:
            by_decay *= within == decay
        short_by_s = self._short_by_state[here]
        np.multiply(within, r1, out=short_by_s)
        short_by_s *= z[1]
        short_by_s += p.decay_power * by_decay

        pull, by_share = self._pull[here], self._by_share[here]
        np.multiply(share, r2, out=pull)  # MIX share R2 x / (1 + x)
        pull *= z[0]
        pull *= MIX
        np.subtract(r2, r1, out=by_share)  # d R / d ln(v2 / v1)
        by_share *= share
        rest = 1.0 - share
        by_share *= rest
        by_share *= MIX
        by_l, by_k, by_d = self._by_state[:, here]
        np.multiply(pull, p.long_decay, out=by_l)
        np.multiply(by_l, -p.by_difficulty, out=by_d)
        by_d += p.share_by_difficulty * by_share
        by_l += w[30] * by_share
        np.multiply(rest, short_by_s, out=by_k)
        by_k *= MIX
        by_k += w[29] * by_share

    def _pass_slopes(self, p: _Parameters, here: slice) -> None:
        """Fill in how ln L', ln K' and D' change where an event was passed; elsewhere there is no growth."""
        growth, by_recall = self._growth[:, here], self._s_by_recall[:, here]
        rate = self._rate[:, here] * self._bonus[:, here]
        np.multiply(rate, self._term[:, here], out=growth)
        ratio = 1.0 / (growth + 1.0)
        growth *= ratio
        np.multiply(rate, self._term[:, here] + 1.0, out=by_recall)
        by_recall *= ratio
        by_recall *= -p.gain_recall
        np.multiply(growth, -p.gain_power, out=self._s_by_s[:, here])
        self._s_by_s[:, here] += 1.0
        np.divide(growth, self._known[2, here] - 11.0, out=self._s_by_d[:, here])

    def _lapse_slopes(self, p: _Parameters) -> None:
        """Fill in how ln L', ln K' and D' change with a lapse."""
        at = self._events.lapses
        s, d = self._s[:, at], self._known[2, at]
        self._below = self._formula < s
        lowered = np.minimum(s, self._formula)
        self._capped = (lowered[1] > SHORT_SHARE * lowered[0]).astype(self._s.dtype)
        slope = p.lapse_power * (self._power + 1.0) / self._power * (s / (s + 1.0))
        self._s_by_s[:, at] = np.where(self._below, slope, 1.0)
        self._s_by_recall[:, at] = -p.lapse_recall * self._below
        self._d_by_d[at] = 0.99 - p.lapse_change * (self._recall[0, at] + 0.1)
        self._d_by_recall = p.lapse_change * (10.0 - d)

    def _curve_by_parameter(self, p: _Parameters, here: slice) -> Tuple[ByParameter, ByParameter]:
        """d R1 / d w, and d R / d w for fixed R1, of some events."""
        w, log, away = p.w, self._known[:2, here], self._known[2, here] - 5.0
        by_decay, pull, by_share = self._by_decay[here], self._pull[here], self._by_share[here]
        short = [(23, by_decay / w[23]), (33, by_decay * log[1]), (25, self._base[here] / w[25])]
        stretched = p.stretch / (p.stretch - 1)
        long_base = pull * (stretched / p.long_base)
        log_ratio = float(np.log(p.long_base)) / p.long_decay
        of_r2 = self._share[here] * self._long_recall[here] * self._grown[0, here]
        mixed = [
            (24, of_r2 * -MIX - pull * (stretched * log_ratio)),
            (26 if p.w[26] > p.w[25] else 25, long_base),
            (27, by_share * (-1 / w[27])),
            (28, by_share * (1 / w[28])),
            (29, by_share * log[1]),
            (30, by_share * log[0]),
            (31, by_share * away),
            (32, pull * away * -p.long_decay),
        ]
        return short, mixed

    def _pass_by_parameter(self, here: slice) -> ByParameter:
        """d ln S' / d w of both stabilities, (2, n), of some events that were passed; elsewhere 0."""
        growth, bonus = self._growth[:, here], self._bonus[:, here]
        plain = self._rate[:, here] * self._term[:, here]
        ratio = plain * bonus
        ratio += 1.0
        plain /= ratio
        by_recall = self._rate[:, here] / ratio
        by_recall += plain
        by_recall *= bonus
        return [
            (0, growth),
            (1, -growth * self._known[:2, here]),
            (2, by_recall * (1.0 - self._recall[:, here])),
            (6, plain * self._hard[here]),
            (7, plain * self._easy[here]),
        ]

    def _lapse_by_parameter(self, p: _Parameters) -> ByParameter:
        """d ln S' / d w of both stabilities, (2, n), of all lapses, as if K' were not held below L'."""
        forgot = 1.0 - self._recall[:, self._events.lapses]
        return [
            (3, self._below / p.lapse),
            (4, self._below * ((self._power + 1.0) / self._power * self._log_1)),
            (5, self._below * forgot),
        ]

    def _difficulty_by_parameter(self, p: _Parameters, here: slice) -> ByParameter:
        """d D' / d w of some later events for fixed D and R, as if D' were not clamped."""
        moved = self._from_good[here].copy()
        moved[moved == 2] *= self._recall[0, here][moved == 2] + 0.1
        constants = np.array([[0.01], [-0.03 * np.exp(3 * p.w[5])]])
        return [(4, constants[0]), (5, constants[1]), (6, moved * (10.0 - self._known[2, here]) * (0.99 / 9))]

    def backward(self, p: _Parameters, by_predicted: Floats) -> Floats:
        """The gradient (34,) of L from d L / d predicted (M,)."""
        self._local(p)
        events, gradient = self._events, np.zeros(PARAMETERS)
        to, to_d, to_recall = self._to[:2], self._to[2], self._to_recall
        self._to.fill(0.0)
        to_recall.fill(0.0)
        to_recall[0, events.place] = by_predicted
        for level in reversed(events.levels):
            self._back(level)
        roots = slice(0, events.roots)
        self._to[:, roots] *= self._free[:, roots]
        first = np.bincount(events.rating[roots], to[:, roots].sum(axis=0), minlength=5)
        np.add.at(gradient, p.first_from, first[1:] / p.first_stability[0, 1:])
        steps = events.rating[roots] - 1.0
        gradient[4] = to_d[roots].sum()
        gradient[5] = to_d[roots] @ (-steps * np.exp(p.w[5] * steps))

        both = np.array([LONG, SHORT])
        for here in chunks(events.roots, events.size):
            recall = to_recall[0, here]
            short, mixed = self._curve_by_parameter(p, here)
            to_short = recall * (1.0 - self._share[here])
            to_short *= MIX
            to_short += to_recall[1, here]
            for index, derivative in short:
                gradient[index] += to_short @ derivative
            for index, derivative in mixed:
                gradient[index] += recall @ derivative
            for index, derivative in self._pass_by_parameter(here):
                gradient[both + index] += np.einsum("sn,sn->s", to[:, here], derivative)
            for index, derivative in self._difficulty_by_parameter(p, here):
                gradient[index] += (to_d[here] * derivative).sum()
        own = to[:, events.lapses]
        for index, derivative in self._lapse_by_parameter(p):
            gradient[both + index] += np.einsum("sn,sn->s", own, derivative)
        return gradient

    def _back(self, level: _Level) -> None:
        """Hand on what the states after the events of one level mean for L to those before them."""
        here, lapses, number = level.answered, level.lapses, level.lapse_numbers
        to, (to_recall, to_short) = self._to[:, here], self._to_recall[:, here]
        to *= self._free[:, here]
        to, to_d = to[:2], to[2]
        if lapses.stop > lapses.start:
            long, short, difficulty = self._to[:, lapses]
            moved = short * self._capped[number]
            long += moved
            short -= moved
            self._to_recall[0, lapses] += difficulty * self._d_by_recall[number]
        to_recall += to[0] * self._s_by_recall[0, here]
        np.multiply(to[1], self._s_by_recall[1, here], out=to_short)

        by_l, by_k, by_d = self._by_state[:, level.all] * self._to_recall[0, level.all]
        by_k += self._to_recall[1, level.all] * self._short_by_state[level.all]
        count = here.stop - here.start
        by_s = to * self._s_by_s[:, here]
        by_l[:count] += by_s[0]
        by_k[:count] += by_s[1]
        by_s = to * self._s_by_d[:, here]
        by_d[:count] += by_s[0]
        by_d[:count] += by_s[1]
        by_d[:count] += to_d * self._d_by_d[here]
        source = self._events.source[level.all]
        for into, back in zip(self._to, (by_l, by_k, by_d)):
            np.add.at(into, source, back)

    def jacobian(self, p: _Parameters) -> Floats:
        """d predicted / d parameters at each place, (34, M)."""
        self._local(p)
        events, later = self._events, slice(self._events.roots, self._events.size)
        long, short, difficulty, recall = state = np.zeros((4, PARAMETERS, events.size), dtype=self._s.dtype)
        roots = slice(0, events.roots)
        for rating, index in enumerate(p.first_from, start=1):
            state[:2, index, roots] += (events.rating[roots] == rating) / p.w[index]
        steps = events.rating[roots] - 1.0
        difficulty[4, roots] = 1.0
        difficulty[5, roots] = -steps * np.exp(p.w[5] * steps)

        by_short, mixed = self._curve_by_parameter(p, later)
        for index, derivative in by_short:
            recall[index, later] = derivative * (MIX * (1.0 - self._share[later]))
        for index, derivative in mixed:
            recall[index, later] += derivative
        for index, derivative in self._pass_by_parameter(later):
            long[LONG + index, later], short[SHORT + index, later] = derivative
        for index, derivative in self._lapse_by_parameter(p):
            long[LONG + index, events.lapses], short[SHORT + index, events.lapses] = derivative
        for index, derivative in self._difficulty_by_parameter(p, later):
            difficulty[index, later] = derivative
        self._free_directions(state, roots)

        for level in events.levels:
            here, after, count = level.all, level.answered, level.answered.stop - level.answered.start
            before = state[:3].take(events.source[here], axis=2)
            moved = before * self._by_state[:, None, here]
            recall[:, here] += moved.sum(axis=0)
            before = before[:, :, :count]
            short_recall = before[1] * self._short_by_state[after]
            for index, derivative in by_short:
                short_recall[index] += derivative[after.start - events.roots : after.stop - events.roots]
            for row, through in enumerate((recall[:, after], short_recall)):
                own = state[row, :, after]
                own += before[row] * self._s_by_s[row, after]
                own += through * self._s_by_recall[row, after]
                own += before[2] * self._s_by_d[row, after]
            difficulty[:, after] += before[2] * self._d_by_d[after]
            lapses, number = level.lapses, level.lapse_numbers
            short[:, lapses] += self._capped[number] * (long[:, lapses] - short[:, lapses])
            difficulty[:, lapses] += recall[:, lapses] * self._d_by_recall[number]
            self._free_directions(state, after)
        return recall.take(events.place, axis=1)

    def _free_directions(self, state: Floats, here: slice) -> None:
        """Let states (of which ``state`` holds the derivatives) that are held at a limit not move."""
        for own, free in zip(state, self._free[:, here]):
            if not free.all():
                own[:, here] *= free


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
