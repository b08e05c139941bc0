from __future__ import annotations

import io
from dataclasses import replace
from itertools import starmap

import pytest
from sentence_matching import contains_sentence, matches_sentence

from evaluator.metrics import METRICS
from evaluator.report import AlgorithmResult, Failure, Report, RowCount, SampleSize, Scope, Verdict
from tools.output import table
from tools.output.table import render, render_sections
from tools.output.terminal import TABLE_WIDTH, WIDTH, format_columns, grid
from ui.views import load
from ui.views.finding_rows import ListRow
from ui.views.first_screen import FirstScreen
from ui.views.view import Block

SCOPE = Scope(
    reviews=1234, cards=1, days=90, first_day="2024-01-01", last_day="2024-03-30", recalled=0.875, folds=5,
    since=None, day_cutoff=1_711_936_800, utc_offset_minutes=-210, rollover_hour=3, day_cutoff_assumed=False,
)  # fmt: skip

STEPS = (("cram", "left_out", 12), ("outlier", "left_out", 0), ("scored", "scored", 1234))

UNSETTLED = Failure("arithmetic", {"detail": "its fit did not settle."})


def result(name: str, log_loss: float | None, **fields: object) -> AlgorithmResult:
    metrics = {key: fields.pop(key) for key in METRICS if key in fields}
    if log_loss is not None:
        metrics = {"rmse_bins": 0.0325, "rmse_bins_benchmark": 0.1, "auc": None, **metrics}
    return AlgorithmResult(
        name, "family", "description", False, 0, ("ratings",), 1234, log_loss, metrics=metrics, **fields
    )


def report(**changes: object) -> Report:
    values = {
        "software": "SRS Evaluator",
        "scope": SCOPE,
        "funnel": tuple(starmap(RowCount, STEPS)),
        "baseline": "SM-2",
        "best": "FSRS-6",
        "results": (result("FSRS-6", 0.31234, auc=0.7), result("SM-2", 0.5), result("FSRS-5", None, error=UNSETTLED)),
        "verdict": Verdict("no_pair", "FSRS-6", None, SampleSize(1234, 40, 40)),
        **changes,
    }
    return Report(**values)


def test_table_has_the_results_and_what_was_tested():
    expected = """\
        Results: one row for each algorithm

        Algorithm             Log loss  RMSE (bins)    AUC
        --------------------------------------------------
          FSRS-6 (as in the benchmark)  0.3123      10.00%  0.700
          SM-2 (1987)           0.5000      10.00%      –
          FSRS-5                     –            –      –

        Lower is better, except for AUC.
        FSRS-5 could not be evaluated: its fit did not settle.

        Whole collection. Tested: 1,234 reviews of 1 card on 90 days from 2024-01-01 to 2024-03-30, 87.5%
        remembered.
    """
    assert matches_sentence(" ".join(render(report(), None).split()), " ".join(expected.split()))


def details(of_report: Report, section: str = "graphs") -> str:
    """Return what is shown with this section, which is empty."""
    return render_sections(replace(of_report, sections={section: ()}), [section], None, page=False)


def test_details_have_the_row_counts_and_the_method():
    text = details(report())
    assert "  12  cramming reviews" in text
    assert "1,234  tested reviews" in text
    assert "In each of 5 folds, algorithms were trained on earlier reviews only." in " ".join(text.split())


def test_empty_section_says_why():
    explanation = f"{load('population').title}\nNone of the algorithms that were run has anything"
    assert explanation in details(report(), "population")


def test_failure_in_code_points_to_traceback():
    mistake = Failure("mistake", {"detail": "TypeError: no such thing (own.py:5)"})
    rows = [result(name, None, error=mistake) for name in ("FSRS-5", "FSRS-6")]
    assert render(report(results=rows), None).count("--traceback shows where in the code.") == 1
    assert "--traceback" not in render(report(), None)


@pytest.mark.parametrize(("no_color", "start"), [("", "\x1b[1m! Law is off.\x1b[0m"), ("1", "! Law is off.")])
def test_headline_is_bold_on_terminals_with_color(no_color, start, monkeypatch):
    screen = FirstScreen("warning", "Law is off.", "When it said 90%, you remembered 86%.", "Optimize Law.")
    monkeypatch.setattr(table, "first_screen", lambda _report: screen)
    for name, value in (("TERM", "xterm"), ("COLUMNS", "80"), ("NO_COLOR", no_color)):
        monkeypatch.setenv(name, value)
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    expected = [start, "", "When it said 90%, you remembered 86%.", "Optimize Law."]
    assert render(report(), terminal).splitlines()[:4] == expected


def test_rows_too_close_to_the_best_are_marked():
    best = result("FSRS-6", 0.31, rmse_bins_benchmark_floor=0.02, rmse_bins_benchmark_excess=0.0256)
    rows = (best, result("FSRS-5", 0.311), result("SM-2", 0.5))
    tied = report(results=rows, best_set=("FSRS-6", "FSRS-5"))
    text = render(tied, None).replace("\N{NO-BREAK SPACE}", " ")
    assert [line[:10] for line in text.splitlines()[4:7]] == ["* FSRS-6 (", "* FSRS-5  ", "  SM-2 (19"]
    assert contains_sentence(text, "\n* the best, or too close to call on these reviews. Lower is better")
    assert "chance alone" not in text
    assert contains_sentence(details(tied), "On these reviews, chance alone would give even a perfect algorithm")


def test_list_of_presets_has_strips_on_one_scale(monkeypatch):
    monkeypatch.setattr(table, "first_screen", lambda _report: FirstScreen("warning", "Law is off."))
    rows = (
        ListRow(1, 0, "warning", "Law", "90%", "86%", (-0.06, -0.04, -0.005), "", "860", "optimize", 7, ""),
        ListRow(2, 1, "", "Deck Torts", "90%", "88%", (-0.1, -0.02, 0.06), "", "90", "", 7, ""),
        ListRow(3, 0, "", "Music", "80%", "–", None, "too few", "48", "nothing yet", 8, ""),
        ListRow(4, 0, "check", "Step 1", "90%", "90%", (-0.001, 0.001, 0.002), "", "9,120", "nothing", 9, ""),
    )
    monkeypatch.setattr(table, "list_rows", lambda _report: rows)
    expected = """\
! Law is off.

Preset          FSRS said  You remembered                         Tested  What to do
-------------------------------------------------------------------------------------
! Law                 90%             86%  ----[=*==]|----------     860  optimize
    Deck Torts        90%             88%  -[======*=|=====]----      90
  Music               80%               –  too few                    48  nothing yet
✓ Step 1              90%             90%  ---------[|*]--------   9,120  nothing
| what FSRS said, * what you remembered, [ ] its likely range
"""
    assert render(report(), None).startswith(expected)


def test_few_reviews_have_no_table():
    few = report(scope=replace(SCOPE, reviews=62, days=20))
    text = " ".join(render(few, None).split())
    assert "So far, 62 of your reviews can be used. Reviews at least one day after" in text
    assert "Come back after about 13 more days of reviewing." in text
    assert "Log loss" not in text + details(few)
    assert render_sections(few, [], None, page=False).strip() == "For details and more numbers: --sections quick."


class TestWideTables:
    HEADER = ("Algorithm", "Meaning", "A number with a long header", "Remark")
    ROWS = (("FSRS-6 default (wiki)", "word " * 20, "1,234,567.8", "x " * 20), ("SM-2", "short", "2", ""))

    def lines(self, rows: tuple[tuple[str, ...], ...] = ROWS) -> list[str]:
        return format_columns([grid(self.HEADER, rows, {2})], None).splitlines()

    def test_numbers_are_right_aligned_with_their_header(self):
        lines = self.lines()
        (rule,) = (index for index, line in enumerate(lines) if set(line) == {"-"})
        end = lines[rule + 1].index("1,234,567.8") + len("1,234,567.8")
        line = next(line for line in lines if line.startswith("SM-2"))
        assert (len(line), line[-1]) == (end, "2")
        assert lines[rule - 1].startswith("Algorithm")

    def test_block_without_rows_is_a_sentence(self):
        empty = Block("training", "When training pays", "Nothing was trained.")
        assert format_columns(table._block(empty), None) == "When training pays\nNothing was trained.\n"

    def test_word_that_does_not_fit_is_broken(self):
        lines = self.lines((("x" * 130, "short", "2", ""),))
        assert (max(map(len, lines)), "".join(lines).count("x")) == (TABLE_WIDTH, 130)


def test_algorithms_not_run_are_named():
    assert "Not run: FSRS-6 recency." in render(report(unfinished=("FSRS-6 recency",)), None)


def test_assumed_start_of_day_is_stated():
    scope = Scope(**{**vars(SCOPE), "utc_offset_minutes": None, "rollover_hour": 4, "day_cutoff_assumed": True})
    words = " ".join(render(report(scope=scope), None).split())
    assert contains_sentence(words, "Start of day unknown; 04:00 UTC was assumed.")


def test_own_row_is_first_and_set_apart_with_a_dagger():
    in_sample = result("Your parameters", 0.31, in_sample=True)
    mixed = report(results=(in_sample, result("Anki-SM-2 calibrated", 0.41), result("SM-2", 0.42)))
    first_screen = render(mixed, None)
    for text in (first_screen, details(mixed)):
        lines = text.splitlines()
        first_row = next(number for number, line in enumerate(lines) if "  0." in line)
        assert [line[:6] for line in lines[first_row : first_row + 4]] == ["† Your", "", "  Anki", "  SM-2"]
    legend = "† may have been fitted to these reviews, and then looks better than it is. Lower is better"
    assert contains_sentence(first_screen, legend)
    assert max(map(len, first_screen.splitlines())) <= WIDTH
    assert max(map(len, details(mixed).splitlines())) <= TABLE_WIDTH


def test_names_in_chinese_and_japanese_are_aligned():
    header = ("Deck", "n", "Note")
    sentence = "最近30天复习中“记住”的比例。"
    rows = [("日本語::漢字", "12", "x"), ("abc", "1", sentence * 4)]
    assert format_columns([grid(header, rows, {1})], None).splitlines() == [
        "Deck           n  Note",
        "-" * 120,
        "日本語::漢字  12  x",
        "abc            1  " + sentence * 3 + "最近30天复习中“记",
        "                  住”的比例。",
    ]
