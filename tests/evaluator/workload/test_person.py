from __future__ import annotations

from dataclasses import replace
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
import pytest
from made_logs import FILTERED, LEARN, RELEARN, REVIEW, Answer, log_of, table_of

from evaluator.algorithms.fsrs6 import FSRS_6
from evaluator.data.revlog import FSRS_7_PARAMETERS, Cards, Clock, Deck, Ints, Preset, Sm2Settings, Snapshot
from evaluator.report import DEFAULT_RETENTION
from evaluator.workload.person import (
    ACTIVE_DAYS,
    DEFAULT_SECONDS,
    PRIOR_ANSWERS,
    RECENT,
    StudyLog,
    active_cards,
    measure_lateness,
    study_habits,
)
from evaluator.workload.scheduler_settings import SchedulerSettings, settings_in_use
from tools.simulate.learner import FORGETFUL

PUBLISHED_W = np.array([p.default for p in FSRS_6.parameters])


def derive_settings(
    study: StudyLog,
    cards: Optional[Cards],
    presets: Sequence[Preset],
    active: Ints,
    *,
    decks: Sequence[Deck] = (),
    fsrs: Optional[bool] = None,
    scripted: bool = False,
    first: int = 0,
) -> SchedulerSettings:
    snapshot = Snapshot(log_of([]), Clock(0), cards=cards, presets=tuple(presets), decks=tuple(decks), fsrs=fsrs)
    snapshot = replace(snapshot, scripted=scripted)
    return settings_in_use(study, snapshot, first, active)


class Row(NamedTuple):
    """One row of the log, with the intervals and the factor that the scheduler stored."""

    card: int
    day: int
    button: int = 3
    interval: int = 1
    last_interval: int = 1
    kind: int = REVIEW
    seconds: float = 5.0
    factor: int = 2500


def first_answer(number: int, day: int, button: int = 3, seconds: float = 5.0) -> Row:
    return Row(number, day, button, 1, 0, LEARN, seconds)


def study_of(rows: List[Row], *, max_seconds: int = 60) -> StudyLog:
    """Return the study log of these rows, which are in the order of the answers. Day 1 is the clock's day 0."""
    answers = [
        Answer(row.card, row.day - 1, row.button, row.kind, row.factor, minute) for minute, row in enumerate(rows)
    ]
    log = log_of(answers)
    log.interval[:] = [row.interval for row in rows]
    log.last_interval[:] = [row.last_interval for row in rows]
    log.duration_ms[:] = [round(1000 * row.seconds) for row in rows]
    return StudyLog.of(table_of(log).rows, log, max_seconds)


class TestStudy:
    #: Card 1 is learned on day 0 and lapses on day 2. Card 2 is still learned when its only day ends.
    ROWS = (
        Row(1, 0, 1, -60, 0, LEARN),
        Row(2, 0, 3, -600, 0, LEARN),
        Row(1, 0, 3, 2, -60, LEARN),
        Row(1, 2, 1, -600, 2),
        Row(1, 2, 3, 4, -600, RELEARN),
        Row(1, 6, 3, 9, 4),
    )

    def test_rows_are_grouped_by_card_and_day(self):
        study = study_of(list(self.ROWS))
        assert study.start.tolist() == [0, 5]
        assert study.size.tolist() == [5, 1]
        assert study.last_of_day(np.arange(6)).tolist() == [1, 1, 3, 3, 4, 5]
        assert study.given_interval(np.arange(6)).tolist() == [2, 2, 4, 4, 9, 1]
        assert study.is_later_day.tolist() == [False, False, True, False, True, False]
        assert study.in_review.tolist() == [False, False, True, False, True, False]


class TestLateness:
    def test_days_without_study_are_not_late(self):
        """The study days are 0, 1, 5, 6 and 7. Only study days between the due day and the review count as late."""
        rows = [
            *(first_answer(card, 0) for card in range(1, 5)),
            Row(1, 5, last_interval=5),
            Row(2, 6, last_interval=1),
            Row(3, 7, last_interval=3),
            Row(4, 5, last_interval=7, kind=FILTERED),
            first_answer(9, 1),
            Row(9, 7, kind=RELEARN, last_interval=-600),
        ]
        late, on_time = measure_lateness(study_of(rows), RECENT)
        assert late.tolist() == [0, 2, 2, -2]
        assert on_time == 2 / 4

    @pytest.mark.parametrize(
        ("interval", "overdue", "on_time"), [(1, 1, 1.0), (1, 2, 0.0), (20, 2, 1.0), (20, 3, 0.0), (5, -4, 1.0)]
    )
    def test_review_is_on_time_within_a_day_or_a_tenth(self, interval, overdue, on_time):
        study = study_of([first_answer(1, 0), Row(1, interval + overdue, last_interval=interval)])
        assert measure_lateness(study, RECENT)[1] == on_time


class TestHabits:
    def test_button_shares_are_those_of_recent_answers_and_a_prior_of_all(self):
        rows = [first_answer(card, 10, 4) for card in range(4)]
        rows += [first_answer(4 + card, 100 + card, button) for card, button in enumerate((1, 1, 3, 3))]
        rows += [Row(0, 20, 4), Row(1, 21, 4), Row(2, 22, 1)]
        rows += [Row(0, 101, 2), Row(1, 102, 3), Row(2, 103, 3), Row(3, 104, 3), Row(3, 105, 1)]
        result = study_habits(study_of(rows), 100 + RECENT, np.arange(3))
        # Four recent answers, and all answers with a weight of PRIOR_ANSWERS = 20.
        np.testing.assert_allclose(result.first_shares, np.array([2 + 20 / 4, 0, 2 + 20 / 4, 20 / 2]) / 24)
        np.testing.assert_allclose(result.pass_shares, np.array([1 + 20 / 6, 3 + 20 / 2, 20 / 3]) / 24)
        assert result.study_days.tolist() == [0, 1, 2]
        assert result.review_order == 0

    def test_further_answers_of_a_day_are_counted(self):
        """Lately, two first answers have 3 repeated ones, and two lapses have 1. In all, 3 have 3, and 3 have 4."""
        rows = [
            first_answer(1, 0),
            Row(1, 5, 1),
            Row(1, 5, 1, kind=RELEARN),
            Row(1, 5, 3, kind=RELEARN),
            Row(1, 5, 3, kind=RELEARN),
            first_answer(2, 50, 1),
            Row(2, 50, 1, kind=LEARN),
            Row(2, 50, 3, kind=LEARN),
            first_answer(3, 51),
            Row(3, 51, 3, kind=LEARN),
            Row(2, 52, 1),
            Row(2, 52, 3, kind=RELEARN),
            Row(3, 53, 1),
            # Answers after a passed review, or after a first answer with Easy, do not count.
            Row(1, 54, 3),
            Row(1, 54, 3, kind=FILTERED),
            first_answer(4, 55, 4),
            Row(4, 55, 3, kind=FILTERED),
            first_answer(5, 55, 4),
        ]
        result = study_habits(study_of(rows), 50 + RECENT, np.arange(1))
        np.testing.assert_allclose(result.after_first, (3 + PRIOR_ANSWERS * 3 / 3) / (2 + PRIOR_ANSWERS))
        np.testing.assert_allclose(result.after_lapse, (1 + PRIOR_ANSWERS * 4 / 3) / (2 + PRIOR_ANSWERS))

    def test_answer_times_depend_on_button_and_kind(self):
        rows = []
        # Earlier answers are Good with 4 seconds, then Hard with 10. Recent ones are Good with 7 and 9 seconds.
        for card in range(PRIOR_ANSWERS):
            rows += [first_answer(card, 0, 3, 4.0), Row(card, 1, 2, seconds=10.0)]
        for card in range(PRIOR_ANSWERS):
            rows += [first_answer(100 + card, 50, 3, 7.0), Row(card, 60, 3, seconds=9.0)]
        rows.append(first_answer(200, 50, 1, 30.0))
        result = study_habits(study_of(rows), 50 + RECENT, np.arange(1))
        of_all = (20 * 4 + 20 * 7 + 30) / 41
        np.testing.assert_allclose(result.seconds[0], [of_all, of_all, 7.0, of_all])
        # No card was answered twice on a day.
        np.testing.assert_allclose(result.seconds[1], DEFAULT_SECONDS)
        np.testing.assert_allclose(result.seconds[2], [9.5, 10.0, 9.0, 9.5])


class TestActiveCards:
    TODAY = 400
    #: (card, day of its last answer). In :meth:`cards`, the last three are in deck 2, and the others in deck 1.
    SEEN: Tuple[Tuple[int, int], ...] = (
        (1, TODAY),
        (2, TODAY - ACTIVE_DAYS),
        (3, TODAY - ACTIVE_DAYS - 1),
        (4, TODAY - 3),
        (5, TODAY - 5),
        (6, TODAY - RECENT),
        (7, TODAY - 100),
    )

    def study(self) -> StudyLog:
        rows = [first_answer(card, 10) for card, _ in self.SEEN]
        return study_of(rows + [Row(card, day, last_interval=30) for card, day in self.SEEN])

    def cards(self, *, without: Optional[int] = 5, suspended: Optional[int] = 4) -> Cards:
        # Card 99 was never answered.
        number = np.array([card for card in (7, 99, 3, 1, 2, 6, 5, 4) if card != without])
        set_aside = None if suspended is None else number == suspended
        return Cards(number, np.where(np.isin(number, (5, 6, 7)), 2, 1), None, set_aside)

    def test_inactive_cards_are_left_out(self):
        """Without card 5, the last answer in deck 2 was 90 days ago. Today is the first of the 90 days that count."""
        result = active_cards(self.study(), self.cards(), self.TODAY)
        assert result.tolist() == [0, 1]

    def test_single_card_keeps_a_deck_active(self):
        result = active_cards(self.study(), self.cards(without=None), self.TODAY)
        assert result.tolist() == [0, 1, 4, 5, 6]


class TestInUse:
    OWN = FORGETFUL

    def settings_from_factors(self, *factors: int, fsrs: Optional[bool] = None, first: int = 10) -> SchedulerSettings:
        """Return the settings for a card that was reviewed on the days 11, 12, ... with these factors."""
        rows = [first_answer(1, 0)._replace(factor=0), Row(1, 5, factor=700)]
        rows += [Row(1, 11 + number, factor=factor) for number, factor in enumerate(factors)]
        return derive_settings(study_of(rows), None, (), np.zeros(1, int), fsrs=fsrs, first=first)

    @pytest.mark.parametrize(
        ("factors", "fsrs"),
        [
            ([100, 1100, 550], True),
            ([1300, 2500, 4000], False),
            ([500] * 19 + [2500], True),
            ([500] * 9 + [2500] * 2, None),
            ([500] * 2 + [2500] * 9, None),
            ([500] + [2500] * 19, False),
            ([0, 0, 500], True),
        ],
    )
    def test_scheduler_is_recognized_from_the_log(self, factors, fsrs):
        for setting in (True, False, None):
            settings = self.settings_from_factors(*factors, fsrs=setting, first=11)
            assert (settings.fsrs, settings.switched) == (fsrs, fsrs is None)
            assert settings.name == {True: "FSRS-6", False: "Anki-SM-2", None: None}[fsrs]

    @pytest.mark.parametrize("factor", [500, 2500])
    def test_scheduler_is_unknown_if_a_script_may_have_written_the_log(self, factor):
        study = study_of([first_answer(1, 0), *(Row(1, day, factor=factor) for day in range(11, 15))])
        settings = derive_settings(study, None, (), np.zeros(1, int), scripted=True)
        assert (settings.fsrs, settings.switched, settings.name) == (None, False, None)

    def presets(self) -> Tuple[Preset, ...]:
        return (
            Preset(30, "Not used", (1.0,) * FSRS_7_PARAMETERS, fsrs_version=7, desired_retention=0.7),
            Preset(20, "Words", self.OWN, desired_retention=0.85, sm2=Sm2Settings(2.1, max_interval=900)),
            Preset(10, "Bones", (), review_order=7, sm2=Sm2Settings(interval_modifier=0.8, max_interval=400)),
        )

    def cards(self, *preset: int, number: Any = None) -> Cards:
        card_id = np.arange(1, 1 + len(preset)) if number is None else np.array(number)
        return Cards(card_id, np.ones(len(preset), dtype=np.int64), np.array(preset, dtype=np.int64))

    def study(self, cards: int = 5) -> StudyLog:
        return study_of([row for n in range(1, 1 + cards) for row in (first_answer(n, 0), Row(n, 3, factor=1900))])

    def test_settings_come_from_the_preset_of_each_card(self):
        settings = derive_settings(self.study(), self.cards(20, 10, 20, 20, 10), self.presets(), np.arange(5))
        assert settings.preset.tolist() == [1, 0, 1, 1, 0]
        assert settings.most_used == 1
        assert [item.starting_ease for item in settings.sm2] == [2.5, 2.1]
        assert [item.interval_modifier for item in settings.sm2] == [0.8, 1.0]
        np.testing.assert_array_equal(settings.w, np.stack([PUBLISHED_W, self.OWN], axis=1))
        assert settings.desired_retention.tolist() == [DEFAULT_RETENTION, 0.85]
        assert settings.review_order.tolist() == [7, 0]
        assert settings.max_interval == 900
        assert not settings.fsrs_7
        newer = tuple(replace(item, fsrs_version=0) if item.name == "Words" else item for item in self.presets())
        assert derive_settings(self.study(), self.cards(20, 10, 20, 20, 10), newer, np.arange(5)).fsrs_7

    def test_deck_overrides_the_desired_retention_of_its_preset(self):
        decks = (Deck(1, "A"), Deck(2, "B", 0.8), Deck(3, "C", 0.93), Deck(4, "D", 0.9))
        cards = replace(self.cards(20, 10, 20, 20, 20), deck_id=np.array([1, 4, 2, 2, 3]))
        settings = derive_settings(self.study(), cards, self.presets(), np.arange(5), decks=decks)
        assert settings.desired_retention[settings.preset].tolist() == [0.85, 0.9, 0.8, 0.8, 0.93]
        assert [settings.sm2[item].starting_ease for item in settings.preset] == [2.1, 2.5, 2.1, 2.1, 2.1]
        assert settings.dominant_retention == (0.8, 2 / 5)

    def test_dominant_retention_is_that_of_the_studied_cards(self):
        presets = (*self.presets()[1:], Preset(40, "Verbs", ()))
        cards = self.cards(20, 20, 20, 20, 10, 10, 40)
        settings = derive_settings(self.study(7), cards, presets, np.arange(3, 7))
        assert settings.dominant_retention == (DEFAULT_RETENTION, 3 / 4)
