"""Where two algorithms disagree: what is said of it, and what the graph and its tables show."""

from __future__ import annotations

from dataclasses import replace
from typing import List, Sequence

import fake
import made_graphs as made
import pytest
from chart_texts import drawn, graph, texts
from told import reads, says

from evaluator.report import Disagreement, Interval, Report
from tools.table import render
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
    assert reads(surer, "On 3,214 reviews FSRS-6 said 83 %, SM-2 66 %. You remembered 84 %.")
    assert reads(less_sure, "On 1,102 reviews FSRS-6 said 74 %, SM-2 89 %. You remembered 71 %.")
    assert (answer, *others) == verdict_sentences(fake.report().verdict)
    for shown, count in ((render(whole), 3), (page(whole), 4)):
        words = " ".join(shown.replace("\N{NO-BREAK SPACE}", " ").split())
        assert all(sentence.replace("\N{NO-BREAK SPACE}", " ") in words for sentence in sentences[:count])


@pytest.mark.parametrize(("surer", "less_sure", "described"), [(3214, 31, 1), (0, 1102, 1), (0, 31, 0), (0, 0, 0)])
def test_a_side_that_is_too_small_is_not_described(surer: int, less_sure: int, described: int) -> None:
    assert len(said(made.disagreement(surer, less_sure))) == described


@pytest.mark.parametrize("name", PAIR)
def test_nothing_is_said_of_what_may_have_seen_the_reviews(name: str) -> None:
    """Not in the verdict, not below the graph, not above the table; that it may have is."""
    of = made.disagreement()
    whole = report(of, in_sample=[name])
    assert verdict_disagreement(whole.verdict) == ()
    whole = whole.with_section("disagreement", (made.apart("FSRS-6", "SM-2", of, [name]),))
    (block,) = load("disagreement").of(whole, PAIR)
    assert reads(block.caption, f"{name} may have been fitted on these very reviews.")


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

    def test_one_is_compared_with_the_baseline(self) -> None:
        for names in (["FSRS-6"], ["SM-2"]):
            assert graph(USUAL, "disagreement", names).names == ("FSRS-6", "SM-2")
