"""The algorithms against trajectories worked out by hand in plain arithmetic, and on hostile histories."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from math import exp, inf, isfinite, log
from typing import List, Sequence, Tuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_logs import card, company, table

from evaluator import algorithms
from evaluator.algorithms import ALGORITHM_GROUPS, CATALOGUE, ON_REQUEST, resolve
from evaluator.algorithms.algorithm import Algorithm, Baseline, Parametric, Recurrent, by_rating
from evaluator.algorithms.avg import Average
from evaluator.errors import BadOption, UnknownAlgorithm
from evaluator.folds import split

RECURRENT = [algorithm for algorithm in CATALOGUE.values() if isinstance(algorithm, Recurrent)]
PUBLISHED = ("FSRS-5 default", "FSRS-5", "FSRS-6 default", "FSRS-6")
FSRS = [algorithm for algorithm in RECURRENT if algorithm.name in PUBLISHED]

Steps = Sequence[Tuple[int, int]]


def ids(algorithm: Algorithm) -> str:
    """Names in the list of tests."""
    return algorithm.name


def states(algorithm: Recurrent, w: Sequence[float], first: int, steps: Steps) -> List[Tuple[float, ...]]:
    """The state after each review of one card."""
    state = algorithm.first(w, np.array([first]))
    found = [state]
    for elapsed, rating in steps:
        state = algorithm.step(w, state, np.array([elapsed]), np.array([rating]))
        found.append(state)
    return [tuple(float(np.broadcast_to(part, 1)[0]) for part in state) for state in found]


def defaults(algorithm: Algorithm) -> List[float]:
    """The published parameters."""
    return [p.default for p in algorithm.parameters]


def recall(algorithm: Recurrent, w: Sequence[float], state: Sequence[float], elapsed: float) -> float:
    """The probability of recall after some days."""
    return float(np.squeeze(algorithm.recall(w, tuple(np.array([s]) for s in state), np.array([elapsed]))))


class TestAverage:
    """AVG: each fold gets the mean of what came before it."""

    def test_by_hand(self) -> None:
        """Outcomes 1 0 1 | 1 1 0 | 0 1 1 in two folds of three: 2 of 3, then 4 of 6."""
        answers = company() + card(1, 3, *[(1, rating) for rating in (3, 1, 3, 3, 3, 1, 1, 3, 3)])
        reviews = table(*answers).reviews
        reviews = reviews.take(reviews.card_id == 1)
        predicted = Average().predict(reviews, split(9, 2))
        assert predicted == pytest.approx([2 / 3] * 3 + [4 / 6] * 3)


class TestSM2:
    """Interval I, ease E, passes n; q = button + 1; E' = max(1.3, E + 0.1 - (5 - q)(0.08 + (5 - q) 0.02))."""

    sm2 = CATALOGUE["SM-2"]

    def walk(self, first: int, *ratings: int) -> List[Tuple[float, ...]]:
        """States after each answer; the intervals of the history do not matter."""
        assert isinstance(self.sm2, Recurrent)
        return states(self.sm2, [], first, [(17, rating) for rating in ratings])

    def test_good_good_good_again(self) -> None:
        """I = 1, 6, round(6 E + 0.01), then 1. Good is q = 4: E changes by 0.1 - 1 * (0.08 + 0.02) = 0."""
        intervals = [state[0] for state in self.walk(3, 3, 3, 1)]
        assert intervals == [1, 6, round(6 * 2.5 + 0.01), 1]

    def test_ease_after_every_button(self) -> None:
        """Easy + 0.1; Good 0; Hard 0.1 - 2 (0.08 + 0.04) = -0.14; Again 0.1 - 3 (0.08 + 0.06) = -0.32."""
        eases = [self.walk(rating)[0][1] for rating in (1, 2, 3, 4)]
        assert eases == pytest.approx([2.5 - 0.32, 2.5 - 0.14, 2.5, 2.5 + 0.1])

    def test_interval_uses_the_ease_from_before(self) -> None:
        """Easy four times: E = 2.6, 2.7, 2.8, 2.9 after each; I = 1, 6, round(6 * 2.7) = 16, round(16 * 2.8) = 45."""
        assert [state[0] for state in self.walk(4, 4, 4, 4)] == [1, 6, round(6 * 2.7), round(16 * 2.8)]

    def test_hard_is_a_pass(self) -> None:
        """I = 1, 6, round(6 * (2.5 - 2 * 0.14)) = 13."""
        assert [state[0] for state in self.walk(2, 2, 2)] == [1, 6, round(6 * 2.22)]

    def test_again_starts_over(self) -> None:
        """After a lapse I = 1, and the next passes give 1 and 6 once more."""
        assert [state[0] for state in self.walk(3, 3, 1, 3, 3)] == [1, 6, 1, 1, 6]

    def test_ease_has_a_floor_and_no_ceiling(self) -> None:
        """Ten Agains end at 1.3; ten Easys at 3.5."""
        assert self.walk(*[1] * 10)[-1][1] == pytest.approx(1.3)
        assert self.walk(*[4] * 10)[-1][1] == pytest.approx(2.5 + 10 * 0.1)

    def test_halves_are_rounded_up(self) -> None:
        """6 * 2.75 = 16.5: to the even number that is 16, but 0.01 is added first."""
        assert isinstance(self.sm2, Recurrent)
        state = (np.array([6.0]), np.array([2.75]), np.array([2.0]))
        assert self.sm2.step([], state, np.array([9]), np.array([3]))[0].tolist() == [17]

    def test_intervals_end_at_a_hundred_years(self) -> None:
        """36,500 days."""
        assert self.walk(*[4] * 20)[-1][0] == 36_500

    def test_curve(self) -> None:
        """R(t) = 0.9^(t / I)."""
        assert isinstance(self.sm2, Recurrent)
        assert recall(self.sm2, [], (6, 2.5, 2), 6) == pytest.approx(0.9)
        assert recall(self.sm2, [], (6, 2.5, 2), 15) == pytest.approx(0.9 ** (15 / 6))


W5 = [0.40255, 1.18385, 3.173, 15.69105, 7.1949, 0.5345, 1.4604, 0.0046, 1.54575, 0.1192, 1.01925, 1.9395, 0.11]
W5 += [0.29605, 2.2698, 0.2315, 2.9898, 0.51655, 0.6621]
W6 = [0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614]
W6 += [0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542]


class PlainFSRS:
    """FSRS-5 and FSRS-6 as their published formulas say, one card, plain floats."""

    def __init__(self, w: Sequence[float]) -> None:
        self.w = list(w)
        self.six = len(w) == 21
        self.decay = -w[20] if self.six else -0.5
        self.factor = 0.9 ** (1 / self.decay) - 1
        self.least = 0.001 if self.six else 0.01

    def recall(self, s: float, t: float) -> float:
        """R = (1 + F t / S)^decay."""
        return (1 + self.factor * t / s) ** self.decay

    def first_difficulty(self, g: int) -> float:
        """D0(g) = w4 - e^(w5 (g - 1)) + 1, not clamped."""
        return self.w[4] - exp(self.w[5] * (g - 1)) + 1

    def clamp(self, s: float, d: float) -> Tuple[float, float]:
        """Stability within its limits, difficulty within 1 to 10."""
        return min(max(s, self.least), 36_500), min(max(d, 1), 10)

    def first(self, g: int) -> Tuple[float, float]:
        """S = w[g - 1], D = D0(g)."""
        return self.clamp(self.w[g - 1], self.first_difficulty(g))

    def step(self, s: float, d: float, t: float, g: int) -> Tuple[float, float]:
        """One later review."""
        w = self.w
        r = self.recall(s, t)
        if t < 1:
            gain = exp(w[17] * (g - 3 + w[18])) * (s ** -w[19] if self.six else 1)
            new = s * (max(gain, 1) if self.six and g >= 2 else gain)
        elif g == 1:
            new = w[11] * d ** -w[12] * ((s + 1) ** w[13] - 1) * exp((1 - r) * w[14])
            new = min(new, s / exp(w[17] * w[18]))
        else:
            new = exp(w[8]) * (11 - d) * s ** -w[9] * (exp((1 - r) * w[10]) - 1)
            new = s * (1 + new * {2: w[15], 3: 1, 4: w[16]}[g])
        moved = d - w[6] * (g - 3) * (10 - d) / 9
        return self.clamp(new, w[7] * self.first_difficulty(4) + (1 - w[7]) * moved)

    def walk(self, first: int, steps: Steps) -> List[Tuple[float, float]]:
        """The state after each review."""
        found = [self.first(first)]
        for t, g in steps:
            found.append(self.step(*found[-1], t, g))
        return found


class TestFSRS5:
    """By hand, number by number."""

    fsrs = CATALOGUE["FSRS-5 default"]

    def test_defaults_are_the_published_ones(self) -> None:
        """All 19."""
        assert defaults(self.fsrs) == W5

    def test_good_then_good_after_3_days(self) -> None:
        """S0 = w2, D0 = w4 - e^(2 w5) + 1; growth by e^w8 (11 - D) S^-w9 (e^((1 - R) w10) - 1)."""
        assert isinstance(self.fsrs, Recurrent)
        s0, d0 = 3.173, 7.1949 - exp(2 * 0.5345) + 1
        r = (1 + 19 / 81 * 3 / s0) ** -0.5
        s1 = s0 * (1 + exp(1.54575) * (11 - d0) * s0**-0.1192 * (exp((1 - r) * 1.01925) - 1))
        d1 = 0.0046 * (7.1949 - exp(3 * 0.5345) + 1) + (1 - 0.0046) * d0  # Good moves only towards the mean
        assert states(self.fsrs, W5, 3, [(3, 3)]) == [pytest.approx((s0, d0)), pytest.approx((s1, d1))]

    def test_hard_and_easy_scale_the_growth(self) -> None:
        """Growth times w15 and times w16 against that of Good."""
        assert isinstance(self.fsrs, Recurrent)
        s0 = 3.173
        hard, good, easy = (states(self.fsrs, W5, 3, [(3, g)])[1][0] for g in (2, 3, 4))
        assert (hard - s0) / (good - s0) == pytest.approx(0.2315)
        assert (easy - s0) / (good - s0) == pytest.approx(2.9898)

    def test_same_day_again(self) -> None:
        """S' = S e^(w17 (1 - 3 + w18)); difficulty rises by w6 * 2 (10 - D) / 9."""
        assert isinstance(self.fsrs, Recurrent)
        d0 = 7.1949 - exp(2 * 0.5345) + 1
        d1 = 0.0046 * (7.1949 - exp(3 * 0.5345) + 1) + (1 - 0.0046) * (d0 + 1.4604 * 2 * (10 - d0) / 9)
        found = states(self.fsrs, W5, 3, [(0, 1)])[1]
        assert found == pytest.approx((3.173 * exp(0.51655 * (-2 + 0.6621)), d1))

    def test_lapse_has_a_ceiling(self) -> None:
        """After a first Again and 100 days the formula would give more than S / e^(w17 w18), which is taken."""
        assert isinstance(self.fsrs, Recurrent)
        s0, d0 = 0.40255, 7.1949
        r = (1 + 19 / 81 * 100 / s0) ** -0.5
        formula = 1.9395 * d0**-0.11 * ((s0 + 1) ** 0.29605 - 1) * exp((1 - r) * 2.2698)
        ceiling = s0 / exp(0.51655 * 0.6621)
        assert formula > ceiling
        assert states(self.fsrs, W5, 1, [(100, 1)])[1][0] == pytest.approx(ceiling)

    def test_lapse_below_the_ceiling(self) -> None:
        """After a first Easy the formula is the smaller one."""
        assert isinstance(self.fsrs, Recurrent)
        s0, d0 = 15.69105, 7.1949 - exp(3 * 0.5345) + 1
        r = (1 + 19 / 81 * 10 / s0) ** -0.5
        formula = 1.9395 * d0**-0.11 * ((s0 + 1) ** 0.29605 - 1) * exp((1 - r) * 2.2698)
        assert formula < s0 / exp(0.51655 * 0.6621)
        assert states(self.fsrs, W5, 4, [(10, 1)])[1][0] == pytest.approx(formula)


class TestFSRS6:
    """What differs from FSRS-5."""

    fsrs = CATALOGUE["FSRS-6 default"]

    def test_defaults_are_the_published_ones(self) -> None:
        """All 21."""
        assert defaults(self.fsrs) == W6

    def test_curve(self) -> None:
        """R(t) = (1 + (0.9^(-1/w20) - 1) t/S)^-w20."""
        assert isinstance(self.fsrs, Recurrent)
        expected = (1 + (0.9 ** (-1 / 0.1542) - 1) * 30 / 5) ** -0.1542
        assert recall(self.fsrs, W6, (5, 5), 30) == pytest.approx(expected)

    @pytest.mark.parametrize("rating", [2, 3, 4])
    def test_same_day_passes_never_lower_stability(self, rating: int) -> None:
        """S' = S max(1, e^(w17 (g - 3 + w18)) S^-w19): from S = 8.2956 only Easy gains."""
        assert isinstance(self.fsrs, Recurrent)
        gain = exp(0.5425 * (rating - 3 + 0.0912)) * 8.2956**-0.0658
        assert (gain > 1) == (rating == 4)
        assert states(self.fsrs, W6, 4, [(0, rating)])[1][0] == pytest.approx(8.2956 * max(1, gain))

    def test_same_day_again_lowers_stability(self) -> None:
        """No floor: S' = S e^(w17 (-2 + w18)) S^-w19."""
        assert isinstance(self.fsrs, Recurrent)
        expected = 8.2956 * exp(0.5425 * (-2 + 0.0912)) * 8.2956**-0.0658
        assert states(self.fsrs, W6, 4, [(0, 1)])[1][0] == pytest.approx(expected)

    def test_difficulty_reverts_to_the_unclamped_one_of_easy(self) -> None:
        """D0(4) = w4 - e^(3 w5) + 1 = -4.77 is not clamped; D0(4) as a state is 1."""
        assert isinstance(self.fsrs, Recurrent)
        unclamped = 6.4133 - exp(3 * 0.8334) + 1
        assert unclamped < 1
        d0 = 6.4133 - exp(2 * 0.8334) + 1
        assert states(self.fsrs, W6, 3, [(5, 3)])[1][1] == pytest.approx(0.001 * unclamped + 0.999 * d0)
        assert states(self.fsrs, W6, 4, [])[0][1] == 1


TRAJECTORIES = [
    (3, [(0, 3), (3, 3), (10, 1), (0, 3), (1, 3), (4, 2)]),
    (1, [(0, 1), (0, 2), (1, 2), (2, 1), (300, 4)]),
    (4, [(20, 4), (90, 4), (400, 4), (3000, 1)]),
    (2, [(1, 2), (2, 2), (2, 1), (1, 1), (1, 1)]),
]


@pytest.mark.parametrize(("first", "steps"), TRAJECTORIES)
@pytest.mark.parametrize("algorithm", FSRS, ids=ids)
def test_trajectories_are_those_of_the_plain_formulas(algorithm: Recurrent, first: int, steps: Steps) -> None:
    """State by state, with same-day steps, lapses, Hard and Easy; trained variants differ by their parameters only."""
    plain = PlainFSRS(defaults(algorithm))
    found = states(algorithm, defaults(algorithm), first, steps)
    assert found == [pytest.approx(state, rel=1e-12) for state in plain.walk(first, steps)]
    for t in (1, 10, 500):
        s = found[-1][0]
        assert recall(algorithm, defaults(algorithm), found[-1], t) == pytest.approx(plain.recall(s, t), rel=1e-12)


_STEP = st.tuples(st.sampled_from([0, 0, 1, 2, 30, 365, 36_500]), st.integers(1, 4))
_HOSTILE = st.one_of(
    st.tuples(st.integers(1, 4), st.lists(_STEP, max_size=20)),
    st.sampled_from(
        [
            (1, [(1, 1)] * 127),
            (1, [(0, 1)] * 127),
            (4, [(36_500, 4)] * 127),
            (4, [(0, 4)] * 127),
            (2, [(36_500, 1), (0, 4)] * 60),
        ]
    ),
)


@pytest.mark.parametrize("algorithm", FSRS, ids=ids)
@given(history=_HOSTILE, corner=st.lists(st.sampled_from(["lower", "upper", "default"]), min_size=21, max_size=21))
def test_hostile_histories(algorithm: Recurrent, history: Tuple[int, Steps], corner: List[str]) -> None:
    """At every corner of the box of parameters states stay within their limits and recall is a probability."""
    w = [getattr(p, which) for p, which in zip(algorithm.parameters, corner, strict=False)]
    for s, d in states(algorithm, w, *history):
        assert algorithm.min_stability <= s <= 36_500  # type: ignore[attr-defined]
        assert 1 <= d <= 10
        for t in (1, 36_500):
            assert 0 < recall(algorithm, w, (s, d), t) < 1


@given(history=_HOSTILE)
def test_hostile_histories_of_sm2(history: Tuple[int, Steps]) -> None:
    """Its exponential curve may underflow to 0 (0.9^36500), never beyond."""
    sm2 = CATALOGUE["SM-2"]
    assert isinstance(sm2, Recurrent)
    for interval, ease, passes in states(sm2, [], *history):
        assert 1 <= interval <= 36_500
        assert interval == round(interval)
        assert 1.3 <= ease <= 2.5 + 0.1 * 128
        assert passes in {0, 1, 2}
        assert 0 <= recall(sm2, [], (interval, ease, passes), 36_500) < 1


@pytest.mark.parametrize("algorithm", FSRS, ids=ids)
@given(stability=st.floats(0.01, 36_500), decay=st.floats(0.1, 0.8))
def test_stability_is_when_recall_is_90_percent(algorithm: Recurrent, stability: float, decay: float) -> None:
    """R(0) = 1, R(S) = 0.9, and falling, for every decay."""
    w = [*defaults(algorithm)[:20], decay]
    at = [recall(algorithm, w, (stability, 5.0), t * stability) for t in (0, 0.5, 1, 2)]
    assert at[0] == 1
    assert at[2] == pytest.approx(0.9, rel=1e-12)
    assert at == sorted(at, reverse=True)


def test_by_rating() -> None:
    """Each rating has its value."""
    assert by_rating(np.array([4, 1, 3, 2]), 10, 20, 30, 40).tolist() == [40, 10, 30, 20]


class TestCatalogue:
    """Names, order and groups."""

    def test_default_algorithms(self) -> None:
        """Exactly these names."""
        names = ["AVG", "SM-2", "FSRS-5", "FSRS-6 default", "FSRS-6", "FSRS-rs", "Your parameters"]
        assert [algorithm.name for algorithm in resolve(["default"])] == names

    def test_names_are_their_own(self) -> None:
        """Each algorithm under its own name, unique whatever the case, and none that is a group's."""
        assert all(name == algorithm.name for name, algorithm in CATALOGUE.items())
        lower = [name.lower() for name in CATALOGUE]
        assert len(set(lower)) == len(lower)
        assert not set(lower) & set(ALGORITHM_GROUPS)

    def test_every_algorithm_is_described(self) -> None:
        """A family and a description that ends without a full stop, as a tooltip begins."""
        for algorithm in CATALOGUE.values():
            assert algorithm.family
            assert algorithm.description
            assert not algorithm.description.endswith(".")
            assert isinstance(algorithm, (Baseline, Parametric))

    @pytest.mark.parametrize("algorithm", CATALOGUE.values(), ids=ids)
    def test_parameters_are_within_their_bounds(self, algorithm: Algorithm) -> None:
        """Finite bounds, the default within, a positive width, and no logarithm of what may be 0 or less."""
        for p in algorithm.parameters:
            assert p.lower <= p.default <= p.upper
            assert isfinite(p.lower)
            assert isfinite(p.upper)
            assert p.width > 0
            assert p.lower > 0 or not p.log
        if algorithm.trained:
            assert all(p.width < inf for p in algorithm.parameters)

    def test_all_is_all(self) -> None:
        """In catalogue order, but for what is a demonstration and no contestant."""
        names = [name for name in CATALOGUE if name != "RMSE-BINS-EXPLOIT"]
        assert [algorithm.name for algorithm in resolve(["all"])] == names

    def test_names_are_found_whatever_their_case_and_order(self) -> None:
        """Each once, in catalogue order, blanks around them ignored; groups and names mix."""
        found = [algorithm.name for algorithm in resolve(["fsrs-6", " SM-2 ", "sm-2", "AVG"])]
        assert found == ["AVG", "SM-2", "FSRS-6"]
        assert resolve(["DEFAULT", "avg"]) == resolve(["default"])

    def test_the_baseline_is_one_of_them(self) -> None:
        """Whether it was named or not; it is one algorithm, never a group."""
        assert [a.name for a in resolve(["FSRS-6", "AVG"], "sm-2")] == ["AVG", "SM-2", "FSRS-6"]
        assert resolve(["AVG", "SM-2"], "SM-2") == resolve(["AVG", "SM-2"])
        with pytest.raises(BadOption) as caught:
            resolve(["AVG"], "All")
        assert caught.value.facts["option"] == "baseline"
        with pytest.raises(UnknownAlgorithm):
            resolve(["AVG"], "SM2")

    def test_unknown_names_raise_with_suggestions(self) -> None:
        """What was written, what comes close, and what there is."""
        with pytest.raises(UnknownAlgorithm) as caught:
            resolve(["AVG", "FSRS6"])
        facts = caught.value.facts
        assert facts["name"] == "FSRS6"
        assert "FSRS-6" in facts["suggestions"]
        assert set(CATALOGUE) | set(ALGORITHM_GROUPS) == set(facts["known"])

    def test_a_name_like_nothing_has_no_suggestions(self) -> None:
        """Rather none than a silly one."""
        with pytest.raises(UnknownAlgorithm) as caught:
            resolve(["!!!"])
        assert caught.value.facts["suggestions"] == []

    def test_a_misspelt_group_is_suggested(self) -> None:
        """By its own name."""
        with pytest.raises(UnknownAlgorithm) as caught:
            resolve(["defualt"])
        assert "default" in caught.value.facts["suggestions"]

    def test_groups_hold_what_there_is(self) -> None:
        """Those of the benchmark's tables are listed by name, so one of them might be misspelt."""
        assert set(CATALOGUE) >= algorithms.PUBLISHED
        assert set(ALGORITHM_GROUPS["published"]) == algorithms.PUBLISHED
        assert set(ALGORITHM_GROUPS["default"]) <= set(ALGORITHM_GROUPS["all"]) == set(CATALOGUE) - ON_REQUEST

    def test_algorithms_are_frozen(self) -> None:
        """Nothing in them knows about folds, training or storage, and nobody can put it there."""
        with pytest.raises(FrozenInstanceError):
            CATALOGUE["FSRS-6"].name = "mine"  # type: ignore[misc]


def test_the_worst_case_of_log_loss_is_finite() -> None:
    """The logarithm of 0.9 that SM-2's curve rests on."""
    sm2 = CATALOGUE["SM-2"]
    assert isinstance(sm2, Recurrent)
    assert log(recall(sm2, [], (1, 2.5, 1), 1000)) == pytest.approx(1000 * log(0.9))
