from __future__ import annotations

from dataclasses import replace
from typing import List, Tuple

import fake
import made_graphs as made
import pytest
from chart_texts import assert_legible, draw_graph, graph, lines_of
from made_findings import finding, recall
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from sentence_matching import matches_sentence

from evaluator.findings.thresholds import MIN_DOT_OFF
from evaluator.progress import SILENT
from evaluator.report import CalibrationBin, Report
from evaluator.sections.graphs_section import SliceGraph
from evaluator.statistics.slices import RecallSlice
from tools.output.outputs import save_charts
from ui.charts import SIZE_INCHES, draw, file_stem
from ui.charts.style import LIGHT
from ui.text import strings
from ui.views.graphs_view import GRAPHS, report_graphs
from ui.views.labels import row_label
from ui.views.scope_sentences import scope_sentences
from ui.views.view import Block

REPORT = fake.report()
NO_PAIR = replace(REPORT.verdict, rivalry=None)
ROW = REPORT.result("FSRS-6")
PAIR = ["FSRS-6", "SM-2"]


def test_axes_are_labeled_in_words():
    report = made.report(made.graphs("FSRS-6"))
    lines = lines_of(draw_graph(report, "calibration", ["FSRS-6"]))
    names = {strings.CHART_X, strings.CHART_Y, strings.CHART_COUNTS, strings.CHART_DIAGONAL, row_label("FSRS-6")}
    assert names | {"100%"} <= lines
    assert graph(report, "calibration", ["FSRS-6"]).title in lines


@pytest.mark.parametrize(
    ("groups", "start"),
    [
        ([(0.9, 0.95, 950), (0.79, 0.81, 50)], 0.8),
        # More than 5% of the predictions are below 80%.
        ([(0.9, 0.95, 949), (0.79, 0.81, 51)], 0.5),
        # Recall is below 80% in more than 5% of the reviews.
        ([(0.9, 0.95, 949), (0.81, 0.79, 51)], 0.5),
        # Each is below 80% in less than 5%, but one of them in more.
        ([(0.9, 0.95, 920), (0.79, 0.81, 40), (0.81, 0.79, 40)], 0.5),
        ([(0.6, 0.7, 950), (0.45, 0.55, 50)], 0.5),
        ([(0.6, 0.7, 949), (0.45, 0.55, 51)], 0.0),
        ([(0.6, 0.7, 949), (0.55, 0.45, 51)], 0.0),
    ],
)
def test_axes_start_below_95_percent_of_the_reviews(groups, start):
    bins = tuple(
        CalibrationBin(predicted - 0.01, predicted + 0.01, predicted, recalled, n_reviews)
        for predicted, recalled, n_reviews in groups
    )
    report = replace(REPORT, results=(replace(ROW, calibration=bins),))
    axes = draw_graph(report, "calibration", ["FSRS-6"]).axes[0]
    assert axes.get_xlim() == axes.get_ylim() == (start, 1.0)


def report_with_errors(first: float, second: float) -> Report:
    """Return a report in which FSRS-6 predicts 80% and 90% with these errors. The band of each reaches 1 point."""
    errors = ((0.8, first), (0.9, second))
    groups = tuple(CalibrationBin(p - 0.03, p + 0.03, p, p + error, 1000) for p, error in errors)
    slices = tuple(
        RecallSlice(f"{100 * p:.0f}", 1000, p, p + error, p - 0.01, p + 0.01, is_off=abs(error) >= 0.02)
        for p, error in errors
    )
    graphs = replace(made.graphs("FSRS-6"), slices=(SliceGraph("calibration", slices),))
    row = replace(ROW, calibration=groups)
    return replace(REPORT, results=(row, REPORT.result("SM-2"))).with_section("graphs", (graphs,))


def test_band_of_chance_is_around_the_diagonal():
    figure = draw_graph(report_with_errors(-0.05, 0.01), "calibration", ["FSRS-6"])
    (band,) = [collection for collection in figure.axes[0].collections if isinstance(collection, PolyCollection)]
    corners = {(round(float(x), 6), round(float(y), 6)) for x, y in band.get_paths()[0].vertices}
    assert {(0.8, 0.79), (0.8, 0.81), (0.9, 0.89), (0.9, 0.91)} <= corners
    assert "could be luck" in lines_of(figure)
    assert "could be luck" not in lines_of(draw_graph(REPORT, "calibration", ["FSRS-6"]))


def test_group_of_few_reviews_has_no_dot_but_is_counted():
    report = report_with_errors(0.0, 0.01)
    (graphs,) = report.section("graphs")
    first, second = graphs.slices[0].slices
    first = RecallSlice(first.name, 99, None, None, None, None, is_off=False)
    graphs = replace(graphs, slices=(SliceGraph("calibration", (first, second)),))
    axes, counts = draw_graph(report.with_section("graphs", (graphs,)), "calibration", ["FSRS-6"]).axes
    dots = next(line for line in axes.lines if line.get_marker() == "o")
    assert list(dots.get_xdata()) == [0.9]
    (bars,) = counts.collections
    assert [path.vertices[:, 1].max() for path in bars.get_paths()] == [1000, 1000]
    assert counts.get_ylim()[1] > 1000


def test_second_algorithm_is_dashed_and_purple_and_has_no_bars():
    report = report_with_errors(0.0, 0.01)
    one, two = (draw_graph(report, "calibration", names).axes for names in (["FSRS-6"], PAIR))
    assert LIGHT.second not in {line.get_color() for line in one[0].lines}
    assert {line.get_linestyle() for line in two[0].lines if line.get_color() == LIGHT.second} == {"--", "None"}
    assert [len(bars.get_paths()) for bars in (*one[1].collections, *two[1].collections)] == [2, 2]


def test_desired_retention_is_marked():
    report = replace(REPORT, findings=(finding(),))
    cases = ((REPORT, SIZE_INCHES, False), (report, SIZE_INCHES, True), (report, (4.2, 3.0), True))
    for shown_report, size, is_marked in cases:
        figure = draw_graph(shown_report, "calibration", ["FSRS-6"], size)
        assert ([0.9, 0.9] in [list(line.get_xdata()) for line in figure.axes[0].lines]) == is_marked
        assert ("your desired retention: 90%" in lines_of(figure)) == is_marked
        # A label within the graph could be on the band.
        assert not figure.axes[0].texts


def test_tooltip_says_what_was_predicted_and_remembered():
    block = graph(report_with_errors(-0.05, 0.0149), "calibration", ["FSRS-6"])
    tips = [spot.tip for spot in draw(Figure(), block.chart, LIGHT)]
    assert tips == [
        "said 80%, remembered 75%, 1,000 reviews; off by more than chance",
        f"said 90%, remembered 91%, 1,000 reviews; beyond chance, but by less than {100 * MIN_DOT_OFF:.0f} points",
    ]


def test_graph_needs_data():
    assert not GRAPHS["calibration"].of(fake.report(failed=["SM-2"]), ["SM-2"])


def filled_dots(report: Report, names: List[str]) -> List[Tuple[float, float]]:
    """Return the filled dots of the calibration graph of these algorithms, in the order of their predictions."""
    lines = draw_graph(report, "calibration", names).axes[0].lines
    filled = [line for line in lines if line.get_marker() in "os" and line.get_markerfacecolor() != LIGHT.canvas]
    return sorted(point for line in filled for point in zip(line.get_xdata(), line.get_ydata(), strict=True))


def test_caption_says_off_by_more_than_chance_if_a_dot_is_filled():
    """Chance explains errors of up to 1 point, and errors below 2 points do not count."""
    off = report_with_errors(0.031, -0.05)
    assert filled_dots(off, ["FSRS-6"]) == [(0.8, 0.8 + 0.031), (0.9, 0.9 - 0.05)]
    assert matches_sentence(
        graph(off, "calibration", ["FSRS-6"]).sentence,
        "FSRS-6 (as in the benchmark): Off by more than chance in 2 of 2 groups, furthest at predictions of 90%: it "
        "said 90%, you remembered 85% (1,000 reviews).",
    )
    for errors, words in (((0.0, 0.019), "could be luck or is below 2 points"), ((0.0, 0.009), "could be luck")):
        report = report_with_errors(*errors)
        assert not filled_dots(report, ["FSRS-6"])
        assert "off by more than chance" not in lines_of(draw_graph(report, "calibration", ["FSRS-6"]))
        sentence = f"{row_label('FSRS-6')}: In each group, the error {words}."
        # The second algorithm has no graphs yet.
        assert [graph(report, "calibration", names).sentence for names in (["FSRS-6"], PAIR)] == [sentence] * 2


def test_algorithm_of_the_finding_is_shown_on_its_own_reviews_only_if_alone():
    """Next to another algorithm, equal predictions give equal graphs."""
    whole = report_with_errors(-0.05, 0.01)
    (graphs,) = whole.section("graphs")
    bins = (CalibrationBin(0.87, 0.93, 0.9, 0.94, 300),)
    by_prediction = SliceGraph("calibration", (RecallSlice("90", 300, 0.9, 0.94, 0.88, 0.92, is_off=True),))
    tested = replace(graphs, slices=(by_prediction,), on_all=graphs.slices[0])
    report = replace(whole, findings=(finding(algorithm="FSRS-6", testable=300, calibration=bins),))
    report = report.with_section("graphs", (tested, replace(graphs, algorithm="SM-2")))
    alone, pair = (graph(report, "calibration", names) for names in (["FSRS-6"], PAIR))
    scope, tested_reviews = scope_sentences(report)[:2]
    note = "These are the 300 reviews since your last change."
    assert (alone.notes, alone.source) == ((note,), f"{scope} {report.software}")
    assert (alone.chart.data.dots[0][1], alone.chart.data.counts) == (by_prediction.slices, bins)
    assert (pair.notes, pair.source) == ((), f"{scope} {tested_reviews} {report.software}")
    (_name, first), (_name, second) = pair.chart.data.dots
    assert first == second == graphs.slices[0].slices
    assert (pair.chart.data.diamond, pair.chart.data.counts) == (None, whole.result("FSRS-6").calibration)


@pytest.mark.parametrize(("error", "start"), [(-0.019, 0.8), (-0.021, 0.5), (-0.31, 0.0)])
def test_filled_dots_are_in_view(error, start):
    report = report_with_errors(error, 0.0)
    row = report.result("FSRS-6")
    lower, higher = row.calibration
    report = replace(report, results=(replace(row, calibration=(replace(lower, reviews=10), higher)),))
    axes = draw_graph(report, "calibration", ["FSRS-6"]).axes[0]
    assert axes.get_xlim() == axes.get_ylim() == (start, 1.0)


@pytest.mark.parametrize(
    ("near", "label"), [(False, "average of the tested reviews"), (True, "average near your desired retention")]
)
def test_finding_is_a_diamond_with_its_bracket(near, label):
    tested = replace(recall(gap=-0.04, half=0.03), near=near)
    shown_finding = finding("optimistic", algorithm="FSRS-6", recall=tested)
    report = replace(report_with_errors(0.0, 0.05), findings=(shown_finding,))
    figure = draw_graph(report, "calibration", ["FSRS-6"])
    shown = {line.get_marker(): (list(line.get_xdata()), list(line.get_ydata())) for line in figure.axes[0].lines}
    assert shown["D"] == ([0.9], [0.86])
    assert shown["_"] == ([0.9, 0.9], [0.83, 0.89])
    assert label in lines_of(figure)
    assert label not in lines_of(draw_graph(report, "calibration", ["SM-2"]))
    for names in (["FSRS-6"], PAIR):
        for size in (SIZE_INCHES, (2.5, 1.875), (4.2, 2.5)):
            assert_legible(draw_graph(report, "calibration", names, size))


@pytest.mark.parametrize(
    ("failed", "every_algorithm", "stems"),
    [
        ([], False, "fsrs-6 fsrs-6-vs-sm-2"),
        (["FSRS-5"], True, "fsrs-6 fsrs-6-recency fsrs-6-default fsrs-5-default avg sm-2 fsrs-6-vs-sm-2"),
    ],
)
def test_each_graph_is_saved_as_a_file(failed, every_algorithm, stems, tmp_path):
    blocks = [*report_graphs(fake.report(failed=failed), every_algorithm=every_algorithm)]
    paths = [*save_charts(blocks, tmp_path, SILENT)]
    assert [path.name for path in paths] == [f"calibration-{stem}.png" for stem in stems.split()]
    assert all(path.is_file() for path in paths)


def test_equal_file_names_are_distinguished(tmp_path):
    results = tuple(replace(ROW, algorithm=name) for name in ("My model", "my_model", "my-model"))
    blocks = [*report_graphs(replace(REPORT, results=results, verdict=NO_PAIR), every_algorithm=True)]
    paths = save_charts(blocks, tmp_path, SILENT)
    names = [path.name for path in paths if path.name.startswith("calibration-")]
    assert names == ["calibration-my-model.png", "calibration-my-model-2.png", "calibration-my-model-3.png"]


def test_file_names_are_safe():
    def stem(names, key="calibration"):
        return file_stem(Block(key, "", names=tuple(names)))

    assert stem(["../Ébb: 90%?"]) == "calibration-ébb-90"
    assert stem(["x" * 300]) == "calibration-" + "x" * 100
    assert max(len(f"{stem(['é' * 300, '我' * 300], key)}-night.png".encode()) for key in GRAPHS) <= 255
    assert stem(["我的模型/2", "?"]) == "calibration-我的模型-2-vs-graph"
