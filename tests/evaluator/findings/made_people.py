"""People whose cards are each reviewed once, with presets, decks, outcomes and predictions as a test needs them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Callable, Mapping, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt
from made_logs import CLOCK, card, log_of, moment

from evaluator.algorithms import CATALOG
from evaluator.data.revlog import Cards, Deck, Preset, Snapshot
from evaluator.evaluation import prepare
from evaluator.fitting.fit import Fitted
from evaluator.options import Options
from evaluator.report import ADJUSTED, OWN, Failure
from evaluator.scoring.evidence import Evidence
from evaluator.scoring.report_builder import Evaluation, ReportBuilder
from evaluator.sections import EMPTY_SECTIONS

Array = npt.NDArray[Any]

#: Number of all reviews.
ALL = 1501
#: Number of the first reviews, which are not scored.
TRAINING = 251
SCORED = ALL - TRAINING
DAYS = 60
PUBLISHED = tuple(p.default for p in CATALOG["FSRS-6 default"].parameters)
OWN_PARAMETERS = (*(w / 10 for w in PUBLISHED[:4]), *PUBLISHED[4:])
#: What the published parameters predict for every scored review, a day after Good.
AFTER_A_DAY = (1 + (0.9 ** (-1 / PUBLISHED[20]) - 1) / PUBLISHED[2]) ** -PUBLISHED[20]
A, B, C = (Preset(number, name, (), 0.9) for number, name in ((1, "A"), (2, "B"), (3, "C")))


def even_outcomes(count: int, share: float) -> Array:
    """Return outcomes with this share remembered, spread evenly."""
    return np.diff(np.floor(np.arange(count + 1) * share + 1e-9)).astype(np.int64)


def shuffled_labels(sizes: Mapping[int, int], seed: int = 1) -> Array:
    """Return these numbers of scored reviews with each label in random order, after training reviews of all."""
    labels = np.repeat(list(sizes), list(sizes.values()))
    assert len(labels) == SCORED
    return np.append(np.resize(list(sizes), TRAINING), np.random.default_rng(seed).permutation(labels))


def outcomes(label: Array, shares: Mapping[int, float]) -> Array:
    """Return outcomes with each label's share remembered among its scored reviews."""
    result = np.append(even_outcomes(TRAINING, 0.8), np.zeros(SCORED, dtype=np.int64))
    for value, share in shares.items():
        indices = TRAINING + np.flatnonzero(label[TRAINING:] == value)
        result[indices] = even_outcomes(len(indices), share)
    return result


def day_and_minute(number: int) -> Tuple[int, int]:
    """Return when this card is learned. Its review is a day later."""
    return number * DAYS // ALL, number * DAYS % ALL // DAYS


def changed_before_last(reviews: int, preset: Preset = A) -> Preset:
    """Return the preset with parameters of its own since just before the last ``reviews`` reviews of all."""
    day, minute = day_and_minute(ALL - reviews)
    return replace(preset, parameters=OWN_PARAMETERS, changed=moment(day + 1, minute) // 1000 - 1)


def person(
    *presets: Preset,
    preset_id: Optional[Array] = None,
    recalled: Optional[Array] = None,
    deleted: Any = (),
    deck_id: Optional[Array] = None,
    decks: Sequence[Deck] = (),
    fsrs: Optional[bool] = True,
) -> Snapshot:
    """Return the collection of a person who has reviewed ``ALL`` cards, each a day after it was learned.

    Those that are scored were learned with Good, and earlier ones with Easy.

    Args:
        presets: the presets of the collection.
        preset_id: id of each card's preset, by default that of the first.
        recalled: whether each card was remembered, by default nine of ten.
        deleted: numbers of the cards that no longer exist.
        deck_id: id of each card's deck.
        decks: the decks of the collection.
        fsrs: whether FSRS is on.
    """
    numbers = np.random.default_rng(0).permutation(ALL) + 5000
    answers = []
    for k, passed in enumerate(even_outcomes(ALL, 0.9) if recalled is None else recalled):
        day, minute = day_and_minute(k)
        history = card(int(numbers[k]), 3 if k >= TRAINING else 4, (1, 3 if passed else 1), start=day)
        answers += [answer._replace(minute=minute) for answer in history]
    preset_id = np.full(ALL, presets[0].preset_id) if preset_id is None else preset_id
    deck_id = np.ones(ALL, dtype=np.int64) if deck_id is None else deck_id
    kept = np.random.default_rng(2).permutation(np.setdiff1d(np.arange(ALL), deleted))
    cards = Cards(numbers[kept], deck_id[kept], preset_id[kept])
    return Snapshot(log_of(answers), CLOCK, cards=cards, presets=presets, decks=tuple(decks), fsrs=fsrs)


def evidence_of(
    *presets: Preset, predicted: Mapping[str, Any] = {}, optimize: Optional[Callable[..., Any]] = None, **given: Any
) -> Evidence:
    """Return the evidence of a person.

    Args:
        presets: the presets of the collection.
        predicted: predictions by row, an array of the scored reviews or a number. The usual rows predict 90%.
        optimize: replacement of Anki's optimizer, which by default keeps the parameters.
        **given: further arguments of :func:`person`.
    """
    snapshot = person(*presets, **given)
    evidence = Evidence.of(snapshot, Options(), prepare(snapshot, Options())[0])
    assert len(evidence.tested) == SCORED
    fitted = {}
    for name, value in {OWN: 0.9, "FSRS-6": 0.9, ADJUSTED: 0.88, **predicted}.items():
        if value is not None:
            row = Fitted.without_training(np.zeros(SCORED) + value, np.tile(PUBLISHED, (5, 1)))
            fitted[name] = replace(row, in_sample=name == OWN)
    return replace(evidence, fitted=fitted, optimize=optimize or (lambda _rows, current: current or PUBLISHED))


def evaluation_of(evidence: Evidence, unfinished: Sequence[str] = (), failed: Sequence[str] = ()) -> Evaluation:
    """Return the evaluation of the evidence's rows, without findings, and with these rows unfinished or failed."""
    names = [*evidence.fitted, *failed]
    builder = ReportBuilder(replace(evidence, fitted={}), (), [*names, *unfinished], EMPTY_SECTIONS)
    for name, fitted in evidence.fitted.items():
        builder.add(CATALOG[name], fitted)
    for name in failed:
        builder.fail(CATALOG[name], Failure("arithmetic", {"detail": ""}))
    return builder.evaluation()
