"""Findings: what FSRS said of each subject's reviews, what was remembered, and what to do. Each is made once, here.

:mod:`.thresholds` has every number that decides. The first screen, the list, the table, the graph and the JSON are
views of the findings, and decide nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Collection, List, Optional, Sequence, Tuple

import numpy as np

from ..algorithms.your_parameters import is_published
from ..data.revlog import Bools
from ..derivatives import Floats
from ..errors import NewerParameters
from ..metrics.calibration_bins import calibration
from ..progress import Progress
from ..report import (
    ADJUSTED,
    DECK,
    DEFAULT,
    MAX_RETENTION,
    MIN_RETENTION,
    NOTHING_TESTED,
    OFF,
    OPEN,
    OWN,
    PRESET,
    PUBLISHED,
    RIGHT,
    UNSEEN,
    Advice,
    AlgorithmResult,
    CalibrationBin,
    Finding,
    Hard,
    Recall,
    Report,
)
from ..scope import WHOLE_DAY_TABLE
from ..scoring.evidence import Evidence
from .accuracy import TestedReviews, classify_recall, furthest_off, optimized_row, own_row
from .advice import HARD, KEEP_ON, NOTHING, UPDATE, URGENCY, advice_for_preset, advice_for_whole, turn_on_advice
from .hard import SUSPECTED, judge_hard
from .optimizing import effects_of_optimizing
from .rivalry import compare_rows, pair_verdict
from .subjects import Subject, subjects_of
from .thresholds import FAR_FROM_DESIRED, LATEST_SHARE, MANY, MIN_FOR_VERDICT, MIN_OFF, MUCH_DELETED

#: Codes of findings without a test.
_UNTESTED = ("too_new", "deleted", "versions", "untested")


def judge(
    report: Report, evidence: Evidence, names: Sequence[str], earlier: Optional[Report], progress: Progress
) -> Report:
    """Return the report with its verdict and findings and, once all algorithms have finished, with advice.

    Args:
        report: the report with the rows that have finished.
        evidence: the evidence with the same rows.
        names: the requested algorithms, in an order that does not depend on their results.
        earlier: the report after the algorithm before, whose findings and verdict stay.
        progress: called while presets are optimized.
    """
    findings = earlier.findings if earlier is not None else ()
    # Without a row that may be the user's, only the requested algorithms are compared.
    if not findings and {OWN, PUBLISHED} & set(names):
        findings = make_findings(evidence, report.unfinished)
    verdict = None if earlier is None else earlier.verdict
    if verdict is None or verdict.rivalry is None:
        verdict = pair_verdict(report, evidence, names)
    hard = None
    if not report.unfinished:
        if evidence.options.table == WHOLE_DAY_TABLE:
            hard = judge_hard(evidence, progress.part(0.0, 0.5))
        findings = advise(findings, evidence, report.results, hard, progress.part(0.5, 1.0))
        if evidence.collection.fsrs is False:
            against_default = compare_rows(evidence, optimized_row((), evidence.fitted), PUBLISHED)
            advice = turn_on_advice(verdict, evidence.collection.scheduler, against_default)
            verdict = replace(verdict, advice=Advice(HARD) if _is_suspected(hard) else advice)
    return drop_worse_from_best_set(replace(report, findings=findings, verdict=verdict, hard=hard))


def drop_worse_from_best_set(report: Report) -> Report:
    """Return the report whose best set has no row that the finding, or on the whole the verdict, calls worse."""
    rivalries = [None if report.finding is None else report.finding.against_sm2]
    if report.subject == 0:
        rivalries.append(report.verdict.rivalry)
    worse = {
        rivalry.comparison.baseline if rivalry.is_better else rivalry.comparison.algorithm
        for rivalry in rivalries
        if rivalry is not None and (rivalry.is_better or rivalry.is_worse)
    }
    return replace(report, best_set=tuple(name for name in report.best_set if name not in worse))


def make_findings(evidence: Evidence, unfinished: Collection[str]) -> Tuple[Finding, ...]:
    """Return the findings without advice: the whole, then each of several presets, each followed by its decks.

    Args:
        evidence: the evidence with the finished algorithms.
        unfinished: the algorithms that are still to be run.

    Returns:
        The findings, or none if they need an unfinished algorithm, if there is no FSRS to be tested, or if the
        algorithms did not see what Anki's FSRS sees.
    """
    options = evidence.options
    sees_as_anki = options.same_day and options.table == WHOLE_DAY_TABLE
    if not evidence.collection.fsrs or not sees_as_anki:
        return ()
    presets = evidence.in_use.presets
    usable = {*evidence.fitted, *unfinished}
    rows = {own_row(presets, usable), optimized_row(presets, usable)} - {None}
    if not rows or {*rows, ADJUSTED} & set(unfinished):
        return ()
    trials = [_Trial(evidence, subject) for subject in subjects_of(evidence)]
    n_presets = sum(trial.subject.kind == PRESET and trial.n_tested >= MIN_FOR_VERDICT for trial in trials)
    findings = [trial.finding(max(1, n_presets) if trial.subject.kind == PRESET else 1) for trial in trials]
    return tuple(replace(finding, sign=_sign(finding)) for finding in findings)


def advise(
    findings: Sequence[Finding],
    evidence: Evidence,
    results: Sequence[AlgorithmResult],
    hard: Optional[Hard],
    progress: Progress,
) -> Tuple[Finding, ...]:
    """Return the findings with advice and signs: the whole, then those presets first that have the most to do.

    Args:
        findings: the findings of :func:`make_findings`.
        evidence: the evidence, in which all algorithms have finished.
        results: the rows of the report.
        hard: whether Hard was pressed for forgotten cards, if that is known.
        progress: called while each preset is optimized to see how much that would change.
    """
    if not findings:
        return ()
    effects = effects_of_optimizing(evidence, progress)
    advice_for_all = _advice_for_all(results, hard)
    advice = advice_for_all
    advised: List[Finding] = []
    for finding in findings:
        effect = None if finding.kind == DECK or finding.preset_id is None else effects.get(finding.preset_id)
        # A deck has the advice of the preset before it.
        if effect is not None:
            advice = advice_for_all or advice_for_preset(finding, effect)
        advised.append(replace(finding, optimizing=effect, advice=advice))
    tested_presets = [finding for finding in advised if finding.kind == PRESET]
    whole = advised[0]
    if whole.advice is None:
        advice = Advice(KEEP_ON, "unknown")
        if tested_presets:
            advice = advice_for_whole(tested_presets, len(evidence.in_use.presets))
        elif whole.code == "deleted":
            advice = Advice(NOTHING, "deleted")
        advised[0] = replace(whole, advice=advice)
    signed = [_with_sign(finding) for finding in advised]
    return (signed[0], *_sorted_presets(signed[1:]))


def _with_sign(finding: Finding) -> Finding:
    """Return the finding with its sign, and with another code if it is right only on average."""
    is_only_average = finding.advice is not None and finding.advice.reason in ("change", "decided")
    if finding.state == RIGHT and finding.elsewhere is None and is_only_average:
        finding = replace(finding, code="right_on_average")
    return replace(finding, sign=_sign(finding))


def _advice_for_all(results: Sequence[AlgorithmResult], hard: Optional[Hard]) -> Optional[Advice]:
    """Return the advice that comes before any other, for all presets, or None."""
    if _is_suspected(hard):
        return Advice(HARD)
    for row in results:
        if row.error is not None and row.error.code == NewerParameters.code:
            return Advice(UPDATE, algorithm=row.algorithm)
    return None


def _is_suspected(hard: Optional[Hard]) -> bool:
    """Return whether Hard seems to be pressed for forgotten cards."""
    return hard is not None and hard.code == SUSPECTED


def _sign(finding: Finding) -> str:
    """Return the code of the finding's sign, see :attr:`evaluator.report.Finding.sign`."""
    if finding.state is None:
        return ""
    if finding.state == OPEN:
        return "dot" if finding.code.startswith(("probably", "a_bit")) else "question"
    worst = finding.elsewhere or finding.recall
    if finding.state == OFF or finding.elsewhere is not None:
        return "warning" if worst.gap < 0 else "dot"
    has_nothing_to_do = finding.advice is not None and finding.advice.code in (NOTHING, KEEP_ON)
    return "check" if has_nothing_to_do else "dot"


def _sorted_presets(findings: Sequence[Finding]) -> List[Finding]:
    """Return presets sorted by urgency, then by :attr:`Recall.n_certainly_off`. Decks stay below their preset."""
    ranks = {}
    for preset in findings:
        if preset.kind == PRESET and preset.advice is not None:
            ranks[preset.preset_id] = URGENCY.index(preset.advice.code), -preset.recall.n_certainly_off
    return sorted(findings, key=lambda finding: ranks.get(finding.preset_id, (0, 0.0)))


@dataclass
class _Trial:
    """The test of one subject."""

    evidence: Evidence
    subject: Subject

    def __post_init__(self) -> None:
        evidence = self.evidence
        presets = self.subject.presets
        self._is_member: Bools = self.subject.is_member[-len(evidence.tested) :]
        self._retentions: Floats = evidence.in_use.desired_retentions
        self._own = own_row(presets, evidence.fitted)
        self._optimized = optimized_row(presets, evidence.fitted)
        self._is_default = all(map(is_published, presets))
        self._is_testable: Bools = self._is_member & evidence.in_use.testable_reviews(presets)
        self._tested = TestedReviews.of(evidence, self._own, self._is_testable, self._retentions)

    @property
    def n_tested(self) -> int:
        """Number of reviews behind the finding."""
        return len(self._tested.indices)

    def finding(self, n_presets: int) -> Finding:
        """Return the finding, with an interval that holds for this number of presets at once."""
        subject = self.subject
        evidence = self.evidence
        own = self._own
        is_testable = self._is_testable
        recall = self._tested.recall(evidence, own, n_presets) or NOTHING_TESTED
        state, code = self._state_and_code(recall)
        source = DEFAULT if self._is_default else UNSEEN
        is_tested = code not in _UNTESTED and self.n_tested > 0
        only_preset = subject.presets[0] if len(subject.presets) == 1 else None
        changed = None if only_preset is None else only_preset.changed
        retentions = np.unique(self._retentions[self._is_member])
        desired_retention = float(retentions[0]) if len(retentions) == 1 else None
        retrained = None
        is_far_from_desired = False
        if state == OPEN:
            all_reviews = TestedReviews.of(evidence, self._optimized, self._is_member, self._retentions)
            retrained = all_reviews.recall(evidence, self._optimized)
        if retrained is not None and desired_retention is not None:
            is_far_from_desired = abs(retrained.remembered.value - desired_retention) >= FAR_FROM_DESIRED
        bins: Tuple[CalibrationBin, ...] = ()
        if is_tested and own is not None and source == UNSEEN:
            bins = calibration(evidence.fitted[own].predicted[is_testable], evidence.scoring.recalled[is_testable])
        elsewhere = None
        if state == RIGHT:
            elsewhere = furthest_off(evidence, own, is_testable, self._tested.desired_retention)
        against_sm2 = None
        if is_tested and subject.kind != DECK:
            against_sm2 = compare_rows(evidence, own, ADJUSTED, is_testable)
        return Finding(
            kind=subject.kind,
            name=subject.name,
            label=subject.label,
            preset_id=None if only_preset is None else only_preset.preset_id,
            reviews=int(self._is_member.sum()),
            state=state,
            code=code,
            sign="",
            source=source if is_tested else None,
            algorithm=own if is_tested else self._optimized,
            desired_retention=desired_retention,
            changed=None if changed is None else evidence.collection.clock.date_at(changed * 1000).isoformat(),
            recall=recall if is_tested else NOTHING_TESTED,
            testable=int(is_testable.sum()),
            elsewhere=elsewhere,
            retrained=retrained,
            far_from_desired=is_far_from_desired,
            optimized=self._tested.recall(evidence, self._optimized) if state == OFF else None,
            suggested_retention=self._suggested_retention(recall, desired_retention) if state == OFF else None,
            against_sm2=against_sm2,
            deleted=self._n_deleted(),
            calibration=bins,
        )

    def _n_deleted(self) -> int:
        """Return the number of scored reviews of deleted cards without a preset, or 0 if they are a small share."""
        in_use = self.evidence.in_use
        is_deleted = in_use.is_deleted[-len(self._is_member) :]
        is_large_share = len(in_use.presets) > 1 and is_deleted.mean() >= MUCH_DELETED
        return int(is_deleted.sum()) if is_large_share else 0

    def _state_and_code(self, recall: Recall) -> Tuple[Optional[str], str]:
        """Return the state and the code of the finding, given what was tested."""
        if self.subject.kind == DECK:
            return None, "deck"
        if not self.n_tested or (recall.remembered.low_high is None and not self._is_default):
            return OPEN, self._why_untested()
        is_preset = self.subject.kind == PRESET
        if is_preset and self.n_tested < MIN_FOR_VERDICT:
            return None, "too_few"
        return classify_recall(recall, may_be_inflated=is_preset and self._n_deleted() > 0)

    def _why_untested(self) -> str:
        """Return the code of a finding without a test."""
        presets = self.subject.presets
        if len({preset.fsrs_version for preset in presets}) > 1:
            return "versions"
        if self.evidence.in_use.all_deleted:
            return "deleted"
        is_known = all(is_published(preset) or preset.changed is not None for preset in presets)
        return "too_new" if self._own is not None and is_known else "untested"

    def _suggested_retention(self, recall: Recall, desired_retention: Optional[float]) -> Optional[float]:
        """Return the desired retention that would correct half of the gap of an off subject.

        It is None unless the gap was found near the desired retention in many reviews, is as large in the latest ones,
        and Anki accepts the suggestion.
        """
        if not recall.near or desired_retention is None or self.n_tested < MANY:
            return None
        latest = self._tested.indices[-int(self.n_tested * LATEST_SHARE) :]
        predicted = self.evidence.fitted[self._own or ""].predicted[latest]
        error = self.evidence.scoring.recalled[latest] - predicted
        suggestion = round(desired_retention - recall.gap / 2, 2)
        is_lasting = float(error.mean()) * np.sign(recall.gap) >= MIN_OFF
        is_allowed = suggestion != round(desired_retention, 2) and MIN_RETENTION <= suggestion <= MAX_RETENTION
        return suggestion if is_lasting and is_allowed else None
