"""Tables of stability, parameters, desired retention and sensitivity: what their sentences claim, and no more."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, List, Optional, Tuple

import fake
import pytest
from made_graphs import LEARNING, evidence, point, with_stability
from test_wording_of_results import assert_says
from told import reads, says

from evaluator.algorithms import CATALOGUE
from evaluator.algorithms.fsrs6 import FSRS6
from evaluator.report import Basis, Comparison, Failure, Interval, Report
from evaluator.sections.desired_retention import RetentionGroup, RetentionOfAlgorithm
from evaluator.sections.parameters import AlgorithmParameters, FittedParameter, Parameters, PresetParameters
from evaluator.sections.sensitivity import Sensitivity, SensitivityRow
from evaluator.sections.stability import EvidenceOverTime, FoldLoss, Learning, Stability, TrainAndTest
from evaluator.statistics.at_desired_retention import Near
from evaluator.statistics.learning_curve import LearningCurve
from ui.views import load
from ui.views.comparisons import COMPARISON_CODES
from ui.views.parameters import (
    FSRS_PARAMETERS,
    PARAMETERS_AT_BOUNDS,
    PARAMETERS_AT_BOUNDS_LIKE_DEFAULT,
    PARAMETERS_ELSEWHERE,
    PARAMETERS_HELD,
)
from ui.views.sensitivity import SENSITIVITY_CODES, SENSITIVITY_INCOMPLETE, SENSITIVITY_VARIANTS
from ui.views.stability import EVIDENCE_FADED, EVIDENCE_TURNED, evidence_sentence, learning_finding, learning_sentence
from ui.views.view import Block

MARGIN = 0.002
MINUS = "\N{MINUS SIGN}"
NBSP = "\N{NO-BREAK SPACE}"


Fold = Tuple[int, float, Optional[float]]


def overall(code: str, difference: float = -0.0058) -> Comparison:
    found = Interval(difference, difference - 0.002, difference + 0.002)
    return Comparison("FSRS-6", "default", found, code, 0)


def learned(*folds: Fold, pays_from: Optional[int] = None, code: str = "better") -> str:
    """The finding of folds given as (training reviews, difference, half of the interval)."""
    curve = LearningCurve(tuple(point(*fold) for fold in folds), pays_from)
    return learning_finding(Learning("FSRS-6", curve, overall(code)), MARGIN)


LONG, SHORT = (1_000, 0.0, 0.01), (3_000, -0.005, 0.01)


class TestLearning:
    @pytest.mark.parametrize(
        ("folds", "pays_from", "words"),
        [
            # What all folds say comes first: a last fold that is too small does not take it back.
            (
                [(1_000, -0.02, 0.01), (2_000, -0.02, 0.01), SHORT],
                None,
                ["all folds", "FSRS-6", "0.0058", "0.0038", "0.0078", "last fold alone", "3,000", "3 folds", "2"],
            ),
            ([(1_200, 0.0, 0.01), (2_431, -0.02, 0.01), (3_600, -0.02, 0.01)], 2_431, ["pays in each", "2,400"]),
            # A fold that tells nothing does not speak against it: with less to learn from it may have paid, too.
            ([(1_200, -0.02, None), (2_431, -0.02, 0.01)], 2_431, ["2,400", "perhaps earlier", "20 cards", "8 days"]),
            ([(1_234, -0.02, 0.01), (2_431, -0.02, 0.01)], 1_234, ["paid in each", "already with 1,200"]),
            ([LONG, (3_000, 0.02, 0.01)], None, ["default parameters predict better"]),
            ([LONG, (3_000, 0.0, 0.001)], None, ["equally well"]),
            ([LONG, (3_000, -0.02, None)], None, ["last fold alone has too few"]),
        ],
    )
    def test_what_is_said(self, folds: List[Fold], pays_from: Optional[int], words: List[str]) -> None:
        assert_says(learned(*folds, pays_from=pays_from), words)

    @pytest.mark.parametrize(
        ("folds", "pays_from", "sentences"),
        [
            ([(2_000, -0.02, 0.01), SHORT], None, 3),
            ([(2_000, 0.0, 0.01), SHORT], None, 2),
            ([SHORT], None, 1),
            ([(600, -0.02, None), (1_200, 0.0, 0.01), (2_431, -0.02, 0.01)], 2_431, 2),
        ],
    )
    def test_what_is_not(self, folds: List[Fold], pays_from: Optional[int], sentences: int) -> None:
        """Folds alone, where none helped; a single fold is all of them; only the one just before may be too small."""
        said = learned(*folds, pays_from=pays_from)
        assert len(re.split(r"\. (?=[A-Z])", said)) == sentences
        assert not re.search(r"cards and 8 days", said)

    @pytest.mark.parametrize(
        ("code", "words"),
        [
            ("worse", ["the default parameters of FSRS-6 predict better"]),
            ("equivalent", ["equally well", "0.002"]),
            ("cannot_tell", ["cannot be told"]),
        ],
    )
    def test_what_else_all_folds_may_say(self, code: str, words: List[str]) -> None:
        assert_says(learned(LONG, code=code), words)

    def test_without_an_interval_of_all_nothing_is_said_of_single_folds(self) -> None:
        assert learned(LONG, SHORT, code="too_few") == learned((3_000, -0.02, None), code="too_few")

    def test_no_interval_is_spoken_of_where_there_is_none(self) -> None:
        curve = LearningCurve((point(60, -0.02, None), point(90, -0.01, None)), None)
        few = Learning("FSRS-6", curve, overall("too_few"))
        assert ["interval" in learning_sentence(one, MARGIN).partition("one point")[2] for one in (few, LEARNING)] == [
            False,
            True,
        ]


def said_of(over_time: EvidenceOverTime, *, decided: Optional[Interval] = None, last: Optional[Interval] = None) -> str:
    """The sentence, the deciding day or the last one having another difference."""
    *before, end = over_time.points
    if last is not None:
        over_time = replace(over_time, points=(*before, replace(end, difference=last)))
    if decided is not None:
        assert over_time.decided is not None
        over_time = replace(over_time, decided=replace(over_time.decided, difference=decided))
    return evidence_sentence(over_time, MARGIN)


class TestEvidence:
    def test_since_when(self) -> None:
        over_time = evidence()
        assert over_time.decided is not None
        said = said_of(over_time)
        assert_says(said, [over_time.decided.date, "FSRS-6 predicts better than SM-2", "The band"])
        assert EVIDENCE_FADED not in said
        assert EVIDENCE_TURNED not in said

    def test_it_may_turn_and_fade(self) -> None:
        """What is above 0 speaks for the baseline."""
        turned = said_of(evidence(), decided=Interval(0.03, 0.01, 0.05))
        assert_says(turned, ["SM-2 predicts better than FSRS-6", EVIDENCE_TURNED])
        assert EVIDENCE_FADED in said_of(evidence(), last=Interval(-0.02, -0.03, 0.01))

    def test_not_enough_so_far_but_small(self) -> None:
        said = said_of(evidence(decided=False), last=Interval(0.0, -0.001, 0.001))
        assert_says(said, ["not enough", "less than 0.002"])

    def test_too_few_days(self) -> None:
        said = said_of(evidence(30, decided=False, banded=False))
        assert_says(said, ["too few cards or days", "below zero FSRS-6"])
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
    folds = tuple(FoldLoss(2_400 * k, 2_400, 0.30, 0.34, 0.04, 0.33, 0.35) for k in (1, 2, 3, 4))
    row = TrainAndTest("FSRS-6", folds, 0.30, 0.34, 0.04, 0.33, 0.35)
    own = TrainAndTest("FSRS-6 deck", (), None, 0.34, None, None, 0.35, "own_parameters")
    report = fake.report().with_section("stability", Stability((row, own), LEARNING, None))
    losses, curve = load("stability").of(report)
    assert losses.table.rows[0] == ("FSRS-6", "0.3000", "0.3400", "+0.0400", "+0.0300", "+0.0100")
    assert losses.table.rows[1] == ("FSRS-6 deck", "–", "0.3400", "–", "–", "+0.0100")
    assert_says(losses.caption, ["+0.0300", "+0.0100"])
    assert_says(losses.notes[0], ["FSRS-6 deck"])
    first, *_, last = curve.table.rows
    assert curve.chart is not None
    assert "interval" in curve.chart.data.point, "all but the last have one"
    assert first == ("2,400", "2,400", "0.3000", "0.3400", "+0.0400", "+0.0010", f"{MINUS}0.0030", "+0.0050")
    assert last[-2:] == ("–", "–")


def parameter(index: int, last: Interval, share: Optional[float] = None, *, default: float = 0.5) -> FittedParameter:
    differs = None if last.ends is None else bool(last.side(default))
    return FittedParameter(index, default, 0.0, 1.0, 0.1, 0.9, last, share, differs)


class TestParameters:
    def report(
        self, *parameters: FittedParameter, algorithm: str = "FSRS-6", meanings: Optional[str] = "FSRS"
    ) -> Report:
        found = AlgorithmParameters(algorithm, 12_000, 1_000, 2023, meanings, parameters)
        return fake.report().with_section("parameters", Parameters((found,), ()))

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
        *held, differs, nothing, little = (row[-1] for row in table.table.rows)
        assert held == [
            PARAMETERS_AT_BOUNDS["lower"].format(bound=0),
            PARAMETERS_AT_BOUNDS_LIKE_DEFAULT["upper"].format(bound=1),
            PARAMETERS_HELD["fixed"],
        ]
        assert says(differs, "differs from the default")
        assert not nothing
        assert says(little, "your reviews say hardly anything of it")
        assert table.table.rows[3][1:6] == (FSRS_PARAMETERS[3], "0.5", "0.7", "0.05", "0.1")
        assert summary.table.rows == (("FSRS-6", "6", "1", "w0, w1"),)
        assert_says(summary.caption, ["FSRS-6", "w0", "pull further", "w1", "by default"])
        assert any("1,000 cards drawn with the seed 2023" in note for note in table.notes)

    def test_a_default_on_its_bound_is_pulled_by_nothing(self) -> None:
        """As w7 of FSRS-6, where no card has two reviews."""
        summary, _ = load("parameters").of(self.report(parameter(7, Interval(0.0, reason="lower"), default=0.0)))
        assert_says(summary.caption, ["FSRS-6", "w7", "by default"])
        assert "pull" not in summary.caption

    def test_what_cannot_be_known(self) -> None:
        summary, table = load("parameters").of(
            self.report(parameter(0, Interval(0.3, reason="elsewhere")), algorithm="ACT-R", meanings=None)
        )
        assert summary.table.rows == (("ACT-R", "1", "–", "–"),)
        assert_says(summary.caption, ["No parameter of ACT-R", "bound"])
        assert len(table.table.columns) == len(table.table.rows[0]) == 7
        assert PARAMETERS_ELSEWHERE in table.notes

    def test_what_presets_run(self) -> None:
        """Without any trained algorithm, too. What is stored and not used is told."""
        presets = (
            PresetParameters("Default", 7, 34, "own", ()),
            PresetParameters("Kanji", 7, 0, "none", (35, 21)),
            PresetParameters("Old", 6, 21, "published", (34,)),
        )
        (block,) = load("parameters").of(fake.report().with_section("parameters", Parameters((), presets)))
        own, none, old = block.table.rows
        assert own == ("Default", "FSRS-7", "34", "")
        assert none[:3] == ("Kanji", "FSRS-7", "0")
        assert_says(none[3], ["the published ones", "none of its own", "not used: 35 and 21 stored numbers"])
        assert old[:3] == ("Old", "FSRS-6", "21")
        assert_says(old[3], ["the published ones", "not used: 34 stored numbers"])

    def test_each_parameter_of_fsrs_6_has_words(self) -> None:
        """The first 19 are those of FSRS-5."""
        assert len(set(FSRS_PARAMETERS)) == 21
        assert {a.meanings: len(a.parameters) for a in CATALOGUE.values() if isinstance(a, FSRS6)} == {"FSRS": 21}
        assert getattr(CATALOGUE["FSRS-5"], "meanings", None) == "FSRS"
        assert getattr(CATALOGUE["FSRS-7"], "meanings", None) is None


class TestDesiredRetention:
    NEAR = Near(0.875, 0.92, 2_000, 800, 200, 0.899, Interval(0.87, 0.851, 0.889))

    @staticmethod
    def table(near: Near, *, reviews: int = 5_000) -> Block:
        group = RetentionGroup(0.9, False, ("Default",), reviews, (RetentionOfAlgorithm("FSRS-6", False, near),))
        (found,) = load("desired_retention").of(fake.report().with_section("desired_retention", (group,)))
        return found

    @pytest.mark.parametrize(
        ("recalled", "words"),
        [
            ((0.87, 0.851, 0.889), ["90 %", "87 %", "85 %", "89 %"]),
            # Narrow intervals have a digit more.
            ((0.9012, 0.8962, 0.9062), ["89.9 %", "90.1 %", "89.6 %", "90.6 %"]),
            # Shares are not above 1.
            ((0.985, 0.96, 1.01), ["98 %", "96 %", "100 %"]),
            # No interval, no claim of one.
            ((0.87, None, None), ["90 %", "you remembered 87 %."]),
        ],
    )
    def test_what_was_remembered(self, recalled: Any, words: List[str]) -> None:
        table = self.table(replace(self.NEAR, recalled=Interval(*recalled)))
        assert_says(table.heading, ["90 %"])
        assert_says(table.caption, ["FSRS-6", *words])
        assert ("interval" in table.caption) == (recalled[1] is not None)
        (row,) = table.table.rows
        assert len(row) == len(table.table.columns)
        assert row[2:4] == (f"89.9{NBSP}%", f"{100 * recalled[0]:.1f}{NBSP}%")

    def test_presets_without_a_table_are_counted(self) -> None:
        """The table is of 5,000 reviews of 16,000; of all of them nothing is left to say."""
        assert_says(self.table(self.NEAR).notes[-1], ["left out", "11,000"])
        assert not any("left out" in said for said in self.table(self.NEAR, reviews=fake.REVIEWS).notes)

    def test_without_reviews(self) -> None:
        never = Near(0.875, 0.92, 0, 0, 0, None, Interval(None, reason="no_reviews"))
        table = self.table(never)
        assert_says(table.caption, ["FSRS-6", "never", "90 %"])
        assert table.table.rows[0][2:] == ("–",) * 4


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
        assert reads(table.caption, "FSRS-6 has the lowest log loss in every row.")
        assert "could" not in table.caption
        assert [row[5] for row in table.table.rows] == ["FSRS-6", "FSRS-6", COMPARISON_CODES["cannot_tell"]]
        assert [row[7] for row in table.table.rows] == ["", *[SENSITIVITY_CODES["same"]] * 2]
        assert table.table.rows[0][1:5] == ("4,000", f"{MINUS}0.0300", f"{MINUS}0.0400", f"{MINUS}0.0200")

    def test_another_winner(self) -> None:
        one = self.table(self.row("earlier_half", "other", "SM-2", "worse"), self.row("clipped", "same"))
        assert_says(one.caption, ["ahead of it", SENSITIVITY_VARIANTS["earlier_half"], "never by more"])
        assert one.table.rows[1][5:] == ("SM-2", "SM-2", SENSITIVITY_CODES["other"])
        assert (
            "depends on how the reviews are counted" in self.table(self.row("clipped", "other_clearly", "SM-2")).caption
        )

    def test_the_verdict_may_turn_round_where_a_third_wins(self) -> None:
        """What is clear already is not said twice; what cannot be told is no turn."""
        rows = [self.row("clipped", "same", "AVG", "worse"), self.row("earlier_half", "same", "AVG", "cannot_tell")]
        said = self.table(*rows).caption
        assert SENSITIVITY_VARIANTS["clipped"] in said.partition("the other one of")[2]
        assert SENSITIVITY_VARIANTS["earlier_half"] not in said
        assert "the other one of" not in self.table(self.row("clipped", "other_clearly", "SM-2", "worse")).caption

    def test_what_is_missing_is_said(self) -> None:
        failed = SensitivityRow("later_start", None, None, None, None, Failure("no_result", {"algorithm": "FSRS-6"}))
        table = self.table(failed, complete=False)
        assert table.table.rows[1][1:] == ("–",) * 7
        assert reads(
            table.caption, "FSRS-6 has the lowest log loss in every row that could be worked out; not all could."
        )
        assert any(says(note, "only the later half of all reviews: FSRS-6 has no result.") for note in table.notes)
        assert SENSITIVITY_INCOMPLETE in table.notes
