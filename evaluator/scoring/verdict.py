"""Choose the pair of algorithms that the verdict compares, and classify their difference.

The pair is chosen by name, before any result is known. Praising whichever algorithm won would be praising luck.
"""

from __future__ import annotations

from typing import Callable, Collection, Optional, Sequence

from ..report import ADJUSTED, AVERAGE, Comparison, SampleSize, Verdict
from ..scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE

#: The verdict compares the first of these that was run with the chosen baseline, or with the first of
#: :data:`BASELINES` that was run.
HEADLINES = ("FSRS-6 optimized", "FSRS-6", "FSRS-6 recency", "FSRS-5", "FSRS-6 default", "FSRS-5 default")
#: Algorithms that are made for the same-day table. There they come before :data:`HEADLINES`.
MADE_FOR_SAME_DAY = ("FSRS-7", "FSRS-7 recency", "FSRS-7 default")
#: The rows of SM-2 as it is, Anki's variant first.
SM2 = ("Anki-SM-2", "SM-2")
#: SM-2 adjusted to the user comes first, because only it is a fair rival.
BASELINES = (ADJUSTED, *SM2, AVERAGE)

Compare = Callable[[str, str], Comparison]


def choose_baseline(names: Sequence[str], chosen_baseline: Optional[str] = None) -> Optional[str]:
    """Return the algorithm that all others are compared with. The chosen one is preferred, if it was run."""
    return _first_available(BASELINES if chosen_baseline is None else (chosen_baseline, *BASELINES), names)


def pair_verdict(
    names: Sequence[str],
    finished_names: Sequence[str],
    basis: SampleSize,
    compare: Compare,
    chosen_baseline: Optional[str] = None,
    *,
    in_sample: Collection[str] = (),
    table: str = WHOLE_DAY_TABLE,
) -> Verdict:
    """Choose a pair among these algorithms, and return the verdict on it.

    Args:
        names: the requested algorithms, in an order that does not depend on their results.
        finished_names: the finished algorithms.
        basis: the numbers of reviews, cards and days.
        compare: function that returns the paired difference of two finished algorithms.
        chosen_baseline: the baseline that the user chose, if any.
        in_sample: the algorithms that may have been fitted on the scored reviews.
        table: which reviews are scored, see :mod:`evaluator.scope`.
    """
    without_chosen = [name for name in names if name != chosen_baseline]
    candidates = [name for name in without_chosen if name not in BASELINES]
    headlines = (*MADE_FOR_SAME_DAY, *HEADLINES) if table == SAME_DAY_TABLE else HEADLINES
    headline = _first_available(headlines, candidates) or _first_available(BASELINES, without_chosen) or chosen_baseline
    baseline = choose_baseline([name for name in names if name != headline], chosen_baseline)
    if headline is None or baseline is None:
        return Verdict("no_pair", headline, baseline, basis, ())
    if headline not in finished_names or baseline not in finished_names:
        return Verdict("unfinished", headline, baseline, basis, ())
    comparison = compare(headline, baseline)
    fitted_in_sample = tuple(name for name in (headline, baseline) if name in in_sample)
    return Verdict(comparison.code, headline, baseline, basis, (comparison,), fitted_in_sample)


def _first_available(preferred: Sequence[str], available: Sequence[str]) -> Optional[str]:
    """Return the first preferred name that is available, or else the first available one."""
    return next((name for name in preferred if name in available), available[0] if available else None)
