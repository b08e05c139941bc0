"""Rows with parameters that the user pastes."""

from __future__ import annotations

import functools
from dataclasses import replace

import pytest
from catalog_helpers import W4_5, W5, W6, defaults
from reference_sets import snapshot
from sentence_matching import matches_sentence

from evaluator.algorithms import CATALOG
from evaluator.algorithms.pasted import parse_sets
from evaluator.algorithms.your_parameters import as_run
from evaluator.errors import EvaluatorError
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.report import Report
from evaluator.scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from ui.text.error_sentences import error_sentence
from ui.views.choices import clipped_sentences
from ui.views.labels import TAKEN

W7 = defaults(CATALOG["FSRS-7 default"])
W6_TEXT = ", ".join(map(str, W6))
SETS = {
    "Defaults": W6_TEXT,
    "Of FSRS-5": "\n".join(map(str, W5)),
    "Old": str([1.1 * value for value in W4_5]),
    "New": " ".join(str(1.01 * value) for value in W7),
}


@functools.cache
def report_on(table: str, *names: str) -> Report:
    pasted = parse_sets("\n".join(f"{name} = {SETS[name]}" for name in names))
    algorithms = ("AVG", "FSRS-6 default", "Anki-SM-2")
    return evaluate(snapshot("sim-c"), Options(algorithms, table=table, pasted=pasted)).report


def test_row_is_scored_and_described_with_the_pasted_parameters():
    report = report_on(WHOLE_DAY_TABLE, *SETS)
    assert {name: report.result(name).in_sample for name in SETS} == {
        "Defaults": False,
        "Of FSRS-5": False,
        "Old": True,
        "New": True,
    }
    assert report.result("Defaults").log_loss == report.result("FSRS-6 default").log_loss
    old = as_run([1.1 * value for value in W4_5])
    assert report.result("Old").parameters_per_fold == (old,) * report.scope.folds
    descriptions = {name: report.result(name).description for name in ("Defaults", "New")}
    assert descriptions == {
        "Defaults": "FSRS-6 with parameters that you entered",
        "New": "FSRS-7 with parameters that you entered",
    }


def test_pasted_rows_change_no_other_row():
    alone = report_on(WHOLE_DAY_TABLE)
    report = report_on(WHOLE_DAY_TABLE, *SETS)
    assert [row for row in report.results if row.algorithm not in SETS] == list(alone.results)
    assert (report.best, report.verdict) == (alone.best, alone.verdict)
    # Parameters that are not in-sample share the star of the equal row.
    assert alone.best_set[0] == "FSRS-6 default"
    assert report.best_set[:2] == ("FSRS-6 default", "Defaults")
    assert [name for name in report.best_set if name not in SETS] == list(alone.best_set)
    assert not {"Old", "New"} & {*report.best_set}


@pytest.mark.parametrize(("name", "error"), [("Old", "whole_day_only"), ("New", None)])
def test_fsrs_6_is_left_out_of_the_same_day_table_as_anki_runs_it_on_whole_days(name, error):
    failure = report_on(SAME_DAY_TABLE, "Old", "New").result(name).error
    assert (failure.code if failure else None) == error


WRONG_COUNT = (
    "'Old' has the wrong number of parameters: 3. FSRS-7 has 34, FSRS-6 21, FSRS-5 19 and FSRS-4.5 17. Copy all {}"
)
NAME_IN_USE = "A row cannot be named '{}'. Choose a name that no other row or group of rows has."
BAD_NUMBER = (
    "'Old' cannot be used: '{}' is not a number that FSRS allows. Separate numbers by commas or spaces, as in {}"
)
USE_A_POINT = "Write decimals with a point: 0.3, not 0,3."
ONE_SET_PER_LINE = "Write each set on a line of its own."


@pytest.mark.parametrize(
    "text",
    [
        f'"Old" = {{{W6_TEXT}}}',
        f'{{"Old": [{W6_TEXT}]}}',
        f"Old: {W6_TEXT}",
        f"Old = {W6_TEXT.replace(',', '，')}",
        f"“Old = {W6_TEXT}”",
        f"Old = {W6_TEXT.replace(str(W6[0]), str(W6[0]) + '0e+00', 1)}",
        f"\nOld = {W6_TEXT}\n \n",
    ],
)
def test_set_may_be_written_in_several_ways(text):
    (algorithm,) = parse_sets(text)
    assert (algorithm.name, algorithm.clipped) == ("Old", [])
    assert algorithm.defaults.tolist() == W6


def test_numbers_may_have_a_bare_point_and_a_typographic_minus():
    (algorithm,) = parse_sets(f"Deck: A::B = 9. \N{MINUS SIGN}1 {' '.join(map(str, W6[2:]))}")
    assert (algorithm.name, algorithm.defaults[0], algorithm.clipped) == ("Deck: A::B", 9, [(1, -1, 0.001)])


def test_empty_line_ends_a_set():
    old, unnamed = parse_sets(f"Old = {SETS['Of FSRS-5']}\n \n{SETS['New']}")
    assert (old.name, len(old.parameters), unnamed.name, len(unnamed.parameters)) == ("Old", 21, "Pasted", 34)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Old", "0.4, 0.6, 2.4", WRONG_COUNT.format("of them.")),
        ("Old", "0.4, 0.6x", BAD_NUMBER.format("0.6x", "Anki: 0.212, 1.2931.")),
        ("Old", str([*W4_5[:5], -0.5, *W4_5[6:]]), BAD_NUMBER.format("-0.5", "Anki: 0.212, 1.2931.")),
        # Not the sixth number, although that one alone can be impossible after conversion.
        ("Old", str(W4_5).replace(str(W4_5[7]), "1e400"), BAD_NUMBER.format("1e400", "Anki: 0.212, 1.2931.")),
        ("Old", " ".join(map(str, W4_5)).replace(".", ","), USE_A_POINT),
        ("Old", "; ".join(map(str, W4_5)).replace(".", ","), USE_A_POINT),
        ("Old", ",\n".join(map(str, W4_5)).replace(".", ","), USE_A_POINT),
        ("Old", f"{W6_TEXT} New = {W6_TEXT}", ONE_SET_PER_LINE),
        ("Old: 0.2, 1.3 New", W6_TEXT, ONE_SET_PER_LINE),
        ("FSRS-7", SETS["Old"], NAME_IN_USE.format("FSRS-7")),
        ("FSRS-6 (Default)", SETS["Old"], NAME_IN_USE.format("FSRS-6 (Default)")),
        ("Your parameters (default)", SETS["Old"], NAME_IN_USE.format("Your parameters (default)")),
        ("Pasted", f"{W6_TEXT}\n\n{W6_TEXT}", NAME_IN_USE.format("Pasted")),
    ],
)
def test_error_says_what_is_wrong(name, text, expected):
    with pytest.raises(EvaluatorError) as caught:
        Options(pasted=parse_sets(f"{name} = {text}"), taken_names=TAKEN).algorithms_to_run()
    assert matches_sentence(error_sentence(caught.value), expected)


def test_clipped_parameters_are_named_once_per_set():
    rounded = {**dict(enumerate(W6)), 20: 0.1 - 1e-9}
    changed = {**rounded, 3: 250, 7: 250, 8: 9}
    many = {**changed, 9: 9}
    texts = {"Rounded": rounded, "Old": changed, "From the forum": many}
    sets = "\n".join(f"{name} = {list(values.values())}" for name, values in texts.items())
    pasted = parse_sets(sets)
    rounded_set, algorithm, _forum = pasted
    assert rounded_set.clipped == []
    assert algorithm.clipped == [(3, 250, 100), (7, 250, 0.75), (8, 9, 4.5)]
    assert algorithm.parameters[3] == replace(CATALOG["FSRS-6"].parameters[3], default=100)
    named = "w3 (250 -> 100), w7 (250 -> 0.75), w8 (9 -> 4.5)"
    assert clipped_sentences(pasted) == [
        f"Old: 3 of 21 out of bounds and clipped: {named}.",
        f"From the forum: 4 of 21 out of bounds and clipped: {named} and 1 more.",
    ]
