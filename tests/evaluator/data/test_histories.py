from __future__ import annotations

from typing import List, Tuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_logs import CLOCK, Table, table_of
from random_logs import hostile_logs, lifelike_logs
from reference_sets import SETS, snapshot
from slow_benchmark import slow_table

from evaluator.data.histories import WITH_SAME_DAY, Histories, Inputs
from evaluator.data.revlog import Clock

from .test_reviews import check_against_slow


def path(histories: Histories, node: int) -> List[Tuple[int, int]]:
    """Return (elapsed days, rating) of each node from the root to this one."""
    steps = []
    while node >= 0:
        steps.append((int(histories.elapsed[node]), int(histories.rating[node])))
        node = int(histories.parent[node])
    return steps[::-1]


def check_histories(t: Table, clock: Clock) -> None:
    """Check that the table and its trie equal those of the slow re-implementation."""
    check_against_slow(t, clock)
    rows, _ = slow_table(t.log, clock.next_day_at)
    for same_day in (False, True):
        h = Histories.of(t.rows, t.reviews, WITH_SAME_DAY if same_day else Inputs())
        paths = [path(h, node) for node in range(h.n_nodes)]
        queries = []
        for row, query in zip(rows, h.query_of_review, strict=True):
            history = row.history_same_day if same_day else row.history
            assert paths[h.query_node[query]] == history
            assert h.query_elapsed[query] == row.elapsed_days
            queries.append((tuple(history), row.elapsed_days))
        assert h.length_of_review.tolist() == [len(history) for history, _ in queries]
        assert h.n_queries == len(set(queries))
        prefixes = {history[:n] for history, _ in queries for n in range(1, len(history) + 1)}
        assert {tuple(p) for p in paths} == prefixes
        assert h.n_nodes == len(prefixes)
        check_order(h)


def check_order(h: Histories) -> None:
    """Check that levels are consecutive, nodes sorted by branch within a level, and queries sorted by node."""
    levels = list(h.levels())
    assert [level.start for level in levels] == [0, *(level.stop for level in levels[:-1])][: len(levels)]
    assert (levels[-1].stop if levels else 0) == h.n_nodes
    for number, level in enumerate(levels):
        assert level.stop > level.start
        parents = h.parent[level]
        if number == 0:
            assert (parents == -1).all()
            assert (h.elapsed[level] == 0).all()
        else:
            branch = np.where(h.elapsed[level] < 1, 0, np.where(h.rating[level] > 1, 1, 2))
            assert (np.diff(branch) >= 0).all()
            assert (parents >= levels[number - 1].start).all()
            assert (parents < levels[number - 1].stop).all()
    assert (np.diff(h.query_node) >= 0).all()
    queries = np.flatnonzero(h.query_child >= 0)
    child = h.query_child[queries]
    assert (h.parent[child] == h.query_node[queries]).all()
    assert (h.elapsed[child] == h.query_elapsed[queries]).all()
    assert (h.same_day[child] == h.query_same_day[queries]).all()


@given(lifelike_logs())
def test_lifelike_logs_give_the_slow_table_and_histories(log):
    check_histories(table_of(log), CLOCK)


@given(hostile_logs(), st.integers(-(2**33), 2**33))
def test_hostile_logs_give_the_slow_table_and_histories(log, next_day_at):
    check_histories(table_of(log, Clock(next_day_at)), Clock(next_day_at))


@pytest.mark.parametrize("name", SETS)
def test_simulated_logs_give_the_slow_table_and_histories(name):
    check_histories(table_of(snapshot(name).revlog, snapshot(name).clock), snapshot(name).clock)
