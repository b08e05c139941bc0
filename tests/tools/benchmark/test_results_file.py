from __future__ import annotations

import json

import pytest
from full_disk import full_disk

from evaluator.options import Options
from tools.arguments import ResultSource
from tools.benchmark import results_format
from tools.benchmark.results_file import BadResults, ResultsFile
from tools.summarize.reading import read

SETTINGS = results_format.settings(Options(), None)
ABOUT = {"version": "1", "options": SETTINGS}


def line(collection: str, algorithm: str | None, **more: object) -> dict:
    return {**ABOUT, "collection": collection, "algorithm": algorithm, **more}


def opened(path):
    return ResultsFile(path, SETTINGS, "1")


def test_line_cut_off_anywhere_is_computed_again(tmp_path):
    path = tmp_path / "results.jsonl"
    with opened(path) as results:
        results.append([line("a", "AVG"), line("a", "SM-2 é")])
    whole = path.read_bytes()
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        complete_lines = whole[: whole.rfind(b"\n", 0, length) + 1]
        with opened(path) as results:
            missing = results.missing_algorithms("a", ["AVG", "SM-2 é"])
        assert missing == ("AVG", "SM-2 é")[complete_lines.count(b"\n") :]
        assert path.read_bytes() == complete_lines


@pytest.mark.parametrize("written_bytes", [0, 5, 40])
def test_zeros_after_a_power_cut_are_cut_off(written_bytes, tmp_path):
    path = tmp_path / "results.jsonl"
    first, second = (results_format.to_bytes(line(name, "AVG")) for name in "ab")
    path.write_bytes(first + second[:written_bytes] + bytes(300))
    with opened(path) as results:
        assert results.missing_algorithms("a", ["AVG"]) == ()
        assert results.missing_algorithms("b", ["AVG"]) == ("AVG",)
    assert path.read_bytes() == first


@pytest.mark.parametrize(
    "text",
    [
        "my notes",
        "my notes\n",
        '{"a": 1}\n',
        "[1]\n",
        '{"algorithm": 1, "version": "1"}\n',
        json.dumps({**ABOUT, "collection": "a", "algorithm": 5}) + "\n",
        json.dumps({**ABOUT, "options": "folds", "collection": "a", "algorithm": "AVG"}) + "\n",
    ],
)
def test_files_of_others_are_not_touched(text, tmp_path):
    path = tmp_path / "notes.jsonl"
    path.write_text(text)
    sentence = r"notes\.jsonl, line 1: not a result of a benchmark\. Give another --out"
    with pytest.raises(BadResults, match=sentence), opened(path):
        pass
    assert path.read_text() == text


def test_second_run_is_refused_while_the_first_writes(tmp_path):
    with opened(tmp_path), pytest.raises(BadResults, match="Another run is writing to"), opened(tmp_path):
        pass
    with opened(tmp_path):
        pass


def test_failed_collection_is_not_repeated_until_forgotten(tmp_path):
    with opened(tmp_path) as results:
        results.append([line("a", None, error="broken")])
        results.append([line("b", "AVG"), line("b", "SM-2", error="no way")])
        assert len(results.failures[None]) == 1
        for name, missing in (("a", ()), ("b", ()), ("c", ("AVG", "SM-2"))):
            assert results.missing_algorithms(name, ["AVG", "SM-2"]) == missing
        results.forget_failures()
        assert None not in results.failures
        assert results.missing_algorithms("a", ["AVG", "SM-2"]) == ("AVG", "SM-2")
        assert results.missing_algorithms("b", ["AVG", "SM-2"]) == ("SM-2",)
        with pytest.raises(BadResults), opened(tmp_path):  # the file is still locked
            pass
        results.append([line("a", "AVG")])
    assert (tmp_path / "results.jsonl").read_bytes() == b"".join(
        results_format.to_bytes(line(name, "AVG")) for name in "ba"
    )


@pytest.mark.parametrize(
    ("metrics", "name"),
    [
        (dict.fromkeys(results_format.METRICS[1:], 0.5), results_format.METRICS[0]),
        (dict.fromkeys((*results_format.METRICS, "mine"), 0.5), "mine"),
        ([1], "1"),
    ],
)
def test_added_and_removed_metrics_are_reported(metrics, name, tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_bytes(results_format.to_bytes(line("a", "AVG", metrics=metrics)))
    with pytest.raises(BadResults, match=f"metrics .{name}.*--out"), opened(path):
        pass


def test_another_version_is_reported(tmp_path):
    with opened(tmp_path) as results:
        results.append([line("a", "AVG")])
    with pytest.raises(BadResults, match="version: 1 there, 2 now"), ResultsFile(tmp_path, SETTINGS, "2"):
        pass


def test_byte_order_marks_and_blank_lines_are_skipped_as_by_summarize(tmp_path):
    path = tmp_path / "results.jsonl"
    mark = "\ufeff".encode()
    metrics = dict.fromkeys(results_format.METRICS, 0.5)
    of_a, of_b = (results_format.to_bytes(line(name, "AVG", reviews=9, metrics=metrics)) for name in "ab")
    failed = results_format.to_bytes(line("c", None, error="broken"))
    # A file with a mark, to which `cat` has added another one.
    path.write_bytes(mark + of_a + b"\r\n \n" + mark + of_b + b"\n" + failed + b"\n")
    with opened(path) as results:
        assert sorted(results.names) == ["a", "b", "c"]
        assert [item.collection for item in read([ResultSource(path)])] == ["a", "b", "c"]
        results.forget_failures()
    assert path.read_bytes() == mark + of_a + mark + of_b


def test_full_disk_names_the_file_and_leaves_whole_lines(tmp_path):
    with opened(tmp_path) as results:
        results.append([line("a", "AVG")])
    with pytest.raises(OSError, match="large") as caught, full_disk(), opened(tmp_path) as results:
        results.append([line("b", "AVG", error="x" * 2000)])
    assert caught.value.filename == str(tmp_path / "results.jsonl")
    with opened(tmp_path) as results:
        assert list(results.names) == ["a"]


def test_undecodable_name_is_escaped(tmp_path):
    name = "a\udcff.anki2"
    with opened(tmp_path) as results:
        results.append([line(name, "AVG")])
    assert "\\udcff" in (tmp_path / "results.jsonl").read_text(encoding="utf-8")
    with opened(tmp_path) as results:
        assert results.missing_algorithms(name, ["AVG"]) == ()
