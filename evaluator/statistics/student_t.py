"""Student's t distribution: its quantiles and p-values."""

from __future__ import annotations

from functools import lru_cache
from math import copysign, exp, expm1, lgamma, log, log1p, pi, sqrt
from statistics import NormalDist

#: Maximum number of steps of a search or a series; they take about a tenth of it.
MAX_STEPS = 1000


@lru_cache(maxsize=1024)  # most values are needed more than once
def student_t_quantile(probability: float, degrees: float) -> float:
    """Return the quantile of Student's t at a probability between 0 and 1, with at least 1 degree of freedom.

    Halley's method on :func:`student_t_p_value`: mostly two steps. Each error is about the third power of the one
    before, so the last step need not be small. It begins near by (Wallace 1959, Ann. Math. Stat. 30:1121). To 1e-9
    of its size up to 100,000 degrees. Raises ValueError below 1 degree.
    """
    normal = NormalDist().inv_cdf(probability)
    if normal == 0:
        return 0.0
    tails = 2 * min(probability, 1 - probability)
    log_height = lgamma((degrees + 1) / 2) - lgamma(degrees / 2) - log(degrees * pi) / 2
    t = sqrt(degrees * expm1(normal**2 / degrees))
    for _ in range(MAX_STEPS):
        density = exp(log_height - (degrees + 1) / 2 * log1p(t * t / degrees))
        newton = (student_t_p_value(t, degrees) - tails) / (2 * density)
        step = newton / max(1 - newton * (degrees + 1) / 2 * t / (degrees + t * t), 0.5)
        t += step
        if abs(step) <= 1e-5 * t:
            break
    return copysign(t, normal)


def student_t_p_value(t: float, degrees: float) -> float:
    """Return P(|T| >= |t|) for T with ``degrees`` of freedom, which may be a fraction: 1 at 0, 0 at infinity.

    It is the incomplete beta function I_x(degrees / 2, 1 / 2) at x = degrees / (degrees + t^2), or 1 - I_(1-x)(1 / 2,
    degrees / 2), whichever's continued fraction is the shorter.

    Reference: Abramowitz & Stegun (1964), 26.7.1 with 26.5.2 and 26.5.8. Raises ValueError below 1 degree.
    """
    if not degrees >= 1:
        raise ValueError(f"{degrees:g} degrees of freedom; at least 1 is needed")
    square = t * t
    x, rest = degrees / (degrees + square), 1 / (1 + degrees / square) if square else 0.0
    a = degrees / 2
    if x < (a + 1) / (a + 2.5):
        return _incomplete_beta(x, rest, a, 0.5)
    return 1 - _incomplete_beta(rest, x, 0.5, a)


def _incomplete_beta(x: float, rest: float, a: float, b: float) -> float:
    """Return I_x(a, b) for x from 0 to (a + 1) / (a + b + 2) and rest = 1 - x.

    It is the continued fraction 26.5.8 of Abramowitz & Stegun (1964), computed forwards.
    """
    if x <= 0:
        return 0.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest)) / a
    above, below = 1.0, 1.0  # numerator and denominator of 1 / 1
    above_before, below_before = 0.0, 1.0  # and those of 0 / 1 before it
    result = 1.0
    for m in range(MAX_STEPS):
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        even = (m + 1) * (b - m - 1) * x / ((a + 2 * m + 1) * (a + 2 * m + 2))
        for d in (odd, even):
            above, above_before = above + d * above_before, above
            below, below_before = below + d * below_before, below
        scale = 1 / below
        above, above_before, below_before, below = above * scale, above_before * scale, below_before * scale, 1.0
        if abs(above - result) <= 1e-16 * abs(above):
            break
        result = above
    return min(1.0, max(0.0, front * above))
