"""How well the reviews determine each parameter: standard errors from the Fisher information.

On the scale of the search x (the parameter itself, or its logarithm where it is fitted so) the parameters' covariance
is (I + Q)^-1, I being the Fisher information of the reviews and Q the curvature of the prior's penalty, a diagonal. On
the parameter's own scale the error of a logarithm is w times as large (delta method). A parameter on one of its bounds
cannot move further and has no error of this kind; the others' errors are taken as if it were fixed.

The information counts reviews as independent. Those of one card and of one day are not, so the errors are rather too
small.

References: Efron & Hinkley (1978), Assessing the accuracy of the maximum likelihood estimator, Biometrika 65:457, doi
10.1093/biomet/65.3.457 (errors from the information). For a penalty as a prior this is the normal approximation of the
posterior.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import List, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ..interval import AT_LOWER, AT_UPPER, CONFIDENCE, FIXED, UNDETERMINED, Interval
from .paired import Floats

Bools = npt.NDArray[np.bool_]

#: A parameter is on a bound when it is within this share of its range (on the scale of the search).
ON_BOUND = 1e-6

#: Eigenvalues of the information, scaled to a diagonal of 1, that count as 0, and how much of such a direction a
#: parameter must be made of to be called undetermined.
_SINGULAR = 1e-11
_PART = 1e-5


def parameter_errors(
    information: Floats,
    prior_curvature: Floats,
    value: Floats,
    lower: Floats,
    upper: Floats,
    *,
    log: Sequence[bool],
    fixed: Sequence[bool],
) -> List[Tuple[Interval, Optional[float]]]:
    """The value of each of P parameters with an interval, and the reviews' share in what is known of it.

    The share is 1 - variance / the prior's variance; None where there is no interval. Of no parameters there are none.

    Args:
        information: the Fisher information of the reviews alone, on the scale of the search (P, P).
        prior_curvature: the second derivative of the prior's penalty, likewise (P,): 2 / width^2 for ((x - centre) /
            width)^2, 0 without a prior.
        value: the fitted parameters, on their own scale (P,).
        lower: the least that each may be (P,).
        upper: the most that each may be (P,).
        log: which are fitted by their logarithm (P,).
        fixed: which were not trained (P,).

    Raises:
        ValueError: shapes that do not fit, numbers that are none, a negative prior curvature, a value outside its
            bounds, or a logarithm of what is not above 0.
    """
    by_log, untrained = (np.asarray(of, dtype=bool) for of in (log, fixed))
    _check(information, prior_curvature, value, lower, upper, by_log, untrained)
    x, least, most = (_to_search(w, by_log) for w in (value, lower, upper))
    near = ON_BOUND * (most - least)
    held = np.full(len(value), "", dtype="U12")
    held[most - x <= near] = AT_UPPER
    held[x - least <= near] = AT_LOWER
    held[untrained | (lower == upper)] = FIXED
    free = np.flatnonzero(held == "")
    variance, known = _variances(information[np.ix_(free, free)] + np.diag(prior_curvature[free]))
    held[free[~known]] = UNDETERMINED
    found: List[Tuple[Interval, Optional[float]]]
    found = [(Interval(float(w), reason=str(why)), None) for w, why in zip(value, held)]
    for k, v in zip(free[known], variance[known]):
        error = float(np.sqrt(v))
        reach = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2) * error
        ends = np.clip([x[k] - reach, x[k] + reach], least[k], most[k])
        low, high = np.exp(ends) if by_log[k] else ends
        w = float(value[k])
        interval = Interval(w, float(low), float(high), error * (w if by_log[k] else 1.0))
        found[k] = interval, float(np.clip(1 - prior_curvature[k] * v, 0.0, 1.0))
    return found


def _variances(curvature: Floats) -> Tuple[Floats, Bools]:
    """The diagonal of the inverse (F,), and where it is known: not where a direction has no curvature."""
    diagonal = np.diag(curvature)
    scale = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    values, vectors = np.linalg.eigh(curvature / np.outer(scale, scale))
    flat = values <= _SINGULAR
    known: Bools = (vectors[:, flat] ** 2).sum(axis=1) <= _PART
    variance: Floats = (vectors[:, ~flat] ** 2 / values[~flat]).sum(axis=1) / scale**2
    return variance, known


def _to_search(w: Floats, by_log: Bools) -> Floats:
    return np.where(by_log, np.log(np.where(by_log, w, 1.0)), w)


def _check(
    information: Floats, prior: Floats, value: Floats, lower: Floats, upper: Floats, by_log: Bools, untrained: Bools
) -> None:
    size = len(value)
    columns = (prior, value, lower, upper, by_log, untrained)
    if information.shape != (size, size) or any(column.shape != (size,) for column in columns):
        raise ValueError(f"{size} parameters, but shapes {[information.shape, *(c.shape for c in columns)]}")
    if not all(np.isfinite(array).all() for array in (information, prior, value, lower, upper)):
        raise ValueError("something that is not a number")
    if (prior < 0).any():
        raise ValueError(f"prior curvature {prior.min()}; it must be at least 0")
    if ((value < lower) | (value > upper)).any():
        raise ValueError("a value outside its bounds")
    if (lower[by_log] <= 0).any():
        raise ValueError("the logarithm of a parameter that may be 0")
