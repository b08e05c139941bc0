from __future__ import annotations

from typing import Optional

import pytest
from expected_texts import expected_texts

from evaluator.interval import ConfidenceInterval
from evaluator.report import Comparison, Failure
from evaluator.sections.splitting import Split, Splitting
from ui.views.splitting import splitting_sentence


def comparison(difference: float, low: float, high: float, code: str) -> Comparison:
    return Comparison("own", "shared", ConfidenceInterval(difference, low, high, 0.001), code, 0.0034)


BETTER = comparison(-0.0123, -0.0146, -0.0100, "better")
EQUIVALENT = comparison(0.0001, -0.00061, 0.00088, "equivalent")
OPEN = comparison(-0.003, -0.007, 0.001, "cannot_tell")


def split(name: str, code: str, c: Optional[Comparison] = OPEN) -> Split:
    return Split(None, name, 1000, 100, 100, 0.3, c, code, None)


def splitting(codes: str, total: Optional[Split]) -> Splitting:
    groups = tuple(split(name, code) for name, code in zip("ABCDE", codes.split()))  # noqa: B905 - names to spare
    return Splitting("deck", "FSRS-6", len(groups), groups, total)


UNCERTAIN = split("", "cannot_tell")
CASES = {
    "each gains": splitting("split split", UNCERTAIN),
    "one gains": splitting("split keep_together", UNCERTAIN),
    "two gain": splitting("split split either", UNCERTAIN),
    "four gain": splitting("split split split split cannot_tell", UNCERTAIN),
    "none gains": splitting("cannot_tell keep_together", split("", "keep_together", EQUIVALENT)),
    "unclear": splitting("cannot_tell keep_together", UNCERTAIN),
    "together they gain": splitting("cannot_tell keep_together", split("", "split", BETTER)),
    "together they gain little": splitting("cannot_tell keep_together", split("", "either", BETTER)),
    "too few": splitting("cannot_tell keep_together", None),
    "one preset": Splitting("preset", "FSRS-6", 1),
    "no preset": Splitting("preset", "FSRS-6", 0),
    "one part": Splitting("part", "FSRS-6", 1),
    "no part": Splitting("part", "FSRS-6", 0),
    "decks unknown": Splitting("deck", "FSRS-6", error=Failure("decks_unknown", {"what": "deck"})),
}
TEXTS = expected_texts("splitting.txt")


@pytest.mark.parametrize("case", CASES)
def test_sentence_answers_whether_to_split(case: str) -> None:
    assert splitting_sentence(CASES[case]) == TEXTS[case]
