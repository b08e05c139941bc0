from __future__ import annotations

import json

from made_results import line, original_line, simulated_lines, write_lines

from tools.benchmark.results_format import METRICS
from tools.commands import run
from tools.summarize import figures


def test_all_files_are_written_and_equal_each_time(tmp_path, capsys, monkeypatch):
    ours = write_lines(tmp_path / "results.jsonl", [line(f"user_id={n}", "FSRS-6", 0.3 + n / 99) for n in range(25)])
    theirs = tmp_path / "result"
    theirs.mkdir()
    write_lines(theirs / "FSRS-6.jsonl", [original_line(n, 0.31 + n / 98) for n in range(25)])
    monkeypatch.setattr(figures, "METRICS", METRICS[:1])
    written = []
    for name in ("first", "second"):
        assert run(["summarize", str(ours), f"published={theirs}", "--out", str(tmp_path / name)]) == 0
        written.append({file.name: file.read_bytes() for file in (tmp_path / name).iterdir()})
    assert written[1] == written[0]
    metrics = ("", "-rmse-bins-benchmark", "-auc")
    drawn = [
        *(f"{kind}{by}" for kind in ("superiority", "wilcoxon") for by in metrics),
        f"{METRICS[0].replace('_', '-')}-distribution",
    ]
    texts = {"summary.md", "summary.json", "means.csv", "pairs.csv", "failures.csv"}
    assert set(written[0]) == texts | {f"{name}.{ending}" for name in drawn for ending in ("png", "svg")}
    assert written[0]["superiority.png"].startswith(b"\x89PNG")
    assert json.loads(written[0]["summary.json"])["rows"][1]["algorithm"] == "FSRS-6 (published)"
    printed = capsys.readouterr().out
    assert "| FSRS-6 (published) |" in printed
    assert "summary.md" in printed


def test_algorithms_can_be_left_out(tmp_path, capsys):
    file = write_lines(tmp_path / "results.jsonl", simulated_lines(["X", "Y", "Z"], 5))
    assert run(["summarize", str(file), "--without", "x,Z"]) == 0
    printed = capsys.readouterr().out
    assert "| Y " in printed
    assert "| X " not in printed
    assert "| Z " not in printed
    assert run(["summarize", str(file), "--without", "X,Y,Z"]) == 2
    assert capsys.readouterr() == ("", "--without leaves out all algorithms. Leave out fewer.\n")
    assert run(["summarize", str(file), "--without", "W"]) == 2
    assert capsys.readouterr().err == "There are no results of 'W', only of X, Y, Z.\n"


def test_output_below_a_file_is_refused(tmp_path, capsys):
    file = write_lines(tmp_path / "results.jsonl", simulated_lines(["X"], 5))
    assert run(["summarize", str(file), "--out", str(file / "there")]) == 2
    assert f"--out cannot be '{file / 'there'}'. Allowed: " in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["results.jsonl"]


def test_endless_names_are_shortened(tmp_path, capsys):
    name = "x" * 5000
    long = write_lines(tmp_path / "long.jsonl", [line("0", "A", 0.3), line("1", name, 0.3)])
    other = write_lines(tmp_path / "other.jsonl", [line("0", name, 0.3)])
    for arguments in ([], ["--without", f"{name}y"], [str(other)]):
        assert run(["summarize", str(long), *arguments]) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        assert len(err) < 1000


def test_both_tables_follow_one_another(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(figures, "METRICS", METRICS[:1])
    for table, names in (("whole-day", ["X", "Y"]), ("same-day", ["X", "Z"])):
        trees = simulated_lines(names, 5)
        write_lines(tmp_path / f"results.{table}.jsonl", [{**tree, "options": {"table": table}} for tree in trees])
    assert run(["summarize", str(tmp_path), "--out", str(tmp_path / "out")]) == 0
    first, _, second = capsys.readouterr().out.partition("Every review but a card's first")
    assert [[name for name in "YZ" if f"| {name} " in table] for table in (first, second)] == [["Y"], ["Z"]]
    files = {file.name for file in (tmp_path / "out").iterdir()}
    whole = {name for name in files if ".same-day." not in name}
    assert {name.replace(".same-day.", ".") for name in files - whole} == whole >= {"summary.md", "superiority.svg"}
    summary = json.loads((tmp_path / "out" / "summary.same-day.json").read_text())
    assert (summary["table"], [row["algorithm"] for row in summary["rows"]]) == ("same-day", ["X", "Z"])
