"""Tables of stability, parameters, desired retention and sensitivity: what their sentences claim, and no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional, Tuple

import fake
import pytest
from test_stability_charts import LEARNING, evidence, point, with_stability

from evaluator.algorithms import CATALOGUE
from evaluator.algorithms.fsrs6 import FSRS6
from evaluator.report import Basis, Comparison, Failure, Interval, Report
from evaluator.sections.desired_retention import RetentionGroup, RetentionOfAlgorithm
from evaluator.sections.parameters import AlgorithmParameters, FittedParameter
from evaluator.sections.sensitivity import Sensitivity, SensitivityRow
from evaluator.sections.stability import FoldLoss, Learning, Stability, TrainAndTest
from evaluator.statistics.at_desired_retention import AtDesiredRetention, IntervalFactor, Near
from evaluator.statistics.held_out import HeldOut
from evaluator.statistics.learning_curve import LearningCurve
from ui.views import load
from ui.views.parameters import FSRS_PARAMETERS, PARAMETERS_ELSEWHERE
from ui.views.sensitivity import SENSITIVITY_INCOMPLETE, SENSITIVITY_VARIANTS
from ui.views.stability import EVIDENCE_FADED, EVIDENCE_TURNED, evidence_sentence, learning_finding, learning_sentence
from ui.views.view import Block

MARGIN = 0.002
MINUS = "\N{MINUS SIGN}"
NBSP = "\N{NO-BREAK SPACE}"


def overall(code: str, difference: float = -0.0058) -> Comparison:
    """What all folds together say."""
    found = Interval(difference, difference - 0.002, difference + 0.002)
    return Comparison("FSRS-6", "default", found, code, 0)


def learned(*folds: Tuple[int, float, Optional[float]], pays_from: Optional[int] = None, code: str = "better") -> str:
    """The finding of folds given as (training reviews, difference, half of the interval)."""
    curve = LearningCurve(tuple(point(*fold) for fold in folds), pays_from)
    return learning_finding(Learning("FSRS-6", curve, overall(code)), MARGIN)


class TestLearning:
    def test_what_all_folds_say_comes_first(self) -> None:
        """And is said as such: a last fold that is too small does not take it back."""
        said = learned((1_000, -0.02, 0.01), (2_000, -0.02, 0.01), (3_000, -0.005, 0.01))
        first, last, clear = said.split(". ", 1)[0], said.index("The last fold alone"), said.index("Taken one by one")
        assert first.startswith("Over all folds, the trained parameters of FSRS-6 predict better than the default ones")
        assert f"(by 0.0058; 95{NBSP}% interval: 0.0038 to 0.0078)" in said
        assert "with 3,000 reviews to learn from, does not tell" in said
        assert 0 < last < clear
        assert said.endswith("in 2 of the 3 folds the trained parameters were clearly better.")
        assert "Taken one by one" not in learned((2_000, 0.0, 0.01), (3_000, -0.005, 0.01))
        assert " alone" not in learned((3_000, -0.005, 0.01)), "a single fold is all of them"

    def test_from_when_on_it_pays(self) -> None:
        said = learned((1_200, 0.0, 0.01), (2_431, -0.02, 0.01), (3_600, -0.02, 0.01), pays_from=2_431)
        assert said.endswith("Training pays in each single fold from about 2,400 reviews to learn from on.")

    def test_a_fold_that_tells_nothing_does_not_speak_against_it(self) -> None:
        """With less to learn from it may have paid, too."""
        said = learned((1_200, -0.02, None), (2_431, -0.02, 0.01), pays_from=2_431)
        assert "from about 2,400 reviews to learn from on, perhaps earlier: the fold before has too few" in said
        said = learned((600, -0.02, None), (1_200, 0.0, 0.01), (2_431, -0.02, 0.01), pays_from=2_431)
        assert said.endswith("Training pays in each single fold from about 2,400 reviews to learn from on.")

    def test_no_interval_is_spoken_of_where_there_is_none(self) -> None:
        curve = LearningCurve((point(60, -0.02, None), point(90, -0.01, None)), None)
        few = Learning("FSRS-6", curve, overall("too_few"))
        assert "one point; below" in learning_sentence(few, MARGIN)
        assert f"one point with its 95{NBSP}% interval; below" in learning_sentence(LEARNING, MARGIN)

    def test_it_may_have_paid_before_the_first_fold(self) -> None:
        said = learned((1_234, -0.02, 0.01), (2_431, -0.02, 0.01), pays_from=1_234)
        assert said.endswith("Training paid in each single fold, already with 1,200 reviews to learn from.")

    @pytest.mark.parametrize(
        ("difference", "reach", "words"),
        [
            (0.02, 0.01, "the default parameters predict better"),
            (0.0, 0.001, "trained and default parameters predict equally well"),
            (-0.02, None, "The last fold alone has too few cards or days"),
        ],
    )
    def test_other_ends(self, difference: float, reach: Optional[float], words: str) -> None:
        assert words in learned((1_000, 0.0, 0.01), (3_000, difference, reach))

    @pytest.mark.parametrize(
        ("code", "words"),
        [
            ("worse", "the default parameters of FSRS-6 predict better than the trained ones"),
            ("equivalent", "predict equally well: any difference is smaller than 0.002"),
            ("cannot_tell", "Even over all folds it cannot be told"),
        ],
    )
    def test_what_else_all_folds_may_say(self, code: str, words: str) -> None:
        assert words in learned((3_000, 0.0, 0.01), code=code)

    def test_without_an_interval_of_all_nothing_is_said_of_single_folds(self) -> None:
        said = learned((3_000, -0.02, None), code="too_few")
        assert said == (
            "There are too few cards or days to say whether training FSRS-6 pays: at least 40 of both are needed."
        )


class TestEvidence:
    def test_since_when(self) -> None:
        over_time = evidence()
        assert over_time.decided is not None
        said = evidence_sentence(over_time, MARGIN)
        assert said.startswith(
            f"From {over_time.decided.date} on the evidence has been enough, however often you look:"
        )
        assert "FSRS-6 predicts better than SM-2" in said
        assert EVIDENCE_FADED not in said
        assert EVIDENCE_TURNED not in said
        assert "The band is wider" in said

    def test_the_other_side(self) -> None:
        """What is above 0 speaks for the baseline."""
        over_time = evidence()
        assert over_time.decided is not None
        decided = replace(over_time.decided, difference=Interval(0.03, 0.01, 0.05))
        said = evidence_sentence(replace(over_time, decided=decided), MARGIN)
        assert "SM-2 predicts better than FSRS-6" in said
        assert EVIDENCE_TURNED in said, "the last day has it the other way round"

    def test_it_may_fade(self) -> None:
        over_time = evidence()
        last = replace(over_time.points[-1], difference=Interval(-0.02, -0.03, 0.01))
        said = evidence_sentence(replace(over_time, points=(*over_time.points[:-1], last)), MARGIN)
        assert EVIDENCE_FADED in said

    def test_not_enough_so_far_but_small(self) -> None:
        over_time = evidence(decided=False)
        last = replace(over_time.points[-1], difference=Interval(0.0, -0.001, 0.001))
        said = evidence_sentence(replace(over_time, points=(*over_time.points[:-1], last)), MARGIN)
        assert said.startswith("So far the evidence is not enough")
        assert "differ by less than 0.002" in said

    def test_too_few_days(self) -> None:
        said = evidence_sentence(evidence(30, decided=False, banded=False), MARGIN)
        assert "too few cards or days" in said
        assert "below zero FSRS-6 predicted better" in said, "how to read it"
        assert "band" not in said, "there is none"

    def test_few_rows_with_the_last_and_the_deciding_one(self) -> None:
        over_time = evidence()
        table = load("stability").of(with_stability(None, over_time))[-1]
        assert len(table.table.rows) <= 13
        dates = [row[0] for row in table.table.rows]
        assert over_time.decided is not None
        assert {over_time.decided.date, over_time.points[-1].date} <= set(dates)
        assert dates == sorted(dates)


def test_losses() -> None:
    """What training gained where it learned, and what of it held."""
    folds = tuple(FoldLoss(2_400 * k, 2_400, 0.30, 0.34, 0.04, 0.33, 0.35) for k in (1, 2, 3, 4))
    row = TrainAndTest("FSRS-6", folds, 0.30, 0.34, 0.04, 0.33, 0.35)
    own = TrainAndTest("FSRS-6 deck", (), None, 0.34, None, None, 0.35, "own_parameters")
    report = fake.report().with_section("stability", Stability((row, own), LEARNING, None))
    losses, curve = load("stability").of(report)
    assert losses.table.rows[0] == ("FSRS-6", "0.3000", "0.3400", "+0.0400", "+0.0300", "+0.0100")
    assert losses.table.rows[1] == ("FSRS-6 deck", "–", "0.3400", "–", "–", "+0.0100")
    assert "gained +0.0300 of log loss on the reviews that it learned from, and +0.0100 on the later" in losses.caption
    assert losses.notes == (
        "FSRS-6 deck: each deck or preset has parameters of its own, so there is no training loss of all.",
    )
    first, *_, last = curve.table.rows
    assert first == ("2,400", "2,400", "0.3000", "0.3400", "+0.0400", "+0.0010", f"{MINUS}0.0030", "+0.0050")
    assert last[-2:] == ("–", "–")


def parameter(index: int, last: Interval, share: Optional[float] = None, *, default: float = 0.5) -> FittedParameter:
    """Between 0 and 1."""
    differs = None if last.ends is None else bool(last.side(default))
    return FittedParameter(index, default, 0.0, 1.0, 0.1, 0.9, last, share, differs)


class TestParameters:
    def report(
        self, *parameters: FittedParameter, algorithm: str = "FSRS-6", meanings: Optional[str] = "FSRS"
    ) -> Report:
        found = AlgorithmParameters(algorithm, 12_000, 1_000, 2023, meanings, parameters)
        return fake.report().with_section("parameters", (found,))

    def test_remarks(self) -> None:
        summary, table = load("parameters").of(
            self.report(
                parameter(0, Interval(0.0, reason="lower")),
                parameter(1, Interval(1.0, reason="upper"), default=1.0),
                parameter(2, Interval(0.5, reason="fixed")),
                parameter(3, Interval(0.7, 0.6, 0.8, 0.05), 0.9),
                parameter(4, Interval(0.55, 0.45, 0.65, 0.05), 0.9),
                parameter(5, Interval(0.5, 0.0, 1.0, 0.3), 0.01),
            )
        )
        assert [row[-1] for row in table.table.rows] == [
            "at its lower bound (0)",
            "at its upper bound (1), like the default",
            "not trained",
            "differs from the default",
            "",
            "your reviews say hardly anything of it",
        ]
        assert table.table.rows[3][1:6] == (FSRS_PARAMETERS[3], "0.5", "0.7", "0.05", "0.1")
        assert summary.table.rows == (("FSRS-6", "6", "1", "w0, w1"),)
        assert summary.caption.startswith("Of FSRS-6, w0 sits on a bound: the reviews pull further")
        assert "Of FSRS-6, w1 sits on a bound by default: the reviews have not moved it." in summary.caption
        assert any("1,000 cards drawn with the seed 2023" in note for note in table.notes)

    def test_a_default_on_its_bound_is_pulled_by_nothing(self) -> None:
        """As w7 of FSRS-6, where no card has two reviews."""
        summary, _ = load("parameters").of(self.report(parameter(7, Interval(0.0, reason="lower"), default=0.0)))
        assert summary.caption.startswith("Of FSRS-6, w7 sits on a bound by default: the reviews have not moved it.")
        assert "pull" not in summary.caption

    def test_what_cannot_be_known(self) -> None:
        """Anki's optimiser; algorithms whose parameters have no words."""
        summary, table = load("parameters").of(
            self.report(parameter(0, Interval(0.3, reason="elsewhere")), algorithm="ACT-R", meanings=None)
        )
        assert summary.table.rows == (("ACT-R", "1", "–", "–"),)
        assert summary.caption.startswith("No parameter of ACT-R sits on a bound.")
        assert len(table.table.columns) == len(table.table.rows[0]) == 7
        assert PARAMETERS_ELSEWHERE in table.notes

    def test_each_parameter_of_fsrs_6_has_words(self) -> None:
        """The first 19 are those of FSRS-5."""
        assert len(set(FSRS_PARAMETERS)) == 21
        assert {a.meanings: len(a.parameters) for a in CATALOGUE.values() if isinstance(a, FSRS6)} == {"FSRS": 21}
        assert getattr(CATALOGUE["FSRS-5"], "meanings", None) == "FSRS"
        assert getattr(CATALOGUE["FSRS-7"], "meanings", None) is None


class TestDesiredRetention:
    def table(
        self,
        near: Near,
        factor: Tuple[Optional[float], Optional[float], Optional[float]],
        *,
        reason: Optional[str] = None,
        held_out: Optional[HeldOut] = None,
    ) -> Block:
        by = IntervalFactor(Interval(None), Interval(*factor, reason=reason))
        row = RetentionOfAlgorithm("FSRS-6", False, AtDesiredRetention(0.9, near, by), held_out)
        group = RetentionGroup(0.9, False, ("Default",), 5_000, (row,))
        (found,) = load("desired_retention").of(fake.report().with_section("desired_retention", (group,)))
        return found

    NEAR = Near(0.875, 0.92, 2_000, 800, 200, 0.899, Interval(0.87, 0.851, 0.889))

    def test_what_was_remembered(self) -> None:
        table = self.table(self.NEAR, (0.79, 0.7, 0.89), held_out=HeldOut(4, 1_600, 0.031, 0.012, 0.011))
        assert (
            f"When FSRS-6 said 90{NBSP}%, you remembered 87{NBSP}% (95{NBSP}% interval: 85{NBSP}% to 89{NBSP}%)."
            in table.caption
        )
        assert f"about 21{NBSP}% shorter (factor 0.79; 95{NBSP}% interval: 0.70 to 0.89)" in table.caption
        assert "Experimental" in table.caption
        assert table.heading == f"At your desired retention of 90{NBSP}% (experimental)"
        (tried,) = (note for note in table.notes if note.startswith("Would it help to correct FSRS-6"))
        assert "what you remembered was typically 3.1 percentage points away from that" in tried
        assert "it was 1.2 points away. Even perfect predictions would be 1.1 points away" in tried

    def test_no_more_than_the_interval_allows(self) -> None:
        said = self.table(self.NEAR, (0.95, 0.85, 1.05)).caption
        assert f"too short cannot be told (factor 0.95; 95{NBSP}% interval: 0.85 to 1.05)." in said
        assert "shorter" not in said
        more = replace(self.NEAR, recalled=Interval(0.92, 0.91, 0.93))
        assert "longer" in self.table(more, (1.2, 1.1, 1.3)).caption

    def test_nothing_is_said_of_intervals_where_the_two_ways_disagree(self) -> None:
        table = self.table(self.NEAR, (1.2, 1.1, 1.3))
        assert "cannot be told: too long by these reviews, too short by the line through all" in table.caption
        assert "longer" not in table.caption
        assert table.table.rows[0][-3:] == ("–",) * 3
        assert table.table.rows[0][2:4] == (f"89.9{NBSP}%", f"87.0{NBSP}%")
        more = replace(self.NEAR, recalled=Interval(0.92, 0.91, 0.93))
        said = self.table(more, (0.8, 0.7, 0.9)).caption
        assert "cannot be told: too short by these reviews, too long by the line through all" in said

    def test_narrow_intervals_have_a_digit_more(self) -> None:
        near = replace(self.NEAR, recalled=Interval(0.9012, 0.8962, 0.9062))
        said = self.table(near, (None, None, None)).caption
        assert f"you remembered 90.1{NBSP}% (95{NBSP}% interval: 89.6{NBSP}% to 90.6{NBSP}%)." in said

    def test_presets_without_a_table_are_counted(self) -> None:
        """The table is of 5,000 reviews of 16,000; of all of them nothing is left to say."""
        note = self.table(self.NEAR, (None, None, None)).notes[-1]
        assert note.startswith("Presets with other desired retentions")
        assert note.endswith("are left out: 11,000 scored reviews in all.")
        by = IntervalFactor(Interval(None), Interval(None))
        row = RetentionOfAlgorithm("FSRS-6", False, AtDesiredRetention(0.9, self.NEAR, by), None)
        whole = RetentionGroup(0.9, False, ("Default",), fake.REVIEWS, (row,))
        (table,) = load("desired_retention").of(fake.report().with_section("desired_retention", (whole,)))
        assert not any("left out" in said for said in table.notes)

    def test_without_reviews_or_curve(self) -> None:
        never = Near(0.875, 0.92, 0, 0, 0, None, Interval(None, reason="no_reviews"))
        table = self.table(never, (None, None, None), reason="no_curve")
        assert table.caption == f"FSRS-6 never predicted about 90{NBSP}%."
        assert any("no forgetting curve" in note for note in table.notes)
        assert table.table.rows[0][2:] == ("–",) * 7


class TestSensitivity:
    def row(self, name: str, code: str, winner: str = "FSRS-6", said: str = "better") -> SensitivityRow:
        comparison = Comparison("FSRS-6", "SM-2", Interval(-0.03, -0.04, -0.02), said, 0.01)
        return SensitivityRow(name, Basis(4_000, 500, 90), comparison, winner, code)

    def table(self, *rows: SensitivityRow, complete: bool = True) -> Block:
        found = Sensitivity(("FSRS-6", "SM-2"), self.row("as_asked", "same"), rows, complete)
        (table,) = load("sensitivity").of(fake.report().with_section("sensitivity", found))
        return table

    def test_the_same_winner(self) -> None:
        table = self.table(self.row("clipped", "same"), self.row("same_day", "same", said="cannot_tell"))
        assert table.caption == "FSRS-6 has the lowest log loss in every row."
        assert [row[5] for row in table.table.rows] == ["FSRS-6", "FSRS-6", "cannot tell"]
        assert [row[7] for row in table.table.rows] == ["", "no", "no"]
        assert table.table.rows[0][1:5] == ("4,000", f"{MINUS}0.0300", f"{MINUS}0.0400", f"{MINUS}0.0200")

    def test_another_winner(self) -> None:
        one = self.table(self.row("earlier_half", "other", "SM-2", "worse"), self.row("clipped", "same"))
        assert "another algorithm is ahead of it (earlier half of the scored reviews), but never by more" in one.caption
        assert one.table.rows[1][5:] == ("SM-2", "SM-2", "yes, not clearly")
        assert (
            "depends on how the reviews are counted" in self.table(self.row("clipped", "other_clearly", "SM-2")).caption
        )

    def test_the_verdict_may_turn_round_where_a_third_wins(self) -> None:
        """What is clear already is not said twice; what cannot be told is no turn."""
        rows = [self.row("clipped", "same", "AVG", "worse"), self.row("earlier_half", "same", "AVG", "cannot_tell")]
        said = self.table(*rows).caption
        assert said.endswith(f"Which of FSRS-6 and SM-2 is better turns round with: {SENSITIVITY_VARIANTS['clipped']}.")
        assert "turns round" not in self.table(self.row("clipped", "other_clearly", "SM-2", "worse")).caption

    def test_what_is_missing_is_said(self) -> None:
        failed = SensitivityRow("later_start", None, None, None, None, Failure("no_result", {"algorithm": "FSRS-6"}))
        table = self.table(failed, complete=False)
        assert table.table.rows[1][1:] == ("–",) * 7
        assert table.caption == "FSRS-6 has the lowest log loss in every row that could be worked out; not all could."
        assert "only the later half of all reviews: FSRS-6 has no result." in table.notes
        assert SENSITIVITY_INCOMPLETE in table.notes


def test_nothing_without_the_sections() -> None:
    """Not asked for."""
    for name in ("stability", "parameters", "desired_retention", "sensitivity"):
        assert load(name).of(fake.report()) == []
