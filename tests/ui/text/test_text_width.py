from __future__ import annotations

import itertools

import pytest
from made_language import SAMPLES

from ui.text.text_width import break_lines, display_width, elide_to_width, terminal_width


def test_width_counts_wide_letters_twice():
    assert terminal_width("FSRS-6") == 6
    assert terminal_width("復習：カード") == 12
    assert terminal_width("복습") == 4
    assert terminal_width("ｶｰﾄﾞ") == 4
    assert terminal_width("e\N{COMBINING ACUTE ACCENT}t") == 2
    assert display_width("復x", wide=1.7) == pytest.approx(2.7)


def test_lines_are_broken_between_words():
    assert break_lines("one two three", 7) == ["one two", "three"]
    assert break_lines("incomprehensible word", 4) == ["incomprehensible", "word"]
    assert break_lines("some 90% of it", 7) == ["some", "90% of", "it"]
    assert break_lines("31–60 foo…bar (a)b", 3) == ["31–60", "foo…bar", "(a)b"]
    assert break_lines("", 5) == [""]


def test_chinese_and_japanese_are_broken_between_characters():
    assert break_lines("予測した想起率", 8) == ["予測した", "想起率"]
    assert break_lines("予測した想起率", 8, wide=1.6) == ["予測した想", "起率"]
    assert break_lines("安定度 難易度", 6) == ["安定度", "難易度"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("復習。次", ["復", "習。", "次"]),
        ("（約90％）で", ["（約90％）", "で"]),
        ("「覚えた」と", ["「覚", "え", "た」", "と"]),
        ("复习“记住”的", ["复", "习", "“记", "住”", "的"]),
        ("キャッシュー", ["キャッ", "シュー"]),
        ("人々は", ["人々", "は"]),
        ("第3章", ["第3章"]),
        ("最近30天的", ["最", "近", "30天", "的"]),
        ("的FSRS-6与SM-2", ["的", "FSRS-6与", "SM-2"]),
        ("遗忘……曲线", ["遗", "忘……", "曲", "线"]),
    ],
)
def test_words_that_belong_together_are_not_separated(text, parts):
    assert break_lines(text, 0) == parts


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
@pytest.mark.parametrize("width", [10, 17, 24, 41])
def test_lines_break_where_the_language_allows(sample, width):
    lines = break_lines(sample, width)
    assert "".join(lines) == sample
    for line, after in itertools.pairwise(lines):
        assert terminal_width(line) <= width
        assert terminal_width(line + break_lines(after, 0)[0]) > width, "the next part has room in this line"
        assert line[-1] not in "（「《“第約约0123456789"
        assert after[0] not in "、。，：；）」》”％％ーッァャュョっぁ々〜…"


def test_names_lose_their_middle():
    assert elide_to_width("abc", 1) == "…"
    assert elide_to_width("日本語::漢字", 11) == "日本…:漢字"
    assert elide_to_width("cafe\N{COMBINING ACUTE ACCENT}s", 3) == "c…s"
    assert elide_to_width("x" * 24, 24) == "x" * 24
    assert elide_to_width("Languages::Spanish::Chapter 29::Verbs", 24) == "Languages::…er 29::Verbs"
    assert elide_to_width("语言::汉语水平考试::第二十九章::动词", 24) == "语言::汉语…十九章::动词"
    assert elide_to_width("语言::汉语水平考试", 18) == "语言::汉语水平考试"
