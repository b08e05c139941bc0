from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from evaluator.data.revlog import Ints
from evaluator.derivatives import Floats
from evaluator.metrics.bins import BENCHMARK, WIKI, BinConstants, cells, rmse_bins, rmse_bins_excess, rmse_bins_floor


def test_floor_matches_hand_calculation():
    """One cell has predictions of 0.9 and 0.5, and another has one of 0.8."""
    result = rmse_bins_floor(np.array([0.9, 0.5, 0.8]), np.array([0, 0, 1]))
    assert result == pytest.approx(sqrt(((0.09 + 0.25) / 2 + 0.16) / 3))


def test_excess_matches_hand_calculation():
    """Four forgotten reviews at 0.9 have the value 0.9 and a squared floor of 0.09 / 4. A higher floor leaves 0."""
    cell = np.zeros(4, dtype=np.int64)
    assert rmse_bins_excess(np.full(4, 0.9), cell, cell) == pytest.approx(sqrt(0.81 - 0.09 / 4))
    assert rmse_bins_excess(np.full(4, 0.5), np.array([0, 1, 0, 1]), cell) == 0


def test_certain_predictions_have_no_floor():
    assert rmse_bins_floor(np.array([0.0, 1, 1]), np.array([0, 0, 2])) == 0


def draw_forecasts(n: int, constants: BinConstants) -> tuple[Floats, Ints]:
    """Draw true probabilities and cells of n reviews of cards with growing intervals."""
    random = np.random.default_rng(n)
    number = random.geometric(0.2, n) + 1
    elapsed = np.ceil(np.exp(random.normal(0.6 * number, 1.0)).clip(1, 2000)).astype(np.int64)
    lapses = random.binomial(number - 1, 0.15)
    logit = random.normal(2.2, 0.8, n)
    return 1 / (1 + np.exp(-logit)), cells(constants, elapsed, number, lapses)


@pytest.mark.parametrize("constants", [WIKI, BENCHMARK])
@pytest.mark.parametrize("n", [300, 3000, 30_000])
def test_perfect_model_scores_the_floor(n, constants):
    predicted, cell = draw_forecasts(n, constants)
    random = np.random.default_rng(5)
    repetitions = 120_000 // n + 60
    values = [rmse_bins(predicted, (random.random(n) < predicted).astype(np.int64), cell) for _ in range(repetitions)]
    assert np.sqrt(np.mean(np.square(values))) == pytest.approx(rmse_bins_floor(predicted, cell), rel=0.05)


def test_excess_of_a_biased_model_is_its_bias():
    """Predicting 0.05 too much everywhere leaves an excess of 0.05."""
    predicted, cell = draw_forecasts(30_000, BENCHMARK)
    true = np.clip(predicted - 0.05, 0, 1)
    recalled = (np.random.default_rng(6).random(30_000) < true).astype(np.int64)
    assert rmse_bins_excess(predicted, recalled, cell) == pytest.approx(0.05, abs=0.006)
