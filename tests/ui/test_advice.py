"""What to do about parameters of presets and decks, in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional

import pytest

from evaluator.interval import Interval
from evaluator.report import Comparison, Failure
from evaluator.sections.splitting import Split, Splitting
from ui.views.splitting import split_sentence, splitting_sentence


def comparison(difference: float, low: float, high: float, code: str) -> Comparison:
    return Comparison("own", "shared", Interval(difference, low, high, 0.001), code, 0.0034)


BETTER = comparison(-0.0123, -0.0146, -0.0100, "better")
WORSE = comparison(0.0021, 0.0004, 0.0038, "worse")
EQUIVALENT = comparison(0.0001, -0.00061, 0.00088, "equivalent")
LITTLE = comparison(0.001, -0.00191, 0.0041, "cannot_tell")
NOTHING = comparison(0.002, 0.0001, 0.0041, "cannot_tell")
OPEN = comparison(-0.003, -0.007, 0.001, "cannot_tell")


def split(name: str, code: str, c: Optional[Comparison] = OPEN) -> Split:
    return Split(None, name, 1000, 100, 100, 0.3, c, code, None)


def plain(sentence: str) -> str:
    return sentence.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("code", "c", "own_now", "sentence"),
    [
        (
            "split", BETTER, False,
            "Give the preset Law its own parameters: they predict better (by 0.0123; 95 % interval: 0.0100 to 0.0146).",
        ),
        (
            "split", BETTER, True,
            ("Let the preset Law keep its own parameters: they predict better (by 0.0123; 95 % interval: 0.0100 to "
            "0.0146)."),
        ),
        (
            "either", BETTER, None,
            ("For the preset Law own parameters predict better, but hardly (by 0.0123; 95 % interval: 0.0100 to "
            "0.0146): either will do."),
        ),
        (
            "keep_together", EQUIVALENT, False,
            "Leave the preset Law with the shared parameters: own ones would change log loss by at most 0.0009.",
        ),
        (
            "keep_together", LITTLE, True,
            "Give the preset Law the same parameters as the others: own ones would lower log loss by at most 0.0020.",
        ),
        (
            "keep_together", WORSE, None,
            ("Leave the preset Law with the shared parameters: own ones predict worse (by 0.0021; 95 % interval: "
            "0.0004 to 0.0038)."),
        ),
        ("keep_together", NOTHING, None, "Leave the preset Law with the shared parameters: own ones gain nothing."),
        (
            "cannot_tell", OPEN, True,
            ("Whether the preset Law should have its own parameters cannot be told yet: only differences above 0.0034 "
            "could have been shown."),
        ),
        (
            "too_few", None, None,
            "The preset Law has too few reviews to tell: at least 100 scored ones of 40 cards on 40 days are needed.",
        ),
    ],
)  # fmt: skip
def test_of_one_preset(code: str, c: Optional[Comparison], own_now: Optional[bool], sentence: str) -> None:
    assert plain(split_sentence("preset", replace(split("Law", code, c), own_now=own_now))) == sentence


@pytest.mark.parametrize(
    ("codes", "sentence"),
    [
        ("split split", "Each deck should have its own parameters: they predict better."),
        ("split keep_together", "The deck A should have own parameters; for the other decks one set will do."),
        ("split split either", "The decks A and B should have own parameters; for the other decks one set will do."),
        ("split too_few", "The deck A should have own parameters; for the other decks no gain is shown so far."),
        (
            "split split split split cannot_tell",
            "4 of 5 decks should have own parameters; for the other decks no gain is shown so far.",
        ),
    ],
)
def test_of_some(codes: str, sentence: str) -> None:
    """Those that gain are named, if they are few; no more is said of the others than is known."""
    groups = tuple(split(name, code) for name, code in zip("ABCDE", codes.split()))  # noqa: B905 - names to spare
    found = Splitting("deck", "FSRS-6", len(groups), groups, split("", "cannot_tell"))
    assert splitting_sentence(found) == sentence


@pytest.mark.parametrize(
    ("total", "sentence"),
    [
        (
            split("", "keep_together", EQUIVALENT),
            "Keep one set of parameters for all decks: own ones would change log loss by at most 0.0009.",
        ),
        (
            split("", "cannot_tell"),
            (
                "Keep one set of parameters for all decks for now, which is simpler: whether own ones predict better "
                "cannot be told yet, as only differences above 0.0034 could have been shown."
            ),
        ),
        (
            split("", "split", BETTER),
            (
                "Give each deck its own parameters: together they predict better (by 0.0123; 95 % interval: 0.0100 to "
                "0.0146), though it cannot be told of any single deck."
            ),
        ),
        (
            split("", "either", BETTER),
            (
                "Keep one set of parameters for all decks, which is simpler: own ones predict better, but hardly (by "
                "0.0123; 95 % interval: 0.0100 to 0.0146)."
            ),
        ),
        (
            None,
            (
                "No deck has enough reviews yet to try own parameters: at least 100 scored ones of 40 cards on 40 days "
                "are needed."
            ),
        ),
    ],
)
def test_of_all(total: Optional[Split], sentence: str) -> None:
    groups = (split("A", "cannot_tell"), split("B", "keep_together"))
    assert plain(splitting_sentence(Splitting("deck", "FSRS-6", 2, groups, total))) == sentence


def test_nothing_to_split() -> None:
    one, none = (splitting_sentence(Splitting("preset", "FSRS-6", in_use)) for in_use in (1, 0))
    assert one == "All your cards have the same preset: there is nothing to split."
    assert "no preset is known" in none


def test_it_is_not_known_where_cards_belong() -> None:
    unknown = Splitting("deck", "FSRS-6", error=Failure("decks_unknown", {"what": "deck"}))
    assert splitting_sentence(unknown).startswith("It is not known which deck each card belongs to.")
