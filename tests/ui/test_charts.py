"""The classic graph of calibration: what is drawn and said; and the files that graphs are saved in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import List

import fake
import made_graphs
import numpy as np
import pytest
from chart_texts import drawn, graph, texts

from evaluator.report import Interval
from evaluator.statistics.slices import RecallSlice, SliceGraph
from ui.charts import file_stem, save_charts
from ui.charts.style import LIGHT
from ui.text import strings
from ui.views.graphs import GRAPHS, occasions
from ui.views.view import Block

REPORT = fake.report()
ROW = REPORT.result("FSRS-6")
IN_GROUPS = ROW.calibration
_LOWER = tuple(replace(group, recalled=group.predicted - 0.05) for group in IN_GROUPS)
#: The same, off by 5 points everywhere.
OFF = replace(ROW, calibration=_LOWER)


def test_axes_are_labelled_in_words() -> None:
    written = {text.get_text() for text in texts(drawn(REPORT, "calibration", ["FSRS-6"]))}
    assert {strings.CHART_X, strings.CHART_Y, strings.CHART_COUNTS, strings.CHART_DIAGONAL} <= written
    assert "100%" in written
    assert graph(REPORT, "calibration", ["FSRS-6"]).title in written


def test_both_axes_have_the_same_range() -> None:
    """So that the diagonal means what it says."""
    for names in (["FSRS-6"], ["FSRS-6", "SM-2"], ["AVG"]):
        axes = drawn(REPORT, "calibration", names).axes[0]
        assert axes.get_xlim() == axes.get_ylim()
        assert axes.get_xlim()[1] == 1


def test_what_lies_outside_is_said() -> None:
    figure = drawn(REPORT, "calibration", ["FSRS-6"])
    lowest = figure.axes[0].get_xlim()[0]
    outside = sum(group.reviews for group in IN_GROUPS if min(group.predicted, group.recalled) < lowest)
    assert outside > 0
    assert any("off the graph" in text.get_text().lower() for text in texts(figure))


def test_bars_stand_about_what_was_predicted() -> None:
    """Each at its prediction, and from there as far up and down as recalled minus predicted may lie by chance."""
    slices = tuple(RecallSlice("", 500, 0.9, 0.85, *[Interval(-0.05, -0.08, -0.01)] * 2) for _ in IN_GROUPS)
    graphs = replace(made_graphs.graphs("FSRS-6"), slices=(SliceGraph("calibration", slices),))
    report = replace(REPORT, results=(OFF,)).with_section("graphs", (graphs,))
    axes = drawn(report, "calibration", ["FSRS-6"]).axes[0]
    shown = [group.predicted for group in IN_GROUPS if group.predicted - 0.05 >= axes.get_xlim()[0]]
    assert len(shown) > 5
    ends = [(p, p + end) for p in shown for end in (-0.08, -0.01)]
    lines = [line.get_xydata() for line in axes.get_lines() if line.get_color() == LIGHT.data[0]]
    without_gaps = [points[~np.isnan(points).any(axis=1)] for points in lines]
    assert any(len(points) == len(ends) and np.allclose(points, ends) for points in without_gaps)


def test_where_nothing_is_to_be_drawn_there_is_no_graph() -> None:
    assert not GRAPHS["calibration"].of(fake.report(failed=["SM-2"]), ["SM-2"])


def test_sentence_is_of_the_largest_group() -> None:
    group = max(IN_GROUPS, key=lambda group: group.reviews)
    said, came = (f"{100 * share:.0f}%" for share in (group.predicted, group.predicted - 0.05))
    report = replace(REPORT, results=(OFF, REPORT.result("SM-2")))
    sentence = graph(report, "calibration", ["FSRS-6"]).sentence
    assert sentence.index("FSRS-6") < sentence.index(said) < sentence.index(came)
    both = graph(report, "calibration", ["FSRS-6", "SM-2"]).sentence
    assert both.index(came) < both.index("SM-2")


@pytest.mark.parametrize(
    ("failed", "of_each", "stems"),
    [
        ([], False, "fsrs-6-vs-sm-2"),
        (["FSRS-5"], True, "fsrs-6-vs-sm-2 fsrs-6-recency fsrs-6 fsrs-6-default fsrs-5-default avg sm-2"),
    ],
)
def test_saved_files(failed: List[str], of_each: bool, stems: str, tmp_path: Path) -> None:
    """Of the pair that is compared, and of each that has not failed."""
    paths = save_charts(occasions(fake.report(failed=failed), of_each=of_each), tmp_path / "a" / "charts")
    assert [path.name for path in paths] == [f"calibration-{stem}.png" for stem in stems.split()]
    assert all(path.is_file() for path in paths)


def test_names_that_are_alike_in_files_are_told_apart(tmp_path: Path) -> None:
    """Else one graph would be written over the other."""
    results = tuple(replace(ROW, algorithm=name) for name in ("My model", "my_model", "my-model"))
    paths = save_charts(occasions(replace(REPORT, results=results), of_each=True), tmp_path)
    names = [path.name for path in paths if path.name.startswith("calibration-")]
    assert names == ["calibration-my-model.png", "calibration-my-model-2.png", "calibration-my-model-3.png"]
    assert all(path.is_file() for path in paths)


def test_file_names_are_safe() -> None:
    def stem(names: List[str], key: str = "calibration") -> str:
        return file_stem(Block(key, "", names=tuple(names)))

    assert stem(["../Ébb: 90%?"]) == "calibration-ébb-90"
    assert stem(["x" * 300]) == "calibration-" + "x" * 100
    assert max(len(f"{stem(['é' * 300, '我' * 300], key)}-night.png".encode()) for key in GRAPHS) <= 255
    assert stem(["我的模型/2", "?"]) == "calibration-我的模型-2-vs-graph"
