"""The verdict: which pair of algorithms the first sentence is about, and what their difference allows to say.

The pair is chosen by name and before looking at any number: picking the winner and then praising it would be luck.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, List, Optional, Sequence, Tuple

from .report import Comparison, Verdict
from .wording import verdict_sentences

#: The first that was run is the algorithm that the verdict is about, measured against the first baseline that was run.
HEADLINES = ("FSRS-6", "FSRS-6 recency", "FSRS-5", "FSRS-6 default", "FSRS-5 default")
BASELINES = ("SM-2", "AVG")

Compare = Callable[[str, str], Comparison]


def choose_baseline(names: Sequence[str]) -> Optional[str]:
    """The algorithm that all others are compared with."""
    return _first(BASELINES, names)


def judge(names: Sequence[str], reviews: int, compare: Compare) -> Verdict:
    """The verdict on the algorithms that have finished.

    Args:
        names: of the algorithms, in an order that does not depend on how they did.
        reviews: how many were scored.
        compare: gives the paired difference of two of them.
    """
    no_baselines = [name for name in names if name not in BASELINES]
    headline = _first(HEADLINES, no_baselines) or _first(BASELINES, names)
    baseline = choose_baseline([name for name in names if name != headline])
    if headline is None or baseline is None:
        return _said("no_pair", headline, baseline, reviews, [])
    pairs = [(headline, baseline)]
    pairs += [(a, b) for a, b in _further_pairs(headline, baseline) if b in names and (a, b) not in pairs]
    comparisons = [compare(a, b) for a, b in pairs]
    return _said(comparisons[0].code, headline, baseline, reviews, comparisons)


def _first(preferred: Sequence[str], names: Sequence[str]) -> Optional[str]:
    """The first of the preferred names that is there, else the first that is there."""
    return next((name for name in preferred if name in names), names[0] if names else None)


def _further_pairs(headline: str, baseline: str) -> List[Tuple[str, str]]:
    """Is the baseline (and the headline) worth more than guessing the average, and did training pay?"""
    default = f"{headline.split(' ', 1)[0]} default"
    return [(a, b) for a, b in ((headline, default), (baseline, "AVG"), (headline, "AVG")) if a != b]


def _said(
    code: str, headline: Optional[str], baseline: Optional[str], reviews: int, comparisons: List[Comparison]
) -> Verdict:
    verdict = Verdict(code, headline, baseline, reviews, tuple(comparisons), sentences=())
    return replace(verdict, sentences=verdict_sentences(verdict))
