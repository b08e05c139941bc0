"""The sentences about single rows of the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional

import pytest
from test_wording import no_leftovers

from evaluator.interval import TOO_FEW, Interval
from evaluator.report import AlgorithmResult, CalibrationLine, Decomposition
from ui.views.results import bias_sentence, chance_sentence, parts_sentence, published_sentences, skill_sentence

ROW = AlgorithmResult("FSRS-6", "FSRS", "", True, 21, ("ratings",), 1234)


def plain(sentence: str) -> str:
    """Without what holds a number and its percent sign together."""
    return sentence.replace("\N{NO-BREAK SPACE}", " ")


def test_nothing_is_said_of_what_is_not_known() -> None:
    """As where an algorithm failed."""
    for sentence in (bias_sentence, chance_sentence, parts_sentence, skill_sentence):
        assert not sentence(ROW)


def test_chance() -> None:
    """5^2 = 3^2 + 4^2; and where chance alone would make more."""
    row = replace(ROW, metrics={"rmse_bins": 0.05, "rmse_bins_floor": 0.03, "rmse_bins_excess": 0.04})
    assert plain(chance_sentence(row)) == (
        "RMSE (bins) 5.00 %: by chance alone even a perfect algorithm would have about 3.00 % on these reviews. "
        "Without chance, this one would have about 4.00 %. (Chance and error partly cancel, so the sum of these "
        "two is more than 5.00 %.)"
    )
    row = replace(ROW, metrics={"rmse_bins": 0.02, "rmse_bins_floor": 0.03, "rmse_bins_excess": 0.0})
    assert plain(chance_sentence(row)).endswith(
        "would have about 3.00 % on these reviews, so nothing shows that this one is off."
    )


def test_chance_by_the_other_definition() -> None:
    """5^2 = 3^2 + 4^2 again, and nothing of the page's."""
    row = replace(
        ROW,
        metrics={"rmse_bins_benchmark": 0.05, "rmse_bins_benchmark_floor": 0.03, "rmse_bins_benchmark_excess": 0.04},
    )
    assert not chance_sentence(row)
    assert plain(chance_sentence(row, "rmse_bins_benchmark")).startswith(
        "RMSE (bins, benchmark) 5.00 %: by chance alone even a perfect algorithm would have about 3.00 %"
    )


def test_parts() -> None:
    """In the order in which they add up; pooled ties may leave a miscalibration a hair below 0."""
    row = replace(ROW, log_loss_parts=Decomposition(0.37, -1e-12, 0.03, 0.40))
    assert parts_sentence(row).startswith("Log loss 0.3700 = 0.4000 (how uncertain")
    assert "\u2212 0.0300 (for knowing" in parts_sentence(row)
    assert "+ 0.0000 (for probabilities" in parts_sentence(row)
    no_leftovers(parts_sentence(row).replace(" (", " "))


def test_published_parameters_in_the_presets() -> None:
    """Two equal rows are not left without a word why; nor are two called the same that are not."""
    known = replace(ROW, trained=False, parameter_count=0, log_loss=0.4, metrics={"auc": 0.6})
    default = replace(known, algorithm="FSRS-6 default", parameters_per_fold=((0.2, 1.3),))
    own = replace(known, algorithm="Your parameters", parameters_per_fold=((),))
    assert list(published_sentences((own, replace(ROW, log_loss=0.3), default))) == [
        "Your parameters: your presets hold the published parameters, so the numbers are those of FSRS-6 default."
    ]
    assert not list(published_sentences((replace(own, log_loss=0.39), default)))
    assert not list(published_sentences((own, replace(own, algorithm="A file"))))


def test_skill() -> None:
    """Lower than one guess, higher than the other."""
    assert plain(skill_sentence(replace(ROW, metrics={"skill_average": 0.071, "skill_interval_average": -0.02}))) == (
        "Its log loss is 7.1 % lower than that of always guessing your average so far, and 2.0 % higher than that of "
        "guessing your average after intervals of similar length."
    )


def test_guessing_the_average_is_not_compared_with_itself() -> None:
    """Only with the guess that knows the interval."""
    row = replace(ROW, algorithm="AVG", metrics={"skill_average": 0.0, "skill_interval_average": -0.015})
    assert plain(skill_sentence(row)) == (
        "Its log loss is 1.5 % higher than that of guessing your average after intervals of similar length."
    )


@pytest.mark.parametrize(
    ("level", "slope", "said"),
    [
        (
            (-0.3, -0.1),
            (0.7, 0.9),
            "too high; it is too sure of itself, high ones being too high and low ones too low.",
        ),
        ((0.1, 0.3), (1.1, 1.2), "too low; it is too timid, high ones being too low and low ones too high."),
        ((-0.1, 0.1), (0.9, 1.1), "neither too high nor too low."),
    ],
)
def test_bias(level: tuple[float, float], slope: tuple[float, float], said: str) -> None:
    """By the intervals of the calibration line."""
    row = replace(ROW, calibration_line=line(level, slope))
    assert bias_sentence(row) == f"On the whole its predictions are {said}"


def test_no_bias_is_claimed_without_an_interval() -> None:
    """Nor without a line."""
    assert not bias_sentence(replace(ROW, calibration_line=line(None, None)))
    assert not bias_sentence(
        replace(ROW, calibration_line=CalibrationLine(*[Interval(None, reason="one_outcome")] * 3))
    )


def line(level: Optional[tuple[float, float]], slope: Optional[tuple[float, float]]) -> CalibrationLine:
    """With these intervals."""
    zero, one = (Interval(0.0, *ends) if ends else Interval(0.0, reason=TOO_FEW) for ends in (level, slope))
    return CalibrationLine(zero, one, zero)
