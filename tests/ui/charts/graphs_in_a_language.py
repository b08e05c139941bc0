"""Tests of graphs and of the page in a made-up language.

A process has one language, so ``test_graphs_in_languages.py`` runs these tests in a process for each language.
"""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import made_graphs as made
import pytest
from chart_texts import assert_legible, draw_graph, graph, lines_of
from made_language import SAMPLES
from made_workload import workload

from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.sections import SECTIONS, add_sections
from tools.simulate import Learner, simulate
from ui.anki.language import ANKI_WORDS
from ui.charts import SIZE_INCHES, save_chart
from ui.charts.fonts import can_draw, font_families
from ui.charts.style import LIGHT, NIGHT
from ui.page import inline_svg, page
from ui.text import language_code
from ui.views.graphs_view import GRAPHS

REPORT = made.pair_report()
ONE = [made.PAIR[0]]
BOTH = list(made.PAIR)
#: Sizes of a saved file, of the smallest window, and of a common small window, with the drawn algorithms.
CASES = ((SIZE_INCHES, BOTH), ((2.5, 1.875), ONE), ((4.2, 2.5), BOTH))

#: Words that no catalog translates, because they are names or Anki's own.
NAMES = {"Anki", "Evaluator", "recency", "Anatomy", "Vocabulary", *" ".join(ANKI_WORDS).split()}


@pytest.fixture
def style():
    return replace(LIGHT if language_code() == "ja" else NIGHT, font_families=font_families())


@pytest.mark.parametrize(("size", "names"), CASES)
@pytest.mark.parametrize("key", GRAPHS)
def test_texts_have_fonts_and_are_legible(key, size, names, style):
    figure = draw_graph(REPORT, key, names, size, style)
    assert_legible(figure)
    text = "".join(lines_of(figure))
    assert can_draw(text, style.font_families)
    assert set(text) & set(SAMPLES["ja"] + SAMPLES["zh-CN"]), "the graph is translated"


@pytest.mark.parametrize("key", ["interval", "difficulty"])
def test_saved_graphs_need_no_fonts(key, tmp_path):
    path = save_chart(graph(REPORT, key, ONE), tmp_path / "a.svg")
    svg = path.read_text(encoding="utf-8")
    assert "<text" not in svg
    assert "font-family" not in svg
    assert len(svg) < 400_000
    second = save_chart(graph(REPORT, key, ONE), tmp_path / "b.svg")
    assert second.read_bytes() == path.read_bytes()


def test_page_figures_name_no_local_font(style, monkeypatch):
    monkeypatch.setattr(inline_svg, "with_fonts", lambda base: replace(base, font_families=style.font_families))
    drawing = str(inline_svg.chart_block(graph(REPORT, "interval", ONE)))
    assert "var(--face)" in drawing
    assert not any(family in drawing for family in style.font_families)


def test_page_is_fully_translated():
    snapshot = simulate(Learner(days=150)).snapshot
    evaluation = evaluate(snapshot, Options(("AVG", "SM-2", "FSRS-6"), folds=2))
    # The log has too few days for a workload.
    sections = [name for name in SECTIONS if name != "workload"]
    report = add_sections(evaluation, sections, snapshot=snapshot).report.with_section("workload", workload())
    html = re.sub(r"<(style|code|pre)\b.*?</\1>", "", page(report), flags=re.DOTALL)
    text = unescape(" ".join([*re.findall(r'(?:title|aria-label|alt)="([^"]*)"', html), re.sub("<[^>]*>", " ", html)]))
    assert set(re.findall("[A-Za-z]*[a-z][A-Za-z]+", text)) <= NAMES
    assert len(text) > 20_000
