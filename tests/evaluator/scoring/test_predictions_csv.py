from __future__ import annotations

import csv
import io

import numpy as np

from evaluator.scoring.predictions import Predictions, to_csv


def predictions(rows: int, names: tuple[str, ...]) -> Predictions:
    ids = np.arange(rows)
    return Predictions(ids + 10, ids + 20, ids, ids % 5 + 1, ids % 2, dict.fromkeys(names, (ids + 1) / (rows + 1)))


def test_csv_has_a_line_per_review():
    assert list(to_csv(predictions(2, ("AVG", "SM-2")))) == [
        "review_id,card_id,elapsed_days,fold,recalled,AVG,SM-2\n",
        "10,20,0,1,0,0.333333333,0.333333333\n",
        "11,21,1,2,1,0.666666667,0.666666667\n",
    ]


def test_names_with_commas_and_quotation_marks_come_back():
    names = ("DASH[ACT-R]", "a, b", 'the "best"')
    header = next(csv.reader(io.StringIO("".join(to_csv(predictions(1, names))))))
    assert tuple(header[5:]) == names


def test_more_rows_than_are_written_at_once():
    lines = list(to_csv(predictions(25_001, ("AVG",))))
    assert len(lines) == 25_002
    assert lines[-1].startswith("25010,25020,25000,")
