from __future__ import annotations

from typing import Any, Dict, List, Tuple

import numpy as np
import numpy.typing as npt
import pytest
from intervals_of_anki import LEARNING, RELEARNING, backend_days

from evaluator.algorithms.fsrs6 import FSRS_6, PARAMETERS
from evaluator.data.revlog import Ints, Sm2Settings
from evaluator.derivatives import Floats
from evaluator.workload.anki_intervals import (
    fsrs_days,
    fsrs_interval,
    fsrs_learned_days,
    max_fuzz,
    sm2_days,
    sm2_ease,
    sm2_learned_days,
    whole_days,
)
from tools.simulate.deck_schedulers import sm2_days_in_filtered_deck

#: Number of presets, and of cards in each.
N_PRESETS = 20
N_CARDS = 500
RATINGS = np.array([[1], [2], [3], [4]])

#: Anki's key of each setting.
SM2_KEYS = {
    "hard_factor": "rev.hardFactor",
    "easy_bonus": "rev.ease4",
    "interval_modifier": "rev.ivlFct",
    "lapse_factor": "lapse.mult",
    "min_lapse_interval": "lapse.minInt",
    "max_interval": "rev.maxIvl",
}


def draw_intervals(random: np.random.Generator) -> Dict[str, Ints]:
    """Draw last intervals, and days since the last review before, on and after the due day."""
    interval = np.exp(random.uniform(0, np.log(3000), N_CARDS)).astype(np.int64)
    share = random.choice([0.3, 0.9, 1.0, 1.05, 2.0, 6.0], N_CARDS)
    return {"interval": interval, "elapsed": np.round(interval * share).astype(np.int64)}


def draw_sm2_settings(random: np.random.Generator) -> Sm2Settings:
    return Sm2Settings(
        hard_factor=round(random.choice([1.0, random.uniform(0.5, 1.3)]), 2),
        easy_bonus=round(random.uniform(1, 2.5), 2),
        interval_modifier=round(random.uniform(0.5, 1.8), 2),
        lapse_factor=round(random.uniform(0, 0.9), 2),
        min_lapse_interval=int(random.integers(1, 5)),
        max_interval=int(random.choice([36_500, 60, 400])),
    )


def as_lists(columns: Dict[str, npt.NDArray[Any]]) -> Dict[str, List[Any]]:
    return {name: column.tolist() for name, column in columns.items()}


def test_sm2_gives_the_days_that_anki_gives(tmp_path):
    random = np.random.default_rng(1)
    settings = [draw_sm2_settings(random) for _ in range(N_PRESETS)]
    states = [
        {
            **draw_intervals(random),
            "ease": random.integers(1300, 3500, N_CARDS),
            "filtered": random.random(N_CARDS) < 0.4,
        }
        for _ in settings
    ]
    cases = [
        {
            "preset": {key: getattr(item, name) for name, key in SM2_KEYS.items()},
            "fsrs": False,
            "cards": as_lists(cards),
        }
        for item, cards in zip(settings, states, strict=True)
    ]
    for item, cards, days in zip(settings, states, backend_days(cases, tmp_path), strict=True):
        is_early = cards["filtered"] & (cards["elapsed"] < cards["interval"]) & (RATINGS > 1)
        given = item, cards["interval"], cards["ease"], cards["elapsed"], RATINGS
        result = np.where(is_early, sm2_days_in_filtered_deck(*given), sm2_days(*given, None))
        np.testing.assert_array_equal(result, days, err_msg=str(item))


#: Relative tolerance before rounding, because our memory is in double precision, and Anki's in single precision.
PRECISION = 3e-6


def draw_fsrs_case(random: np.random.Generator) -> Tuple[Dict[str, Any], Dict[str, npt.NDArray[Any]]]:
    """Draw the settings of a preset, and the columns of its cards."""
    cards = {
        **draw_intervals(random),
        "stability": np.round(np.exp(random.uniform(np.log(0.1), np.log(2000), N_CARDS)), 4),
        "difficulty": np.round(random.uniform(1, 10, N_CARDS), 3),
    }
    preset = {
        "fsrsParams6": draw_parameters(random).tolist(),
        "desiredRetention": round(random.uniform(0.7, 0.97), 2),
        "rev.maxIvl": int(random.choice([36_500, 60, 400])),
    }
    return preset, cards


def test_fsrs_gives_the_days_that_anki_gives(tmp_path):
    """No more than 10 in 40,000 intervals differ. They are so near to half a day that single precision decides.

    Anki applies the maximum interval only when a lapsed card has been relearned, so that its interval after Again is
    limited here.
    """
    random = np.random.default_rng(2)
    drawn = [draw_fsrs_case(random) for _ in range(N_PRESETS)]
    cases = [{"fsrs": True, "preset": preset, "cards": as_lists(cards)} for preset, cards in drawn]
    differing = 0
    for (preset, cards), days in zip(drawn, backend_days(cases, tmp_path), strict=True):
        w = preset["fsrsParams6"]
        longest = preset["rev.maxIvl"]
        stability, _ = FSRS_6.step(w, (cards["stability"], cards["difficulty"]), cards["elapsed"], RATINGS)
        exact = fsrs_interval(stability, w[20], preset["desiredRetention"])
        lower, result, upper = (
            fsrs_days(exact * factor, cards["interval"], RATINGS, longest, None)
            for factor in (1 - PRECISION, 1, 1 + PRECISION)
        )
        anki_days = np.minimum(days, longest)
        assert ((lower <= anki_days) & (anki_days <= upper)).all()
        assert (upper - lower <= 1).all()
        differing += (result != anki_days).sum()
    assert differing <= 10


def test_sm2_gives_the_days_that_anki_gives_when_cards_have_been_learned(tmp_path):
    settings = Sm2Settings(graduating_interval=3, easy_interval=40, max_interval=30)
    kind = np.array([LEARNING] + 4 * [RELEARNING])
    interval = np.array([0, 1, 7, 30, 50])
    preset = {"new.ints": [3, 40, 0], "rev.maxIvl": 30}
    cards = as_lists({"kind": kind, "interval": interval, "elapsed": 0 * kind})
    (days,) = backend_days([{"fsrs": False, "preset": preset, "cards": cards}], tmp_path)
    np.testing.assert_array_equal(sm2_learned_days(settings, interval, RATINGS[2:], None), days[2:])


def test_fsrs_gives_the_days_that_anki_gives_when_cards_have_been_learned(tmp_path):
    """The stabilities are far below the maximum interval, because Anki 26.9.3 fails near it for Easy."""
    random = np.random.default_rng(3)
    w = [p.default for p in PARAMETERS]
    retention = 0.87
    cards = {
        "kind": random.choice([LEARNING, RELEARNING], N_CARDS),
        "interval": random.integers(1, 100, N_CARDS),
        "elapsed": np.zeros(N_CARDS, dtype=np.int64),
        "stability": np.round(np.exp(random.uniform(np.log(0.1), np.log(300), N_CARDS)), 4),
        "difficulty": np.round(random.uniform(1, 10, N_CARDS), 3),
    }
    preset = {"fsrsParams6": w, "desiredRetention": retention}
    (days,) = backend_days([{"fsrs": True, "preset": preset, "cards": as_lists(cards)}], tmp_path)
    stability, _ = FSRS_6.step(w, (cards["stability"], cards["difficulty"]), cards["elapsed"], RATINGS)
    _, _, good, easy = fsrs_interval(stability, w[20], retention)
    np.testing.assert_array_equal(fsrs_learned_days(good, easy, RATINGS[2:], 36_500, None), days[2:])


def draw_parameters(random: np.random.Generator) -> Floats:
    """Draw FSRS-6 parameters around the published ones, rounded like stored ones."""
    lower, upper, default = (np.array([getattr(p, name) for p in PARAMETERS]) for name in ("lower", "upper", "default"))
    return np.round(np.clip(default * np.exp(random.normal(0, 0.2, len(default))), lower, upper), 4)


def test_ease_after_each_answer_matches_hand_calculation():
    assert sm2_ease(np.array([2500, 2500, 2500, 2500]), np.array([1, 2, 3, 4])).tolist() == [2300, 2350, 2500, 2650]
    assert sm2_ease(1400, RATINGS[:, 0]).tolist() == [1300, 1300, 1400, 1550]


def test_reach_of_fuzz_grows_with_the_interval():
    max_change = max_fuzz(np.array([10.0, 2.4, 2.5, 5.0, 7.0, 20.0, 120.0]))
    np.testing.assert_allclose(max_change, [1.975, 0, 1, 1.375, 1.675, 2.975, 7.975], rtol=1e-6)


def test_fuzz_spreads_evenly_over_the_days_within_its_reach():
    days = whole_days(10.0, 1, 100, (np.arange(1000) + 0.5) / 1000)
    assert dict(zip(*np.unique(days, return_counts=True), strict=True)) == dict.fromkeys(range(8, 13), 200)


def test_easy_is_a_day_longer_than_the_unrounded_good():
    exact = np.float32([3.5, 5.8])
    fuzz = np.array([0.1, 0.3693, 0.9])
    assert fsrs_learned_days(*exact, 3, 100, fuzz).tolist() == [3, 4, 5]
    assert fsrs_learned_days(*exact, 4, 100, fuzz).tolist() == [4, 5, 8]


@pytest.mark.parametrize(
    ("days", "shortest", "longest", "expected"),
    [
        (2.4, 1, 100, {2}),
        (10.0, 10, 100, {10, 11, 12}),
        (10.0, 1, 9, {7, 8, 9}),
        # The maximum takes precedence over the minimum.
        (10.0, 30, 20, {20}),
        (3.0, 5, 5, {5}),
        (1.0, 3, 100, {3, 4}),
        (0.0, 0, 100, {1}),
    ],
)
def test_fuzz_stays_within_the_limits(days, shortest, longest, expected):
    assert set(whole_days(days, shortest, longest, np.linspace(0, 1, 1000, endpoint=False)).tolist()) == expected


def test_interval_ends_at_the_desired_retention():
    w = [p.default for p in PARAMETERS]
    stability = np.array([1.0, 30.0, 800.0])
    days = fsrs_interval(stability, w[20], 0.8)
    np.testing.assert_allclose(FSRS_6.recall(w, (stability, stability), days), 0.8, atol=1e-6)
    np.testing.assert_allclose(fsrs_interval(stability, w[20], 0.9), stability, rtol=1e-5)
