"""Names from elsewhere: what would do harm is gone wherever they are shown, and ordinary ones stay as they are."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import replace
from typing import List, Tuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_logs import learner

from evaluator import errors
from evaluator.evaluation import evaluate
from evaluator.names import escaped_in_json, harmless, in_markdown, in_spreadsheet
from evaluator.options import Options
from evaluator.predictions import Predictions, to_csv
from evaluator.report import shown, to_json
from ui.text.errors import error_sentence
from ui.text.phrases import scope_words

#: Of every kind one: what ends lines, what terminals obey, what turns the order of letters, what cannot be seen.
HARMFUL = "\n\r\t\x0b\x0c\x00\x07\x08\x1b\x1f\x7f\x80\x85\x9b\u2028\u2029\u200e\u200f\u061c\u202a\u202e\u2066\u2069"
HARMFUL += "\u200b\u2060\ufeff\ufff9\udfff\ufffe\uffff"  # two halves of surrogates are one character in JSON

#: (a name, what is shown of it)
SHOWN: List[Tuple[str, str]] = [
    ("\x1b[2J\x1b]0;title\x07Verbs", "\ufffd[2J\ufffd]0;title\ufffdVerbs"),
    ("\x9b31mred", "\ufffd31mred"),
    ("one\r\n\ttwo\u2028three\x85", "one two three "),
    ("\u202egnp.exe\u202c", "gnp.exe"),
    ("Latin\u200b\u2060\ufeff\u00adVerbs", "LatinVerbs"),
    ("\u2067\u05e2\u05d1\u05e8\u05d9\u05ea\u2069 1", "\u05e2\u05d1\u05e8\u05d9\u05ea 1"),
    ("\u200da \u200c\u200d b\u200c", "a  b"),
    ("file\udcff.anki2\ud800", "file\ufffd.anki2\ufffd"),
    ("\u200b\u200f", "\ufffd"),
    ("", ""),
]

#: In scripts of all kinds, with the joiners, marks and choices of form that belong to them.
ORDINARY = (
    "Languages::Español – «verbos» 100 % (ser/estar) & <b> 'x' \"y\" \\ $5 #1",
    "العربية: الأفعال",
    "می‌روم کتاب‌ها",  # with non-joiners, as Persian is written
    "שָׁלוֹם",
    "日本語：漢字・ひらがな　カタカナ",
    "한국어 ㅋ", "ไทย ก็", "हिन्दी क्‍ष र्‌क", "தமிழ்",
    "e\u0301 n\u0303 Å Vie\u0323\u0302t",
    "👩‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 ❤️‍🔥 👍🏽 1️⃣",
    "🇯🇵 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "∫ x² dx ≤ ∞ \u00a0 − ½",
)  # fmt: skip

NAMES = st.text(
    st.one_of(st.sampled_from(HARMFUL + "\u200c\u200d \u180e…=|"), st.characters(codec="utf-8")), max_size=300
)


@pytest.mark.parametrize(("name", "expected"), SHOWN, ids=ascii)
def test_what_is_shown(name: str, expected: str) -> None:
    """Ends of lines become a blank, what is no text a sign that says so, and what cannot be seen goes."""
    assert harmless(name) == expected


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_names_stay_as_they_are(name: str) -> None:
    assert harmless(name) is name
    assert name in scope_words("deck", name)
    unknown = errors.UnknownName(what="deck", name="?", suggestions=[], known=[name])
    assert name in error_sentence(unknown)


def harmful_in(text: str) -> List[str]:
    return [c for c in text if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} or c in HARMFUL]


@given(NAMES)
def test_nothing_harmful_is_left(name: str) -> None:
    """Whatever the name is; showing it again changes nothing, and no name becomes invisible."""
    for whole in (True, False):
        once = harmless(name, whole=whole)
        assert not harmful_in(once)
        assert harmless(once, whole=whole) == once
        assert bool(once) == bool(name)
    assert len(harmless(name, whole=False)) <= 80 + 1 + 40


def test_long_names_lose_their_middle() -> None:
    """More than 80 and 40 signs."""
    assert harmless("a" * 81 + "b" * 40, whole=False) == "a" * 81 + "b" * 40
    assert harmless("a" * 82 + "b" * 40, whole=False) == "a" * 80 + "…" + "b" * 40


@pytest.mark.parametrize("sign", "=+-@＝＋－＠")
def test_no_cell_is_a_formula(sign: str) -> None:
    for before in ("", " ", "\t", "\r", "\u200b"):
        assert in_spreadsheet(f"{before}{sign}1+1").startswith("'")
    assert in_spreadsheet(f"a{sign}1") == f"a{sign}1"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a|b", r"a\|b"),
        ("a\n\n| b", r"a \| b"),
        ("`x` *y* _z_ <i> $e$ ~s~", r"\`x\` \*y\* \_z\_ \<i> \$e\$ \~s\~"),
        ("[here](http://x)", r"[here\](http://x)"),
        ("\\|", r"\\\|"),
        ("DASH[MCM] user_id=1 RMSE (bins)", "DASH[MCM] user_id=1 RMSE (bins)"),
    ],
)
def test_markdown_letter_by_letter(name: str, written: str) -> None:
    """What is no markup in it stays unescaped, so that the text can be read as it is."""
    assert in_markdown(name) == written


@given(NAMES)
def test_json_keeps_the_name(name: str) -> None:
    text = escaped_in_json(json.dumps({"name": name}, ensure_ascii=False))
    assert json.loads(text) == {"name": name}
    assert not harmful_in(text)


def test_a_report_is_shown_without_harm_and_kept_as_it_is() -> None:
    """Every text in it, however deep; a report without harmful ones is itself."""
    report = evaluate(learner(), Options(("AVG", "SM-2"))).report
    assert shown(report) is report
    evil = "SM-2" + HARMFUL
    results = tuple(replace(row, algorithm=evil) if row.algorithm == "SM-2" else row for row in report.results)
    hostile = replace(report, results=results, baseline=evil, scope=replace(report.scope, kind="deck", name=evil))
    seen = shown(hostile)
    assert seen.baseline == seen.scope.name == harmless(evil)
    assert seen.result(harmless(evil)).log_loss == report.result("SM-2").log_loss
    text = to_json(hostile)
    assert not harmful_in(text.replace("\n", ""))
    assert json.loads(text)["scope"]["name"] == json.loads(text)["baseline"] == evil


@pytest.mark.parametrize(
    "error",
    [
        errors.UnknownName(what="deck", name=HARMFUL, suggestions=[HARMFUL], known=[]),
        errors.UnknownName(what="preset", name="?", suggestions=[], known=[HARMFUL, "x" * 9000]),
        errors.BadOption(option="--html", value=HARMFUL, allowed="a file"),
        errors.BadSearch(search=HARMFUL, detail="no" + HARMFUL),
        errors.DamagedFile(path=HARMFUL, detail=HARMFUL),
        errors.MissingColumns(path=HARMFUL, missing=["id"], found=[HARMFUL, "cid"]),
        errors.BadCell(path=HARMFUL, line=3, column=HARMFUL, value=HARMFUL),
    ],
    ids=lambda error: error.code,
)
def test_error_sentences_repeat_names_without_harm(error: errors.EvaluatorError) -> None:
    sentence = error_sentence(error)
    assert not harmful_in(sentence)
    assert len(sentence) < 600


def test_predictions_begin_no_cell_with_a_formula() -> None:
    """The columns of the CSV are named by whoever gave the predictions."""
    one = np.array([1])
    names = ('=cmd|"x"', "+1", "-1", "@x", "\t=1", "My model, v2", "a\nb")
    predictions = Predictions(one, one, one, one, one, {name: np.array([0.5]) for name in names})
    header, row = to_csv(predictions)
    known = "review_id,card_id,elapsed_days,fold,recalled"
    assert header == f"""{known},"'=cmd|""x""\",'+1,'-1,'@x,' =1,"My model, v2",a b\n"""
    assert row.count(",") == 5 + len(names) - 1
