"""Rows with parameters that the user pastes."""

from __future__ import annotations

import functools
from dataclasses import replace

import pytest
from catalog_helpers import W4_5, W5, W6, defaults
from reference_sets import snapshot
from sentence_matching import matches_sentence

from evaluator.algorithms import CATALOG
from evaluator.algorithms.pasted import Clipped, parse_sets
from evaluator.algorithms.your_parameters import as_run
from evaluator.errors import EvaluatorError
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.report import Report
from evaluator.scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from ui.text.errors import error_sentence
from ui.views.choices import clipped_sentences

W7 = defaults(CATALOG["FSRS-7 default"])
SETS = {
    "Defaults": ", ".join(map(str, W6)),
    "Of FSRS-5": "\n".join(map(str, W5)),
    "Old": str([1.1 * value for value in W4_5]),
    "New": " ".join(str(1.01 * value) for value in W7),
}


@functools.cache
def report_on(table: str, *names: str) -> Report:
    pasted = parse_sets("\n".join(f"{name} = {SETS[name]}" for name in names))[0]
    algorithms = ("AVG", "FSRS-6 default", "Anki-SM-2")
    return evaluate(snapshot("sim-c"), Options(algorithms, table=table, pasted=pasted)).report


def test_row_has_the_parameters_and_changes_no_other_row():
    alone = report_on(WHOLE_DAY_TABLE)
    report = report_on(WHOLE_DAY_TABLE, *SETS)
    assert {name: report.result(name).in_sample for name in SETS} == {
        "Defaults": False,
        "Of FSRS-5": False,
        "Old": True,
        "New": True,
    }
    assert report.result("Defaults").log_loss == report.result("FSRS-6 default").log_loss
    old = as_run([1.1 * value for value in W4_5])
    assert report.result("Old").parameters_per_fold == (old,) * alone.scope.folds
    assert [row for row in report.results if row.algorithm not in SETS] == list(alone.results)
    assert (report.best, report.best_set, report.verdict) == (alone.best, alone.best_set, alone.verdict)


@pytest.mark.parametrize(("name", "error"), [("Old", "whole_day_only"), ("New", None)])
def test_fsrs_6_is_left_out_of_the_same_day_table_as_anki_runs_it_on_whole_days(name, error):
    failure = report_on(SAME_DAY_TABLE, "Old", "New").result(name).error
    assert (failure.code if failure else None) == error


_COUNT = "'Old' has the wrong number of parameters: 3. FSRS-7 has 34, FSRS-6 21, FSRS-5 19 and FSRS-4.5 17. Copy all {}"
_NAME = "A row cannot be named '{}'. Choose a name that no other row or group of rows has."
_NUMBER = "'Old' cannot be used: '{}' is not a number that FSRS allows. Separate numbers by commas or spaces, as in {}"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Old", "0.4, 0.6, 2.4", _COUNT.format("of them.")),
        ("Old", "0.4, 0.6x", _NUMBER.format("0.6x", "Anki: 0.212, 1.2931.")),
        ("Old", str([*W4_5[:5], -0.5, *W4_5[6:]]), _NUMBER.format("-0.5", "Anki: 0.212, 1.2931.")),
        (
            "FSRS-7",
            SETS["Old"],
            "A row cannot be named 'FSRS-7'. Choose a name that no other row or group of rows has.",
        ),
    ],
)
def test_error_says_what_is_wrong(name, text, expected):
    with pytest.raises(EvaluatorError) as caught:
        Options(pasted=parse_sets(f"{name} = {text}")[0]).algorithms_to_run()
    assert matches_sentence(error_sentence(caught.value), expected)


def test_clipped_parameters_are_named():
    values = {**dict(enumerate(W6)), 3: 250, 20: 0.05}
    (unnamed, algorithm), clipped = parse_sets(f"{SETS['Of FSRS-5']}\n Old = {list(values.values())}\n")
    assert (unnamed.name, algorithm.name) == ("Pasted", "Old")
    assert clipped == [Clipped("Old", 3, 250, 100), Clipped("Old", 20, 0.05, 0.1)]
    assert algorithm.parameters[3] == replace(CATALOG["FSRS-6"].parameters[3], default=100)
    expected = ["Old: w3 = 250 is out of bounds, clipped to 100.", "Old: w20 = 0.05 is out of bounds, clipped to 0.1."]
    assert all(map(matches_sentence, clipped_sentences(clipped), expected))
