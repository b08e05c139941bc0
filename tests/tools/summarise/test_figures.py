"""The figures of a summary: what is in them, with few algorithms and with many."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from made_results import joined, line, simulated
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from tools.summarise.figures import by_reviews, distributions, matrices
from tools.summarise.figures.sheet import Sheet, readable_on
from tools.summarise.summary import summarise
from tools.summarise.text import markdown


def _texts(sheet: Sheet) -> list[str]:
    return [text.get_text() for text in sheet.figure.findobj(Text) if text.get_visible() and text.get_text()]


def _drawn(name: str, algorithms: int, collections: int) -> list[Sheet]:
    summary, results = summarise(
        joined(simulated([f"{name}{n}" for n in range(algorithms)], collections)), resamples=999
    )
    return [
        matrices.superiority(summary),
        matrices.effects(summary),
        distributions.draw(summary, results, "log_loss"),
        by_reviews.draw(summary, results, "auc"),
    ]


def test_numbers_of_the_matrices() -> None:
    """X is better on 3 of 4 collections, too few to be sure."""
    losses = {"X": (0.1, 0.2, 0.3, 0.5), "Y": (0.2, 0.3, 0.4, 0.4)}
    trees = [line(str(n), name, loss) for name, of_all in losses.items() for n, loss in enumerate(of_all)]
    summary, _ = summarise(joined(trees), resamples=999)
    assert {"75", "25", "X", "Y"} <= set(_texts(matrices.superiority(summary)))
    assert _texts(matrices.effects(summary)).count("\N{MIDDLE DOT}") == 2
    heading = " ".join(_texts(matrices.superiority(summary))).replace("\n", " ")
    assert "How often is the algorithm of the row better than that of the column?" in heading
    assert "4 collections." in heading


def test_numbers_of_the_effects() -> None:
    """X is better on all of 30 collections: the sum of ranks lies (30 * 31 / 4) / sqrt(30 * 31 * 61 / 24) off."""
    trees = [line(str(n), name, 0.3 + more * (n + 1)) for name, more in (("X", 0), ("Y", 0.01)) for n in range(30)]
    summary, _ = summarise(joined(trees), resamples=999)
    effect = f"{30 * 31 / 4 / (30 * 31 * 61 / 24) ** 0.5 / 30**0.5:.2f}"[1:]
    texts = _texts(matrices.effects(summary))
    assert [text for text in texts if text.endswith(effect)] == [effect, f"\N{MINUS SIGN}{effect}"]
    assert any(text.startswith("Effect size") for text in texts)


@pytest.mark.parametrize("collections", [99, 100])
def test_few_dots_are_all_shown(collections: int) -> None:
    """Below a hundred collections the axis goes from the lowest to the highest; else the text says what is outside."""
    summary, results = summarise(joined(simulated(["X"], collections)), resamples=999)
    sheet = by_reviews.draw(summary, results, "log_loss")
    low, high = sheet.figure.axes[0].get_ylim()
    values = results.metrics["log_loss"]
    said = any("lies outside" in text.replace("\n", " ") for text in _texts(sheet))
    assert said == (collections == 100)
    if not said:
        assert low < values.min() < values.max() < high


@pytest.mark.parametrize("trend", [False, True])
def test_trend_of_many_alone(trend: bool) -> None:
    """Of 29 collections only the dots are drawn, of 30 three lines over them, and the text says so."""
    summary, results = summarise(joined(simulated(["X"], 29 + trend)), resamples=999)
    sheet = by_reviews.draw(summary, results, "log_loss")
    assert len(sheet.figure.axes[0].lines) == (4 if trend else 1)
    assert any("the lines are the median" in text.replace("\n", " ") for text in _texts(sheet)) == trend


@pytest.mark.parametrize(("name", "algorithms"), [("", 2), ("Model ", 40)])
def test_nothing_overlaps_or_is_cut(name: str, algorithms: int) -> None:
    """Cells hold their numbers, names their place, and headings stay in the figure."""
    for sheet in _drawn(name, algorithms, 30):
        FigureCanvasAgg(sheet.figure).draw()
        used = sheet.figure.get_tightbbox()
        assert 0 <= used.x0 < used.x1 <= sheet.width
        assert 0 <= used.y0 < used.y1 <= sheet.height
        for axes in sheet.figure.axes:
            for axis in (axes.xaxis, axes.yaxis):
                low, high = sorted(axis.get_view_interval())
                ticks = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
                labels = [label for tick in ticks for label in (tick.label1, tick.label2) if label.get_visible()]
                boxes = [label.get_window_extent() for label in labels if label.get_text()]
                for one, other in itertools.pairwise(boxes):
                    assert not one.shrunk(0.98, 0.9).overlaps(other.shrunk(0.98, 0.9))


def test_in_sample_is_marked_everywhere() -> None:
    """In each figure, with what it means, and in the matrices of the text."""
    trees = simulated(["X", "Y"], 30)
    for tree in trees[:30]:
        tree["in_sample"] = True
    summary, results = summarise(joined(trees), resamples=999)
    for sheet in (
        matrices.superiority(summary),
        matrices.effects(summary),
        distributions.draw(summary, results, "auc"),
        by_reviews.draw(summary, results, "log_loss"),
    ):
        texts = _texts(sheet)
        assert "X (in-sample)" in texts
        assert "In-sample: its parameters may" in " ".join(" ".join(texts).split())
    assert markdown(summary).count("1. X (in-sample) ") == 2


def test_a_metric_that_some_lack() -> None:
    """The row of an algorithm without it is left out, and an undefined value on one collection does no harm."""
    trees = simulated(["X", "Y"], 30)
    for tree in trees[30:]:
        tree["metrics"]["rmse_bins"] = None
    trees[3]["metrics"]["auc"] = None
    summary, results = summarise(joined(trees), resamples=999)
    assert "Y" not in _texts(distributions.draw(summary, results, "rmse_bins"))
    assert {"X", "Y"} <= set(_texts(by_reviews.draw(summary, results, "auc")))


def test_two_that_have_a_metric_on_different_collections() -> None:
    """There is no difference to draw, and classes without a value are empty."""
    trees = simulated(["X", "Y"], 12)
    for number, tree in enumerate(trees):
        if (number < 12) == (tree["reviews"] > 1000):
            tree["metrics"]["auc"] = None
    summary, results = summarise(joined(trees), resamples=999)
    assert {"X", "Y"} <= set(_texts(distributions.draw(summary, results, "auc")))
    texts = _texts(by_reviews.draw(summary, results, "auc"))
    assert {"X", "Y"} <= set(texts)
    assert "nan" not in texts


def test_classes_hold_all_collections() -> None:
    """Equal numbers of reviews stay together, and few collections make few classes."""
    reviews = np.array([5, 5, 5, 5, 5, 5, 9, 9, 9, 9, 1000])
    classes = by_reviews._classes(reviews)
    assert len({(count, one) for count, one in zip(reviews.tolist(), classes.tolist(), strict=True)}) == 3
    assert by_reviews._classes(np.array([3, 8])).tolist() == [0, 0]


def test_letters_stand_out() -> None:
    assert readable_on((1, 1, 1, 1)) == "#1a1a1a"
    assert readable_on((0, 0, 0.3, 1)) == "#ffffff"
