from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from contextlib import nullcontext
from operator import itemgetter
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from anki.collection import Collection
from disturbed_runs import ALGORITHMS, wait_for_lines
from sentence_matching import contains_sentence
from waiting import is_running, wait_until

from evaluator import __version__
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.report.json_form import to_dict
from tools import commands, sources
from tools.benchmark import command
from tools.benchmark.results_format import METRICS
from ui.anki.optimizer import benchmark_trainer
from ui.text import strings
from ui.views.scope_sentences import TABLES


def sorted_lines(path: Path) -> list[str]:
    return sorted(path.read_text().splitlines())


def parsed_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in sorted_lines(path)]


def lines_of_average(lines: Iterable[dict]) -> list[dict]:
    """Return the lines of AVG, sorted by collection."""
    return sorted((line for line in lines if line["algorithm"] == "AVG"), key=itemgetter("collection"))


def test_line_has_the_numbers_of_the_evaluation(collections, expected_lines):
    result = {(line["collection"], line["algorithm"]): line for line in map(json.loads, expected_lines)}
    names = sorted(path.relative_to(collections).as_posix() for path in collections.rglob("*.anki2"))
    assert len(result) == len(expected_lines)
    assert sorted(result) == sorted((name, algorithm) for name in names for algorithm in ALGORITHMS.split(","))
    for name in (names[0], names[-1]):
        options = Options(algorithms=tuple(ALGORITHMS.split(",")))
        report = evaluate(sources.read(collections / name), options, optimizer=benchmark_trainer()).report
        for row in to_dict(report)["results"]:
            assert result[name, row["algorithm"]] == {
                "collection": name,
                "algorithm": row["algorithm"],
                "reviews": row["size"],
                "metrics": {key: row[key] for key in METRICS},
                "parameters": row["parameter_count"],
                "inputs": [strings.USES[code] for code in row["uses"]],
                "in_sample": row["in_sample"],
                "version": __version__,
                "options": {
                    "table": "whole-day", "folds": 5, "since": None, "same_day": True, "outlier_filter": True,
                    "next_day_at": None,
                },
            }  # fmt: skip


def test_progress_is_the_share_of_the_bytes(monkeypatch):
    shown = []
    monkeypatch.setattr(command.ProgressLine, "show", lambda _, *values: shown.append(values))
    monkeypatch.setattr(command, "run_all", lambda tasks, _, on_result: [on_result(task, ()) for task in tasks])
    tasks = [SimpleNamespace(collection=SimpleNamespace(size_bytes=size)) for size in (300, 100)]
    folder = SimpleNamespace(collections=range(1002))
    command._run(tasks, Mock(), folder, nullcontext())
    assert shown == [
        (0.0, "collections: 1,000 of 1,002"),
        (0.75, "collections: 1,001 of 1,002"),
        (1.0, "collections: 1,002 of 1,002"),
    ]


def test_killed_run_is_completed_by_the_next(collections, expected_lines, start, run_here, tmp_path):
    """The workers of the killed run end too, because they notice that their parent is gone."""
    out = tmp_path / "results.jsonl"
    arguments = ("benchmark", collections, "--out", out, "--algorithms", ALGORITHMS, "--processes")
    process = start(*arguments, 2)
    wait_for_lines(out, 4, process)  # those of one collection
    workers = worker_processes(process.pid)
    assert len(workers) == 2
    process.kill()
    process.wait()
    wait_until(lambda: not any(map(is_running, workers)))
    written = out.read_bytes()
    assert 4 <= written.count(b"\n") < len(expected_lines)
    again = run_here(*arguments, 1)
    assert again.returncode == 0, again.stderr
    assert sorted_lines(out) == expected_lines


@pytest.fixture
def damaged(collections, tmp_path):
    """Return a copy of the collections, with two that cannot be read, and one with parameters of an unknown version."""
    folder = tmp_path / "damaged"
    shutil.copytree(collections, folder)
    content = (folder / "0.anki2").read_bytes()
    (folder / "0.anki2").write_bytes(content[: len(content) // 2])
    (folder / "shelf" / "notes.colpkg").write_text("no package")
    col = Collection(str(folder / "shelf" / "1.anki2"))
    for preset in col.decks.all_config():
        col.decks.update_config({**preset, "fsrsParams6": [1.0] * 18})
    col.close()
    return folder


def arguments_for(folder: Path, out: Path) -> list[str]:
    return ["benchmark", str(folder), "--out", str(out), "--algorithms", "AVG,Your parameters", "--processes", "1"]


def test_failures_are_recorded(damaged, run_here, tmp_path):
    out = tmp_path / "results.jsonl"
    (damaged / "deck.csv").write_text("id,did\n1,1\n")
    done = run_here(*arguments_for(damaged, out))
    assert done.returncode == 1
    assert "Left out because they are not review logs: deck.csv." in done.stderr
    assert "Collections evaluated: 5 of 7.\n2 failed" in done.stdout
    assert "\n  0.anki2: 0.anki2 is damaged and cannot be read" in done.stdout
    assert "\n'Your parameters' has no result on shelf/1.anki2: The FSRS parameters of the preset " in done.stdout
    errors = {line["collection"]: line for line in parsed_lines(out) if "error" in line}
    assert {name: line["algorithm"] for name, line in errors.items()} == {
        "0.anki2": None,
        "shelf/1.anki2": "Your parameters",
        "shelf/notes.colpkg": None,
    }
    assert errors["0.anki2"]["error"].startswith("0.anki2 is damaged and cannot be read")
    assert "cannot be used (number: 18)" in errors["shelf/1.anki2"]["error"]
    assert str(tmp_path) not in out.read_text()


def test_failures_are_retried_only_on_request(damaged, collections, expected_lines, tmp_path, capsys):
    out = tmp_path / "results.jsonl"
    arguments = arguments_for(damaged, out)
    commands.run(arguments)
    before = out.read_bytes()
    shutil.copy(collections / "0.anki2", damaged)
    assert commands.run(arguments) == 1
    assert out.read_bytes() == before
    capsys.readouterr()
    assert commands.run([*arguments, "--retry"]) == 1
    assert capsys.readouterr().out.startswith("Collections evaluated: 6 of 7.\n")
    assert lines_of_average(parsed_lines(out)) == lines_of_average(map(json.loads, expected_lines))
    failed = [line["collection"] for line in parsed_lines(out) if "error" in line]
    assert failed == ["shelf/1.anki2", "shelf/notes.colpkg"]
    codes = [commands.run([*arguments, "--shard", f"{number}/2"]) for number in (1, 2)]
    assert sorted(codes) == [0, 1], "the exit code of a shard is about its own collections"


def test_only_collections_that_failed_may_be_missing_later(damaged, tmp_path, capsys):
    out = tmp_path / "results.jsonl"
    arguments = arguments_for(damaged, out)
    commands.run(arguments)
    (damaged / "0.anki2").unlink()
    (damaged / "shelf" / "notes.colpkg").unlink()
    capsys.readouterr()
    assert commands.run(arguments) == 2
    assert "not in this folder: 0.anki2 and 1 more. Give another" in " ".join(capsys.readouterr().err.split())
    assert commands.run([*arguments, "--retry"]) == commands.run(arguments) == 0
    assert "notes.colpkg" not in out.read_text() + capsys.readouterr().out

    (damaged / "2.anki2").unlink()
    for more in ([], ["--retry"]):
        assert commands.run([*arguments, *more]) == 2
        assert "not in this folder: 2.anki2. Give another --out" in " ".join(capsys.readouterr().err.split())


def test_failures_are_named_up_to_three():
    failures = {f"{number}.anki2": "It is damaged." for number in range(9, -1, -1)}
    assert list(command._describe_failures({"AVG": {"b": "It failed.", "a": "Another failed."}, None: failures})) == [
        *(f"  {number}.anki2: It is damaged." for number in range(3)),
        "  and 7 more",
        "'AVG' has no result on a and 1 more: Another failed.",
    ]
    assert len(list(command._describe_failures({None: dict(list(failures.items())[:3])}))) == 3
    assert list(command._describe_failures({})) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["/no/such/folder"], "FOLDER cannot be '/no/such/folder'. Allowed: a folder that exists."),
        ([__file__], f"FOLDER cannot be '{__file__}'. Allowed: a folder; for one file there is `evaluate`."),
        (["{empty}"], "FOLDER cannot be '{empty}'. Allowed: a folder with .anki2, .anki21, .colpkg, .apkg or .csv"),
        (["{empty}", "--algorithms", "FSRS-66"], "There is no algorithm 'FSRS-66'."),
        (["{empty}", "--processes", "0"], "--processes cannot be 0. Allowed: an integer of at least 1."),
        (["{empty}", "--processes", "2", "--scheduler", "h:1"], "nothing together with --scheduler"),
        (["{empty}", "--out", __file__], f"--out cannot be '{__file__}'. Allowed: a folder, or a file that ends in"),
        (["{empty}", "--folds", "1"], "folds cannot be 1. Allowed: an integer from 2 to 100."),
        (["{empty}", "--next-day-at", "-5"], "--next-day-at cannot be -5."),
    ],
)
def test_bad_arguments_are_refused_in_one_line(arguments, sentence, tmp_path, capsys):
    assert commands.run(["benchmark", *(argument.format(empty=tmp_path) for argument in arguments)]) == 2
    err = capsys.readouterr().err
    assert contains_sentence(err, sentence.format(empty=tmp_path))
    assert err.count("\n") == 1


def test_results_of_other_settings_are_not_mixed(collections, expected_file, tmp_path, capsys):
    before = expected_file.read_bytes()
    arguments = [str(collections), "--out", str(expected_file)]
    other = ["--folds", "3", "--no-same-day", "--no-outlier-filter", "--since", "2024-06-01"]
    assert commands.run(["benchmark", *arguments, *other]) == 2
    assert capsys.readouterr().err == (
        f"{expected_file} holds results of other settings (folds: 5 there, 3 now; since: not given there, 2024-06-01 "
        "now; same_day: yes there, no now; outlier_filter: yes there, no now). "
        "Choose the same, or give another --out.\n"
    )
    assert expected_file.read_bytes() == before
    shutil.copy(expected_file, tmp_path / "results.same-day.jsonl")
    assert commands.run(["benchmark", str(collections), "--out", str(tmp_path), "--table", "same-day"]) == 2
    assert "table: whole-day there, same-day now" in capsys.readouterr().err


def test_both_tables_are_written_side_by_side(collections, tmp_path, capsys):
    arguments = [str(collections), "--out", str(tmp_path), "--algorithms", "AVG,FSRS-6 default", "--processes", "1"]
    arguments += ["--shard", "1/3"]
    assert commands.run(["benchmark", *arguments, "--table", "same-day"]) == 0
    same_day_alone = (tmp_path / "results.same-day.jsonl").read_bytes()
    assert not (tmp_path / "results.jsonl").exists()
    assert commands.run(["benchmark", *arguments, "--table", "both"]) == 0
    assert (tmp_path / "results.same-day.jsonl").read_bytes() == same_day_alone
    out = capsys.readouterr().out
    assert out.index(TABLES["whole-day"]) < out.index(TABLES["same-day"])
    whole_day, same_day = (parsed_lines(tmp_path / f"results{infix}.jsonl") for infix in ("", ".same-day"))
    assert len(whole_day) == len(same_day) == 4
    assert {line["options"]["table"] for line in whole_day} == {"whole-day"}
    assert {line["options"]["table"] for line in same_day} == {"same-day"}
    assert sum(line["reviews"] for line in same_day) > sum(line["reviews"] for line in whole_day)


def worker_processes(process: int) -> list[int]:
    """Return the numbers of the worker processes that this process has started."""
    children = map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())
    return [child for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
