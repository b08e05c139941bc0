"""The sentence under a calibration graph: what it shows here, and how to read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

from .. import strings
from ..numbers import percents
from ..science import wording

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, CalibrationBin


def calibration_sentence(results: Sequence[AlgorithmResult]) -> str:
    """For the one or two results of one graph; empty where there is nothing to say."""
    shown = [result for result in results if result.calibration and result.calibration.log_spaced][:2]
    if not shown:
        return ""
    first = shown[0]
    first_predicted, first_recalled = _said(first)
    if len(shown) == 1:
        finding = strings.SENTENCE_ONE.format(
            algorithm=first.algorithm, predicted=first_predicted, recalled=first_recalled
        )
        finding = " ".join(part for part in (finding, wording.bias_sentence(first)) if part)
    else:
        second_predicted, second_recalled = _said(shown[1])
        finding = strings.SENTENCE_TWO.format(
            first=first.algorithm,
            first_predicted=first_predicted,
            first_recalled=first_recalled,
            second=shown[1].algorithm,
            second_predicted=second_predicted,
            second_recalled=second_recalled,
        )
    return f"{finding} {strings.SENTENCE_READ}"


def _said(result: AlgorithmResult) -> Sequence[str]:
    """Predicted and actual recall in the largest group of reviews."""
    group = _largest(result)
    return percents(group.predicted, group.recalled)


def _largest(result: AlgorithmResult) -> CalibrationBin:
    if result.calibration is None:
        raise ValueError(result.algorithm)
    return max(result.calibration.log_spaced, key=lambda group: group.reviews)
