from __future__ import annotations

from dataclasses import replace

import fake
import pytest
from sentence_matching import assert_says

from evaluator.findings import hard as section
from evaluator.report import Hard
from ui.views import load
from ui.views.hard_view import HARD_RESULTS, HARD_SIMULATED, HARD_UNKNOWN
from ui.views.view import Block

SUSPECTED = Hard(
    "FSRS-6",
    "suspected",
    None,
    hard_answers=1602,
    reviews=1541,
    least_reviews=300,
    least_forgotten=10,
    share=0.51,
    likelihood_ratio=18.5,
    limit=6.5,
)
NOT_SUSPECTED = replace(SUSPECTED, code="not_suspected", likelihood_ratio=1.0)


def hard_block(hard: Hard) -> Block:
    (block,) = load("hard").of(replace(fake.report(), hard=hard))
    return block


def text_of(block: Block) -> str:
    return " ".join((block.heading, block.caption, *block.notes)).lower()


def test_only_a_suspicion_comes_with_advice():
    suspected = hard_block(SUSPECTED)
    unsuspected = hard_block(NOT_SUSPECTED)
    assert_says(suspected.caption, ["You seem to press Hard", "51%", "have forgotten", "press Again"])
    assert unsuspected.caption.startswith(HARD_RESULTS["not_suspected"])
    assert "51" not in text_of(unsuspected)
    for block in (suspected, unsuspected):
        assert block.notes == (HARD_SIMULATED,)
        assert not any(word in text_of(block) for word in ("misuse", "wrong"))
        assert "experimental" in text_of(block)


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("not_evaluated", "Unknown: this needs the predictions of FSRS-6."),
        ("no_hard", "Unknown: you never pressed Hard for a card seen on an earlier day."),
        ("few_reviews", "Too few to tell: 12 reviews on a later day after Hard; at least 47 are needed."),
        ("few_forgotten", "Too few to tell: of 12 reviews after Hard you forgot fewer than 3."),
    ],
)
def test_missing_answer_has_only_its_reason(reason, expected):
    too_few = replace(SUSPECTED, code="too_few", reason=reason, reviews=12, least_reviews=47, least_forgotten=3)
    block = hard_block(too_few)
    assert (block.caption, block.notes) == (expected, ())


@pytest.mark.parametrize(
    ("predicted", "percent", "warning"),
    [
        (0.9112, "91.1%", ""),
        (
            0.9243,
            "92.4%",
            " You pressed Hard at predictions as low as those before Again. Press Hard only if you remembered.",
        ),
    ],
)
def test_caption_warns_if_hard_is_pressed_like_again(predicted, percent, warning):
    too_few = replace(SUSPECTED, code="too_few", reason="few_reviews", predicted=(predicted, 0.9236, 0.9512))
    assert hard_block(too_few).caption.partition("are needed. ")[2] == (
        f"The average recall that FSRS-6 predicted was 92.4% before you pressed Hard, {percent} before Again, and "
        f"95.1% before Good or Easy.{warning}"
    )


def test_each_code_has_a_sentence():
    assert set(HARD_RESULTS) == {section.SUSPECTED, section.NOT_SUSPECTED}
    reasons = {section.NOT_EVALUATED, section.NO_HARD, section.TOO_FEW_REVIEWS, section.TOO_FEW_LAPSES}
    assert set(HARD_UNKNOWN) == reasons
