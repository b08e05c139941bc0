"""What calibration means at the desired retention, the one place where a scheduler decides.

"When it said 90 %, you remembered 87 % (85 to 89)".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

import numpy as np

from ..interval import NO_REVIEWS, Interval
from ..metrics.scores import Floats, Outcomes, logit
from .paired import Clusters, paired_difference

#: Predictions within so many logits of the desired retention count as near: 87.5 to 92.0 % for 90 %. In logits the
#: window gets narrower near 1, as intervals do. Wider windows hold more reviews, and more of what is not 90 %.
NEAR = 0.25


@dataclass(frozen=True)
class Near:
    """Observed recall among the predictions near the desired retention. Probabilities all."""

    from_predicted: float  #: the window's edges
    to_predicted: float  #: and to which
    reviews: int
    cards: int
    days: int
    predicted: Optional[float]  #: the mean prediction; None where no review is near
    #: Share of them that was recalled. The interval is that of observed minus predicted, put around the observed: what
    #: differs between the predictions of the window is no uncertainty.
    recalled: Interval


def recall_near(predicted: Floats, recalled: Outcomes, clusters: Clusters, desired_retention: float) -> Near:
    """Observed recall among the predictions (n,) within :data:`NEAR` logits of the desired retention.

    ``recalled`` (n,) is 0 or 1. A perfect model has the desired retention as recall. The interval is clustered by the
    cards and the days of these reviews. It may reach beyond 0 and 1 where recall is close to either. Raises ValueError
    where the desired retention is not between 0 and 1.
    """
    if not 0 < desired_retention < 1:
        raise ValueError(f"desired retention {desired_retention} is not between 0 and 1")
    centre = float(logit(np.array([desired_retention]))[0])
    edges = [float(1 / (1 + np.exp(-centre - side * NEAR))) for side in (-1, 1)]
    inside = np.abs(logit(predicted) - centre) <= NEAR
    some = clusters.take(inside)
    reviews, mean, share = int(inside.sum()), None, Interval(None, reason=NO_REVIEWS)
    if reviews:
        p, y = predicted[inside], recalled[inside]
        mean = float(p.mean())
        share = paired_difference(y - p, some).moved(mean)
    return Near(edges[0], edges[1], reviews, some.cards, some.days, mean, share)
