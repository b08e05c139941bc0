"""Random review logs for property tests, either lifelike or hostile."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from made_logs import LEARN, Answer, log_of

from evaluator.data.revlog import Revlog

#: Strategy for small numbers, which may be invalid, and for huge ones.
_WILD = st.one_of(st.integers(-3, 8), st.integers(-(2**40), 2**40))


@st.composite
def lifelike_logs(draw: Any) -> Revlog:
    """Draw groups of cards that share their steps, so that some pass the outlier filter, plus some odd rows."""
    step = st.tuples(st.integers(0, 3), st.integers(1, 4), st.sampled_from([0, 1, 1, 1, 2, 3]))
    # First answer, days to the second, number of cards, later steps, first day.
    group = st.tuples(
        st.integers(1, 4),
        st.sampled_from([0, 1, 1, 2, 3, 100, 101, 365, 366]),
        st.integers(1, 30),
        st.lists(step, max_size=5),
        st.integers(0, 10),
    )
    answers = []
    number = 0
    for first, second, cards, steps, start in draw(st.lists(group, max_size=6)):
        for _ in range(cards):
            number += 1
            day = start + second
            answers += [Answer(number, start, first, LEARN), Answer(number, day, 3, minute=1)]
            for n, (elapsed, rating, kind) in enumerate(steps):
                day += elapsed
                answers.append(Answer(number, day, rating, kind, minute=n + 2))
    odd = st.tuples(
        st.integers(1, 40), st.integers(0, 20), st.integers(-1, 6), st.integers(0, 6), st.sampled_from([0, 2500])
    )
    answers += [Answer(*row, minute=n) for n, row in enumerate(draw(st.lists(odd, max_size=30)))]
    return log_of(answers)


@st.composite
def hostile_logs(draw: Any) -> Revlog:
    """Draw logs of few cards, with huge and negative numbers in every column."""
    ids = draw(st.lists(st.integers(-(2**55), 2**55), unique=True, max_size=40))
    count = len(ids)

    def column(values):
        return np.array(draw(st.lists(values, min_size=count, max_size=count)), dtype=np.int64)

    return Revlog(
        review_id=np.array(ids, dtype=np.int64),
        card_id=column(st.one_of(st.integers(-2, 3), st.sampled_from([-(2**62), 2**62]))),
        button=column(st.one_of(st.integers(0, 4), _WILD)),
        interval=column(_WILD),
        last_interval=column(_WILD),
        factor=column(_WILD),
        duration_ms=column(_WILD),
        kind=column(st.one_of(st.integers(0, 5), _WILD)),
    )
