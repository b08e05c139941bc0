"""The sentences about single rows of the table: which there are, and with which numbers."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Callable, Dict, List, Optional, Tuple

import pytest

from evaluator.interval import TOO_FEW, Interval
from evaluator.report import BESIDE_OTHERS, AlgorithmResult, CalibrationLine, Collections, Placement
from ui.text import strings
from ui.views.metrics import VIEWS
from ui.views.results import (
    bias_error_sentence,
    bias_sentence,
    skill_sentence,
    smooth_sentence,
    sure_sentence,
)
from ui.views.table_text import cell, details

#: Of either definition of RMSE (bins).
chance_sentence, chance_by_wiki = VIEWS["rmse_bins_benchmark"].details[0], VIEWS["rmse_bins"].details[0]

ROW = AlgorithmResult("FSRS-6", "FSRS", "", True, 21, ("ratings",), 1234)
Ends = Optional[Tuple[float, float]]

#: A number with its sign, a word or name, or a sign that stands alone.
_WORD = re.compile("[+\N{MINUS SIGN}]?\\d(?:[\\d.,-]*\\d)?|[^\\W\\d]\\w*(?:-\\w+)*|[%=+\N{MINUS SIGN}]")


def assert_says(sentence: str, words: List[str]) -> None:
    """The words, names and numbers of these, in this order, whatever stands between them."""
    said = iter(_WORD.findall(sentence))
    for one in words:
        assert all(word in said for word in _WORD.findall(one)), (one, sentence)


def test_nothing_is_said_of_what_is_not_known() -> None:
    """As where an algorithm failed."""
    sentences = (bias_sentence, chance_sentence, chance_by_wiki, skill_sentence)
    for sentence in (*sentences, smooth_sentence, bias_error_sentence, sure_sentence):
        assert not sentence(ROW)


@pytest.mark.parametrize("metric", ["rmse_bins", "rmse_bins_benchmark"])
@pytest.mark.parametrize(
    ("found", "excess", "words"),
    [(0.05, 0.04, ["5.00 %", "chance", "3.00 %", "4.00 %"]), (0.02, 0.0, ["2.00 %", "3.00 %", "nothing shows"])],
)
def test_chance(metric: str, found: float, excess: float, words: List[str]) -> None:
    """5^2 = 3^2 + 4^2; and where chance alone would make more."""
    row = replace(ROW, metrics={metric: found, f"{metric}_floor": 0.03, f"{metric}_excess": excess})
    (said,) = filter(None, (sentence(row) for sentence in (chance_sentence, chance_by_wiki)))
    assert_says(said, [VIEWS[metric].label, *words])


@pytest.mark.parametrize(
    ("sentence", "metric", "label"),
    [(smooth_sentence, "smece", "smECE"), (bias_error_sentence, "mbe", "Mean bias error")],
)
def test_with_an_interval_or_without(sentence: Callable[[AlgorithmResult], str], metric: str, label: str) -> None:
    known = replace(ROW, metrics={metric: Interval(0.021, 0.01, 0.0345)})
    assert_says(sentence(known), [f"{label} 2.10 % 1.00 % to 3.45 %", "above 0"])
    assert_says(sentence(replace(ROW, metrics={metric: Interval(0.021, reason=TOO_FEW)})), [f"{label} 2.10 %"])


def test_precision_and_recall() -> None:
    """The former is not defined where nothing was predicted so high."""
    found = sure_sentence(replace(ROW, metrics={"precision_90": 0.951, "recall_90": 0.4}))
    assert_says(found, ["90 % or more", "95.1 % were remembered", "40.0 % of all"])
    assert_says(sure_sentence(replace(ROW, metrics={"precision_90": None, "recall_90": 0.0})), ["no review at 90 %"])


@pytest.mark.parametrize(
    ("algorithm", "metrics", "words"),
    [
        ("FSRS-6", {"skill_average": 0.071, "skill_interval_average": -0.02}, ["7.1 % lower", "2.0 % higher"]),
        # Guessing the average is compared only with the guess that knows the interval.
        ("AVG", {"skill_average": 0.0, "skill_interval_average": -0.015}, ["1.5 % higher"]),
    ],
)
def test_skill(algorithm: str, metrics: Dict[str, float], words: List[str]) -> None:
    assert_says(skill_sentence(replace(ROW, algorithm=algorithm, metrics=metrics)), words)


@pytest.mark.parametrize(
    ("level", "slope", "words"),
    [
        ((-0.3, -0.1), (0.7, 0.9), ["too high", "too sure"]),
        ((0.1, 0.3), (1.1, 1.2), ["too low", "too timid"]),
        ((-0.1, 0.1), (0.9, 1.1), ["neither"]),
        (None, None, []),
    ],
)
def test_bias(level: Ends, slope: Ends, words: List[str]) -> None:
    """By the intervals of the calibration line; without them nothing is claimed."""
    zero, one = (Interval(0.0, *ends) if ends else Interval(0.0, reason=TOO_FEW) for ends in (level, slope))
    said = bias_sentence(replace(ROW, calibration_line=CalibrationLine(zero, one, zero)))
    assert bool(said) == bool(words)
    assert_says(said, words)


def test_a_number_is_placed_among_those_of_others() -> None:
    """In the tips, and as a column of its own; what is not placed is not."""
    others = Collections(1500, 2500, 693)
    row = replace(
        ROW,
        metrics={"rmse_bins_benchmark": 0.036, "auc": 0.7},
        population=(Placement("rmse_bins_benchmark", 0.618, "FSRS-5 recency", others),),
    )
    said = details(row, "rmse_bins_benchmark")
    assert_says(said, ["3.60 %, lower than that of 62 of 100 people with about as many reviews", "FSRS-5 recency"])
    assert cell(row, BESIDE_OTHERS) == "62 of 100"
    assert "of 100" not in details(row, "auc")
    assert cell(ROW, BESIDE_OTHERS) == strings.NO_VALUE


def test_without_a_line_no_bias_is_claimed() -> None:
    none = CalibrationLine(*[Interval(None, reason="one_outcome")] * 3)
    assert not bias_sentence(replace(ROW, calibration_line=none))
