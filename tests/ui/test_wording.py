"""Every sentence that a person may read."""

from __future__ import annotations

import importlib
import re
from typing import Any, Dict, List, Type

import pytest

from evaluator import errors
from evaluator.algorithms import CATALOGUE
from evaluator.errors import EvaluatorError
from evaluator.funnel import WAYS
from evaluator.metrics import FILES, METRICS
from evaluator.report import AlgorithmResult, Failure
from ui.text import strings
from ui.text.errors import _COMPOSED, ERRORS, error_sentence
from ui.views.metrics import VIEWS

#: What a person would have met: facts, and a part of the sentence that must carry them.
REALISTIC: Dict[str, Any] = {
    "file_missing": ({"path": "/home/ada/col.anki2"}, "There is no file at /home/ada/col.anki2."),
    "not_a_collection": ({"path": "notes.txt"}, "notes.txt is not an Anki collection."),
    "damaged_file": ({"path": "a.colpkg", "detail": "unexpected end"}, "a.colpkg is damaged and cannot be read (un"),
    "unreadable_csv": (
        {"path": "log.csv.gz", "detail": "the compressed file ends too early"},
        "log.csv.gz cannot be read as CSV: the compressed file ends too early. Correct it",
    ),
    "too_large": (
        {"path": "a.colpkg", "found": 6_000_000_001, "most": 3_000_000_000},
        "a.colpkg may unpack to 6,001 MB, but at most 3,000 MB are unpacked",
    ),
    "too_many_rows": (
        {"table": "revlog", "rows": 50_000_000, "most": 10_000_000},
        "The table revlog has 50,000,000 rows, but at most 10,000,000 are read",
    ),
    "no_room": (
        {"path": "a.colpkg", "folder": "/temporary", "free": 1_999_999},
        "There is no room to copy a.colpkg into /temporary, where temporary files go (1 MB are free).",
    ),
    "collection_in_use": ({"path": "col.anki2"}, "col.anki2 is open in another program."),
    "collection_closed": ({}, "The collection was closed."),
    "missing_columns": (
        {"path": "log.csv", "missing": ["cid", "ease"], "found": ["id"]},
        "log.csv lacks the columns cid, ease. Its first line has: id.",
    ),
    "bad_cell": (
        {"path": "log.csv", "line": 17, "column": "ease", "value": "good"},
        "log.csv, line 17: ease should be a whole number of at most 18 digits but is 'good'.",
    ),
    "bad_option": ({"option": "folds", "value": 1, "allowed": "2 to 100"}, "folds cannot be 1. Allowed: 2 to 100."),
    "unknown_algorithm": (
        {"name": "FSRS6", "suggestions": ["FSRS-6", "FSRS-5"], "known": ["AVG"]},
        "There is no algorithm 'FSRS6'. Did you mean FSRS-6 or FSRS-5?",
    ),
    "unknown_name": (
        {"what": "deck", "name": "Spansh", "suggestions": ["Spanish", "Span"], "known": ["Spanish", "Span", "Default"]},
        "There is no deck 'Spansh'. Did you mean 'Spanish' or 'Span'?",
    ),
    "unknown_setting": (
        {"name": "fold", "suggestions": ["folds"], "known": ["algorithms", "folds"]},
        "There is no setting 'fold'. Did you mean 'folds'?",
    ),
    "bad_search": (
        {"search": "(", "detail": "an opening bracket\nwas found"},
        "search for '(': an opening bracket was",
    ),
    "search_too_complex": ({"search": "((a))"}, "Anki cannot search for '((a))': it is too long, or too many"),
    "search_impossible": ({}, "Only a collection or a package can be searched"),
    "nothing_in_scope": ({"cards": 1200}, "none of the 1,200 cards has been reviewed yet."),
    "decks_unknown": ({"what": "preset"}, "It is not known which preset each card belongs to."),
    "no_parameters": ({"presets": 3}, "No preset holds FSRS parameters (3 looked at)."),
    "odd_parameters": ({"count": 35}, "There are 35 FSRS parameters that cannot be used"),
    "optimiser_missing": ({}, "Anki's own optimiser is not installed here."),
    "optimiser_failed": ({"detail": "panic."}, "Anki's own optimiser failed: panic."),
    "reviews_uncovered": (
        {"reviews": 1234, "uncovered": 17, "first": 1_700_000_000_123},
        "The file lacks 17 of the 1,234 scored reviews (the first has the review id 1700000000123).",
    ),
    "bad_predictions": (
        {"path": "mine.csv", "detail": "'2' in line 3 is no probability"},
        "mine.csv cannot be used as predictions: '2' in line 3 is no probability.",
    ),
    "empty_revlog": ({}, "There are no reviews in it"),
    "all_filtered": (
        {"rows": 1234, "funnel": [("never_learned", 1200), ("cram", 34)]},
        (
            "The review log has 1,234 rows, but none can be scored: "
            "1,200 reviews of cards whose learning is missing; 34 cramming reviews."
        ),
    ),
    "nothing_since": (
        {"since": "2030-01-01", "last": "2024-06-30"},
        "There are no reviews to score from 2030-01-01 on. The last one is of 2024-06-30",
    ),
    "too_few_reviews": (
        {"reviews": 4, "needed": 6, "folds": 5},
        "4 reviews can be scored, but at least 6 are needed to train and test on 5 folds.",
    ),
    "one_outcome": ({"reviews": 1200, "outcome": 1}, "All 1,200 scored reviews were remembered"),
}

#: Of reports only: nothing is raised for them.
FURTHER_CODES: Dict[str, Any] = {
    "arithmetic": ({"detail": "singular"}, "singular"),
    "no_result": ({"algorithm": "FSRS-rs"}, "FSRS-rs has no result."),
}


def all_errors() -> List[Type[EvaluatorError]]:
    """Every class of the family that the package itself defines."""
    classes = [found for found in vars(errors).values() if isinstance(found, type)]
    errors_ = [found for found in classes if issubclass(found, EvaluatorError) and found is not EvaluatorError]
    return [found for found in errors_ if "code" in vars(found)]  # others are bases


def no_leftovers(text: str) -> None:
    """A sentence, with nothing of a template in it."""
    assert re.match(r"\S", text)
    assert text.endswith((".", "?"))
    assert not re.search(r"[{}]|None\b(?! of)|\bnan\b|<lambda>|%[sdr]|  |\(\)|\.\.", text), text


@pytest.mark.parametrize("error", all_errors(), ids=lambda error: error.code)
def test_every_error_has_a_sentence(error: Type[EvaluatorError]) -> None:
    """With its numbers, and what to do."""
    facts, said = REALISTIC[error.code]
    sentence = error_sentence(error(**facts))
    no_leftovers(sentence)
    assert said in sentence


@pytest.mark.parametrize("code", FURTHER_CODES)
def test_every_further_reason_has_a_sentence(code: str) -> None:
    """Why a row of a report has no numbers."""
    facts, said = FURTHER_CODES[code]
    assert error_sentence(Failure(code, facts)) == said


def test_codes_are_unique_and_all_worded() -> None:
    """One sentence per code, and no sentence without one."""
    codes = [error.code for error in all_errors()]
    assert len(set(codes)) == len(codes)
    assert set(codes) == set(REALISTIC)
    assert {*codes, *FURTHER_CODES} == {*ERRORS, *_COMPOSED}


@pytest.mark.parametrize("error", all_errors(), ids=lambda error: error.code)
def test_facts_are_documented(error: Type[EvaluatorError]) -> None:
    """The docstring names each fact that the sentence takes."""
    for fact in REALISTIC[error.code][0]:
        assert fact in (error.__doc__ or "")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            errors.MissingColumns(path="a.csv", missing=["cid"], found=[]),
            "lacks the column cid. Its first line has: no",
        ),
        (errors.NoParameters(presets=0), "There are no presets in it, and so no FSRS parameters"),
        (errors.UnknownName(what="preset", name="x", suggestions=[], known=[]), "There are none."),
        (errors.UnknownName(what="preset", name="x", suggestions=[], known=["Default"]), "There is 'Default'."),
        (
            errors.UnknownName(what="deck", name="x", suggestions=[], known=list("abcdefghijklmnopqr")),
            "'p' and 2 more.",
        ),
        (errors.UnknownAlgorithm(name="x", suggestions=[], known=["all", "AVG"]), "Known: all, AVG."),
        (errors.TooFewReviews(reviews=1, needed=3, folds=2), "1 review can be scored, but at least 3 are needed"),
        (errors.AllFiltered(rows=1, funnel=[("cram", 1)]), "The review log has 1 row, but none can be scored"),
        (
            errors.AllFiltered(rows=9, funnel=[("outlier", 2), ("after_outlier", 3), ("first_review", 4)]),
            "was seen on an earlier day. Without the outlier filter 5 reviews could.",
        ),
        (errors.OneOutcome(reviews=5, outcome=0), "All 5 scored reviews were forgotten"),
    ],
)
def test_special_cases(error: EvaluatorError, said: str) -> None:
    """One of something, none of something, the other outcome."""
    no_leftovers(error_sentence(error))
    assert said in error_sentence(error)


def test_an_error_says_what_it_is() -> None:
    """In a log its text is the code with the facts."""
    assert str(errors.BadOption(option="folds", value=1, allowed="2")).startswith("bad_option: {'option': 'folds'")


def test_every_way_of_the_funnel_has_a_text() -> None:
    """In the order in which the ways are taken: short completes a count, long is a sentence."""
    assert list(strings.FUNNEL) == [*(step for step, _ in WAYS), "uncovered"]
    for text in strings.FUNNEL.values():
        no_leftovers(text.meaning)
        assert text.name[0].islower()
        assert not text.name.endswith(".")
    assert len({text.name for text in strings.FUNNEL.values()}) == len(strings.FUNNEL)


def test_every_way_has_a_known_use() -> None:
    """Scored, training, history or left out."""
    assert {use for _, use in WAYS} == {"scored", "training", "history", "left_out"}


def test_every_metric_that_is_shown_is_one_of_the_result() -> None:
    """With a label of its own, a direction, and a definition in sentences."""
    for name, view in VIEWS.items():
        assert name == "log_loss" or name in METRICS
        assert view.better in {"lower", "higher"}
        no_leftovers(view.definition)
    assert len({view.label for view in VIEWS.values()}) == len(VIEWS)


def test_keys_of_metrics_are_their_own() -> None:
    """No two metrics have the same, and none is called as something else in a row, since they are flat in the JSON."""
    families = [importlib.import_module(f"evaluator.metrics.{name}") for name in FILES]
    assert len(METRICS) == sum(len(family.METRICS) for family in families)
    assert not METRICS.keys() & AlgorithmResult.__dataclass_fields__.keys()


def test_the_two_definitions_of_rmse_bins_are_told_apart() -> None:
    """Each under its own label, wherever it shows."""
    assert VIEWS["rmse_bins"].label == "RMSE (bins)"
    assert VIEWS["rmse_bins_benchmark"].label == "RMSE (bins, benchmark)"


def test_what_can_be_cheated_says_so() -> None:
    """The metrics over bins of the prediction."""
    for name in ("rmse_prediction_bins", "mae_prediction_bins"):
        assert "can be cheated" in VIEWS[name].definition


def test_algorithms_are_described_in_words() -> None:
    """No leftovers there either."""
    for algorithm in CATALOGUE.values():
        no_leftovers(algorithm.description + ".")


def test_what_somebody_has_written_is_repeated_within_reason():
    """Of whatever type; its beginning and its end."""
    deck = "Languages::" + "x" * 5000 + "::Verbs"
    for error, whole in (
        (errors.BadOption(option="folds", value=[1] * 5000, allowed="2"), "folds cannot be [1, 1, 1, "),
        (errors.BadOption(option="folds", value=deck, allowed="2"), "folds cannot be 'Languages::xxx"),
        (errors.BadSearch(search=deck, detail="odd"), "Anki cannot search for 'Languages::xxx"),
        (errors.BadSearch(search="a", detail=deck), "Anki cannot search for 'a': Languages::xxx"),
        (errors.BadCell(path="a", line=2, column="id", value="9" * 5000), "but is '9999"),
        (errors.DamagedFile(path="a", detail=deck), "cannot be read (Languages::xxx"),
        (errors.MissingColumns(path="a", missing=["id"], found=[deck] * 5000), "::Verbs and 4,984 more."),
        (errors.UnknownName(what="deck", name=deck, suggestions=[deck], known=[]), "::Verbs'. Did you mean 'Lang"),
        (errors.UnknownName(what="deck", name="x", suggestions=[], known=[deck] * 20), "::Verbs', 'Languages::xxx"),
        (errors.UnknownAlgorithm(name=deck, suggestions=[], known=["AVG"]), "no algorithm 'Languages::xxx"),
    ):
        sentence = error_sentence(error)
        assert whole in sentence
        assert len(sentence) < 2500
    assert "'s'" in error_sentence(errors.BadOption(option="folds", value="s", allowed="2"))
