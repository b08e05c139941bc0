"""Which scheduler the person uses now, and whether another one, or parameters trained anew, would predict better."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional, Tuple

import numpy as np

from .algorithms import CATALOGUE
from .errors import DecksUnknown
from .fitting.preset_parameters import has_parameters, is_published
from .report import Basis, Comparison, Scheduler, TrainedAnew
from .revlog import Clock, Ints, Preset
from .scope import WHOLE_DAY_TABLE
from .sections.members import Members, members
from .statistics.paired import comparison, comparisons_by_group
from .statistics.population import with_chance
from .verdict import HEADLINES, SM2

if TYPE_CHECKING:
    from .evidence import Evidence

#: The parameters that are in the presets now, and those that Anki uses where no preset has any.
OWN, PUBLISHED = "Your parameters", "FSRS-6 default"
#: Of the version of FSRS that presets run, what is trained anew: the first of these that was run.
FSRS_7 = ("FSRS-7", "FSRS-7 recency")
TRAINED = {6: tuple(name for name in HEADLINES if CATALOGUE[name].trained and name not in FSRS_7), 7: FSRS_7}


def scheduler_in_use(evidence: Evidence) -> Optional[Scheduler]:
    """What the settings of the collection and the algorithms that have finished say; None where the former are unknown.

    Whether FSRS is on is one setting for all presets, so it is compared with SM-2 on the whole collection only, and
    parameters on the whole collection or a whole preset. Nothing is compared where reviews were kept from the
    algorithms, by a start date or without same-day reviews: Anki keeps none from them; nor in the same-day table, as
    Anki's FSRS counts whole days.
    """
    fsrs, options, part = evidence.fsrs, evidence.options, evidence.choice.kind
    if fsrs is None:
        return None
    usual = options.since is None and options.same_day and options.table == WHOLE_DAY_TABLE
    if not usual or part not in ("collection", "preset"):
        return Scheduler(fsrs)
    if fsrs:
        return Scheduler(fsrs, trained_anew=_trained_anew(evidence))
    return Scheduler(fsrs, _against_sm2(evidence) if part == "collection" else None)


def _against_sm2(evidence: Evidence) -> Optional[Comparison]:
    fitted = evidence.fitted
    name, sm2 = (next((name for name in names if name in fitted), None) for names in (HEADLINES, SM2))
    if name is None or sm2 is None:
        return None
    return evidence.scoring.compare(name, fitted[name].predicted, sm2, fitted[sm2].predicted)


def _trained_anew(evidence: Evidence) -> Tuple[TrainedAnew, ...]:
    """All presets together, then each of those in use with reviews that its parameters cannot have been fitted on.

    Empty where an algorithm is missing, or the age of some parameters is not known; and where presets run different
    versions of FSRS, which no single algorithm stands for.
    """
    fitted, presets = evidence.fitted, {preset.preset_id: preset for preset in evidence.data.presets}
    own = OWN if any(map(has_parameters, presets.values())) else PUBLISHED
    try:
        in_use = [group for group in members(evidence, "preset") if group.label in presets]
    except DecksUnknown:
        return ()
    versions = {presets[group.label].fsrs_version for group in in_use}
    names = TRAINED[versions.pop()] if len(versions) == 1 else ()
    trained = next((name for name in names if name in fitted), None)
    if own not in fitted or trained is None:
        return ()
    unseen = [_unseen(group, presets[group.label], evidence.tested.review_id) for group in in_use]
    known = [reviews for reviews in unseen if reviews is not None]
    if len(known) < len(unseen):
        return ()
    number = np.repeat(np.arange(len(known)), [len(reviews) for reviews in known])
    order = np.argsort(np.concatenate(known), kind="stable")
    reviews, number = np.concatenate(known)[order], number[order]
    if not len(reviews):
        return (TrainedAnew(None, None, Basis(0, 0, 0), None),)
    scoring = evidence.scoring
    difference = (scoring.loss(fitted[trained].predicted) - scoring.loss(fitted[own].predicted))[reviews]
    clusters = scoring.clusters.take(reviews)
    compared_in_all = with_chance(comparison(trained, own, difference, clusters), len(reviews))
    total = TrainedAnew(None, None, clusters.basis, compared_in_all)
    found: List[TrainedAnew] = []
    compared = iter(comparisons_by_group(trained, own, difference, number, clusters))
    for place, group in enumerate(in_use):
        part = number == place
        if part.any():
            date = _date_changed(presets[group.label], evidence.clock)
            found.append(
                TrainedAnew(group.name, date, clusters.take(part).basis, with_chance(next(compared), int(part.sum())))
            )
    return (total, *found)


def _unseen(group: Members, preset: Preset, review_id: Ints) -> Optional[Ints]:
    """Which of the scored reviews of a preset's cards came after its last change; None where that is not known."""
    if is_published(preset):
        return group.review
    return None if preset.changed is None else group.review[review_id[group.review] > preset.changed * 1000]


def _date_changed(preset: Preset, clock: Clock) -> Optional[str]:
    if preset.changed is None or is_published(preset):
        return None
    return clock.date_of(int(clock.day_of(np.int64(preset.changed * 1000)))).isoformat()  # type: ignore[arg-type]
