"""Where two algorithms disagree: what is said of it, and what the graph and its tables show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, List, Sequence

import fake
import made_graphs as made
import pytest
from chart_texts import drawn, graph, texts
from told import reads, says

from evaluator.report import Disagreement, Interval, Report
from tools.table import render, render_sections
from ui.page import page
from ui.views import load
from ui.views.disagreement import verdict_disagreement
from ui.views.verdict import verdict_sentences

USUAL = made.usual()
PAIR = ["FSRS-6", "SM-2"]


def report(of: Disagreement, code: str = "better", in_sample: Sequence[str] = ()) -> Report:
    """The made-up report with that code of its verdict."""
    whole = fake.report()
    verdict = replace(whole.verdict, code=code, disagreement=of, in_sample=tuple(in_sample))
    first = replace(verdict.comparisons[0], code=code)
    return replace(whole, verdict=replace(verdict, comparisons=(first, *verdict.comparisons[1:])))


def said(of: Disagreement, code: str = "better") -> List[str]:
    return list(verdict_disagreement(report(of, code).verdict))


def test_the_verdict_goes_on_with_what_happened_on_both_sides() -> None:
    """Between the answer and its evidence, wherever the verdict is said."""
    whole = report(made.disagreement())
    answer, surer, less_sure, *others = sentences = verdict_sentences(whole.verdict)
    assert reads(
        surer,
        "On 3,214 reviews, FSRS-6 gave you a chance of remembering at least 10 percentage points higher than SM-2 did: "
        "it said 83 %, SM-2 said 66 %, and you remembered 84 %.",
    )
    assert reads(
        less_sure, "On 1,102 reviews, it gave you one so much lower: it said 74 %, SM-2 said 89 %, you remembered 71 %."
    )
    assert (answer, *others) == verdict_sentences(fake.report().verdict)
    for shown in (render(whole), page(whole)):
        words = " ".join(shown.replace("\N{NO-BREAK SPACE}", " ").split())
        assert all(sentence.replace("\N{NO-BREAK SPACE}", " ") in words for sentence in sentences[:4])


HIGHER, LOWER = (
    f"FSRS-6 gave you a chance at least 10 percentage points {way} than SM-2" for way in ("higher", "lower")
)


@pytest.mark.parametrize(
    ("surer", "less_sure", "expected"),
    [
        (3214, 31, [HIGHER, "so much lower on too few reviews to tell more: 31 reviews of 9 cards on 5 days"]),
        (3214, 0, [HIGHER, "Its chance was never lower by as much."]),
        (31, 1102, [LOWER, "so much higher on too few reviews to tell more: 31 reviews of 9 cards on 5 days"]),
        (0, 1102, [LOWER, "Its chance was never higher by as much."]),
        (0, 31, ["FSRS-6 and SM-2 are 10 percentage points or more apart on too few reviews to tell (31 reviews)"]),
        (0, 0, ["FSRS-6 and SM-2 are never 10 percentage points or more apart"]),
    ],
)
def test_a_side_that_is_too_small_is_said_to_be(surer: int, less_sure: int, expected: List[str]) -> None:
    sentences = said(made.disagreement(surer, less_sure))
    assert len(sentences) == len(expected)
    assert all(says(*pair) for pair in zip(sentences, expected, strict=True))


def test_the_smaller_threshold_is_named() -> None:
    assert "at least 5 percentage points" in said(made.disagreement(threshold=0.05))[0]


@pytest.mark.parametrize(
    ("log_loss", "brier", "nearer"),
    [
        ("better", "better", ""),  # the verdict says so
        ("worse", "worse", ""),
        ("cannot_tell", "better", "FSRS-6"),
        ("equivalent", "worse", "SM-2"),
        ("too_few", "better", "FSRS-6"),
        ("cannot_tell", "cannot_tell", ""),
        ("better", "cannot_tell", ""),
        ("better", "too_few", ""),
    ],
)
def test_who_was_nearer_is_said_where_the_verdict_does_not(log_loss: str, brier: str, nearer: str) -> None:
    """The answer stays that of the log loss."""
    of = made.disagreement(code=brier)
    _surer, _less_sure, *others = said(of, log_loss)
    assert len(others) == bool(nearer)
    assert all(nearer in one for one in others)
    assert not any(name in one for one in others for name in {*PAIR} - {nearer})
    verdict = report(of, log_loss).verdict
    assert verdict_sentences(verdict)[0] == verdict_sentences(replace(verdict, disagreement=None))[0]


@pytest.mark.parametrize(
    ("log_loss", "brier", "nearer", "other"),
    [("better", "worse", "SM-2", "FSRS-6"), ("worse", "better", "FSRS-6", "SM-2")],
)
def test_where_brier_score_and_log_loss_contradict_each_other_both_are_said(
    log_loss: str, brier: str, nearer: str, other: str
) -> None:
    *_sides, last = said(made.disagreement(code=brier), log_loss)
    assert says(last, f"{nearer} was nearer to what happened, although {other} has the lower log loss over all reviews")


@pytest.mark.parametrize("name", PAIR)
def test_nothing_is_said_of_what_may_have_seen_the_reviews(name: str) -> None:
    """Not in the verdict, not below the graph, not above the table; that it may have is."""
    of = made.disagreement()
    whole = report(of, in_sample=[name])
    assert verdict_disagreement(whole.verdict) == ()
    whole = whole.with_section("disagreement", (made.apart("FSRS-6", "SM-2", of, [name]),))
    (block,) = load("disagreement").of(whole, PAIR)
    assert reads(block.caption, f"{name} may have been fitted on these very reviews.")
    (all_of_them,) = load("disagreement").of(whole)
    assert "FSRS-6" not in all_of_them.caption
    assert reads(all_of_them.notes, f"{name} may have been fitted on these very reviews.")


class TestGraph:
    def test_dots_stand_where_they_belong(self) -> None:
        """Those of the first near 0, of the second further off than the dotted line, which is half as steep as d."""
        axes = drawn(USUAL, "disagreement", PAIR).axes[0]
        for marker, steep, side in (("o", 0.002, -1), ("s", 0.052, 1)):
            dots = next(line for line in axes.lines if line.get_marker() == marker)
            assert list(dots.get_ydata()) == pytest.approx([steep * k for k in range(-10, 11)])
            assert list(dots.get_xdata()) == pytest.approx([k / 20 + side * 0.006 for k in range(-10, 11)])
            dotted = [
                line for line in axes.lines if line.get_color() == dots.get_color() and len(line.get_xdata()) == 2
            ]
            (left, right), ends = dotted[0].get_xdata(), list(dotted[0].get_ydata())
            assert ends == pytest.approx([side * left / 2, side * right / 2])
            assert (left, right) == pytest.approx((-0.525, 0.525))

    def test_bars_are_the_intervals(self) -> None:
        axes = drawn(USUAL, "disagreement", PAIR).axes[0]
        first = next(line for line in axes.lines if len(line.get_xdata()) == 3 * 21)
        assert list(first.get_ydata()[:2]) == pytest.approx([-0.02 - 0.03, -0.02 + 0.03])

    def test_it_says_who_was_surer_on_which_side_and_what_is_left_out(self) -> None:
        written = [text.get_text() for text in texts(drawn(USUAL, "disagreement", PAIR))]
        (across,) = (text for text in written if "surer" in text)
        assert across.index("SM-2") < across.index("FSRS-6")
        assert any(says(text, "Outside this range, not shown: 160 reviews.") for text in written)

    def test_groups_that_are_too_small_have_no_dots(self) -> None:
        found = USUAL.section("disagreement")[0]
        small = replace(found.groups[10], reviews=49, gap=made.blank("", 49).difference)
        groups = (*found.groups[:10], small, *found.groups[11:])
        whole = USUAL.with_section("disagreement", (replace(found, groups=groups),))
        figure = drawn(whole, "disagreement", PAIR)
        assert [len(line.get_xdata()) for line in figure.axes[0].lines if line.get_marker() == "o"] == [20]
        assert any(says(text.get_text(), "Blank: fewer than 50 reviews.") for text in texts(figure))

    def test_dots_without_a_bar_are_explained(self) -> None:
        found = USUAL.section("disagreement")[0]
        bare = replace(found.groups[10], gap=Interval(0.01, reason="rare_outcome"))
        groups = (*found.groups[:10], bare, *found.groups[11:])
        whole = USUAL.with_section("disagreement", (replace(found, groups=groups),))
        for report, expected in ((USUAL, False), (whole, True)):
            figure = drawn(report, "disagreement", PAIR)
            assert [len(line.get_xdata()) for line in figure.axes[0].lines if line.get_marker() == "o"] == [21]
            assert any(says(text.get_text(), "Without a bar: too little") for text in texts(figure)) == expected

    def test_without_a_described_side_there_is_a_table_alone(self) -> None:
        few = made.usual(few=True)
        block = graph(few, "disagreement", PAIR)
        assert block.chart is None
        assert [row[2] for row in block.table.rows] == ["7", "7", "3", "3"]
        assert says(block.caption, "FSRS-6 and SM-2 are 10 percentage points or more apart on too few reviews")

    def test_without_a_group_that_is_large_enough_there_is_a_table_alone(self) -> None:
        """Both sides may be described all the same, each of several small groups."""
        found = USUAL.section("disagreement")[0]
        blank = made.blank("", 40).difference
        groups = tuple(replace(group, reviews=40, gap=blank, gap_of_baseline=blank) for group in found.groups)
        block = graph(USUAL.with_section("disagreement", (replace(found, groups=groups),)), "disagreement", PAIR)
        assert block.chart is None
        assert not block.reading
        assert [row[2] for row in block.table.rows] == ["3,214", "3,214", "1,102", "1,102"]

    def test_the_table_has_both_sides_of_both(self) -> None:
        minus = "\N{MINUS SIGN}"
        rows = graph(USUAL, "disagreement", ["SM-2", "FSRS-6"]).table.rows
        assert [row[1:3] for row in rows] == [(name, n) for n in ("3,214", "1,102") for name in PAIR]
        assert [row[3:6] for row in rows] == [
            tuple(text.replace(" ", "\N{NO-BREAK SPACE}") for text in row)
            for row in (
                ("83.0 %", "84.0 %", "+1.0"),
                ("66.0 %", "84.0 %", "+18.0"),
                ("74.0 %", "71.0 %", f"{minus}3.0"),
                ("89.0 %", "71.0 %", f"{minus}18.0"),
            )
        ]
        assert reads(rows[0][6], f"{minus}2.0 to +4.0")

    def test_of_the_verdicts_pair_it_says_where_between_the_two_the_truth_lay(self) -> None:
        """The verdict has described the sides; of others the graph does."""
        caption = graph(USUAL, "disagreement", PAIR).caption
        assert says(caption, "what happened lay 91 % (80 % to 102 %) of the way from SM-2 to FSRS-6")
        unsure = made.apart("FSRS-6", "SM-2", made.disagreement(code="cannot_tell"))
        caption = graph(USUAL.with_section("disagreement", (unsure,)), "disagreement", PAIR).caption
        assert says(caption, "Which of the two was nearer to what happened cannot be told.")
        other = made.apart("FSRS-5", "SM-2", made.disagreement())
        caption = graph(USUAL.with_section("disagreement", (other,)), "disagreement", ["FSRS-5"]).caption
        assert says(caption, "Where FSRS-5 was surer of you than SM-2 (3,214 reviews, by 10 points or more)")
        assert says(caption, "FSRS-5 was nearer to what happened.")

    def test_one_alone_is_compared_with_the_baseline_and_told_how_to_choose(self) -> None:
        block = graph(USUAL, "disagreement", ["FSRS-6"])
        assert block.names == ("FSRS-6", "SM-2")
        assert says(block.notes, "Select two algorithms")
        assert not graph(USUAL, "disagreement", PAIR).notes


class TestAll:
    MADE = fake.report().with_section(
        "disagreement",
        (
            made.apart("FSRS-6", "SM-2", made.disagreement()),
            made.apart("AVG", "SM-2", made.disagreement(code="worse", threshold=0.05)),
            made.apart("FSRS-5", "SM-2", made.disagreement(7, 3, code="too_few")),
            made.apart("FSRS-6", "AVG", made.disagreement()),
        ),
    )

    def test_each_has_a_row_with_the_baseline(self) -> None:
        """Those that somebody compared with another have none."""
        (block,) = load("disagreement").of(self.MADE)
        rows = {row[0]: [cell.replace("\N{NO-BREAK SPACE}", " ") for cell in row[1:]] for row in block.table.rows}
        minus = "\N{MINUS SIGN}"
        ends = [f"{minus}0.0500", f"{minus}0.0700", f"{minus}0.0300"]
        assert rows["FSRS-6"] == ["10", "3,214", "1,102", *ends, "91 %", "3.99 %", "11.13 %"]
        assert rows["AVG"][0] == "5"
        assert rows["FSRS-5"][3:7] == ["\N{EN DASH}"] * 4
        assert len(rows) == 3

    def test_who_is_nearer_is_said_above_it(self) -> None:
        (block,) = load("disagreement").of(self.MADE)
        assert reads(
            block.caption, "Nearer to what happened than SM-2: FSRS-6. Not as near to what happened as SM-2: AVG."
        )
        none = self.MADE.with_section("disagreement", self.MADE.section("disagreement")[2:3])
        assert says(load("disagreement").of(none)[0].caption, "Of none can it be told")

    def test_it_is_in_the_terminal_and_on_the_page(self) -> None:
        (block,) = load("disagreement").of(self.MADE)
        shown: Any
        for shown in (render_sections(self.MADE, ["disagreement"]), page(self.MADE)):
            assert block.heading in shown
            assert "11.13\N{NO-BREAK SPACE}%" in shown
