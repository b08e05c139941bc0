"""Universal Metric and Universal Metric+: by hand, as their authors compute them, and one pair as all pairs."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from reference_sets import evaluation, reference_predictions

from evaluator.metrics import PAIR_METRICS
from evaluator.metrics.universal import um_of_all
from evaluator.report import to_dict

COLUMNS = ("p_AVG", "p_SM2", "p_FSRS-6-default")

#: By the published code: of each of these by each other one, row by row.
PUBLISHED = {
    ("sim-a", "um"): (0.0254643338, 0.0611344012, 0.1209222507, 0.1274431216, 0.0130941356, 0.0249176095),
    ("sim-a", "um_plus"): (0.0341101156, 0.0703696872, 0.2239311732, 0.2323344630, 0.0316308587, 0.0350266069),
    ("sim-c", "um"): (0.0620094016, 0.0862716451, 0.0021131267, 0.0609477167, 0.0106620156, 0.0530841988),
    ("sim-c", "um_plus"): (0.0759980668, 0.1025266108, 0.1084965083, 0.1299190332, 0.0401263853, 0.0462067096),
}


@pytest.mark.parametrize(("log", "metric"), PUBLISHED)
def test_they_are_those_of_their_authors(log: str, metric: str) -> None:
    known = reference_predictions(log)
    predicted, recalled = np.stack([known[column] for column in COLUMNS]), known["y"].astype(np.int64)
    found = PAIR_METRICS[metric].compute(predicted, recalled)
    places = list(permutations(range(3), 2))
    assert [found[place] for place in places] == pytest.approx(PUBLISHED[log, metric], abs=1e-9)


def test_by_hand() -> None:
    """B has groups at 0.5 and 0.9; A is off there by 0.8 - 2/4 and 0.8 - 3/4, B by 0 and 0.9 - 3/4."""
    predicted = np.array([[0.8] * 8, [0.5] * 4 + [0.9] * 4])
    recalled = np.array([1, 0, 1, 0, 1, 1, 1, 0])
    found = um_of_all(predicted, recalled)
    assert found[0, 1] == pytest.approx(np.sqrt((4 * 0.3**2 + 4 * 0.05**2) / 8))
    assert found[1, 0] == pytest.approx(abs(0.7 - 5 / 8))


def test_halves_go_to_the_even_group() -> None:
    """0.25, to ten digits, goes to 0.2 and 0.35 to 0.4, so the four are in two groups."""
    predicted = np.array([[0.5] * 4, [0.2, 0.25 + 1e-12, 0.35, 0.4]])
    recalled = np.array([1, 0, 1, 0])
    assert um_of_all(predicted, recalled)[0, 1] == 0


def test_who_is_right_in_each_group_scores_nothing() -> None:
    """And the average, which is right only on the whole, does not by somebody who knows more."""
    recalled = np.array([1] * 9 + [0] + [1] * 5 + [0] * 5)
    right, average = np.repeat([0.9, 0.5], 10), np.full(20, 0.7)
    for metric in PAIR_METRICS.values():
        found = metric.compute(np.stack([right, average]), recalled)
        assert found[0, 1] == pytest.approx(0)
        assert found[1, 0] > 0.15 if metric.key == "um" else found[1, 0] == pytest.approx(0.2)


def test_the_report_has_every_pair_once_all_have_finished() -> None:
    """In both directions, by name, as the predictions say; none of itself."""
    found = evaluation("sim-c")
    names = list(found.predictions.predicted)
    recalled = found.predictions.recalled
    predicted = np.stack([found.predictions.predicted[name] for name in names])
    rows = {row["algorithm"]: row for row in to_dict(found.report)["results"]}
    for key, metric in PAIR_METRICS.items():
        values = metric.compute(predicted, recalled)
        for one, other in permutations(range(len(names)), 2):
            assert rows[names[one]][key][names[other]] == pytest.approx(values[one, other], abs=1e-9)
        assert all(set(row[key]) == set(names) - {name} for name, row in rows.items())
