"""How far out a value of Student's t lies, and what that is worth among several tests."""

from __future__ import annotations

from math import atan, cos, inf, log, pi, sin, sqrt
from typing import Callable, List, Sequence


def student_t_p_value(t: float, degrees: int) -> float:
    """P(|T| >= |t|) for T with ``degrees`` of freedom: 1 at 0, 0 at infinity.

    With a = arctan(|t| / sqrt(degrees)) it is, for an even number of degrees, 1 - sin a (1 + 1/2 cos^2 a + (1 3)/(2 4)
    cos^4 a + ... up to cos^(degrees - 2) a), and likewise for an odd one. Below 1e-15 it is noise of rounding.

    Reference: Abramowitz & Stegun (1964), 26.7.3 and 26.7.4. Raises ValueError below 1 degree.
    """
    if degrees < 1:
        raise ValueError(f"{degrees} degrees of freedom; at least 1 is needed")
    angle = atan(abs(t) / sqrt(degrees))
    odd = degrees % 2
    term, total = (cos(angle), 0.0) if odd else (1.0, 0.0)
    square = cos(angle) ** 2
    for power in range(odd, degrees - 1, 2):
        total += term
        term *= square * (power + 1) / (power + 2)
    inside = 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
    return min(1.0, max(0.0, 1 - inside))


def holm(p_values: Sequence[float]) -> List[float]:
    """P-values of m tests, each adjusted so that below 0.05 there is a false one in at most 5 % of cases, in all.

    The smallest is multiplied by m, the next by m - 1 and so on; none becomes smaller than one before it, or larger
    than 1. No tests, no values.

    Reference: Holm (1979), A simple sequentially rejective multiple test procedure, Scand. J. Stat. 6:65.
    """
    return _stepped_down(p_values, lambda tests, p: min(1.0, tests * p))


def log_holm(log_p_values: Sequence[float]) -> List[float]:
    """The same of the natural logarithms of p-values, and as such: they may be far below the smallest number."""
    return _stepped_down(log_p_values, lambda tests, log_p: min(0.0, log(tests) + log_p))


def _stepped_down(values: Sequence[float], raised: Callable[[int, float], float]) -> List[float]:
    """Each value raised for as many tests as it and the larger ones are, and to what one before it became."""
    adjusted = [0.0] * len(values)
    largest = -inf
    for rank, k in enumerate(sorted(range(len(values)), key=lambda k: values[k])):
        largest = max(largest, raised(len(values) - rank, values[k]))
        adjusted[k] = largest
    return adjusted
