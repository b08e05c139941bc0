from __future__ import annotations

import re
from dataclasses import replace
from typing import Dict, List, Tuple

import fake
import made_workload as made
import pytest
from chart_texts import assert_legible
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from sentence_matching import contains_sentence, no_leftovers

from evaluator.interval import ConfidenceInterval
from evaluator.workload import back_test, result
from evaluator.workload.result import Workload
from ui.charts import SIZE_INCHES, draw
from ui.charts.style import LIGHT, Style
from ui.views import load
from ui.views import workload as view
from ui.views.view import Block

MINUS = "\N{MINUS SIGN}"
#: By their codes.
FAILED = {found.back_test.code: found for found in made.FAILED}


def blocks(found: Workload) -> Dict[str, Block]:
    return {block.key: block for block in load("workload").of(fake.report().with_section("workload", found))}


def rows(block: Block) -> List[Tuple[str, ...]]:
    """Return the rows of its table, with plain spaces."""
    return [tuple(cell.replace("\N{NO-BREAK SPACE}", " ") for cell in row) for row in block.table.rows]


def answer(found: Workload) -> str:
    return blocks(found)["reviews-per-day"].sentence.replace("\N{NO-BREAK SPACE}", " ")


def drawn(found: Workload, size: Tuple[float, float] = SIZE_INCHES, style: Style = LIGHT) -> Figure:
    figure, block = Figure(figsize=size, dpi=96), blocks(found)["workload"]
    FigureCanvasAgg(figure)
    assert block.chart is not None
    draw(figure, block.chart, style, title=block.title if size == SIZE_INCHES else "")
    figure.draw_without_rendering()
    return figure


def test_codes_are_those_of_the_section() -> None:
    assert view.KNOWLEDGE == result.KNOWLEDGE
    assert {item.back_test.code for item in made.FAILED} == set(view.WHY_NOT)
    assert all(re.search(rf'"{code}"', result.BackTest.__doc__ or "") for code in view.WHY_NOT)
    assert f"{back_test.MIN_STUDY_DAYS} days are needed" in view.WHY_NOT["too_few_days"]
    needed = f"at least {back_test.MIN_REVIEWS} are needed, {back_test.MIN_PREDICTED} of them second or later reviews"
    assert f"{needed} of a card within" in view.WHY_NOT["too_few_reviews"]


NOT_LESS = " Better prediction is not the same as less work."
STEP = "FSRS at 85%: 28 reviews a day, 133 fewer cards known than at 90% (3%)."
FSRS = "FSRS at your desired retention of 90%: 35 reviews a day, 23 more cards known than with SM-2 (0.6%)."
WORK = "work for the same knowledge: to know equally many cards,"


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [
        (made.FEWER, f"Less {WORK} 29 reviews a day with FSRS, 38 with SM-2 (difference: {MINUS}30% to {MINUS}15%)."),
        (
            made.NEITHER,
            (
                f"About the same {WORK} 36 reviews a day with FSRS, 38 with SM-2 (difference: {MINUS}12% to +5%)."
                f"{NOT_LESS}"
            ),
        ),
        (made.MORE, f"More {WORK} 46 reviews a day with FSRS, 38 with SM-2 (difference: +10% to +38%)."),
        (made.NO_RATIO, view.NO_EQUAL_KNOWLEDGE),
    ],
)
def test_the_answer_on_work(ratio: ConfidenceInterval, expected: str) -> None:
    assert answer(made.workload(ratio)) == f"{expected} {FSRS} {STEP}"


@pytest.mark.parametrize(
    ("a_day", "ratio", "label"),
    [
        (100, ConfidenceInterval(0.981, 0.97, 0.99), view.SAME_WORK),
        (100, ConfidenceInterval(0.98, 0.97, 0.99), view.WORK[-1]),
        (10, ConfidenceInterval(1.19, 1.1, 1.3), view.SAME_WORK),
        (100, ConfidenceInterval(0.91, 0.8, 1.01), view.SAME_WORK),
        (100, ConfidenceInterval(0.89, 0.8, 1.01), view.WORK[0]),
        (100, ConfidenceInterval(1.1, 0.99, 1.2), view.WORK[0]),
    ],
)
def test_about_the_same_work(a_day: float, ratio: ConfidenceInterval, label: str) -> None:
    sm2, *others = made.loads()
    shown = answer(made.workload(ratio, loads=(replace(sm2, reviews=made.around(a_day)), *others)))
    assert shown.startswith(f"{label}: ")
    assert (view.NOT_LESS_WORK in shown) == (label == view.SAME_WORK)


@pytest.mark.parametrize(
    ("ratio", "expected", "ends"),
    [
        (ConfidenceInterval(1.05, 1.03, 1.07), "More", "+3% to +7%"),
        (ConfidenceInterval(1.0, 0.98, 1.02), "About as many", f"{MINUS}2% to +2%"),
        (ConfidenceInterval(0.9, 0.87, 0.93), "Fewer", f"{MINUS}13% to {MINUS}7%"),
    ],
)
def test_with_a_backlog_knowledge_is_compared(ratio: ConfidenceInterval, expected: str, ends: str) -> None:
    assert answer(made.knowledge(ratio)) == (
        "You have a backlog, so FSRS and SM-2 are compared with at most as many reviews a day as you do now. "
        f"{expected} cards known with FSRS at your desired retention of 90%: 3,674 against 3,490 with SM-2 "
        f"(difference: {ends}); 38 reviews a day against 44."
    )


@pytest.mark.parametrize(
    ("known", "reviews", "mentioned"),
    [(3961, 38.1, False), (3959, 38.1, True), (4041, 38.1, True), (3961, 38.0, True), (4000, 42.0, True)],
)
@pytest.mark.parametrize(("changed", "expected"), [(0.85, "than at 90%"), (None, "than with SM-2")])
def test_a_small_change_is_not_mentioned(
    changed: float | None, expected: str, known: float, reviews: float, *, mentioned: bool
) -> None:
    loads = [
        replace(load, known=made.around(known if other else 4000), reviews=made.around(reviews if other else 40))
        for load in made.loads()
        for other in [load.desired_retention == changed]
    ]
    shown = answer(made.workload(loads=tuple(loads)))
    assert (expected in shown) == mentioned
    assert shown.count("cards known than") == mentioned


def test_one_of_several_desired_retentions_is_simulated() -> None:
    retention = "at a desired retention of 90% for all your cards (62% of them have it)"
    assert contains_sentence(answer(made.workload(desired_share=0.62)), f"FSRS {retention}: 35 reviews a day")
    assert contains_sentence(
        answer(replace(made.knowledge(), desired_share=0.62)), f"More cards known with FSRS {retention}"
    )
    assert answer(made.workload(desired_share=0.996)) == answer(made.workload())


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("too_few_days", "you have studied on 12 days; at least 30 days are needed."),
        ("too_few_reviews", "there are 211 reviews of cards seen on an earlier day; at least 300 are needed"),
        (
            "reviews",
            "the simulation failed its test on your last 73 days of study (predicted: 1,801 reviews; actual: 1,255).",
        ),
        (
            "remembered",
            "the simulation failed its test on your last 73 days of study (remembered: 94% predicted, 87% actual).",
        ),
        ("switched", "in your last 73 days of study you switched between SM-2 and FSRS."),
    ],
)
def test_the_reason_for_no_answer_is_given(code: str, expected: str) -> None:
    shown = blocks(FAILED[code])
    assert contains_sentence(shown["reviews-per-day"].caption, expected)
    assert contains_sentence(shown["reviews-per-day"].caption, "The simulator in Anki's deck options shows")
    assert [*shown] == ["reviews-per-day"]


def test_the_tables_hold_the_numbers() -> None:
    shown = blocks(made.workload())
    assert [*shown] == ["reviews-per-day", "workload"]
    assert contains_sentence(
        shown["workload"].notes[0],
        "All of this holds if your memory works as FSRS assumes. Test on your last 73 days "
        "of study: predicted 1,310 reviews, 88% of them remembered; actual: 1,255, 87%.",
    )
    first, *curve = rows(shown["workload"])
    assert first[:3] == ("Anki-SM-2", "37.5 (35.6 to 39.4)", "12.1 (11.6 to 12.6)")
    assert [row[0] for row in curve] == [f"FSRS-6 at {round(100 * item)}%" for item in made.RETENTIONS]


def test_without_answer_times_no_minutes_are_shown() -> None:
    timed, untimed = (blocks(found)["workload"] for found in (made.workload(), made.without_times()))
    assert untimed.notes == (*timed.notes, view.NO_TIMES)
    assert untimed.heading == "Desired retention and cards remembered"
    assert rows(untimed) == [row[:2] + row[3:] for row in rows(timed)]
    assert not any("inutes" in f"{column.name} {column.tip}" for column in untimed.table.columns)


@pytest.mark.parametrize("found", made.ALL)
def test_blocks_are_whole(found: Workload) -> None:
    shown = blocks(found)
    for block in shown.values():
        columns = block.table.columns
        assert {len(row) for row in block.table.rows} <= {len(columns)}
        assert all(column.tip for column in columns if column.number)
        for sentence in filter(None, (block.caption, *block.notes, *(column.tip for column in columns))):
            no_leftovers(sentence.replace(" (+)", "").replace(f" ({MINUS})", ""))
        assert not any("nan" in cell or "None" in cell for row in block.table.rows for cell in row)


class TestChart:
    @pytest.mark.parametrize("size", [SIZE_INCHES, (2.5, 1.875), (4.2, 2.5), (13.5, 10.4)])
    @pytest.mark.parametrize("found", [made.workload(), made.knowledge()])
    def test_no_text_is_cut_off_or_overlaps(self, found: Workload, size: Tuple[float, float]) -> None:
        assert_legible(drawn(found, size))

    def test_points_are_at_their_numbers(self) -> None:
        axes, years = drawn(made.workload()).axes[0], made.loads()
        by_marker = {line.get_marker(): line for line in axes.lines}
        fitted = [load for load in years if load.scheduler == result.FSRS]
        assert list(by_marker["o"].get_xdata()) == [load.minutes.value for load in fitted]
        assert list(by_marker["o"].get_ydata()) == [load.known.value for load in fitted]
        assert list(by_marker["s"].get_xdata()) == [12.1]
        assert {f"{percent}%" for percent in (80, 90, 95)} <= {text.get_text() for text in axes.texts}
        left, right = axes.get_xlim()
        low, high = axes.get_ylim()
        for year in (*fitted, years[0]):
            assert year.minutes.low_high is not None
            assert year.known.low_high is not None
            assert left < year.minutes.low_high[0] < year.minutes.low_high[1] < right
            assert low < year.known.low_high[0] < year.known.low_high[1] < high

    @pytest.mark.parametrize(("found", "known"), [(made.knowledge(), 3_490.0), (made.without_times(), 3_920.0)])
    def test_with_a_backlog_the_curve_is_by_desired_retention(self, found: Workload, known: float) -> None:
        axes = drawn(found).axes[0]
        by_marker = {line.get_marker(): line for line in axes.lines}
        assert list(by_marker["o"].get_xdata()) == list(made.RETENTIONS)
        assert "s" not in by_marker
        assert [known, known] in [list(line.get_ydata()) for line in axes.lines]
        assert axes.get_ylim()[0] < next(load.known.low or 0 for load in found.loads if load.known.estimate == known)
        assert "90%" in [text.get_text() for text in axes.get_xticklabels()]
