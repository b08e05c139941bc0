from __future__ import annotations

import numpy as np
import pytest
from made_logs import CLOCK, FILTERED, LEARN, MANUAL, Answer, card, log_of, similar_cards

from evaluator.data.revlog import Selection, Snapshot
from evaluator.data.row_accounting import OUTCOME, ROW_OUTCOMES, count_outcomes, non_target_counts, set_outcomes
from evaluator.evaluation import prepare
from evaluator.options import Options
from evaluator.scope import ScopeChoice


def test_unscored_rows_are_left_out_unless_histories_or_training_use_them():
    uses = {
        "first_review": "history",
        "same_day": "history",
        "same_second": "history",
        "before_since": "history",
        "training_only": "training",
        "scored": "scored",
    }
    assert dict(ROW_OUTCOMES) == {step: uses.get(step, "left_out") for step, _ in ROW_OUTCOMES}


def test_first_reason_that_applies_decides_the_outcome():
    outcome = np.full(5, OUTCOME["scored"])
    rows = np.array([4, 0, 2])
    is_cram = np.array([True, False, False])
    is_outlier = np.array([True, True, False])
    still_scored = set_outcomes(outcome, rows, cram=is_cram, outlier=is_outlier, repeated=False)
    assert still_scored.tolist() == [False, False, True]
    assert [ROW_OUTCOMES[number][0] for number in outcome] == ["outlier", *["scored"] * 3, "cram"]


def test_rows_that_are_scored_or_trained_on_have_no_reason():
    steps = ("cram", "first_review", "first_review", "training_only", "scored", "scored")
    counts = count_outcomes(np.array([OUTCOME[step] for step in steps]), ())
    assert non_target_counts(counts) == [("cram", 1), ("first_review", 2)]


def test_every_kind_of_row_is_counted():
    """Count by hand a log that has every outcome, except two that need an option and one of the same-day table.

    The first 24 cards have a first review and a row of the table each.
    """
    answers = [
        *similar_cards(cards=24),
        # Card 1 has rows that are not answered, with an unknown button, of unknown kinds, of cramming, and never
        # learned. An unknown kind counts before cramming and learning, and after the button.
        Answer(1, 0, 0, MANUAL, 0),
        Answer(1, 0, 7),
        Answer(1, 0, 0, 6, 0),
        Answer(1, 0, 3, 6),
        Answer(1, 0, 3, 99, 0),
        Answer(1, 0, 3, -1),
        Answer(1, 0, 3, FILTERED, 0),
        Answer(1, 0),
        # Card 2 is learned again from new on day 9, so that its first two rows do not count.
        *card(2, 3, (1, 3)),
        *card(2, 3, (1, 1), start=9),
        # Card 3 has a first review, 127 rows of the table, and 2 rows beyond the 128th.
        *card(3, 3, *[(1, 3)] * 129),
        # Card 4 has a first review, an outlier, a same-day row, and a row after the outlier.
        *card(4, 3, (77, 3), (0, 3), (1, 3)),
        Answer(5, 0, 3, LEARN),
        # The times of the cards 6, 9 and 7 are set below, and make rows invalid, future and repeated.
        Answer(6, 0, 3, LEARN),
        Answer(9, 0, 3, LEARN),
        Answer(9, 0),
        Answer(7, 0, 3, LEARN),
        # Card 8 is outside the scope, which counts before other outcomes.
        Answer(8, 0, 0, MANUAL, 0),
        *card(8, 3, (1, 3)),
    ]
    log = log_of(answers)
    log.review_id[log.card_id == 7] = log.review_id[0]
    # This time is in the year 11476.
    log.review_id[log.card_id == 6] = 300_000_000_000_000
    as_of_ms = int(log.review_id[log.card_id != 6].max())
    # The first of these two rows ends the day after the last change. The second is a millisecond later.
    log.review_id[log.card_id == 9] = as_of_ms + 86_400_000 + np.arange(2)
    scope = Selection(ScopeChoice("cards", "all but 8"), np.unique(log.card_id[log.card_id != 8]))
    _, row_counts = prepare(Snapshot(log, CLOCK, selection=scope, as_of_ms=as_of_ms), Options())
    scored_rows = 24 + 1 + 127
    scored = scored_rows // 6 * 5
    assert {s.step: s.rows for s in row_counts} == {
        "outside_scope": 3,
        "invalid_time": 1,
        "future": 1,
        "not_answered": 2,
        "unknown_button": 1,
        "unknown_kind": 3,
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


def test_unread_rows_are_listed_first():
    outcome = np.full(2, OUTCOME["scored"])
    row_counts = count_outcomes(outcome, [("no_grade", 5), ("no_date", 3)])
    assert [(c.step, c.use, c.rows) for c in row_counts[:2]] == [
        ("no_date", "left_out", 3),
        ("no_grade", "left_out", 5),
    ]
    assert sum(count.rows for count in row_counts) == 10
    assert non_target_counts(row_counts) == [("no_date", 3), ("no_grade", 5)]


def test_unread_rows_need_a_known_outcome():
    with pytest.raises(ValueError):  # noqa: PT011 - its words are those of Python
        count_outcomes(np.full(2, OUTCOME["scored"]), [("unheard_of", 1)])
