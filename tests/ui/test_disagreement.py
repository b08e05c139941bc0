"""Where two algorithms disagree: what is said of it."""

from __future__ import annotations

from dataclasses import replace
from typing import List, Sequence

import fake
import made_graphs as made
import pytest
from told import reads

from evaluator.report import Disagreement, Report
from tools.table import render
from ui.page import page
from ui.views.verdict import answer_and_why, verdict_disagreement, verdict_sentences


def report(of: Disagreement, code: str = "better", in_sample: Sequence[str] = ()) -> Report:
    """The made-up report with that code of its verdict."""
    whole = fake.report()
    verdict = replace(whole.verdict, code=code, disagreement=of, in_sample=tuple(in_sample))
    first = replace(verdict.comparisons[0], code=code)
    return replace(whole, verdict=replace(verdict, comparisons=(first, *verdict.comparisons[1:])))


def said(of: Disagreement, code: str = "better") -> List[str]:
    return list(verdict_disagreement(report(of, code).verdict))


def test_the_verdict_goes_on_with_what_happened_on_both_sides() -> None:
    """Between the answer and its evidence, wherever the verdict is said."""
    whole = report(made.disagreement())
    answer, surer, less_sure, *others = sentences = verdict_sentences(whole.verdict)
    assert reads(
        surer,
        "On 3,214 reviews FSRS-6 was at least 10 points more confident: it said 83 %, SM-2 66 %; you remembered 84 %.",
    )
    assert reads(
        less_sure,
        "On 1,102 reviews FSRS-6 was at least 10 points less confident: it said 74 %, SM-2 89 %; you remembered 71 %.",
    )
    assert ["more confident" in sentence for sentence in (surer, less_sure)] == [True, False]
    assert all("at least 5 points" in sentence for sentence in said(made.disagreement(threshold=0.05)))
    assert (answer, *others) == verdict_sentences(fake.report().verdict)
    for shown, count in ((render(whole), 3), (page(whole), 4)):
        words = " ".join(shown.replace("\N{NO-BREAK SPACE}", " ").split())
        assert all(sentence.replace("\N{NO-BREAK SPACE}", " ") in words for sentence in sentences[:count])


def test_numbers_are_for_who_asks_why() -> None:
    """At most two sentences stand below the answer, and never those of the log loss, however few there are."""
    verdict = fake.report().verdict
    alone = replace(fake.report(), verdict=replace(verdict, comparisons=verdict.comparisons[:1]))
    for whole, below in ((report(made.disagreement()), 2), (fake.report(), 1), (alone, 0)):
        answer, why = answer_and_why(whole)
        assert len(answer) == 1 + below
        assert [*answer, *why] == list(verdict_sentences(whole.verdict))
        assert "In numbers" in " ".join(why)


@pytest.mark.parametrize(("surer", "less_sure", "described"), [(3214, 31, 1), (0, 1102, 1), (0, 31, 0), (0, 0, 0)])
def test_a_side_that_is_too_small_is_not_described(surer: int, less_sure: int, described: int) -> None:
    assert len(said(made.disagreement(surer, less_sure))) == described


@pytest.mark.parametrize("name", ["FSRS-6", "SM-2"])
def test_nothing_is_said_of_what_may_have_seen_the_reviews(name: str) -> None:
    assert not list(verdict_disagreement(report(made.disagreement(), in_sample=[name]).verdict))
