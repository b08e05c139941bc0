"""The data that every algorithm gets: the rows that count, the target reviews, the folds, and decks and presets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Dict, Iterator, Optional, Sequence, Tuple

import numpy as np

from ..errors import DecksUnknown
from .folds import Fold
from .histories import Histories, Inputs
from .reviews import COMPACT_INT, CardRows, Reviews, TargetReviews, training_reviews_with_times
from .revlog import DELETED_CARD, Bools, Cards, Deck, Ints, Preset

#: The id of a review that comes after all others.
NEVER = np.iinfo(np.int64).max


@dataclass(eq=False)
class Dataset:
    """The data of one evaluation, for all algorithms.

    Tries are built on first use and kept. The snapshot's review log, from which :func:`evaluator.evaluation.prepare`
    makes it, is not kept.
    """

    rows: CardRows
    reviews: Reviews
    folds: Tuple[Fold, ...]
    cards: Optional[Cards] = None
    trained_on: Optional[Bools] = None  #: rows that may be used for training; None: all
    presets: Sequence[Preset] = ()
    decks: Sequence[Deck] = ()
    has_exact_times: bool = True  #: whether the seconds between reviews are known, not only whole days

    def __post_init__(self) -> None:
        rows, reviews, folds, trained_on = self.rows, self.reviews, self.folds, self.trained_on
        self._trained_on = np.ones(len(rows), dtype=bool) if trained_on is None else trained_on
        #: The id of the review that each fold is tested on first.
        self._first_tested = [
            int(reviews.review_id[fold.test_start]) if fold.test_start < len(reviews) else NEVER for fold in folds
        ]
        self._labels: Dict[str, Ints] = {}
        self._histories: Dict[Inputs, Histories] = {}
        self._training: Dict[Inputs, Tuple[TargetReviews, Histories]] = {}

    def with_folds(self, *folds: Fold) -> Dataset:
        """Return the same table with other folds. The two datasets share their tries."""
        other: Dataset = replace(self, folds=folds)
        other._histories, other._training = self._histories, self._training
        return other

    def histories(self, inputs: Inputs) -> Histories:
        """Return the trie of the whole table."""
        if inputs not in self._histories:
            self._histories[inputs] = Histories.of(self.rows, self.reviews, inputs)
        return self._histories[inputs]

    def training(self, inputs: Inputs) -> Tuple[TargetReviews, Histories]:
        """Return the reviews to train on, in review order, and their trie.

        They are those of the table. Fractional inputs get all that the same-day table has, including cards that are
        not in the whole-day table.
        """
        if not inputs.fractional:
            return self.reviews, self.histories(inputs)
        if inputs not in self._training:
            reviews = training_reviews_with_times(self.rows, self._trained_on)
            if np.array_equal(reviews.row, self.reviews.row):
                return self.reviews, self.histories(inputs)
            self._histories.pop(inputs, None)  # frees memory for the larger trie
            self._training[inputs] = reviews, Histories.of(self.rows, reviews, inputs)
        return self._training[inputs]

    def training_stop(self, reviews: TargetReviews, fold: int) -> int:
        """Return how many of these training reviews come before the fold's first test review."""
        return int(np.searchsorted(reviews.review_id, self._first_tested[fold]))

    def partitions(self, by: str, *, deleted_apart: bool = True) -> Iterator[Tuple[int, Bools, Dataset]]:
        """Yield each deck, preset or part: its id, the mask of its reviews in the table, and a dataset of these alone.

        Args:
            by: "deck", "preset" or "part".
            deleted_apart: whether cards that no longer exist are yielded by themselves. Otherwise they are counted
                with the most used of the others.

        Raises:
            DecksUnknown: the source does not say which deck or preset a card belongs to.
        """
        of_row = self._label_of_rows(by)
        if not deleted_apart:
            values, counts = np.unique(of_row[self.reviews.row], return_counts=True)
            most_used = values[np.argmax(np.where(values == DELETED_CARD, 0, counts))]
            of_row = np.where(of_row == DELETED_CARD, most_used, of_row)
        label = of_row[self.reviews.row]
        for value in np.unique(label):
            yield int(value), label == value, self._subset(label == value, of_row == value)

    def _subset(self, mask: Bools, kept: Bools) -> Dataset:
        """Return the masked reviews and the kept rows, so that many parts cost no more than one table."""
        before = np.concatenate(([0], np.cumsum(mask)))
        folds = tuple(Fold(int(before[fold.test_start]), int(before[fold.test_stop])) for fold in self.folds)
        rows = self.rows.take(kept)
        reviews = self.reviews.take(mask)
        reviews = replace(reviews, row=(np.cumsum(kept, dtype=COMPACT_INT) - 1)[reviews.row])
        part: Dataset = replace(self, rows=rows, reviews=reviews, folds=folds, trained_on=self._trained_on[kept])
        part._first_tested = self._first_tested
        return part

    def rows_of_cards_asked(self) -> CardRows:
        """Return the rows of all cards that are neither suspended nor buried now."""
        rows, cards = self.rows, self.cards
        if cards is None or cards.set_aside is None:
            return rows
        return rows.take(~np.isin(rows.card_id, cards.card_id[cards.set_aside]))

    def without_cards_reviewed_before(self, instant_ms: int) -> Dataset:
        """Return the dataset without the cards that Anki ignores when it optimizes a preset.

        With "Ignore cards reviewed before" Anki ignores a card, with all its reviews, if its history starts before that
        instant. If the card was learned again as a new one, its history starts there.
        """
        rows = self.rows
        kept = (rows.review_id[rows.position == 0] >= instant_ms)[rows.card]
        return self if kept.all() else self._subset(kept[self.reviews.row], kept)

    def label(self, by: str) -> Ints:
        """Return the deck, preset or part of each review's card.

        It is DELETED_CARD for cards that no longer exist.

        Args:
            by: "deck", "preset" or "part".

        Raises:
            DecksUnknown: the source does not say.
        """
        if by not in self._labels:
            self._labels[by] = self._label_of_rows(by)[self.reviews.row]
        return self._labels[by]

    def _label_of_rows(self, by: str) -> Ints:
        cards = self.cards
        column = {"deck": cards.deck_id, "preset": cards.preset_id, "part": cards.part}[by] if cards else None
        if cards is None or column is None:
            raise DecksUnknown(what=by)
        card_id = self.rows.card_id
        order = np.argsort(cards.card_id)
        label = np.full(len(card_id), DELETED_CARD, dtype=np.int64)
        if len(order):
            position = order[np.minimum(np.searchsorted(cards.card_id[order], card_id), len(order) - 1)]
            exists = cards.card_id[position] == card_id
            label[exists] = column[position[exists]]
        return label
