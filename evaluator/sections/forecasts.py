"""How did earlier verdicts fare? What was found once is held against the reviews that were made since.

A forecast is the verdict of one evaluation, with parameters fitted on all reviews until then. Nobody can have fitted
anything to the reviews that come after it, so they test it. It is judged once, by the first evaluation after
:data:`DAYS` days of study and :data:`REVIEWS` reviews; the next one begins where it ends, so no review counts twice.
Looking every week until it fits would keep nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ..algorithms import CATALOGUE
from ..algorithms.algorithm import Algorithm, Parameter, Parametric, Source
from ..fitting.fit import fit_and_predict
from ..fitting.predictor import predict_tested
from ..fitting.training import train
from ..folds import Fold
from ..forecasts import HIGHER, KEPT, LOWER, Forecast, Outcome, thinned
from ..metrics.scores import log_loss_per_review
from ..scope import WHOLE_DAY_TABLE
from ..statistics.paired import Clusters, spread
from ..statistics.prediction_interval import prediction_interval
from .section import Section

if TYPE_CHECKING:
    from ..evidence import Evidence
    from ..progress import Progress
    from ..report import Report

Floats = npt.NDArray[np.float64]

#: A forecast is judged after so many days with reviews, and so many scored reviews.
DAYS, REVIEWS = 60, 300

#: By so many reviews a collection is known again, of which this share is to be found.
_KNOWN_BY, _FOUND = 8, 0.5


@dataclass(frozen=True)
class Forecasts:
    """Earlier verdicts held against later reviews. Whoever evaluates keeps ``made`` for the next evaluation.

    ``code``: "open" (the last of them waits for more reviews), "too_few" (likewise, though it has enough days and
    reviews: they are of too few cards, or too few of them were forgotten); or why none waits: "other_reviews" (only
    the whole collection with the usual options is forecast, and no older state of it than the last forecast knew),
    "other_collection" (these forecasts were made of another), "no_verdict" (there is none, or too few reviews for an
    interval), "not_repeatable" (an algorithm of the pair cannot be repeated later: its parameters are elsewhere, or of
    each deck or preset).
    """

    code: str
    made: Tuple[Forecast, ...]  #: in the order of time
    days: int = 0  #: of study since the last of them, which waits
    reviews: int = 0  #: likewise
    needed_days: int = DAYS  #: of study, before it is judged
    needed_reviews: int = REVIEWS  #: likewise


def compute(report: Report, evidence: Evidence, _names: Sequence[str], progress: Progress) -> Optional[Forecasts]:
    """Judge the forecast that waits, if it is time, and make the next one; None where none are to be kept."""
    made = evidence.forecasts
    if made is None:
        return None
    if not _is_usual(report, made):
        return Forecasts("other_reviews", made)
    waiting = made[-1] if made and made[-1].outcome is None else None
    if made and not _is_known(made[-1], evidence):
        return Forecasts("other_collection", made)
    if waiting is not None and _can_repeat(waiting):
        progress(0.0)
        judged = _judged(waiting, evidence)
        if judged.outcome is None:
            reviews = _since(waiting, evidence)
            days = len(np.unique(evidence.data.reviews.day[reviews:]))
            count = len(evidence.data.reviews) - reviews
            return Forecasts("open" if days < DAYS or count < REVIEWS else "too_few", made, days, count)
        made = (*made[:-1], judged)
    elif waiting is not None:  # by a version that had other algorithms
        made = made[:-1]
    if made and evidence.data.rows.review_id.max() <= made[-1].last_review:
        return Forecasts("other_reviews", made)
    code, found = _forecast(report, evidence, progress.part(0.2, 1.0))
    return Forecasts(code, thinned((*made, found)) if found else made)


def _is_usual(report: Report, made: Sequence[Forecast]) -> bool:
    """Whether it is the whole collection, counted as always, with all reviews since the last forecast."""
    scope = report.scope
    all_since = scope.since is None or not made or scope.since <= made[-1].date
    usual = scope.table == WHOLE_DAY_TABLE and scope.same_day and scope.outlier_filter
    return scope.kind == "collection" and usual and all_since


def _is_known(forecast: Forecast, evidence: Evidence) -> bool:
    """Whether the reviews that the forecast knew are here, but for some that were lost since."""
    known = evidence.data.reviews.review_id
    place = np.minimum(np.searchsorted(known, forecast.some_reviews), len(known) - 1)
    return bool((known[place] == forecast.some_reviews).mean() >= _FOUND)


# --- the past ---------------------------------------------------------------------------------------------------------


def _forecast(report: Report, evidence: Evidence, progress: Progress) -> Tuple[str, Optional[Forecast]]:
    """A forecast from this evaluation, which waits now; or why there is none."""
    verdict = report.verdict
    pair = tuple(name for name in (verdict.algorithm, verdict.baseline) if name in evidence.fitted)
    if len(pair) < 2 or not verdict.comparisons:
        return "no_verdict", None
    algorithms = [evidence.algorithm(name) for name in pair]
    if not all(map(_is_repeatable, algorithms)):
        return "not_repeatable", None
    one, other = (evidence.scoring.loss(evidence.fitted[name].predicted) for name in pair)
    found = spread(one - other, evidence.scoring.clusters)
    if found is None:
        return "no_verdict", None
    shares = (progress.part(0.0, 0.5), progress.part(0.5, 1.0))
    parameters = [_fitted_on_all(each, evidence, share) for each, share in zip(algorithms, shares)]
    known, rows = evidence.data.reviews, evidence.data.rows
    last = int(rows.review_id.max())
    some = known.review_id[np.linspace(0, len(known) - 1, _KNOWN_BY).astype(int)]
    return "open", Forecast(
        software=report.software,
        date=evidence.clock.date_of(int(evidence.clock.day_of(np.array([last]))[0])).isoformat(),
        last_review=last,
        some_reviews=tuple(some.tolist()),
        algorithm=pair[0],
        baseline=pair[1],
        parameters=parameters[0],
        baseline_parameters=parameters[1],
        code=verdict.code,
        reviews=len(evidence.tested),
        difference=found.interval,
        degrees=found.degrees,
        daily_variance=found.long_run_variance,
        fsrs=evidence.context.fsrs,
    )


def _is_repeatable(algorithm: Algorithm) -> bool:
    """Whether it predicts the same at any later time from its parameters, or without any, and the reviews."""
    if algorithm.name not in CATALOGUE:
        return False  # predictions from elsewhere
    if not isinstance(algorithm, Parametric):
        return True
    return algorithm.source is Source.OURS and (algorithm.training is None or algorithm.training.by is None)


def _fitted_on_all(algorithm: Algorithm, evidence: Evidence, progress: Progress) -> Tuple[float, ...]:
    """The parameters of an algorithm, fitted on all reviews; empty where it has none."""
    if not isinstance(algorithm, Parametric):
        return ()
    w = np.array([[p.default for p in algorithm.parameters]])
    if algorithm.training is not None:
        end = len(evidence.data.reviews)
        w = train(algorithm, evidence.data.divided(Fold(end, end)), w, progress)[0]
    return tuple(map(float, w[0]))


# --- what came since --------------------------------------------------------------------------------------------------


def _can_repeat(forecast: Forecast) -> bool:
    """Whether both algorithms are still there, and their parameters could be theirs: as many, and within the bounds."""
    pair = ((forecast.algorithm, forecast.parameters), (forecast.baseline, forecast.baseline_parameters))
    return all(
        name in CATALOGUE and _is_repeatable(CATALOGUE[name]) and _could_be(w, CATALOGUE[name].parameters)
        for name, w in pair
    )


def _could_be(w: Sequence[float], parameters: Sequence[Parameter]) -> bool:
    return len(w) == len(parameters) and all(p.lower <= value <= p.upper for value, p in zip(w, parameters))


def _since(forecast: Forecast, evidence: Evidence) -> int:
    """The first review that the forecast did not know, by its place in the table."""
    return int(np.searchsorted(evidence.data.reviews.review_id, forecast.last_review, side="right"))


def _judged(forecast: Forecast, evidence: Evidence) -> Forecast:
    """Judge a forecast by the reviews since; it comes back unchanged while these are too few."""
    start = _since(forecast, evidence)
    since = evidence.data.reviews.take(slice(start, None))
    clusters = Clusters.of(since.card_id, since.day, since.recalled)
    if clusters.days < DAYS or len(since) < REVIEWS:
        return forecast
    one = _loss(forecast.algorithm, forecast.parameters, start, evidence)
    other = _loss(forecast.baseline, forecast.baseline_parameters, start, evidence)
    found = spread(one - other, clusters)
    if found is None:
        return forecast
    expected = prediction_interval(forecast.difference, forecast.degrees, forecast.daily_variance, found)
    outcome = Outcome(
        date=evidence.clock.date_of(int(since.day[-1])).isoformat(),
        reviews=len(since),
        cards=clusters.cards,
        days=clusters.days,
        difference=found.interval,
        expected=expected,
        code={-1: HIGHER, 0: KEPT, 1: LOWER}[expected.side(of=found.mean) or 0],
        fsrs=evidence.context.fsrs,
    )
    return replace(forecast, outcome=outcome)


def _loss(name: str, parameters: Sequence[float], start: int, evidence: Evidence) -> Floats:
    """The log loss of each review from ``start`` on, with these parameters, none of which is fitted anew."""
    algorithm = CATALOGUE[name]
    data = evidence.data.divided(Fold(start, len(evidence.data.reviews)))
    if isinstance(algorithm, Parametric):
        predicted = predict_tested(algorithm, data, np.array([parameters]))
    else:
        predicted = fit_and_predict(algorithm, data).predicted
    return log_loss_per_review(predicted, data.reviews.recalled[start:])


SECTION = Section("forecasts", Forecasts, compute, remembers=True)
