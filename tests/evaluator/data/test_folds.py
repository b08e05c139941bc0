from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.data.folds import Fold, split
from evaluator.errors import BadOption, TooFewReviews
from evaluator.options import Options


def test_twenty_reviews_make_five_folds_of_three():
    """Each fold has 20 // 6 = 3 reviews, so that the first 20 - 5 * 3 = 5 reviews only train."""
    assert split(20, 5) == (Fold(5, 8), Fold(8, 11), Fold(11, 14), Fold(14, 17), Fold(17, 20))


@given(st.integers(0, 100_000), st.integers(2, 100))
def test_folds_follow_each_other_to_the_end(reviews, folds):
    size = reviews // (folds + 1)
    if size == 0:
        with pytest.raises(TooFewReviews) as caught:
            split(reviews, folds)
        assert caught.value.facts == {"reviews": reviews, "needed": folds + 1, "folds": folds}
        return
    result = split(reviews, folds)
    assert [fold.test_stop - fold.test_start for fold in result] == [size] * folds
    assert [fold.test_start for fold in result[1:]] == [fold.test_stop for fold in result[:-1]]
    assert result[-1].test_stop == reviews
    assert result[0].test_start == reviews - folds * size >= size


@pytest.mark.parametrize("folds", [-1, 0, 1, 101])
def test_impossible_numbers_of_folds_are_refused(folds):
    with pytest.raises(BadOption) as caught:
        Options(folds=folds).algorithms_to_run()
    assert caught.value.facts["option"] == "folds"
    assert caught.value.facts["value"] == folds
