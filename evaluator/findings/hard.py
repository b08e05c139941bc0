"""Test of whether Hard was pressed for forgotten cards.

If it was, cards fade after it as after a mixture of Hard and Again.

Hard counts as remembered everywhere. If someone answers the share m of all forgotten cards with Hard, only the share 1
- m is known to be forgotten, and a Hard that was given when FSRS-6 predicted recall R was a lapse with probability

    pi = min(1, m / (1 - m) * (1 - R) / P(Hard | R)).

The next review of the card is then remembered with probability

    pi * (recall from the state after Again) + (1 - pi) * (recall from the state after Hard).

P(Hard | R) is a line through the logits of R, fitted to all reviews. m is fitted together with w15 of FSRS-6 (how much
memory grows after Hard, as a share of that after Good), which is kept from 0.5 to 1. The other explanation has no such
lapses and any w15 from 0 to 1, since FSRS-6 itself lowers w15 to make up for lapses that it does not see. The statistic
is twice the logarithm of the likelihood ratio of the two explanations, each with its best numbers.

This is in-sample: m and w15 are fitted on the same reviews after Hard, and FSRS-6 has learned from most of them (its
parameters are those of the last fold). So the ratio is judged not by a textbook distribution but by simulated people.
2,000 of them never press Hard for a forgotten card; of the others about half exceed the limit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import attrgetter
from typing import List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ..algorithms.fsrs6 import FSRS_6
from ..data.dataset import Dataset
from ..data.revlog import AGAIN, GOOD, HARD, Bools, Ints
from ..derivatives import Floats
from ..fitting.recurrence import Recurrence
from ..interval import TOO_FEW
from ..metrics.scores import logit
from ..progress import Progress
from ..report import Hard
from ..scoring.evidence import Evidence
from ..statistics.calibration_line import fit_line, no_line_reason
from .thresholds import (
    HARD_LIMIT,
    HARD_LIMIT_PER_REVIEW,
    HARD_PER_LAPSE,
    MIN_AFTER_HARD,
    MIN_FORGOTTEN_AFTER_HARD,
    MIN_HARD_SHARE,
)

#: Index of w15 among the parameters.
W15 = 15

#: Codes of a result.
SUSPECTED = "suspected"
NOT_SUSPECTED = "not_suspected"
#: Reasons for no result, see :attr:`evaluator.report.Hard.reason`.
NOT_EVALUATED = "not_evaluated"
NO_HARD = "no_hard"
TOO_FEW_REVIEWS = "few_reviews"
TOO_FEW_LAPSES = "few_forgotten"

#: Step of the grid on which m and w15 are searched.
STEP = 0.05
#: Step of the finer grid around its best point.
FINE_STEP = 0.01
#: Maximum of m.
MAX_SHARE = 0.95
#: Minimum of w15 if some answers with Hard were lapses.
MIN_W15 = 0.5

#: The lowest and the highest value.
_Range = Tuple[float, float]


def judge_hard(evidence: Evidence, progress: Progress) -> Hard:
    """Return the result of :func:`examine` on the evaluated reviews, with facts on the scored ones.

    The parameters are those of FSRS-6 in the last fold.

    Args:
        evidence: the evidence with all finished algorithms.
        progress: the progress of the search.
    """
    data = evidence.data
    button = np.minimum(data.rows.rating[evidence.tested.row], GOOD)
    n_hard = np.count_nonzero(button == HARD)
    is_frequent = bool(n_hard > HARD_PER_LAPSE * np.count_nonzero(button == AGAIN))
    fitted = evidence.fitted.get(FSRS_6.name)
    parameters = None
    means: Tuple[float, ...] = ()
    if fitted is not None:
        parameters = fitted.parameters[-1]
        means = tuple(float(fitted.predicted[button == rating].mean()) for rating in np.unique(button))
    predicted = means if len(means) == GOOD else ()
    return replace(examine(data, parameters, progress), predicted=predicted, frequent=is_frequent)


def examine(data: Dataset, parameters: Optional[Floats], progress: Progress) -> Hard:
    """Test whether Hard was pressed for forgotten cards.

    Args:
        data: the reviews.
        parameters: the parameters of FSRS-6 (21,), or None if it was not run. Then there is no result.
        progress: the progress of the search.
    """
    hard_reviews, next_reviews = hard_and_next(data)
    recalled = data.reviews.recalled[next_reviews]
    n_reviews = len(next_reviews)
    hard_answers = int((data.rows.rating[data.reviews.row] == HARD).sum())
    reasons = {
        NO_HARD: not hard_answers,
        TOO_FEW_REVIEWS: n_reviews < MIN_AFTER_HARD,
        TOO_FEW_LAPSES: np.count_nonzero(recalled == 0) < MIN_FORGOTTEN_AFTER_HARD,
        NOT_EVALUATED: parameters is None,
    }
    reason = next((reason for reason, holds in reasons.items() if holds), None)
    untested = Hard(FSRS_6.name, TOO_FEW, reason, hard_answers, n_reviews, MIN_AFTER_HARD, MIN_FORGOTTEN_AFTER_HARD)
    if parameters is None or reason is not None:
        return untested
    progress(0.0)
    mixture = Mixture.of(data, parameters, hard_reviews, next_reviews)
    without_lapses = mixture.best_explanation((0.0, 0.0), (0.0, 1.0), progress.part(0.2, 0.3))
    with_lapses = mixture.best_explanation((0.0, MAX_SHARE), (MIN_W15, 1.0), progress.part(0.3, 1.0))
    ratio = 2 * (with_lapses.log_likelihood - without_lapses.log_likelihood)
    limit = HARD_LIMIT + HARD_LIMIT_PER_REVIEW * n_reviews
    code = SUSPECTED if with_lapses.share >= MIN_HARD_SHARE and ratio > limit else NOT_SUSPECTED
    return replace(untested, code=code, share=with_lapses.share, likelihood_ratio=ratio, limit=limit)


def hard_and_next(data: Dataset) -> Tuple[Ints, Ints]:
    """Return the reviews answered with Hard and the next reviews of their cards (n,), as indices into the table.

    A Hard is left out if the card was seen again on the same day, or never again.
    """
    row = data.reviews.row
    review_of_row = np.full(len(data.rows) + 1, -1)
    review_of_row[row] = np.arange(len(row))
    # The row after a card's last one is another card's first, which is not a review of the table.
    next_review = review_of_row[row + 1]
    hard = np.flatnonzero((data.rows.rating[row] == HARD) & (next_review >= 0))
    return hard, next_review[hard]


def probability_of_hard(recall: Floats, is_hard: Ints) -> Floats:
    """Return P(Hard | R) at each review (n,), given the predicted recall (n,) and whether the answer was Hard (n,).

    It is the share of Hard if no line can be fitted, because all predictions are equal or separate Hard perfectly.
    """
    x = logit(recall)
    if no_line_reason(x, is_hard) is not None:
        return np.full(len(recall), is_hard.mean())
    line = fit_line(x, is_hard)
    probability: Floats = 1 / (1 + np.exp(-line.intercept - line.slope * x))
    return probability


@dataclass(frozen=True)
class Mixture:
    """The n reviews after a Hard, with what both explanations need to predict them."""

    parameters: Floats  #: (21,) parameters of FSRS-6
    stability: Floats  #: (n,) stability before the Hard, in days
    difficulty: Floats  #: (n,) difficulty before the Hard
    elapsed: Floats  #: (n,) days from the review before to the Hard
    odds: Floats  #: (n,) (1 - R) / P(Hard | R) at the Hard
    next_elapsed: Floats  #: (n,) days from the Hard to the review
    recalled: Bools  #: (n,) whether the review was remembered

    @classmethod
    def of(cls, data: Dataset, parameters: Floats, hard_reviews: Ints, next_reviews: Ints) -> Mixture:
        """Build from the table, the parameters of FSRS-6 (21,), and the result of :func:`hard_and_next`."""
        reviews = data.reviews
        histories = data.histories(FSRS_6.inputs)
        node = histories.query_node[histories.query_of_review]
        stability, difficulty = (column[node] for column in Recurrence(FSRS_6, histories).states(parameters))
        recall = FSRS_6.recall(list(parameters), (stability, difficulty), reviews.elapsed_days)
        is_hard = (data.rows.rating[reviews.row] == HARD).astype(np.int64)
        return cls(
            parameters=parameters,
            stability=stability[hard_reviews],
            difficulty=difficulty[hard_reviews],
            elapsed=reviews.elapsed_days[hard_reviews].astype(np.float64),
            odds=(1 - recall[hard_reviews]) / probability_of_hard(recall, is_hard)[hard_reviews],
            next_elapsed=reviews.elapsed_days[next_reviews].astype(np.float64),
            recalled=reviews.recalled[next_reviews] == 1,
        )

    def recall_after(self, rating: int, w15: float) -> Floats:
        """Return the predicted recall in the reviews (n,), if the answer before them had been ``rating``."""
        w = [*self.parameters]
        w[W15] = w15
        state = FSRS_6.step(w, (self.stability, self.difficulty), self.elapsed, rating)
        recall: Floats = FSRS_6.recall(w, state, self.next_elapsed)
        return recall

    def _likelihood(self, rating: int, w15: float = 1.0) -> Floats:
        """Return the likelihood of each outcome (n,), if the answer before had been ``rating``."""
        recall = self.recall_after(rating, w15)
        return np.where(self.recalled, recall, 1 - recall)

    def lapse_probability(self, share: float) -> Floats:
        """Return pi (n,), the probability that each Hard was a lapse, if this share of lapses was answered Hard."""
        return np.minimum(1.0, share / (1 - share) * self.odds)

    def best_explanation(self, shares: _Range, w15s: _Range, progress: Progress) -> Explanation:
        """Search m and w15 within these ranges for the best explanation, on a grid and then on a finer one near it."""
        coarse = self._best_on_grid((shares, w15s), STEP, progress.part(0.0, 0.5))
        centers = ((coarse.share, shares), (coarse.w15, w15s))
        finer_ranges = [(max(low, center - STEP), min(high, center + STEP)) for center, (low, high) in centers]
        return self._best_on_grid(finer_ranges, FINE_STEP, progress.part(0.5, 1.0))

    def _best_on_grid(self, ranges: Sequence[_Range], step: float, progress: Progress) -> Explanation:
        """Return the best explanation on a grid over the ranges of m and w15."""
        shares, w15s = (np.linspace(low, high, round((high - low) / step) + 1).round(4) for low, high in ranges)
        explanations: List[Explanation] = []
        again_likelihood = self._likelihood(AGAIN)
        for index, w15 in enumerate(w15s.tolist()):
            progress(index / len(w15s))
            hard_likelihood = self._likelihood(HARD, w15)
            for share in shares.tolist():
                gain = self.lapse_probability(share) * (again_likelihood - hard_likelihood)
                explanations.append(Explanation(float(np.log(hard_likelihood + gain).sum()), share, w15))
        return max(explanations, key=attrgetter("log_likelihood"))


class Explanation(NamedTuple):
    """One explanation of the reviews after Hard."""

    log_likelihood: float
    share: float  #: m, the share of lapses that were answered with Hard
    w15: float
