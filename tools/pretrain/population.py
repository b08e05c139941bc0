"""The tables of many learners as one, cut into batches of cards."""

from __future__ import annotations

from dataclasses import fields
from typing import Iterator

import numpy as np

from evaluator.fitting.dataset import Dataset
from evaluator.reviews import CardRows, Reviews
from evaluator.revlog import Ints
from tools.pretrain.learners import study

LEAST_CARDS, MOST_CARDS = 60, 240  #: of one learner


def population(seed: int, learners: int) -> tuple[CardRows, Reviews]:
    """The tables of that many learners, one below the other; card ids differ between them."""
    parts = []
    for own_seed in np.random.SeedSequence(seed).spawn(learners):
        random = np.random.default_rng(own_seed)
        parts.append(study(random, int(random.integers(LEAST_CARDS, MOST_CARDS))))
    return _joined(parts)


def batches(rows: CardRows, reviews: Reviews, count: int, seed: int) -> Iterator[Dataset]:
    """Deal all cards at random to ``count`` tables."""
    cards, which = np.unique(rows.card_id, return_inverse=True)
    batch = np.random.default_rng(seed).permutation(len(cards)) % count
    of_row = batch[which]
    for number in range(count):
        here = of_row == number
        yield Dataset(*_only(rows, reviews, here), ())


def _only(
    rows: CardRows, reviews: Reviews, here: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> tuple[CardRows, Reviews]:
    part = CardRows(**{f.name: getattr(rows, f.name)[here] for f in fields(CardRows)})
    kept = reviews.take(here[reviews.row])
    columns = {**kept.__dict__, "row": (np.cumsum(here) - 1)[kept.row]}
    return part, Reviews(**columns)


def _joined(parts: list[tuple[CardRows, Reviews]]) -> tuple[CardRows, Reviews]:
    row_start = np.cumsum([0, *(len(rows) for rows, _ in parts)])

    def columns(kind: type, number: int, moved: dict[str, Ints]) -> dict[str, Ints]:
        whole = {}
        for f in fields(kind):
            shift = moved.get(f.name, np.zeros(len(parts), dtype=np.int64))
            whole[f.name] = np.concatenate(
                [getattr(p[number], f.name) + by for p, by in zip(parts, shift, strict=False)]
            )
        return whole

    apart = np.arange(len(parts)) * 10 * MOST_CARDS
    rows = columns(CardRows, 0, {"card_id": apart})
    reviews = columns(Reviews, 1, {"card_id": apart, "row": row_start})
    order = np.argsort(reviews["review_id"], kind="stable")
    return CardRows(**rows), Reviews(**{name: column[order] for name, column in reviews.items()})
