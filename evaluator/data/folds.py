"""Time-ordered folds, which train on the past and test on the reviews after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

from ..errors import TooFewReviews


@dataclass(frozen=True)
class Fold:
    """Rows [0, test_start) of the table train, rows [test_start, test_stop) test."""

    test_start: int
    test_stop: int

    @property
    def tested(self) -> slice:
        """The test rows."""
        return slice(self.test_start, self.test_stop)


def split(n_reviews: int, n_folds: int) -> Tuple[Fold, ...]:
    """Return expanding-window folds over a table in review order, as scikit-learn's ``TimeSeriesSplit(n_folds)``.

    With m = n_reviews // (n_folds + 1), the last n_folds * m rows are tested, m rows per fold. Each fold is trained on
    all rows before its test rows.

    Args:
        n_reviews: number of rows of the table.
        n_folds: number of folds, at least 1.

    Raises:
        TooFewReviews: if there are fewer reviews than n_folds + 1.
    """
    size = n_reviews // (n_folds + 1)
    if size == 0:
        raise TooFewReviews(reviews=n_reviews, needed=n_folds + 1, folds=n_folds)
    first = n_reviews - n_folds * size
    return tuple(Fold(first + k * size, first + (k + 1) * size) for k in range(n_folds))
