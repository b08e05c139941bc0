from __future__ import annotations

import numpy as np

from evaluator.scoring.report_builder import Predictions
from ui.views.predictions_csv import to_csv


def test_csv_of_two_reviews_matches_hand_calculation():
    predictions = Predictions(
        review_id=np.array([10, 20]),
        card_id=np.array([1, 2]),
        elapsed_days=np.array([3, 4]),
        fold=np.array([1, 2]),
        recalled=np.array([1, 0]),
        predicted={"SM-2": np.array([0.5, 1 / 3]), 'a,"b"': np.array([1.0, 0.0])},
    )
    assert list(to_csv(predictions)) == [
        'review_id,card_id,elapsed_days,fold,recalled,SM-2,"a,""b"""\n',
        "10,1,3,1,1,0.500000000,1.000000000\n",
        "20,2,4,2,0,0.333333333,0.000000000\n",
    ]


def test_all_batches_of_rows_are_written():
    ids = np.arange(25_001)
    lines = list(to_csv(Predictions(ids + 10, ids + 20, ids, ids, ids, {"AVG": ids / 25_001})))
    assert len(lines) == 25_002
    assert lines[-1].startswith("25010,25020,25000,")
