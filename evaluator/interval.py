"""Numbers with 95% intervals, and the claims that these allow.

NumPy is not imported, so that views can use this module.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

#: Confidence level of every interval.
CONFIDENCE = 0.95

#: Minimum number of cards for an interval. With fewer cards or days, intervals would be too short.
MIN_CARDS = 20
#: Minimum number of days for an interval.
MIN_DAYS = 8

#: Minimum number of scored reviews for a table and graphs. With fewer, chance would move a share remembered of 90% by 6
#: points or more, and the order of the rows would mean nothing.
MIN_FOR_TABLE = 100

#: Minimum number of reviews with the rarer outcome for the interval of a difference of two losses. With fewer, the
#: difference is so skewed that its interval would miss the truth too often.
MIN_RARER = 10
#: Minimum number of the cards and of the days of these reviews.
MIN_RARER_GROUPS = 5

#: Maximum difference in log loss, in nats, that does not matter. Predicting 0.88 if 0.90 is true costs
#: 0.9 ln(0.90 / 0.88) + 0.1 ln(0.10 / 0.12) = 0.0020. No one would notice that, because it shifts one review in fifty
#: from remembered to forgotten. It is also a tenth to a twenty-fifth of what the best algorithm gains on guessing the
#: average (0.02 to 0.05).
MARGIN = 0.002

#: The claims that an interval allows, see :func:`classify`.
BETTER = "better"
WORSE = "worse"
EQUIVALENT = "equivalent"
CANNOT_TELL = "cannot_tell"

#: Reasons for a missing interval, see :class:`ConfidenceInterval`. :func:`classify` returns the first two.
TOO_FEW = "too_few"
RARE = "rare_outcome"
NO_REVIEWS = "no_reviews"
ONE_OUTCOME = "one_outcome"
CONSTANT = "constant"
SEPARATED = "separated"
OUT_OF_REACH = "out_of_reach"


@dataclass(frozen=True)
class ConfidenceInterval:
    """A number with its 95% interval. If there is no interval, ``reason`` says why, and the ends are None.

    Reasons for any number are "too_few" (reviews, cards or days), "rare_outcome" (too few reviews were forgotten, or
    too few remembered) and "no_reviews". A calibration line also has "one_outcome" (all recalled, or all forgotten),
    "constant" (all predictions have the same logit) and "separated" (some threshold of the prediction separates all
    recalled from all forgotten, so the slope is infinite). The workload of two schedulers also has "out_of_reach" (no
    desired retention lets one scheduler reach the other).
    """

    estimate: Optional[float]  #: the number itself; None if it is not known
    low: Optional[float] = None  #: lower end
    high: Optional[float] = None  #: upper end
    standard_error: Optional[float] = None  #: None without an interval, or if the interval is not based on one
    reason: Optional[str] = None  #: reason for a missing interval; None if there is an interval

    @property
    def value(self) -> float:
        """The estimate, for numbers that always have one.

        Raises:
            ValueError: if it is not known.
        """
        if self.estimate is None:
            raise ValueError(f"not known: {self.reason}")
        return self.estimate

    @property
    def low_high(self) -> Optional[Tuple[float, float]]:
        """The lower and the upper end of the interval, or None if there is no interval."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    def compare_with(self, value: float = 0.0) -> Optional[int]:
        """Return -1 if the interval is below the value, 1 if it is above, and 0 if it holds the value.

        It is None without an interval.
        """
        if self.low is None or self.high is None:
            return None
        return -1 if self.high < value else int(self.low > value)

    def shift_by(self, offset: float) -> ConfidenceInterval:
        """Return the interval of the number plus a constant."""
        estimate, low, high = (None if x is None else offset + x for x in (self.estimate, self.low, self.high))
        return ConfidenceInterval(estimate, low, high, self.standard_error, self.reason)


def classify(interval: ConfidenceInterval) -> str:
    """Classify the difference A minus B of two losses.

    The first of these codes that applies is returned:

    * "too_few" or "rare_outcome": there is no interval, because there are too few cards or days, or too few reviews of
      the rarer outcome.
    * "equivalent": the whole 95% interval is within :data:`MARGIN` of 0, ends included. A difference that is certain
      but too small to matter does not help anyone choose.
    * "better" or "worse": the interval is below or above 0. The difference may still be smaller than the margin.
    * "cannot_tell": both 0 and a difference that matters are possible.

    Equivalence is tested by two one-sided tests. The usual interval for these is the 90% one. With the 95% interval,
    one interval supports all claims, and algorithms that differ by the margin or more are called equivalent at most
    2.5% of the time.

    Reference: Schuirmann (1987), J. Pharmacokinet. Biopharm. 15:657, doi 10.1007/BF01068419. The comparison of an
    interval with a region of practical equivalence is that of Kruschke (2018), doi 10.1177/2515245918771304.

    Args:
        interval: interval of A minus B. Negative differences mean that A is better.
    """
    if interval.low_high is None:
        return RARE if interval.reason == RARE else TOO_FEW
    low, high = interval.low_high
    if low >= -MARGIN and high <= MARGIN:
        return EQUIVALENT
    return {-1: BETTER, 1: WORSE}.get(interval.compare_with() or 0, CANNOT_TELL)
