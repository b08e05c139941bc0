"""Findings: what FSRS said of each subject's reviews, what was remembered, and what to do. Each is made once, here.

:mod:`.thresholds` has every number that decides. The first screen, the list, the table, the graph and the JSON are
views of the findings, and decide nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Collection, List, Optional, Tuple

import numpy as np

from ..data.revlog import Bools
from ..derivatives import Floats
from ..errors import NewerParameters
from ..fitting.preset_parameters import is_published
from ..progress import Progress
from ..report import (
    ADJUSTED,
    DECK,
    DEFAULT,
    NOTHING_TESTED,
    OFF,
    OPEN,
    PRESET,
    RIGHT,
    UNSEEN,
    WHOLE,
    Advice,
    Finding,
    Recall,
    Report,
)
from ..scope import WHOLE_DAY_TABLE
from ..scoring.evidence import Evidence
from .accuracy import TestedReviews, classify, furthest_off, optimized_row, own_row
from .advice import HARD, KEEP_ON, NOTHING, UPDATE, advice_for_preset, advice_for_whole
from .rivalry import compare_rows
from .subjects import PresetsInUse, Subject
from .thresholds import FAR_FROM_DESIRED, LATEST_SHARE, MAX_RETENTION, MIN_FOR_VERDICT, MIN_OFF, MIN_RETENTION, MUCH_DELETED

#: Codes of findings without a test.
_UNTESTED = ("too_new", "deleted", "versions", "untested")


def is_about_fsrs(evidence: Evidence) -> bool:
    """Return whether FSRS is on, and the algorithms saw what Anki's FSRS sees, so that there are findings."""
    options = evidence.options
    return bool(evidence.collection.fsrs) and options.same_day and options.table == WHOLE_DAY_TABLE


def find(evidence: Evidence, unfinished: Collection[str]) -> Tuple[Finding, ...]:
    """Return the findings without advice: the whole, then each of several presets, each followed by its decks.

    Args:
        evidence: the evidence with the finished algorithms.
        unfinished: the algorithms that are still to be run.

    Returns:
        The findings, or none if they need an unfinished algorithm, or if no FSRS is to be tested.
    """
    if not is_about_fsrs(evidence):
        return ()
    presets = PresetsInUse(evidence.data)
    usable = {*evidence.fitted, *unfinished}
    rows = {own_row(presets.presets, usable), optimized_row(presets.presets, usable)} - {None}
    if not rows or {*rows, ADJUSTED} & set(unfinished):
        return ()
    trials = [_Trial(evidence, presets, subject) for subject in presets.subjects()]
    tested_presets = [trial for trial in trials if trial.subject.kind == PRESET and trial.n_tested >= MIN_FOR_VERDICT]
    n_presets = max(1, len(tested_presets))
    return tuple(trial.finding(n_presets if trial.subject.kind == PRESET else 1) for trial in trials)


class _Trial:
    """The test of one subject."""

    def __init__(self, evidence: Evidence, presets: PresetsInUse, subject: Subject) -> None:
        self._evidence = evidence
        self._presets = presets
        self.subject = subject
        self._scored: Bools = subject.reviews[-len(evidence.tested) :]
        self._retentions: Floats = presets.desired_retentions()
        self._own = own_row(subject.presets, evidence.fitted)
        self._optimized = optimized_row(subject.presets, evidence.fitted)
        self._testable: Bools = self._scored & presets.testable(subject.presets)
        self._tested: Optional[TestedReviews] = None
        if self._own is not None and self._testable.any():
            self._tested = TestedReviews.of(evidence, self._own, self._testable, self._retentions)

    @property
    def n_tested(self) -> int:
        """Number of reviews behind the finding."""
        return 0 if self._tested is None else len(self._tested.indices)

    def finding(self, n_presets: int) -> Finding:
        """Return the finding, with an interval that holds for this number of presets at once."""
        subject = self.subject
        recall = NOTHING_TESTED
        if self._tested is not None and self._own is not None:
            recall = self._tested.recall(self._evidence, self._own, n_presets)
        state, code = self._verdict(recall)
        retention = np.unique(self._retentions[self._scored])
        only_preset = subject.presets[0] if len(subject.presets) == 1 else None
        changed = None if only_preset is None else only_preset.changed
        clock = self._evidence.collection.clock
        is_default = all(map(is_published, subject.presets))
        finding = Finding(
            kind=subject.kind,
            name=subject.name,
            label=subject.label,
            preset_id=None if only_preset is None else only_preset.preset_id,
            reviews=int(self._scored.sum()),
            state=state,
            code=code,
            sign="",
            source=None if self._tested is None else DEFAULT if is_default else UNSEEN,
            algorithm=self._own if self._tested is not None else self._optimized,
            desired_retention=float(retention[0]) if len(retention) == 1 else None,
            changed=None if changed is None else clock.date_at(changed * 1000).isoformat(),
            recall=recall,
            testable=int(self._testable.sum()),
            deleted=self._n_deleted() if self._is_much_deleted() else 0,
        )
        return replace(finding, **self._details(finding))

    def _is_much_deleted(self) -> bool:
        is_deleted = self._presets.is_deleted[-len(self._scored) :]
        return len(self._presets.presets) > 1 and bool(is_deleted.mean() >= MUCH_DELETED)

    def _verdict(self, recall: Recall) -> Tuple[Optional[str], str]:
        """Return the state and the code."""
        presets = self.subject.presets
        if self.subject.kind == DECK:
            return None, "deck"
        if self._tested is None:
            is_known = all(is_published(preset) or preset.changed is not None for preset in presets)
            if len({preset.fsrs_version for preset in presets}) > 1:
                return OPEN, "versions"
            if self._presets.all_deleted:
                return OPEN, "deleted"
            return OPEN, "too_new" if self._own is not None and is_known else "untested"
        if recall.remembered.low_high is None and not all(map(is_published, presets)):
            return OPEN, "too_new"
        is_preset = self.subject.kind == PRESET
        if is_preset and self.n_tested < MIN_FOR_VERDICT:
            return None, "too_few"
        return classify(recall, only_optimistic=is_preset and self._is_much_deleted())

    def _with_details(self, finding: Finding) -> Finding:
        """Add what the verdict calls for: the worst dot, optimized parameters on the same reviews, SM-2, and so on."""
        evidence = self._evidence
        if finding.state == RIGHT and self._own is not None:
            finding = replace(finding, elsewhere=furthest_off(evidence, self._own, self._testable))
        if finding.state == OFF and self._tested is not None and self._optimized is not None:
            finding = replace(finding, optimized=self._tested.recall(evidence, self._optimized))
        if finding.state == OPEN and self._optimized is not None:
            retrained = TestedReviews.of(evidence, self._optimized, self._scored, self._retentions)
            recall = retrained.recall(evidence, self._optimized)
            distance = abs((recall.remembered.estimate or 0.0) - (finding.desired_retention or 0.0))
            is_far = finding.desired_retention is not None and distance >= FAR_FROM_DESIRED
            finding = replace(finding, retrained=recall, far_from_desired=is_far)
        if self._tested is not None and finding.kind != DECK:
            rivalry = compare_rows(evidence, self._own, ADJUSTED, self._testable)
            finding = replace(finding, against_sm2=rivalry)
        return finding

    def suggested_retention(self, finding: Finding) -> Optional[float]:
        """Return the desired retention, to 1%, that would correct half of the gap.

        Returns:
            The suggestion. It is None if it equals the current value or is outside Anki's limits. It is also None
            unless the gap was found near the desired retention, and is large on the same side in the latest third of
            its reviews.
        """
        if finding.state != OFF or not finding.recall.near or self._tested is None or self._own is None:
            return None
        latest = self._tested.indices[-int(len(self._tested.indices) * LATEST_SHARE) :]
        error = self._evidence.scoring.recalled[latest] - self._evidence.fitted[self._own].predicted[latest]
        retention = finding.desired_retention or 0.0
        gap = finding.recall.gap
        suggestion = round(retention - gap / 2, 2)
        is_lasting = float(error.mean()) * np.sign(gap) >= MIN_OFF
        is_allowed = suggestion != round(retention, 2) and MIN_RETENTION <= suggestion <= MAX_RETENTION
        return suggestion if is_lasting and is_allowed else None
