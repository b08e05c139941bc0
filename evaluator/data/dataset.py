"""The data that every algorithm gets: the rows that count, the target reviews, the folds, and decks and presets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Dict, Iterator, Optional, Sequence, Tuple

import numpy as np

from ..errors import DecksUnknown
from .folds import Fold
from .histories import Histories, Inputs
from .reviews import CardRows, Reviews, TargetReviews, locate_cards, restrict_rows, training_reviews_with_times
from .revlog import DELETED_CARD, Bools, Cards, Deck, Ints, Preset

#: Id of a review after all others, for folds that test none.
NEVER = np.iinfo(np.int64).max


@dataclass(eq=False)
class Dataset:
    """The data of one evaluation, for all algorithms.

    Tries are built on first use and kept. The review log from which :func:`evaluator.evaluation.prepare` makes a
    dataset is not kept.
    """

    rows: CardRows
    reviews: Reviews
    folds: Tuple[Fold, ...]
    cards: Optional[Cards] = None  #: None if the source has no cards
    since_day: float = -np.inf  #: first day that may be used for training, relative to the clock's ``next_day_at``
    presets: Sequence[Preset] = ()
    decks: Sequence[Deck] = ()
    has_exact_times: bool = True  #: False if only whole days between reviews are known

    def __post_init__(self) -> None:
        #: The id of the first review that each fold is tested on.
        self._first_tested = np.append(self.reviews.review_id, NEVER)[[fold.test_start for fold in self.folds]]
        self._labels: Dict[str, Ints] = {}
        self._histories: Dict[Inputs, Histories] = {}
        self._training: Dict[Inputs, Tuple[TargetReviews, Histories]] = {}

    def with_folds(self, *folds: Fold) -> Dataset:
        """Return the same table with other folds. The two datasets share their tries."""
        dataset: Dataset = replace(self, folds=folds)
        dataset._histories = self._histories
        dataset._training = self._training
        return dataset

    def histories(self, inputs: Inputs) -> Histories:
        """Return the trie of the whole table."""
        if inputs not in self._histories:
            self._histories[inputs] = Histories.of(self.rows, self.reviews, inputs)
        return self._histories[inputs]

    def training(self, inputs: Inputs) -> Tuple[TargetReviews, Histories]:
        """Return the reviews to train on, in review order, and their trie.

        These are the reviews of the table. Algorithms with fractional inputs are trained on all reviews of the same-day
        table, including those of cards that are not in the whole-day table.
        """
        if not inputs.fractional:
            return self.reviews, self.histories(inputs)
        if inputs not in self._training:
            reviews = training_reviews_with_times(self.rows, self.since_day)
            if np.array_equal(reviews.row, self.reviews.row):
                return self.reviews, self.histories(inputs)
            # Free memory for the larger trie.
            self._histories.pop(inputs, None)
            self._training[inputs] = reviews, Histories.of(self.rows, reviews, inputs)
        return self._training[inputs]

    def training_stop(self, reviews: TargetReviews, fold: int) -> int:
        """Return how many of these training reviews precede the first test review of the fold with this index."""
        return int(np.searchsorted(reviews.review_id, self._first_tested[fold]))

    def partitions(self, by: str, *, deleted_apart: bool = True) -> Iterator[Tuple[int, Bools, Dataset]]:
        """Yield the id of each deck, preset or part, the mask of its reviews in the table, and its dataset.

        Args:
            by: "deck", "preset" or "part".
            deleted_apart: True if cards that no longer exist are a partition of their own. Otherwise they belong to the
                partition with the most reviews.

        Raises:
            DecksUnknown: if the source does not say which deck or preset a card belongs to.
        """
        row_label = self._label_rows(by)
        if not deleted_apart:
            values, counts = np.unique(row_label[self.reviews.row], return_counts=True)
            most_used = values[np.argmax(np.where(values == DELETED_CARD, 0, counts))]
            row_label = np.where(row_label == DELETED_CARD, most_used, row_label)
        review_label = row_label[self.reviews.row]
        for value in np.unique(review_label):
            yield int(value), review_label == value, self._subset(row_label == value)

    def _subset(self, row_mask: Bools) -> Dataset:
        """Return the dataset of the masked rows and their reviews, with folds that are tested from the same instants.

        All rows of a card are masked alike.
        """
        review_mask = row_mask[self.reviews.row]
        reviews_before = np.append(0, np.cumsum(review_mask))
        folds = (Fold(*reviews_before[[fold.test_start, fold.test_stop]].tolist()) for fold in self.folds)
        rows, reviews = restrict_rows(self.rows, self.reviews.take(review_mask), row_mask)
        subset: Dataset = replace(self, rows=rows, reviews=reviews, folds=tuple(folds))
        # The subset may have no review at the start of a fold.
        subset._first_tested = self._first_tested
        return subset

    def of_active_cards(self) -> Dataset:
        """Return the dataset without the cards that are suspended or buried now."""
        cards = self.cards
        if cards is None or cards.set_aside is None:
            return self
        return self._subset(~np.isin(self.rows.card_id, cards.card_id[cards.set_aside]))

    def without_cards_reviewed_before(self, instant_ms: int) -> Dataset:
        """Return the dataset without the cards that Anki ignores when it optimizes a preset.

        With "Ignore cards reviewed before" Anki ignores a card, with all its reviews, if its history starts before that
        instant. If the card was learned again as a new one, its history starts there.
        """
        rows = self.rows
        row_mask = (rows.review_id[rows.position == 0] >= instant_ms)[rows.card]
        return self if row_mask.all() else self._subset(row_mask)

    def label(self, by: str) -> Ints:
        """Return the deck, preset or part of each review's card.

        It is DELETED_CARD for cards that no longer exist.

        Args:
            by: "deck", "preset" or "part".

        Raises:
            DecksUnknown: if the source does not say.
        """
        if by not in self._labels:
            self._labels[by] = self._label_rows(by)[self.reviews.row]
        return self._labels[by]

    def label_with_deleted(self) -> Ints:
        """Return the preset of each review's card, where deleted cards belong to the only preset in use.

        If all reviewed cards are deleted, that is the only preset of the collection. If several presets are in use,
        deleted cards stay DELETED_CARD.

        Raises:
            DecksUnknown: if the source does not say which preset a card belongs to.
        """
        label = self.label("preset")
        in_use = set(np.unique(label).tolist()) - {DELETED_CARD} or {preset.preset_id for preset in self.presets}
        if len(in_use) == 1:
            label = np.where(label == DELETED_CARD, in_use.pop(), label)
        return label

    def _label_rows(self, by: str) -> Ints:
        """Return the deck, preset or part of each row's card, as :meth:`label` does for reviews."""
        cards = self.cards
        column = {"deck": cards.deck_id, "preset": cards.preset_id, "part": cards.part}[by] if cards else None
        if cards is None or column is None:
            raise DecksUnknown(what=by)
        card_id = self.rows.card_id
        label = np.full(len(card_id), DELETED_CARD, dtype=np.int64)
        if len(cards.card_id):
            position, exists = locate_cards(cards.card_id, card_id)
            label[exists] = column[position[exists]]
        return label
