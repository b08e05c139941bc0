from __future__ import annotations

from math import floor, log, sqrt
from typing import Callable, Optional

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from evaluator.data.revlog import Ints
from evaluator.derivatives import Floats
from evaluator.metrics import calibration_bins as cal
from evaluator.metrics.bins import BENCHMARK, WIKI, cells, rmse_bins
from evaluator.metrics.scores import CLIP, auc, brier_score, log_loss_per_review, sort_order


def floats(*values: float) -> Floats:
    return np.array(values, dtype=float)


def integers(*values: int) -> Ints:
    return np.array(values, dtype=np.int64)


@st.composite
def forecasts(draw: Callable[..., np.ndarray]) -> tuple[Floats, Ints]:
    """Draw predictions, and outcomes with passes and failures."""
    n = draw(st.integers(2, 40))
    predicted = draw(hnp.arrays(float, n, elements=st.floats(0, 1)))
    recalled = draw(hnp.arrays(np.int64, n, elements=st.integers(0, 1)))
    recalled[:2] = [0, 1]
    return predicted, recalled


class TestLogLoss:
    def test_losses_match_hand_calculation(self):
        """A review remembered at 0.9 has the loss -ln 0.9, and one forgotten at 0.8 has -ln 0.2."""
        assert log_loss_per_review(floats(0.9, 0.8), integers(1, 0)) == pytest.approx([-log(0.9), -log(0.2)])

    def test_loss_of_a_certain_wrong_prediction_is_limited(self):
        """Predictions are clipped to 2^-52, so that it is 52 ln 2 = 36.04. A certain right prediction has no loss."""
        assert CLIP == 2.0**-52
        loss = log_loss_per_review(floats(0, 1, 1, 0), integers(1, 0, 1, 0))
        assert loss == pytest.approx([52 * log(2), 52 * log(2), 0, 0], abs=1e-15)
        assert round(loss[0], 2) == 36.04


class TestBrier:
    """The mean of (predicted - recalled)^2."""

    def test_score_matches_hand_calculation(self):
        result = brier_score(floats(0.9, 0.8, 0, 1), integers(1, 0, 1, 1))
        assert result == pytest.approx((0.1**2 + 0.8**2 + 1 + 0) / 4)


def area(predicted: Floats, recalled: Ints) -> Optional[float]:
    """Return the AUC of predictions in any order."""
    order = sort_order(predicted)
    return auc(predicted[order], recalled[order])


class TestAUC:
    def test_ties_count_half(self):
        """The pairs of recalled reviews at 0.5 and 0.9 and two forgotten ones at 0.5 give (1/2 + 1/2 + 1 + 1) / 4."""
        assert area(floats(0.5, 0.9, 0.5, 0.5), integers(1, 1, 0, 0)) == pytest.approx(3 / 4)
        assert area(floats(0.7, 0.7, 0.7), integers(1, 0, 1)) == 0.5

    def test_auc_of_one_outcome_is_undefined(self):
        assert area(floats(0.5, 0.6), integers(1, 1)) is None
        assert area(floats(0.5, 0.6), integers(0, 0)) is None

    @given(forecasts())
    def test_auc_is_the_share_of_correctly_ordered_pairs(self, forecast):
        predicted = np.round(forecast[0], 8)
        recalled = forecast[1]
        pairs = [(p, q) for p in predicted[recalled == 1] for q in predicted[recalled == 0]]
        assert area(predicted, recalled) == pytest.approx(sum((p > q) + (p == q) / 2 for p, q in pairs) / len(pairs))

    def test_rounding_noise_does_not_order_predictions(self):
        noisy = np.array([0.9, 0.9 + 1e-15, 0.9 - 1e-15, 0.9])
        assert area(noisy, integers(0, 1, 0, 1)) == 0.5


class TestRMSEBins:
    """sqrt(sum n (mean recalled - mean predicted)^2 / N) over cells of interval, review number and lapses."""

    @pytest.mark.parametrize(
        ("constants", "published"),
        [
            (WIKI, ((2.48, 2.57, 2), (1.52, 1.58, 0), (1.4, 1.48, 0))),
            (BENCHMARK, ((2.48, 3.62, 2), (1.99, 1.89, 0), (1.65, 1.73, 0))),
        ],
    )
    @example(reviews=[(1, 1, 0), (1, 2, 0), (1, 2, 1), (1, 3, 0), (0, 1, 0)])
    @given(reviews=st.lists(st.tuples(st.integers(0, 5000), st.integers(1, 128), st.integers(0, 60))))
    def test_cells_are_numbered_by_the_published_labels(self, constants, published, reviews):
        """Group by round(first * ratio^floor(log_ratio x), digits) of interval, number and lapses. None is left out."""

        def label(x, first, ratio, digits):
            return round(first * ratio ** floor(log(x) / log(ratio)), digits) if x else 0.0

        labels = [tuple(label(x, *of) for x, of in zip(review, published, strict=True)) for review in reviews]
        distinct = sorted(set(labels))
        result = cells(constants, *np.array(reviews, dtype=np.int64).reshape(-1, 3).T)
        assert result.tolist() == [distinct.index(label) for label in labels]

    def test_intervals_below_a_day_have_the_benchmarks_labels(self):
        """Its label of the shortest ones is 0. An interval of no days counts as a millionth of a day."""
        days = [0, 1e-4, 0.001, 0.003, 0.007, 0.03, 0.1, 0.5, 1]
        labels = [round(2.48 * 3.62 ** floor(log(x or 1e-6) / log(3.62)), 2) for x in days]
        assert labels == [0, 0, 0, 0, 0.01, 0.05, 0.19, 0.69, 2.48]
        result = cells(BENCHMARK, np.array(days), np.full(9, 2), np.zeros(9, dtype=np.int64))
        assert result.tolist() == [0, 0, 0, 0, 1, 2, 3, 4, 5]

    def test_rmse_matches_hand_calculation(self):
        """One cell has the three reviews at intervals of 1 and 2 days, and another has the one at 30 days.

        In the first, 2/3 are recalled and (0.9 + 0.8 + 0.7) / 3 = 0.8 is predicted. In the second, it is 0 and 0.6.
        """
        cell = cells(WIKI, integers(1, 2, 1, 30), integers(2, 2, 2, 2), integers(0, 0, 0, 0))
        result = rmse_bins(floats(0.9, 0.8, 0.7, 0.6), integers(1, 0, 1, 0), cell)
        assert result == pytest.approx(sqrt((3 * (2 / 3 - 0.8) ** 2 + 1 * (0 - 0.6) ** 2) / 4))


class TestCalibration:
    def test_log_spaced_bins_match_their_formula(self):
        """Bin b begins at ln(b + 1) / ln 21. Bin 0 has 0, bin 17 has 0.95 (as 21^0.95 = 18.03), and bin 19 has 1."""
        assert [float(np.floor(21**p)) for p in (0.3, 0.95)] == [2, 18]
        assert cal.log_spaced_bin(floats(0, 0.3, 0.95, 0.999, 1)).tolist() == [0, 1, 17, 19, 19]
        assert pytest.approx([0, log(2) / log(21), 1]) == cal.LOG_SPACED_EDGES[[0, 1, 20]]

    def test_groups_of_equal_width_match_hand_calculation(self):
        """Each group begins with its lower limit. 1 belongs to the last."""
        result = cal.equal_width_bin(floats(0, 0.049, 0.06, 0.25, 0.5, 0.749, 0.75, 0.949, 0.951, 1))
        assert result.tolist() == [0, 0, 1, 5, 10, 14, 15, 18, 19, 19]

    def test_groups_match_hand_calculation(self):
        """Group 5 has 0.61 (recalled) and 0.612 (forgotten), as 21^0.61 = 6.4. The last has 0.99 (recalled)."""
        first, last = cal.calibration(floats(0.61, 0.99, 0.612), integers(1, 1, 0))
        assert (first.reviews, first.recalled) == (2, 0.5)
        assert (first.left, first.right) == pytest.approx((log(6) / log(21), log(7) / log(21)))
        assert first.predicted == pytest.approx(0.611)
        assert (last.reviews, last.recalled, last.predicted) == (1, 1, 0.99)

    def test_old_rmse_matches_hand_calculation(self):
        """One group has 2 reviews and |0.5 - 0.62|, and another has 1 review and |1 - 0.99|."""
        predicted = floats(0.61, 0.99, 0.63)
        result = rmse_bins(predicted, integers(1, 1, 0), cal.equal_width_bin(predicted))
        assert result == pytest.approx(sqrt((2 * 0.12**2 + 0.01**2) / 3))

    def test_mae_matches_hand_calculation(self):
        """One group of the graph has 2 reviews and |0.5 - 0.62|, and another has 1 review and |1 - 0.99|."""
        result = cal.mae_prediction_bins(floats(0.61, 0.99, 0.63), integers(1, 1, 0))
        assert result == pytest.approx((2 * 0.12 + 0.01) / 3)
