from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from made_results import line, original_line, write_lines

from tools.arguments import BadResults, ResultSource
from tools.benchmark.results_format import METRICS
from tools.summarize.reading import read
from tools.summarize.result_lines import ResultLine


def _read(*texts: str) -> list[ResultLine]:
    return list(read([ResultSource.parse(text) for text in texts]))


def test_results_of_benchmark_are_read(tmp_path):
    failed = {"collection": "b.anki2", "algorithm": None, "error": "It is damaged."}
    write_lines(tmp_path / "results.jsonl", [line("revlogs/user_id=7", "FSRS-6", 0.3, in_sample=True), failed])
    (tmp_path / "results.timings.csv").write_text("collection,stage,seconds\n")
    result, failure = _read(str(tmp_path))
    metrics = {"log_loss": 0.3, "rmse_bins": 0.3 / 5, "rmse_bins_benchmark": 0.3 / 6, "auc": 0.7}
    assert result == ResultLine(
        collection="user_id=7",
        algorithm="FSRS-6",
        reviews=100,
        metrics=tuple({**dict.fromkeys(METRICS, 0.3 / 7), **metrics}[key] for key in METRICS),
        parameters=21,
        inputs=("intervals", "ratings"),
        in_sample=True,
        settings="1 {}",
    )
    assert (failure.collection, failure.algorithm, failure.error) == ("b.anki2", None, "It is damaged.")


@pytest.mark.parametrize(
    ("name", "parameters", "count"),
    [
        ("FSRS-6", [0.1] * 21, 21),
        ("FSRS-6-deck", {"5": [0.1] * 21, "6": [0.2] * 21}, 21),
        ("FSRS-6-default", {"0": [0.1] * 21}, 0),
        ("FSRS-5-dry-run", [0.1] * 19, 0),
        ("GRU", None, None),
    ],
)
def test_original_results_are_read(tmp_path, name, parameters, count):
    more = {} if parameters is None else {"parameters": parameters}
    tree = original_line(12, 0.3, size=50, **more)
    tree["metrics"] |= {"AUC": None, "smECE": 0.01, "MBE": -0.02, "precision@90": 0.95, "recall@90": 0.4}
    write_lines(tmp_path / f"{name}.jsonl", [tree])
    (result,) = _read(str(tmp_path))
    assert (result.collection, result.algorithm, result.reviews, result.parameters) == ("user_id=12", name, 50, count)
    metrics = dict(zip(METRICS, result.metrics, strict=True))
    assert {key: value for key, value in metrics.items() if not math.isnan(value)} == {
        "log_loss": 0.3,
        "rmse_bins_benchmark": 0.3 / 6,
        "smece": 0.01,
        "mbe": -0.02,
        "precision_90": 0.95,
        "recall_90": 0.4,
    }


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("FSRS-7-short-secs-recency", "same-day"),
        ("SBD-short-secs", "same-day"),
        ("SBD-short-secs-equalize_test_with_non_secs-recency", "whole-day"),
        ("FSRS-7-short-secs-no_test_same_day", "whole-day"),
        ("DASH-short", "whole-day"),
        ("FSRS-6-recency", "whole-day"),
    ],
)
def test_table_of_the_original_is_known_by_its_name(tmp_path, name, table):
    write_lines(tmp_path / f"{name}.jsonl", [original_line(1, 0.3)])
    assert [item.table for item in _read(str(tmp_path))] == [table]


def test_two_tables_of_one_collection_are_distinguished(tmp_path):
    for name in ("results", "results.same-day"):
        options = {"folds": 5, "table": "same-day" if "." in name else "whole-day"}
        write_lines(tmp_path / f"{name}.jsonl", [line("a", "AVG", 0.3, options=options)])
    assert sorted(item.table for item in _read(str(tmp_path))) == ["same-day", "whole-day"]
    files = [str(tmp_path / f"{name}.jsonl") for name in ("results", "results.same-day")]
    assert len(_read(*files)) == 2


def test_results_with_fewer_metrics_are_read(tmp_path):
    old = line("a", "AVG", 0.3)
    old["metrics"] = {"log_loss": 0.3, "auc": 0.6}
    (result,) = _read(str(write_lines(tmp_path / "old.jsonl", [old])))
    present = {key for key, value in zip(METRICS, result.metrics, strict=True) if not math.isnan(value)}
    assert present == {"log_loss", "auc"}


def test_label_separates_algorithms_of_the_same_name(tmp_path):
    # A file may have = in its name.
    ours = write_lines(tmp_path / "seed=1.jsonl", [line("user_id=1", "FSRS-6", 0.3)])
    theirs = write_lines(tmp_path / "FSRS-6.jsonl", [original_line(1, 0.31)])
    assert [item.algorithm for item in _read(str(ours), f"published={theirs}")] == ["FSRS-6", "FSRS-6 (published)"]
    with pytest.raises(BadResults, match=r"have FSRS-6\. Put a label before one of them, as in published="):
        _read(str(ours), str(theirs))


def test_other_settings_are_not_mixed(tmp_path):
    usual = [line("a", "AVG", 0.3), line("a", "SM-2", 0.3)]
    write_lines(tmp_path / "1.jsonl", usual)
    write_lines(tmp_path / "2.jsonl", [line("b", "AVG", 0.3)])
    assert len(_read(str(tmp_path))) == 3
    other = write_lines(tmp_path / "3.jsonl", [line("a", "AVG", 0.2, options={"same_day": False})])
    with pytest.raises(BadResults, match=r"3\.jsonl holds results of other options, .* as in other="):
        _read(str(tmp_path))
    assert len(_read(str(tmp_path / "1.jsonl"), f"other={other}")) == 3


def test_cut_off_last_line_is_ignored(tmp_path):
    file = write_lines(tmp_path / "results.jsonl", [line("a", "AVG", 0.3), line("b", "AVG", 0.4)])
    file.write_text(file.read_text()[:-30])
    assert [item.collection for item in _read(str(file))] == ["a"]


@pytest.mark.parametrize(
    "broken",
    [
        "no JSON",
        "[]",
        json.dumps(line("b", "AVG", 0.3, reviews=0)),
        json.dumps(line("b", "AVG", 0.3, metrics={"log_loss": None})),
        json.dumps({**line("b", "AVG", 0.3), "metrics": 5}),
        json.dumps({**line("b", "AVG", 0.3), "algorithm": None}),
        json.dumps({"user": "x", "size": 3, "metrics": {"LogLoss": 0.3}}),
        json.dumps({"user": 1, "metrics": {"LogLoss": 0.3}}),
        json.dumps({**line("b", "AVG", 0.3), "algorithm": 5}),
        json.dumps({**line("b", "AVG", 0.3), "collection": None}),
        json.dumps({**line("b", "AVG", 0.3), "options": "folds"}),
        json.dumps(line("b", "AVG", 0.3, options={"folds": 5, "table": "third"})),
        json.dumps(line("b", "AVG", 0.3, options=[["table", "same-day"]])),
        json.dumps(line("b", "AVG", 1e300)),
    ],
)
def test_broken_line_is_an_error(tmp_path, broken):
    file = write_lines(tmp_path / "results.jsonl", [line("a", "AVG", 0.3)])
    file.write_text(file.read_text() + broken + "\n")
    with pytest.raises(BadResults, match=r"Line 2 of .*results.jsonl is not a result of a benchmark."):
        _read(str(file))


def test_paths_without_results_are_an_error(tmp_path):
    for missing in ("~nouser/x", str(tmp_path / "none")):
        with pytest.raises(BadResults, match=f"There is nothing at {missing}"):
            _read(missing)
    assert ResultSource.parse("ours=~nouser/x") == ResultSource(Path("~nouser/x"), "ours")
    with pytest.raises(BadResults, match="There are no results in"):
        _read(str(tmp_path))
    (tmp_path / "other.jsonl").write_text('{"a": 1}\n')
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(BadResults, match="There are no results in"):
        _read(str(tmp_path))
