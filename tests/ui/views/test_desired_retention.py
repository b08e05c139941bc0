"""The sentence on what was remembered at the desired retention."""

from __future__ import annotations

from dataclasses import replace

import fake
import pytest

from evaluator.interval import Interval
from evaluator.report import Accuracy, RecallNear
from evaluator.scoring.retention import RetentionGroup, RetentionOfAlgorithm
from ui.views import PAGES, load


def caption(*algorithms: RetentionOfAlgorithm, headline: str | None = None) -> str:
    group = RetentionGroup(
        desired_retention=0.9,
        assumed=False,
        presets=("Default",),
        decks=("Own",),
        reviews=algorithms[0].near.reviews,
        algorithms=algorithms,
    )
    report = replace(fake.report(), accuracy=Accuracy("target", headline) if headline else None)
    (block,) = load("desired_retention").of(report.with_section("desired_retention", (group,)))
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
        ("FSRS-6", 0, None, Interval(0.0), "FSRS-6 (optimized) never predicted about 90%."),
    ],
)
def test_what_is_said(algorithm: str, reviews: int, predicted: float | None, recalled: Interval, said: str) -> None:
    near = RecallNear(reviews, predicted, recalled)
    assert caption(RetentionOfAlgorithm(algorithm, in_sample=False, near=near)).startswith(said)


@pytest.mark.parametrize(
    ("headline", "named"), [("FSRS-6", "FSRS-6 (optimized)"), ("FSRS-7", "your parameters"), (None, "your parameters")]
)
def test_the_algorithm_is_that_of_the_headline(headline: str | None, named: str) -> None:
    """If it is not among them, the first stands for it."""
    near = RecallNear(900, 0.898, Interval(0.88, 0.86, 0.90))
    some = [RetentionOfAlgorithm(name, in_sample=False, near=near) for name in ("Your parameters", "FSRS-6")]
    assert caption(*some, headline=headline).startswith(f"When {named} said 90%")


def test_it_is_for_experts() -> None:
    """The first screen says it; the tab about work does not say it again."""
    assert [page.title for page in PAGES if "desired_retention" in page.views] == ["For experts"]
