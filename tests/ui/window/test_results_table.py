from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import List
from unittest.mock import Mock

import fake
import pytest
from aqt import colors
from aqt.qt import QItemSelectionModel, QPalette, QPoint, Qt
from aqt.theme import theme_manager
from made_findings import finding
from matplotlib.colors import to_rgba
from sentence_matching import contains_sentence, matches_sentence
from wcag import contrast

from evaluator.algorithms import CATALOG
from ui.views import results_table_cells
from ui.views.labels import row_label
from ui.views.metric_views import USUAL
from ui.window.results_table import ResultsTable
from ui.window.results_widget import ResultsWidget

LOG_LOSS, RMSE, AUC = (1 + USUAL.index(key) for key in ("log_loss", "rmse_bins_benchmark", "auc"))


@pytest.fixture
def table(qtbot):
    table = ResultsTable()
    qtbot.addWidget(table)
    return table


@pytest.fixture
def failed(table):
    """A table in which two of the algorithms have failed."""
    table.show_report(fake.report(failed=("FSRS-5", "SM-2")))
    return table


def selected_names(table: ResultsTable) -> List[str]:
    """Return the algorithms that the table reports as selected."""
    return [row.algorithm for row in table.selected()]


def highlighted_names(table: ResultsTable) -> List[str]:
    """Return the algorithms in Qt's selection, from the top."""
    rows = sorted(index.row() for index in table.selectionModel().selectedRows())
    return [table.rows[row].algorithm for row in rows]


@pytest.mark.parametrize(("number", "metric"), [(LOG_LOSS, "log_loss"), (RMSE, "rmse_bins"), (AUC, "auc")])
@pytest.mark.parametrize("direction", list(Qt.SortOrder))
def test_missing_values_are_sorted_last(failed, number, metric, direction):
    """Values are sorted as numbers, so that 10% comes after 9%."""
    failed.horizontalHeader().setSortIndicator(number, direction)
    values = [row.result.value(metric) for row in failed.rows]
    numbers = [value for value in values if value is not None]
    assert values == numbers + [None] * (len(values) - len(numbers))
    assert numbers == sorted(numbers, reverse=direction == Qt.SortOrder.DescendingOrder)


def test_best_and_baseline_are_marked_by_more_than_color(table):
    table.show_report(fake.report())
    cells = [table.item(row, 0) for row in range(table.rowCount())]
    assert [cells[0].font().bold(), cells[1].font().bold()] == [True, False]
    assert [table.item(0, column).font().bold() for column in range(3)] == [True, True, False]
    texts = [cell.data(Qt.ItemDataRole.AccessibleTextRole) for cell in cells]
    assert texts[:3] == ["FSRS-6 recency", row_label("FSRS-6"), "FSRS-5"]
    descriptions = [cell.data(Qt.ItemDataRole.AccessibleDescriptionRole) for cell in cells]
    assert contains_sentence(descriptions[0], "The lowest log loss on these reviews.")
    assert contains_sentence(descriptions[1], "★ the best, or too close to call on these reviews.")
    assert contains_sentence(descriptions[-1], "The baseline: the others are compared with it.")
    assert cells[-1].text().strip() == row_label("SM-2")


def test_no_row_is_bold_before_all_algorithms_are_finished(table):
    table.show_report(replace(fake.report(), unfinished=("FSRS-7",)))
    assert not any(table.item(row, 0).font().bold() for row in range(table.rowCount()))


def test_star_marks_best_and_ties(table):
    for report, starred, legend in (
        (fake.report(fake.NAMES[:6]), [], []),
        # On too few days, the lowest log loss may be due to chance.
        (replace(fake.report(), best_set=()), [], []),
        (replace(fake.report(), best_set=("FSRS-6", "SM-2")), ["FSRS-6", "SM-2"], [results_table_cells.LEGEND["★"]]),
    ):
        table.show_report(report)
        names = [table.item(row, 0).text().strip() for row in range(table.rowCount())]
        assert [name for name in names if "★" in name] == [f"★ {row_label(name)}" for name in starred]
        assert results_table_cells.legend(table.rows) == legend


def test_tooltips_explain_the_numbers(failed):
    row = [row.algorithm for row in failed.rows].index("FSRS-6")
    tips = [failed.item(row, number).toolTip() for number in (0, LOG_LOSS, RMSE, AUC)]
    tips = [tip.replace("\N{NO-BREAK SPACE}", " ") for tip in tips]
    assert contains_sentence(tips[1], "Its log loss is 7.4% lower than that of guessing your average so far")
    assert contains_sentence(tips[2], "FSRS-6\nOn these reviews, chance alone would give even a perfect algorithm")
    assert contains_sentence(tips[0], "FSRS-6\nFSRS-6 (2025), trained on your earlier reviews.\nFamily: FSRS.")
    assert contains_sentence(tips[0], "21 trained parameters. Uses intervals, ratings, same-day reviews.")
    assert tips[0] == tips[3]


def test_failed_rows_say_why(failed):
    last = failed.rowCount() - 1
    assert contains_sentence(failed.item(last, LOG_LOSS).text(), "no result: The fit did not settle")
    assert "did not settle" in failed.item(last, 0).toolTip()
    failed.choose(["SM-2", "AVG"])
    comparison = Mock(table=failed)
    ResultsWidget._draw_selected(Mock(comparison=comparison))
    comparison.panel.show_algorithms.assert_called_once_with(
        ["AVG"],
        reason="SM-2 (1987) could not be evaluated, so there is no graph: The fit did not settle within 100 steps.",
    )


def test_headers_show_which_direction_is_better(table):
    for number, word in ((LOG_LOSS, "low"), (RMSE, "low"), (AUC, "high")):
        header = table.horizontalHeaderItem(number)
        assert f"{word.capitalize()}er is better" in header.text().replace("\n", " ")
        assert contains_sentence(header.toolTip(), f"{word.capitalize()}er is better.")


@pytest.mark.parametrize(("number", "metric"), [(LOG_LOSS, "log_loss"), (AUC, "auc")])
def test_first_click_on_a_header_sorts_best_first(table, qtbot, number, metric):
    table.resize(900, 300)
    table.show()
    table.show_report(fake.report())
    header = table.horizontalHeader()
    header.setSortIndicator(0, Qt.SortOrder.AscendingOrder)
    position = QPoint(header.sectionViewportPosition(number) + 30, 5)
    best_first = sorted(filter(None, (row.value(metric) for row in fake.report().results)), reverse=number == AUC)
    for expected in (best_first[0], best_first[-1]):
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=position)
        assert table.rows[0].result.value(metric) == expected


def test_selection_stays_while_rows_are_added(table):
    table.show_report(fake.report(fake.NAMES[:2]))
    assert selected_names(table) == ["AVG"]
    table.choose(["SM-2"])
    for count in range(3, len(fake.NAMES) + 1):
        table.show_report(fake.report(fake.NAMES[:count]))
        assert selected_names(table) == ["SM-2"]
        assert highlighted_names(table) == ["SM-2"]
    assert [row.algorithm for row in table.rows] == [row.algorithm for row in fake.report().results]


def test_headline_algorithm_is_selected_until_user_chooses(table):
    expected = {1: "AVG", 2: "AVG", len(fake.NAMES): "FSRS-6"}
    for count, name in expected.items():
        table.show_report(fake.report(fake.NAMES[:count]))
        assert selected_names(table) == [name]
    assert highlighted_names(table) == ["FSRS-6"]
    assert fake.report().best == "FSRS-6 recency"
    table.show_report(replace(fake.report(), findings=(finding(algorithm="FSRS-5"),)))
    assert selected_names(table) == ["FSRS-5"]
    table.show_report(fake.report(failed=["FSRS-6"]))
    assert selected_names(table) == ["FSRS-6 recency"]


def test_two_rows_at_most_are_selected(table):
    table.show_report(fake.report())
    table.choose([])
    selection = table.selectionModel()
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for row in (1, 3, 5):
        selection.select(table.model().index(row, 0), flags)
    names = [row.algorithm for row in table.rows]
    assert selected_names(table) == highlighted_names(table) == [names[3], names[5]]


@pytest.mark.parametrize(
    ("names", "selected"),
    [
        ([None, "AVG", "SM-2", "Your parameters"], ["AVG", "SM-2"]),
        ([None, "SM-2", "Your parameters"], ["FSRS-6", "SM-2"]),
        ([None, "SM-2", "AVG", "FSRS-6"], ["AVG", "FSRS-6"]),
        ([None, "FSRS-6", "Your parameters"], ["FSRS-6"]),
        ([None, "AVG", "SM-2", "FSRS-5"], ["SM-2", "FSRS-5"]),
    ],
)
def test_last_two_of_the_chosen_rows_are_selected_or_the_last_and_the_headlines(names, selected, table):
    table.choose(names)
    table.show_report(fake.report())
    assert selected_names(table) == selected
    assert sorted(highlighted_names(table)) == sorted(selected)


def test_clearing_keeps_the_choices(table):
    table.show_report(fake.report())
    table.choose(["FSRS-6", "SM-2"])
    table.empty()
    assert not table.rows
    table.show_report(fake.report(fake.NAMES[:2]))
    table.show_report(fake.report())
    assert selected_names(table) == ["FSRS-6", "SM-2"]


def test_new_row_keeps_scroll_position(table):
    table.resize(500, 300)
    table.show()
    table.show_report(fake.report(fake.MANY[:-1]))
    # The scroll bar has its range once the table is laid out.
    table.grab()
    bar = table.verticalScrollBar()
    assert bar.maximum() > 333
    bar.setValue(333)
    table.show_report(fake.report(fake.MANY))
    table.grab()
    assert bar.value() == 333


@pytest.mark.parametrize("direction", list(Qt.SortOrder))
@pytest.mark.parametrize("column", [0, LOG_LOSS, AUC])
def test_own_row_is_first_and_set_apart(table, column, direction):
    table.show_report(fake.report(fake.MANY, failed=("SM-2",)))
    table.horizontalHeader().setSortIndicator(column, direction)
    for show_more in (False, True):
        table.show_more(show_more)
        assert [item.algorithm for item in table.rows if item.mark == "†"] == [table.rows[0].algorithm]
        image = table.viewport().grab().toImage()
        line = table.rowViewportPosition(1) - 1
        assert image.pixelColor(1, line) == table.palette().color(QPalette.ColorRole.Text)
        cell = table.item(0, 0)
        reason = "may have been fitted to these reviews, and then looks better than it is"
        assert cell.text().split() == ["†", "Your", "parameters"]
        assert cell.data(Qt.ItemDataRole.AccessibleTextRole) == "Your parameters"
        assert contains_sentence(cell.toolTip(), f"† {reason}")
        assert cell.data(Qt.ItemDataRole.AccessibleDescriptionRole) == cell.toolTip()
        assert contains_sentence(results_table_cells.legend(table.rows), f"† {reason}")
        for write in (results_table_cells.as_text, results_table_cells.as_markdown):
            text = write(table.rows, table.metrics)
            assert "Your parameters †" in text
            assert contains_sentence(text, f"\n† {reason}.")


def test_default_parameters_are_labeled_as_such(table):
    own_row = replace(fake.result("Your parameters"), in_sample=False, note="published")
    report = replace(fake.report(), results=(*fake.report().results, own_row))
    table.show_report(report)
    assert [row.label for row in table.rows if row.algorithm == "Your parameters"] == ["Your parameters (default)"]
    note = "your presets still hold the defaults, so the numbers are those of FSRS-6 (default)."
    assert matches_sentence(results_table_cells.notes(table.rows), f"Your parameters (default): {note}")
    assert row_label("Your parameters", report) == "Your parameters (default)"
    assert row_label("Your parameters", fake.report()) == "Your parameters"


def test_tooltips_say_how_intervals_became_probabilities():
    tips = {row.algorithm: row.tip for row in results_table_cells.rows(fake.report(fake.MANY))}
    assert {name for name, tip in tips.items() if "no probability" in tip} == {
        name for name in fake.MANY if CATALOG[name].family in {"SM-2", "Memrise"}
    }
    assert contains_sentence(tips["Anki-SM-2"], "Its interval is the time until recall falls to 90%.")
    assert "adjusted to your earlier reviews" in tips["Anki-SM-2 calibrated"]


def test_names_are_never_cut(table):
    table.show()
    for show_more, names in itertools.product((False, True), (fake.NAMES, fake.MANY)):
        table.show_report(fake.report(names))
        table.show_more(show_more)
        for width in (400, 700, 1600):
            table.resize(width, 300)
            assert table.columnWidth(0) >= table.sizeHintForColumn(0)
        assert sum(map(table.columnWidth, range(table.columnCount()))) == table.viewport().width()


def test_more_numbers_have_no_empty_column(table):
    report = fake.report()
    results = tuple(replace(row, metrics={**row.metrics, "smece": None}) for row in report.results)
    table.show_report(replace(report, results=results))
    table.show_more(True)
    assert "rmse_bins" in table.metrics
    assert "smece" not in table.metrics


def test_table_can_be_copied_as_text_and_markdown():
    rows = results_table_cells.rows(fake.report(failed=("FSRS-5",)))
    lines = results_table_cells.as_text(rows, USUAL).splitlines()
    header, best = (
        [cells[column] for column in (0, LOG_LOSS, RMSE, AUC)] for cells in (line.split("\t") for line in lines[:2])
    )
    assert matches_sentence(header, ["Algorithm", "Log loss", "RMSE (bins)", "AUC"])
    assert best == ["FSRS-6 recency", "0.3745", "2.97%", "0.707"]
    (average,) = (line.split("\t") for line in lines if line.startswith(row_label("AVG")))
    assert average[AUC] == "–"
    assert "no result" in lines[-1].split("\t")[1]
    markdown = results_table_cells.as_markdown(rows, USUAL).splitlines()
    assert markdown[1] == "| --- |" + " ---: |" * len(USUAL)
    assert markdown[2].startswith("| **FSRS-6 recency** |")
    assert len({line.count("|") for line in markdown}) == 1


@pytest.mark.parametrize("is_night", [False, True])
def test_edge_of_selected_row_stands_out(is_night, monkeypatch, qapp):
    monkeypatch.setattr(theme_manager, "night_mode", is_night)
    table = ResultsTable()
    (edge,) = re.findall(r"item:selected \{ border: 1px solid (#\w+)", table.styleSheet())
    canvas = theme_manager.qcolor(colors.CANVAS_CODE).name()
    assert contrast(to_rgba(edge), to_rgba(canvas)) >= 3
