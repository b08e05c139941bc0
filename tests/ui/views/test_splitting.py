from __future__ import annotations

from typing import List, Optional

import pytest
from sentence_matching import assert_says

from evaluator.interval import ConfidenceInterval
from evaluator.report import Comparison, Failure
from evaluator.sections.splitting import Split, Splitting
from ui.text.phrases import all_of
from ui.views.splitting import splitting_sentence


def comparison(difference: float, low: float, high: float, code: str) -> Comparison:
    return Comparison("own", "shared", ConfidenceInterval(difference, low, high, 0.001), code, 0.0034)


BETTER = comparison(-0.0123, -0.0146, -0.0100, "better")
EQUIVALENT = comparison(0.0001, -0.00061, 0.00088, "equivalent")
OPEN = comparison(-0.003, -0.007, 0.001, "cannot_tell")
NUMBERS = ["0.0123", "0.0100", "0.0146"]  #: numbers of the better algorithm


def split(name: str, code: str, c: Optional[Comparison] = OPEN) -> Split:
    return Split(None, name, 1000, 100, 100, 0.3, c, code, None)


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        ("split split", ["Each deck"]),
        ("split keep_together", ["A", "other decks", "show no gain so far"]),
        ("split split either", [all_of(["A", "B"]), "show no gain so far"]),
        ("split split split split cannot_tell", ["4 of 5 decks", "show no gain so far"]),
    ],
)
def test_sentence_names_groups_that_gain(codes: str, words: List[str]) -> None:
    groups = tuple(split(name, code) for name, code in zip("ABCDE", codes.split()))  # noqa: B905 - names to spare
    result = Splitting("deck", "FSRS-6", len(groups), groups, split("", "cannot_tell"))
    assert_says(splitting_sentence(result), words)


@pytest.mark.parametrize(
    ("total", "words"),
    [
        (split("", "keep_together", EQUIVALENT), ["One set", "all decks", "about as well, and is simpler"]),
        (split("", "cannot_tell"), ["leave open", "separate parameters for each deck", "0.0034 would go unnoticed"]),
        (split("", "split", BETTER), ["Give each deck its own", "together", *NUMBERS, "any single deck"]),
        (split("", "either", BETTER), ["One set", "simpler", "barely better", *NUMBERS]),
        (None, ["No deck", "100", "20 cards", "8 days"]),
    ],
)
def test_sentence_covers_all_groups(total: Optional[Split], words: List[str]) -> None:
    groups = (split("A", "cannot_tell"), split("B", "keep_together"))
    assert_says(splitting_sentence(Splitting("deck", "FSRS-6", 2, groups, total)), words)


def test_sentence_says_why_nothing_can_be_split() -> None:
    assert_says(splitting_sentence(Splitting("preset", "FSRS-6", 1)), ["the same preset", "nothing to split"])
    assert_says(splitting_sentence(Splitting("preset", "FSRS-6", 0)), ["no preset is known", "nothing to split"])
    assert_says(splitting_sentence(Splitting("part", "FSRS-6", 1)), ["Only one part", "nothing to split"])
    assert_says(splitting_sentence(Splitting("part", "FSRS-6", 0)), ["no part is known", "nothing to split"])
    unknown = Splitting("deck", "FSRS-6", error=Failure("decks_unknown", {"what": "deck"}))
    assert_says(splitting_sentence(unknown), ["deck is unknown"])
