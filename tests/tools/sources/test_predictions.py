from __future__ import annotations

import csv
import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest

from evaluator.data.revlog import Revlog
from evaluator.errors import EvaluatorError
from tools.sources.predictions import PredictionsFile
from ui.text.error_sentences import error_sentence

#: An instant in milliseconds.
T = 1_700_000_000_123


#: A log of three reviews, with their instants and cards.
LOG = Revlog(np.array([T + 5000, T, T + 5001]), np.array([7, 7, 8]), *np.zeros((6, 3), dtype=np.int64))


def _read(path: Path, text: str) -> dict[int, float]:
    """Return the predictions of a file with this text, by the milliseconds since T."""
    path.write_text(text)
    file = PredictionsFile("Mine", path)
    file.check()
    result = file.read(LOG)
    return dict(zip((result.review_id - T).tolist(), result.predicted.tolist(), strict=True))


@pytest.mark.parametrize(
    "text",
    [
        f"review_id,other,predicted\n{T},1,0.25\n{T + 5000},1,0.5\n5,1,0.9\n",
        f"ID;p\n{T};0.25\n{T + 5000};0.5\n",
        f"predicted\trevlog_id\n0.25\t{T}\n0.5\t{T + 5000}\n",
        f"review_id,my own name\n{T + 5000},0.5\n{T},0.25\n{T + 5001},\n",
        f"review_id,fold,other,mine\n{T},1,1,0.25\n{T + 5000},2,1,0.5\n",
        f"card_id,time,probability\n7,{T},0.25\n7,{T + 5000},0.5\n7,{T + 5001},0.1\n",
        f"cid,time,p\n7,{T // 1000},0.25\n7,{(T + 5000) // 1000},0.5\n9,{T // 1000},0.1\n",
        "review_th,p\n1,0.25\n2,0.5\n99,0.3\n0,0.1\n",
    ],
)
def test_reviews_are_identified_in_several_ways(tmp_path, text):
    assert _read(tmp_path / "p.csv", text) == {0: 0.25, 5000: 0.5}


def test_column_can_be_chosen_and_gzip_read(tmp_path):
    path = tmp_path / "p#1.csv.gz"
    path.write_bytes(gzip.compress(f"review_id,A,B\n{T},0.1,0.2\n".encode()))
    assert PredictionsFile.parse(f"X={path}") == PredictionsFile("X", path)
    file = PredictionsFile.parse(f"X = {path}#B")
    assert file == PredictionsFile("X", path, "B")
    result = file.read(LOG)
    assert result.predicted.tolist() == [0.2]
    assert result.description.endswith("(column B)")
    with pytest.raises(EvaluatorError) as caught:
        PredictionsFile("X", path, "C").check()
    sentence = "p#1.csv.gz cannot be used as predictions: it has no column 'C', only 'A', 'B'."
    assert sentence in error_sentence(caught.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"review_id,p\n{T},1.5\n", "'1.5' in line 2 is not a probability"),
        (f"review_id,p\n{T},0.5\n{T + 5000},high\n", "'high' in line 3 is not a probability"),
        (f"review_id,p\n{T},0.5\n5,0.1\n{T},0.5\n", "lines 2 and 4 are about the same review"),
        (f"review_id,p\n\n\n{T},0.5\n\n{T + 5000},high\n", "'high' in line 6 is not a probability"),
        (f'review_id,p,n\n{T},0.5,"a\nb"\n{T + 5000},high,\n', "'high' in line 4 is not a probability"),
        (f"review_id,p\n\n{T},0.5\n\n5,0.1\n{T},0.5\n", "lines 3 and 6 are about the same review"),
        (f"review_id,p\n{T},{'9' * 5000}\n", "'9{80}…9{40}' in line 2 is not a probability"),
        (f"review_id,{'A' * 9000},B\n{T},0.5,0.5\n", "as in Mine=.*p.csv#A{80}…A{40}"),
        (f"review_id,A,B\n{T},0.5,0.5\n", "several columns of predictions: choose one, as in Mine=.*p.csv#A"),
        (f"review_id,fold\n{T},1\n", "needs a column with the probability of recall"),
        ("card_id,p\n7,0.5\n", "needs a column review_id, or the two columns card_id and time, or review_th"),
        ("", "needs a column review_id"),
        ("review_id,p\nx,0.5\n", "'x'"),
        (f"review_id,p\n{T},0.5\n{T + 5000},0,9\n", "header has 2 cells, but line 3 has 3 .a comma within a number"),
        (f"id,p\n{T // 1000},0.5\n{T // 1000 + 5},0.5\n", "id looks like seconds .* multiply by 1,000"),
        (f"id,p\n{T // 1000},0.5\n{T // 1000},0.5\n", "id looks like seconds .* multiply by 1,000"),
        (f"id,p\n{T * 1000},0.5\n", "id looks like microseconds .* divide by 1,000"),
        (f'review_id,p,n\n{T},0.5,"\n{T + 5000},0.5,"\n', "quoted cell in line 2 contains the lines after it"),
    ],
)
def test_bad_predictions_are_refused(tmp_path, text, sentence):
    with pytest.raises(EvaluatorError) as caught:
        _read(tmp_path / "p.csv", text)
    assert re.search(sentence, error_sentence(caught.value))
    assert "p.csv" in error_sentence(caught.value)


def test_written_predictions_can_be_read_back(files, run_here, tmp_path):
    out = tmp_path / "predictions.csv"
    command = ("evaluate", files.csv, "--algorithms", "SM-2,FSRS-6")
    assert run_here(*command, "--predictions", out).returncode == 0
    lines = list(csv.reader(out.read_text().splitlines()))
    half = tmp_path / "half.csv"
    with half.open("w", newline="") as file:
        csv.writer(file).writerows([line[0], line[-1]] for line in lines[: len(lines) // 2])
    done = run_here(*command, "--json", "-", "--external", f"Mine={out}#FSRS-6", "--external", f"Half={half}")
    assert done.returncode == 0, done.stderr
    rows = {row["algorithm"]: row for row in json.loads(done.stdout)["results"]}
    for name in ("log_loss", "rmse_bins", "rmse_bins_benchmark", "auc", "brier"):
        assert rows["Mine"][name] == pytest.approx(rows["FSRS-6"][name], abs=2e-8)
    mine, own = (rows[name]["against_baseline"]["difference"] for name in ("Mine", "FSRS-6"))
    for name in ("estimate", "low", "high"):
        assert mine[name] == pytest.approx(own[name], abs=2e-8)
    assert rows["Half"]["error"]["facts"]["uncovered"] == len(lines) - len(lines) // 2


@pytest.mark.parametrize(
    ("external", "sentence"),
    [
        ("Mine", "'Mine' is not of the form NAME=FILE"),
        ("Mine=/no/such.csv", "There is no file at /no/such.csv"),
        ("FSRS-6=REVLOG", "A row cannot be named 'FSRS-6'. Choose a name that no other row or group of rows has."),
        ("Mine=REVLOG", "needs a column|several columns"),
    ],
)
def test_bad_predictions_are_refused_before_the_work(files, run_here, external, sentence):
    done = run_here("evaluate", files.csv, "--external", external.replace("REVLOG", str(files.csv)))
    assert done.returncode == 2
    assert re.search(sentence, done.stderr)
    assert "Traceback" not in done.stderr
