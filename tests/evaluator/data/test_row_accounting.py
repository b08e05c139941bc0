from __future__ import annotations

import numpy as np
import pytest
from made_logs import CLOCK, FILTERED, LEARN, MANUAL, Answer, card, company, log_of

from evaluator.data.revlog import Selection, Snapshot
from evaluator.data.row_accounting import ROW_OUTCOMES, RowAccounting
from evaluator.evaluation import prepare
from evaluator.options import Options
from evaluator.scope import ScopeChoice


def rows(*indices: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(indices, dtype=np.int64)


def test_uses_of_rows() -> None:
    other = {
        "first_review": "history",
        "same_day": "history",
        "same_second": "history",
        "before_since": "history",
        "training_only": "training",
        "scored": "scored",
    }
    assert {s.step: s.use for s in RowAccounting(0).steps()} == {
        step: other.get(step, "left_out") for step, _ in ROW_OUTCOMES
    }


def test_a_row_has_one_outcome() -> None:
    funnel = RowAccounting(2)
    funnel.assign("cram", rows(0))
    for step in ("cram", "outlier"):
        with pytest.raises(ValueError, match="already has another outcome"):
            funnel.assign(step, rows(0, 1))


def test_left_out_lists_the_reasons_for_unscored_rows() -> None:
    funnel = RowAccounting(6)
    funnel.assign("first_review", rows(1, 2))
    funnel.assign("cram", rows(0))
    funnel.assign("training_only", rows(3))
    assert funnel.left_out() == [("cram", 1), ("first_review", 2)]


def test_every_kind_of_row_is_counted() -> None:
    """One log in which every way is taken, counted by hand; only the start date's way and another of same-day reviews
    need an option.
    """
    answers = [
        *company(cards=24),  # 24 first reviews and 24 rows of the table
        Answer(1, 0, 0, MANUAL, 0),  # not answered
        Answer(1, 0, 7),  # unknown button
        Answer(1, 0, 3, FILTERED, 0),  # cram
        Answer(1, 0),  # never learned
        *card(2, 3, (1, 3)),  # 2 rows before relearned from new, ...
        *card(2, 3, (1, 1), start=9),  # ... a first review and a row of the table
        *card(3, 3, *[(1, 3)] * 129),  # a first review, 127 rows of the table, 2 beyond the 128th
        *card(4, 3, (77, 3), (0, 3), (1, 3)),  # a first review, an outlier, a same-day row, one after the outlier
        Answer(5, 0, 3, LEARN),  # a first review
        Answer(6, 0, 3, LEARN),  # damaged, see below
        Answer(9, 0, 3, LEARN),  # a first review at the end of the day after the last change, see below
        Answer(9, 0),  # dated a millisecond later
        Answer(7, 0, 3, LEARN),  # is twice, see below
        Answer(8, 0, 0, MANUAL, 0),  # outside the scope, and so nothing else
        *card(8, 3, (1, 3)),  # the same
    ]
    log = log_of(answers)
    log.review_id[log.card_id == 7] = log.review_id[0]
    log.review_id[log.card_id == 6] = 300_000_000_000_000  # the year 11476
    as_of_ms = int(log.review_id[log.card_id != 6].max())
    log.review_id[log.card_id == 9] = as_of_ms + 86_400_000 + np.arange(2)
    scope = Selection(ScopeChoice("cards", "all but 8"), np.unique(log.card_id[log.card_id != 8]))
    _, funnel = prepare(Snapshot(log, CLOCK, selection=scope, as_of_ms=as_of_ms), Options())
    scored_rows = 24 + 1 + 127
    scored = scored_rows // 6 * 5
    assert {s.step: s.rows for s in funnel.steps()} == {
        "outside_scope": 3,
        "invalid_time": 1,
        "future": 1,
        "not_answered": 1,
        "unknown_button": 1,
        "cram": 1,
        "repeated": 1,
        "never_learned": 1,
        "before_relearned_from_new": 2,
        "beyond_128th": 2,
        "outlier": 1,
        "after_outlier": 1,
        "first_review": 24 + 1 + 1 + 1 + 1 + 1,
        "same_day": 1,
        "same_day_left_out": 0,
        "same_second": 0,
        "before_since": 0,
        "training_only": scored_rows - scored,
        "scored": scored,
    }


def test_unread_rows_are_listed_first() -> None:
    funnel = RowAccounting(2, [("no_grade", 5), ("no_date", 3)])
    steps = funnel.steps()
    assert [(s.step, s.use, s.rows) for s in steps[:2]] == [("no_date", "left_out", 3), ("no_grade", "left_out", 5)]
    assert sum(s.rows for s in steps) == 10
    assert funnel.left_out() == [("no_date", 3), ("no_grade", 5)]
    with pytest.raises(ValueError, match="not in tuple"):
        RowAccounting(2, [("unheard_of", 1)])
