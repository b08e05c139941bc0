"""Can this number be cheated? Each sentence follows the numbers beside it."""

from __future__ import annotations

from dataclasses import replace

import fake
import pytest

from evaluator.sections.cheating import Cheat
from ui.views import load
from ui.views.cheating import CHEATING_DECIDES
from ui.views.view import Block

NBSP = "\N{NO-BREAK SPACE}"


class TestCheating:
    AVG = Cheat("rmse_prediction_bins", "AVG", 0.0091, 0.3858, "FSRS-6", 0.0098, 0.3685)
    EXPLOIT = Cheat("rmse_bins_benchmark", "RMSE-BINS-EXPLOIT", 0.007, 5.3286, "FSRS-6", 0.0229, 0.3685)

    def table(self, *found: Cheat) -> Block:
        (table,) = load("cheating").of(fake.report().with_section("cheating", found))
        return table

    def test_by_how_much_log_loss_tells(self) -> None:
        table = self.table(self.AVG, self.EXPLOIT)
        assert (
            f"(0.91{NBSP}% against 0.98{NBSP}%), so that number can be cheated; by log loss it is worse by 0.0173."
            in (table.caption)
        )
        assert "by log loss it is worse by 4.9601." in table.caption
        assert table.caption.endswith(CHEATING_DECIDES)
        assert [row[1] for row in table.table.rows] == ["AVG", "FSRS-6", "RMSE-BINS-EXPLOIT", "FSRS-6"]

    @pytest.mark.parametrize("value", [0.0097, 0.0102])
    def test_nearly_the_same_is_neither_better_nor_worse(self, value: float) -> None:
        """A cheat all the same: by log loss it is worse."""
        said = self.table(replace(self.AVG, value=value)).caption
        assert "By RMSE by prediction it looks as good as FSRS-6 (" in said
        assert "so that number can be cheated; by log loss it is worse by 0.0173." in said

    def test_only_one_was_made_to_please_a_number(self) -> None:
        assert "made to please" not in self.table(self.AVG).caption
        assert "RMSE-BINS-EXPLOIT knows nothing about your cards and was made to please" in (
            self.table(self.EXPLOIT).caption
        )

    def test_a_number_that_is_not_fooled_here(self) -> None:
        said = self.table(replace(self.AVG, value=0.02)).caption
        assert f"By RMSE by prediction it looks worse than FSRS-6 here (2.00{NBSP}% against 0.98{NBSP}%)" in said
        assert "can be cheated" not in said

    def test_beside_a_bad_algorithm(self) -> None:
        said = self.table(replace(self.AVG, best="SM-2", best_log_loss=0.43)).caption
        assert "by log loss it is not worse either: nothing shows here that SM-2 knows more than it does." in said

    def test_where_it_is_the_best_itself_it_is_compared_with_nobody(self) -> None:
        table = self.table(replace(self.AVG, best="AVG", best_value=0.0097, best_log_loss=0.3858))
        assert len(table.table.rows) == 1
        assert "It has the lowest log loss itself" in table.caption
        assert "looks" not in table.caption

    def test_the_numbers_are_explained_where_they_stand(self) -> None:
        first, second = self.table(self.AVG, self.EXPLOIT).notes
        assert first.startswith("RMSE by prediction: The older RMSE over groups of similar predictions.")
        assert second.startswith("RMSE (bins, benchmark): RMSE (bins) with the group limits")
