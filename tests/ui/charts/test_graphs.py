from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import fake
import made_graphs as made
import pytest
from chart_texts import assert_legible, draw_graph, graph, group_names, lines_of
from sentence_matching import assert_says, matches_sentence

from evaluator.findings.thresholds import MIN_DOT_OFF, MIN_OF_DOT
from ui.charts import SIZE_INCHES, draw, save_chart
from ui.charts.calibration_chart import _tips
from ui.charts.panels import draw_footer
from ui.charts.style import LIGHT
from ui.text.numbers import distinct_percents, with_sign
from ui.views import load
from ui.views.graphs_view import GRAPHS, graphs
from ui.views.slice_graphs import slice_name

FAKE = fake.report()
REPORT = made.pair_report()
LONG = made.pair_report(months=100)
FEW = made.pair_report(few=True)
RIGHT, WRONG = made.PAIR
SLICES = ("interval", "lateness", "review_number", "last_rating", "maturity", "month", "stability", "difficulty")

#: Sizes in inches at 96 dots of a saved file, and of the smallest, a common small, and the largest graph in the window.
SIZES = (SIZE_INCHES, (2.5, 1.875), (4.2, 2.5), (13.5, 10.4))
#: Every graph of one and of two algorithms, with many months, with other algorithms, and with few reviews.
CASES = [
    *((REPORT, key, [RIGHT], size) for key in GRAPHS for size in SIZES[:3]),
    *((REPORT, key, [WRONG, RIGHT], size) for key in GRAPHS for size in SIZES),
    *((LONG, "month", names, size) for names in ([RIGHT], [WRONG, RIGHT]) for size in SIZES),
    *((FAKE, "calibration", names, size) for names in (["AVG"], ["FSRS-6 recency", "SM-2"]) for size in SIZES),
    *((FEW, key, [WRONG], SIZES[1]) for key in GRAPHS),
]


@pytest.mark.parametrize(("report", "key", "names", "size"), CASES)
def test_texts_are_complete_and_do_not_overlap(report, key, names, size):
    assert_legible(draw_graph(report, key, names, size))


@pytest.mark.parametrize("key", GRAPHS)
@pytest.mark.parametrize("names", [[RIGHT], [RIGHT, WRONG]], ids="-".join)
def test_large_fonts_stay_legible(key, names):
    assert_legible(draw_graph(REPORT, key, names, (6.8, 6.2), replace(LIGHT, font_size=17)))


def test_narrow_windows_show_the_counts():
    for key in SLICES:
        main, counts = draw_graph(REPORT, key, [WRONG], (4.2, 2.8)).axes
        assert len(counts.get_yticks()) > 1
        assert main.get_shared_x_axes().joined(main, counts)


def test_large_letters_leave_room_for_the_graph():
    for key in ("calibration", "interval"):
        main = draw_graph(REPORT, key, [RIGHT], (4.6, 3.2), replace(LIGHT, font_size=20)).axes[0].get_position()
        assert main.width > 0.6
        assert main.height > 0.35


@pytest.mark.parametrize("key", ["calibration", "stability"])
def test_second_drawing_replaces_the_first(key):
    figure = draw_graph(REPORT, "calibration", [RIGHT])
    block = graph(REPORT, key, [RIGHT])
    assert block.chart is not None
    draw(figure, block.chart, LIGHT, title=block.title)
    figure.draw_without_rendering()
    assert len(figure.findobj()) == len(draw_graph(REPORT, key, [RIGHT]).findobj())


@pytest.mark.parametrize("kind", ["png", "svg"])
@pytest.mark.parametrize("key", ["calibration", "stability"])
def test_saved_files_have_the_same_bytes_each_time(key, kind, tmp_path):
    first, second = (save_chart(graph(REPORT, key, [RIGHT]), tmp_path / f"{name}.{kind}") for name in "ab")
    assert first.read_bytes() == second.read_bytes()


def test_documentation_names_every_graph_as_the_list_does():
    text = (Path(__file__).parents[3] / "docs" / "numbers.md").read_text(encoding="utf-8")
    section = " ".join(text.partition("\n## The graphs\n")[2].partition("\n## ")[0].split())
    documented = {key: title for title, key in re.findall(r"\*\*([^*]+)\*\* \(`(\w+)`\)", section)}
    titles = {**{key: view.title for key, view in GRAPHS.items()}, "workload": "Reviews per day and cards known"}
    assert set(documented) == set(titles)
    assert not [key for key, title in titles.items() if not matches_sentence(title, documented[key])]
    assert f"at least {MIN_OF_DOT} reviews" in section
    assert f"by {100 * MIN_DOT_OFF:.0f} points or more" in section


def test_views_of_graphs_appear_with_the_graphs():
    bare = REPORT.with_section("graphs", ())
    assert [key for key, view in GRAPHS.items() if view.of(bare, [RIGHT])] == ["calibration"]
    assert all(view.of(REPORT, [RIGHT]) for view in GRAPHS.values())
    complete = made.graphs(RIGHT)
    incomplete = replace(complete, slices=tuple(graph for graph in complete.slices if graph.key != "lateness"))
    assert set(graphs(made.report(incomplete))) == set(GRAPHS) - {"lateness"}


class TestSlices:
    def test_slices_show_predicted_recall_as_a_line_and_actual_recall_as_points(self):
        """The prediction is 0.9 everywhere, recall is 0.9 plus the difference, and the bars show the bands."""
        axes = draw_graph(REPORT, "review_number", [WRONG]).axes[0]
        all_slices = REPORT.section("graphs")[1].slice_graph("review_number").slices
        slices = [slice_ for slice_ in all_slices if slice_.predicted is not None]
        line, bars, *dots = axes.lines
        assert [y for y in line.get_ydata() if not math.isnan(y)] == pytest.approx([0.9] * len(slices))
        remembered = dict(point for line in dots for point in zip(line.get_xdata(), line.get_ydata(), strict=True))
        assert [remembered[x] for x in sorted(remembered)] == pytest.approx([0.9 + s.difference for s in slices])
        limits = list(zip(bars.get_ydata()[::3], bars.get_ydata()[1::3], strict=True))
        assert limits == [(0.89, 0.91)] * len(slices)

    def test_second_algorithm_adds_only_its_line(self):
        one, two = (draw_graph(REPORT, "review_number", names).axes[0].lines for names in ([RIGHT], [RIGHT, WRONG]))
        (added,) = (line for line in two if line.get_color() == LIGHT.second)
        assert added.get_linestyle() == "--"
        assert len(two) == len(one) + 1

    def test_points_that_chance_does_not_explain_are_filled(self):
        for name in (RIGHT, WRONG):
            figure = draw_graph(REPORT, "interval", [name])
            graphs = next(graphs for graphs in REPORT.section("graphs") if graphs.algorithm == name)
            by_fill = {line.get_markerfacecolor(): line for line in figure.axes[0].lines[2:]}
            assert {*by_fill} == ({LIGHT.canvas} if name == RIGHT else {LIGHT.canvas, LIGHT.text})
            n_off = sum(slice_.is_off for slice_ in graphs.slice_graph("interval").slices)
            assert len(by_fill[LIGHT.text].get_xdata() if n_off else ()) == n_off
            assert ("off by more than chance" in lines_of(figure)) == (n_off > 0)
            assert ("Off by more than chance" in graph(REPORT, "interval", [name]).sentence) == (n_off > 0)

    def test_months_are_placed_by_time(self):
        axes = draw_graph(LONG, "month", [RIGHT]).axes[0]
        dots = next(line for line in axes.lines if line.get_marker() == "o")
        months = [x - 12 * 2016 for x in dots.get_xdata()]
        assert months[:10] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 10]
        assert dots.get_markersize() < 72 * axes.bbox.width / axes.figure.dpi / 100

    def test_years_are_labeled_if_not_all_months_are(self):
        assert {label[-3:] for label in group_names(draw_graph(LONG, "month", [RIGHT]))} == {"-01"}

    @pytest.mark.parametrize("key", ["interval", "stability"])
    def test_every_group_has_its_name_in_one_of_two_lines(self, key):
        names = group_names(draw_graph(REPORT, key, [RIGHT]))
        slices = REPORT.section("graphs")[0].slice_graph(key).slices
        assert [name.strip() for name in names] == [slice_name(slice_.name, key) for slice_ in slices]
        assert any(name.startswith("\n") for name in names)

    def test_only_saved_graph_has_the_caption(self):
        for key in ("stability", "difficulty", "interval"):
            sentence = graph(REPORT, key, [RIGHT]).sentence
            for size, has_sentence in ((SIZE_INCHES, True), ((6.8, 6.0), False)):
                assert (sentence in lines_of(draw_graph(REPORT, key, [RIGHT], size))) == has_sentence

    def test_saved_graph_says_which_reviews_it_shows(self, tmp_path):
        block = graph(REPORT, "interval", [RIGHT])
        scope = REPORT.scope
        for words in ("FSRS-6", f"{scope.reviews:,} reviews", scope.first_day, scope.last_day, REPORT.software):
            assert words in f"{block.title} {block.source}"
        # There is room for the source, but not for the caption. matplotlib has each line of a text as a comment.
        for caption in ("", "A caption of ten words, far too often repeated here. " * 90):
            path = save_chart(replace(block, caption=caption), tmp_path / "a.svg")
            words = " ".join(re.findall("<!-- (.*?) -->", path.read_text(encoding="utf-8")))
            assert block.source in words
            assert "far too often" not in words

    @pytest.mark.parametrize("words", [0, 3, 60])
    def test_source_is_below_the_graph_and_inside_the_picture(self, words):
        figure = draw_graph(REPORT, "interval", [RIGHT])
        box = draw_footer(figure, " ".join(["words"] * words), LIGHT)
        text = figure.texts[-1].get_window_extent().transformed(figure.dpi_scale_trans.inverted())
        assert (box.x0, box.x1, box.y1) == (0, *SIZE_INCHES)
        assert box.y0 < text.y0 <= text.y1 <= 0
        assert 0 < text.x0 <= text.x1 < box.x1


class TestSentences:
    def test_sentence_names_the_worst_group(self):
        """The errors are 8 cos 0, 8 cos 1, ... points. The first is the largest, and all but one exceed 2 points."""
        assert matches_sentence(
            graph(REPORT, "interval", [WRONG]).caption,
            "SM-2 (1987): Off by more than chance in 8 of 9 groups, furthest at interval 1: it said 90%, you "
            "remembered 82% (800 reviews).",
        )

    def test_sentence_claims_nothing_beyond_the_band(self):
        expected = "FSRS-6 (as in the benchmark): In each group, the error could be luck"
        assert graph(REPORT, "interval", [RIGHT]).caption == f"{expected}."
        report = made.report(made.graphs(RIGHT, 0.019))
        points_off = f"{100 * MIN_DOT_OFF:.0f} points"
        assert graph(report, "interval", [RIGHT]).caption == f"{expected} or is below {points_off}."
        for key in SLICES:
            assert f"No group has {MIN_OF_DOT} reviews." in graph(FEW, key, [WRONG]).sentence

    def test_sentence_is_about_the_algorithm_of_the_points_and_tooltip_about_both(self):
        for names in ([RIGHT, WRONG], [WRONG, RIGHT]):
            captions = [graph(REPORT, "review_number", shown).caption for shown in (names, names[:1])]
            assert captions[0] == captions[1]
        assert _tips(graph(REPORT, "calibration", made.PAIR).chart.data)[0][1] == (
            "FSRS-6 (as in the benchmark): said 56%, remembered 54%, 1 review\n"
            "SM-2 (1987): said 90%, remembered 82%, 170 reviews; off by more than chance"
        )

    def test_caption_explains_why_recall_rises_with_the_interval(self):
        sentence = graph(REPORT, "interval", [RIGHT]).sentence
        assert_says(sentence, ["Vertical lines: what could be luck", "cards you know well"])

    def test_caption_names_the_source_of_stability(self):
        for key in ("stability", "difficulty"):
            assert "FSRS-6" in graph(REPORT, key, [WRONG]).sentence

    @pytest.mark.parametrize("names", [[RIGHT], [RIGHT, WRONG], [WRONG, RIGHT]])
    @pytest.mark.parametrize("key", GRAPHS)
    def test_captions_fit_the_window(self, key, names):
        """At its usual size, the window has five lines of 80 letters. Longer captions would be elided."""
        assert len(graph(REPORT, key, names).sentence) <= 5 * 80

    def test_numbers_are_rounded_for_reading(self):
        assert [with_sign(100 * x, 0) for x in (0.031, 0.0, -0.002, -0.02)] == ["+3", "0", "0", "\N{MINUS SIGN}2"]
        assert distinct_percents(0.904, 0.901) == ("90.4%", "90.1%")
        assert distinct_percents(1.0, 0.8) == ("100%", "80%")


class TestTables:
    def test_table_row_matches_hand_calculation(self):
        """The prediction is 90%, recall is 82%, and the band reaches 1 point to either side."""
        row = graph(REPORT, "interval", [WRONG]).table.rows[0]
        assert row == ("1", "SM-2 (1987)", "800", "90.0%", "82.0%", "\N{MINUS SIGN}8.0", "89.0% to 91.0%")

    def test_all_graphs_are_summarized(self):
        (block,) = load("graphs").of(REPORT)
        assert len(block.notes) == len(("calibration", *SLICES))
        assert block.notes[1] == "By interval: In each group, the error could be luck."
