from __future__ import annotations

from dataclasses import replace
from typing import Any, List

import numpy as np
import pytest
from reference_sets import data

from evaluator.algorithms import CATALOG
from evaluator.algorithms.fsrs6 import FSRS_6
from evaluator.data.revlog import GOOD, Sm2Settings
from evaluator.fitting.predictor import Predictor
from evaluator.progress import SILENT
from evaluator.workload.anki_intervals import fsrs_days, fsrs_interval, fsrs_learned_days
from evaluator.workload.estimate import COUNTED_FROM, DRAWS, REPEATS, interpolate_curve, mean_of_draws, yearly_loads
from evaluator.workload.fitted import fit
from evaluator.workload.memory_draws import Memory, replay
from evaluator.workload.schedulers import FsrsScheduler, Sm2Scheduler
from evaluator.workload.year import (
    BEFORE_FIRST_REVIEW,
    InitialState,
    StudyHabits,
    StudySimulation,
    Totals,
    _uniform_draws,
)

DEFAULT = np.array([p.default for p in FSRS_6.parameters])
PLAIN = StudyHabits(
    first_shares=np.array([0.3, 0.1, 0.5, 0.1]),
    pass_shares=np.array([0.1, 0.8, 0.1]),
    after_first=1.3,
    after_lapse=0.8,
    seconds=np.arange(12.0).reshape(3, 4) + 3,
    delays=np.array([-1, 0, 0, 0, 2]),
    study_days=np.array([day for day in range(90) if day % 7 != 3]),
)


def test_memory_predicts_like_its_algorithm():
    table = data("sim-b")
    rows = table.rows
    reviews = table.reviews
    last = {int(card): index for index, card in enumerate(rows.card[reviews.row])}
    requested = np.array(sorted(last.values()))
    row = reviews.row[requested]
    memory = Memory(FSRS_6, np.stack([DEFAULT, DEFAULT * 0.97, DEFAULT], axis=1))
    draw = np.repeat(np.arange(3), len(row))
    size = rows.position[row]
    state = replay(memory, rows, np.tile(row - size, 3), np.tile(size, 3), draw)
    result = memory.recall(draw, state, np.tile(rows.elapsed_days[row], 3)).reshape(3, -1)
    predicted = Predictor(FSRS_6, table.histories(FSRS_6.inputs)).predict(DEFAULT, slice(None))[requested]
    np.testing.assert_allclose(result[0], predicted, rtol=2e-5)
    np.testing.assert_array_equal(result[0], result[2])
    assert np.abs(result[1] - result[0]).max() > 1e-4
    assert (memory.recall(draw, state, np.zeros(len(draw))) == 1).all()


class TestFit:
    def test_covariance_is_that_of_scores_by_finite_differences(self):
        algorithm = CATALOG["FSRS-6"]
        table = data("sim-c")
        result = fit(algorithm, table, len(table.reviews))
        predictor = Predictor(algorithm, table.histories(algorithm.inputs))
        log = np.array([p.log for p in algorithm.parameters])
        x = np.where(log, np.log(result.w), result.w)

        def predict(at):
            return predictor.predict(np.where(log, np.exp(at), at), slice(None))

        step = 1e-5
        slopes = [(predict(x + step * unit) - predict(x - step * unit)) / (2 * step) for unit in np.eye(len(x))]
        p = predict(x)
        slope = np.array(slopes)
        variance = p * (1 - p)
        score = slope * (table.reviews.recalled - p) / variance
        card = table.rows.card[table.reviews.row]
        by_card = np.array([np.bincount(card, item) for item in score])
        prior = np.diag([2 / q.width**2 for q in algorithm.parameters])
        inverse = np.linalg.inv((slope / variance) @ slope.T + prior)
        expected = inverse @ (by_card @ by_card.T + prior) @ inverse
        np.testing.assert_allclose(np.sqrt(np.diag(result.covariance)), np.sqrt(np.diag(expected)), rtol=2e-2)

    def test_half_of_the_cards_give_about_the_same_covariance(self, monkeypatch):
        table = data("sim-a")
        full = fit(FSRS_6, table, len(table.reviews)).covariance
        monkeypatch.setattr("evaluator.workload.fitted.MAX_SCORES", len(table.reviews) // 2)
        half = fit(FSRS_6, table, len(table.reviews)).covariance
        assert not np.array_equal(half, full)
        np.testing.assert_allclose(np.sqrt(np.diag(half)), np.sqrt(np.diag(full)), rtol=0.15)

    def test_draws_are_within_bounds_and_have_the_covariance(self):
        table = data("sim-b")
        result = fit(FSRS_6, table, len(table.reviews))
        draws = result.draw(4000, np.random.default_rng(1))
        lower, upper = (np.array([getattr(p, end) for p in FSRS_6.parameters])[:, None] for end in ("lower", "upper"))
        assert ((draws >= lower) & (draws <= upper)).all()
        np.testing.assert_allclose(np.log(draws[2]).std(), np.sqrt(result.covariance[2, 2]), rtol=0.05)
        np.testing.assert_allclose(np.log(draws[2]).mean(), np.log(result.w[2]), atol=0.05)


def simulate_plainly(
    memory: Any, of_scheduler: Any, start: InitialState, study_habits: StudyHabits, horizon: int, seed: int
) -> List[float]:
    """Simulate one draw card by card, by the same rules.

    Returns:
        The number of reviews, the number of remembered reviews, and the seconds.
    """
    counts = np.zeros(3)
    zero = np.zeros(1, dtype=np.int64)
    study_days = study_habits.study_days.tolist()
    slot_of_due = [next((n for n, day in enumerate(study_days) if day >= due), None) for due in range(horizon)]

    def next_slot(previous, due, late):
        """Return the index of the study day on which a card is reviewed next."""
        slot = slot_of_due[max(due, 0)] if due < horizon else len(study_days) + due - horizon
        slot = len(study_days) if slot is None else slot
        slot += int(np.sort(study_habits.delays)[int(late * len(study_habits.delays))])
        return max(slot, previous + 1)

    for card in range(len(start.due)):
        item = np.array([card])
        scheduler = of_scheduler(card)
        state = tuple(column[item].copy() for column in start.memory)
        last = int(start.last_day[card])
        interval = int(start.interval[card])
        is_new = start.is_new[card]
        due = int(start.due[card])
        if is_new:
            slot = slot_of_due[due]
        else:
            before = next((n for n, day in enumerate(study_days) if day >= last + 1), 0) - 1
            slot = next_slot(
                before, due, float(_uniform_draws(seed, zero, item, np.array([BEFORE_FIRST_REVIEW]))[2][0])
            )
        number = 0
        while slot is not None and slot < len(study_days):
            day = study_days[slot]
            chances = _uniform_draws(seed, zero, item, np.array([number]))
            u, v, late = (float(x[0]) for x in chances[:3])
            fuzz = chances[3]
            number += 1
            if is_new:
                button = 1 + int(np.searchsorted(np.cumsum(study_habits.first_shares[:-1]), v, "right"))
                state = memory.first(zero, np.array([button]))
                further = int((0 if button == 4 else study_habits.after_first) + u)
                interval = int(scheduler.first_interval(zero, np.array([button]), fuzz)[0])
                counts += [0, 0, study_habits.seconds[0, button - 1] + further * study_habits.seconds[1, 2]]
                is_new = False
            else:
                elapsed = np.array([day - last])
                recalled = u < memory.recall(zero, state, elapsed)[0]
                button = (
                    2 + int(np.searchsorted(np.cumsum(study_habits.pass_shares[:-1]), v, "right")) if recalled else 1
                )
                state = memory.step(zero, state, elapsed, np.array([button]))
                further = int((study_habits.after_lapse if button == 1 else 0) + v)
                days = scheduler.next_interval(zero, np.array([interval]), elapsed, np.array([button]), fuzz)
                interval = int(days[0])
                counts += [1, button > 1, study_habits.seconds[2, button - 1] + further * study_habits.seconds[1, 2]]
            for _ in range(min(further, 3)):
                state = memory.step(zero, state, np.zeros(1), np.array([GOOD]))
                days = scheduler.same_day_interval(zero, np.array([interval]), fuzz)
                interval = int(days[0])
            last = day
            slot = next_slot(slot, day + interval, late)
    return counts.tolist()


class TestYear:
    HORIZON = 90
    SEED = 5
    CARDS = 60

    def start(self, draws: int = 1) -> InitialState:
        """Return 40 studied and 20 new cards."""
        random = np.random.default_rng(3)
        interval = random.integers(1, 30, self.CARDS)
        last = -random.integers(1, 40, self.CARDS)
        is_new = np.arange(self.CARDS) >= 40
        due = np.where(is_new, random.integers(0, 80, self.CARDS), last + interval)
        state = (random.uniform(1, 40, self.CARDS), random.uniform(2, 9, self.CARDS))
        return InitialState(
            due=due,
            is_new=is_new,
            last_day=last,
            interval=interval,
            memory=tuple(np.tile(x, draws) for x in state),
            until=np.full(self.CARDS, self.HORIZON),
        )

    def sm2(self, card: Any = slice(None)) -> Sm2Scheduler:
        """Return the scheduler of all cards or of one, in turn with two presets."""
        preset = (np.arange(self.CARDS) % 2)[card]
        ease = np.full(self.CARDS, 2500)[card]
        return Sm2Scheduler(
            [Sm2Settings(), Sm2Settings(interval_modifier=1.3)], np.atleast_1d(preset), np.atleast_1d(ease)
        )

    def fsrs(self, card: Any = slice(None), desired: Any = (0.88,)) -> FsrsScheduler:
        """Return the scheduler of all cards or of one, with these desired retentions."""
        state = tuple(np.tile(column[card], len(desired)) for column in self.start().memory)
        row = np.repeat(np.arange(len(desired)), len(state[0]) // len(desired))
        return FsrsScheduler(Memory(FSRS_6, DEFAULT[:, None]), np.array(desired), row, state, 36_500)

    @pytest.mark.parametrize("kind", ["sm2", "fsrs"])
    def test_simulation_equals_a_plain_loop_over_cards(self, kind):
        memory = Memory(FSRS_6, DEFAULT[:, None])
        of_scheduler = getattr(self, kind)
        totals = StudySimulation(memory, of_scheduler(), self.start(), PLAIN, self.HORIZON, (1, 1), self.SEED).run(
            SILENT
        )
        expected = simulate_plainly(memory, of_scheduler, self.start(), PLAIN, self.HORIZON, self.SEED)
        result = [totals.reviews, totals.remembered, totals.seconds]
        np.testing.assert_allclose([column[0, 0] for column in result], expected)
        assert expected[0] > 100

    def test_card_does_not_depend_on_other_simulated_people(self):
        w = np.stack([DEFAULT, DEFAULT * 0.98, DEFAULT], axis=1)
        first_draw = Memory(FSRS_6, w[:, :1]), self.fsrs(), self.start()
        single = StudySimulation(*first_draw, PLAIN, self.HORIZON, (1, 1), self.SEED, COUNTED_FROM).run(SILENT)
        desired = np.repeat([0.7, 0.88], 3)
        all_draws = Memory(FSRS_6, w), self.fsrs(desired=desired), self.start(3)
        several = StudySimulation(*all_draws, PLAIN, self.HORIZON, (2, 3), self.SEED, COUNTED_FROM).run(SILENT)
        for name in ("reviews", "remembered", "seconds", "known"):
            assert getattr(several, name)[1, 0] == getattr(single, name)[0, 0], name
        # The parameters are equal, but the random numbers differ.
        assert several.reviews[1, 0] != several.reviews[1, 2]
        assert several.reviews[0, 0] < several.reviews[1, 0]

    @pytest.mark.parametrize("order", [0, 3, 4, 7, 11])
    def test_reviews_a_day_are_limited_to_the_most_urgent(self, order):
        max_reviews = np.full(len(PLAIN.study_days), 2)
        start = replace(self.start(), is_new=np.zeros(self.CARDS, dtype=bool))
        memory = Memory(FSRS_6, DEFAULT[:, None])
        limited = replace(PLAIN, review_order=order, max_reviews=max_reviews)
        run = StudySimulation(memory, self.sm2(), start, limited, self.HORIZON, (1, 1), self.SEED)
        late = (20 - start.last_day) / start.interval
        key = {0: run.session, 3: start.interval, 4: -start.interval, 7: -late, 11: late}[order]
        chosen = run._most_urgent(20, np.arange(self.CARDS), 5)
        assert np.sort(key[chosen]).tolist() == np.sort(key)[:5].tolist()
        totals = StudySimulation(memory, self.sm2(), start, limited, self.HORIZON, (1, 1), self.SEED).run(SILENT)
        assert 1.6 * len(max_reviews) < totals.reviews[0, 0] <= 2 * len(max_reviews)

    def test_card_is_not_reviewed_after_its_last_day(self):
        memory = Memory(FSRS_6, DEFAULT[:, None])
        start = replace(self.start(), is_new=np.zeros(self.CARDS, dtype=bool))
        limited = replace(start, until=np.full(self.CARDS, 20))
        ends = StudySimulation(memory, self.sm2(), limited, PLAIN, 90, (1, 1), self.SEED).run(SILENT)
        short = replace(PLAIN, study_days=PLAIN.study_days[PLAIN.study_days <= 20])
        stops = StudySimulation(memory, self.sm2(), start, short, 90, (1, 1), self.SEED).run(SILENT)
        assert 0 < ends.reviews[0, 0] <= stops.reviews[0, 0] * 1.1

    def test_fsrs_intervals_depend_on_those_of_the_other_buttons(self):
        random = np.random.default_rng(8)
        state = (random.uniform(0.5, 60, 500), random.uniform(1, 10, 500))
        interval = random.integers(1, 50, 500)
        elapsed = random.integers(1, 60, 500)
        rating = random.integers(1, 5, 500)
        row = np.zeros(500, dtype=np.int64)
        scheduler = FsrsScheduler(
            Memory(FSRS_6, DEFAULT[:, None]), np.array([0.9]), row, tuple(map(np.copy, state)), 36_500
        )
        fuzz = random.random(500)
        result = scheduler.next_interval(np.arange(500), interval, elapsed, rating, fuzz)
        by_button = [
            fsrs_interval(FSRS_6.step(list(DEFAULT), state, elapsed, np.full(500, b))[0], DEFAULT[20], 0.9)
            for b in (1, 2, 3, 4)
        ]
        assert (result == fsrs_days(by_button, interval, rating, 36_500, fuzz)).mean() > 0.99

    def test_fsrs_matches_anki_after_a_first_answer(self):
        rating = np.array([1, 2, 3, 4, 4])
        fuzz = np.array([0.5, 0.5, 0.5, 0.5, 0.9])
        row = np.zeros(5, dtype=np.int64)
        scheduler = FsrsScheduler(
            Memory(FSRS_6, DEFAULT[:, None]), np.array([0.9]), row, (np.ones(5), np.ones(5)), 36_500
        )
        by_rating, good = (fsrs_interval(DEFAULT[index], DEFAULT[20], 0.9) for index in (rating - 1, np.full(5, 2)))
        as_good = np.where(rating == 4, good, by_rating)
        expected = fsrs_learned_days(as_good, by_rating, rating, 36_500, fuzz)
        assert scheduler.first_interval(np.arange(5), rating, fuzz).tolist() == expected.tolist()
        assert expected[3] < fsrs_learned_days(by_rating, by_rating, rating, 36_500, fuzz)[3]


class TestArithmetic:
    def test_curve_is_interpolated_where_it_first_crosses(self):
        # The first column goes down and then up.
        x = np.array([[3.0, 1.0], [2.0, 2.0], [4.0, 3.0]])
        y = np.array([[0.0, 0.0], [1.0, 1.0], [3.0, 2.0]])
        np.testing.assert_allclose(interpolate_curve(x, y, np.array([3.0, 1.5])), [2.0, 0.5])
        assert np.isnan(interpolate_curve(x, y, np.array([4.5, 0.5]))).all()

    def test_interval_excludes_the_variance_of_chance(self):
        draws = np.tile([0.9, 1.1], DRAWS // 2)
        # Half the width in standard deviations, t(29) * sqrt(1 + 1 / 30).
        reach = 2.0452 * np.sqrt(31 / 30)
        draw_variance = draws.var(ddof=1)
        sure = mean_of_draws(np.concatenate([draws, np.ones(REPEATS)]))
        assert (sure.value, sure.standard_error) == pytest.approx((1, draw_variance**0.5))
        assert sure.high == pytest.approx(1 + reach * draw_variance**0.5, rel=1e-4)
        spread = np.tile([0.95, 1.05], REPEATS // 2)
        noisy = np.tile([0.7, 1.3], REPEATS // 2)
        part = mean_of_draws(np.concatenate([draws, spread]))
        assert part.standard_error == pytest.approx((draw_variance - spread.var(ddof=1)) ** 0.5)
        assert mean_of_draws(np.concatenate([draws, noisy])).standard_error == pytest.approx(noisy.std(ddof=1))

    def test_error_widens_reviews_and_not_cards(self):
        share = np.concatenate([np.tile([0.9, 1.1], DRAWS // 2), np.ones(REPEATS)])[None]
        # Half of the cards are simulated, and 335 days are counted.
        totals = Totals(3350 * share, 3000 * share, 6700 * 60 * share, 800 * share)
        (plain,), (wider,) = (yearly_loads(0.5, totals, (0.9,), factor, has_times=True) for factor in (1.0, 1.2))
        assert plain.reviews.value == wider.reviews.value == pytest.approx(20)
        low, high = plain.reviews.low_high or (0, 0)
        assert wider.reviews.low_high == pytest.approx((low / 1.2, high * 1.2))
        assert wider.minutes.value == pytest.approx(40)
        assert (wider.known, wider.remembered) == (plain.known, plain.remembered)
        assert (wider.known.value, wider.scheduler) == (pytest.approx(1600), "FSRS-6")

    def test_too_few_draws_on_the_curve_leave_no_interval(self):
        draws = np.where(np.arange(DRAWS + REPEATS) < 10, np.nan, 1.0)
        assert mean_of_draws(draws).reason == "out_of_reach"
