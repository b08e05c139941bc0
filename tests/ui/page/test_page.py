from __future__ import annotations

import itertools
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any, Dict, List, Optional

import fake
import made_graphs as made
import numpy as np
import pytest
from chart_texts import graph
from made_findings import advice, finding, recall, report_on
from matplotlib.colors import to_rgba
from sentence_matching import contains_sentence, matches_sentence
from wcag import contrast

import ui.page
from evaluator.algorithms.external import ExternalPredictions
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.progress import Progress
from evaluator.report import Report
from evaluator.scope import SAME_DAY_TABLE
from evaluator.sections import SECTION_GROUPS
from tools.simulate import Learner, simulate
from ui.charts.style import LIGHT, NIGHT
from ui.page import page
from ui.page.inline_svg import SIZES_INCHES, drawing
from ui.page.markup import Html, element
from ui.page.tables import MAX_NARROW_ROWS, MAX_ROWS, PAGE_TABLE_ROWS, table_block
from ui.text import strings
from ui.views import GRAPHS_SUMMARY, NAMES, PAGES, load, results_table_cells
from ui.views.finding_rows import LEGEND
from ui.views.finding_sentences import SIGNS
from ui.views.first_screen import DETAILS, first_screen, why_no_table
from ui.views.graphs_view import GRAPHS, report_graphs
from ui.views.labels import row_label
from ui.views.metric_views import USUAL, VIEWS
from ui.views.scope_sentences import scope_sentences
from ui.views.view import Block, Column, Table

REPORT = fake.report()
PAGE = page(REPORT)

#: HTML elements without an end tag.
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


#: A fold without folds in it, and its summary.
INNERMOST_FOLD = re.compile(
    "<details[^>]*>(<summary>(?:(?!</summary>).)*</summary>)(?:(?!<details).)*?</details>", re.DOTALL
)


class PageReader(HTMLParser):
    """Parser of a page that fails if tags do not balance.

    Attributes:
        open_tags: tags of the open elements.
        elements: tag and attributes of every element.
        words: all texts.
    """

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open_tags = []
        self.elements = []
        self.words = []
        self.feed(text)
        self.close()
        assert self.open_tags == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute is repeated in {tag}"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open_tags.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        assert "svg" in self.open_tags, f"<{tag}/> is allowed within SVG only"
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open_tags.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open_tags:
            self.words.append(data)

    def all(self, tag: str) -> List[Dict[str, Optional[str]]]:
        """Return the attributes of all elements with this tag."""
        return [attributes for name, attributes in self.elements if name == tag]


READER = PageReader(PAGE)


@pytest.fixture(scope="module")
def text(real_report):
    return page(real_report)


class TestRealReport:
    def test_page_has_every_table_and_graph(self, real_report, text):
        reader = PageReader(text)
        for section in SECTION_GROUPS["quick"]:
            assert real_report.section(section), f"the log is too short for {section}"
        for block in blocks_of(real_report):
            # The captions of the graphs have the words of their summary.
            words = set() if block.key == GRAPHS_SUMMARY else {block.heading, block.caption, *block.notes} - {""}
            assert words <= set(reader.words)
            assert {cell for row in block.table.rows for cell in row} - {""} <= set(reader.words)
            assert {column.tip for column in block.table.columns} - {""} <= set(reader.words)
        graphs = list(report_graphs(real_report, every_algorithm=False))
        assert {block.key for block in graphs} >= set(GRAPHS)
        drawings = [attributes["aria-label"] for attributes in reader.all("svg") if attributes.get("class") == "wide"]
        assert sorted(map(str, drawings)) == sorted(block.sentence or block.heading for block in graphs)

    def test_page_is_valid_and_begins_like_the_window(self, text):
        check_page(text)
        assert re.findall("<(h1|table|h2|svg|nav)", text)[:6] == ["h1", "table", "h2", "svg", "svg", "table"]
        assert re.findall("<h2>(.*?)</h2>", text[: text.index("<nav")]) == ["Calibration"]

    def test_page_repeats_nothing(self, real_report, text):
        tables = re.findall(r"<table.*?</table>", text, flags=re.DOTALL)
        assert len(tables) == len(set(tables))
        words = PageReader(text).words
        explanations = {
            sentence for block in report_graphs(real_report, every_algorithm=False) for sentence in block.reading
        }
        assert len(explanations) >= 2
        for sentence in (*explanations, *(block.caption for block in blocks_of(real_report))):
            assert not sentence or sum(sentence in text for text in words) == 1, sentence
        headings = re.findall(r"<h\d>(.*?)</h\d>", text)
        assert len(headings) == len(set(headings))
        assert not any(heading.startswith("Where predictions are off") for heading in headings)

    def test_only_findings_and_short_tables_are_unfolded_on_narrow_screens(self, real_report, text):
        first, *graphs = report_graphs(real_report, every_algorithm=False)
        found = [block.heading for block in graphs if block.names == first.names and not block.nothing_off]
        others = [block.heading for block in graphs if block.nothing_off]
        assert found
        assert others
        unfolded, count = INNERMOST_FOLD.subn(r"\1", text)
        while count:
            unfolded, count = INNERMOST_FOLD.subn(r"\1", unfolded)
        assert re.findall("<figure><summary><h4>(.*?)</h4><span>", unfolded) == found
        names = ", ".join(others).lower()
        assert f"<summary>No group is clearly off: {names}</summary>" in unfolded
        assert unfolded.count("<svg") == len(SIZES_INCHES)
        assert max(table.count("<tr") for table in unfolded.split("<table")[1:]) <= 1 + MAX_NARROW_ROWS
        wide = text.partition("@media print, (min-width")[2]
        assert re.match(r"[^{]*\{\s*\.narrow-fold::details-content \{[^}]*content-visibility: visible", wide)

    def test_only_questions_with_results_are_on_the_page(self, real_report, text):
        views = [view for view in map(load, NAMES) if view.question]
        assert not all(view.result(real_report) for view in views)
        assert all(text.count(view.question) == bool(view.result(real_report)) for view in views)

    def test_every_number_is_explained(self, text):
        headers = [attributes for attributes in re.findall(r"<th([^>]*)>", text) if 'scope="col"' in attributes]
        assert headers
        assert all("title=" in attributes for attributes in headers if 'class="number"' in attributes)
        cells = re.findall(r'<td class="number"[^>]*>', text)
        assert cells
        assert all("data-label=" in cell for cell in cells), "a card on narrow screens has no header"

    def test_print_unfolds_everything(self, text):
        assert PageReader(text).all("details")
        style = text.partition("@media print")[2].partition("</style>")[0]
        assert re.search(r"\n *details::details-content \{[^}]*content-visibility: visible", style)


def check_page(text: str) -> None:
    """Expect unique names, links within the page, an order of headings, and nothing that runs or is loaded."""
    reader = PageReader(text)
    names = [attributes["id"] for _, attributes in reader.elements if "id" in attributes]
    assert len(names) == len(set(names))
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', text)) <= set(names)
    levels = [int(tag[1]) for tag, _ in reader.elements if re.fullmatch(r"h\d", tag)]
    assert levels.count(levels[0]) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise([0, *levels]))
    forbidden = {"script", "link", "iframe", "object", "embed", "base", "form", "img", "image"}
    assert not forbidden & {tag for tag, _ in reader.elements}
    for _, attributes in reader.elements:
        assert not any(name.startswith("on") or name in {"src", "srcset", "action"} for name in attributes)
        for name in ("href", "xlink:href"):
            assert (attributes.get(name) or "#").startswith("#")
    assert "://" not in text
    assert "@import" not in text
    assert set(re.findall(r"url\((.)", text)) <= {"#"}


class TestDocument:
    def test_page_is_html_in_a_language(self):
        assert PAGE.startswith("<!DOCTYPE html>\n<html")
        assert PAGE.endswith("</html>\n")
        assert READER.all("html") == [{"lang": "en"}]
        assert {"charset": "utf-8"} in READER.all("meta")
        title = PAGE[PAGE.index("<title>") : PAGE.index("</title>")]
        assert first_screen(REPORT).verdict.replace("'", "&#x27;") in title

    def test_everything_is_in_a_landmark(self):
        assert re.search(r"<body><header>.*</header><main>.*<nav .*</main></body>", PAGE, flags=re.DOTALL)
        assert not [attributes for _, attributes in READER.elements if attributes.get("role") == "region"]

    def test_parts_are_in_the_order_of_the_window(self, text):
        titles = re.findall("<h2>(.*?)</h2>", text)
        pages = [page.title for page in PAGES if page.title in titles]
        assert pages
        assert titles[:2] == ["Calibration", "Graphs"]
        assert titles[2 : 2 + len(pages)] == pages

    def test_heading_names_the_same_day_table(self):
        same_day = page(replace(REPORT, scope=replace(REPORT.scope, table=SAME_DAY_TABLE)))
        for tag in ("title", "h1"):
            assert strings.WITH_SAME_DAY in re.findall(f"<{tag}>(.*?)</{tag}>", same_day)[0]
        assert strings.WITH_SAME_DAY not in PAGE

    def test_each_graph_reports_progress(self):
        steps = []
        page(REPORT, progress=Progress(lambda fraction, *_: steps.append(fraction)))
        assert steps == sorted(steps)
        assert len(steps) == len(list(report_graphs(REPORT, every_algorithm=False)))
        assert 0 <= steps[0] <= steps[-1] < 1


class TestWindowContents:
    def test_sentences_are_those_of_the_window(self):
        texts = first_screen(REPORT)
        rows = results_table_cells.rows(REPORT)
        sentences = [texts.verdict, texts.numbers, texts.advice, *texts.details, *results_table_cells.legend(rows)]
        sentences += [" ".join(scope_sentences(REPORT))]
        sentences += [column.tip for column in results_table_cells.columns()]
        for row in rows:
            sentences += row.tip.split("\n")
            for cell in row.cells:
                sentences += [cell.text, *cell.tip.split("\n")]
        for sentence in sentences:
            assert sentence in "\n".join(READER.words)

    def test_own_row_is_first_and_set_apart_and_has_a_dagger(self):
        text = page(fake.report(["Your parameters", *fake.NAMES]))
        usual, more = re.findall(r'<table class="comparison">(.*?)</table>', text, flags=re.DOTALL)[:2]
        assert usual.count('scope="col"') == 1 + len(USUAL)
        for table in (usual, more):
            assert re.findall('<span class="star">†</span>([^<]*)', table) == ["Your parameters"]
            assert re.findall('<tr class="own">.*?</span>([^<]*)', table, flags=re.DOTALL) == ["Your parameters"]
            assert table.index("Your parameters") < table.index("FSRS-6 recency")
        assert text.count(f'<p class="note">{results_table_cells.LEGEND[results_table_cells.DAGGER]}</p>') == 1
        assert VIEWS["rmse_bins"].label in more
        assert ">RMSE (old)<" in more
        folded = text.partition(f"<summary>{strings.MORE_NUMBERS}</summary>")[2].partition("</details>")[0]
        assert more in folded

    def test_graphs_show_algorithm_of_headline_and_others_on_request(self, text):
        assert re.findall("<section><h3>(.*?)</h3>", text)[0] == row_label("FSRS-6")
        assert next(report_graphs(REPORT, every_algorithm=True)).names == ("FSRS-6",)
        page_of_all = page(REPORT, every_algorithm=True)
        assert '<details class="other"><summary><h3>FSRS-5</h3>' in page_of_all[page_of_all.index("<nav") :]

    def test_failed_algorithm_has_its_reason_and_all_others_are_complete(self):
        reader = PageReader(page(fake.report(failed=("FSRS-6 recency",))))
        reason = "no result: The fit did not settle within 100 steps."
        assert any(contains_sentence(words, reason) for words in reader.words)
        losses = {name: f"{log_loss:.4f}" for name, log_loss, *_ in fake.ALGORITHMS}
        assert {name for name, loss in losses.items() if loss in reader.words} == {*fake.NAMES} - {"FSRS-6 recency"}

    @pytest.mark.parametrize("names", [("FSRS-6",), ("SM-2", "AVG")])
    def test_few_algorithms_need_no_headline(self, names):
        reader = PageReader(page(fake.report(names, requested=[*names, "FSRS-5"])))
        assert strings.NOT_RUN.format(names="FSRS-5") in reader.words
        assert len(reader.all("figure")) == 1


def report_with_list() -> Report:
    """Return a report on a preset that is off, with its deck and a preset with too few reviews in the list."""
    law = finding("optimistic", "preset", advice=advice("optimize", "closer"))
    deck = finding("deck", "deck", name="Torts", recall=recall(0.9, -0.06, 0.04), advice=law.advice)
    music = finding("too_few", "preset", name="Music", preset_id=8, advice=advice("keep_on", "unknown"))
    return report_on(finding(preset_id=None, advice=law.advice), law, deck, music, subject=1)


class TestList:
    def test_list_has_a_strip_for_each_row_on_one_scale(self):
        text = page(report_with_list())
        check_page(text)
        table = text[text.index('<table class="list">') : text.index("</table>")]
        rows = [PageReader(f"<table>{row}</table>") for row in re.findall("<tr.*?</tr>", table, flags=re.DOTALL)]
        assert [row.words for row in rows] == [
            ["Preset", "FSRS said", "You remembered", "Tested", "What to do"],
            ["!", " Law", "90%", "86%", "9,243", "optimize"],
            [" Deck Torts", "90%", "84%", "9,243"],
            [" Music", "90%", "–", "too few", "9,243", "nothing yet"],
            ["✓", " All", "90%", "90%", "9,243"],
        ]
        assert [row.all("tr")[0].get("aria-current") for row in rows] == [None, "true", None, None, None]
        strips = [row.all("svg") for row in rows]
        assert [strip and strip[0]["aria-label"] for strip in strips[1:]] == [
            "Law: FSRS was too optimistic. Likely 84% to 88%; 9,243 reviews.",
            "Deck Torts: FSRS said 90%; you remembered 84%. Likely 80% to 88%; 9,243 reviews.",
            [],
            "Overall: FSRS was about right. Likely 89% to 91%; 9,243 reviews.",
        ]
        ends = [re.findall(r"M([\d.]+) 3h", path["d"] or "") for row in rows for path in row.all("path")[2:]]
        # The furthest end is 10 points from the middle.
        assert ends == [["27.0", "49.0"], ["5.0", "49.0"], ["54.5", "65.5"]]
        assert f'<p class="note">{LEGEND.replace("*", "●")}</p>' in text

    def test_heading_table_and_graph_name_the_subject(self):
        text = page(report_with_list())
        assert '<h1><span class="sign warning">!</span> Law: FSRS was too optimistic.</h1>' in text
        assert re.findall("<h2>(.*?)</h2>", text)[:2] == ["Preset Law: 16,000 reviews", "Calibration (Law)"]
        assert 'class="list"' not in PAGE

    @pytest.mark.parametrize("is_night", [False, True])
    def test_signs_have_enough_contrast(self, is_night):
        sheets = PAGE[PAGE.index(":root {") :].split("@media screen", 2)[:2]
        colors = dict(re.findall(r"(--[\w-]+): (#\w{6})", "".join(sheets[: 1 + is_night])))
        signs = re.findall(r"\.(\w+) \{ background: var\((--[\w-]+)\);", PAGE)
        assert {name for name, _color in signs} == {*SIGNS} - {""}
        for _name, color in signs:
            assert contrast(to_rgba(colors[color]), to_rgba(colors["--canvas"])) >= 3


def test_few_reviews_have_neither_tables_nor_graphs():
    few = replace(REPORT, scope=replace(REPORT.scope, reviews=62, days=20))
    text = page(few)
    check_page(text)
    assert f"<p>{why_no_table(few)}</p>" in text
    assert re.findall("<h2>(.*?)</h2>", text) == ["What was evaluated", "How this was made"]
    # The only table is the row accounting.
    assert re.findall("<table|<svg", text) == ["<table"]


class TestFigures:
    def test_figures_have_the_colors_of_the_page_by_day_and_by_night(self):
        text = page(made.report(made.graphs(REPORT.headline_algorithm or "")))
        start = text.index("<svg")
        drawing = text[start : text.index("</svg>", start)]
        assert not re.search(r"#[0-9a-f]{6}\b", drawing)
        assert "var(--data-1)" in drawing
        sheet = PAGE[: PAGE.index("</style>")]
        day, night = sheet.split("prefers-color-scheme: dark", 1)
        for part, style in ((day, LIGHT), (night, NIGHT)):
            assert all(f"--data-{number}: {color};" in part for number, color in enumerate(style.data, start=1))
        assert day.endswith("@media screen and ("), "print has the light colors"

    def test_each_group_has_a_tooltip_over_its_whole_column(self):
        groups = fake.result("FSRS-6").calibration[-2:]
        groups = tuple(replace(group, recalled=group.predicted, reviews=1956) for group in groups)
        report = replace(REPORT, results=(replace(fake.result("FSRS-6"), calibration=groups),))
        svg = str(drawing(graph(report, "calibration", ["FSRS-6"])))
        column = r'<rect x="([0-9.]+)" y="([0-9.]+)" width="([0-9.]+)" height="([0-9.]+)"><title>([^<]*)</title></rect>'
        first, second = re.findall(column, svg)[:2]
        assert matches_sentence(second[4], "said 99.2%, remembered 99.2%, 1,956 reviews")
        assert float(first[0]) + float(first[2]) == pytest.approx(float(second[0]), abs=0.11)
        assert first[1] == second[1]
        assert float(first[3]) > 200

    def test_texts_of_figures_are_text(self):
        assert f">{strings.CHART_Y}</text>" in PAGE
        assert "DejaVu" not in PAGE

    def test_figures_for_two_widths_have_distinct_names(self):
        reader = PageReader(str(drawing(graph(REPORT, "calibration", ["FSRS-6"]))))
        assert [attributes["class"] for attributes in reader.all("svg")] == ["wide", "narrow"]
        names = [attributes["id"] for _, attributes in reader.elements if "id" in attributes]
        assert len(names) == len(set(names))


class TestTables:
    @pytest.mark.parametrize(
        ("rows", "requested", "fold"),
        [
            (MAX_NARROW_ROWS, False, ""),
            (MAX_NARROW_ROWS + 1, False, '<details class="narrow-fold rows">'),
            (MAX_ROWS, False, '<details class="narrow-fold rows">'),
            (MAX_ROWS + 1, False, "<details>"),
            (3, True, "<details>"),
        ],
    )
    def test_long_tables_are_folded(self, rows, requested, fold):
        columns = (Column("Row", "What a row is.", number=False), Column("Number"))
        table = Table(columns, tuple((f"Row {row}", f"Cell {row}.0") for row in range(rows)))
        block = Block("rows", "", "A caption.", table, notes=("A note.",), details=("A detail.",), folded=requested)
        reader = PageReader(table_block(block))
        assert reader.words[-2:] == [DETAILS, "A detail."]
        assert {"What a row is.", "A note.", "A caption.", "Cell 2.0"} <= set(reader.words)
        folds = re.findall(f"(<details[^>]*>)<summary>{PAGE_TABLE_ROWS(rows)}", table_block(block))
        assert folds == [fold] * bool(fold)


def blocks_of(report: Report) -> List[Block]:
    return [block for name in NAMES for block in load(name).of(report)]


def test_missing_predictions_are_reported():
    snapshot = simulate(Learner(seed=3, days=60)).snapshot
    review_id = evaluate(snapshot, Options(("AVG",))).predictions.review_id[9:]
    external = ExternalPredictions("My model", review_id=review_id, predicted=np.full(len(review_id), 0.85))
    report = evaluate(snapshot, Options(("AVG", "SM-2"), external=(external,))).report
    assert f"The file has no prediction for 9 of the {len(review_id) + 9:,} tested reviews" in page(report)


class TestMarkup:
    def test_text_is_escaped_and_markup_is_not(self):
        assert element("p", "a < b & c", Html("<br>")) == "<p>a &lt; b &amp; c<br></p>"

    def test_attributes_are_escaped(self):
        cell = element("td", class_="number", title='say "x" & y', id="")
        assert cell == '<td class="number" title="say &quot;x&quot; &amp; y"></td>'
        assert element("meta", http_equiv="a") == '<meta http-equiv="a">'


@pytest.mark.parametrize(
    ("code", "titles"), [("ja", ("予測と実際", "復習、除外")), ("zh-CN", ("预测与实际", "复习“排除”"))]
)
def test_page_names_its_language(code, titles, monkeypatch):
    monkeypatch.setattr("ui.text._Language.code", code)
    reader = PageReader(ui.page._document(REPORT, Html(""), [(title, element("p", title)) for title in titles], ""))
    assert ("html", {"lang": code}) in reader.elements
    links = [attributes["href"] for tag, attributes in reader.elements if tag == "a"]
    positions = [attributes.get("id") for tag, attributes in reader.elements if tag == "section"]
    assert links == [f"#{index}" for index in positions]
    assert len(set(links)) == len(titles)
    assert all(len(link or "") > 4 for link in links)
