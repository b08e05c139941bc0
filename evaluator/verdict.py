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


def choose_baseline(finished: Sequence[str]) -> Optional[str]:
    """The algorithm that all others are compared with."""
    return next((name for name in BASELINES if name in finished), finished[0] if finished else None)


def judge(finished: Sequence[str], reviews: int, compare: Compare) -> Verdict:
    """The verdict on the algorithms that have finished; ``compare(a, b)`` gives a paired difference on ``reviews``."""
    headline = next((name for name in HEADLINES if name in finished), None)
    baseline = choose_baseline([name for name in finished if name != headline])
    if headline is None:
        headline = next((name for name in finished if name != baseline), None)
    if headline is None or baseline is None:
        return _said("no_pair", headline, baseline, reviews, [])
    comparisons = [compare(headline, baseline)]
    comparisons += [compare(a, b) for a, b in _further_pairs(headline, baseline) if a in finished and b in finished]
    return _said(comparisons[0].code, headline, baseline, reviews, comparisons)


def _further_pairs(headline: str, baseline: str) -> List[Tuple[str, str]]:
    """Is the baseline (and the headline) worth more than guessing the average, and did training pay?"""
    pairs = [(headline, f"{headline.split(' ', 1)[0]} default"), (baseline, "AVG"), (headline, "AVG")]
    return [(a, b) for a, b in pairs if a != b]


def _said(
    code: str, headline: Optional[str], baseline: Optional[str], reviews: int, comparisons: List[Comparison]
) -> Verdict:
    verdict = Verdict(code, headline, baseline, reviews, tuple(comparisons), sentences=())
    return replace(verdict, sentences=verdict_sentences(verdict))
