"""What is said below a graph, in its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Sequence

from .. import strings
from ..numbers import percents
from ..phrases import paragraph
from ..science import wording

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, CalibrationBin


class Said(NamedTuple):
    """Sentences. Those on how to read it are the same whatever it shows: of many graphs they are said once."""

    found: Sequence[str] = ()  #: what it shows here
    reading: Sequence[str] = ()  #: how to read it
    reserve: Sequence[str] = ()  #: what is to be kept in mind here

    @property
    def sentence(self) -> str:
        """All of it."""
        return paragraph(*self.found, *self.reading, *self.reserve)

    @property
    def finding(self) -> str:
        """Without how to read it."""
        return paragraph(*self.found, *self.reserve)


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
