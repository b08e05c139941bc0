"""A number with its 95% interval or the reason it has none, and the claim that an interval allows.

It needs not even NumPy, so that what shows a report can ask it too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

#: Confidence level of every interval.
CONFIDENCE = 0.95

#: With fewer cards or fewer days than this, intervals are too short, and none is given.
MIN_CARDS, MIN_DAYS = 20, 8

#: If fewer reviews than this were forgotten (or remembered, whichever is rarer), or on fewer cards or days, the
#: difference of two losses is so skewed that its interval misses the truth too often, and none is given.
MIN_RARER, MIN_RARER_GROUPS = 10, 5

#: Differences of at most this size do not matter, in nats of log loss. Predicting 0.88 if 0.90 is true costs
#: 0.9 ln(0.90 / 0.88) + 0.1 ln(0.10 / 0.12) = 0.0020, and no one would notice: at a desired retention of 90%, being
#: off by two points shifts one more review in fifty from remembered to forgotten. It is also a tenth to a
#: twenty-fifth of what the best algorithm gains on guessing the average (0.02 to 0.05).
MARGIN = 0.002

#: The claims that an interval allows, see :func:`classify`. The last two are also reasons why there is no interval.
BETTER, WORSE, EQUIVALENT, CANNOT_TELL = "better", "worse", "equivalent", "cannot_tell"
TOO_FEW, RARE = "too_few", "rare_outcome"

#: Other reasons for a missing interval, see :class:`ConfidenceInterval`: of any number, of a calibration line, and of
#: the workload of two schedulers.
NO_REVIEWS = "no_reviews"
ONE_OUTCOME, CONSTANT, SEPARATED = "one_outcome", "constant", "separated"
OUT_OF_REACH = "out_of_reach"


@dataclass(frozen=True)
class ConfidenceInterval:
    """A number with its 95% interval. If there is none, ``reason`` says why, and the ends are None.

    Reasons for any number are "too_few" (reviews, cards or days), "rare_outcome" (too few reviews were forgotten, or
    too few remembered) and "no_reviews". A calibration line also has "one_outcome" (all recalled, or all forgotten),
    "constant" (all predictions have the same logit) and "separated" (some threshold of the prediction separates all
    recalled from all forgotten, so the slope is infinite). The workload of two schedulers also has "out_of_reach" (with
    no desired retention does the one reach what the other has).
    """

    estimate: Optional[float]  #: the number itself; None if that is not known either
    low: Optional[float] = None  #: lower end
    high: Optional[float] = None  #: upper end
    standard_error: Optional[float] = None  #: None also if the interval is not based on one
    reason: Optional[str] = None  #: why there is no interval; None if there is one

    @property
    def value(self) -> float:
        """The estimate, for numbers that always have one. Raises ValueError if it is not known."""
        if self.estimate is None:
            raise ValueError(f"not known: {self.reason}")
        return self.estimate

    @property
    def low_high(self) -> Optional[Tuple[float, float]]:
        """The lower and the upper end of the interval, or None if there is no interval."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    def compare_with(self, value: float = 0.0) -> Optional[int]:
        """Return -1 if the interval is below the value, 1 if above, 0 if it holds it, or None without an interval."""
        if self.low is None or self.high is None:
            return None
        return -1 if self.high < value else int(self.low > value)

    def shift_by(self, by: float) -> ConfidenceInterval:
        """Return the interval of the number plus ``by``: estimate and ends are larger by that much."""
        estimate, low, high = (None if x is None else by + x for x in (self.estimate, self.low, self.high))
        return ConfidenceInterval(estimate, low, high, self.standard_error, self.reason)


def classify(interval: ConfidenceInterval, margin: float = MARGIN) -> str:
    """Classify A minus B, a difference of losses (negative: A is better), as one of six codes.

    * "equivalent": the 95% interval is entirely within -margin to margin, ends included. This comes first: a difference
      that is certain but too small to matter does not help anyone choose.
    * "better" / "worse": otherwise, if the interval is below / above 0. The difference may still be smaller than the
      margin.
    * "cannot_tell": otherwise. Both 0 and a difference that matters are possible.
    * "too_few" / "rare_outcome": there is no interval, because there are too few cards or days / reviews of the rarer
      outcome.

    The test of equivalence is that of two one-sided tests; with the 95% interval instead of the usual 90% one, so that
    a single interval supports both statements, each one-sided test is at 2.5%, and algorithms that differ by the margin
    or more are called equivalent at most 2.5% of the time. A against itself is equivalent for every margin.

    Reference: Schuirmann (1987), J. Pharmacokinet. Biopharm. 15:657, doi 10.1007/BF01068419. The three-way reading of
    an interval against a region of practical equivalence is that of Kruschke (2018), doi 10.1177/2515245918771304.

    Args:
        interval: of A minus B, in nats for log loss.
        margin: differences of at most this size do not matter; in the unit of the difference.
    """
    if interval.low_high is None:
        return RARE if interval.reason == RARE else TOO_FEW
    low, high = interval.low_high
    if -margin <= low and high <= margin:
        return EQUIVALENT
    return {-1: BETTER, 1: WORSE}.get(interval.compare_with() or 0, CANNOT_TELL)
