"""Made-up findings, by their code, and reports that hold them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Dict, Optional, Tuple

import fake

from evaluator.interval import ConfidenceInterval
from evaluator.report import (
    ADJUSTED,
    OFF,
    OPEN,
    OWN,
    RIGHT,
    UNSEEN,
    Advice,
    Comparison,
    Failure,
    Finding,
    PeerGroup,
    ProbabilityBetter,
    Recall,
    Report,
    Rivalry,
    SampleSize,
    Verdict,
)

#: State, gap, half the width of its interval, and sign, by code.
CODES: Dict[str, Tuple[Optional[str], float, float, str]] = {
    "right": (RIGHT, 0.0, 0.01, "check"),
    "right_on_average": (RIGHT, 0.0, 0.01, "dot"),
    "slightly_optimistic": (RIGHT, -0.015, 0.01, "check"),
    "slightly_cautious": (RIGHT, 0.015, 0.01, "check"),
    "optimistic": (OFF, -0.04, 0.02, "warning"),
    "cautious": (OFF, 0.04, 0.01, "dot"),
    "probably_optimistic": (OPEN, -0.04, 0.037, "dot"),
    "probably_cautious": (OPEN, 0.04, 0.037, "dot"),
    "a_bit_optimistic": (OPEN, -0.018, 0.017, "dot"),
    "a_bit_cautious": (OPEN, 0.018, 0.017, "dot"),
    "too_early": (OPEN, 0.01, 0.06, "question"),
    "too_new": (OPEN, 0.0, 0.0, "question"),
    "deleted": (OPEN, 0.0, 0.0, "question"),
    "versions": (OPEN, 0.0, 0.0, "question"),
    "untested": (OPEN, 0.0, 0.0, "question"),
    "much_deleted": (OPEN, 0.04, 0.02, "question"),
    "deck": (None, -0.02, 0.02, ""),
    "too_few": (None, 0.03, 0.06, ""),
}
ROW = "FSRS-6 optimized"
PEERS = PeerGroup(1500, 2499, 100)


def recall(
    said: float = 0.9, gap: float = 0.0, half: float = 0.01, reviews: int = 9243, *, near: bool = True
) -> Recall:
    """Return a recall that is ``gap`` above what was said, and whose interval reaches ``half`` to either side."""
    share = said + gap
    return Recall(reviews, said, ConfidenceInterval(share, share - half, share + half, half / 2), near=near)


def rivalry(claim: str, baseline: str = ADJUSTED, *, algorithm: str = OWN) -> Rivalry:
    """Return a comparison with this claim. With the claim "too_few" or "rare_outcome" it has no interval."""
    side = -1 if "better" in claim else int("worse" in claim)
    ends = (None, None) if claim in ("too_few", "rare_outcome") else (0.02 * side - 0.01, 0.02 * side + 0.01)
    difference = ConfidenceInterval(0.02 * side, *ends, 0.005)
    code = "cannot_tell" if claim in ("close", "early") else claim.replace("_past", "")
    chance = ProbabilityBetter(0.99, PEERS, 98, "FSRS-5", "Anki-SM-2") if baseline == "Anki-SM-2" else None
    comparison = Comparison(algorithm, baseline, difference, code, chance)
    return Rivalry(comparison, difference, "early" if ends[0] is None else claim, 5330)


def finding(code: str = "right", kind: str = "whole", **facts: Any) -> Finding:
    """Return a finding on a subject with one preset, tested near 90%."""
    state, gap, half, sign = CODES[code]
    is_tested = code not in ("too_new", "deleted", "versions", "untested")
    defaults = {
        "name": "" if kind == "whole" else "Law",
        "label": None if kind == "whole" else 7,
        "preset_id": 7,
        "reviews": 16_000,
        "source": UNSEEN if is_tested else None,
        "algorithm": OWN if is_tested else ROW,
        "desired_retention": 0.9,
        "changed": "2025-02-01",
        "testable": 12_000 if is_tested else 0,
        "retrained": recall() if state == OPEN else None,
        "against_sm2": rivalry("better") if is_tested else None,
        "sign": sign,
        "state": state,
    }
    if is_tested:
        defaults["recall"] = recall(gap=gap, half=half)
    return Finding(kind=kind, code=code, **{**defaults, **facts})


def report_on(*findings: Finding, subject: int = 0, **facts: Any) -> Report:
    """Return a report with FSRS on. One row failed because a preset has parameters of a newer FSRS."""
    report = fake.report()
    failed = replace(
        report.results[0], algorithm=OWN, error=Failure("newer_parameters", {"version": 8, "preset": "Law"})
    )
    scope = replace(report.scope, fsrs=True, reviews=findings[subject].reviews)
    results = (*report.results, failed)
    return replace(report, scope=scope, results=results, findings=findings, subject=subject, **facts)


def report_of_presets(shown: Finding, **facts: Any) -> Report:
    """Return a report with several presets that shows this finding."""
    whole = finding(preset_id=None) if shown.kind != "whole" else replace(shown, preset_id=None)
    others = [finding(kind="preset", name="Daily", preset_id=8)]
    findings = (whole, *others) if shown.kind == "whole" else (whole, shown, *others)
    return report_on(*findings, subject=findings.index(whole if shown.kind == "whole" else shown), **facts)


def report_of_rivals(
    shown: Optional[Rivalry], fsrs: Optional[bool] = False, as_is: Optional[Rivalry] = None, **facts: Any
) -> Report:
    """Return a report without findings that shows this comparison of two algorithms, or none."""
    report = fake.report()
    row = report.result("FSRS-6")
    losses = [replace(row, algorithm=name, log_loss=loss) for name, loss in ((ROW, 0.36), (ADJUSTED, 0.38))]
    verdict = replace(report.verdict, rivalry=None)
    if shown is not None:
        comparison = shown.comparison
        sample_size = SampleSize(295, 80, 5)
        sign = "question" if shown.claim in ("close", "early") else "dot"
        verdict = Verdict(shown.claim, comparison.algorithm, comparison.baseline, sample_size, shown, as_is, sign=sign)
    scope = replace(report.scope, fsrs=fsrs)
    return replace(report, scope=scope, results=(*report.results, *losses), verdict=replace(verdict, **facts))


def advice(code: str, reason: Optional[str] = None, **facts: Any) -> Advice:
    """Return this advice on preset 7, with these facts in place of the usual ones."""
    retention = {"desired_retention": 0.9, "suggested_retention": 0.88} if code == "desired_retention" else {}
    return Advice(code, reason, **{"preset_id": 7, "change": 0.04, "algorithm": OWN, **retention, **facts})
