"""Figures: nothing cut off, nothing overlapping, the same bytes each time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Dict, List, Sequence, Tuple

import fake
import made_graphs
import numpy as np
import pytest
from chart_texts import assert_legible, graph, texts
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from evaluator.report import AlgorithmResult, Interval
from evaluator.sections.graphs import AlgorithmGraphs
from evaluator.statistics.slices import RecallSlice, SliceGraph
from ui.charts import SIZE_INCHES, draw, file_stem, save_chart, save_charts
from ui.charts.axes import outside_note
from ui.charts.style import LIGHT, NIGHT, Style
from ui.views.graphs import GRAPHS, occasions
from ui.views.view import Block

REPORT = fake.report()
#: Of a saved file; of the window at its default size, narrow, and with the funnel unfolded.
SIZES = (SIZE_INCHES, (5.9, 5.4), (4.4, 4.2), (4.2, 2.5))


def calibration(*results: AlgorithmResult, graphs: Sequence[AlgorithmGraphs] = ()) -> Block:
    """The classic graph of these."""
    report = replace(REPORT, results=results).with_section("graphs", tuple(graphs))
    return graph(report, "calibration", [row.algorithm for row in results])


def drawn(block: Block, size: Tuple[float, float], style: Style = LIGHT) -> Figure:
    """The figure, laid out; with a title where it is to be saved."""
    figure = Figure(figsize=size, dpi=96)
    canvas = FigureCanvasAgg(figure)
    assert block.chart is not None
    draw(figure, block.chart, style, title=block.title if size == SIZE_INCHES else "")
    canvas.draw()
    return figure


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "names", [("FSRS-6",), ("AVG",), ("SM-2",), ("FSRS-6 recency", "SM-2"), ("FSRS-6", "FSRS-6 default")]
)
def test_no_text_is_cut_off_or_overlaps(names: Tuple[str, ...], size: Tuple[float, float]) -> None:
    """Every text lies inside the figure, and no two lie over each other."""
    figure = drawn(calibration(*(REPORT.result(name) for name in names)), size)
    assert_legible(figure)


def test_axes_are_labelled_in_words() -> None:
    """What is on them, and in which unit."""
    written = {text.get_text() for text in texts(drawn(calibration(REPORT.result("FSRS-6")), SIZE_INCHES))}
    assert {"Predicted recall", "Actually remembered", "Reviews", "exactly right"} <= written
    assert "100\N{NO-BREAK SPACE}%" in written
    assert "Calibration in 20 groups: FSRS-6" in written


def test_both_axes_have_the_same_range() -> None:
    """So that the diagonal means what it says."""
    for names in (["FSRS-6"], ["FSRS-6", "SM-2"], ["AVG"]):
        axes = drawn(calibration(*(REPORT.result(name) for name in names)), SIZE_INCHES).axes[0]
        assert axes.get_xlim() == axes.get_ylim()
        assert axes.get_xlim()[1] == 1


def test_what_lies_outside_is_said() -> None:
    """Reviews that are not shown are counted in the note."""
    result = REPORT.result("FSRS-6")
    figure = drawn(calibration(result), SIZE_INCHES)
    lowest = figure.axes[0].get_xlim()[0]
    assert result.calibration is not None
    groups = result.calibration.log_spaced
    outside = sum(group.reviews for group in groups if min(group.predicted, group.recalled) < lowest)
    assert outside > 0
    assert any(f"not shown: {outside} reviews." in text.get_text() for text in texts(figure))


def test_bars_stand_about_what_was_predicted() -> None:
    """Each at its prediction, and from there as far up and down as recalled minus predicted may lie by chance."""
    result = REPORT.result("FSRS-6")
    assert result.calibration is not None
    groups = [replace(group, recalled=group.predicted - 0.05) for group in result.calibration.log_spaced]
    off = replace(result, calibration=replace(result.calibration, log_spaced=tuple(groups)))
    slices = tuple(RecallSlice("", 500, 0.9, 0.85, *[Interval(-0.05, -0.08, -0.01)] * 2) for _ in groups)
    graphs = replace(made_graphs.graphs("FSRS-6"), slices=(SliceGraph("calibration", slices),))
    axes = drawn(calibration(off, graphs=[graphs]), SIZE_INCHES).axes[0]
    shown = [group.predicted for group in groups if group.recalled >= axes.get_xlim()[0]]
    assert len(shown) > 5
    ends = [(p, p + end) for p in shown for end in (-0.08, -0.01)]
    lines = [line.get_xydata() for line in axes.get_lines() if line.get_color() == LIGHT.data[0]]
    without_gaps = [points[~np.isnan(points).any(axis=1)] for points in lines]
    assert any(len(points) == len(ends) and np.allclose(points, ends) for points in without_gaps)


@pytest.mark.parametrize(
    ("outside", "said"),
    [
        ({"FSRS-6": 0, "SM-2": 0}, ""),
        ({"SM-2": 1}, "1 review."),
        ({"FSRS-6": 0, "SM-2": 1234}, "1,234 reviews (SM-2)."),
        ({"FSRS-6": 1, "SM-2": 12}, "1 review (FSRS-6) and 12 reviews (SM-2)."),
    ],
)
def test_of_whom_something_lies_outside(outside: Dict[str, int], said: str) -> None:
    """Nobody who has all of it within."""
    assert outside_note(outside) == (f"Outside this range, not shown: {said}" if said else "")


def test_colours_follow_the_style() -> None:
    """Night is drawn, not inverted."""
    light, night = (
        drawn(calibration(REPORT.result("FSRS-6")), (5, 4)),
        drawn(calibration(REPORT.result("FSRS-6")), (5, 4), NIGHT),
    )
    assert light.get_facecolor() != night.get_facecolor()
    assert {to_hex(text.get_color()) for text in texts(night)} <= {NIGHT.text, NIGHT.subtle}


def test_drawing_again_replaces() -> None:
    """A canvas is drawn on many times."""
    figure = drawn(calibration(REPORT.result("SM-2")), (5, 4))
    before = len(figure.findobj())
    block = calibration(REPORT.result("SM-2"))
    assert block.chart is not None
    draw(figure, block.chart, LIGHT)
    figure.canvas.draw()  # type: ignore[no-untyped-call]
    assert len(figure.axes) == 2
    assert len(figure.findobj()) == before


def test_where_nothing_is_to_be_drawn_there_is_no_graph() -> None:
    """A failed algorithm has no calibration."""
    assert not GRAPHS["calibration"].of(fake.report(failed=["SM-2"]), ["SM-2"])


def test_saved_files(tmp_path: Path) -> None:
    """Of the best and of the pair that is compared; the same bytes each time."""
    paths = save_charts(occasions(REPORT), tmp_path / "a" / "charts")
    assert [path.name for path in paths] == ["calibration-fsrs-6-recency.png", "calibration-fsrs-6-vs-sm-2.png"]
    again = save_charts(occasions(REPORT), tmp_path / "b")
    assert [path.read_bytes() for path in paths] == [path.read_bytes() for path in again]


def test_saved_files_of_each(tmp_path: Path) -> None:
    """One for each algorithm, one for the pair; failed ones have none."""
    report = fake.report(failed=("FSRS-5",))
    paths = save_charts(occasions(report, of_each=True), tmp_path)
    assert [path.name for path in paths] == [
        "calibration-fsrs-6-recency.png",
        "calibration-fsrs-6.png",
        "calibration-fsrs-6-default.png",
        "calibration-fsrs-5-default.png",
        "calibration-avg.png",
        "calibration-sm-2.png",
        "calibration-fsrs-6-vs-sm-2.png",
    ]


def test_names_that_are_alike_in_files_are_told_apart(tmp_path: Path) -> None:
    """Else one graph would be written over the other."""
    results = tuple(replace(fake.result("FSRS-6"), algorithm=name) for name in ("My model", "my_model", "my-model"))
    paths = save_charts(occasions(replace(fake.report(), results=results), of_each=True), tmp_path)
    names = [path.name for path in paths if path.name.startswith("calibration-")]
    assert names == ["calibration-my-model.png", "calibration-my-model-2.png", "calibration-my-model-3.png"]
    assert all(path.is_file() for path in paths)


def test_svg_is_the_same_each_time(tmp_path: Path) -> None:
    """No date, no random names."""
    block = graph(REPORT, "calibration", ["FSRS-6", "SM-2"])
    first, second = (save_chart(block, tmp_path / f"{name}.svg") for name in "ab")
    assert first.read_bytes() == second.read_bytes()


def stem(names: List[str], key: str = "calibration") -> str:
    """The name of the file of that graph of these algorithms."""
    return file_stem(Block(key, "", names=tuple(names)))


def test_file_names_are_safe() -> None:
    """Whatever an algorithm is called."""
    assert stem(["../Ébb: 90 %?"]) == "calibration-ébb-90"
    assert stem(["x" * 300]) == "calibration-" + "x" * 100
    assert max(len(f"{stem(['é' * 300, '我' * 300], key)}-night.png".encode()) for key in GRAPHS) <= 255
    assert stem(["我的模型/2", "?"]) == "calibration-我的模型-2-vs-graph"


def test_sentence_is_of_the_largest_group() -> None:
    """What was said most often, and what came of it."""
    result = REPORT.result("FSRS-6")
    assert result.calibration is not None
    group = max(result.calibration.log_spaced, key=lambda group: group.reviews)
    said, came = f"{100 * group.predicted:.0f}", f"{100 * group.recalled:.0f}"
    sentence = calibration(result).sentence
    assert f"When FSRS-6 said {said}\N{NO-BREAK SPACE}%" in sentence
    assert f"you remembered {came}\N{NO-BREAK SPACE}%." in sentence
    assert "dashed line" in sentence
    both = calibration(result, REPORT.result("SM-2")).sentence
    assert "FSRS-6 said" in both
    assert "SM-2 said" in both
