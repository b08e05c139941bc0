"""The table of who cheats which number: what it says of the numbers that are there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluator.report import Cheat
from ui.tables.cheating import cheating_table

from . import fake

BEATS = Cheat("rmse_prediction_bins", "AVG", 0.01, 0.42, "FSRS-6", 0.02, 0.35)


@pytest.mark.parametrize(
    ("cheat", "said"),
    [
        (BEATS, "Here AVG beats FSRS-6 by RMSE by prediction; its log loss is 1.20 times as high."),
        (
            replace(BEATS, value=0.03),
            "Here AVG comes behind FSRS-6 by RMSE by prediction, too; its log loss is 1.20 times as high.",
        ),
        (
            Cheat("rmse_prediction_bins", "AVG", 0.01, 0.42, "AVG", 0.01, 0.42),
            "Here AVG itself has the lowest log loss, so RMSE by prediction shows no cheating.",
        ),
    ],
    ids=["beats", "behind", "best"],
)
def test_what_is_said_holds_of_these_numbers(cheat: Cheat, said: str) -> None:
    """Whether the cheat wins, loses, or is no cheat at all."""
    table = cheating_table(replace(fake.report(), cheating=(cheat,)))
    assert table.sentence.endswith(f"comparison with other tools. {said}")
    assert [row[1] for row in table.rows] == [cheat.forecaster, cheat.best]
