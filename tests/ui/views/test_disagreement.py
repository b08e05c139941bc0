"""Where two algorithms disagree: what is said of it."""

from __future__ import annotations

from dataclasses import replace
from typing import List, Sequence

import fake
import made_graphs as made
import pytest
from told import reads

from evaluator.report import Disagreement, Report
from ui.views.headline import verdict_disagreement


def report(of: Disagreement, code: str = "better", in_sample: Sequence[str] = ()) -> Report:
    """The made-up report with that code of its verdict."""
    whole = fake.report()
    verdict = replace(whole.verdict, code=code, disagreement=of, in_sample=tuple(in_sample))
    first = replace(verdict.comparisons[0], code=code)
    return replace(whole, verdict=replace(verdict, comparisons=(first, *verdict.comparisons[1:])))


def said(of: Disagreement, code: str = "better") -> List[str]:
    return list(verdict_disagreement(report(of, code).verdict))


def test_what_happened_on_both_sides() -> None:
    surer, less_sure = said(made.disagreement())
    assert reads(
        surer,
        "On 3,214 reviews FSRS-6 (optimized) was at least 10 points more confident: it said 83%, SM-2 (1987) 66%; you "
        "remembered 84%.",
    )
    assert reads(
        less_sure,
        "On 1,102 reviews FSRS-6 (optimized) was at least 10 points less confident: it said 74%, SM-2 (1987) 89%; you "
        "remembered 71%.",
    )
    assert ["more confident" in sentence for sentence in (surer, less_sure)] == [True, False]
    assert all("at least 5 points" in sentence for sentence in said(made.disagreement(threshold=0.05)))


@pytest.mark.parametrize(("surer", "less_sure", "described"), [(3214, 31, 1), (0, 1102, 1), (0, 31, 0), (0, 0, 0)])
def test_a_side_that_is_too_small_is_not_described(surer: int, less_sure: int, described: int) -> None:
    assert len(said(made.disagreement(surer, less_sure))) == described


@pytest.mark.parametrize("name", ["FSRS-6", "SM-2"])
def test_nothing_is_said_of_what_may_have_seen_the_reviews(name: str) -> None:
    assert not list(verdict_disagreement(report(made.disagreement(), in_sample=[name]).verdict))
