"""How much optimizing gains later, depending on how much it changes the predictions now."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from evaluator.data.reviews import Bools
from evaluator.data.revlog import DELETED_CARD, Snapshot
from evaluator.derivatives import Floats
from evaluator.errors import EvaluatorError
from evaluator.evaluation import evaluate, prepare
from evaluator.fitting.predictor import Predictor
from evaluator.interval import MARGIN
from evaluator.metrics.scores import log_loss_per_review
from evaluator.options import Options
from evaluator.report.advice import LITTLE_CHANGE, MUCH_CHANGE
from evaluator.scoring.scheduler_in_use import OPTIMIZED, optimized
from tools.development.measure.table import PLAIN, SHARE, BenchTable, Value
from tools.simulate import simulate
from tools.simulate.people import learner
from ui.anki.optimizer import anki_optimize

ALGORITHM = OPTIMIZED[6]
DRIFTS = (0.0, 0.5)
ROWS = 5000
#: Shares of the log after which the parameters in use were optimized, and after which optimizing is considered.
BEFORE, NOW = (0.3, 0.5, 0.65, 0.74), 0.75
#: Classes of the mean change of predictions.
EDGES = (0.0, 0.002, LITTLE_CHANGE, MUCH_CHANGE, 0.02, 1.0)
CLASSES = (*pairwise(EDGES), (0.0, LITTLE_CHANGE))
Z = 1.96
OPTIMIZE = functools.cache(anki_optimize)

CAPTION = (
    "What optimizing gains later, by the mean change of predictions (in points). Simulated people optimized FSRS-6 in "
    "each preset at 30, 50, 65 or 74% of their log, and could do so again at 75%, with Anki's optimizer if there is "
    "one. Gain: the log loss on the rest of the log with the old parameters minus that with the new ones. Gained, "
    f"lost: more than {MARGIN:g}. Limit: the upper 95% limit of gained, clustered by person. The last row of each "
    "drift: all who are told to do nothing."
)
COLUMNS = {
    **dict.fromkeys(("change", "drift", "people", "cases"), PLAIN),
    **dict.fromkeys(("gain", "5%", "95%"), ".4f"),
    **dict.fromkeys(("gained", "limit", "lost"), SHARE),
}


def person(number: int, seed: int, drift: float) -> list[tuple[float, float]]:
    """Return the mean change of predictions and the later gain in log loss for each share in :data:`BEFORE`.

    The gain is that on the reviews after :data:`NOW`, of parameters optimized then over those in use.
    """
    whole = simulate(learner(number, seed=seed, rows=ROWS, drift=drift)).snapshot
    data, _ = prepare(whole, Options())
    now, preset = _until(whole, NOW), data.label("preset")
    later = np.flatnonzero((data.reviews.review_id > now.revlog.review_id[-1]) & (preset != DELETED_CARD))
    predictor = Predictor(ALGORITHM, data.histories(ALGORITHM.inputs))

    def loss(snapshot: Snapshot) -> float:
        predicted = np.empty(len(later))
        for item in snapshot.presets or ():
            own = preset[later] == item.preset_id
            predicted[own] = predictor.predict(np.array(item.parameters), later[own])
        return float(log_loss_per_review(predicted, data.reviews.recalled[later]).mean())

    result: list[tuple[float, float]] = []
    for share in BEFORE:
        snapshot = _optimized(whole, share)
        at_present, options = replace(snapshot, revlog=now.revlog), Options(("Your parameters",))
        in_use = evaluate(at_present, options, optimize=OPTIMIZE()).report.scheduler
        if in_use is not None and in_use.change is not None:
            result.append((in_use.change.mean, loss(snapshot) - loss(_optimized(snapshot, NOW))))
    return result


def _until(snapshot: Snapshot, share: float) -> Snapshot:
    log = snapshot.revlog
    return replace(snapshot, revlog=log.take(np.arange(round(share * len(log)))))


def _optimized(snapshot: Snapshot, share: float) -> Snapshot:
    """Give each preset the parameters from optimizing on this share of the log, and turn FSRS on.

    The optimizer is Anki's own if Anki is installed.
    """
    data = prepare(_until(snapshot, share), Options())[0]
    parameters = dict(optimized(data, ALGORITHM, optimize=OPTIMIZE()))
    default = [p.default for p in ALGORITHM.parameters]
    presets = (
        replace(item, parameters=tuple(parameters.get(item.preset_id, default))) for item in snapshot.presets or ()
    )
    return replace(snapshot, presets=tuple(presets), fsrs=True)


def optimizing(people: int, seed: int, tell: Callable[[float], object] = lambda _: None) -> BenchTable:
    """Simulate people without and with drift, and count by class of mean change."""
    rows = []
    for index, drift in enumerate(DRIFTS):
        result = []  # person, mean change, gain
        for number in range(1, people + 1):
            tell((index + number / people) / len(DRIFTS))
            with contextlib.suppress(EvaluatorError):
                result += [(number, *item) for item in person(number, seed, drift)]
        who, change, gain = np.array(result).reshape(-1, 3).T
        for low, high in CLASSES:
            of_class = (change >= low) & (change < high)
            rows.append((f"{100 * low:g} to {100 * high:g}", drift, *_row(who[of_class], gain[of_class])))
    return BenchTable(CAPTION, COLUMNS, rows)


def _row(who: Floats, gain: Floats) -> tuple[Value, ...]:
    if not len(who):
        return (0, 0, *[None] * 6)
    gains, costs = gain > MARGIN, gain < -MARGIN
    low, high = np.quantile(gain, [0.05, 0.95])
    return (
        *(len(np.unique(who)), len(who), float(gain.mean()), float(low), float(high)),
        *(float(gains.mean()), upper_limit(who, gains), float(costs.mean())),
    )


def upper_limit(who: Floats, happened: Bools) -> float:
    """Return the upper 95% limit of a share, with observations clustered by person.

    It is Wilson's, for as many independent observations as would have the variance of the clustered ones; for as many
    as there are people if that is not known, as it happened never or always.
    """
    share = happened.mean()
    of_person = np.bincount(np.unique(who, return_inverse=True)[1], happened - share)
    count, z2 = len(of_person), Z**2
    variance = (of_person**2).sum() / len(who) ** 2
    independent = min(share * (1 - share) / variance, len(who)) if variance else count
    middle = share + z2 / (2 * independent)
    reach = Z * np.sqrt(share * (1 - share) / independent + z2 / (4 * independent**2))
    return float((middle + reach) / (1 + z2 / independent))
