"""From how many reviews on training pays: the difference to the default parameters, fold by fold.

Each fold is trained on all reviews before it, so the folds in their order are points of a learning curve: the mean of
(loss with trained parameters - loss with the default ones) over the fold's reviews, with the clustered interval of
:mod:`.paired`. Below 0 the training was worth it.

The folds' test reviews differ, so the curve also shows what else changed with time, and what lasts longer than about a
quarter of a fold is no uncertainty of that fold's interval. The intervals are pointwise: "from ... on" asks all later
folds to agree, which makes a lucky fold harmless.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

import numpy as np

from ..interval import Interval
from ..revlog import Ints
from .paired import Clusters, Floats, paired_difference


@dataclass(frozen=True)
class LearningPoint:
    """One fold."""

    training_reviews: int  #: before the fold
    reviews: int  #: tested ones, with their cards and days
    cards: int
    days: int
    difference: Interval  #: trained - default, mean loss; below 0 where training helped


@dataclass(frozen=True)
class LearningCurve:
    """The folds by their number of training reviews."""

    points: Tuple[LearningPoint, ...]
    #: training reviews from which on every interval lies below 0; None where the last does not
    pays_from: Optional[int]


def learning_curve(difference: Floats, training_reviews: Ints, clusters: Clusters) -> LearningCurve:
    """The mean difference at each number of training reviews.

    Against itself an algorithm is exactly 0 throughout, and ``pays_from`` is None. A fold without an interval, having
    too few cards or days, does not count as below 0. Without reviews there are no points.

    Args:
        difference: trained minus default loss of each tested review (n,), e.g. in nats.
        training_reviews: on how many reviews the parameters of its fold were trained (n,).
        clusters: the tested reviews' cards and days.
    """
    points = tuple(_point(int(size), difference, training_reviews, clusters) for size in np.unique(training_reviews))
    pays_from = None
    for point in reversed(points):
        if point.difference.side() != -1:
            break
        pays_from = point.training_reviews
    return LearningCurve(points, pays_from)


def _point(size: int, difference: Floats, training_reviews: Ints, clusters: Clusters) -> LearningPoint:
    fold = training_reviews == size
    own = clusters.take(fold)
    return LearningPoint(size, int(fold.sum()), own.cards, own.days, paired_difference(difference[fold], own))
