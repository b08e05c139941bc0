"""How often claims about users are true: from their own reviews, or from these and published results together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import nan

import numpy as np

from evaluator.interval import EQUIVALENT, MARGIN
from evaluator.report.advice import UNDECIDED
from evaluator.statistics.paired import comparison
from evaluator.statistics.population import PROBABILITY_CODES, peer_differences, with_probability_better
from tools.development.measure.coverage_tables import CoverageTable, clusters_of
from tools.development.measure.table import PLAIN, SHARE
from tools.simulate.drift import drifting
from tools.simulate.memory import Floats
from tools.simulate.reviews import SPREAD, SimulatedReviews, log_loss, recall_given, simulate

ALGORITHM = "FSRS-6"
#: Means of the logit of recall: 12, 6 and 3% of the reviews are forgotten.
CENTERS = (2.2, 3.2, 4.0)
#: The error of the better one in the logit, as a standard deviation; the other's is what makes the difference.
BETTER_SD = 0.5
ERRORS = np.concatenate([np.linspace(BETTER_SD, 3, 60), np.geomspace(3.1, 60, 60)])
SAID = (*(code for _least, code in PROBABILITY_CODES[:3]), "own")


@dataclass(frozen=True)
class Kind:
    """This many reviews of this many days, of people whose forecasters drift by a step of this many days, or not."""

    baseline: str
    reviews: int
    days: int
    step: int | None


def person(kind: Kind, random: np.random.Generator) -> tuple[float, ...]:
    """Return for each of :data:`SAID` whether one user sees it, and whether it is true."""
    true = float(random.choice(np.asarray(peer_differences(ALGORITHM, kind.baseline, kind.reviews))))
    center = float(random.choice(CENTERS))
    cards = 50 + 12 * kind.days
    reviews = simulate(random, cards=cards, days=kind.days, reviews=kind.reviews, center=center, day_spread=0.6)
    sd = float(np.interp(_loss(center)[0] + abs(true), _loss(center), ERRORS))
    ours, theirs = (
        _losses(random, reviews, kind.step, item) for item in ((sd, BETTER_SD) if true > 0 else (BETTER_SD, sd))
    )

    now = with_probability_better(
        comparison(ALGORITHM, kind.baseline, ours - theirs, clusters_of(reviews)), kind.reviews
    )
    own, chance = now.code not in UNDECIDED, now.chance
    text = "own" if own or chance is None else chance.code
    better = now.difference.value < 0 if own or chance is None else chance.better > 0.5
    right = abs(true) <= MARGIN if now.code == EQUIVALENT else better == (true < 0)
    return tuple(part for code in SAID for part in (text == code, right if text == code else nan))


def _losses(random: np.random.Generator, reviews: SimulatedReviews, step: int | None, sd: float) -> Floats:
    """Return each review's log loss for a forecaster with this error per card, or half per card and half over time."""
    error = random.normal(0, 1, reviews.card.max() + 1)[reviews.card]
    if step is not None:
        error = (error + drifting(random, int(reviews.day.max()) + 1, 1.0, step=step)[reviews.day]) / np.sqrt(2)
    return log_loss(reviews.known + sd * error, reviews.recalled)


@cache
def _loss(center: float) -> Floats:
    """Return the expected log loss of forecasters with each of :data:`ERRORS`, by quadrature."""
    node, weight = np.polynomial.hermite_e.hermegauss(60)
    weight = weight / weight.sum()
    known = center + SPREAD * node
    recall = recall_given(known)[:, None]
    logits = known[:, None] + ERRORS[:, None, None] * node
    return np.asarray((recall * np.logaddexp(0, -logits) + (1 - recall) * np.logaddexp(0, logits)) @ weight @ weight)


def _word(code: str) -> str:
    return code.partition("_")[0]


CLAIM_TABLE = CoverageTable(
    f"How often {ALGORITHM} is said to be better than the baseline, or worse, by each word (own: by their reviews "
    "alone), and how often that is true. The true differences are those of the file of other collections; one of two "
    "forecasters errs so much more in the logit, about each card for good and, with steps, half by an error that "
    "changes after so many days (step). 3 to 12 % are forgotten.",
    tuple(
        Kind(baseline, reviews, days, step)
        for baseline in ("Anki-SM-2", "FSRS-6 default")
        for step in (None, 20)
        for reviews, days in ((100, 15), (300, 30), (1000, 60), (3000, 120), (10_000, 300))
    ),
    dict.fromkeys(("baseline", "reviews", "days", "step"), PLAIN),
    person,
    {name: form for code in SAID for name, form in ((_word(code), ".0%"), (f"{_word(code)} true", SHARE))},
)
