"""The simulated year: memories against their algorithms, days against a plain loop, and the test on the past."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any, List

import numpy as np
import numpy.typing as npt
import pytest
from reference_sets import data

from evaluator.algorithms import CATALOGUE
from evaluator.algorithms.fsrs6 import FSRS_6
from evaluator.evaluation import evaluate
from evaluator.fitting.predictor import Predictor
from evaluator.options import Options
from evaluator.progress import SILENT, Progress
from evaluator.report.json_form import to_json
from evaluator.revlog import Preset, Sm2Settings, Snapshot
from evaluator.sections import add_sections
from evaluator.workload import back_test
from evaluator.workload.bootstrap import _answered_anew
from evaluator.workload.estimate import DESIRED, DRAWS, REPEATS, read_off, with_interval
from evaluator.workload.fitted import PACE, Fit, Paces, fit, no_paces, paces
from evaluator.workload.found import Prepared, workload
from evaluator.workload.intervals import GOOD, fsrs_days, fsrs_interval, most_fuzz
from evaluator.workload.memories import MOST_TRACES, RecurrentMemory, Rows, memory_of, replay
from evaluator.workload.person import Study, habits, lateness
from evaluator.workload.schedulers import Fsrs, Sm2
from evaluator.workload.slips import SLIPPING_FSRS_6
from evaluator.workload.year import BEFORE, NEVER, Habits, Start, _chance, simulate
from tools.simulate.learner import Habits as SimulatedHabits
from tools.simulate.learner import Learner
from tools.simulate.study import simulate as study_of

Floats = npt.NDArray[np.float64]
DEFAULT = np.array([p.default for p in FSRS_6.parameters])
PLAIN = Habits(
    first=np.array([0.3, 0.1, 0.5, 0.1]),
    passed=np.array([0.1, 0.8, 0.1]),
    after_first=1.3,
    after_lapse=0.8,
    seconds=np.arange(12.0).reshape(3, 4) + 3,
    delays=np.array([-1, 0, 0, 0, 2]),
    studied=np.array([day for day in range(90) if day % 7 != 3]),
)


@cache
def person(scheduler: str = "sm2", days: int = 420) -> Snapshot:
    """A simulated person who keeps up."""
    quiet = SimulatedHabits(new_per_day=3.0, postponed=0.0, early=0.0, cram=0.0, holiday=0.0, day_off=0.1)
    return study_of(Learner(seed=4, days=days, scheduler=scheduler, habits=quiet)).snapshot


def evidence_of(snapshot: Snapshot) -> Any:
    evaluation = evaluate(snapshot, Options(("FSRS-6 default", "SM-2")))
    assert evaluation.evidence is not None
    return replace(evaluation.evidence, snapshot=snapshot)


class TestMemories:
    @pytest.mark.parametrize("name", ["FSRS-6", "SBD", "DASH"])
    def test_they_predict_what_their_algorithm_does(self, name: str) -> None:
        """Each card's last review, from the state after the rows before it; three draws, of which two differ."""
        algorithm: Any = CATALOGUE[name]
        table = data("sim-b")
        rows, reviews = table.rows, table.reviews
        last = {int(card): index for index, card in enumerate(rows.card[reviews.row])}
        asked = np.array([index for index in sorted(last.values()) if reviews.review_number[index] <= MOST_TRACES])
        row = reviews.row[asked]
        w = np.array([p.default for p in algorithm.parameters])
        draws = np.stack([w, w * 0.97, w], axis=1)
        past = Rows(
            row - rows.position[row], rows.position[row], rows.rating, rows.elapsed_days, rows.elapsed_seconds / 86_400
        )
        memory = memory_of(algorithm, draws)
        draw, card = np.repeat(np.arange(3), len(row)), np.tile(np.arange(len(row)), 3)
        elapsed = past.exact_days[row] if algorithm.inputs.fractional else past.days[row]
        found = memory.recall(draw, replay(memory, past, card, draw), np.tile(elapsed, 3)).reshape(3, -1)
        predicted = Predictor(algorithm, table.histories(algorithm.inputs)).predict(w, slice(None))[asked]
        np.testing.assert_allclose(found[0], predicted, rtol=2e-5)
        np.testing.assert_array_equal(found[0], found[2])
        assert np.abs(found[1] - found[0]).max() > 1e-4

    def test_traces_that_depend_on_predictions_are_refused(self) -> None:
        algorithm: Any = CATALOGUE["ACT-R"]
        with pytest.raises(TypeError, match="ACT-R"):
            memory_of(algorithm, np.zeros((5, 1)))


class TestFit:
    def test_the_covariance_is_that_of_scores_by_finite_differences(self) -> None:
        algorithm: Any = CATALOGUE["FSRS-6"]
        table = data("sim-c")
        found = fit(algorithm, table, len(table.reviews))
        predictor = Predictor(algorithm, table.histories(algorithm.inputs))
        log = np.array([p.log for p in algorithm.parameters])
        x = np.where(log, np.log(found.w), found.w)

        def predict(at: Floats) -> Floats:
            return predictor.predict(np.where(log, np.exp(at), at), slice(None))

        step = 1e-5
        slopes = [(predict(x + step * unit) - predict(x - step * unit)) / (2 * step) for unit in np.eye(len(x))]
        p, slope = predict(x), np.array(slopes)
        variance = p * (1 - p)
        score = slope * (table.reviews.recalled - p) / variance
        card = table.rows.card[table.reviews.row]
        by_card = np.array([np.bincount(card, one) for one in score])
        prior = np.diag([2 / q.width**2 for q in algorithm.parameters])
        inverse = np.linalg.inv((slope / variance) @ slope.T + prior)
        expected = inverse @ (by_card @ by_card.T + prior) @ inverse
        np.testing.assert_allclose(np.sqrt(np.diag(found.covariance)), np.sqrt(np.diag(expected)), rtol=2e-2)

    def test_draws_lie_within_bounds_and_have_that_covariance(self) -> None:
        table = data("sim-b")
        found = fit(FSRS_6, table, len(table.reviews))
        draws = found.draws(4000, np.random.default_rng(1))
        lower, upper = (np.array([getattr(p, end) for p in FSRS_6.parameters])[:, None] for end in ("lower", "upper"))
        assert ((draws >= lower) & (draws <= upper)).all()
        np.testing.assert_allclose(np.log(draws[2]).std(), np.sqrt(found.covariance[2, 2]), rtol=0.05)
        np.testing.assert_allclose(np.log(draws[2]).mean(), np.log(found.w[2]), atol=0.05)

    @pytest.mark.parametrize(("sd", "least", "most"), [(0.0, 0.0, 0.5), (0.8, 0.6, 1.0)])
    def test_unlike_cards_are_found(self, sd: float, least: float, most: float) -> None:
        """Answers by the memory itself, with cards whose pace differs so much."""
        evidence = evidence_of(person())
        known = Prepared.of(evidence)
        w = np.append(DEFAULT, 0.0)
        fitted = Fit(SLIPPING_FSRS_6, w, np.zeros((22, 22)))
        shares = np.exp(-0.5 * (PACE / sd) ** 2) if sd else (np.abs(PACE) < 1e-9) * 1.0
        shares /= shares.sum()
        cards = len(known.study.start)
        true = Paces(shares, np.tile(shares, (cards, 1)), spread=0.0)
        anew = _answered_anew(fitted, true, evidence.data, known.ahead, np.random.default_rng(2))
        told: List[float] = []
        of_any = paces(fitted, anew, len(anew.reviews), Progress(lambda done, *_: told.append(done))).of_any
        assert (len(told), told) == (len(PACE), sorted(told))  # each a place where Cancel is heard
        mean = of_any @ PACE
        assert least <= np.sqrt(of_any @ (PACE - mean) ** 2) <= most
        expected = no_paces(cards).drawn(np.array([0, -1]), 2, np.random.default_rng(1))
        np.testing.assert_allclose(expected, 1)


def plainly(memory: Any, of_scheduler: Any, start: Start, own: Habits, horizon: int, seed: int) -> List[float]:
    """The same rules, card by card: reviews, remembered, answers, seconds of one draw and one variant."""
    counts = np.zeros(4)
    zero = np.zeros(1, dtype=np.int64)
    studied = own.studied.tolist()
    after = [next((n for n, day in enumerate(studied) if day >= due), None) for due in range(horizon)]

    def comes(before: int, due: int, late: float) -> int:
        number = after[max(due, 0)] if due < horizon else len(studied) + due - horizon
        number = len(studied) if number is None else number
        number += int(np.sort(own.delays)[int(late * len(own.delays))])
        return max(number, before + 1)

    for card in range(len(start.begins)):
        one, scheduler = np.array([card]), of_scheduler(card)
        scheduler.begin(1)
        state = tuple(column[one].copy() for column in start.memory)
        last, interval, new = int(start.last[card]), int(start.interval[card]), bool(start.new[card])
        due = int(start.begins[card])
        if new:
            turn = after[due] if after[due] is not None else len(studied)
        else:
            before = next((n for n, day in enumerate(studied) if day >= last + 1), 0) - 1
            turn = comes(before, due, float(_chance(seed, zero, one, np.array([BEFORE]))[2][0]))
        number = 0
        while turn is not None and turn < len(studied):
            day = studied[turn]
            chances = _chance(seed, zero, one, np.array([number]))
            u, v, late = (float(x[0]) for x in chances[:3])
            fuzz = chances[3]
            number += 1
            if new:
                button = 1 + int(np.searchsorted(np.cumsum(own.first[:-1]), v, "right"))
                state = memory.first(zero, np.array([button]))
                further = int((0 if button == 4 else own.after_first) + u)
                interval = int(scheduler.begun(zero, np.array([button]), fuzz)[0])
                counts += [0, 0, 1 + further, own.seconds[0, button - 1] + further * own.seconds[1, 2]]
                new = False
            else:
                elapsed = np.array([day - last])
                recalled = u < memory.recall(zero, state, elapsed * start.pace[card])[0]
                button = 2 + int(np.searchsorted(np.cumsum(own.passed[:-1]), v, "right")) if recalled else 1
                state = memory.step(zero, state, elapsed, np.array([button]))
                further = int((own.after_lapse if button == 1 else 0) + v)
                answered = scheduler.answered(zero, np.array([interval]), elapsed, np.array([button]), fuzz)
                interval = int(answered[0])
                counts += [1, button > 1, 1 + further, own.seconds[2, button - 1] + further * own.seconds[1, 2]]
            for _ in range(min(further, 3)):
                state = memory.step(zero, state, np.zeros(1), np.array([GOOD]))
                again = scheduler.answered_again(zero, np.array([GOOD]), np.array([interval]), fuzz)
                interval = int(again[0])
            last, turn = day, comes(turn, day + interval, late)
    return counts.tolist()


class TestYear:
    HORIZON, CARDS = 90, 60

    def start(self, draws: int = 1) -> Start:
        random = np.random.default_rng(3)
        interval = random.integers(1, 30, self.CARDS)
        last = -random.integers(1, 40, self.CARDS)
        new = np.arange(self.CARDS) >= 40
        due = np.where(new, random.integers(0, 80, self.CARDS), last + interval)
        state = (random.uniform(1, 40, self.CARDS), random.uniform(2, 9, self.CARDS))
        return Start(
            due,
            new,
            last,
            interval,
            tuple(np.tile(x, draws) for x in state),
            np.tile(random.uniform(0.7, 1.4, self.CARDS), draws),
        )

    def sm2(self, card: Any = slice(None)) -> Sm2:
        preset, ease = (np.arange(self.CARDS) % 2)[card], np.full(self.CARDS, 2500)[card]
        return Sm2([Sm2Settings(), Sm2Settings(interval_modifier=1.3)], np.atleast_1d(preset), np.atleast_1d(ease))

    def fsrs(self, card: Any = slice(None), desired: Any = (0.88,)) -> Fsrs:
        state = tuple(np.atleast_1d(column[card])[None] for column in self.start().memory)
        return Fsrs(DEFAULT[:, None], np.array(desired), state, 36_500)

    @pytest.mark.parametrize("kind", ["sm2", "fsrs"])
    def test_it_is_what_a_plain_loop_over_cards_gives(self, kind: str) -> None:
        memory = RecurrentMemory(FSRS_6, DEFAULT[:, None])
        of_scheduler: Any = getattr(self, kind)
        totals = simulate(
            memory, of_scheduler(), self.start(), PLAIN, self.HORIZON, draws=1, seed=5, counted_from=0, look=False
        )
        expected = plainly(memory, of_scheduler, self.start(), PLAIN, self.HORIZON, 5)
        found = [totals.reviews, totals.remembered, totals.answers, totals.seconds]
        np.testing.assert_allclose([column[0, 0] for column in found], expected)
        assert expected[0] > 100

    def test_a_card_does_not_depend_on_who_else_is_simulated(self) -> None:
        w = np.stack([DEFAULT, DEFAULT * 0.98, DEFAULT], axis=1)
        alone = simulate(
            RecurrentMemory(FSRS_6, w[:, :1]), self.fsrs(), self.start(), PLAIN, self.HORIZON, draws=1, seed=5
        )
        desired = np.repeat([0.7, 0.88], 3)
        several = simulate(
            RecurrentMemory(FSRS_6, w), self.fsrs(desired=desired), self.start(3), PLAIN, self.HORIZON,
            draws=3, variants=2, seed=5,
        )  # fmt: skip
        for name in ("reviews", "remembered", "seconds", "known", "known_at_the_end"):
            assert getattr(several, name)[1, 0] == getattr(alone, name)[0, 0], name
        assert several.reviews[1, 0] != several.reviews[1, 2]  # the same parameters, but chance of its own
        assert several.reviews[0, 0] < several.reviews[1, 0]

    def test_no_more_reviews_a_day_than_there_is_time_for(self) -> None:
        most = np.full(len(PLAIN.studied), 2)
        seen: List[int] = []
        simulate(
            RecurrentMemory(FSRS_6, DEFAULT[:, None]), self.sm2(), self.start(), PLAIN, self.HORIZON,
            draws=1, seed=5, most_a_day=most, seen=lambda units, _elapsed, _recall: seen.append(len(units)),
        )  # fmt: skip
        assert max(seen) == 2
        assert len(seen) == len(PLAIN.studied)

    def test_nobody_looks_at_a_card_after_its_last_day(self) -> None:
        until = np.full(self.CARDS, 20)
        short = replace(PLAIN, studied=PLAIN.studied[PLAIN.studied <= 20])
        memory = RecurrentMemory(FSRS_6, DEFAULT[:, None])
        start = replace(self.start(), new=np.zeros(self.CARDS, dtype=bool))
        ends = simulate(memory, self.sm2(), replace(start, until=until), PLAIN, 90, draws=1, seed=5, counted_from=0)
        stops = simulate(memory, self.sm2(), start, short, 90, draws=1, seed=5, counted_from=0)
        assert 0 < ends.reviews[0, 0] <= stops.reviews[0, 0] * 1.1  # the first review of each is not kept from it
        assert NEVER > 90

    @pytest.mark.parametrize("kind", ["sm2", "fsrs"])
    def test_cards_that_are_alike_are_spread_as_anki_spreads_them(self, kind: str) -> None:
        """By fuzz, over the days that each interval allows, and no two numbers of it go together."""
        count = 4000
        one = np.arange(count)
        chances = np.stack(_chance(7, np.zeros(count, dtype=np.int64), one, np.zeros(count, dtype=np.int64)))
        np.testing.assert_allclose(np.corrcoef(chances), np.eye(4), atol=0.05)
        assert ((chances >= 0) & (chances < 1)).all()
        state = tuple(np.full((1, count), value) for value in (20.0, 5.0))
        none, twenty, good = np.zeros(count, dtype=np.int64), np.full(count, 20), np.full(count, GOOD)
        scheduler: Any = Sm2([Sm2Settings()], none, none + 2500)
        if kind == "fsrs":
            scheduler = Fsrs(DEFAULT[:, None], np.array([0.9]), state, 36_500)
        scheduler.begin(1)
        days = scheduler.answered(one, twenty, twenty, good, chances[3])
        exact = 50.0
        if kind == "fsrs":
            exact = float(fsrs_interval(FSRS_6.step(list(DEFAULT), (20.0, 5.0), 20, GOOD)[0], DEFAULT[20], 0.9))
        reach = float(most_fuzz(np.array([exact]))[0])
        counts = np.bincount(days)
        allowed = np.arange(round(exact - reach), round(exact + reach) + 1)
        assert np.flatnonzero(counts).tolist() == allowed.tolist()
        np.testing.assert_allclose(counts[allowed], count / len(allowed), rtol=0.25)

    def test_fsrs_gives_what_the_other_buttons_would_have_led_to(self) -> None:
        """Hard and Good are derived from the answer that was given; here they are stepped one by one."""
        random = np.random.default_rng(8)
        state = (random.uniform(0.5, 60, 500), random.uniform(1, 10, 500))
        interval, elapsed = random.integers(1, 50, 500), random.integers(1, 60, 500)
        rating = random.integers(1, 5, 500)
        scheduler = Fsrs(DEFAULT[:, None], np.array([0.9]), tuple(column[None] for column in state), 36_500)
        scheduler.begin(1)
        fuzz = random.random(500)
        found = scheduler.answered(np.arange(500), interval, elapsed, rating, fuzz)
        by_button = [
            fsrs_interval(FSRS_6.step(list(DEFAULT), state, elapsed, np.full(500, b))[0], DEFAULT[20], 0.9)
            for b in (1, 2, 3, 4)
        ]
        again, hard, good, easy = by_button
        assert (found == fsrs_days(hard, good, easy, again, interval, rating, 36_500, fuzz)).mean() > 0.99


class TestArithmetic:
    def test_reading_off_a_curve(self) -> None:
        x = np.array([[3.0, 1.0], [2.0, 2.0], [4.0, 3.0]])  # the first goes down, and then up
        y = np.array([[0.0, 0.0], [1.0, 1.0], [3.0, 2.0]])
        np.testing.assert_allclose(read_off(x, y, np.array([3.0, 1.5])), [2.0, 0.5])
        assert np.isnan(read_off(x, y, np.array([4.5, 0.5]))).all()

    def test_the_interval_of_the_draws(self) -> None:
        """The spread of the draws without that of chance, but not less than it; and the optimism's own error."""
        draws = np.tile([0.9, 1.1], DRAWS // 2)
        sure = with_interval(np.concatenate([draws, np.ones(REPEATS)]))
        reach = 2.0452 * draws.std(ddof=1) * np.sqrt(1 + 1 / 30)
        np.testing.assert_allclose([sure.estimate, sure.high], [1, 1 + reach], rtol=1e-4)  # type: ignore[arg-type]
        noisy = with_interval(np.concatenate([draws, np.tile([0.7, 1.3], REPEATS // 2)]))
        assert noisy.known == 1
        np.testing.assert_allclose((noisy.high or 0) - 1, 2.0452 * np.sqrt(0.108 * 31 / 30), rtol=1e-3)
        off = with_interval(np.concatenate([draws, np.ones(REPEATS)]), np.array([0.1, 0.3]))
        np.testing.assert_allclose(off.known, 0.8)
        assert (off.high or 0) - off.known > reach

    def test_too_few_draws_on_the_curve(self) -> None:
        draws = np.where(np.arange(DRAWS + REPEATS) < 10, np.nan, 1.0)
        assert with_interval(draws).reason == "out_of_reach"


class TestPerson:
    def test_habits_are_those_of_the_log(self) -> None:
        evidence = evidence_of(person())
        rows, log = evidence.data.rows, person().revlog
        study = Study.of(rows, log, 60)
        today = int(rows.day.max())
        own = habits(study, today - 89, today + 1, np.arange(3))
        recent = rows.day > today - 90
        later = recent & (rows.elapsed_days > 0) & (rows.rating > 1)
        shares = np.array([(rows.rating[later] == button).mean() for button in (2, 3, 4)])
        np.testing.assert_allclose(own.passed, shares, atol=0.03)
        of_good = later & (rows.rating == 3)
        np.testing.assert_allclose(own.seconds[2, 2], (log.duration_ms[rows.log_row[of_good]] / 1000).mean(), rtol=1e-9)
        late, on_time, count = lateness(study, today - 89, today + 1)
        assert on_time > 0.9
        assert len(late) == count
        assert np.median(late) == 0


class TestPast:
    @pytest.mark.parametrize("scheduler", ["sm2", "fsrs"])
    def test_a_simulated_person_is_foreseen(self, scheduler: str) -> None:
        found = workload(
            evidence_of(person(scheduler)), SILENT, names=["FSRS-6"], schedulers=["FSRS-6"], only_if_foreseen=True
        )
        test = found.back_test
        assert test.code in ("passed", "too_wide")
        assert test.scheduler == ("FSRS-6" if scheduler == "fsrs" else "SM-2")
        assert test.reviews is not None
        assert abs((test.ratio or 0) - 1) < 0.15
        known = Prepared.of(evidence_of(person(scheduler)))
        rows, seen, count = known.study.rows, set(), 0
        for row in range(len(rows)):  # those after each card's first later-day review within the time
            if rows.day[row] >= known.period.first and rows.elapsed_days[row] > 0:
                count += rows.card_id[row] in seen
                seen.add(rows.card_id[row])
        assert (test.cards, test.reviews.observed) == (len(seen), count)

    def test_who_studies_otherwise_is_not(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Intervals of SM-2 that are half as long as the presets say."""
        snapshot = person()
        slow = tuple(replace(one, sm2=Sm2Settings(interval_modifier=2.0)) for one in snapshot.presets or ())
        found = workload(evidence_of(replace(snapshot, presets=slow)), SILENT, names=["FSRS-6"])
        assert found.back_test.code == "reviews"
        assert (found.back_test.ratio or 1) < 0.8
        assert not found.memories
        monkeypatch.setattr(back_test, "LEAST_REVIEWS", 10**6)
        assert workload(evidence_of(snapshot), SILENT).back_test.code == "too_few_reviews"

    @pytest.mark.parametrize(
        "code", ["none_alive", "no_intervals", "too_few_days", "switched", "unknown_scheduler", "fsrs_7"]
    )
    def test_what_cannot_be_tested(self, code: str) -> None:
        snapshot = person("fsrs", 140) if code == "too_few_days" else person("fsrs" if code == "fsrs_7" else "sm2")
        log, cards = snapshot.revlog, snapshot.cards
        assert cards is not None
        if code == "none_alive":
            snapshot = replace(snapshot, cards=replace(cards, set_aside=np.ones(len(cards.card_id), dtype=bool)))
        if code == "no_intervals":
            snapshot = replace(snapshot, revlog=replace(log, interval=np.zeros_like(log.interval)))
        if code == "switched":
            factor = np.where(np.arange(len(log)) > 0.9 * len(log), 500, log.factor)
            snapshot = replace(snapshot, revlog=replace(log, factor=factor))
        if code == "unknown_scheduler":
            snapshot = replace(snapshot, revlog=replace(log, factor=np.zeros_like(log.factor)), fsrs=None)
        if code == "fsrs_7":
            sevens = tuple(Preset(one.preset_id, one.name, (), fsrs_version=7) for one in snapshot.presets or ())
            snapshot = replace(snapshot, presets=sevens)
        found = workload(evidence_of(snapshot), SILENT)
        assert found.back_test.code == code
        assert found.back_test.reviews is None


class Stopped(Exception):
    """Somebody pressed Cancel."""


class TestSection:
    def test_it_is_the_same_each_time_and_fits_into_the_json(self) -> None:
        snapshot = person()
        evaluation = evaluate(snapshot, Options(("FSRS-6 default", "SM-2")))
        first, second = (add_sections(evaluation, ["workload"], snapshot).report for _ in range(2))
        found = first.section("workload")
        assert found == second.section("workload")
        assert to_json(first)
        assert found.question == "work"
        assert found.memories
        best = found.memories[0]
        assert [load.desired_retention for load in best.loads] == [None, *DESIRED[1:], *DESIRED[1:]]
        cards = [load.known.known for load in best.loads[1:8]]
        assert cards == sorted(cards)
        for versus in found.versus:
            low, high = versus.reviews.ends or (0.0, 9.0)
            assert low < versus.reviews.known < high

    @pytest.mark.parametrize("without", ["cards", "presets", "table_of_cards", "revlog"])
    def test_with_less_known(self, without: str) -> None:
        snapshot = person()
        assert snapshot.cards is not None
        none = np.zeros(0, dtype=np.int64)
        empty = replace(snapshot.cards, card_id=none, deck_id=none, preset_id=none, set_aside=none.astype(bool))
        no_time = replace(snapshot.revlog, duration_ms=np.zeros_like(snapshot.revlog.duration_ms))
        odd = tuple(replace(one, parameters=(1.0,) * 5) for one in snapshot.presets or ())
        changed = {
            "cards": {"cards": None},
            "presets": {"presets": odd},
            "table_of_cards": {"cards": empty},
            "revlog": {"revlog": no_time},
        }[without]
        found = workload(evidence_of(replace(snapshot, **changed)), SILENT, names=["FSRS-6"], schedulers=["FSRS-6"])  # type: ignore[arg-type]
        assert (found.back_test.code == "none_alive") == (without == "table_of_cards")

    def test_cancel_comes_through(self) -> None:
        calls = 0

        def cancel(*_args: Any, **_more: Any) -> None:
            nonlocal calls
            calls += 1
            if calls == 400:
                raise Stopped

        with pytest.raises(Stopped):
            workload(evidence_of(person()), Progress(cancel))

    def test_who_does_not_keep_up_is_asked_about_knowledge(self) -> None:
        snapshot = person()
        log = snapshot.revlog
        shorter = np.where(log.last_interval > 2, log.last_interval // 2, log.last_interval)
        known = Prepared.of(evidence_of(replace(snapshot, revlog=replace(log, last_interval=shorter))))
        assert known.on_time < 0.8
        assert known.ahead.most_a_day is not None
