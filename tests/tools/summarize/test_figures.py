from __future__ import annotations

import itertools

import numpy as np
import pytest
from made_results import joined, line, lines_of_better_and_worse, simulated_lines
from matplotlib.figure import Figure
from matplotlib.text import Text

from tools.benchmark.results_format import METRICS
from tools.summarize import figures
from tools.summarize.summary import summarize
from tools.summarize.text import markdown
from ui.views.metric_views import VIEWS


def _texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if text.get_visible() and text.get_text()]


def test_matrices_show_shares_and_significance():
    """X is better on 3 of 4 collections, which are too few for significance."""
    losses = {"X": (0.1, 0.2, 0.3, 0.5), "Y": (0.2, 0.3, 0.4, 0.4)}
    trees = [line(str(n), name, loss) for name in losses for n, loss in enumerate(losses[name])]
    summary, _ = summarize(joined(trees))
    assert {"75", "25", "X", "Y"} <= set(_texts(figures.superiority(summary, "log_loss")))
    assert _texts(figures.effects(summary, "log_loss")).count("\N{MIDDLE DOT}") == 2
    heading = " ".join(_texts(figures.superiority(summary, "log_loss"))).replace("\n", " ")
    assert "How often is the algorithm of the row better than that of the column?" in heading
    assert "Collections: 4." in heading
    assert "the row has the lower log loss" in heading
    by_auc = " ".join(_texts(figures.superiority(summary, "auc"))).replace("\n", " ")
    assert "the row has the higher AUC" in by_auc
    assert "50" in by_auc.split()


def test_effects_are_shown_with_their_size():
    """X is better on all 30 collections: z is (30 * 31 / 4) / sqrt(30 * 31 * 61 / 24), and the effect z / sqrt(30)."""
    summary, _ = summarize(joined(lines_of_better_and_worse()))
    effect = f"{30 * 31 / 4 / (30 * 31 * 61 / 24) ** 0.5 / 30**0.5:.2f}"[1:]
    texts = _texts(figures.effects(summary, "log_loss"))
    assert [text for text in texts if text.endswith(effect)] == [effect, f"\N{MINUS SIGN}{effect}"]
    assert any(text.startswith("Effect size") for text in texts)


def test_every_metric_has_a_figure():
    summary, results = summarize(joined(simulated_lines(["X", "Y"], 12)))
    drawn = dict(figures._drawings(summary, results))
    for metric in METRICS:
        figure = drawn[f"{metric.replace('_', '-')}-distribution"]()
        assert f"{VIEWS[metric].label} (collections: 12)" in _texts(figure)
        values = results.metrics[metric][:, results.names.index(summary.rows[0].algorithm)]
        lowest, low, middle, high, highest = np.nanpercentile(values, [5, 25, 50, 75, 95])
        lines = [collection.get_segments()[0][:, 0] for collection in figure.axes[0].collections]
        np.testing.assert_allclose(lines, [[lowest, highest], [low, high], [middle, middle]])


@pytest.mark.parametrize(("name", "algorithms"), [("", 2), ("Model ", 24)])
def test_texts_do_not_overlap(name, algorithms):
    summary, results = summarize(joined(simulated_lines([f"{name}{n}" for n in range(algorithms)], 30)))
    for figure in (figures.superiority(summary, "log_loss"), figures.distribution(summary, results, "log_loss")):
        figure.draw_without_rendering()
        for axes in (*figure.axes, *figure.axes[0].child_axes):
            for axis in (axes.xaxis, axes.yaxis):
                low, high = sorted(axis.get_view_interval())
                ticks = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
                labels = [label for tick in ticks for label in (tick.label1, tick.label2) if label.get_visible()]
                boxes = [label.get_window_extent() for label in labels if label.get_text()]
                for box, next_box in itertools.pairwise(boxes):
                    assert not box.shrunk(0.98, 0.9).overlaps(next_box.shrunk(0.98, 0.9))


def test_in_sample_rows_are_marked_everywhere():
    trees = simulated_lines(["X", "Y"], 30)
    for tree in trees[:30]:
        tree["in_sample"] = True
    summary, results = summarize(joined(trees))
    for figure in (
        figures.superiority(summary, "log_loss"),
        figures.effects(summary, "log_loss"),
        figures.distribution(summary, results, "auc"),
    ):
        texts = _texts(figure)
        assert "X (in-sample)" in texts
        assert "In-sample: its parameters may" in " ".join(" ".join(texts).split())
    assert markdown(summary).count("1. X (in-sample) ") == 6


def test_algorithm_that_lacks_a_metric_on_many_collections_is_not_drawn():
    trees = simulated_lines(["X", "Y"], 30)
    for tree in trees[30:]:
        tree["metrics"]["rmse_bins"] = None
    # Each has AUC on the collections on which the other has none.
    for number, tree in enumerate(trees):
        if (number < 30) == (tree["reviews"] > 1000):
            tree["metrics"]["auc"] = None
    summary, results = summarize(joined(trees))
    assert "Y" not in _texts(figures.distribution(summary, results, "rmse_bins"))
    assert {"X", "Y"} <= set(_texts(figures.distribution(summary, results, "auc")))
