"""Does the winner depend on how it is asked? The same question again with other choices that one might have made.

Some choices only concern which predictions are scored and how; the others need the whole evaluation again, for the
verdict's pair and the best. Nothing in it is random.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ..errors import EvaluatorError
from ..report import Basis, Comparison, Failure
from ..revlog import Ints
from ..scope import SAME_DAY_TABLE
from ..statistics.paired import Clusters, comparison, later_half, paired_difference
from .section import Section

if TYPE_CHECKING:
    from ..evidence import Evidence
    from ..options import Options
    from ..progress import Progress
    from ..report import Report

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

#: Predictions are kept so far from 0 and 1 in the variant that clips them.
CLIP = 0.01


@dataclass(frozen=True)
class SensitivityRow:
    """The verdict's comparison under one other way to count."""

    name: str  #: key of its words
    basis: Optional[Basis]  #: None, as all that follows, where ``error`` says why
    comparison: Optional[Comparison]  #: of the verdict's pair
    winner: Optional[str]  #: the lowest log loss of those that were compared
    #: "same" winner as in the report, "other" (another one, not clearly better), or "other_clearly"
    code: Optional[str]
    error: Optional[Failure] = None  #: why it could not be asked so


@dataclass(frozen=True)
class Sensitivity:
    """The variants beside the report's own way to ask."""

    algorithms: Tuple[str, ...]  #: that were compared: the verdict's pair and the best
    reference: SensitivityRow
    variants: Tuple[SensitivityRow, ...]
    complete: bool  #: False: those for which the review log itself is needed are missing


def compute(report: Report, evidence: Evidence, _names: Sequence[str], progress: Progress) -> Optional[Sensitivity]:
    """A row for each variant; None where the verdict compares nothing."""
    names = _compared(report, evidence)
    if not names:
        return None
    pair = report.verdict.algorithm or "", report.verdict.baseline or ""
    progress(0.0)
    reference, *asked = _asked_of_predictions(names, pair, evidence)
    again = _options(evidence) if evidence.snapshot is not None else {}
    for done, (name, options) in enumerate(again.items()):
        start, share = 0.05 + 0.95 * done / len(again), 0.95 / len(again)
        part = progress.part(start, start + share)
        asked.append(_evaluated(name, _only(options, names), pair, reference, evidence, part))
    first = winner(names, reference.losses)
    variants = tuple(one.row(first) for one in asked)
    return Sensitivity(names, reference.row(first), variants, complete=evidence.snapshot is not None)


def winner(names: Sequence[str], losses: Floats) -> str:
    """The algorithm with the lowest mean of its losses (K, n); of equal ones the first."""
    return names[int(losses.mean(axis=1).argmin())]


def winner_code(names: Sequence[str], losses: Floats, clusters: Clusters, reference: str) -> str:
    """How the winner compares to the reference: "same", "other", or "other_clearly" (clearly better than that one).

    Winner and interval come from the same reviews, which flatters the winner: it is no test.
    """
    found = winner(names, losses)
    if found == reference:
        return "same"
    against = paired_difference(losses[names.index(found)] - losses[names.index(reference)], clusters)
    return "other_clearly" if against.side() == -1 else "other"


def halves(day: Ints) -> Mapping[str, Bools]:
    """The earlier and the later half of the reviews by time, as masks (n,); a day is never divided.

    The border is that of :func:`later_half`. Of one day there are no halves: no masks.

    Args:
        day: of each review (n,), in any order.
    """
    days, count = np.unique(day, return_counts=True)
    if len(days) < 2:
        return {}
    border = days[later_half(count)]
    return {"earlier_half": day < border, "later_half": day >= border}


def _compared(report: Report, evidence: Evidence) -> Tuple[str, ...]:
    """The verdict's pair, and the best that has not seen the reviews; nothing where there is no pair."""
    pair = (report.verdict.algorithm, report.verdict.baseline)
    fair = (row.algorithm for row in report.results if row.log_loss is not None and not row.in_sample)
    names = [name for name in dict.fromkeys((*pair, next(fair, None))) if name is not None]
    return tuple(names) if set(pair) <= set(evidence.fitted) and set(names) <= set(evidence.fitted) else ()


@dataclass(frozen=True)
class _Asked:
    """One variant: the losses (K, n) of the algorithms on its reviews, or why there are none."""

    name: str
    names: Tuple[str, ...]
    pair: Tuple[str, str]
    losses: Floats
    clusters: Optional[Clusters]
    error: Optional[Failure] = None

    def row(self, reference: str) -> SensitivityRow:
        """What the report says of it, beside the algorithm that wins in the reference."""
        if self.clusters is None:
            return SensitivityRow(self.name, None, None, None, None, self.error)
        a, b = (self.losses[self.names.index(name)] for name in self.pair)
        return SensitivityRow(
            self.name,
            self.clusters.basis,
            comparison(*self.pair, a - b, self.clusters),
            winner(self.names, self.losses),
            winner_code(self.names, self.losses, self.clusters, reference),
        )


def _asked_of_predictions(names: Tuple[str, ...], pair: Tuple[str, str], evidence: Evidence) -> List[_Asked]:
    """The report's own way to ask, and those for which its predictions will do."""
    scoring = evidence.scoring
    predicted = [evidence.fitted[name].predicted for name in names]
    losses = np.stack([scoring.loss(p) for p in predicted])
    clipped = np.stack([scoring.loss(np.clip(p, CLIP, 1 - CLIP)) for p in predicted])
    asked = [_Asked("as_asked", names, pair, losses, scoring.clusters)]
    for name, mask in halves(scoring.clusters.day).items():
        asked.append(_Asked(name, names, pair, losses[:, mask], scoring.clusters.take(mask)))
    return [*asked, _Asked("clipped", names, pair, clipped, scoring.clusters)]


def _options(evidence: Evidence) -> Dict[str, Options]:
    """The evaluations that are made anew: each with one other choice than the report's."""
    options, day = evidence.options, evidence.data.reviews.day
    anew = (
        {}
        if options.table == SAME_DAY_TABLE
        else {
            "no_outlier_filter" if options.outlier_filter else "outlier_filter": replace(
                options, outlier_filter=not options.outlier_filter
            ),
            "no_same_day" if options.same_day else "same_day": replace(options, same_day=not options.same_day),
        }
    )
    later = halves(day).get("later_half")  # reviews of one day have none
    if later is not None:
        anew["later_start"] = replace(options, since=evidence.clock.date_of(int(day[later].min())))
    return anew


def _only(options: Options, names: Tuple[str, ...]) -> Options:
    """With these algorithms alone."""
    external = tuple(one for one in options.external if one.name in names)
    others = tuple(name for name in names if name not in {one.name for one in external})
    return replace(options, algorithms=others, external=external)


def _evaluated(
    name: str, options: Options, pair: Tuple[str, str], reference: _Asked, evidence: Evidence, progress: Progress
) -> _Asked:
    """The variant of an evaluation of its own; where it cannot be made, with the reason."""
    from ..evaluation import evaluate  # which knows the sections: a report says which of them were not made

    nothing = _Asked(name, reference.names, pair, np.zeros((0, 0)), None)
    if evidence.snapshot is None:
        raise ValueError("the snapshot is not known")
    alone = replace(options, metrics=())  # the predictions are all that is looked at
    try:
        evaluation = evaluate(evidence.snapshot, alone, optimiser=evidence.context.optimiser, progress=progress)
    except EvaluatorError as error:
        return replace(nothing, error=Failure.of(error))
    found = evaluation.evidence
    if found is None:
        raise ValueError("a whole evaluation keeps its evidence")
    missing = [one for one in reference.names if one not in found.fitted]
    if missing:
        return replace(nothing, error=Failure("no_result", {"algorithm": missing[0]}))
    losses = np.stack([found.scoring.loss(found.fitted[one].predicted) for one in reference.names])
    return _Asked(name, reference.names, pair, losses, found.scoring.clusters)


SECTION = Section("sensitivity", Sensitivity, compute, slow=True, needs_snapshot=True)
