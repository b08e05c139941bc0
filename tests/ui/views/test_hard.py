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


def hard_block(result: Hard) -> Block:
    (block,) = load("hard").of(fake.report().with_section("hard", result))
    return block


def everything(block: Block) -> str:
    return " ".join((block.heading, block.caption, *block.notes))


def test_a_suspicion_comes_with_advice() -> None:
    block = hard_block(SUSPECTED)
    assert_says(block.caption, ["After Hard you forget so often that some", "51", "use Again"])
    assert block.notes == (HARD_EXPERIMENTAL,)


def test_no_advice_is_stated_plainly() -> None:
    block = hard_block(NOTHING)
    assert block.caption.startswith(HARD_FOUND["not_suspected"])
    assert "51" not in everything(block)
    assert block.notes == (HARD_EXPERIMENTAL,)


@pytest.mark.parametrize("result", [SUSPECTED, NOTHING])
def test_no_collection_is_blamed(result: Hard) -> None:
    text = everything(hard_block(result)).lower()
    assert "misuse" not in text
    assert "wrong" not in text
    assert "experimental" in text


def test_the_requirement_is_stated_if_no_answer_is_possible() -> None:
    block = hard_block(Hard("FSRS-6", "too_few", "few_reviews", 1, 1, least_reviews=47, least_forgotten=3))
    assert_says(block.caption, ["FSRS-6", "47", "3"])
    assert block.notes == ()


def test_each_code_has_a_sentence() -> None:
    assert set(HARD_FOUND) == {section.SUSPECTED, section.NOT_SUSPECTED}
