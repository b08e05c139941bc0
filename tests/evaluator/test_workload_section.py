"""The section from end to end on small simulated people: what it says, and to whom it can say nothing."""

from __future__ import annotations

import json
import tracemalloc
from dataclasses import fields, replace
from functools import cache
from math import log
from typing import Any, List, Optional, Tuple

import numpy as np
import pytest

from evaluator.evaluation import evaluate
from evaluator.interval import OUT_OF_REACH, Interval
from evaluator.options import Options
from evaluator.progress import SILENT, Cancelled, Progress
from evaluator.report import Failure
from evaluator.report.json_form import to_json
from evaluator.revlog import Cards, Clock, Revlog, Selection, Snapshot
from evaluator.scope import SAME_DAY_TABLE, ScopeChoice
from evaluator.sections import add_sections
from evaluator.tally import Evaluation
from evaluator.workload import bootstrap, found
from evaluator.workload.estimate import DESIRED, DRAWS, HORIZON
from evaluator.workload.found import Prepared, _together, workload
from evaluator.workload.person import RECENT
from evaluator.workload.result import MemoryYear, Versus, Workload
from tools.simulate.learner import Habits, Learner
from tools.simulate.study import simulate
from tools.sources.stated import snapshot_of

CODES = ("passed", "too_few_days", "too_few_reviews", "too_wide", "reviews", "remembered")


@cache
def person(scheduler: str = "sm2", *, seed: int = 4, days: int = 300, a_day: float = 3.0, most: int = 400) -> Snapshot:
    """A simulated person; with few reviews a day at most, one who does not keep up."""
    quiet = Habits(
        new_per_day=a_day, reviews_per_day=most, postponed=0.0, early=0.0, cram=0.0, holiday=0.0, day_off=0.1
    )
    return simulate(Learner(seed=seed, days=days, scheduler=scheduler, habits=quiet)).snapshot


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """With few cards and worlds."""
    monkeypatch.setattr(found, "MOST_CARDS", 80)
    monkeypatch.setattr(found, "MOST_WITH_TRACES", 30)
    monkeypatch.setattr(bootstrap, "WORLDS", 5)


def evaluated(snapshot: Snapshot, **options: Any) -> Evaluation:
    return evaluate(snapshot, Options(("FSRS-6 default", "SM-2"), **options))


def prepared(snapshot: Snapshot, **options: Any) -> Prepared:
    evidence = evaluated(snapshot, **options).evidence
    assert evidence is not None
    return Prepared.of(replace(evidence, snapshot=snapshot))


def said_of(
    snapshot: Snapshot, *, only_if_foreseen: bool = True, names: Tuple[str, ...] = (), **options: Any
) -> Workload:
    evidence = evaluated(snapshot, **options).evidence
    assert evidence is not None
    return workload(
        replace(evidence, snapshot=snapshot), SILENT, names=names or ("FSRS-6",), only_if_foreseen=only_if_foreseen
    )


class TestWhole:
    def test_from_the_log_to_the_json(self) -> None:
        """All memories, twice; the first is the best, and what all say reaches over what each says."""
        evaluation, snapshot = evaluated(person()), person()
        before = [getattr(snapshot.revlog, field.name).copy() for field in fields(Revlog)]
        first, again = (add_sections(evaluation, ["workload"], snapshot).report for _ in range(2))
        said: Workload = first.section("workload")
        assert said == again.section("workload")
        assert to_json(first) == to_json(again)
        assert evaluation.report.section("workload") is None
        for column, field in zip(before, fields(Revlog), strict=True):
            np.testing.assert_array_equal(column, getattr(snapshot.revlog, field.name))

        assert (said.question, said.back_test.code) == ("work", "passed")
        assert (said.horizon, said.draws) == (HORIZON, DRAWS)
        assert sorted(year.algorithm for year in said.memories) == ["DASH", "FSRS-6", "SBD"]
        losses = [year.log_loss for year in said.memories]
        assert losses == sorted(losses)
        assert said.memories[0].worse_by is None
        kept = [year for year in said.memories if year.kept]
        assert all(year.worse_by is not None for year in said.memories[1:])
        assert not any(year.versus or year.loads for year in said.memories if not year.kept)
        assert [one.scheduler for one in said.versus] == ["FSRS-6", "FSRS-6 default"]
        for place, one in enumerate(said.versus):
            for name in ("reviews", "minutes", "known"):
                of_all, of_each = getattr(one, name), [getattr(year.versus[place], name) for year in kept]
                if None in [each.ends for each in of_each]:
                    assert of_all == Interval(None, reason=OUT_OF_REACH)
                else:
                    ends = zip(*(each.ends for each in of_each), strict=True)
                    assert of_all.ends == tuple(pick(of) for pick, of in zip((min, max), ends, strict=True))
                    assert of_all.known == of_each[0].known
        assert said.only_fsrs == all(year.algorithm == "FSRS-6" for year in kept)

        written = json.loads(to_json(first))["workload"]
        assert written["question"] == "work"
        assert written["person"]["cards"] == said.person.cards
        assert written["back_test"]["reviews"]["observed"] == said.back_test.reviews.observed  # type: ignore[union-attr]
        assert [year["algorithm"] for year in written["memories"]] == [year.algorithm for year in said.memories]
        assert written["versus"][0]["reviews"]["estimate"] == pytest.approx(said.versus[0].reviews.estimate)

    def test_what_is_said_hangs_together(self) -> None:
        """SM-2 first, then each curve: what is known grows; what is as good as SM-2 lies between its neighbours."""
        said = said_of(person(), names=("FSRS-6",))
        (year,) = said.memories
        assert [one.scheduler for one in year.loads] == ["SM-2"] + ["FSRS-6"] * 7 + ["FSRS-6 default"] * 7
        assert [one.desired_retention for one in year.loads] == [None, *DESIRED[1:], *DESIRED[1:]]
        sm2, of_scheduler = year.loads[0], {"FSRS-6": year.loads[1:8], "FSRS-6 default": year.loads[8:]}
        total = said.person.cards + said.person.new_per_day * HORIZON
        for one in year.loads:
            assert 0 < one.known.known < total
            assert 0.4 < one.remembered.known < 1
            assert 0 <= one.tried <= 1
        for versus in year.versus:
            curve = of_scheduler[versus.scheduler]
            known, minutes, remembered = (
                [getattr(one, name).known for one in curve] for name in ("known", "minutes", "remembered")
            )
            assert known == sorted(known)
            assert remembered == sorted(remembered)
            assert versus.desired_retention is not None
            assert versus.minutes_a_day is not None
            for of in (versus.reviews, versus.minutes, versus.known):
                low, high = of.ends or (0.0, 0.0)
                assert 0 < low < of.known < high < 4
            above = next(n for n, one in enumerate(known) if one > sm2.known.known)
            assert DESIRED[1:][above - 1] - 0.02 < versus.desired_retention < DESIRED[1:][above] + 0.02
            # What the optimism takes off is of the other schedulers nothing.
            off = (year.optimism or 0.0) if versus.scheduler == "FSRS-6" else 0.0
            expected = np.interp(versus.desired_retention, DESIRED[1:], minutes) / sm2.minutes.known
            assert log(versus.minutes.known) == pytest.approx(log(expected) - off, abs=0.06)
            assert versus.minutes_a_day == pytest.approx(versus.minutes.known * sm2.minutes.known, rel=0.03)

    def test_who_does_not_keep_up_is_told_of_knowledge(self) -> None:
        """No ratio of work; as many reviews a day as there were, by either scheduler."""
        busy = person(seed=1, a_day=4.0, most=10)
        said = said_of(busy, only_if_foreseen=False)
        assert said.question == "knowledge"
        assert said.person.on_time < 0.8
        known = prepared(busy)
        rows, first = known.study.rows, known.today - RECENT + 1
        done = ((rows.elapsed_days > 0) & (rows.day >= first)).sum() / RECENT
        (year,) = said.memories
        for load in year.loads:
            assert load.reviews.known < 1.1 * done
        assert year.loads[0].reviews.known > 0.8 * done
        for versus in said.versus:
            assert (versus.reviews, versus.minutes) == (Interval(None, reason=OUT_OF_REACH),) * 2
            assert versus.known.ends is not None
            assert versus.desired_retention_at_equal_work in DESIRED
            assert versus.minutes_a_day is None
        most = known.ahead.most_a_day
        assert most is not None
        assert most.sum() == pytest.approx(done * HORIZON * known.ahead.share, rel=0.03)
        assert len(most) == len(known.ahead.habits.studied)
        assert known.ahead.habits.delays.tolist() == [0]
        fewer = known.ahead.with_fewer(20, np.random.default_rng(1))
        assert fewer.most_a_day is not None
        assert fewer.most_a_day.sum() / most.sum() == pytest.approx(fewer.share / known.ahead.share, rel=0.05)

    def test_where_the_past_was_not_foreseen_no_year_is_told(self) -> None:
        failed = person(seed=1, days=240, a_day=4.0)
        said = said_of(failed)
        assert said.back_test.code == "reviews"
        assert (said.memories, said.versus) == ((), ())
        kept_back = said_of(failed, only_if_foreseen=False)
        assert kept_back.back_test == said.back_test
        assert kept_back.versus

    def test_progress_and_cancel(self) -> None:
        """It is told often and never goes back; what it raises in the middle ends the work."""
        evaluation = evaluated(person())
        told: List[Tuple[float, str]] = []
        add_sections(
            evaluation, ["workload"], person(), progress=Progress(lambda done, stage, *_: told.append((done, stage)))
        )
        fractions = [fraction for fraction, _ in told]
        assert len(told) > 300
        assert fractions == sorted(fractions)
        assert 0 <= fractions[0] <= fractions[-1] <= 1
        assert {stage for _, stage in told} == {"workload"}
        assert max(np.diff(fractions)) < 0.15

        for stop in (0.0, 0.1, 0.18, 0.5):
            calls = 0

            def cancel(fraction: float, *_: Any, stop: float = stop) -> None:
                nonlocal calls
                if fraction >= stop:
                    calls += 1
                    raise Cancelled

            with pytest.raises(Cancelled):
                add_sections(evaluation, ["workload"], person(), progress=Progress(cancel))
            assert calls == 1

    def test_memory(self) -> None:
        """By the largest memory of them all: 36 groups of 8 desired retentions for each of 30 cards, 32 traces each."""
        evidence = evaluated(person()).evidence
        assert evidence is not None
        tracemalloc.start()
        try:
            workload(replace(evidence, snapshot=person()), SILENT, names=("DASH",))
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 200e6


class TestWithLess:
    def test_the_same_day_table_has_none(self) -> None:
        evaluation = evaluated(person(), table=SAME_DAY_TABLE)
        said = add_sections(evaluation, ["workload"], person()).report.section("workload")
        assert said == Failure("whole_day_only", {})

    def test_the_reviews_themselves_are_needed(self) -> None:
        with pytest.raises(ValueError, match="reviews"):
            add_sections(evaluated(person()), ["workload"])

    @pytest.mark.parametrize("back", [200, 40, 1])
    def test_since(self, back: int) -> None:
        """Habits and cards are those of the whole log; the memory is fitted to what is left of it, be it nothing."""
        last = int(person().clock.day_of(person().revlog.review_id).max())
        since = person().clock.date_of(last - back)
        whole, part = said_of(person()), said_of(person(), since=since)
        assert part.person == whole.person
        assert part.back_test.code in ("passed", "too_wide", "reviews")
        assert part.back_test.reviews is not None
        assert whole.back_test.reviews is not None
        assert part.back_test.reviews.observed == whole.back_test.reviews.observed
        width, of_whole = (
            float(np.diff(one.back_test.reviews.foreseen.ends)[0])
            for one in (part, whole)  # type: ignore[union-attr]
        )
        if back < 60:
            assert width > 1.5 * of_whole

    def test_without_same_day_reviews(self) -> None:
        """Each day is its first answer then: fewer seconds, as many later-day reviews."""
        without, whole = said_of(person(), same_day=False), said_of(person())
        assert without.person.same_day_after_first == without.person.same_day_after_lapse == 0
        assert without.back_test.reviews is not None
        assert whole.back_test.reviews is not None
        assert without.back_test.reviews.observed == whole.back_test.reviews.observed
        assert without.back_test.minutes.observed < whole.back_test.minutes.observed  # type: ignore[union-attr]
        assert without.back_test.code == "passed"

    def test_some_decks_are_as_if_there_were_no_others(self) -> None:
        snapshot = person()
        assert snapshot.cards is not None
        ids = snapshot.cards.card_id[snapshot.cards.deck_id == snapshot.cards.deck_id[0]]
        rows = np.isin(snapshot.revlog.card_id, ids)
        assert 0.2 < rows.mean() < 0.8
        chosen = replace(snapshot, selection=Selection(ScopeChoice(), ids))
        alone = replace(snapshot, revlog=snapshot.revlog.take(rows))
        found_of_both = [said_of(one) for one in (chosen, alone)]
        assert found_of_both[0] == found_of_both[1]
        assert found_of_both[0].person.cards < said_of(snapshot).person.cards
        assert found_of_both[0].back_test.code in CODES

    @pytest.mark.parametrize("less", ["no_cards", "empty_cards", "all_deleted", "all_suspended", "log_only"])
    def test_cards_that_are_not_known_or_not_there(self, less: str) -> None:
        snapshot = person()
        assert snapshot.cards is not None
        cards, none = snapshot.cards, np.zeros(0, dtype=np.int64)
        changed: Optional[Cards] = {
            "no_cards": None,
            "log_only": None,
            "empty_cards": Cards(none, none, none, none.astype(bool)),
            "all_deleted": replace(cards, card_id=cards.card_id + 10**9),
            "all_suspended": replace(cards, set_aside=np.ones(len(cards.card_id), dtype=bool)),
        }[less]
        snapshot = replace(snapshot, cards=changed)
        if less == "log_only":
            snapshot = Snapshot(snapshot.revlog, snapshot.clock)
        evaluation = evaluated(snapshot)
        report = add_sections(evaluation, ["workload"], snapshot).report if changed is not None else None
        said = report.section("workload") if report is not None else said_of(snapshot)
        reasons = [reason for reason, _ in said.person.left_out]
        if changed is None:
            assert said.back_test.code == "passed"
            assert "gone" not in reasons
        else:
            assert said.back_test.code == "none_alive"
            assert said.person.cards == 0
            assert "gone" in reasons
            assert ("set_aside" in reasons) == (less == "all_suspended")
            assert json.loads(to_json(report))["workload"]["memories"] == []  # type: ignore[arg-type]

    def test_a_log_that_states_its_days_says_nothing_of_intervals(self) -> None:
        """As of other programs: cards, ratings and whole days, and neither kinds, factors nor seconds."""
        rows = evaluated(person()).evidence.data.rows  # type: ignore[union-attr]
        order = np.argsort(rows.review_id, kind="stable")
        columns = (rows.card_id, rows.review_id, rows.elapsed_days, rows.rating)
        card, moment, days, rating = (column[order].astype(np.int64) for column in columns)
        snapshot = snapshot_of(card, moment, days, rating, Clock(0))
        said = add_sections(evaluated(snapshot), ["workload"], snapshot).report.section("workload")
        assert (said.back_test.code, said.memories) == ("no_intervals", ())
        assert said.person.seconds_first == (0.0,) * 4

    def test_one_card_alive_among_many_that_are_new(self) -> None:
        """So few of them are drawn that none of those that were answered would be."""
        snapshot = person(a_day=8.0, days=240)
        assert snapshot.cards is not None
        newest = snapshot.revlog.card_id[snapshot.revlog.kind == 1][-1]
        one = replace(snapshot, cards=replace(snapshot.cards, set_aside=snapshot.cards.card_id != newest))
        ahead = prepared(one).ahead
        assert ahead.share < 0.1
        assert len(ahead.card) == len(ahead.with_fewer(30, np.random.default_rng(1)).card) == 1
        assert said_of(one, only_if_foreseen=False, names=("FSRS-6", "DASH")).memories


class TestPerson:
    def test_it_is_that_of_the_last_days(self) -> None:
        known = prepared(person())
        shown, rows, log_ = known.person, known.study.rows, person().revlog
        day = person().clock.day_of(log_.review_id)
        answered = log_.button > 0
        today = int(day[answered].max())
        recent = answered & (day > today - 90)
        assert shown.studied_days == len(set(day[recent].tolist()))
        first_day = {card: int(rows.day[rows.card_id == card][0]) for card in set(rows.card_id.tolist())}
        assert shown.new_per_day == sum(one > today - 90 for one in first_day.values()) / 90
        assert shown.cards + sum(count for _, count in shown.left_out) == len(first_day)
        for of in (shown.first_answers, shown.passed_answers):
            assert sum(of) == pytest.approx(1)
        assert (len(shown.first_answers), len(shown.passed_answers), len(shown.seconds_later)) == (4, 3, 4)
        assert shown.simulated == known.ahead.cards <= found.MOST_CARDS + 1

    def test_the_year_has_the_days_of_study_of_the_last_ninety(self) -> None:
        known = prepared(person())
        day = known.study.rows.day
        own = known.ahead.habits.studied.tolist()
        first = known.today - 89
        assert own == [n for n in range(HORIZON) if (first + n % 90) in set(day.tolist())]
        begun = (day[known.study.start] >= first).sum()
        total = len(known.living.card) + round(begun / 90 * HORIZON)
        assert known.ahead.share == found.MOST_CARDS / total
        assert known.ahead.new == round(begun / 90 * HORIZON * known.ahead.share)
        assert set(known.ahead.card.tolist()) <= set(known.living.card.tolist())
        assert len(set(known.ahead.card.tolist())) == len(known.ahead.card)

    def test_the_time_of_an_answer_is_limited_as_the_presets_say(self) -> None:
        snapshot = person()
        presets = tuple(replace(one, most_seconds=5) for one in snapshot.presets or ())
        assert presets
        assert prepared(replace(snapshot, presets=presets)).study.seconds.max() == 5
        assert 5 < prepared(snapshot).study.seconds.max() <= 60

    def test_the_memories_of_the_past_end_where_the_test_begins(self) -> None:
        known = prepared(person())
        before = known.data.reviews.day < known.period.first
        assert known.stop == before.sum()
        assert before[: known.stop].all()


def of_memory(name: str, low: float, high: float, *, ends: bool = True) -> MemoryYear:
    middle = Interval((low * high) ** 0.5, low, high)
    nothing = Interval(None, reason=OUT_OF_REACH)
    versus = Versus("FSRS-6", middle if ends else nothing, middle, middle, 0.9, 0.9, 1.0, 5.0)
    return MemoryYear(name, 0.3, None, True, None, (), (versus,))


def test_what_all_memories_say_together() -> None:
    """By hand: from the lowest end to the highest, and what the best one estimates; nothing where one says nothing."""
    years = [of_memory("FSRS-6", 0.8, 0.9), of_memory("SBD", 0.85, 1.1), of_memory("DASH", 0.7, 0.75)]
    (one,) = _together(years)
    assert one.reviews == one.minutes == one.known == Interval((0.8 * 0.9) ** 0.5, 0.7, 1.1)
    (some,) = _together([*years, of_memory("other", 0.5, 0.6, ends=False)])
    assert some.reviews == Interval(None, reason=OUT_OF_REACH)
    assert some.minutes.ends == (0.5, 1.1)
    assert _together([]) == ()
