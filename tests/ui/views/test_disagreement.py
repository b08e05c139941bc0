from __future__ import annotations

from dataclasses import replace
from typing import List, Sequence

import fake
import made_graphs as made
import pytest
from sentence_matching import matches_sentence

from evaluator.report import Disagreement
from ui.views.rivals import verdict_disagreement


def sentences(disagreement: Disagreement, in_sample: Sequence[str] = ()) -> List[str]:
    """Return the sentences about a disagreement between the algorithms of the verdict."""
    report = fake.report()
    verdict = replace(report.verdict, disagreement=disagreement, in_sample=tuple(in_sample))
    return list(verdict_disagreement(replace(report, verdict=verdict)))


def test_both_directions_of_a_disagreement_are_described() -> None:
    predicted_higher, predicted_lower = sentences(made.disagreement())
    assert matches_sentence(
        predicted_higher,
        "On 3,214 reviews, FSRS-6 was at least 10 points more confident than SM-2 (1987): 83% against 66%; "
        "you remembered 84%.",
    )
    assert matches_sentence(
        predicted_lower,
        "On 1,102 reviews, SM-2 (1987) was at least 10 points more confident than FSRS-6: 89% against 74%; "
        "you remembered 71%.",
    )
    assert ["than FSRS-6" in sentence for sentence in (predicted_higher, predicted_lower)] == [False, True]
    assert all("at least 5 points" in sentence for sentence in sentences(made.disagreement(threshold=0.05)))


@pytest.mark.parametrize(
    ("predicted_higher", "predicted_lower", "described"), [(3214, 31, 1), (0, 1102, 1), (0, 31, 0), (0, 0, 0)]
)
def test_side_with_few_reviews_is_not_described(predicted_higher: int, predicted_lower: int, described: int) -> None:
    assert len(sentences(made.disagreement(predicted_higher, predicted_lower))) == described


@pytest.mark.parametrize("name", ["FSRS-6", "SM-2"])
def test_in_sample_rows_are_not_mentioned(name: str) -> None:
    assert sentences(made.disagreement(), in_sample=[name]) == []
