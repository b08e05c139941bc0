"""Predictions from elsewhere that lack some of the scored reviews: what they lack, and the comparison without those."""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, Optional

import numpy as np

from .algorithms.algorithm import Algorithm
from .derivatives import Floats
from .fitting.fit import Fitted
from .report import Report, Uncovered
from .report.core import MOST_UNCOVERED
from .reviews import Bools
from .tally import Evaluation, Tally


def with_coverage(tally: Tally) -> Evaluation:
    """The evaluation with the reviews that files of predictions lack, and a second report on those that none lacks.

    A file that has none of the scored reviews is left out of the second report: nothing would remain.
    """
    evaluation, options = tally.evaluation(), tally.evidence.options
    review_id = evaluation.predictions.review_id
    found = {one.name: one.of(review_id) for one in options.external}
    lacking = {name: predicted for name, predicted in found.items() if np.isnan(predicted).any()}
    if not lacking:
        return evaluation
    uncovered = tuple(
        Uncovered(name, int(missing.sum()), tuple(map(int, review_id[missing][:MOST_UNCOVERED])))
        for name, missing in ((name, np.isnan(predicted)) for name, predicted in lacking.items())
    )
    partly = {name: predicted for name, predicted in lacking.items() if np.isfinite(predicted).any()}
    report = replace(evaluation.report, uncovered=uncovered, on_covered=_on_covered(tally, evaluation, partly))
    predictions = replace(evaluation.predictions, predicted={**evaluation.predictions.predicted, **lacking})
    return replace(evaluation, report=report, predictions=predictions)


def _on_covered(tally: Tally, evaluation: Evaluation, partly: Dict[str, Floats]) -> Optional[Report]:
    """The report on the reviews that all of ``partly`` predict; None where there are none, or only one outcome."""
    if not partly:
        return None
    only: Bools = np.isfinite(np.sum(list(partly.values()), axis=0))
    recalled = evaluation.predictions.recalled[only]
    if not len(recalled) or recalled.min() == recalled.max():
        return None
    part = tally.part(only)
    for algorithm in tally.evidence.options.contestants():
        _add(part, algorithm, tally, evaluation, partly)
    return part.evaluation().report


def _add(part: Tally, algorithm: Algorithm, tally: Tally, evaluation: Evaluation, partly: Dict[str, Floats]) -> None:
    fitted = tally.evidence.fitted
    if algorithm.name in fitted:
        part.add(algorithm, fitted[algorithm.name])
    elif algorithm.name in partly:
        predicted = partly[algorithm.name]
        part.add(algorithm, Fitted.without_parameters(predicted, evaluation.report.scope.folds, algorithm.note))
    else:
        part.fail(algorithm, evaluation.report.result(algorithm.name).error)
