"""Time-ordered folds: always train on the past, test on what came next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

from ..errors import BadOption, TooFewReviews


@dataclass(frozen=True)
class Fold:
    """Rows [0, test_start) of the table train, rows [test_start, test_stop) test."""

    test_start: int
    test_stop: int


def check_number_of_folds(folds: int) -> None:
    """Raise BadOption unless the number of folds is from 2 to 100."""
    if not 2 <= folds <= 100:
        raise BadOption(option="folds", value=folds, allowed="folds")


def split(reviews: int, folds: int) -> Tuple[Fold, ...]:
    """Return expanding-window folds over a table in review order, as scikit-learn's ``TimeSeriesSplit(folds)``.

    With m = reviews // (folds + 1), the last folds * m rows are tested, m by m; each training set is all that comes
    before. The test parts of all folds are consecutive without a gap.

    Raises:
        BadOption: fewer than 2 folds, or more than 100.
        TooFewReviews: fewer reviews than folds + 1.
    """
    check_number_of_folds(folds)
    size = reviews // (folds + 1)
    if size == 0:
        raise TooFewReviews(reviews=reviews, needed=folds + 1, folds=folds)
    first = reviews - folds * size
    return tuple(Fold(first + k * size, first + (k + 1) * size) for k in range(folds))
