from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Dict, List, Tuple

import fake
import made_workload as made
import pytest
from chart_texts import assert_legible
from expected_texts import expected_texts
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from evaluator.interval import ConfidenceInterval
from evaluator.report import Report
from evaluator.workload import back_test, result
from evaluator.workload.result import Workload
from ui.charts import SIZE_INCHES, draw
from ui.charts.style import LIGHT
from ui.views import load
from ui.views import workload_view as view
from ui.views.view import Block

MINUS = "\N{MINUS SIGN}"
#: Workloads without an answer, by the codes of their back-tests.
FAILED = {workload.back_test.code: workload for workload in made.FAILED}


def report_with(workload: Workload | None = None, *, fsrs: bool | None = True, **scope: Any) -> Report:
    """Return the made-up report with this workload and with changes of its scope."""
    report = fake.report()
    report = replace(report, scope=replace(report.scope, fsrs=fsrs, **scope))
    return report.with_section("workload", workload)


def blocks(workload: Workload, *, fsrs: bool | None = True) -> Dict[str, Block]:
    """Return the blocks about this workload by their keys."""
    return {block.key: block for block in load("workload").of(report_with(workload, fsrs=fsrs))}


def rows(block: Block) -> List[Tuple[str, ...]]:
    """Return the rows of the block's table, with plain spaces."""
    return [tuple(cell.replace("\N{NO-BREAK SPACE}", " ") for cell in row) for row in block.table.rows]


def answer(workload: Workload, *, fsrs: bool | None = True) -> str:
    """Return the sentences of the answer, with plain spaces. If FSRS is on, they follow the table."""
    block = blocks(workload, fsrs=fsrs)["reviews-per-day"]
    return (block.notes[-1] if fsrs else block.caption).replace("\N{NO-BREAK SPACE}", " ")


def draw_workload(workload: Workload, size: Tuple[float, float] = SIZE_INCHES, *, fsrs: bool = True) -> Figure:
    """Draw the graph of a workload. At the size of a saved file it has its title."""
    figure = Figure(figsize=size, dpi=96)
    block = blocks(workload, fsrs=fsrs)["workload"]
    FigureCanvasAgg(figure)
    draw(figure, block.chart, LIGHT, title=block.title if size == SIZE_INCHES else "")
    figure.draw_without_rendering()
    return figure


def test_codes_are_those_of_the_section():
    assert view.KNOWLEDGE == result.KNOWLEDGE
    assert {workload.back_test.code for workload in made.FAILED} == set(view.WHY_NOT)
    assert f"{back_test.MIN_STUDY_DAYS} days are needed" in view.WHY_NOT["too_few_days"]
    assert f"at least {back_test.MIN_REVIEWS} are needed." in view.WHY_NOT["too_few_reviews"]
    assert f"at least {back_test.MIN_PREDICTED} are needed" in view.WHY_NOT["too_few_to_predict"]
    assert set(view.PROBABLE) == {result.PASSED, "remembered"}


TEXTS = expected_texts("workload.txt")
NOT_LESS = "Better prediction is not the same as less work."
WORKLOADS = {
    "fewer reviews": made.workload(),
    "about as many reviews": made.workload(made.NEITHER),
    "more reviews": made.workload(made.MORE),
    "unclear": made.workload(made.UNCLEAR),
    "no equal knowledge": made.workload(made.NO_RATIO),
    "equal at the own desired retention": made.workload(equal_retention=0.904),
}


@pytest.mark.parametrize("case", WORKLOADS)
def test_answer_compares_work(case):
    assert answer(WORKLOADS[case]) == TEXTS[case]


def test_answer_matches_the_specification():
    """FSRS is off, and its default means more work than SM-2 for more cards known."""
    assert answer(made.cheaper(), fsrs=False) == TEXTS["as in the specification"]


@pytest.mark.parametrize(("equal", "added"), [(0.66, True), (0.694, True), (0.696, False)])
def test_retention_that_anki_forbids_is_marked(equal, *, added):
    text = answer(made.workload(equal_retention=equal))
    assert f"at a desired retention of {round(100 * equal)}% you" in text
    assert ("Anki allows no desired retention below 70%." in text) == added


@pytest.mark.parametrize(
    ("fsrs", "desired", "name"),
    [
        (True, 0.9, "your desired retention of 90%"),
        (False, 0.9, "Anki's default of 90%"),
        (None, 0.9, "Anki's default of 90%"),
        (False, 0.85, "your desired retention of 85%"),
    ],
)
def test_default_is_not_called_the_users_choice(fsrs, desired, name):
    assert f"At {name}: " in answer(made.workload(desired_retention=desired), fsrs=fsrs)
    assert f"With FSRS at {name} instead of SM-2: " in answer(
        replace(made.knowledge(), desired_retention=desired), fsrs=fsrs
    )


@pytest.mark.parametrize(
    ("sm2_reviews", "ratio", "words"),
    [
        (100, ConfidenceInterval(0.981, 0.97, 0.99), view.SAME_WORK),
        (100, ConfidenceInterval(0.98, 0.97, 0.99), view.DIFFERENT_WORK),
        (10, ConfidenceInterval(1.19, 1.1, 1.3), view.SAME_WORK),
        (100, ConfidenceInterval(0.91, 0.8, 1.01), view.SAME_WORK),
        (100, ConfidenceInterval(0.89, 0.8, 1.01), view.UNCLEAR_WORK),
        (100, ConfidenceInterval(1.1, 0.99, 1.2), view.UNCLEAR_WORK),
    ],
)
def test_small_differences_are_the_same_work(sm2_reviews, ratio, words):
    sm2, *fsrs_loads = made.all_loads()
    text = answer(made.workload(ratio, loads=(replace(sm2, reviews=made.around(sm2_reviews)), *fsrs_loads)))
    assert ("with about as much work" in text) == (words == view.SAME_WORK) == (NOT_LESS in text)
    assert ("It is unclear which is less work" in text) == (words == view.UNCLEAR_WORK)


@pytest.mark.parametrize(
    ("reviews", "numbers"),
    [
        (7.0, f"3 reviews a day against 7; cards known: 97 against 100 (difference: {MINUS}5% to {MINUS}1%)"),
        (3.03, f"cards known: 97 against 100 (difference: {MINUS}5% to {MINUS}1%); 3 reviews a day against 3"),
    ],
)
def test_larger_difference_leads_with_a_backlog(reviews, numbers):
    loads = [replace(load, reviews=made.around(3.0), known=made.around(97.0)) for load in made.all_loads()]
    loads[0] = replace(loads[0], reviews=made.around(reviews), known=made.around(100.0))
    workload = replace(made.knowledge(ConfidenceInterval(0.97, 0.95, 0.99)), loads=tuple(loads))
    assert answer(workload) == (
        "You have a backlog, so FSRS and SM-2 are compared with at most as many reviews a day as you do now. "
        f"With FSRS at your desired retention of 90% instead of SM-2: {numbers}."
    )


def test_larger_change_leads():
    sm2, *curve = made.all_loads()
    curve = [replace(load, known=made.around(3000), reviews=made.around(39)) for load in curve]
    sm2 = replace(sm2, known=made.around(4000), reviews=made.around(40))
    words = "At your desired retention of 90%: cards known: 3,000 against 4,000; 39 reviews a day against 40."
    assert words in answer(made.workload(loads=(sm2, *curve)))


def test_most_common_desired_retention_is_simulated():
    retention = "a desired retention of 90% for all your cards (62% of them have it)"
    for fsrs in (True, False):
        assert f"At {retention}: 35 reviews a day" in answer(made.workload(desired_share=0.62), fsrs=fsrs)
    assert f"With FSRS at {retention} instead of SM-2: " in answer(replace(made.knowledge(), desired_share=0.62))
    assert answer(made.workload(desired_share=0.996)) == answer(made.workload())


class TestLink:
    def test_known_workload_decides(self):
        report = report_with(FAILED["reviews"])
        assert not view.has_answer(replace(report, workload_test="passed"))
        assert view.has_answer(replace(report_with(made.workload()), workload_test="reviews"))

    @pytest.mark.parametrize("code", [None, "passed", *FAILED])
    def test_quick_test_decides_before_the_simulation(self, code):
        assert view.has_answer(replace(report_with(), workload_test=code)) == (code in ("passed", "remembered"))


@pytest.mark.parametrize("code", FAILED)
def test_missing_answer_has_its_reason(code):
    (block,) = blocks(FAILED[code]).values()
    assert (block.key, block.caption) == ("reviews-per-day", TEXTS[code])


def test_choices_are_compared_with_the_users_own():
    """The order is the table, the graph, the test on the past, and the caveat, which is folded."""
    first, second = blocks(made.workload()).values()
    assert (first.key, first.caption, first.chart, first.folded) == ("reviews-per-day", "", None, False)
    assert rows(first) == [
        ("FSRS-6 at 85%", f"28 ({MINUS}20%)", f"9.1 ({MINUS}20%)", f"3,810 ({MINUS}3%)"),
        ("FSRS-6 at 90% (yours)", "35", "11.4", "3,943"),
        ("FSRS-6 at 89% (as many known as with SM-2)", f"29 ({MINUS}18%)", f"9.3 ({MINUS}18%)", f"3,920 ({MINUS}1%)"),
        ("Anki's SM-2", "38 (+7%)", "12.1 (+7%)", f"3,920 ({MINUS}1%)"),
    ]
    assert first.notes[0] == "In parentheses: the change from your desired retention of 90%."
    assert second.chart is not None
    (tested,) = second.notes
    assert tested == (
        "In a test on your last 73 days of study, the forecast was 1,310 reviews, with 88% remembered. You did 1,255 "
        "and remembered 87%."
    )
    assert second.details == (view.OTHER_MEMORIES,)
    sm2, *curve = rows(second)
    assert sm2 == ("Anki's SM-2", "37.5 (35.6 to 39.4)", "12.1 (11.6 to 12.6)", "3,920 (3,873 to 3,967)")
    assert [row[0] for row in curve] == [f"FSRS-6 at {round(100 * retention)}%" for retention in made.RETENTIONS]


def test_choices_are_compared_with_sm2_if_fsrs_is_off():
    first, _second = blocks(made.cheaper(), fsrs=False).values()
    assert rows(first)[1:] == [
        ("FSRS-6 at 90% (Anki's default)", "103 (+21%)", f"11.4 ({MINUS}6%)", "3,820 (+9%)"),
        ("FSRS-6 at 79% (as many known as with SM-2)", f"47 ({MINUS}45%)", f"7.4 ({MINUS}39%)", "3,508 (0%)"),
        ("Anki's SM-2", "85", "12.1", "3,508"),
    ]
    assert first.notes == ("In parentheses: the change from SM-2.",)


@pytest.mark.parametrize(("equal", "labels"), [(0.846, ["90%", "85%"]), (0.904, ["85%", "90%"])])
def test_each_desired_retention_has_one_row(equal, labels):
    *choices, _sm2 = rows(blocks(made.workload(equal_retention=equal))["reviews-per-day"])
    assert [row[0].split()[2] for row in choices] == labels


def test_minutes_need_answer_times():
    timed, untimed = (blocks(workload)["workload"] for workload in (made.workload(), made.without_times()))
    assert untimed.notes == (*timed.notes, view.NO_TIMES)
    assert untimed.heading == timed.heading == "Reviews per day and cards known"
    assert blocks(made.knowledge())["workload"].heading == "Desired retention and cards known"
    assert rows(untimed) == [row[:2] + row[3:] for row in rows(timed)]
    assert not any("inutes" in f"{column.name} {column.tip}" for column in untimed.table.columns)


class TestChart:
    @pytest.mark.parametrize("size", [SIZE_INCHES, (2.5, 1.875), (4.2, 2.5), (13.5, 10.4)])
    @pytest.mark.parametrize("workload", [made.workload(), made.cheaper(), made.knowledge()])
    def test_texts_are_legible(self, workload, size):
        assert_legible(draw_workload(workload, size))

    def test_points_are_at_their_numbers(self):
        axes = draw_workload(made.cheaper()).axes[0]
        loads = made.cheaper().loads
        by_marker = {line.get_marker(): line for line in axes.lines}
        fsrs_loads = [load for load in loads if load.scheduler == result.FSRS]
        equal = (0.55 * 85, 3_508)
        points = sorted([*((load.reviews.value, load.known.value) for load in fsrs_loads), equal])
        assert list(zip(*by_marker["o"].get_data(), strict=True)) == [pytest.approx(point) for point in points]
        assert list(by_marker["s"].get_xdata()) == [85]
        assert [pytest.approx(equal), (85, 3_508)] in [list(zip(*line.get_data(), strict=True)) for line in axes.lines]
        assert axes.get_xlabel() == "Reviews per day"
        left, right = axes.get_xlim()
        low, high = axes.get_ylim()
        for drawn_load in (*fsrs_loads, loads[0]):
            assert left < drawn_load.reviews.low_high[0] < drawn_load.reviews.low_high[1] < right
            assert low < drawn_load.known.low_high[0] < drawn_load.known.low_high[1] < high

    @pytest.mark.parametrize(
        ("workload", "names", "fsrs"),
        [
            (made.cheaper(), {"79%": "as many known as with SM-2", "85%": "", "90%": "Anki's default"}, False),
            (made.cheaper(), {"79%": "as many known as with SM-2", "85%": "", "90%": "yours"}, True),
            (made.workload(made.NEAR), {"89%": "as many known as with SM-2", "85%": "", "90%": "yours"}, True),
            (made.workload(equal_retention=0.9), {"85%": "", "90%": "yours"}, True),
            (made.workload(desired_retention=0.7), {"89%": "as many known", "75%": "", "70%": "yours"}, True),
            (made.knowledge(), {"85%": "", "90%": "yours"}, True),
            (made.at_92_5(), {"89%": "as many known as with SM-2", "85%": "", "92.5%": "yours"}, True),
            (replace(made.knowledge(), desired_share=0.6), {"85%": "", "90%": "most of your cards"}, True),
        ],
    )
    def test_each_desired_retention_in_the_answer_is_labeled(self, workload, names, *, fsrs):
        figure = draw_workload(workload, fsrs=fsrs)
        labels = [text.get_text() for text in figure.axes[0].texts]
        assert sorted(labels) == sorted(names)
        block = blocks(workload, fsrs=fsrs)["reviews-per-day"]
        percents = {row[0].split()[2] for row in rows(block) if row[0].startswith("FSRS")}
        percents |= set(re.findall(r"\b\d+%(?!\)| to)", answer(workload, fsrs=fsrs).replace("(difference", "")))
        assert percents & {f"{n}%" for n in range(70, 98)} <= set(labels)
        written = " ".join(text.get_text() for text in figure.texts)
        for name, meaning in names.items():
            assert (f"{name}: {meaning}" in written.replace("\n", " ")) == bool(meaning)

    @pytest.mark.parametrize("size", [SIZE_INCHES, (3.9, 3.0)])
    @pytest.mark.parametrize("workload", [made.workload(), made.workload(made.NEAR), made.cheaper(), made.knowledge()])
    def test_names_cover_neither_dots_nor_each_other(self, workload, size):
        axes = draw_workload(workload, size).axes[0]
        boxes = [text.get_window_extent() for text in axes.texts]
        assert len(boxes) == (2 if workload.question == result.KNOWLEDGE else 3)
        for index, box in enumerate(boxes):
            assert not any(box.overlaps(other) for other in boxes[:index])
            for line in axes.lines:
                path = line.get_path().interpolated(40)
                assert box.count_contains(line.get_transform().transform(path.vertices)) == 0

    def test_names_are_not_on_the_band(self):
        sm2, *curve = made.knowledge().loads
        crossing = replace(sm2, known=ConfidenceInterval(3_650, 3_550, 3_750))
        axes = draw_workload(replace(made.knowledge(), loads=(crossing, *curve))).axes[0]
        band = axes.collections[0].get_window_extent()
        assert [text.get_text() for text in axes.texts] == ["90%", "85%"]
        assert not any(text.get_window_extent().overlaps(band) for text in axes.texts)

    def test_curve_with_a_backlog_is_by_desired_retention(self):
        workload = made.knowledge()
        sm2_known = 3_490.0
        axes = draw_workload(workload).axes[0]
        by_marker = {line.get_marker(): line for line in axes.lines}
        assert list(by_marker["o"].get_xdata()) == list(made.RETENTIONS)
        assert "s" not in by_marker
        assert [sm2_known, sm2_known] in [list(line.get_ydata()) for line in axes.lines]
        (sm2,) = (load for load in workload.loads if load.known.estimate == sm2_known)
        assert axes.get_ylim()[0] < (sm2.known.low or 0)
        assert "90%" in [text.get_text() for text in axes.get_xticklabels()]
