"""What every algorithm is given: the rows that count, the table of reviews, the folds, and the cards' decks."""

from __future__ import annotations

from typing import Container, Dict, Iterator, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ..errors import DecksUnknown
from ..folds import Fold
from ..histories import Histories, Inputs
from ..reviews import SMALL, CardRows, Reviews
from ..revlog import Cards, Ints

#: The deck or preset of cards that no longer exist.
NONE = -1


class Dataset:
    """The data of one evaluation, for all algorithms; tries are built when first asked for, and kept."""

    def __init__(
        self, rows: CardRows, reviews: Reviews, folds: Tuple[Fold, ...], cards: Optional[Cards] = None
    ) -> None:
        self.rows = rows
        self.reviews = reviews
        self.folds = folds
        self._cards = cards
        self._histories: Dict[Inputs, Histories] = {}
        self._training: Dict[Inputs, Tuple[Reviews, Histories]] = {}

    def divided(self, *folds: Fold) -> Dataset:
        """The same table with other folds; the tries that either of the two has made are those of both."""
        other = Dataset(self.rows, self.reviews, folds, self._cards)
        other._histories, other._training = self._histories, self._training
        return other

    def histories(self, inputs: Inputs) -> Histories:
        """The trie of the whole table."""
        if inputs not in self._histories:
            self._histories[inputs] = Histories.of(self.rows, self.reviews, inputs)
        return self._histories[inputs]

    def forget_all_but(self, needed: Container[Inputs]) -> None:
        """Free the memory of the tries for other inputs than ``needed``; asked for again, they are built again."""
        self._histories = {inputs: trie for inputs, trie in self._histories.items() if inputs in needed}
        self._training = {inputs: trie for inputs, trie in self._training.items() if inputs in needed}

    def training(self, inputs: Inputs) -> Tuple[Reviews, Histories]:
        """The reviews to train on, in review order, and their trie.

        They are those of the table; for fractional inputs the same-day reviews, too.
        """
        if not inputs.fractional:
            return self.reviews, self.histories(inputs)
        if inputs not in self._training:
            reviews = self._with_same_day_reviews()
            self._training[inputs] = reviews, Histories.of(self.rows, reviews, inputs)
        return self._training[inputs]

    def _with_same_day_reviews(self) -> Reviews:
        rows = self.rows
        later = np.flatnonzero(rows.elapsed_seconds > 0)
        later = later[np.isin(rows.card_id[later], self.reviews.card_id)]
        later = later[rows.review_id[later] >= self.reviews.review_id[0]] if len(self.reviews) else later
        later = later[np.argsort(rows.review_id[later], kind="stable")]
        unused = np.zeros(len(later), dtype=SMALL)
        return Reviews(
            row=later.astype(SMALL),
            review_id=rows.review_id[later],
            card_id=rows.card_id[later],
            day=unused,
            elapsed_days=rows.elapsed_days[later],
            review_number=unused,
            lapses=unused,
            recalled=(rows.rating[later] > 1).astype(SMALL),
        )

    def training_stop(self, reviews: Reviews, fold: int) -> int:
        """How many of these training reviews come before the fold's first test review."""
        start = self.folds[fold].test_start
        if start >= len(self.reviews):
            return len(reviews)
        return int(np.searchsorted(reviews.review_id, self.reviews.review_id[start]))

    def partitions(self, by: str) -> Iterator[Tuple[int, npt.NDArray[np.bool_], Dataset]]:
        """For each deck or preset its id, its reviews as a mask of the table, and a dataset of these alone.

        Raises:
            DecksUnknown: the source does not say which deck or preset a card belongs to.
        """
        label = self.label(by)
        for value in np.unique(label):
            yield int(value), label == value, self._where(label == value)

    def _where(self, mask: npt.NDArray[np.bool_]) -> Dataset:
        before = np.concatenate(([0], np.cumsum(mask)))
        folds = tuple(Fold(int(before[fold.test_start]), int(before[fold.test_stop])) for fold in self.folds)
        return Dataset(self.rows, self.reviews.take(mask), folds, self._cards)

    def label(self, by: str) -> Ints:
        """The deck or preset ("deck", "preset") of each review's card; NONE for cards that no longer exist.

        Raises:
            DecksUnknown: the source does not say.
        """
        cards = self._cards
        column = None if cards is None else cards.preset_id if by == "preset" else cards.deck_id
        if cards is None or column is None:
            raise DecksUnknown(what=by)
        order = np.argsort(cards.card_id)
        label = np.full(len(self.reviews), NONE, dtype=np.int64)
        if len(order):
            found = order[np.minimum(np.searchsorted(cards.card_id[order], self.reviews.card_id), len(order) - 1)]
            exists = cards.card_id[found] == self.reviews.card_id
            label[exists] = column[found[exists]]
        return label
