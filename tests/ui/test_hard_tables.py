"""Hard, when a card was forgotten: what is said where something is suspected, where not, and where nothing is known."""

from __future__ import annotations

from dataclasses import replace

import fake
import pytest
from test_wording_of_results import assert_says

from evaluator.sections import hard as section
from evaluator.sections.hard import Hard
from ui.views import load
from ui.views.hard import HARD_EXPERIMENTAL, HARD_FOUND, HARD_HARMLESS, HARD_TOO_FEW
from ui.views.view import Block

SUSPECTED = Hard("FSRS-6", "suspected", None, 1602, 1541, 0.51, 18.5, 6.5)
NOTHING = replace(SUSPECTED, code="not_suspected", likelihood_ratio=1.0)


def shown(found: Hard) -> Block:
    (block,) = load("hard").of(fake.report().with_section("hard", found))
    return block


def everything(block: Block) -> str:
    return " ".join((block.heading, block.caption, *block.notes))


def test_what_is_suspected_is_said_and_what_to_do() -> None:
    block = shown(SUSPECTED)
    assert_says(block.caption, ["After Hard you forget so often that some", "51", "use Again"])
    assert block.notes == (HARD_HARMLESS, HARD_EXPERIMENTAL)


def test_nothing_is_said_plainly() -> None:
    block = shown(NOTHING)
    assert block.caption.startswith(HARD_FOUND["not_suspected"])
    assert "51" not in everything(block)
    assert block.notes == (HARD_EXPERIMENTAL,)


@pytest.mark.parametrize("found", [SUSPECTED, NOTHING])
def test_nobody_is_blamed(found: Hard) -> None:
    said = everything(shown(found)).lower()
    assert "misuse" not in said
    assert "wrong" not in said
    assert "experimental" in said


@pytest.mark.parametrize(
    ("reason", "hard", "words"),
    [
        ("not_evaluated", 70, ["FSRS-6"]),
        ("no_hard", 0, ["never"]),
        ("few_reviews", 1, ["47"]),
        ("few_forgotten", 70, ["3"]),
    ],
)
def test_why_nothing_can_be_said(reason: str, hard: int, words: list[str]) -> None:
    block = shown(Hard("FSRS-6", "too_few", reason, hard, min(hard, 49), least_reviews=47, least_forgotten=3))
    assert_says(block.caption, words)
    assert block.notes == ()


def test_each_reason_has_a_sentence() -> None:
    reasons = section.NOT_EVALUATED, section.NO_HARD, section.FEW_REVIEWS, section.FEW_FORGOTTEN
    assert set(HARD_TOO_FEW) == set(reasons)
    assert set(HARD_FOUND) == {section.SUSPECTED, section.NOT_SUSPECTED}
