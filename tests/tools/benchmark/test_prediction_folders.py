from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sentence_matching import contains_sentence, matches_sentence

from evaluator.data.revlog import Revlog
from evaluator.errors import BadPredictions
from evaluator.evaluation import evaluate
from evaluator.options import Options
from tools import sources
from tools.benchmark.prediction_folders import read_predictions
from tools.commands import run
from tools.sources.predictions import PredictionsFile
from ui.text.error_sentences import error_sentence
from ui.views.predictions_csv import to_csv

ALGORITHMS = ("--algorithms", "AVG,FSRS-6 default", "--processes", "1")

Key = tuple[str, str | None]


@pytest.fixture(scope="module")
def folder(collections, tmp_path_factory):
    """Return a folder with three collections, and our predictions of all reviews, of most of them, and of none."""
    folder = tmp_path_factory.mktemp("external")
    (folder / "collections" / "inner").mkdir(parents=True)
    (folder / "mine" / "inner").mkdir(parents=True)
    for name in ("0.anki2", "2.anki2", "4.anki2"):
        shutil.copy(collections / name, folder / "collections" / ("inner" if name[0] == "2" else "") / name)
    for number, n_missing in (("0", 0), ("2", 30)):
        evaluation = evaluate(sources.read(collections / f"{number}.anki2"), Options(("AVG", "FSRS-6 default")))
        header, *lines = to_csv(evaluation.predictions)
        path = folder / "mine" / ("inner/2.csv" if number == "2" else "0.anki2.csv")
        path.write_text("".join([header, *lines[n_missing:]]))
    return folder


def _benchmark(folder: Path, out: Path, *more: str) -> dict[Key, dict[str, Any]]:
    run(["benchmark", str(folder / "collections"), "--out", str(out), *ALGORITHMS, *more])
    return _read_results(out)


def _read_results(out: Path) -> dict[Key, dict[str, Any]]:
    lines = [json.loads(text) for text in (out / "results.jsonl").read_text().splitlines()]
    result = {(line["collection"], line["algorithm"]): line for line in lines}
    assert len(result) == len(lines)
    return result


def _external(folder: Path) -> tuple[str, str]:
    return "--external", f"Mine={folder / 'mine'}#FSRS-6 default"


@pytest.fixture(scope="module")
def made_at_once(folder, tmp_path_factory):
    """Return the results of a run with these predictions from the beginning. Tests must not change them."""
    out = tmp_path_factory.mktemp("at-once")
    _benchmark(folder, out, *_external(folder))
    return out


def test_external_rows_are_scored_and_gaps_reported(folder, made_at_once):
    result = _read_results(made_at_once)
    mine, ours = result["0.anki2", "Mine"], result["0.anki2", "FSRS-6 default"]
    assert mine["reviews"] == ours["reviews"]
    for name, value in ours["metrics"].items():
        assert mine["metrics"][name] == pytest.approx(value, abs=1e-8)

    assert contains_sentence(result["inner/2.anki2", "Mine"]["error"], "The file has no prediction for 30 of the ")
    assert matches_sentence(
        result["4.anki2", "Mine"]["error"],
        "4.anki2.csv cannot be used as predictions: there is no such file in the folder, nor 4.csv.",
    )
    assert len(result) == 3 * 3
    assert str(folder) not in (made_at_once / "results.jsonl").read_text()


@pytest.mark.parametrize(
    ("collection", "names"),
    [
        ("in/2024.01.anki2", ["in/2024.01.anki2", "in/2024.01", "2024.01.anki2", "2024.01"]),
        ("1.revlog.csv", ["1.revlog.csv", "1.revlog", "1"]),
        ("1.revlog.CSV.gz", ["1.revlog.CSV.gz", "1.revlog.CSV", "1.revlog", "1"]),
        ("revlogs/user_id=7", ["revlogs/user_id=7", "user_id=7"]),
    ],
)
def test_predictions_are_found_by_the_name_of_the_collection(tmp_path, collection, names):
    folder = PredictionsFile("Mine", tmp_path)
    log = Revlog(*np.ones((8, 1), dtype=np.int64))
    first, *others = (f"{name}.csv" for name in names)
    with pytest.raises(BadPredictions) as caught:
        read_predictions(folder, collection, log)
    assert matches_sentence(
        error_sentence(caught.value),
        f"{first} cannot be used as predictions: there is no such file in the folder, nor {' or '.join(others)}.",
    )
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        file = tmp_path / f"{name}.csv"
        file.write_text("review_id,predicted\n1,0.75\n")
        assert read_predictions(folder, collection, log).predicted.tolist() == [0.75]
        file.unlink()


def test_external_row_can_be_added_later(folder, made_at_once, tmp_path):
    at_once = _read_results(made_at_once)
    _benchmark(folder, tmp_path)
    assert _benchmark(folder, tmp_path, *_external(folder)) == at_once
    # Another run changes nothing.
    assert _benchmark(folder, tmp_path, *_external(folder)) == at_once


@pytest.mark.parametrize(
    ("external", "sentence"),
    [
        ("Mine=/no/such", "a folder with a CSV per collection"),
        ("AVG=.", "A row cannot be named 'AVG'. Choose a name that no other row or group of rows has."),
    ],
)
def test_bad_external_options_are_refused(external, sentence, folder, tmp_path, capsys):
    assert run(["benchmark", str(folder / "collections"), "--out", str(tmp_path / "out"), "--external", external]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
