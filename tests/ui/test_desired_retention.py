"""The sentence on what was remembered at the desired retention."""

from __future__ import annotations

import fake
import pytest

from evaluator.interval import Interval
from evaluator.report import RecallNear
from evaluator.sections.desired_retention import RetentionGroup, RetentionOfAlgorithm
from ui.views import load


def caption(algorithm: str, reviews: int, predicted: float | None, recalled: Interval) -> str:
    near = RecallNear(reviews, predicted, recalled)
    group = RetentionGroup(
        desired_retention=0.9,
        assumed=False,
        presets=("Default",),
        decks=("Own",),
        reviews=reviews,
        algorithms=(RetentionOfAlgorithm(algorithm, in_sample=False, near=near),),
    )
    (block,) = load("desired_retention").of(fake.report().with_section("desired_retention", (group,)))
    assert block.notes[:2] == ("Presets: Default.", "Decks that set it themselves: Own.")
    return block.caption.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("algorithm", "reviews", "predicted", "recalled", "said"),
    [
        (
            "Your parameters",
            100,
            0.898,
            Interval(0.88, 0.86, 0.90),
            "When your parameters said 90%, you remembered 88%",
        ),
        ("FSRS-6", 99, 0.91, Interval(1.0), "Only 99 reviews were predicted at about 90%: too few to tell."),
        ("FSRS-6", 0, None, Interval(0.0), "FSRS-6 never predicted about 90%."),
    ],
)
def test_what_is_said(algorithm: str, reviews: int, predicted: float | None, recalled: Interval, said: str) -> None:
    assert caption(algorithm, reviews, predicted, recalled).startswith(said)
