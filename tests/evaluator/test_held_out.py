"""The correction at the desired retention, tried on reviews that it was not made from."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.folds import Fold
from evaluator.metrics.scores import Floats, Outcomes
from evaluator.statistics import held_out as module
from evaluator.statistics.held_out import FEWEST, held_out

N = 4_000
FOLDS = tuple(Fold(start, start + N) for start in range(0, 5 * N, N))


def people(shift: float, seed: int = 1) -> tuple[Floats, Outcomes]:
    """Predictions whose logits are too high by ``shift``, and what came of them."""
    random = np.random.default_rng(seed)
    logit = random.normal(2.2, 0.8, 5 * N)
    recalled = (random.random(5 * N) < 1 / (1 + np.exp(-logit))).astype(np.int64)
    return 1 / (1 + np.exp(-(logit + shift))), recalled


def test_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two folds: recall of 60 and 80 % in the first makes a line through both; 70 of 100 in the second at 80 %."""
    p = np.concatenate([np.repeat([0.7, 0.9], 100), np.full(100, 0.9)])
    y = np.concatenate([np.arange(100) < 60, np.arange(100) < 80, np.arange(100) < 70]).astype(np.int64)
    at_90 = held_out(p, y, (Fold(0, 200), Fold(200, 300)), 0.9)
    assert at_90 is None, "the correction makes 80 % of them, so none is near 90 % any more"
    monkeypatch.setattr(module, "NEAR", 2.0)
    wide = held_out(p, y, (Fold(0, 200), Fold(200, 300)), 0.9)
    assert wide is not None
    assert (wide.folds, wide.reviews) == (1, 100)
    assert wide.deviation == pytest.approx(0.9 - 0.7)
    assert wide.corrected == pytest.approx(0.8 - 0.7)
    assert wide.chance == pytest.approx((0.9 * 0.1 / 100) ** 0.5)


def test_who_is_always_too_sure_is_corrected() -> None:
    """Half a logit at 90 %: said 90, remembered 84.5; with the correction chance is left."""
    found = held_out(*people(0.5), FOLDS, 0.9)
    assert found is not None
    assert found.folds == 4
    true = 1 / (1 + np.exp(0.5) / 9)
    assert found.deviation == pytest.approx(0.9 - true, abs=0.01)
    assert found.corrected < 0.015 < found.deviation


def test_who_is_right_is_left_alone() -> None:
    """Of a perfect model both are made by chance: their squares have its expectation, on the average."""
    found = [held_out(*people(0.0, seed), FOLDS, 0.9) for seed in range(30)]
    raw, corrected, chance = (
        np.mean([getattr(one, field) ** 2 for one in found]) for field in ("deviation", "corrected", "chance")
    )
    assert raw == pytest.approx(chance, rel=0.25)
    assert chance < corrected < 2 * chance


@given(st.integers(0, FEWEST - 1))
def test_too_few_reviews_near_it_say_nothing(near: int) -> None:
    p = np.where(np.arange(500) < near, 0.9, 0.5)
    y = np.arange(500) % 2
    folds = (Fold(0, 500), Fold(500, 1000))
    assert held_out(np.tile(p, 2), np.tile(y, 2), folds, 0.9) is None
    assert held_out(np.full(1000, 0.9), np.ones(1000, dtype=np.int64), folds, 0.9) is None


def test_just_enough_reviews_near_it_say_something() -> None:
    """Fifty, in the fold that is tried; the line of the fold before leaves them where they are."""
    near, far = np.full(FEWEST, 0.9), np.full(100, 0.5)
    p = np.tile(np.concatenate([near, far]), 2)
    y = np.tile(np.concatenate([np.arange(FEWEST) < 0.9 * FEWEST, np.arange(100) < 50]), 2).astype(np.int64)
    found = held_out(p, y, (Fold(0, 150), Fold(150, 300)), 0.9)
    assert (found.folds, found.reviews) == (1, FEWEST)
    assert held_out(p[:-101], y[:-101], (Fold(0, 150), Fold(150, 199)), 0.9) is None


def test_a_line_that_falls_corrects_nothing() -> None:
    """Where higher predictions were remembered less, the fold after is not tried."""
    p = np.tile(np.repeat([0.88, 0.92], 100), 2)
    y = np.tile(np.concatenate([np.arange(100) < 92, np.arange(100) < 88]), 2).astype(np.int64)
    folds = (Fold(0, 200), Fold(200, 400))
    assert held_out(p, y, folds, 0.9) is None
    assert held_out(p, y[::-1], folds, 0.9) is not None


def test_later_folds_do_not_matter_to_earlier_ones() -> None:
    p, y = people(0.5)
    first = held_out(p[: 2 * N], y[: 2 * N], FOLDS[:2], 0.9)
    spoiled = y.copy()
    spoiled[2 * N :] = 1 - spoiled[2 * N :]
    assert held_out(p, spoiled, FOLDS[:2], 0.9) == first
