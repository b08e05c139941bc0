"""Does the winner depend on how it is asked? The same question again with other choices that one might have made.

Some choices only concern which predictions are scored and how; the others need the whole evaluation again, for the
verdict's pair and the best. Nothing in it is random.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Dict, List, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from .. import strings
from ..errors import EvaluatorError
from ..evaluation import evaluate
from ..report import Basis, Sensitivity, SensitivityRow
from ..scoring import comparison
from ..statistics.agreement import Variant, halves, held_against, variant
from ..statistics.paired import Clusters
from ..wording import error_sentence

if TYPE_CHECKING:
    from ..evidence import Evidence
    from ..options import Options
    from ..progress import Progress
    from ..report import Report

Floats = npt.NDArray[np.float64]

#: Predictions are kept so far from 0 and 1 in the variant that clips them.
CLIP = 0.01


def sensitivity(report: Report, evidence: Evidence, progress: Progress) -> Optional[Sensitivity]:
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
    rows = _rows(reference, asked)
    return Sensitivity(names, rows[0], tuple(rows[1:]), complete=evidence.snapshot is not None)


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
    error: Optional[str] = None

    def ranked(self, against: Optional[str]) -> Variant:
        """Who wins, held against the reference's winner."""
        if self.clusters is None:
            raise ValueError(self.error)
        return variant(self.name, self.names, self.losses, self.clusters, against=against)

    def row(self, ranked: Variant, code: str) -> SensitivityRow:
        """What the report says of it."""
        if self.clusters is None:
            raise ValueError(self.error)
        a, b = (self.losses[self.names.index(name)] for name in self.pair)
        basis = Basis(ranked.reviews, ranked.cards, ranked.days)
        return SensitivityRow(self.name, basis, comparison(*self.pair, a - b, self.clusters), ranked.winner, code)


def _rows(reference: _Asked, asked: Sequence[_Asked]) -> List[SensitivityRow]:
    """The reference's first."""
    first = reference.ranked(None)
    ranked = {one.name: one.ranked(first.winner) for one in asked if one.error is None}
    codes = dict(zip(ranked, held_against(first, list(ranked.values())).codes))
    return [reference.row(first, "same")] + [
        one.row(ranked[one.name], codes[one.name])
        if one.error is None
        else SensitivityRow(one.name, None, None, None, None, one.error)
        for one in asked
    ]


def _asked_of_predictions(names: Tuple[str, ...], pair: Tuple[str, str], evidence: Evidence) -> List[_Asked]:
    """The report's own way to ask, and those for which its predictions will do."""
    scoring = evidence.scoring
    predicted = [evidence.fitted[name].predicted for name in names]
    losses = np.stack([scoring.loss(p) for p in predicted])
    clipped = np.stack([scoring.loss(np.clip(p, CLIP, 1 - CLIP)) for p in predicted])
    asked = [_Asked("as_asked", names, pair, losses, scoring.clusters)]
    for name, mask in halves(scoring.clusters.day).items():
        own = Clusters.of(scoring.clusters.card[mask], scoring.clusters.day[mask])
        asked.append(_Asked(name.replace(" ", "_"), names, pair, losses[:, mask], own))
    return [*asked, _Asked("clipped", names, pair, clipped, scoring.clusters)]


def _options(evidence: Evidence) -> Dict[str, Options]:
    """The evaluations that are made anew: each with one other choice than the report's."""
    options, day = evidence.options, evidence.data.reviews.day
    anew = {
        "no_outlier_filter" if options.outlier_filter else "outlier_filter": replace(
            options, outlier_filter=not options.outlier_filter
        ),
        "no_same_day" if options.same_day else "same_day": replace(options, same_day=not options.same_day),
    }
    later = halves(day).get("later half")  # reviews of one day have none
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
    """The variant of an evaluation of its own; where it cannot be made, with the reason in words."""
    nothing = _Asked(name, reference.names, pair, np.zeros((0, 0)), None)
    if evidence.snapshot is None:
        raise ValueError("the snapshot is not known")
    try:
        evaluation = evaluate(evidence.snapshot, options, optimiser=evidence.data.optimiser, progress=progress)
    except EvaluatorError as error:
        return replace(nothing, error=error_sentence(error))
    found = evaluation.evidence
    if found is None:
        raise ValueError("a whole evaluation keeps its evidence")
    missing = [one for one in reference.names if one not in found.fitted]
    if missing:
        return replace(nothing, error=strings.NO_RESULT.format(algorithm=missing[0]))
    losses = np.stack([found.scoring.loss(found.fitted[one].predicted) for one in reference.names])
    return _Asked(name, reference.names, pair, losses, found.scoring.clusters)
