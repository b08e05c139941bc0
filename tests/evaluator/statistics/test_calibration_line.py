from __future__ import annotations

from math import log, sqrt
from typing import Tuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evaluator.data.revlog import Ints
from evaluator.derivatives import Floats
from evaluator.interval import ConfidenceInterval
from evaluator.metrics.scores import logit
from evaluator.statistics.calibration_line import calibration_line, fit_line, no_line_reason
from evaluator.statistics.paired import Clusters

Sample = Tuple[Floats, Ints, Clusters]


def one_card_each(n: int) -> Clusters:
    """Return clusters in which each review has a card of its own, on eight days of the same size."""
    return Clusters.of(np.arange(n), np.arange(n) % 8)


def probability(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-x))


def draw_reviews(
    random: np.random.Generator, intercept: float, slope: float, card_sd: float = 0, day_sd: float = 0
) -> Sample:
    """Draw 2,000 reviews of 200 cards on 60 days, whose logit of recall is on the line, plus effects."""
    n = 2000
    card = random.integers(200, size=n)
    day = random.integers(60, size=n)
    x = random.normal(2.0, 0.9, n)
    effects = random.normal(0, card_sd, 200)[card] + random.normal(0, day_sd, 60)[day]
    recalled = random.random(n) < probability(intercept + slope * x + effects)
    return probability(x), recalled.astype(np.int64), Clusters.of(card, day)


def two_predictions() -> Tuple[Floats, Ints]:
    """Predict 0.6 with 40 of 80 recalled, and 0.9 with 64 of 80, so that the line contains both shares exactly.

    With the clusters of :func:`one_card_each`, all days are alike, and the intervals come from the cards alone.
    """
    recalled = [1] * 40 + [0] * 40 + [1] * 64 + [0] * 16
    return np.repeat([0.6, 0.9], 80), np.array(recalled)


class TestLine:
    """The calibration line, logit P = a + b logit p."""

    def test_line_matches_hand_calculation(self):
        """It contains (logit 0.6, logit 0.5) = (ln 1.5, 0) and (logit 0.9, logit 0.8) = (ln 9, ln 4)."""
        predicted, recalled = two_predictions()
        line = fit_line(logit(predicted), recalled)
        slope = log(4) / (log(9) - log(1.5))
        assert line.slope == pytest.approx(slope)
        assert line.intercept == pytest.approx(-slope * log(1.5))

    def test_standard_errors_match_hand_calculation(self):
        """The variance of a share's logit is 1 / (n p (1 - p)), times 160 / 159 for 160 cards.

        The slope is the difference of both logits by a constant, so that their variances add up.
        """
        result = calibration_line(*two_predictions(), one_card_each(160))
        first = 160 / 159 / (80 * 0.25)
        second = 160 / 159 / (80 * 0.16)
        assert result.slope.standard_error == pytest.approx(sqrt(first + second) / (log(9) - log(1.5)))

    def test_calibration_in_the_large_matches_hand_calculation(self):
        """48 of 80 reviews at 0.8 are recalled: logit 0.6 - logit 0.8 = ln 1.5 - ln 4. There is no slope."""
        result = calibration_line(np.full(80, 0.8), np.array([1] * 48 + [0] * 32), one_card_each(80))
        assert result.slope == ConfidenceInterval(None, reason="constant")
        assert result.in_the_large.estimate == pytest.approx(log(1.5) - log(4))
        assert result.in_the_large.standard_error == pytest.approx(sqrt(80 / 79) / sqrt(80 * 0.24))

    @pytest.mark.parametrize(
        ("predicted", "recalled", "reason"),
        [
            ([], [], "no_reviews"),
            ([0.5, 0.6, 0.7], [1, 1, 1], "one_outcome"),
            ([0.5, 0.6, 0.7], [0, 0, 0], "one_outcome"),
            ([0.7, 0.7, 0.7], [0, 1, 1], "constant"),
            ([1, 1, 1 - 1e-17], [0, 1, 1], "constant"),
            ([0.5, 0.6, 0.7], [0, 0, 1], "separated"),
            ([0.5, 0.6, 0.6, 0.7], [0, 0, 1, 1], "separated"),
            ([0.5, 0.6, 0.7], [1, 0, 0], "separated"),
            ([0.5, 0.6, 0.7], [0, 1, 0], None),
        ],
    )
    def test_missing_values_have_a_reason(self, predicted, recalled, reason):
        p = np.array(predicted, dtype=float)
        y = np.array(recalled, dtype=np.int64)
        assert no_line_reason(logit(p), y) == reason
        result = calibration_line(p, y, one_card_each(len(p)))
        assert result.slope.reason == (reason or "too_few")
        assert (result.slope.estimate is None) == (reason is not None)
        is_unknown = reason in {"no_reviews", "one_outcome"}
        assert result.in_the_large.reason == (reason if is_unknown else "too_few")
        assert (result.in_the_large.estimate is None) == is_unknown

    @given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 1)), min_size=3, max_size=40))
    def test_line_meets_the_score_equations(self, reviews):
        predicted = np.array([p for p, _ in reviews])
        recalled = np.array([y for _, y in reviews])
        assume(no_line_reason(logit(predicted), recalled) is None)
        line = fit_line(logit(predicted), recalled)
        x = np.clip(np.log(np.clip(predicted, 2**-52, 1)) - np.log1p(-np.clip(predicted, 0, 1 - 2**-52)), -37, 37)
        z = (x - x.mean()) / x.std()
        residual = recalled - np.exp(-np.logaddexp(0, -(line.intercept + line.slope * x)))
        assert residual.sum() == pytest.approx(0, abs=1e-5)
        assert residual @ z == pytest.approx(0, abs=1e-5)
        assert line.influence.sum() == pytest.approx(0, abs=1e-3 * (1 + np.abs(line.influence).sum()))

    def test_intervals_cover_the_truth(self):
        random = np.random.default_rng(3)
        n_people = 300
        for effects, truth in (((0.0, 1.0, 0.0, 0.0), PERFECT), ((-0.3, 0.8, 0.8, 0.3), FLATTENED)):
            covered = np.zeros(2)
            for _ in range(n_people):
                result = calibration_line(*draw_reviews(random, *effects))
                for j, part in enumerate((result.slope, result.in_the_large)):
                    covered[j] += part.compare_with(truth[1 + j]) == 0
            assert ((covered >= 0.93 * n_people) & (covered <= 0.99 * n_people)).all(), covered / n_people


#: Intercept, slope and bias in the large of a perfect model.
PERFECT = (0.0, 1.0, 0.0)

#: The line nearest to recall averaged over effects of 0.8 and 0.3 logits, which flatten -0.3 + 0.8 x.
FLATTENED = (-0.27721611, 0.70818928, -0.78003164)
