"""The verdict: which pair of algorithms the first sentence is about, and what their difference allows to say.

The pair is chosen by name and before looking at any number: picking the winner and then praising it would be luck.
"""

from __future__ import annotations

from typing import Callable, Collection, Optional, Sequence

from ..report import AVERAGE, Comparison, SampleSize, Verdict
from ..scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE

#: The verdict is on the first of these that was run, compared with the first baseline that was run,
#: unless another baseline was chosen.
HEADLINES = ("FSRS-6 optimized", "FSRS-6", "FSRS-6 recency", "FSRS-5", "FSRS-6 default", "FSRS-5 default")
#: In the same-day table, algorithms made for it come first.
MADE_FOR_SAME_DAY = ("FSRS-7", "FSRS-7 recency", "FSRS-7 default")
#: Anki's own first.
SM2 = ("Anki-SM-2", "SM-2")
BASELINES = (*SM2, AVERAGE)

Compare = Callable[[str, str], Comparison]


def choose_baseline(names: Sequence[str], chosen: Optional[str] = None) -> Optional[str]:
    """Return the algorithm that all others are compared with: the chosen one, if it is among them."""
    return _first(BASELINES if chosen is None else (chosen, *BASELINES), names)


def verdict_on(
    names: Sequence[str],
    finished: Sequence[str],
    basis: SampleSize,
    compare: Compare,
    chosen: Optional[str] = None,
    *,
    in_sample: Collection[str] = (),
    table: str = WHOLE_DAY_TABLE,
) -> Verdict:
    """Return the verdict on the requested pair.

    Args:
        names: the requested algorithms, in an order that does not depend on how they did.
        finished: the finished ones.
        basis: what the comparisons rest on.
        compare: gives the paired difference of two algorithms that have finished.
        chosen: the baseline, if one was chosen.
        in_sample: the algorithms that may have been fitted on the very reviews that are scored.
        table: which reviews are scored, see :mod:`evaluator.scope`.
    """
    others = [name for name in names if name != chosen]
    no_baselines = [name for name in others if name not in BASELINES]
    headlines = (*MADE_FOR_SAME_DAY, *HEADLINES) if table == SAME_DAY_TABLE else HEADLINES
    headline = _first(headlines, no_baselines) or _first(BASELINES, others) or chosen
    baseline = choose_baseline([name for name in names if name != headline], chosen)
    if headline is None or baseline is None:
        return Verdict("no_pair", headline, baseline, basis, ())
    if headline not in finished or baseline not in finished:
        return Verdict("unfinished", headline, baseline, basis, ())
    comparison = compare(headline, baseline)
    fitted_on_these = tuple(name for name in (headline, baseline) if name in in_sample)
    return Verdict(comparison.code, headline, baseline, basis, (comparison,), fitted_on_these)


def _first(preferred: Sequence[str], names: Sequence[str]) -> Optional[str]:
    """Return the first of the ``preferred`` names that is among ``names``, otherwise the first of ``names``."""
    return next((name for name in preferred if name in names), names[0] if names else None)
