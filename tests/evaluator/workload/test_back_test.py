from __future__ import annotations

from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any, Callable, Optional, Sequence, Tuple

import numpy as np
import pytest
from made_logs import LEARN, REVIEW

from evaluator.algorithms.fsrs6 import FSRS_6
from evaluator.data.revlog import Ints, Sm2Settings, Snapshot
from evaluator.derivatives import Floats
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.progress import SILENT
from evaluator.workload.back_test import (
    MAX_SHARE_DIFFERENCE,
    MIN_PREDICTED,
    MIN_REVIEWS,
    MIN_STUDY_DAYS,
    RATIO_LIMITS,
    plan_back_test,
    run_back_test,
)
from evaluator.workload.estimate import DRAWS
from evaluator.workload.fitted import SLIPPING_FSRS_6, Fit
from evaluator.workload.inputs import Period, WorkloadInputs
from evaluator.workload.person import StudyLog
from evaluator.workload.result import PASSED, BackTest
from evaluator.workload.scheduler_settings import SchedulerSettings
from evaluator.workload.year import StudySimulation, Totals
from tools.simulate import deck_schedulers
from tools.simulate.learner import Habits as SimulatedHabits
from tools.simulate.learner import Learner
from tools.simulate.study import _Study

from .test_person import Row
from .test_person import study_of as study_of_rows

PUBLISHED_W = np.array([p.default for p in FSRS_6.parameters])
W = np.append(PUBLISHED_W, 0.0)


def study_of(rows: Sequence[Tuple[int, int, int]], *, given: int = 3, kind: int = REVIEW) -> StudyLog:
    """Return the study log of rows (card, day, rating). In its first row, a card is learned."""
    cards = [card for card, _day, _rating in rows]
    return study_of_rows(
        [
            Row(card, day, rating, given, kind=kind if card in cards[:n] else LEARN)
            for n, (card, day, rating) in enumerate(rows)
        ]
    )


def scheduler_settings(
    fsrs: Optional[bool] = False, *, switched: bool = False, fsrs_7: bool = False, cards: int = 1
) -> SchedulerSettings:
    """Return the settings of one preset with Anki's defaults, which all cards use."""
    return SchedulerSettings(
        fsrs=fsrs,
        switched=switched,
        sm2=[Sm2Settings()],
        w=PUBLISHED_W[:, None],
        desired_retention=np.array([0.9]),
        review_order=np.zeros(1, int),
        fsrs_7=fsrs_7,
        preset=np.zeros(cards, dtype=np.int64),
        share=np.ones(1),
    )


#: The card that most back-tests here simulate.
ONE_ACTIVE = np.arange(1)


def inputs_of(
    study: StudyLog, period: Period, settings: SchedulerSettings, active: Ints = ONE_ACTIVE
) -> WorkloadInputs:
    """Return the inputs of a back-test, without what only other parts need."""
    return WorkloadInputs(data=None, study=study, period=period, active=active, settings=settings, on_time=1.0, today=0)


def plan(study: StudyLog, period: Period, settings: SchedulerSettings, active: Ints = ONE_ACTIVE) -> BackTest:
    return plan_back_test(inputs_of(study, period, settings, active))


class TestPeriod:
    def test_period_is_the_last_fifth_of_the_days_of_study(self):
        period = Period.of(study_of([(card, 3 * card, 3) for card in range(12)] + [(0, 40, 3)]))
        assert (period.first, period.stop) == (33, 41)
        assert period.study_days.tolist() == [0, 7]

    def test_cards_begin_at_their_first_later_day_review_in_it(self):
        rows = [(1, 0, 3), (2, 0, 3), (3, 1, 3), (1, 2, 3), (2, 4, 3), (3, 5, 3)]
        rows += [(4, 8, 3), (4, 8, 3), (1, 8, 1), (1, 8, 3), (4, 9, 3), (1, 10, 3), (2, 10, 3), (5, 10, 3)]
        study = study_of(rows)
        card, row = Period(8, 11, np.arange(3), 11).first_reviews(study)
        assert study.rows.card_id[study.start[card]].tolist() == [1, 2, 4]
        assert study.rows.day[row].tolist() == [8, 10, 9]
        assert study.rows.position[row].tolist() == [2, 2, 2]


class TestRefusal:
    def study(self, reviews: int = MIN_REVIEWS - 10, **kwargs: int) -> StudyLog:
        """Return a log with this many reviews in the period after the first review of each of ten cards."""
        rows = [(card, 0, 3) for card in range(10)]
        rows += [(card, 100, 3) for card in range(10)]
        return study_of(rows + [(number % 10, 101 + number // 10, 3) for number in range(reviews)], **kwargs)

    def period(self, days: int = MIN_STUDY_DAYS) -> Period:
        return Period(100, 200, np.arange(6), days)

    def test_just_enough_reviews_are_not_refused(self):
        assert plan(self.study(), self.period(), scheduler_settings()).code == PASSED
        assert plan(self.study(), self.period(), scheduler_settings(True)).code == PASSED
        # A version of FSRS does not matter while FSRS is off.
        assert plan(self.study(), self.period(), scheduler_settings(False, fsrs_7=True)).code == PASSED

    def test_each_reason_refuses(self):
        nobody = np.zeros(0, dtype=np.int64)
        enough = MIN_REVIEWS - 10
        late = replace(self.period(), first=101 + (enough - MIN_PREDICTED) // 10)
        expected = BackTest(
            code="",
            scheduler="Anki-SM-2",
            days=MIN_STUDY_DAYS,
            tested=6,
            later_reviews=MIN_REVIEWS,
            cards=10,
            further_reviews=enough,
        )
        for result, changes in (
            (plan(self.study(), self.period(), scheduler_settings(), nobody), {"code": "none_alive"}),
            (plan(self.study(given=0), self.period(), scheduler_settings()), {"code": "no_intervals"}),
            (
                plan(self.study(), self.period(MIN_STUDY_DAYS - 1), scheduler_settings()),
                {"code": "too_few_days", "days": MIN_STUDY_DAYS - 1},
            ),
            (
                plan(self.study(enough - 1), self.period(), scheduler_settings()),
                {"code": "too_few_reviews", "later_reviews": MIN_REVIEWS - 1, "further_reviews": enough - 1},
            ),
            (
                plan(self.study(), late, scheduler_settings()),
                {"code": "too_few_to_predict", "further_reviews": MIN_PREDICTED - 10},
            ),
            (
                plan(self.study(), self.period(), scheduler_settings(None, switched=True)),
                {"code": "switched", "scheduler": None},
            ),
            (
                plan(self.study(), self.period(), scheduler_settings(None)),
                {"code": "unknown_scheduler", "scheduler": None},
            ),
            (
                plan(self.study(), self.period(), scheduler_settings(True, fsrs_7=True)),
                {"code": "fsrs_7", "scheduler": "FSRS-6"},
            ),
        ):
            assert result == replace(expected, **changes)

    def test_interval_in_seconds_after_a_lapse_is_not_missing(self):
        study = self.study()
        forgotten = study.is_later_day & (np.arange(len(study.rows)) % 3 > 0)
        study.rows.rating[forgotten] = 1
        study.interval[forgotten] = -600
        assert (study.interval[study.is_later_day & study.in_review] > 0).mean() < 0.5
        assert plan(study, self.period(), scheduler_settings()).code == PASSED

    @pytest.mark.parametrize(("given", "days"), [(-86_400, 1), (-600, -600), (-259_200, 3)])
    def test_learning_steps_are_not_missing_intervals(self, given, days):
        study = self.study(given=given, kind=LEARN)
        assert not study.in_review.any()
        assert set(study.interval.tolist()) == {days}
        assert plan(study, self.period(), scheduler_settings()).code == PASSED


def draws_with(mean: float, sd: float) -> Floats:
    """Return draws with this mean and standard deviation, (1, draws)."""
    sides = np.tile([-1.0, 1.0], DRAWS // 2)
    return (mean + sd * sides / sides.std(ddof=1))[None]


class TestVerdict:
    #: Half the width of a prediction interval in standard deviations, t(29) * sqrt(1 + 1 / 30).
    REACH = 2.04523 * np.sqrt(31 / 30)

    def run(self, monkeypatch: pytest.MonkeyPatch, reviews: Floats, share: Floats) -> BackTest:
        seconds = draws_with(420.0, 30.0)
        totals = Totals(reviews, share * reviews, seconds, reviews)
        monkeypatch.setattr(StudySimulation, "run", lambda *_: totals)
        rows = [(card, 0, 3) for card in range(8)] + [(card, 100, 3) for card in range(8)]
        rows += [(n % 8, 101 + n // 8, 1 if n % 10 == 0 else 3) for n in range(80)]
        # Add twelve repeated answers on one day, and four answers to a card that is new in the period.
        rows += [(n % 8, 110, 3) for n in range(12)] + [(9, 120, 3)] * 4
        study = study_of(rows)
        past = Fit(SLIPPING_FSRS_6, W, np.zeros((22, 22)))
        monkeypatch.setattr("evaluator.workload.back_test.fit", lambda *_: past)
        monkeypatch.setattr("evaluator.workload.back_test.MIN_REVIEWS", 88)
        data = SimpleNamespace(reviews=SimpleNamespace(day=np.arange(131)))
        period = Period(100, 131, np.arange(30), 99)
        settings = scheduler_settings(cards=len(study.start))
        inputs = inputs_of(study, period, settings, np.arange(len(study.start)))
        return run_back_test(replace(inputs, data=data), SILENT)

    def test_predicted_values_are_reported(self, monkeypatch):
        result = self.run(monkeypatch, draws_with(88.0, 5.0), draws_with(0.88, 0.02))
        assert (result.code, result.scheduler, result.days, result.tested) == ("passed", "Anki-SM-2", 99, 30)
        assert (result.cards, result.later_reviews) == (8, 88)
        assert result.ratio == pytest.approx(88 / 80)
        assert (result.reviews.observed, result.remembered.observed) == (80, 0.9)
        assert result.minutes.observed == pytest.approx((80 + 12) * 5 / 60)
        reviews, minutes = result.reviews.foreseen, result.minutes.foreseen
        assert reviews.low_high == pytest.approx((88 - 5 * self.REACH, 88 + 5 * self.REACH), rel=1e-4)
        assert minutes.low_high == pytest.approx((7 - 0.5 * self.REACH, 7 + 0.5 * self.REACH), rel=1e-4)
        assert result.remembered.foreseen.value == pytest.approx(0.88)

    @pytest.mark.parametrize(
        ("reviews", "sd", "share", "share_sd", "code"),
        [
            # The ratios to the 80 observed reviews are 1.325, 1.34, 0.756 and 0.744.
            (106.0, 1.0, 0.9, 0.01, "passed"),
            (107.0, 30.0, 0.9, 0.01, "reviews"),
            (60.5, 1.0, 0.9, 0.01, "passed"),
            (59.5, 30.0, 0.9, 0.01, "reviews"),
            # The remembered share is four or six points off, and in the third case six points may be chance.
            (80.0, 5.0, 0.86, 0.001, "passed"),
            (80.0, 5.0, 0.84, 0.01, "remembered"),
            (80.0, 5.0, 0.84, 0.04, "passed"),
            (80.0, 5.0, 0.96, 0.01, "remembered"),
        ],
    )
    def test_deviation_decides_the_code(self, monkeypatch, reviews, sd, share, share_sd, code):
        assert (RATIO_LIMITS, MAX_SHARE_DIFFERENCE) == ((0.75, 1.33), 0.05)
        assert self.run(monkeypatch, draws_with(reviews, sd), draws_with(share, share_sd)).code == code


Change = Callable[[_Study], None]


def person(scheduler: str, change: Optional[Change] = None, seed: int = 4) -> Snapshot:
    """Simulate a user without a backlog, who changes a habit on day 336, at about the start of the tested period."""
    quiet = SimulatedHabits(new_per_day=3.0, postponed=0.0, early=0.0, cram=0.0, holiday=0.0, day_off=0.1)

    class Changing(_Study):
        def _study_day(self, today: int) -> None:
            if change is not None and today >= 336:
                change(self)
            super()._study_day(today)

    return Changing(Learner(seed=seed, days=420, scheduler=scheduler, habits=quiet)).run().snapshot


def forget_more(study: _Study) -> None:
    study.habits = replace(study.habits, slips=0.15)


def lower_the_desired_retention(study: _Study) -> None:
    study.scheduler = deck_schedulers.SimulatedFsrs(study.learner.scheduler_memory, 0.8)


@cache
def back_test_of(*arguments: Any) -> BackTest:
    """Return the back-test of the :func:`person` with these arguments."""
    snapshot = person(*arguments)
    evaluation = evaluate(snapshot, Options(("FSRS-6 default",)))
    return run_back_test(WorkloadInputs.of(replace(evaluation.evidence, snapshot=snapshot)), SILENT)


class TestPeople:
    @pytest.mark.parametrize("scheduler", ["sm2", "fsrs"])
    def test_steady_habits_pass_the_back_test(self, scheduler):
        result = back_test_of(scheduler)
        assert result.code == "passed"
        low, high = result.minutes.foreseen.low_high or (0, 0)
        assert low < result.minutes.observed < high

    def test_number_of_reviews_is_predicted_without_bias(self):
        ratios = [back_test_of("sm2", None, seed).ratio or 0 for seed in (4, 6, 7)]
        assert abs(np.mean(ratios) - 1) < 0.03

    @pytest.mark.parametrize(
        ("scheduler", "change", "is_lower"), [("sm2", forget_more, True), ("fsrs", lower_the_desired_retention, False)]
    )
    def test_changed_habits_fail_the_back_test(self, scheduler, change, is_lower):
        result = back_test_of(scheduler, change)
        assert result.code in ("reviews", "remembered")
        assert ((result.ratio or 1) < 1) is is_lower
