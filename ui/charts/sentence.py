"""The sentence under a calibration graph: what it shows here, and how to read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

from .. import strings
from ..numbers import percents
from ..science import wording
from .said import Said

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, CalibrationBin


def calibration_said(results: Sequence[AlgorithmResult], findings: Sequence[str] = ()) -> Said:
    """For the one or two results of one graph; empty where there is nothing to say.

    ``findings``: what the groups' bands show of each, where they are known. Of two that is enough to say.
    """
    shown = [result for result in results if result.calibration and result.calibration.log_spaced][:2]
    if not shown:
        return Said()
    parts = list(findings)
    if len(shown) == 1:
        parts += [_said(shown[0]), wording.bias_sentence(shown[0])]
    elif not findings:
        parts += map(_said, shown)
    return Said(parts, [strings.SENTENCE_READ])


def _said(result: AlgorithmResult) -> str:
    """Predicted and actual recall in the largest group of reviews."""
    group = _largest(result)
    predicted, recalled = percents(group.predicted, group.recalled)
    return strings.SENTENCE_ONE.format(algorithm=result.algorithm, predicted=predicted, recalled=recalled)


def _largest(result: AlgorithmResult) -> CalibrationBin:
    if result.calibration is None:
        raise ValueError(result.algorithm)
    return max(result.calibration.log_spaced, key=lambda group: group.reviews)
