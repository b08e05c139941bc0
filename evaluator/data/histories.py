"""The histories of all cards as a trie, because cards with equal ratings at equal intervals are in the same state.

Each distinct history is one *node*, which points to the node that is one review shorter. Nodes are stored level by
level: all histories of length 1, then those of length 2, and so on. A state is computed once per node, for all nodes of
a level at once. A history and an interval are a *query*: reviews with the same query share one prediction. For fitting,
only the weighted numbers of successes and lapses at each query matter, so a fold or a recency weighting is just another
set of weights on the same trie.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, List, Tuple

import numpy as np
import numpy.typing as npt

from ..derivatives import Floats
from .reviews import COMPACT_INT, CardRows, TargetReviews, is_run_start, runs, stable_argsort
from .revlog import AGAIN, GOOD, SECONDS_PER_DAY, Bools, Ints

Numbers = npt.NDArray[Any]


@dataclass(frozen=True)
class Inputs:
    """The part of a card's history that an algorithm sees."""

    same_day: bool = False  #: True if it sees reviews on the day of an earlier one
    two_buttons: bool = False  #: True if it sees Hard and Easy as Good
    #: True if it sees intervals to the second instead of whole days. It is also trained on same-day reviews.
    fractional: bool = False


WITH_SAME_DAY = Inputs(same_day=True)
FRACTIONAL_DAYS = Inputs(same_day=True, fractional=True)


@dataclass(frozen=True)
class Trie:
    """Distinct histories, and the queries at which recall is predicted.

    Nodes are sorted by level. Within a level, those whose last review was less than a day after the one before come
    first, then those that were passed, then the lapses. Queries are sorted by node.
    """

    parent: Ints  #: node that is one review shorter, or -1 on level 1
    elapsed: Numbers  #: days between the node's last review and the one before; 0 on level 1
    same_day: Bools  #: whether these two reviews were on one day; True on level 1
    rating: Ints  #: rating of the node's last review
    level_start: Ints  #: level k, from 0, has the nodes level_start[k] to level_start[k + 1] - 1

    query_node: Ints  #: history of each query
    query_elapsed: Numbers  #: days since the last review of that history
    query_same_day: Bools  #: True if the query is on the day of that review
    #: One of the nodes that a review at each query led to, or -1 if there is none. Empty unless inputs are fractional.
    query_child: Ints

    @property
    def n_nodes(self) -> int:
        """Number of distinct histories."""
        return len(self.parent)

    @property
    def n_queries(self) -> int:
        """Number of distinct (history, interval) pairs."""
        return len(self.query_node)

    def levels(self) -> Iterator[slice]:
        """Return the nodes of each level, from level 1."""
        starts = self.level_start.tolist()
        return map(slice, starts, starts[1:])

    def unique_queries(self, query: Ints) -> Tuple[Ints, Ints]:
        """Return the distinct queries, and for each of the given ones its index among these.

        Args:
            query: queries (n,), which may repeat.
        """
        is_present = np.zeros(self.n_queries, dtype=bool)
        is_present[query] = True
        return np.flatnonzero(is_present), (np.cumsum(is_present, dtype=COMPACT_INT) - 1)[query]

    def required_nodes(self, query: Ints) -> Ints:
        """Return the nodes whose states are needed to predict at these queries, in ascending order."""
        new_nodes = self.query_node[query]
        is_needed = np.zeros(self.n_nodes + 1, dtype=bool)
        # The last element stands for the missing parent of the first level.
        is_needed[-1] = True
        # This takes few steps, because most nodes have a query themselves.
        while len(new_nodes):
            is_needed[new_nodes] = True
            parent = self.parent[new_nodes]
            new_nodes = parent[~is_needed[parent]]
        return np.flatnonzero(is_needed[:-1])

    def subtrie(self, node: Ints, query: Ints) -> Trie:
        """Return the trie of these nodes and queries. All :meth:`required_nodes` of the queries must be included."""
        # The last element stands for the missing parent of the first level.
        new_node = np.full(self.n_nodes + 1, -1)
        new_node[node] = np.arange(len(node))
        level_start = np.searchsorted(node, self.level_start)
        n_levels = int(np.searchsorted(level_start, len(node)))
        return Trie(
            parent=new_node[self.parent[node]],
            elapsed=self.elapsed[node],
            same_day=self.same_day[node],
            # It is often used as an index, which is faster in full width.
            rating=self.rating[node].astype(np.int64),
            level_start=level_start[: n_levels + 1],
            query_node=new_node[self.query_node[query]],
            query_elapsed=self.query_elapsed[query],
            query_same_day=self.query_same_day[query],
            query_child=new_node[self.query_child[query]] if len(self.query_child) else self.query_child,
        )


@dataclass(frozen=True)
class Histories(Trie):
    """The trie of a table of reviews. Its integers are COMPACT_INT, because it is kept for many fits."""

    query_of_review: Ints  #: the query of each row of the table
    length_of_review: Ints  #: number of reviews in the history of each row of the table

    @classmethod
    def of(cls, rows: CardRows, reviews: TargetReviews, inputs: Inputs) -> Histories:
        """Build the histories of these reviews.

        Args:
            rows: the answers that histories consist of.
            reviews: the table, whose rows become queries.
            inputs: the part of the histories that the algorithm sees.
        """
        units_per_day = SECONDS_PER_DAY if inputs.fractional else 1
        days_per_unit = 1 / SECONDS_PER_DAY if inputs.fractional else 1
        elapsed = rows.elapsed_seconds if inputs.fractional else rows.elapsed_days
        interval_key = 2 * elapsed + (rows.elapsed_days == 0)
        rating = np.where(rows.rating > AGAIN, GOOD, AGAIN).astype(COMPACT_INT) if inputs.two_buttons else rows.rating
        has_later_target, next_target = _next_target(rows, reviews)
        is_step = (rows.position == 0) | (rows.elapsed_days > 0) | inputs.same_day
        is_step &= has_later_target
        step = np.flatnonzero(is_step)
        step_key = (4 * interval_key + rating - 1)[step]
        first_step = np.flatnonzero(rows.position[step] == 0)
        parent, step_of_node, level_start, node_of_step = _build_trie(
            step_key, first_step, next_target[step], units_per_day
        )
        node_key = step_key[step_of_node]

        next_step = (np.cumsum(is_step) - is_step)[reviews.row]
        review_node = node_of_step[next_step - 1]
        review_key = interval_key[reviews.row]
        first, query_of_review = _distinct_pairs(review_key, review_node)
        query_key = review_key[first]
        child = np.full(len(first) if inputs.fractional else 0, -1, dtype=COMPACT_INT)
        if inputs.fractional:
            has_child = is_step[reviews.row]
            child[query_of_review[has_child]] = node_of_step[next_step[has_child]]
        length_of_node = np.repeat(np.arange(1, len(level_start), dtype=COMPACT_INT), np.diff(level_start))
        return cls(
            parent=parent,
            elapsed=(node_key >> 3) * days_per_unit,
            same_day=(node_key & 4) > 0,
            rating=((node_key & 3) + 1).astype(COMPACT_INT),
            level_start=level_start,
            query_node=review_node[first],
            query_elapsed=(query_key >> 1) * days_per_unit,
            query_same_day=(query_key & 1) > 0,
            query_child=child,
            query_of_review=query_of_review,
            length_of_review=length_of_node[review_node],
        )


@dataclass(frozen=True)
class Pairs:
    """Queries paired with each review before them, sorted by query."""

    start: Ints  #: index of each query's first pair
    node: Ints  #: the history that the earlier review led to
    age: Numbers  #: days from the earlier review to the query
    rating: Ints  #: rating of the earlier review

    def sum(self, values: Numbers) -> Floats:
        """Return the sum over each query's pairs, along the last axis of the values."""
        sums: Floats = np.add.reduceat(values, self.start, axis=-1)
        return sums


def earlier_reviews(trie: Trie) -> Pairs:
    """Return each query of a trie with all reviews before it."""
    time = _days_since_first(trie)
    return _pairs(trie, time, trie.query_node, time[trie.query_node] + trie.query_elapsed)


def earlier_reviews_by_level(trie: Trie) -> Iterator[Tuple[slice, Pairs]]:
    """Yield each level after the first, with all reviews before the last review of each of its nodes."""
    time = _days_since_first(trie)
    for level in list(trie.levels())[1:]:
        yield level, _pairs(trie, time, trie.parent[level], time[level])


def _days_since_first(trie: Trie) -> Numbers:
    """Return the days from the first to the last review of each node."""
    time = np.zeros(trie.n_nodes, dtype=trie.elapsed.dtype)
    for level in list(trie.levels())[1:]:
        time[level] = time[trie.parent[level]] + trie.elapsed[level]
    return time


def _pairs(trie: Trie, time: Numbers, node: Ints, query_time: Numbers) -> Pairs:
    """Return queries with all reviews before them.

    Args:
        trie: the histories.
        time: of each node, days from its first to its last review.
        node: history of each query (n,).
        query_time: days from the first review to each query (n,).
    """
    query = np.arange(len(node))
    earlier = node
    queries = [query]
    nodes = [earlier]
    while len(query):
        earlier = trie.parent[earlier]
        query = query[earlier >= 0]
        earlier = earlier[earlier >= 0]
        queries.append(query)
        nodes.append(earlier)
    query = np.concatenate(queries)
    earlier = np.concatenate(nodes)
    order = np.argsort(query, kind="stable")
    query = query[order]
    earlier = earlier[order]
    start = np.searchsorted(query, np.arange(len(node)))
    return Pairs(start, earlier, query_time[query] - time[earlier], trie.rating[earlier])


def _next_target(rows: CardRows, reviews: TargetReviews) -> Tuple[Bools, Ints]:
    """For each row, return whether a later row of its card is a target review, and the index of the next one."""
    review = np.full(len(rows), -1, dtype=COMPACT_INT)
    review[reviews.row] = np.arange(len(reviews))
    targets_so_far = np.cumsum(review >= 0)
    first, size = runs(rows.position == 0)
    has_later_target: Bools = targets_so_far < np.repeat(targets_so_far[first + size - 1], size)
    return has_later_target, np.append(review[review >= 0], 0)[targets_so_far]


def _build_trie(step_key: Ints, first_step: Ints, next_target: Ints, units_per_day: int) -> Tuple[Ints, ...]:
    """Build the trie from the steps of all cards, sorted by card.

    Nodes of equal level and kind are in the order of the first review that needs them. So the order in which numbers
    are added up for some reviews, and with it their last digit, does not depend on later reviews.

    Args:
        step_key: for each step, 8 * interval + 4 * (whether on the day of the step before) + rating - 1.
        first_step: index of each card's first step.
        next_target: for each step the index of the card's next review in the table of reviews.
        units_per_day: number of units of a step key's interval in a day.

    Returns:
        The parent of each node, or -1; one of the steps of each node; the first node of each level, and the number of
        nodes; and the node of each step.
    """
    size = np.diff(first_step, append=len(step_key))
    step_of_node, node = _number_nodes(step_key, first_step, size)
    level = (np.arange(len(step_key)) - np.repeat(first_step, size))[step_of_node]
    needed_for = next_target[step_of_node]
    node_key = step_key[step_of_node]
    np.minimum.at(needed_for, node, next_target)
    kind = np.where(node_key < 8 * units_per_day, 0, np.where(node_key & 3, 1, 2))
    order = stable_argsort(_pair_key(needed_for, 3 * level + np.where(level, kind, 0)))
    new_node = np.empty(len(order), dtype=COMPACT_INT)
    new_node[order] = np.arange(len(order))
    step_of_node = step_of_node[order]
    node = new_node[node]
    level_start = np.append(0, np.cumsum(np.bincount(level)))
    parent = node[step_of_node - 1]
    parent[: np.count_nonzero(level == 0)] = -1
    return parent, step_of_node, level_start, node


def _number_nodes(step_key: Ints, first_step: Ints, size: Ints) -> Tuple[Ints, Ints]:
    """Number the nodes level by level, as they are found.

    Args:
        step_key: see :func:`_build_trie`.
        first_step: index of each card's first step.
        size: number of each card's steps.

    Returns:
        One of the steps of each node, and the node of each step.
    """
    node = np.full(len(step_key), -1, dtype=COMPACT_INT)
    step = first_step
    last_step = first_step + size - 1
    level_first = 0
    n_nodes = 0
    steps_of_levels: List[Ints] = []
    # Go down level by level, as long as several cards have the same history.
    while len(step):
        parent = node[step - 1] - level_first if n_nodes else np.zeros(len(step), dtype=COMPACT_INT)
        first, node_index = _distinct_pairs(step_key[step], parent)
        node[step] = n_nodes + node_index
        steps_of_levels.append(step[first])
        level_first = n_nodes
        n_nodes += len(first)
        continues = (step < last_step) & (np.bincount(node_index) > 1)[node_index]
        step = step[continues] + 1
        last_step = last_step[continues]
    # The remaining steps belong to histories of one card only.
    unshared_steps = np.flatnonzero(node < 0)
    node[unshared_steps] = np.arange(n_nodes, n_nodes + len(unshared_steps))
    return np.concatenate([*steps_of_levels, unshared_steps]), node


def _distinct_pairs(minor: Ints, major: Ints) -> Tuple[Ints, Ints]:
    """Return the distinct pairs of two columns of integers >= 0, sorted by the major one, then the minor one.

    Returns:
        The index of the first element of each pair, and for each element the index of its pair.
    """
    pair = _pair_key(minor, major)
    order = stable_argsort(pair)
    is_first = is_run_start(pair[order])
    pair_index = np.empty(len(order), dtype=COMPACT_INT)
    pair_index[order] = np.cumsum(is_first) - 1
    return order[is_first], pair_index


def _pair_key(minor: Ints, major: Ints) -> Ints:
    """Return one integer for each pair of integers >= 0. They sort by the major one, then the minor one."""
    key: Ints = major.astype(np.int64) << int(minor.max(initial=0)).bit_length()
    key |= minor
    return key
