from __future__ import annotations

from dataclasses import replace

import fake
import pytest
from sentence_matching import assert_says

from evaluator.sections import hard as section
from evaluator.sections.hard import Hard
from ui.views import load
from ui.views.hard import HARD_EXPERIMENTAL, HARD_FOUND
from ui.views.view import Block

SUSPECTED = Hard("FSRS-6", "suspected", None, 1602, 1541, 0.51, 18.5, 6.5)
NOTHING = replace(SUSPECTED, code="not_suspected", likelihood_ratio=1.0)


def shown(result: Hard) -> Block:
    (block,) = load("hard").of(fake.report().with_section("hard", result))
    return block


def everything(block: Block) -> str:
    return " ".join((block.heading, block.caption, *block.notes))


def test_what_is_suspected_is_said_and_what_to_do() -> None:
    block = shown(SUSPECTED)
    assert_says(block.caption, ["After Hard you forget so often that some", "51", "use Again"])
    assert block.notes == (HARD_EXPERIMENTAL,)


def test_nothing_is_said_plainly() -> None:
    block = shown(NOTHING)
    assert block.caption.startswith(HARD_FOUND["not_suspected"])
    assert "51" not in everything(block)
    assert block.notes == (HARD_EXPERIMENTAL,)


@pytest.mark.parametrize("result", [SUSPECTED, NOTHING])
def test_nobody_is_blamed(result: Hard) -> None:
    text = everything(shown(result)).lower()
    assert "misuse" not in text
    assert "wrong" not in text
    assert "experimental" in text


def test_what_is_needed_is_said_where_nothing_can_be() -> None:
    block = shown(Hard("FSRS-6", "too_few", "few_reviews", 1, 1, least_reviews=47, least_forgotten=3))
    assert_says(block.caption, ["FSRS-6", "47", "3"])
    assert block.notes == ()


def test_each_code_has_a_sentence() -> None:
    assert set(HARD_FOUND) == {section.SUSPECTED, section.NOT_SUSPECTED}
