"""Predictions from elsewhere on the web page: their row, the second comparison, and the command that makes it again."""

from __future__ import annotations

import numpy as np

from evaluator.algorithms.external import External
from evaluator.evaluation import evaluate
from evaluator.options import Options
from tools.simulate import Learner, simulate
from ui.page import PAGE_COMPARISON, PAGE_MADE, PAGE_ON_COVERED, _parts
from ui.page.made import PAGE_EXTERNAL, command


def test_what_is_lacking_is_compared_again() -> None:
    """With a heading of its own, what it is about, the verdict, and a table."""
    snapshot = simulate(Learner(seed=3, days=60)).snapshot
    alone = evaluate(snapshot, Options(("AVG", "SM-2")))
    review_id = alone.predictions.review_id[9:]
    external = External("My model", review_id=review_id, predicted=np.full(len(review_id), 0.85))
    report = evaluate(snapshot, Options(("AVG", "SM-2"), external=(external,))).report
    parts = dict(_parts(report, {}, ()))
    again = parts[PAGE_ON_COVERED]
    assert f"All again on the {len(review_id):,} reviews of {len(review_id) + 9:,}" in again
    assert "My model" in again
    assert "AVG" in again
    assert "lacks 9 of the" in parts[PAGE_COMPARISON]
    assert PAGE_ON_COVERED not in dict(_parts(alone.report, {}, ()))
    made = command(report)
    assert "--algorithms AVG,SM-2 " in made or "--algorithms SM-2,AVG " in made
    assert "--external 'My model=FILE'" in made
    assert PAGE_EXTERNAL in parts[PAGE_MADE]
    assert PAGE_EXTERNAL not in dict(_parts(alone.report, {}, ()))[PAGE_MADE]
