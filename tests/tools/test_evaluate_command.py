from __future__ import annotations

import contextlib
import csv
import json
import os
import pty
import re
import subprocess
import sys
from dataclasses import replace
from unittest.mock import Mock

import pytest
from sentence_matching import contains_sentence

from evaluator.algorithms.fsrs6 import FSRS6
from evaluator.sections import SECTIONS
from tools import commands
from tools.environment import ROOT
from ui.views.labels import row_label
from ui.views.scope_sentences import TABLES

QUICK = ("--algorithms", "AVG,SM-2")


def test_json_on_standard_output_is_pure_and_follows_the_options(run_here, files, simulation):
    options = ("--folds", 3, "--since", "2024-05-20", "--json", "-")
    done = run_here("evaluate", files.collection, *QUICK, *options)
    assert done.returncode == 0
    report = json.loads(done.stdout)
    assert "Log loss" in done.stderr
    assert (report["scope"]["folds"], report["scope"]["since"]) == (3, "2024-05-20")
    assert report["scope"]["first_day"] >= "2024-05-20"
    assert {"version", "scope", "funnel", "results", "timing"} <= set(report)
    assert sum(step["rows"] for step in report["funnel"]) == len(simulation.revlog)
    for result in report["results"]:
        assert {"algorithm", "size", "log_loss", "rmse_bins", "rmse_bins_benchmark", "auc", "brier"} <= set(result)
    assert "reading" in report["timing"]


def test_parameters_are_rows_of_their_own(run_here, files):
    published = [parameter.default for parameter in FSRS6.parameters]
    numbers = ", ".join(map(str, [*published[:7], 250, *published[8:]]))
    given = ("--parameters", f"For\x07um={numbers}", "--parameters", str(published))
    done = run_here("evaluate", files.collection, "--algorithms", "AVG,FSRS-6 default", *given, "--json", "-")
    assert done.returncode == 0
    assert "For\N{REPLACEMENT CHARACTER}um: 1 of 21 out of bounds and clipped: w7 (250 -> 0.75).\n" in done.stderr
    rows = {row["algorithm"]: row for row in json.loads(done.stdout)["results"]}
    assert set(rows) == {"AVG", "FSRS-6 default", "For\x07um", "Pasted"}
    assert rows["For\x07um"]["parameters_per_fold"][0][7] == 0.75
    assert rows["Pasted"]["log_loss"] == rows["FSRS-6 default"]["log_loss"] != rows["For\x07um"]["log_loss"]
    assert (rows["For\x07um"]["in_sample"], rows["Pasted"]["in_sample"]) == (True, False)
    assert (rows["For\x07um"]["clipped"], rows["Pasted"]["clipped"]) == ({"For\x07um": 1}, {})


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        (f"FSRS-6 (default)={', '.join(['0.5'] * 21)}", "A row cannot be named 'FSRS-6 (default)'."),
        (
            "Forum=1, 2, 3",
            "'Forum' has the wrong number of parameters: 3. FSRS-7 has 34, FSRS-6 21, FSRS-5 19 and FSRS-4.5 17.",
        ),
    ],
)
def test_bad_parameters_are_refused(parameters, sentence, run_here, files):
    done = run_here("evaluate", files.collection, "--parameters", parameters)
    assert done.returncode == 2
    assert contains_sentence(done.stderr, sentence)


def test_section_that_fails_is_the_only_one_that_is_missing(run_here, files, tmp_path, monkeypatch):
    for key in ("parameters", "graphs"):
        failing = replace(SECTIONS[key], compute=Mock(side_effect=TypeError(key)))
        monkeypatch.setitem(SECTIONS, key, failing)
    page = tmp_path / "r.html"
    file = tmp_path / "r.json"
    done = run_here("evaluate", files.csv, *QUICK, "--sections", "quick", "--html", page, "--json", file)
    assert (done.returncode, done.stderr) == (0, "")
    for text in (done.stdout, page.read_text()):
        failed = re.findall(r"could not be calculated: TypeError: (\w+)", " ".join(text.split()))
        assert sorted(failed) == ["graphs", "parameters"]
        assert f"Against {row_label('AVG')}" in text
    assert "<svg" in page.read_text()
    report = json.loads(file.read_text())
    assert (report["parameters"]["code"], report["graphs"]["code"]) == ("mistake", "mistake")


def test_all_files_are_complete(run_here, files, tmp_path, few_graphs):
    report = tmp_path / "r.json"
    predictions = tmp_path / "p.csv"
    charts = tmp_path / "new" / "charts"
    done = run_here(
        "evaluate", files.csv_gz, "--cards", files.cards, "--next-day-at", 1_700_000_000, *QUICK,
        "--json", report, "--predictions", predictions, "--charts", charts,
    )  # fmt: skip
    assert done.returncode == 0
    size = json.loads(report.read_text())["results"][0]["size"]
    rows = list(csv.reader(predictions.read_text().splitlines()))
    assert rows[0] == ["review_id", "card_id", "elapsed_days", "fold", "recalled", "AVG", "SM-2"]
    assert len(rows) == size + 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "p.csv", "r.json"]
    assert {path.suffix for path in charts.iterdir()} == {".png"}


def test_graphs_are_of_the_headlines_algorithm_or_of_all(run_here, files, tmp_path, few_graphs):
    graphs = {}
    for choice in ("main", "all"):
        page = tmp_path / f"{choice}.html"
        charts = tmp_path / choice
        done = run_here(
            "evaluate", files.collection, *QUICK,
            "--html", page, "--charts", charts, *(["--graphs", "all"] if choice == "all" else []),
        )  # fmt: skip
        assert done.returncode == 0
        graphs[choice] = {path.stem for path in charts.iterdir()}
        assert page.read_text(encoding="utf-8").count("<figure>") == len(graphs[choice])
    assert graphs["main"] < graphs["all"]
    assert {"interval-avg", "interval-sm-2"} <= graphs["all"]
    assert len(graphs["main"] & {"interval-avg", "interval-sm-2"}) == 1
    assert run_here("evaluate", files.collection, *QUICK, "--graphs", "some").returncode == 2
    assert "only together with --html or --charts" in run_here("evaluate", files.collection, "--graphs", "all").stderr


def test_progress_is_shown_on_terminals_only_and_erased(files):
    terminal, program_side = pty.openpty()
    command = [sys.executable, "tools", "evaluate", str(files.collection), *QUICK]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=program_side) as process:
        os.close(program_side)
        written = bytearray()
        with contextlib.suppress(OSError):  # the other side is closed
            while True:
                written += os.read(terminal, 4096)
    os.close(terminal)
    output = written.decode()
    assert output.count("\x1b[?25l") == output.count("\x1b[?25h"), "the cursor is shown again"
    output = re.sub(r"\x1b\[\?25[hl]", "", output)
    assert process.returncode == 0
    for phrase in ("Reading", "SM-2 (1987) ", "%"):
        assert phrase in output
    assert "fold" not in output
    assert output.count("\n") == output.count("\x1b[1A\x1b[2K"), "every line is erased"
    assert output.endswith("\r\x1b[1A\x1b[2K")


@pytest.mark.parametrize("arguments", [(), ("--help",)])
def test_help_lists_all_commands(arguments, run_tools):
    done = run_tools(*arguments)
    assert done.returncode == 0
    assert all(command.name in done.stdout for command in commands.COMMANDS)


def test_unknown_command_lists_the_commands(run_here):
    done = run_here("evalute")
    assert done.returncode == 2
    assert "Unknown command: evalute. Did you mean evaluate?" in done.stderr
    assert "demo" in done.stderr
    assert run_here("\x1b[31mred\nx").stderr.startswith("Unknown command: \N{REPLACEMENT CHARACTER}[31mred x.\n")


def test_home_folder_in_quotes_is_found(run_here, files, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(files.collection.parent))
    done = run_here("evaluate", f"~/{files.collection.name}", *QUICK)
    assert (done.returncode, done.stderr) == (0, "")


class TestTables:
    def test_both_tables_follow_one_another(self, run_here, files, tmp_path, few_graphs):
        names = {"--json": "r.json", "--predictions": "p.csv", "--html": "page.html", "--charts": "graphs"}
        outputs = [word for option, name in names.items() for word in (option, tmp_path / name)]
        done = run_here("evaluate", files.collection, *QUICK, "--table", "both", *outputs)
        assert done.returncode == 0
        first, second = (done.stdout.index(TABLES[table]) for table in ("whole-day", "same-day"))
        assert done.stdout.index("Log loss") > first
        assert done.stdout.rindex("Log loss") > second > done.stdout.index("Log loss")
        expected = {*names.values(), "r.same-day.json", "p.same-day.csv", "page.same-day.html", "graphs.same-day"}
        assert {path.name for path in tmp_path.iterdir()} == expected
        whole_day, same_day = (json.loads((tmp_path / name).read_text()) for name in ("r.json", "r.same-day.json"))
        assert (whole_day["scope"]["table"], same_day["scope"]["table"]) == ("whole-day", "same-day")
        assert whole_day["results"][0]["size"] < same_day["results"][0]["size"] == same_day["scope"]["reviews"]
        single = json.loads(run_here("evaluate", files.collection, *QUICK, "--json", "-").stdout)
        assert [row["log_loss"] for row in single["results"]] == [row["log_loss"] for row in whole_day["results"]]
        pages = [(tmp_path / name).read_text(encoding="utf-8") for name in ("page.html", "page.same-day.html")]
        assert ["same-day ones too, with exact times" in page for page in pages] == [False, True]

    def test_second_table_is_shown_if_the_first_is_impossible(self, run_here, tmp_path):
        log = tmp_path / "one_day.csv"
        rows = [
            (1_600_000_000_000 + 60_000 * (20 * step + card), card, 1 if step == 1 and card % 2 else 3)
            for card in range(20)
            for step in range(3)
        ]
        lines = [f"{moment},{card},{button},1,1,2500,5000,0" for moment, card, button in rows]
        log.write_text("\n".join(["id,cid,ease,ivl,lastIvl,factor,time,type", *lines]) + "\n")
        done = run_here("evaluate", log, *QUICK, "--table", "both", "--next-day-at", 1_600_056_000)
        assert done.returncode == 2
        assert "All 60 reviews were done on one day" in done.stderr
        assert "40 of the reviews are same-day reviews" in done.stderr
        assert "--table" not in done.stderr
        assert "of your reviews can be used" in done.stdout
        assert "give --table same-day" in run_here("evaluate", log, *QUICK).stderr
        alone = run_here("evaluate", log, *QUICK, "--table", "same-day")
        assert alone.returncode == 0
        assert TABLES["same-day"] in " ".join(alone.stdout.split())

    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            (("--table", "same-day", "--no-same-day"), "Allowed: whole-day if --no-same-day is given."),
            (("--table", "both", "--no-same-day"), "Allowed: whole-day if --no-same-day is given."),
            (("--table", "both", "--json", "-"), "--json cannot be '-'. Allowed: a file, as there are two tables."),
            (("--table", "both", "--json", "r.json", "--predictions", "r.same-day.json"), "another file than --"),
            (("--table", "monthly"), "Argument --table: invalid choice: 'monthly'"),
        ],
    )
    def test_conflicting_options_are_refused_first(self, run_here, files, tmp_path, monkeypatch, options, expected):
        monkeypatch.chdir(tmp_path)
        done = run_here("evaluate", files.collection, *QUICK, *options)
        assert done.returncode == 2
        assert done.stdout == ""
        assert expected in done.stderr
        assert list(tmp_path.iterdir()) == []
