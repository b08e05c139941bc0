from __future__ import annotations

import re
from typing import Any, Dict, List, Tuple, Type

import pytest
from expected_texts import expected_texts
from sentence_matching import assert_complete

from evaluator import errors
from evaluator.data.row_accounting import ROW_OUTCOMES, UNREADABLE_REASONS
from evaluator.errors import EvaluatorError
from evaluator.metrics import METRICS
from evaluator.report import AlgorithmResult, Failure
from ui.text import strings
from ui.text.error_sentences import ERRORS, error_sentence
from ui.views.metric_views import VIEWS

#: Realistic facts of errors by their names.
FACTS: Dict[str, Any] = {
    "path": "notes.colpkg",
    "preset": "Law",
    "folder": "/temporary",
    "table": "revlog",
    "column": "ease",
    "value": "good",
    "option": "folds",
    "allowed": "2 to 100",
    "search": "((a))",
    "depth": 10_000,
    "one": "note:Cloze",
    "other": "tag:verb",
    "detail": "unexpected end",
    "what": "deck",
    "name": "Spansh",
    "suggestions": ["Spanish", "Span"],
    "known": ["Spanish", "Span", "Default"],
    "missing": ["cid", "ease"],
    "found": ["id", "factor"],
    "funnel": [("never_learned", 1200), ("cram", 34)],
    "rows": 50_000_000,
    "kilobytes": 7,
    "most": 10_000_000,
    "gigabytes": 20.0,
    "line": 17,
    "cards": 1200,
    "count": 35,
    "reviews": 1234,
    "uncovered": 18,
    "first": 1_700_000_000_123,
    "needed": 6,
    "folds": 5,
    "outcome": 1,
    "since": "2030-01-01",
    "last": "2024-06-30",
    "same_day": 1_212,
    "version": 8,
}
#: Errors whose facts or texts differ from those by name: other facts, and the texts to expect.
SPECIAL: Dict[str, Any] = {
    "all_filtered": ({}, ["reviews of cards with no learning step (1,200); cramming reviews (34)"]),
    "no_later_day": (
        {"days": 1},
        [
            "All 1,234 reviews",
            "one day",
            "at least 6 days",
            "1,212 of the reviews are same-day reviews",
            "cramming reviews (34)",
        ],
    ),
    "bad_option": ({}, ["folds", "good", "2 to 100"]),
    "optimizer_failed": ({"detail": "panic."}, ["panic."]),
    "one_outcome": ({}, ["1,234", "remembered"]),
}


def facts_and_texts(error: Type[EvaluatorError]) -> Tuple[Dict[str, Any], List[str]]:
    """Return the facts that the error's docstring names, and the texts that its sentence must contain."""
    names = re.sub(r"\([^)]*\)", "", (error.__doc__ or "").partition("Facts: ")[2])
    special_facts, texts = SPECIAL.get(error.code, ({}, None))
    facts = {name: FACTS[name] for name in re.findall(r"\w+", names) if name in FACTS} | special_facts
    stated = [fact for name, fact in facts.items() if name != "known"]
    values = [value for fact in stated for value in (fact if isinstance(fact, list) else [fact])]
    return facts, values if texts is None else texts


def all_errors() -> List[Type[EvaluatorError]]:
    """Return every error class of the evaluator that is not a base class."""
    classes = [value for value in vars(errors).values() if isinstance(value, type)]
    bases = (EvaluatorError, errors.NothingToCompare)
    return [value for value in classes if issubclass(value, EvaluatorError) and value not in bases]


@pytest.mark.parametrize("error", all_errors(), ids=lambda error: error.code)
def test_every_error_has_a_sentence_with_its_facts(error):
    facts, texts = facts_and_texts(error)
    sentence = error_sentence(error(**facts))
    assert_complete(sentence)
    for item in texts:
        assert str(item) in sentence or (isinstance(item, int) and f"{item:,}" in sentence), item


def test_codes_are_unique_and_each_sentence_has_one():
    codes = [error.code for error in all_errors()]
    assert len(set(codes)) == len(codes)
    assert set(ERRORS) <= {*codes, "arithmetic", "mistake"}


CASES = {
    "no columns": errors.MissingColumns(path="a.csv", missing=["cid"], found=[]),
    "rounded column": errors.BadColumn(path="a.csv", column="id", rows=4, value="1,6E+12"),
    "no presets": errors.UnknownName(what="preset", name="x", suggestions=[], known=[]),
    "one preset": errors.UnknownName(what="preset", name="x", suggestions=[], known=["Default"]),
    "many decks": errors.UnknownName(what="deck", name="x", suggestions=[], known=list("abcdefghijklmnopqrst")),
    "similar preset": errors.UnknownName(what="preset", name="x", suggestions=["A"], known=["A"]),
    "one review": errors.TooFewReviews(reviews=1, needed=3, folds=2),
    "one row": errors.AllFiltered(rows=1, funnel=[("cram", 1)]),
    "outliers": errors.AllFiltered(rows=9, funnel=[("outlier", 2), ("after_outlier", 3), ("first_review", 4)]),
    "never learned": errors.AllFiltered(rows=9, funnel=[("never_learned", 9)]),
    "only one review": errors.NoLaterDay(reviews=1, cards=1, days=1, needed=8, same_day=0, funnel=[]),
    "three days": errors.NoLaterDay(reviews=312, cards=104, days=3, needed=8, same_day=0, funnel=[]),
    "one day": errors.NoLaterDay(reviews=312, cards=104, days=1, needed=8, same_day=208, funnel=[]),
    "all forgotten": errors.OneOutcome(reviews=5, outcome=0),
    "presets unknown": errors.DecksUnknown(what="preset"),
    "two lines": errors.BadSearch(search="(", detail="an opening\nbracket"),
    "ended": errors.BadSearch(search="(", detail="no."),
    "singular": Failure("arithmetic", {"detail": "It is singular."}),
}
TEXTS = expected_texts("errors.txt")


@pytest.mark.parametrize("case", CASES)
def test_special_cases_have_their_own_sentence(case):
    sentence = error_sentence(CASES[case])
    assert sentence == TEXTS[case]
    assert_complete(sentence)


def test_each_outcome_of_rows_has_a_text():
    assert list(strings.ROW_OUTCOMES) == [*UNREADABLE_REASONS, *(step for step, _ in ROW_OUTCOMES)]
    for text in strings.ROW_OUTCOMES.values():
        assert_complete(text.meaning)
        assert text.name[0].islower()
        assert not text.name.endswith(".")
    assert len({text.name for text in strings.ROW_OUTCOMES.values()}) == len(strings.ROW_OUTCOMES)


def test_every_shown_metric_is_in_the_report():
    for name, view in VIEWS.items():
        assert name == "log_loss" or name in METRICS
        assert view.better in {"lower", "higher", "zero"}
        assert_complete(view.definition)
    assert len({view.label for view in VIEWS.values()}) == len(VIEWS)


def test_no_metric_is_named_like_a_field_of_a_row():
    assert not METRICS.keys() & AlgorithmResult.__dataclass_fields__.keys()


def test_long_input_is_elided_in_messages():
    deck = "Languages::" + "x" * 5000 + "::Verbs"
    for error, excerpt in (
        (errors.BadOption(option="folds", value=[1] * 5000, allowed="2"), "[1, 1, 1, "),
        (errors.BadOption(option="folds", value=deck, allowed="2"), "'Languages::xxx"),
        (errors.BadSearch(search=deck, detail="odd"), "'Languages::xxx"),
        (errors.BadSearch(search="a", detail=deck), "Languages::xxx"),
        (errors.BadCell(path="a", line=2, column="id", value="9" * 5000), "'9999"),
        (errors.DamagedFile(path="a", detail=deck), "Languages::xxx"),
        (errors.MissingColumns(path="a", missing=["id"], found=[deck] * 500), "482"),
        (errors.UnknownName(what="deck", name=deck, suggestions=[deck], known=[]), "'Languages::xxx"),
        (errors.UnknownName(what="deck", name="x", suggestions=[], known=[deck] * 20), "::Verbs', 'Languages::xxx"),
    ):
        sentence = error_sentence(error)
        assert excerpt in sentence
        assert len(sentence) < 2500
    assert "'s'" in error_sentence(errors.BadOption(option="folds", value="s", allowed="2"))
