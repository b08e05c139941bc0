"""Compare each algorithm's predictions with trajectories in plain arithmetic, through log, table and trie.

Other formulas are tested in ``test_algorithms.py``, and against the benchmark's own code in ``test_reference.py`` and
``test_reference_catalog.py``. The n-th review after the first has the recall ``rn``, and the stability ``sn`` and
difficulty ``dn`` follow it.
"""

from __future__ import annotations

from functools import partial
from math import exp, inf, log, sqrt
from typing import Sequence, Tuple

import numpy as np
import pytest
from catalog_helpers import W6, PlainFSRS, defaults, fittable, on_cards, predict_card

from evaluator.algorithms import CATALOG
from evaluator.algorithms.algorithm import Baseline

#: Expected numbers, which may differ by rounding alone.
near = partial(pytest.approx, rel=1e-12)


def sigmoid(x: float) -> float:
    return 1 / (1 + exp(-x))


class TestSM2Trainable:
    """The interval is w0 after the first pass in a row or a lapse, w1 after the second, and then I * E.

    The ease becomes E - 0.02 (q - 7)^2 + 0.18 with q = rating + 1.
    """

    def test_after_a_lapse_the_next_pass_gives_the_second_interval(self):
        """Again gives an interval of 1 day, Good then 6 days, and Good again 6 * E with E = 2.5 - 0.32."""
        result = predict_card("SM-2 trainable", 3, (1, 3), (5, 1), (2, 3), (7, 3), (30, 3))
        ease = 2.5 - 0.02 * (2 - 7) ** 2 + 0.18
        assert result == near([0.9, 0.9 ** (5 / 6), 0.9**2, 0.9 ** (7 / 6), 0.9 ** (30 / (6 * ease))])

    def test_predictions_follow_other_parameters(self):
        """A first Hard gives an ease of 3 - 0.1 (3 - 6)^2 + 0.3 = 2.4, and Easy then adds 0.2."""
        result = predict_card("SM-2 trainable", 2, (1, 4), (8, 3), (30, 3), w=[0.5, 5, 3, 0.1, 6, 0.3])
        ease = 3 - 0.1 * 9 + 0.3 - 0.1 * 1 + 0.3
        assert result == near([0.9 ** (1 / 0.5), 0.9 ** (8 / 5), 0.9 ** (30 / (5 * ease))])

    def test_ease_has_a_floor(self):
        """Each of five Agains lowers the ease by 0.32, down to 1.3. The next intervals are 6 and 6 * 1.3 days."""
        result = predict_card("SM-2 trainable", 1, (1, 1), (1, 1), (1, 1), (1, 1), (1, 3), (5, 3), (5, 3))
        assert result[-2:] == near([0.9 ** (5 / 6), 0.9 ** (5 / (6 * 1.3))])


class TestAnkiSM2:
    """The parameters are Anki's defaults.

    They are the graduating interval 1, easy interval 4, ease 2.5, easy bonus 1.3, hard factor 1.2, new interval 0 and
    interval multiplier 1.
    """

    def test_ease_has_a_floor_and_a_ceiling(self):
        """Seven Agains lower the ease to its floor of 1.3. After each, the interval is 0.99, and a day is 0.01 late."""
        result = predict_card("Anki-SM-2", 1, *[(1, 1)] * 7, (1, 3), (3, 3))
        assert result[-1] == near(0.9 ** (3 / ((0.99 + 0.01 / 2) * 1.3)))
        # Four Easys raise the ease from 5 to its ceiling of 5.5, and the multiplier halves each interval.
        w = [1, 4, 5, 1.0, 1.2, 0, 0.5]
        i1 = 4 * 5 * 0.5
        i2 = i1 * 5.15 * 0.5
        i3 = max(5 * 5.3, i2) * 0.5
        i4 = max(5 * 5.45, i3) * 0.5
        i5 = max(5 * 5.5, i4) * 0.5
        result = predict_card("Anki-SM-2", 4, (4, 4), (10, 4), (5, 4), (5, 4), (5, 4), (9, 3), w=w)
        assert result[2:] == near([0.9 ** (5 / i2), 0.9 ** (5 / i3), 0.9 ** (5 / i4), 0.9 ** (9 / i5)])

    def test_new_interval_and_multiplier_scale_the_interval(self):
        """The new interval of 0.5 halves the interval at a lapse. The multiplier of 0.8 shortens it at each pass."""
        w = [10, 40, 2, 1.5, 1.1, 0.5, 0.8]
        result = predict_card("Anki-SM-2 trainable", 3, (10, 3), (16, 1), (8, 2), (9, 3), w=w)
        i1 = 10 * 2 * 0.8
        i2 = i1 * 0.5
        i3 = i2 * 1.1 * 0.8
        assert result == near([0.9, 0.9 ** (16 / i1), 0.9 ** (8 / i2), 0.9 ** (9 / i3)])

    def test_calibrated_curve_matches_its_formula(self):
        """Recall is 0.9^(c (t / I)^b). The intervals of these late answers are 1, 7.5 and 9 days."""
        result = predict_card("Anki-SM-2 calibrated", 3, (5, 3), (10, 2), (20, 4), w=[2, 0.5])
        assert result == near([0.9 ** (2 * 5**0.5), 0.9 ** (2 * (10 / 7.5) ** 0.5), 0.9 ** (2 * (20 / 9) ** 0.5)])

    def test_calibrated_with_special_parameters_is_anki_sm2_or_constant(self):
        steps = (5, 3), (10, 2), (20, 1), (3, 4), (400, 3)
        assert predict_card("Anki-SM-2 calibrated", 3, *steps, w=[1, 1]) == predict_card("Anki-SM-2", 3, *steps)
        assert predict_card("Anki-SM-2 calibrated", 3, *steps, w=[2, 0]) == near([0.81] * 5)


def exponential(s: float, t: float) -> float:
    """Return recall after t days by the curve of FSRS v1 to v3."""
    return 0.9 ** (t / s)


def hyperbolic(s: float, t: float) -> float:
    """Return recall after t days by the curve of FSRS v4."""
    return 1 / (1 + t / (9 * s))


def square_root(s: float, t: float) -> float:
    """Return recall after t days by the curve of FSRS-4.5."""
    return (1 + 19 / 81 * t / s) ** -0.5


V5_WIKI = [0.4197, 1.1869, 3.0412, 15.2441, 7.1434, 0.6477, 1.0007, 0.0674, 1.6597, 0.1712, 1.1178, 2.0225, 0.0904]
V5_WIKI += [0.3025, 2.1214, 0.2498, 2.9466, 0.4891, 0.6468]


def test_fsrs_1_matches_hand_calculation():
    """Answer Good, Hard after 3 days, Again after 5, Easy after 2, and predict after 20 days.

    Recall is 0.9^(t/S). At first S = w0 * 0.25 * 4 = 2 and D = 5 - 3 + 3. After a rating g the difficulty is
    D' = max(0, D + R - 0.25 * 2^(g - 1) + 0.1). A pass multiplies S by
    1 + e^3 (D' + 0.1)^-0.7 S^-0.2 (e^(1 - R) - 1). A lapse after L earlier lapses gives S = 2 e^(-0.3 L).
    """
    r1 = 0.9 ** (3 / 2)
    d1 = 5 + r1 - 0.5 + 0.1
    s1 = 2 * (1 + exp(3) * (d1 + 0.1) ** -0.7 * 2**-0.2 * (exp(1 - r1) - 1))
    r2 = 0.9 ** (5 / s1)
    d2 = d1 + r2 - 0.25 + 0.1
    # This is the first lapse, so that S2 = 2 e^0.
    r3 = 0.9 ** (2 / 2)
    d3 = d2 + r3 - 2 + 0.1
    s3 = 2 * (1 + exp(3) * (d3 + 0.1) ** -0.7 * 2**-0.2 * (exp(1 - r3) - 1))
    assert predict_card("FSRS v1", 3, (3, 2), (5, 1), (2, 4), (20, 3)) == near([r1, r2, r3, 0.9 ** (20 / s3)])


def test_fsrs_1_counts_lapses():
    """A first Again gives S = 2/4. The next Again gives 2 e^-0.3, and the one after 2 e^-0.6."""
    expected = [0.9 ** (1 / 0.5), 0.9 ** (1 / (2 * exp(-0.3))), 0.9 ** (1 / (2 * exp(-0.6)))]
    assert predict_card("FSRS v1", 1, (1, 1), (1, 1), (1, 3)) == near(expected)


def test_fsrs_1_difficulty_is_at_least_0():
    """A first Easy gives D = 5 - 4 + 3 = 4. Each further Easy lowers it by 1.9 - R."""
    s = d = 4.0
    expected = []
    for t in (1, 1, 1, 1, 9):
        r = 0.9 ** (t / s)
        expected.append(r)
        d = max(0.0, d + r - 2 + 0.1)
        s *= 1 + exp(3) * (d + 0.1) ** -0.7 * s**-0.2 * (exp(1 - r) - 1)
    assert d == 0
    assert predict_card("FSRS v1", 4, (1, 4), (1, 4), (1, 4), (1, 4), (9, 4)) == near(expected)


#: Parameters that all differ. The published set has the value 1 several times.
OTHER_V2 = [1.3, 0.8, 1.5, -0.7, -0.9, 0.25, 2.5, -0.6, -0.3, 1.1, 2.2, -0.3, 0.5, 1.4]


@pytest.mark.parametrize("w", [None, OTHER_V2])
def test_fsrs_2_matches_hand_calculation(w):
    """Answer Hard, Good after 2 days, Again after 9, Easy after 4, and predict after 30 days.

    At first S = w0 (w1 + 1) and D = w2 (-2 w3 + 1). After a rating g the difficulty is
    w5 w2 (1 - w3) + (1 - w5) (D + w4 (g - 3)). The stabilities depend on the new difficulty.
    """
    w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13 = w or defaults(fittable("FSRS v2"))
    s0, d0 = w0 * (w1 + 1), w2 * (-2 * w3 + 1)
    reverted = w5 * w2 * (1 - w3)
    r1 = 0.9 ** (2 / s0)
    d1 = reverted + (1 - w5) * d0
    s1 = s0 * (1 + exp(w6) * d1**w7 * s0**w8 * (exp((1 - r1) * w9) - 1))
    r2 = 0.9 ** (9 / s1)
    d2 = reverted + (1 - w5) * (d1 - 2 * w4)
    s2 = w10 * d2**w11 * s1**w12 * (exp((1 - r2) * w13) - 1)
    r3 = 0.9 ** (4 / s2)
    d3 = reverted + (1 - w5) * (d2 + w4)
    s3 = s2 * (1 + exp(w6) * d3**w7 * s2**w8 * (exp((1 - r3) * w9) - 1))
    assert min(d1, d2, d3) > 1
    expected = [r1, r2, r3, 0.9 ** (30 / s3)]
    assert predict_card("FSRS v2", 2, (2, 3), (9, 1), (4, 4), (30, 3), w=w) == near(expected)


def test_fsrs_2_difficulty_is_clamped():
    """A first Easy gives D = 1. The next Easy gives 0.4 + 0.8 * 0 = 0.4, which is raised to 1."""
    r1 = 0.9 ** (6 / 4)
    s1 = 4 * (1 + exp(3) * 1 * 4**-0.2 * (exp((1 - r1) * 1.3) - 1))
    assert predict_card("FSRS v2", 4, (6, 4), (40, 3)) == near([r1, 0.9 ** (40 / s1)])


def test_fsrs_3_matches_hand_calculation():
    """Answer Hard, Hard after 4 days, Again after 12, Easy after 3, and predict after 15 days.

    At first S = w0 + w1 and D = w2 - w3.
    """
    w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12 = defaults(fittable("FSRS v3"))
    s0, d0 = w0 + w1, w2 - w3
    r1 = 0.9 ** (4 / s0)
    d1 = w5 * w2 + (1 - w5) * (d0 - w4)
    s1 = s0 * (1 + exp(w6) * (11 - d1) * s0**w7 * (exp((1 - r1) * w8) - 1))
    r2 = 0.9 ** (12 / s1)
    d2 = w5 * w2 + (1 - w5) * (d1 - 2 * w4)
    s2 = w9 * d2**w10 * s1**w11 * exp((1 - r2) * w12)
    r3 = 0.9 ** (3 / s2)
    d3 = w5 * w2 + (1 - w5) * (d2 + w4)
    s3 = s2 * (1 + exp(w6) * (11 - d3) * s2**w7 * (exp((1 - r3) * w8) - 1))
    assert max(d1, d2, d3) < 10
    assert predict_card("FSRS v3", 2, (4, 2), (12, 1), (3, 4), (15, 3)) == near([r1, r2, r3, 0.9 ** (15 / s3)])


@pytest.mark.parametrize("name", ["FSRS v4", "FSRS-4.5"])
def test_fsrs_4_and_4_5_match_hand_calculation(name):
    """Answer Again, Again after 1 day, Hard after 2, Easy after 3, Good after 9, and predict after 50 days.

    The stabilities depend on the old difficulty. In FSRS-4.5, a lapse never raises the stability.
    """
    w = defaults(fittable(name))
    recall = hyperbolic if name == "FSRS v4" else square_root

    def growth(s, d, r):
        return exp(w[8]) * (11 - d) * s ** -w[9] * (exp((1 - r) * w[10]) - 1)

    s0, d0 = w[0], w[4] - w[5] * (1 - 3)
    r1 = recall(s0, 1)
    s1 = w[11] * d0 ** -w[12] * ((s0 + 1) ** w[13] - 1) * exp((1 - r1) * w[14])
    s1 = s1 if name == "FSRS v4" else min(s1, s0)
    d1 = w[7] * w[4] + (1 - w[7]) * (d0 + 2 * w[6])
    r2 = recall(s1, 2)
    s2 = s1 * (1 + growth(s1, d1, r2) * w[15])
    d2 = min(w[7] * w[4] + (1 - w[7]) * (d1 + w[6]), 10)
    r3 = recall(s2, 3)
    s3 = s2 * (1 + growth(s2, d2, r3) * w[16])
    d3 = w[7] * w[4] + (1 - w[7]) * (d2 - w[6])
    r4 = recall(s3, 9)
    s4 = s3 * (1 + growth(s3, d3, r4))
    assert max(d1, d3) < 10
    result = predict_card(name, 1, (1, 1), (2, 2), (3, 4), (9, 3), (50, 3))
    assert result == near([r1, r2, r3, r4, recall(s4, 50)])


@pytest.mark.parametrize("name", ["FSRS v4", "FSRS-4.5"])
def test_late_lapse_raises_stability_in_v4_only(name):
    """After Again and another Again 60 days later, the formula raises the stability. FSRS-4.5 keeps the old one."""
    w = defaults(fittable(name))
    recall = hyperbolic if name == "FSRS v4" else square_root
    r1 = recall(w[0], 60)
    d0 = w[4] + 2 * w[5]
    formula = w[11] * d0 ** -w[12] * ((w[0] + 1) ** w[13] - 1) * exp((1 - r1) * w[14])
    assert formula > w[0]
    expected = recall(formula if name == "FSRS v4" else w[0], 1)
    assert predict_card(name, 1, (60, 1), (1, 3)) == near([r1, expected])


def test_fsrs_5_wiki_matches_plain_implementation():
    steps = [(0, 1), (2, 3), (5, 1), (2, 2), (4, 4), (9, 3)]
    assert predict_card("FSRS-5 default (wiki)", 3, *steps) == near(PlainFSRS(V5_WIKI).recalls(3, steps))


def test_fsrs_6_binary_reads_hard_and_easy_as_good():
    expected = near(PlainFSRS(W6).recalls(3, [(0, 3), (3, 3), (8, 1), (4, 3)]))
    assert predict_card("FSRS-6 binary", 4, (0, 2), (3, 2), (8, 1), (4, 3)) == expected
    assert predict_card("FSRS-6 binary", 3, (0, 3), (3, 3), (8, 1), (4, 4)) == expected
    assert predict_card("FSRS-6", 4, (0, 2), (3, 2), (8, 1), (4, 3)) != expected


@pytest.mark.parametrize(
    ("name", "index", "value", "curve"),
    [
        ("FSRS v1", 6, -50, exponential),
        ("FSRS v2", 10, 0, exponential),
        ("FSRS v3", 9, 0, exponential),
        ("FSRS v4", 11, 0, hyperbolic),
        ("FSRS-4.5", 11, 0, square_root),
    ],
)
def test_fsrs_stability_is_between_a_hundredth_of_a_day_and_a_century(name, index, value, curve):
    """A parameter that leaves nothing after a lapse gives the lowest value. Easys a century apart give the highest."""
    w = defaults(fittable(name))
    easy = on_cards(fittable(name), [(4, [(36_500, 4)] * 12)]).predict(np.array(w))
    assert easy[-1] == near(0.9)
    w[index] = value
    assert predict_card(name, 1, (1, 1), (1, 3), w=w)[1] == near(curve(0.01, 1))


def test_fsrs_7_stabilities_have_a_floor_and_a_ceiling():
    """The limits are 0.0001 and 36,500 days."""
    algorithm = CATALOG["FSRS-7"]
    w = defaults(algorithm)
    easy = algorithm.step(w, tuple(np.array([x]) for x in (36_000.0, 36_000.0, 5.0)), np.array([36_500]), np.array([4]))
    assert [easy[0].tolist(), easy[1].tolist()] == [[36_500]] * 2
    w[10] = w[18] = 0
    forgotten = algorithm.step(w, algorithm.first(w, np.array([1, 4])), np.array([1, 1]), np.array([1, 1]))
    assert [forgotten[0].tolist(), forgotten[1].tolist()] == [[0.0001] * 2] * 2


def test_fsrs_7_predictions_stay_away_from_1():
    """The highest prediction is 0.99999, at the very second of the review."""
    algorithm = CATALOG["FSRS-7"]
    w = defaults(algorithm)
    at_once = algorithm.recall(w, algorithm.first(w, np.array([1, 4])), np.zeros(2))
    assert at_once.tolist() == near([0.99999, 0.99999])


@pytest.mark.parametrize(("name", "first", "low", "high"), [("FSRS-7", 25, 0.6, 0.8), ("SBD default", 0, 0.5, 1.0)])
def test_larger_of_two_ordered_parameters_counts_for_both(name, first, low, high):
    w = defaults(fittable(name))
    disordered, equal = ([*w[:first], high, second, *w[first + 2 :]] for second in (low, high))
    steps = [(1, 3), (5, 1), (2, 3)]
    assert predict_card(name, 4, *steps, w=disordered) == predict_card(name, 4, *steps, w=equal)


def test_sbd_state_and_recall_have_limits():
    """After many Agains within minutes, stability is 0.001 days, brittleness is 50 and recall is at least 1e-6."""
    sbd = CATALOG["SBD default"]
    w = defaults(sbd)
    state = sbd.first(w, np.array([1]))
    for _ in range(100):
        state = sbd.step(w, state, np.array([0.001]), np.array([1]))
    assert (state[0][0], state[2][0]) == (log(0.001), 50)
    assert sbd.recall(w, state, np.array([36_500.0])) == near(1e-6, rel=1e-9)


def test_hlr_matches_hand_calculation():
    """The half-life is 2^(2.5819 sqrt(passes) - 0.8674 sqrt(Agains) + 2.7245) days, whatever the intervals."""
    w = 2.5819
    v = -0.8674
    b = 2.7245
    half_lives = [2 ** (w + b), 2 ** (w * sqrt(2) + b), 2 ** (w * sqrt(2) + v + b), 2 ** (w * sqrt(3) + v + b)]
    result = predict_card("HLR", 2, (30, 3), (40, 1), (50, 4), (60, 3))
    assert result == near([0.5 ** (t / h) for t, h in zip((30, 40, 50, 60), half_lives, strict=True)], rel=1e-9)
    # The half-life is limited to 2^15 days.
    assert 2 ** (w * sqrt(23) + b) > 2**15.1
    assert predict_card("HLR", 3, *[(30, 3)] * 22, (1000, 3))[-1] == near(0.5 ** (1000 / 2**15), rel=1e-9)


def test_hlr_short_counts_same_day_reviews():
    result = predict_card("HLR-short", 1, (0, 3), (0, 2), (1, 3))
    assert result == near([0.5 ** (1 / 2 ** (2.5819 * sqrt(2) - 0.8674 + 2.7245))], rel=1e-9)


def dash(w: Sequence[float], counts: Sequence[Tuple[float, float]]) -> float:
    """Return DASH's recall from (reviews, passes) in each window."""
    features = [log(1 + count) for pair in counts for count in pair]
    return sigmoid(sum(weight * x for weight, x in zip(w, features, strict=False)) + w[8])


def test_dash_matches_hand_calculation():
    """Answer Good, Again after 1 day, Easy after 6, Hard after 24, and predict after 1 day.

    A review 7 days ago counts as within 7 days.
    """
    w = [0.2024, 0.5967, 0.1255, 0.6039, -0.1485, 0.572, 0.0933, 0.4801, 0.787]
    expected = [
        dash(w, [(1, 1), (1, 1), (1, 1), (1, 1)]),
        dash(w, [(0, 0), (2, 1), (2, 1), (2, 1)]),
        dash(w, [(0, 0), (0, 0), (2, 1), (3, 2)]),
        dash(w, [(1, 1), (1, 1), (2, 2), (4, 3)]),
    ]
    assert predict_card("DASH", 3, (1, 1), (6, 4), (24, 2), (1, 3)) == near(expected)


def test_dash_short_counts_same_day_reviews():
    """Answer Again and Good on one day, and predict after 1 day and again after 6 more days."""
    w = [-0.1766, 0.4483, -0.3618, 0.5953, -0.5104, 0.8609, -0.3643, 0.6447, 1.2815]
    expected = [dash(w, [(2, 1)] * 4), dash(w, [(0, 0), (3, 2), (3, 2), (3, 2)])]
    assert predict_card("DASH-short", 1, (0, 3), (1, 3), (6, 3)) == near(expected)


def test_dash_mcm_matches_hand_calculation():
    """The history is that of DASH's test. A review of age a counts e^(-a / tau) with the tau of each window."""
    w = [0.2783, 0.8131, 0.4252, 1.0056, -0.1527, 0.6455, 0.1409, 0.669, 0.843]
    short = 0.2434
    week = 1.9739
    month = 16.0090
    ever = 129.8426
    first = [(exp(-1 / tau), exp(-1 / tau)) for tau in (short, week, month, ever)]
    second = [(0.0, 0.0)] + [(exp(-6 / tau) + exp(-7 / tau), exp(-7 / tau)) for tau in (week, month, ever)]
    third = [(0.0, 0.0), (0.0, 0.0), (exp(-24 / month) + exp(-30 / month), exp(-24 / month))]
    third += [(exp(-24 / ever) + exp(-30 / ever) + exp(-31 / ever), exp(-24 / ever) + exp(-31 / ever))]
    expected = [dash(w, first), dash(w, second), dash(w, third)]
    assert predict_card("DASH[MCM]", 3, (1, 1), (6, 4), (24, 2)) == near(expected)


def test_dash_act_r_matches_hand_calculation():
    """Each review counts age^-0.516 times 1.9223 if passed, or times -0.0564 after Again."""

    def recall(total):
        return sigmoid(1.4164 * log(1 + max(total, 0)) + 1.0549)

    passed = 1.9223
    lapsed = -0.0564
    expected = [
        recall(passed * 2**-0.516),
        recall(passed * 7**-0.516 + lapsed * 5**-0.516),
        recall(passed * 16**-0.516 + lapsed * 14**-0.516 + passed * 9**-0.516),
    ]
    assert predict_card("DASH[ACT-R]", 3, (2, 1), (5, 2), (9, 4)) == near(expected)
    # A negative sum counts as 0.
    assert predict_card("DASH[ACT-R]", 1, (2, 1)) == near([sigmoid(1.0549)])


def test_act_r_matches_hand_calculation():
    """Review on the days 0, 2, 7 and 16.

    The activation m is ln sum max(age * 86400 h, 1)^-(c e^m_j + a), where m_j is the activation at review j.
    """
    a = 0.176786766570677
    c = 0.216967308403809
    s = 0.254893976981164
    tau = -0.704205679427144
    h = 0.025

    def trace(days, m):
        return max(days * 86_400 * h, 1) ** -(c * exp(m) + a)

    m1 = log(trace(2, -inf))
    m2 = log(trace(7, -inf) + trace(5, m1))
    m3 = log(trace(16, -inf) + trace(14, m1) + trace(9, m2))
    expected = [1 / (1 + exp((tau - m) / s)) for m in (m1, m2, m3)]
    assert predict_card("ACT-R", 3, (2, 3), (5, 3), (9, 3)) == near(expected)
    # The answers do not matter.
    assert predict_card("ACT-R", 3, (2, 1), (5, 4), (9, 2)) == near(expected)


def test_predictions_depend_on_the_declared_inputs_only():
    for name, algorithm in CATALOG.items():
        if isinstance(algorithm, Baseline):
            continue
        original = predict_card(name, 3, (2, 3), (4, 3), (9, 3))[-1]
        with_lapse = predict_card(name, 3, (2, 3), (4, 1), (9, 3))[-1]
        with_long_interval = predict_card(name, 3, (2, 3), (30, 3), (9, 3))[-1]
        with_same_day = predict_card(name, 3, (0, 1), (2, 3), (4, 3), (9, 3))[-1]
        assert (original != with_lapse) == ("ratings" in algorithm.uses), name
        assert (original != with_long_interval) == ("intervals" in algorithm.uses), name
        assert (original != with_same_day) == algorithm.inputs.same_day, name
