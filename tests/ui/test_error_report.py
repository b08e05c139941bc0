"""The report of an error holds what is needed to find the fault, and nothing that somebody learns."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path, PureWindowsPath
from typing import Callable

import fake
import pytest

import ui.error_report
from evaluator import __version__
from evaluator.scope import WHOLE_COLLECTION, ScopeChoice
from ui.error_report import circumstances, counts, error_report, private_words
from ui.versions import versions

VERSIONS = {"SRS Evaluator": "0.1.0", "Anki": "26.9.3"}
ROOT = Path(__file__).resolve().parents[2]
NAMES = ("Medicine::Rare Diseases", "Chinese (spoken)", "A", "解剖学の骨")


def report_of(raise_it: Callable[[], object], scope: ScopeChoice = WHOLE_COLLECTION) -> str:
    """What is copied when that goes wrong."""
    try:
        raise_it()
    except BaseException as error:  # noqa: BLE001 - panics, too
        return error_report(error, VERSIONS, {"reviews of": scope.kind, "cards": 12}, private_words(NAMES, scope))
    pytest.fail("nothing was raised")


def fails_with(message: str) -> Callable[[], object]:
    """Something in which that is raised."""

    def fail() -> None:
        raise RuntimeError(message)

    return fail


def test_it_says_what_where_and_of_how_much() -> None:
    """Versions, counts, every frame, the message."""
    lines = report_of(fails_with("boom")).splitlines()
    assert "  Anki: 26.9.3" in lines
    assert "  reviews of: collection" in lines
    assert "  cards: 12" in lines
    assert lines[-1] == "  RuntimeError: boom"
    assert lines[-2].endswith(" fail: raise RuntimeError(message)")
    assert lines[-2].strip().startswith("tests/ui/test_error_report.py:")


def test_it_tells_what_came_before() -> None:
    """The cause first; what was suppressed is not told."""

    def twice() -> None:
        try:
            fails_with("the cause")()
        except RuntimeError as error:
            raise ValueError("the consequence") from error

    def suppressed() -> None:
        try:
            fails_with("the cause")()
        except RuntimeError:
            raise ValueError("the consequence") from None

    text = report_of(twice)
    assert text.index("RuntimeError: the cause") < text.index("led to") < text.index("ValueError: the consequence")
    assert "the cause" not in report_of(suppressed)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("KeyError 'Medicine::Rare Diseases'", "KeyError '(left out)'"),
        ("no deck rare diseases here", "no deck (left out) here"),
        ("Chinese (spoken), Medicine", "(left out), (left out)"),
        ("A and B; an A", "(left out) and B; an (left out)"),
        ("medicines", "medicines"),
        ("デッキ解剖学の骨にカードがありません", "デッキ(left out)にカードがありません"),
        ("Medicineのカード", "(left out)のカード"),
        ("找不到牌组A1基础和A1", "找不到牌组A1基础和A1"),
        ("找不到牌组A和B", "找不到牌组(left out)和B"),
    ],
)
def test_names_of_decks_and_presets_are_left_out(message: str, said: str) -> None:
    """Whole, in parts, and whatever the capitals; other words stay."""
    assert report_of(fails_with(message)).endswith(f"RuntimeError: {said}\n")


@pytest.mark.parametrize(
    "name",
    ["Lang\\uages", 'O\'Brien "x"', "it's", 'say "x"', "A\u200bB", "Ärzte", "日本語", "犬", "Rare\tones", "C++", "(x)"],
)
@pytest.mark.parametrize("write", [str, repr, ascii, lambda name: repr([name, '"']), lambda name: json.dumps([name])])
def test_names_are_left_out_however_they_are_written(name: str, write: Callable[[str], str]) -> None:
    """As Python's own messages write them."""
    text = error_report(RuntimeError(f"odd: {write(name)}"), VERSIONS, {}, private_words([name], WHOLE_COLLECTION))
    said = text.splitlines()[-1]
    assert "(left out)" in said
    for form in (name, repr(name)[1:-1], ascii(name)[1:-1]):
        assert form not in said.replace("(left out)", "")


def test_a_name_ends_where_its_letters_end() -> None:
    """In Japanese there are no spaces; and folders are named with other signs."""
    for message, said in (
        ("deck日本語を読む", "deck(left out)を読む"),
        ("Medicine_results.json", "(left out)_results.json"),
        ("medicines", "medicines"),
    ):
        words = private_words(["日本語", "Medicine"], WHOLE_COLLECTION)
        assert error_report(RuntimeError(message), VERSIONS, {}, words).endswith(f"RuntimeError: {said}\n")


def test_a_folder_of_windows_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors of the system name files in Python's own way, with two backslashes."""
    monkeypatch.setattr(Path, "home", lambda: PureWindowsPath("C:\\Users\\Jane"))
    text = error_report(FileNotFoundError(2, "No such file", "C:\\Users\\Jane\\x.json"), VERSIONS, {}, ())
    assert text.endswith("'~\\\\x.json'\n")


def test_no_pattern_is_made_of_names_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made while the window waits; a pattern for each of many decks took seconds."""
    words = private_words([f"Outer {n}::Inner {n}" for n in range(10_000)], WHOLE_COLLECTION)
    made, real = [], ui.error_report._whole
    monkeypatch.setattr(ui.error_report, "_whole", lambda form: made.append(form) or real(form))
    text = error_report(RuntimeError("x" * 900 + " Inner 77"), VERSIONS, {}, words)
    assert set(made) <= {"Inner 77", "Inner 7"}
    assert text.endswith("(left out)\n")


def test_no_word_of_a_search_is_left() -> None:
    """It may be the front of a card. The traceback itself stays whole."""
    search = ScopeChoice("search", 'front:"la syringomyélie" or tag:fail -is:new')
    text = report_of(fails_with('near "syringomyélie": front:"la syringomyélie" or tag:fail -is:new'), search)
    for word in ("syringomyélie", "front", "tag"):
        assert word not in text
    assert " fail: raise RuntimeError(message)" in text
    assert "reviews of: search" in text
    assert report_of(fails_with("near 犬"), ScopeChoice("search", "医学 front:犬")).endswith("near (left out)\n")


def test_no_word_of_a_search_is_left_in_scripts_without_spaces() -> None:
    """There a word of one character says much, and particles are written together with what they belong to."""
    search = ScopeChoice("search", "deck:日本語 表:脳 or 癌X線")
    text = report_of(fails_with("「脳」や「表:脳」、癌の検索はできません：日本語のカード"), search)
    assert not {"脳", "癌", "日本語"} & {*text, *(text[at : at + 3] for at in range(len(text)))}
    assert "検索はできません" in text


def test_it_says_how_far_it_was_in_english() -> None:
    """By what the evaluation calls it, whatever the window's language."""
    assert circumstances(WHOLE_COLLECTION, "algorithm FSRS-6 2/5", {"decks": 2}) == {
        "reviews of": "collection",
        "at": "algorithm FSRS-6 2/5",
        "decks": 2,
    }


def test_no_folder_of_the_person_is_in_it() -> None:
    """Neither in a message nor in the traceback."""
    text = report_of((Path.home() / "no such folder" / "x.json").read_text)
    assert str(Path.home()) not in text
    assert str(Path(__file__).resolve().parents[2]) not in text
    assert "No such file or directory: '~/no such folder/x.json'" in text


def test_long_messages_are_cut_after_names_are_left_out() -> None:
    """Else the first half of a name might stay."""
    text = report_of(fails_with("x " * 490 + "Medicine::Rare Diseases " * 20))
    assert len(text.splitlines()[-1]) < 1030
    assert "Medi" not in text.splitlines()[-1]


def test_an_error_that_is_its_own_cause_ends() -> None:
    """A circle of contexts is told once."""

    def circle() -> None:
        first, second = RuntimeError("one"), RuntimeError("two")
        first.__context__, second.__context__ = second, first
        raise first

    assert report_of(circle).count("RuntimeError: ") == 2


def test_counts_are_numbers() -> None:
    """Of the whole log and of what was scored; no name."""
    report = fake.report()
    found = counts(report)
    assert found["scored reviews"] == report.scope.reviews
    assert found["rows of the review log"] == sum(step.rows for step in report.funnel)
    assert all(type(number) is int for number in found.values())


def test_it_needs_neither_numpy_nor_matplotlib() -> None:
    """When they could not be installed there is a report, too, with what pip said."""
    program = """
import sys
sys.modules.update(numpy=None, matplotlib=None)
from ui.error_report import error_report
from ui.versions import versions
print(error_report(OSError("full"), versions(), {"for": "3.13"}, (), about="About", said=["INFO: one", "INFO: two"]))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "  numpy: not loaded\n" in done.stdout
    assert "About\n  for: 3.13\n" in done.stdout
    assert "  OSError: full\n" in done.stdout
    assert done.stdout.endswith("What pip said\n  INFO: one\n  INFO: two\n\n")


def test_nothing_private_is_in_what_was_said() -> None:
    """Pip names folders."""
    text = error_report(OSError("full"), VERSIONS, {}, ["Rare"], said=[f"INFO: looking in {Path.home() / 'Rare'}"])
    assert text.endswith("INFO: looking in ~/(left out)\n")


def test_versions_are_those_that_run() -> None:
    """Libraries only if they are loaded."""
    import numpy as np
    from anki.buildinfo import version

    found = versions()
    assert (found["SRS Evaluator"], found["Anki"], found["numpy"]) == (__version__, version, np.__version__)
    assert all(isinstance(value, str) and value for value in found.values())


def test_a_version_of_anki_with_a_suffix_is_told_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """As somebody's own build has it."""
    monkeypatch.setattr("anki.buildinfo.version", "26.09b3+fsrs7")
    assert "  Anki: 26.09b3+fsrs7\n" in error_report(OSError("full"), versions(), {}, ["fsrs7"])
