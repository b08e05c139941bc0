"""The histories as a trie: two cards with the same ratings at the same intervals are in the same state.

Each distinct history is one *node*, pointing to the node that is one review shorter; nodes are laid out level by level
(all histories of length 1, then of length 2, ...). A state is computed once per node, for all nodes of a level at a
time. Reviews with the same history and the same interval share one prediction: such a pair is a *query*. For fitting,
only the weighted numbers of successes and lapses at each query matter, so a fold or a recency weighting is nothing but
other weights on the same trie.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, List, Tuple

import numpy as np
import numpy.typing as npt

from ..derivatives import Floats
from .reviews import COMPACT_INT, CardRows, TargetReviews, is_run_start, runs, stable_argsort
from .revlog import SECONDS_PER_DAY, Bools, Ints

Numbers = npt.NDArray[Any]


@dataclass(frozen=True)
class Inputs:
    """The part of a card's history that an algorithm sees."""

    same_day: bool = False  #: reviews on the day of an earlier one
    two_buttons: bool = False  #: Hard and Easy are shown as Good
    fractional: bool = False  #: intervals to the second, not in whole days; same-day reviews are trained on, too


WHOLE_DAYS = Inputs()
WITH_SAME_DAY = Inputs(same_day=True)
FRACTIONAL_DAYS = Inputs(same_day=True, fractional=True)


@dataclass(frozen=True)
class Trie:
    """Distinct histories, and the queries at which recall is predicted.

    Nodes are sorted by level. Within a level those whose last review was less than a day after the one before come
    first, then those that were passed, then the lapses.
    """

    parent: Ints  #: node that is one review shorter; -1 on level 1
    elapsed: Numbers  #: days between the node's last review and the one before; 0 on level 1
    same_day: Bools  #: whether they were on one day; True on level 1
    rating: Ints  #: of the last review
    level_start: Ints  #: level k (from 0) is the nodes level_start[k] .. level_start[k + 1] - 1

    query_node: Ints  #: queries, sorted by node: the history ...
    query_elapsed: Numbers  #: ... and the days since its last review
    query_same_day: Bools  #: True if the query is on the day of that review
    #: For fractional inputs: one of the nodes that a review there led to; -1 if there is none.
    query_child: Ints

    @property
    def nodes(self) -> int:
        """Number of distinct histories."""
        return len(self.parent)

    @property
    def n_queries(self) -> int:
        """Number of distinct (history, interval) pairs."""
        return len(self.query_node)

    def levels(self) -> Iterator[slice]:
        """Yield the nodes of each level, from level 1."""
        for start, stop in zip(self.level_start[:-1], self.level_start[1:]):
            yield slice(int(start), int(stop))

    def unique_queries(self, query: Ints) -> Tuple[Ints, Ints]:
        """Return the unique queries (m,) among some (n,), and the index of each of the n in them (n,)."""
        occurs = np.zeros(self.n_queries, dtype=bool)
        occurs[query] = True
        return np.flatnonzero(occurs), (np.cumsum(occurs, dtype=COMPACT_INT) - 1)[query]

    def required_nodes(self, query: Ints) -> Ints:
        """Return the nodes whose states are needed at these queries, in their order."""
        new = self.query_node[query]
        needed = np.zeros(self.nodes + 1, dtype=bool)
        needed[-1] = True  # no node: the parent of the first level
        while len(new):  # most nodes have a query themselves
            needed[new] = True
            parent = self.parent[new]
            new = parent[~needed[parent]]
        return np.flatnonzero(needed[:-1])

    def subtrie(self, node: Ints, query: Ints) -> Trie:
        """Return the trie of these nodes and queries only, which must include all :meth:`required_nodes`."""
        number = np.full(self.nodes + 1, -1)  # the last one is not a node
        number[node] = np.arange(len(node))
        level_start = np.searchsorted(node, self.level_start)
        deepest = int(np.searchsorted(level_start, len(node)))
        return Trie(
            parent=number[self.parent[node]],
            elapsed=self.elapsed[node],
            same_day=self.same_day[node],
            rating=self.rating[node].astype(np.int64),  # often an index, which costs less in full width
            level_start=level_start[: deepest + 1],
            query_node=number[self.query_node[query]],
            query_elapsed=self.query_elapsed[query],
            query_same_day=self.query_same_day[query],
            query_child=number[self.query_child[query]] if len(self.query_child) else self.query_child,
        )


@dataclass(frozen=True)
class Histories(Trie):
    """The trie of a table of reviews. As it is kept for many fits, its integers have 32 bits (COMPACT_INT)."""

    query_of_review: Ints  #: the query of each row of the table
    length_of_review: Ints  #: how many reviews the history of each row of the table holds

    @classmethod
    def of(cls, rows: CardRows, reviews: TargetReviews, inputs: Inputs) -> Histories:
        """Return the histories of these reviews.

        Args:
            rows: what the histories are made of.
            reviews: the table; each of its rows belongs to a query.
            inputs: what the algorithm sees of the histories.
        """
        part = (rows.position == 0) | (rows.elapsed_days > 0) | inputs.same_day
        days, day = (1 / SECONDS_PER_DAY, SECONDS_PER_DAY) if inputs.fractional else (1, 1)
        elapsed = rows.elapsed_seconds if inputs.fractional else rows.elapsed_days
        question = 2 * elapsed + (rows.elapsed_days == 0)
        rating = np.where(rows.rating > 1, 3, 1).astype(COMPACT_INT) if inputs.two_buttons else rows.rating
        is_asked_later, next_asked = _next_target(rows, reviews)
        part &= is_asked_later
        step = np.flatnonzero(part)
        answer, first_step = (4 * question + rating - 1)[step], np.flatnonzero(rows.position[step] == 0)
        parent, which, level_start, node = _build_trie(answer, first_step, next_asked[step], day)
        answer = answer[which]

        next_step = (np.cumsum(part) - part)[reviews.row]
        latest, question = node[next_step - 1], question[reviews.row]
        first, query_of_review = _distinct(question, latest)
        query_key = question[first]
        child = np.full(len(first) if inputs.fractional else 0, -1, dtype=COMPACT_INT)
        if inputs.fractional:
            is_step = part[reviews.row]
            child[query_of_review[is_step]] = node[next_step[is_step]]
        return cls(
            parent=parent,
            elapsed=(answer >> 3) * days,
            same_day=(answer & 4) > 0,
            rating=((answer & 3) + 1).astype(COMPACT_INT),
            level_start=level_start,
            query_node=latest[first],
            query_elapsed=(query_key >> 1) * days,
            query_same_day=(query_key & 1) > 0,
            query_child=child,
            query_of_review=query_of_review,
            length_of_review=np.repeat(np.arange(1, len(level_start), dtype=COMPACT_INT), np.diff(level_start))[latest],
        )


@dataclass(frozen=True)
class Pairs:
    """Queries with the reviews before them: entries ``start[i]`` to ``start[i + 1]`` belong to query i."""

    start: Ints  #: one entry per query
    node: Ints  #: the history that the earlier review led to
    age: Numbers  #: days from the earlier review to the query
    rating: Ints

    def sum(self, values: Numbers) -> Floats:
        """Return sums along the last axis, by query."""
        sums: Floats = np.add.reduceat(values, self.start, axis=-1)
        return sums


def earlier_reviews(trie: Trie) -> Pairs:
    """Return each query of a trie with all reviews before it."""
    time = _time(trie)
    return _pairs(trie, time, trie.query_node, time[trie.query_node] + trie.query_elapsed)


def earlier_reviews_by_level(trie: Trie) -> Iterator[Tuple[slice, Pairs]]:
    """Yield each level after the first, and each of its nodes with all reviews before the node's last."""
    time = _time(trie)
    for level in list(trie.levels())[1:]:
        yield level, _pairs(trie, time, trie.parent[level], time[level])


def _time(trie: Trie) -> Numbers:
    time = np.zeros(trie.nodes, dtype=trie.elapsed.dtype)
    for level in list(trie.levels())[1:]:
        time[level] = time[trie.parent[level]] + trie.elapsed[level]
    return time


def _pairs(trie: Trie, time: Numbers, node: Ints, now: Numbers) -> Pairs:
    """Return each query (its history ``node``, ``now`` days after the first review) with all reviews before it."""
    query, earlier = np.arange(len(node)), node
    queries, nodes = [query], [earlier]
    while len(query):
        earlier = trie.parent[earlier]
        query, earlier = query[earlier >= 0], earlier[earlier >= 0]
        queries.append(query)
        nodes.append(earlier)
    query, earlier = np.concatenate(queries), np.concatenate(nodes)
    order = np.argsort(query, kind="stable")
    query, earlier = query[order], earlier[order]
    start = np.searchsorted(query, np.arange(len(node)))
    return Pairs(start, earlier, now[query] - time[earlier], trie.rating[earlier])


def _next_target(rows: CardRows, reviews: TargetReviews) -> Tuple[Bools, Ints]:
    """Return for each row whether a later row of its card is in the table, and the position of the next one there."""
    number = np.full(len(rows), -1, dtype=COMPACT_INT)
    number[reviews.row] = np.arange(len(reviews))
    until_here = np.cumsum(number >= 0)
    first, size = runs(rows.position == 0)
    is_asked_later: Bools = until_here < np.repeat(until_here[first + size - 1], size)
    return is_asked_later, np.append(number[number >= 0], 0)[until_here]


def _build_trie(answer: Ints, first_step: Ints, next_asked: Ints, day: int) -> Tuple[Ints, ...]:
    """Build the trie from the steps of all cards, one card's steps following each other.

    Of two nodes of one branch the one that is needed for an earlier review comes first. So the order in which numbers
    are added up for some reviews, and with it their last digit, does not depend on later ones.

    Args:
        answer: what each step was: 8 times the interval, 4 if it was on the day of the one before, and the rating - 1.
        first_step: index of each card's first step.
        next_asked: index of the card's next review in the table of reviews.
        day: the interval of a day.

    Returns:
        The parent of each node, one of the steps of each node, the starts of the levels, and the node of each step.
    """
    size = np.diff(first_step, append=len(answer))
    node = np.full(len(answer), -1, dtype=COMPACT_INT)  # numbered as they are found
    at, last, start, count = first_step, first_step + size - 1, 0, 0
    chosen: List[Ints] = []  # one step of each node
    while len(at):  # level by level, while two cards have the same history
        parent = node[at - 1] - start if count else np.zeros(len(at), dtype=COMPACT_INT)
        first, which = _distinct(answer[at], parent)
        node[at] = count + which
        chosen.append(at[first])
        start, count = count, count + len(first)
        goes_on = (at < last) & (np.bincount(which) > 1)[which]
        at, last = at[goes_on] + 1, last[goes_on]
    unshared = np.flatnonzero(node < 0)  # histories that no other card shares
    node[unshared] = np.arange(count, count + len(unshared))
    chosen.append(unshared)

    step = np.concatenate(chosen)
    level = (np.arange(len(answer)) - np.repeat(first_step, size))[step]
    needed, answer = next_asked[step], answer[step]
    np.minimum.at(needed, node, next_asked)
    branch = np.where(answer < 8 * day, 0, np.where(answer & 3, 1, 2))
    order = stable_argsort(_pair_key(needed, 3 * level + np.where(level, branch, 0)))
    number = np.empty(len(order), dtype=COMPACT_INT)
    number[order] = np.arange(len(order))
    step, node = step[order], number[node]
    level_start = np.append(0, np.cumsum(np.bincount(level)))
    parent = node[step - 1]
    parent[: np.count_nonzero(level == 0)] = -1
    return parent, step, level_start, node


def _distinct(minor: Ints, major: Ints) -> Tuple[Ints, Ints]:
    """Return the distinct pairs of two columns of integers >= 0, sorted by the major one, then the minor one.

    Returns:
        The index of the first element of each pair, and for each element the number of its pair.
    """
    pair = _pair_key(minor, major)
    order = stable_argsort(pair)
    is_new = is_run_start(pair[order])
    number = np.empty(len(order), dtype=COMPACT_INT)
    number[order] = np.cumsum(is_new) - 1
    return order[is_new], number


def _pair_key(minor: Ints, major: Ints) -> Ints:
    """Return one number for each pair of integers >= 0, which sort by the major one, then the minor one."""
    joined: Ints = major.astype(np.int64) << int(minor.max(initial=0)).bit_length()
    joined |= minor
    return joined
