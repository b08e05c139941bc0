"""The presets that a collection uses, and what their reviews can test."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Sequence, Tuple

import numpy as np

from ..algorithms.your_parameters import is_published, preset_ids
from ..data.dataset import Dataset
from ..data.revlog import DELETED_CARD, Bools, Ints, Preset
from ..derivatives import Floats
from ..errors import DecksUnknown, NoParameters
from ..report import DEFAULT_RETENTION


class PresetsInUse:
    """The presets of the scored reviews, and the preset of each review.

    Cards that no longer exist have the only preset in use. If there are several, they have none, but their reviews are
    predicted with the parameters of the most used one.
    """

    def __init__(self, data: Dataset) -> None:
        """Find the presets in use. There are none if the source does not say which preset a card has."""
        self._data = data
        self._start = data.folds[0].test_start
        n_reviews = len(data.reviews)
        #: (N,) which reviews are of cards that no longer exist, and have no preset.
        self.is_deleted: Bools = np.zeros(n_reviews, dtype=bool)
        #: (N,) the id of the preset whose parameters predict each review.
        self.predicting_preset_ids: Ints = np.full(n_reviews, DELETED_CARD)
        #: The presets with scored reviews, the most used first.
        self.presets: Tuple[Preset, ...] = ()
        try:
            self.predicting_preset_ids = preset_ids(data)
        except (DecksUnknown, NoParameters):
            return
        self.is_deleted = data.label_with_deleted() == DELETED_CARD
        has_preset = ~self.is_deleted[self._start :]
        counts = Counter(self.predicting_preset_ids[self._start :][has_preset].tolist())
        by_id = {preset.preset_id: preset for preset in data.presets}
        self.presets = tuple(by_id[preset_id] for preset_id, _count in counts.most_common())

    @property
    def all_deleted(self) -> bool:
        """Whether no scored card exists any more, so that its preset is not known."""
        return not self.presets and bool(self.is_deleted[self._start :].all())

    def testable_reviews(self, presets: Sequence[Preset]) -> Bools:
        """Return which scored reviews (n,) can test the parameters of these presets.

        The published parameters were fitted to none of them. Other parameters can only be tested on reviews made since
        the preset was last changed, or on none if that is not known.
        """
        preset_id = self.predicting_preset_ids[self._start :]
        review_id = self._data.reviews.review_id[self._start :]
        result: Bools = np.zeros(len(review_id), dtype=bool)
        for preset in presets:
            if is_published(preset):
                result |= preset_id == preset.preset_id
            elif preset.changed is not None:
                result |= (preset_id == preset.preset_id) & (review_id > preset.changed * 1000)
        return result

    @cached_property
    def desired_retentions(self) -> Floats:
        """The desired retention of each scored review (n,), which is the deck's own or that of its preset."""
        preset_id = self.predicting_preset_ids[self._start :]
        retentions = np.full(len(preset_id), DEFAULT_RETENTION)
        groups = [(preset_id, preset.preset_id, preset.desired_retention) for preset in self._data.presets]
        if self.presets and self._data.decks:
            deck_id = self._data.label("deck")[self._start :]
            groups += [(deck_id, deck.deck_id, deck.desired_retention) for deck in self._data.decks]
        for label, value, retention in groups:
            if retention is not None and 0 < retention < 1:
                retentions[label == value] = retention
        return retentions
