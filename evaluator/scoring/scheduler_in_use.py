"""Find the scheduler in use, and whether another one, or retrained parameters, would predict better."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from ..algorithms import CATALOG
from ..algorithms.algorithm import Parametric
from ..algorithms.your_parameters import as_fsrs6
from ..data.dataset import Dataset
from ..data.folds import Fold
from ..data.revlog import DELETED_CARD, Clock, Ints, Preset
from ..derivatives import Floats
from ..errors import OddParameters, OptimizerFailed
from ..fitting.anki_optimizer import Optimize
from ..fitting.predictor import Predictor
from ..fitting.preset_parameters import has_parameters, is_published
from ..fitting.training import train
from ..progress import SILENT, Progress
from ..report import Comparison, PredictionChange, RetrainedComparison, SampleSize, SchedulerInUse
from ..scope import WHOLE_DAY_TABLE
from ..statistics.paired import comparison, comparisons_by_group
from ..statistics.population import with_probability_better
from .review_groups import ReviewGroup, presets_in_use
from .verdict import HEADLINES, SM2

if TYPE_CHECKING:
    from .evidence import Evidence

#: The parameters that are in the presets now, and those that Anki uses if no preset has any.
OWN, PUBLISHED = "Your parameters", "FSRS-6 default"
#: Retrained for the presets' version of FSRS: the first of these that was run.
FSRS_7 = ("FSRS-7", "FSRS-7 recency")
TRAINED = {6: tuple(name for name in HEADLINES if CATALOG[name].trained and name not in FSRS_7), 7: FSRS_7}
#: What Anki's Optimize fits, by the version of FSRS: recent reviews weigh more there too.
OPTIMIZED: Dict[int, Parametric] = {6: CATALOG["FSRS-6 recency"], 7: CATALOG["FSRS-7 recency"]}  # type: ignore[dict-item]
#: Maximum number of a preset's rows for Anki's optimizer. A call cannot be cancelled; with this many it takes a second.
MAX_FOR_ANKI = 100_000


def scheduler_in_use(evidence: Evidence, progress: Progress = SILENT) -> Optional[SchedulerInUse]:
    """Describe the scheduler in use by Anki's settings and the finished algorithms; None without settings.

    Whether FSRS is on is one setting for all presets, so it is compared with SM-2 on the whole collection only, and
    parameters on the whole collection or a whole preset. Nothing is compared if reviews were kept from the
    algorithms, by a start date or without same-day reviews: Anki keeps none from them; nor in the same-day table, as
    Anki's FSRS counts whole days.
    """
    fsrs, options, part = evidence.fsrs, evidence.options, evidence.choice.kind
    if fsrs is None:
        return None
    usual = options.since is None and options.same_day and options.table == WHOLE_DAY_TABLE
    if not usual or part not in ("collection", "preset"):
        return SchedulerInUse(fsrs)
    if fsrs:
        return _parameters_in_use(evidence, progress)
    return SchedulerInUse(fsrs, _against_sm2(evidence) if part == "collection" else None)


def _parameters_in_use(evidence: Evidence, progress: Progress) -> SchedulerInUse:
    """Compare the parameters in the presets with newly trained ones.

    Nothing is compared if these parameters have no row, or if presets run different versions of FSRS, as no single
    algorithm stands for both.
    """
    own = OWN if any(map(has_parameters, evidence.data.presets)) else PUBLISHED
    in_use = presets_in_use(evidence)
    versions = {preset.fsrs_version for _group, preset in in_use}
    if own not in evidence.fitted or len(versions) != 1:
        return SchedulerInUse(True)
    (version,) = versions
    change = _prediction_change(
        evidence, evidence.fitted[own].predicted, OPTIMIZED[version], [group for group, _preset in in_use], progress
    )
    trained = next((name for name in TRAINED[version] if name in evidence.fitted), None)
    retrained = () if trained is None else _retrained_comparisons(evidence, own, trained, in_use)
    return SchedulerInUse(True, retrained=retrained, change=change)


def _prediction_change(
    evidence: Evidence, current: Floats, algorithm: Parametric, in_use: Sequence[ReviewGroup], progress: Progress
) -> PredictionChange:
    """Mean absolute change of the ``current`` predictions of all scored reviews in these presets, by optimizing."""
    predictor = Predictor(algorithm, evidence.data.histories(algorithm.inputs))
    parameters = dict(optimized(evidence.data, algorithm, progress, evidence.optimize))
    first, total = evidence.data.folds[0].test_start, 0.0
    for group in in_use:
        changed = predictor.predict(parameters[group.label], first + group.review) - current[group.review]
        total += float(np.abs(changed).sum())
    reviews = sum(len(group.review) for group in in_use)
    return PredictionChange(total / reviews, reviews)


def optimized(
    data: Dataset, algorithm: Parametric, progress: Progress = SILENT, optimize: Optional[Optimize] = None
) -> Iterator[Tuple[int, Floats]]:
    """Yield each preset's id and its parameters (P,), as Anki's Optimize would find them now.

    Anki's own optimizer finds them if it can be called, for FSRS-6. It stops at other parameters than ours, so without
    it, someone who has just optimized would be advised to do it again. A call cannot be cancelled, so a preset with
    more than MAX_FOR_ANKI rows is fitted by our optimizer to all its reviews; so it is if the call fails. Anki leaves
    out suspended cards; here buried ones are left out too, because the two are not distinguished.

    Cards that no longer exist have none: Anki cannot tell their preset either.

    Raises:
        DecksUnknown: the source does not say which preset a card belongs to.
    """
    default, end, done = np.array([[p.default for p in algorithm.parameters]]), len(data.reviews), 0.0
    for preset_id, mask, part in data.with_folds(Fold(end, end)).partitions("preset"):
        if preset_id != DELETED_CARD:
            share = float(mask.mean())
            result = _optimized_by_anki(part, optimize, preset_id) if algorithm is OPTIMIZED[6] else None
            if result is None:
                result = train(algorithm, part, default, progress.part(done, done + share))[0][0]
            yield preset_id, result
            done += share
            progress(done)


def _optimized_by_anki(part: Dataset, optimize: Optional[Optimize], preset_id: int) -> Optional[Floats]:
    rows = part.rows_of_cards_asked()
    if optimize is None or len(rows) > MAX_FOR_ANKI:
        return None
    current = next((preset.parameters for preset in part.presets if preset.preset_id == preset_id), ())
    try:
        return np.array(as_fsrs6(optimize(rows, current)))
    except (OddParameters, OptimizerFailed):
        return None


def _against_sm2(evidence: Evidence) -> Optional[Comparison]:
    fitted = evidence.fitted
    name, sm2 = (next((name for name in names if name in fitted), None) for names in (HEADLINES, SM2))
    if name is None or sm2 is None:
        return None
    return evidence.scoring.compare(name, fitted[name].predicted, sm2, fitted[sm2].predicted)


def _retrained_comparisons(
    evidence: Evidence, own: str, trained: str, in_use: Sequence[Tuple[ReviewGroup, Preset]]
) -> Tuple[RetrainedComparison, ...]:
    """Return all presets together, then each with reviews its parameters cannot have seen; empty if their age is
    unknown.
    """
    fitted = evidence.fitted
    unseen = [unseen_reviews(group, preset, evidence.tested.review_id) for group, preset in in_use]
    known = [reviews for reviews in unseen if reviews is not None]
    if len(known) < len(unseen):
        return ()
    number = np.repeat(np.arange(len(known)), [len(reviews) for reviews in known])
    order = np.argsort(np.concatenate(known), kind="stable")
    reviews, number = np.concatenate(known)[order], number[order]
    if not len(reviews):
        return (RetrainedComparison(None, None, SampleSize(0, 0, 0), None),)
    scoring = evidence.scoring
    difference = (scoring.loss(fitted[trained].predicted) - scoring.loss(fitted[own].predicted))[reviews]
    clusters = scoring.clusters.take(reviews)
    compared_in_all = with_probability_better(comparison(trained, own, difference, clusters), len(reviews))
    total = RetrainedComparison(None, None, clusters.basis, compared_in_all)
    result: List[RetrainedComparison] = []
    compared = iter(comparisons_by_group(trained, own, difference, number, clusters))
    for index, (group, preset) in enumerate(in_use):
        part = number == index
        if part.any():
            date = _date_changed(preset, evidence.clock)
            result.append(
                RetrainedComparison(
                    group.name,
                    date,
                    clusters.take(part).basis,
                    with_probability_better(next(compared), int(part.sum())),
                )
            )
    return (total, *result)


def unseen_reviews(group: ReviewGroup, preset: Preset, review_id: Ints) -> Optional[Ints]:
    """Return which of the scored reviews of a preset's cards came after its last change; None if that is not known."""
    if is_published(preset):
        return group.review
    return None if preset.changed is None else group.review[review_id[group.review] > preset.changed * 1000]


def _date_changed(preset: Preset, clock: Clock) -> Optional[str]:
    if preset.changed is None or is_published(preset):
        return None
    return clock.date_of(int(clock.day_of(np.int64(preset.changed * 1000)))).isoformat()  # type: ignore[arg-type]
