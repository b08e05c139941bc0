from __future__ import annotations

import json
from dataclasses import fields, replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from evaluator.data.revlog import Cards, Revlog, Sm2Settings, Snapshot
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.progress import SILENT, Progress
from evaluator.report.json_form import to_json
from evaluator.scope import SAME_DAY_TABLE
from evaluator.scoring.evidence import Evidence
from evaluator.scoring.report_builder import Evaluation
from evaluator.sections import add_sections
from evaluator.sections import workload_section as section
from evaluator.sections.workload_section import forecast_workload
from evaluator.workload import estimate
from evaluator.workload.estimate import DESIRED_RETENTIONS, HORIZON, YearSetup
from evaluator.workload.inputs import WorkloadInputs
from evaluator.workload.person import RECENT
from evaluator.workload.result import Workload
from tools.simulate.learner import Habits, Learner
from tools.simulate.study import simulate


@cache
def person(*, seed: int = 4, a_day: float = 3.0, max_reviews: int = 400) -> Snapshot:
    """Simulate a user. One with a limit of few reviews a day does not keep up."""
    quiet = Habits(
        new_per_day=a_day, reviews_per_day=max_reviews, postponed=0.0, early=0.0, cram=0.0, holiday=0.0, day_off=0.1
    )
    return simulate(Learner(seed=seed, days=300, scheduler="sm2", habits=quiet)).snapshot


def change_presets(**fields: Any) -> Snapshot:
    """Return the collection of :func:`person` with these fields in all its presets."""
    presets = person().presets
    assert presets
    return replace(person(), presets=tuple(replace(preset, **fields) for preset in presets))


@pytest.fixture(autouse=True)
def _few_cards(monkeypatch):
    """Simulate few cards, for speed."""
    monkeypatch.setattr(estimate, "MAX_CARDS", 40)


@pytest.fixture
def short_year(monkeypatch):
    """Simulate 60 days instead of a year, for speed."""
    monkeypatch.setattr(estimate, "HORIZON", 60)


def evaluation_of(snapshot: Snapshot) -> Evaluation:
    return evaluate(snapshot, Options(("FSRS-6 default", "SM-2")))


def evidence_of(snapshot: Snapshot) -> Evidence:
    evidence = evaluation_of(snapshot).evidence
    return replace(evidence, snapshot=snapshot)


def forecast(snapshot: Snapshot) -> Workload:
    return forecast_workload(evidence_of(snapshot), SILENT)


class TestForecast:
    def test_forecast_is_repeatable_and_changes_no_log(self):
        snapshot = person()
        evaluation = evaluation_of(snapshot)
        before = [getattr(snapshot.revlog, field.name).copy() for field in fields(Revlog)]
        fractions = []
        progress = Progress(lambda done, *_: fractions.append(done))
        first = add_sections(evaluation, ["workload"], snapshot).report
        repeated = add_sections(evaluation, ["workload"], snapshot, progress=progress).report
        assert first.section("workload") == repeated.section("workload")
        assert fractions == sorted(fractions)
        assert max(np.diff(fractions)) < 0.2
        for column, field in zip(before, fields(Revlog), strict=True):
            np.testing.assert_array_equal(column, getattr(snapshot.revlog, field.name))

    def test_forecast_is_in_the_json(self):
        report = add_sections(evaluation_of(person()), ["workload"], person()).report
        result = report.section("workload")
        written = json.loads(to_json(report))["workload"]
        assert written["back_test"]["reviews"]["observed"] == result.back_test.reviews.observed  # type: ignore[union-attr]
        assert written["ratio"]["estimate"] == pytest.approx(result.ratio.value)

    def test_curve_rises_through_the_load_of_sm2(self):
        result = forecast(person())
        assert (result.question, result.back_test.code, result.desired_retention) == ("work", "passed", 0.9)
        sm2, *curve = result.loads
        assert (sm2.scheduler, sm2.desired_retention) == ("Anki-SM-2", None)
        assert [item.desired_retention for item in curve] == list(DESIRED_RETENTIONS[1:])
        for name in ("reviews", "known", "remembered"):
            values = [getattr(item, name).value for item in curve]
            assert values == sorted(values)
            assert values[0] < getattr(sm2, name).value < values[-1]
        # The ratio is that of the curve where it knows as much as SM-2.
        reviews = np.interp(
            sm2.known.value, [item.known.value for item in curve], [item.reviews.value for item in curve]
        )
        low, high = result.ratio.low_high or (0, 0)
        assert low < result.ratio.value < high
        assert result.ratio.value == pytest.approx(reviews / sm2.reviews.value, rel=0.05)

    @pytest.mark.usefixtures("short_year")
    def test_curve_has_the_desired_retention_of_most_cards(self):
        snapshot = person()
        first, second = snapshot.presets or ()
        result = forecast(replace(snapshot, presets=(replace(first, desired_retention=0.64), second)))
        assert [load.desired_retention for load in result.loads] == [None, 0.64, *DESIRED_RETENTIONS[1:]]
        assert (result.desired_retention, result.desired_share) == (0.64, pytest.approx(2 / 3, abs=0.01))

    @pytest.mark.usefixtures("short_year")
    def test_minutes_are_unknown_without_answer_times(self):
        """If all answer times are 0, nothing else changes."""
        timed = forecast(person())
        log = person().revlog
        untimed = forecast(replace(person(), revlog=replace(log, duration_ms=np.zeros_like(log.duration_ms))))
        assert untimed.back_test == replace(timed.back_test, minutes=None)
        assert untimed.loads == tuple(replace(load, minutes=None) for load in timed.loads)

    @pytest.mark.usefixtures("short_year")
    def test_equal_retention_is_where_the_curve_knows_as_many_cards_as_with_sm2(self):
        result = forecast(person())
        sm2, *curve = result.loads
        known = [load.known.value for load in curve]
        expected = np.interp(sm2.known.value, known, DESIRED_RETENTIONS[1:])
        assert result.equal_retention == pytest.approx(expected, abs=0.01)

    def test_users_with_a_backlog_get_the_knowledge(self):
        busy = person(seed=1, a_day=4.0, max_reviews=10)
        result = forecast(busy)
        inputs = WorkloadInputs.of(evidence_of(busy))
        year = YearSetup.of(inputs)
        assert (result.question, result.back_test.code) == ("knowledge", "passed")
        assert result.on_time < 0.8
        assert result.equal_retention is None
        rows = inputs.study.rows
        first = int(rows.day.max()) - RECENT + 1
        done_a_day = ((rows.elapsed_days > 0) & (rows.day >= first)).sum() / RECENT
        assert max(load.reviews.value for load in result.loads) < 1.1 * done_a_day
        assert result.loads[0].reviews.value > 0.8 * done_a_day
        current = next(load for load in result.loads if load.desired_retention == result.desired_retention)
        assert result.ratio.value == pytest.approx(current.known.value / result.loads[0].known.value, rel=0.01)
        max_reviews = year.habits.max_reviews
        assert max_reviews.sum() == pytest.approx(done_a_day * HORIZON * year.share, rel=0.03)
        assert year.habits.delays.tolist() == [0]

    def test_failed_back_test_shows_no_year(self):
        result = forecast(change_presets(sm2=Sm2Settings(interval_modifier=4.0)))
        assert result.back_test.code == "reviews"
        assert (result.back_test.ratio or 1) < 0.75
        assert (result.loads, result.ratio) == ((), None)

    @pytest.mark.usefixtures("short_year")
    def test_error_of_the_back_test_widens_the_year(self, monkeypatch):
        test = forecast(person()).back_test
        intervals = []
        for ratio in (1.0, 1.25, 0.8):
            monkeypatch.setattr(section, "run_back_test", lambda *_, ratio=ratio: replace(test, ratio=ratio))
            intervals.append([load.reviews.low_high or (0, 0) for load in forecast(person()).loads])
        expected = [(low / 1.25, high * 1.25) for low, high in intervals[0]]
        for widened in intervals[1:]:
            np.testing.assert_allclose(widened, expected)

    @pytest.mark.usefixtures("short_year")
    def test_deleted_cards_are_not_forecast_and_unknown_ones_are(self):
        snapshot = person()
        none = np.zeros(0, dtype=np.int64)
        deleted = replace(snapshot.cards, card_id=snapshot.cards.card_id + 10**9)
        for cards in (Cards(none, none, none, none.astype(bool)), deleted):
            result = forecast(replace(snapshot, cards=cards))
            assert (result.back_test.code, result.loads) == ("none_alive", ())
        result = forecast(Snapshot(snapshot.revlog, snapshot.clock))
        assert (result.back_test.code, result.desired_share) == ("passed", 1.0)


class TestQuickTest:
    @pytest.mark.parametrize(
        ("snapshot", "code"),
        [
            (person(), "passed"),
            (change_presets(sm2=Sm2Settings(interval_modifier=4.0)), "reviews"),
            (replace(person(), revlog=person().revlog.take(np.arange(250))), "too_few_days"),
        ],
    )
    def test_evaluation_has_the_code_of_the_back_test(self, snapshot, code):
        assert evaluate(snapshot, Options(("FSRS-6", "SM-2"))).report.workload_test == code

    @pytest.mark.parametrize(
        "options", [Options(("AVG",)), Options(("FSRS-6", "AVG"), table=SAME_DAY_TABLE)], ids=["no FSRS-6", "same-day"]
    )
    def test_back_test_needs_fsrs_6_and_the_whole_day_table(self, options):
        assert evaluate(person(), options).report.workload_test is None

    def test_failing_simulation_costs_nothing_else(self, monkeypatch):
        monkeypatch.setattr("evaluator.workload.back_test.StudySimulation", None)
        report = evaluate(person(), Options(("FSRS-6", "SM-2"))).report
        assert report.workload_test is None
        assert report.results[0].log_loss


def test_answer_time_is_limited_as_the_presets_say():
    limited, default = (
        WorkloadInputs.of(evidence_of(snapshot)).study.seconds.max()
        for snapshot in (change_presets(max_seconds=5), person())
    )
    assert limited == 5
    assert 5 < default <= 60
