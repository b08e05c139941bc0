"""Where a difference that was measured once is to be expected when it is measured again on other, later reviews."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

from ..interval import CONFIDENCE, Interval
from .paired import Spread
from .student_t import student_t_quantile


def prediction_interval(past: Interval, degrees: float, daily_variance: float, later: Spread) -> Interval:
    """The 95 % prediction interval of the mean of ``later``, about the estimate of ``past``.

    Both are means with an error, so estimate +- t * sqrt(V_past + V_later). A short time cannot see its own drift: the
    part of V_later that is due to time is taken no smaller than the past's variance of a day's share, divided by the
    number of later days. Degrees of freedom: (V_past + V_later)^2 / (V_past^2 / past ones + V_later^2 / later ones).

    Args:
        past: the difference of the forecast, with its interval.
        degrees: of freedom of ``past``, at least 1.
        daily_variance: :attr:`evaluator.statistics.paired.Spread.long_run_variance` of the past.
        later: the difference on the later reviews.

    Reference: Welch (1947), The generalization of Student's problem when several different population variances are
    involved, Biometrika 34:28, doi 10.1093/biomet/34.1-2.28.
    """
    of_past = (past.standard_error or 0.0) ** 2
    of_later = replace(later, time=max(later.time, daily_variance / later.days)).standard_error ** 2
    both = of_past + of_later
    parts = of_past**2 / degrees + of_later**2 / later.degrees
    error = sqrt(both)
    freedom = both**2 / parts if parts > 0 else min(degrees, later.degrees)
    reach = student_t_quantile(0.5 + CONFIDENCE / 2, freedom) * error
    return Interval(past.known, past.known - reach, past.known + reach, error)
