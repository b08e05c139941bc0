"""The histories as a trie: two cards with the same ratings at the same intervals are in the same state.

Each distinct history is one *node*, pointing to the node that is one review shorter; nodes are laid out level by level
(all histories of length 1, then of length 2, ...). A state is computed once per node, for all nodes of a level at a
time. Reviews with the same history and the same interval share one prediction: such a pair is a *place*. For fitting,
only the weighted numbers of successes and lapses at each place matter, so a fold or a recency weighting is nothing but
other weights on the same trie.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, List, Tuple

import numpy as np
import numpy.typing as npt

from .inputs import Inputs
from .reviews import CardRows, Reviews
from .revlog import SECONDS_PER_DAY, Ints

Numbers = npt.NDArray[Any]


@dataclass(frozen=True)
class Histories:
    """A trie of histories and the places at which it is asked.

    Nodes (arrays of length ``nodes``), sorted by level and within a level by parent:
    """

    parent: Ints  #: node that is one review shorter; -1 on level 1
    elapsed: Numbers  #: days between the node's last review and the one before; 0 on level 1
    rating: Ints  #: of the node's last review
    level_start: Ints  #: level k (from 0) is the nodes level_start[k] .. level_start[k + 1] - 1

    place_node: Ints  #: places, sorted by node: the history ...
    place_elapsed: Numbers  #: ... and the days since its last review
    place_of_review: Ints  #: the place of each row of the table
    length_of_review: Ints  #: how many reviews the history of each row of the table holds

    @property
    def nodes(self) -> int:
        """Number of distinct histories."""
        return len(self.parent)

    @property
    def places(self) -> int:
        """Number of distinct (history, interval) pairs."""
        return len(self.place_node)

    def levels(self) -> Iterator[slice]:
        """The nodes of level 1, of level 2, ..."""
        for start, stop in zip(self.level_start[:-1], self.level_start[1:]):
            yield slice(int(start), int(stop))

    @classmethod
    def of(cls, rows: CardRows, reviews: Reviews, inputs: Inputs) -> Histories:
        """The histories of these reviews.

        Args:
            rows: what the histories are made of.
            reviews: the table; each of its rows becomes a question at some place.
            inputs: what of them is seen.
        """
        part = (rows.position == 0) | (rows.elapsed_days > 0) | inputs.same_day
        elapsed_of_row = rows.elapsed_seconds if inputs.fractional else rows.elapsed_days
        days = 1 / SECONDS_PER_DAY if inputs.fractional else 1
        rating_of_row = np.where(rows.rating > 1, 3, 1) if inputs.two_buttons else rows.rating
        step = np.flatnonzero(part & (np.arange(len(rows)) < _last_asked(rows, reviews)))
        first = rows.position[step] == 0
        depth = _count_since(first)
        parent, elapsed, rating, level_start, node = _grow(elapsed_of_row[step], rating_of_row[step], depth)

        last_step = np.searchsorted(step, reviews.row) - 1
        interval = elapsed_of_row[reviews.row]
        widest = int(interval.max(initial=0)) + 1
        asked = node[last_step] * widest + interval
        places, place_of_review = np.unique(asked, return_inverse=True)
        return cls(
            parent=parent,
            elapsed=elapsed * days,
            rating=rating,
            level_start=level_start,
            place_node=places // widest,
            place_elapsed=places % widest * days,
            place_of_review=place_of_review,
            length_of_review=depth[last_step] + 1,
        )


def _last_asked(rows: CardRows, reviews: Reviews) -> Ints:
    """For each row the last row of its card that is in the table; 0 where there is none."""
    start = np.arange(len(rows)) - rows.position
    last = np.zeros(len(rows), dtype=np.int64)
    np.maximum.at(last, start[reviews.row], reviews.row)
    last_asked: Ints = last[start]
    return last_asked


def _count_since(first: npt.NDArray[np.bool_]) -> Ints:
    """0, 1, 2, ... from each True on. The first element is True."""
    index = np.arange(len(first))
    count: Ints = index - np.maximum.accumulate(np.where(first, index, 0))
    return count


def _grow(elapsed: Ints, rating: Ints, depth: Ints) -> Tuple[Ints, Ints, Ints, Ints, Ints]:
    """Build the trie level by level from the steps of all cards, one card's steps following each other.

    Returns:
        parent, elapsed and rating of each node, the starts of the levels, and the node of each step.
    """
    node = np.full(len(depth), -1, dtype=np.int64)
    widest = int(elapsed.max(initial=0)) + 1
    by_depth = np.argsort(depth, kind="stable")
    bounds = np.searchsorted(depth[by_depth], np.arange(depth.max(initial=-1) + 2))
    keys: List[Ints] = []
    level_start = [0]
    for start, stop in zip(bounds[:-1], bounds[1:]):
        steps = by_depth[start:stop]
        parent = node[steps - 1] if keys else np.full(len(steps), -1)
        distinct, which = np.unique(((parent + 1) * widest + elapsed[steps]) * 8 + rating[steps], return_inverse=True)
        node[steps] = level_start[-1] + which
        keys.append(distinct)
        level_start.append(level_start[-1] + len(distinct))
    key = np.concatenate(keys) if keys else np.zeros(0, dtype=np.int64)
    return key // (8 * widest) - 1, key // 8 % widest, key % 8, np.array(level_start), node
