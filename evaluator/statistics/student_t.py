"""Quantile of Student's t distribution."""

from __future__ import annotations

from functools import lru_cache
from math import cos, exp, lgamma, pi, sqrt, tan

import numpy as np

from ..interval import CONFIDENCE

#: Maximum number of Newton's steps. About a tenth of it is needed.
MAX_STEPS = 100
#: Nodes and weights of the Gauss-Legendre quadrature on [-1, 1].
NODES, WEIGHTS = np.polynomial.legendre.leggauss(50)


@lru_cache(maxsize=1024)
def student_t_quantile(degrees: float) -> float:
    """Return the t for which |T| < t in 95% of cases, for Student's T with at least 1 degree of freedom.

    With T = sqrt(degrees) tan(a), the density of a is proportional to cos(a)^(degrees - 1). It falls on either side of
    0, so Newton's method from a = 0 approaches the solution from below. The relative error is at most 1e-9 up to
    100,000 degrees of freedom.
    """
    height = exp(lgamma((degrees + 1) / 2) - lgamma(degrees / 2)) / sqrt(pi)
    angle = 0.0
    for _ in range(MAX_STEPS):
        half = angle / 2
        integral = half * float((WEIGHTS * np.cos(half + half * NODES) ** (degrees - 1)).sum())
        step = (CONFIDENCE / 2 / height - integral) / cos(angle) ** (degrees - 1)
        angle += step
        if step <= 1e-12 * angle:
            break
    return sqrt(degrees) * tan(angle)
