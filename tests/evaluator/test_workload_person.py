"""How somebody studies, from logs made by hand: every expected number is worked out beside the log."""

from __future__ import annotations

from typing import List, NamedTuple, Optional

import numpy as np
import pytest
from made_logs import FILTERED, LEARN, RELEARN, REVIEW, Answer, log_of, table_of

from evaluator.revlog import Cards
from evaluator.workload.person import ALIVE, FEW, RECENT, USUAL_SECONDS, Study, alive, habits, lateness, studied_days


class Row(NamedTuple):
    """One row of the log, with what the scheduler wrote beside the answer."""

    card: int
    day: int
    button: int = 3
    interval: int = 1
    last_interval: int = 1
    kind: int = REVIEW
    seconds: float = 5.0


def new(number: int, day: int, button: int = 3, seconds: float = 5.0) -> Row:
    """A card's first answer."""
    return Row(number, day, button, 1, 0, LEARN, seconds)


def study_of(rows: List[Row], *, most_seconds: int = 60, factor: int = 2500) -> Study:
    """The rows of a card are in the order in which they were answered; the clock's day 0 ends where theirs begins."""
    answers = [Answer(row.card, row.day - 1, row.button, row.kind, factor, minute) for minute, row in enumerate(rows)]
    log = log_of(answers)
    log.interval[:] = [row.interval for row in rows]
    log.last_interval[:] = [row.last_interval for row in rows]
    log.duration_ms[:] = [round(1000 * row.seconds) for row in rows]
    return Study.of(table_of(log).rows, log, most_seconds)


class TestStudy:
    #: Card 1 is learned on day 0 and lapses on day 2; card 2 is still learned when its only day ends.
    ROWS = (
        Row(1, 0, 1, -60, 0, LEARN),
        Row(2, 0, 3, -600, 0, LEARN),
        Row(1, 0, 3, 2, -60, LEARN),
        Row(1, 2, 1, -600, 2),
        Row(1, 2, 3, 4, -600, RELEARN),
        Row(1, 6, 3, 9, 4),
    )

    def test_the_interval_given_is_that_with_which_the_day_ended(self) -> None:
        study = study_of(list(self.ROWS))
        assert study.start.tolist() == [0, 5]
        assert study.size.tolist() == [5, 1]
        assert study.last_of_day(np.arange(6)).tolist() == [1, 1, 3, 3, 4, 5]
        assert study.given(np.arange(6)).tolist() == [2, 2, 4, 4, 9, 1]
        assert study.later.tolist() == [False, False, True, False, True, False]
        assert study.of_review.tolist() == [False, False, True, False, True, False]

    def test_rows_go_with_their_own_columns_of_the_log(self) -> None:
        """The log goes by time, the study by cards."""
        study = study_of(list(self.ROWS))
        assert study.interval.tolist() == [-60, 2, -600, 4, 9, -600]
        assert study.last_interval.tolist() == [0, -60, 2, -600, 4, 0]

    def test_long_answers_count_as_long_as_the_preset_says(self) -> None:
        rows = [new(1, 0, seconds=90), Row(1, 1, seconds=30), Row(1, 2, seconds=0), Row(1, 3, seconds=-4)]
        assert study_of(rows).seconds.tolist() == [60, 30, 0, 0]
        assert study_of(rows, most_seconds=20).seconds.tolist() == [20, 20, 0, 0]

    def test_first_rows_are_as_many_as_are_asked_for(self) -> None:
        study = study_of(list(self.ROWS))
        past = study.first_rows(np.array([1, 0]), np.array([1, 3]))
        assert (past.start.tolist(), past.size.tolist()) == ([5, 0], [1, 3])
        np.testing.assert_array_equal(past.days, [0, 0, 2, 0, 4, 0])
        np.testing.assert_allclose(past.exact_days[2], 2 + 1 / 1440, atol=1e-4)  # a minute later in the day

    def test_studied_days_are_counted_from_the_first_one_asked_for(self) -> None:
        study = study_of([new(1, 3), new(2, 5), Row(1, 5), Row(1, 9)])
        assert studied_days(study, 3, 10).tolist() == [0, 2, 6]
        assert studied_days(study, 4, 9).tolist() == [1]
        assert studied_days(study, 6, 9).tolist() == []


class TestLateness:
    def test_days_on_which_nothing_was_studied_are_not_late(self) -> None:
        """Studied are the days 0, 1, 5, 6 and 7; late by 0, 1, 2 and -2 of them, and by 0, 5, 2 and -2 whole days."""
        rows = [
            *(new(card, 0) for card in range(1, 5)),
            Row(1, 5, last_interval=5),
            Row(2, 6, last_interval=1),  # due on day 1
            Row(3, 7, last_interval=3),  # due on day 3, which is made up for on day 5
            Row(4, 5, last_interval=7, kind=FILTERED),
            new(9, 1),
            Row(9, 7, kind=RELEARN, last_interval=-600),
        ]
        late, on_time, count = lateness(study_of(rows), 0, 8)
        assert late.tolist() == [0, 2, 2, -2]
        assert on_time == 2 / 4
        assert count == 4

    @pytest.mark.parametrize(
        ("interval", "over", "on_time"),
        [
            (1, 1, 1.0),
            (1, 2, 0.0),
            (9, 1, 1.0),
            (20, 2, 1.0),
            (20, 3, 0.0),
            (100, 10, 1.0),
            (100, 11, 0.0),
            (5, -4, 1.0),
        ],
    )
    def test_on_time_is_a_day_or_a_tenth_late(self, interval: int, over: int, on_time: float) -> None:
        study = study_of([new(1, 0), Row(1, interval + over, last_interval=interval)])
        assert lateness(study, 0, 200)[1] == on_time

    def test_only_the_days_asked_for_and_only_cards_in_review(self) -> None:
        rows = [
            new(1, 0),
            Row(1, 9, last_interval=1),  # before
            Row(1, 10, last_interval=1),
            Row(1, 20, last_interval=1),  # after
            new(2, 0),
            Row(2, 12, last_interval=-600, kind=LEARN),
            Row(2, 13, last_interval=-600),
        ]
        late, on_time, count = lateness(study_of(rows), 10, 20)
        assert (late.tolist(), on_time, count) == ([0], 1.0, 1)

    def test_who_reviewed_nothing_was_never_late(self) -> None:
        late, on_time, count = lateness(study_of([new(1, 0)]), 0, 1)
        assert (late.tolist(), on_time, count) == ([0], 1.0, 0)


class TestHabits:
    def test_shares_of_buttons(self) -> None:
        """First answers from day 100 on: 2 Again, 2 Good; before: 4 Easy. Later ones: 1 Hard, 3 Good, and 2 Easy."""
        rows = [new(card, 10, 4) for card in range(4)]
        rows += [new(4 + card, 100 + card, button) for card, button in enumerate((1, 1, 3, 3))]
        rows += [Row(0, 20, 4), Row(1, 21, 4), Row(2, 22, 1)]
        rows += [Row(0, 101, 2), Row(1, 102, 3), Row(2, 103, 3), Row(3, 104, 3), Row(3, 105, 1)]
        own = habits(study_of(rows), 100, 190, np.arange(3))
        np.testing.assert_allclose(own.first, np.array([2 + 20 / 4, 0, 2 + 20 / 4, 20 / 2]) / 24)
        np.testing.assert_allclose(own.passed, np.array([1 + 20 / 6, 3 + 20 / 2, 20 / 3]) / 24)
        assert own.studied.tolist() == [0, 1, 2]
        assert own.order == 0

    def test_further_answers_on_a_day(self) -> None:
        """Recent: 2 first answers with 3 further ones, 2 lapses with 1. All: 3 with 3, and 3 with 4."""
        rows = [
            new(1, 0),
            *(Row(1, 5, 1), Row(1, 5, 1, kind=RELEARN), Row(1, 5, 3, kind=RELEARN), Row(1, 5, 3, kind=RELEARN)),
            *(new(2, 50, 1), Row(2, 50, 1, kind=LEARN), Row(2, 50, 3, kind=LEARN)),
            *(new(3, 51), Row(3, 51, 3, kind=LEARN)),
            *(Row(2, 52, 1), Row(2, 52, 3, kind=RELEARN)),
            Row(3, 53, 1),
            *(Row(1, 54, 3), Row(1, 54, 3, kind=FILTERED)),  # after a passed review: neither
        ]
        own = habits(study_of(rows), 50, 60, np.arange(1))
        np.testing.assert_allclose(own.after_first, (3 + FEW * 3 / 3) / (2 + FEW))
        np.testing.assert_allclose(own.after_lapse, (1 + FEW * 4 / 3) / (2 + FEW))

    def test_an_answer_belongs_to_its_own_card_and_day(self) -> None:
        """A card that is first answered, beside one that lapses; nothing of the one counts for the other."""
        rows = [new(1, 0), *(Row(1, 3, 1), Row(1, 3, 3, kind=RELEARN)), new(2, 3), new(3, 3)]
        own = habits(study_of(rows), 0, 90, np.arange(1))
        np.testing.assert_allclose(own.after_first, 0)
        np.testing.assert_allclose(own.after_lapse, (1 + FEW) / (1 + FEW))

    def test_seconds_by_button_and_kind(self) -> None:
        """Where a button was pressed 20 times lately, those count, else 20 of all times, else all of the kind."""
        rows = []
        for card in range(FEW):  # before: Good, with 4 seconds, then Hard with 10
            rows += [new(card, 0, 3, 4.0), Row(card, 1, 2, seconds=10.0)]
        for card in range(FEW):  # lately: Good, with 7 seconds and 9
            rows += [new(100 + card, 50, 3, 7.0), Row(card, 60, 3, seconds=9.0)]
        rows.append(new(200, 50, 1, 30.0))
        own = habits(study_of(rows), 50, 90, np.arange(1))
        of_all = (20 * 4 + 20 * 7 + 30) / 41
        np.testing.assert_allclose(own.seconds[0], [of_all, of_all, 7.0, of_all])
        np.testing.assert_allclose(own.seconds[1], USUAL_SECONDS)  # nobody answered again on a day
        np.testing.assert_allclose(own.seconds[2], [9.5, 10.0, 9.0, 9.5])

    def test_nothing_is_known_of_what_comes_after(self) -> None:
        """The same habits with and without 40 rows from the day on which they end."""
        rows = [new(card, 5, 1 + card % 4, 3.0) for card in range(30)]
        rows += [Row(card, 7, 1 + card % 4, last_interval=2, seconds=6.0) for card in range(30)]
        after = [Row(card, 20, 2, last_interval=3, seconds=50.0) for card in range(20)]
        after += [new(100 + card, 20, 4, 50.0) for card in range(20)]
        known, all_of = (habits(study_of(some), 0, 20, np.arange(1)) for some in (rows, rows + after))
        for name in ("first", "passed", "seconds", "delays"):
            np.testing.assert_array_equal(getattr(known, name), getattr(all_of, name), err_msg=name)
        assert (known.after_first, known.after_lapse) == (all_of.after_first, all_of.after_lapse)

    def test_of_nobody_they_are_the_usual_ones(self) -> None:
        own = habits(study_of([new(1, 50)]), 0, 20, np.arange(1))
        np.testing.assert_array_equal(own.first, [0, 0, 1, 0])
        np.testing.assert_array_equal(own.passed, [0, 1, 0])
        np.testing.assert_array_equal(own.seconds, np.full((3, 4), USUAL_SECONDS))
        assert (own.after_first, own.after_lapse, own.delays.tolist()) == (0.0, 0.0, [0])


class TestAlive:
    TODAY = 400
    #: (card, day of its last answer); the decks of :meth:`cards` are 1, and 2 of the last three.
    SEEN = ((1, TODAY), (2, TODAY - ALIVE), (3, TODAY - ALIVE - 1), (4, TODAY - 3))
    SEEN += ((5, TODAY - 5), (6, TODAY - RECENT - 1), (7, TODAY - 100))

    def study(self) -> Study:
        rows = [new(card, 10) for card, _ in self.SEEN]
        return study_of(rows + [Row(card, day, last_interval=30) for card, day in self.SEEN])

    def cards(self, *, without: int = 5, aside: Optional[int] = 4) -> Cards:
        number = np.array([card for card in (7, 99, 3, 1, 2, 6, 5, 4) if card != without])  # 99 was never answered
        set_aside = None if aside is None else number == aside
        return Cards(number, np.where(np.isin(number, (5, 6, 7)), 2, 1), None, set_aside)

    def test_each_reason(self) -> None:
        """Deck 2: without card 5 its last answer is 91 days ago, of which 90 count."""
        found = alive(self.study(), self.cards(), self.TODAY)
        assert found.card.tolist() == [0, 1]
        assert found.left_out == (("gone", 1), ("set_aside", 1), ("not_seen", 1), ("left", 2))

    def test_one_card_keeps_a_deck_alive(self) -> None:
        found = alive(self.study(), self.cards(without=0), self.TODAY)
        assert found.card.tolist() == [0, 1, 4, 5, 6]
        assert found.left_out == (("set_aside", 1), ("not_seen", 1))

    def test_a_suspended_card_that_was_studied_shows_that_its_deck_is(self) -> None:
        found = alive(self.study(), self.cards(without=0, aside=5), self.TODAY)
        assert found.card.tolist() == [0, 1, 3, 5, 6]

    def test_the_first_reason_counts(self) -> None:
        """Card 3 was not seen for long, either."""
        assert alive(self.study(), self.cards(without=3, aside=None), self.TODAY).left_out == (("gone", 1),)
        aside = alive(self.study(), self.cards(without=0, aside=3), self.TODAY)
        assert aside.left_out == (("set_aside", 1),)

    def test_a_source_that_knows_less(self) -> None:
        unknown = alive(self.study(), None, self.TODAY)
        assert unknown.card.tolist() == [0, 1, 3, 4, 5, 6]
        assert unknown.left_out == (("not_seen", 1),)
        none = np.zeros(0, dtype=np.int64)
        deleted = alive(self.study(), Cards(none, none), self.TODAY)
        assert deleted.card.tolist() == []
        assert deleted.left_out == (("gone", 7),)
        others = alive(self.study(), Cards(np.array([98, 99]), np.array([1, 1])), self.TODAY)
        assert (others.card.tolist(), others.left_out) == ([], (("gone", 7),))
