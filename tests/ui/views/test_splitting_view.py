from __future__ import annotations

from dataclasses import replace
from typing import Any, Optional

import pytest
from expected_texts import expected_texts
from sentence_matching import contains_sentence, matches_sentence

from evaluator.interval import ConfidenceInterval
from evaluator.report import Comparison, Failure
from evaluator.sections.splitting_section import Split, Splitting
from ui.views.splitting_view import block, splitting_sentence


def comparison(difference: float, low: float, high: float, code: str) -> Comparison:
    return Comparison("own", "shared", ConfidenceInterval(difference, low, high, 0.001), code)


BETTER = comparison(-0.0123, -0.0146, -0.0100, "better")
EQUIVALENT = comparison(0.0001, -0.00061, 0.00088, "equivalent")
UNDECIDED = comparison(-0.003, -0.007, 0.001, "cannot_tell")


def split(name: str, code: str, comparison: Optional[Comparison] = UNDECIDED, **facts: Any) -> Split:
    """Return a split of 1,000 reviews with this result, and with these facts in place of the usual ones."""
    usual = {"label": 7, "reviews": 1000, "cards": 100, "days": 100, "shared_log_loss": 0.3}
    return Split(name=name, code=code, comparison=comparison, **{**usual, **facts})


def splitting(codes: str, total: Optional[Split]) -> Splitting:
    """Return a splitting by decks with these codes."""
    groups = tuple(split(name, code) for name, code in zip("ABCDE", codes.split()))  # noqa: B905 - some names are left
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
def test_sentence_answers_whether_to_split(case):
    assert splitting_sentence(CASES[case]) == TEXTS[case]


ALL = split("", "split", BETTER, label=None, reviews=3000, cards=300)


def test_rows_say_what_to_do():
    law = split("Law", "split", BETTER, reviews=2000, cards=200, own_now=False)
    art = split("Art", "too_few", None, reviews=900, cards=90)
    shown_block = block(Splitting("preset", "FSRS-6", 2, (law, art), ALL))
    assert matches_sentence(
        shown_block.table.rows,
        (
            ("Law", "200", "2,000", "−0.0123", "−0.0146 to −0.0100", "give it its own"),
            ("Art", "90", "900", "–", "–", "too few to tell"),
            ("All presets", "300", "3,000", "−0.0123", "−0.0146 to −0.0100", "separate parameters are better"),
        ),
    )
    assert contains_sentence(
        shown_block.caption, "Law should have separate parameters; no other preset shows a gain so far."
    )


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("split", ["keep its own", "give it its own", "give it its own", "separate parameters are better"]),
        ("either", ["either will do"] * 4),
        ("keep_together", ["merge: use the shared ones", *["use the shared ones"] * 2, "one set will do"]),
        ("cannot_tell", ["not yet clear"] * 4),
        ("too_few", ["too few to tell"] * 4),
        ("rare_outcome", ["too few to tell"] * 4),
    ],
)
def test_each_code_has_its_words(code, words):
    groups = tuple(split("A", code, BETTER, own_now=own_now) for own_now in (True, False, None))
    shown_block = block(Splitting("deck", "FSRS-6", 2, groups, replace(ALL, code=code)))
    assert [row[-1] for row in shown_block.table.rows] == words


def test_cards_that_no_search_found_are_the_rest():
    groups = (split("note:Cloze", "keep_together"), split("", "split", label=0))
    shown_block = block(Splitting("part", "FSRS-6", 2, groups, ALL))
    assert [row[0] for row in shown_block.table.rows] == ["note:Cloze", "(the rest)", "All parts"]
    assert contains_sentence(
        shown_block.caption, "(the rest) should have separate parameters; no other part shows a gain so far."
    )


def test_single_group_has_no_table():
    shown_block = block(Splitting("preset", "FSRS-6", 1))
    assert (shown_block.table.rows, shown_block.table.columns) == ((), ())
    assert contains_sentence(shown_block.caption, "there is nothing to split.")


@pytest.mark.parametrize(("count", "unlisted"), [(40, "10 smaller decks"), (31, "1 smaller deck")])
def test_at_most_thirty_groups_are_listed(count, unlisted):
    groups = tuple(split(str(size), "too_few", None, reviews=size) for size in range(2000, 2000 - count, -1))
    shown_block = block(Splitting("deck", "FSRS-6", len(groups), groups, None))
    assert [row[0] for row in shown_block.table.rows] == [str(size) for size in range(2000, 1970, -1)]
    assert shown_block.caption.startswith("No deck has enough reviews yet")
    assert shown_block.notes == (f"Not listed: {unlisted} (tested reviews: at most 1,970).",)
