"""Compare texts with expected sentences, without regard to line breaks and punctuation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

#: The start of a sentence, if there is one, and a word or a number.
_TOKEN = re.compile("(^|[.:?!\n]\\s*)?([\\w+\N{MINUS SIGN}][\\w+.,/\N{MINUS SIGN}-]*\\w|\\w)")
#: A number with its sign, a word, or a single sign.
_WORD = re.compile("[+\N{MINUS SIGN}]?\\d(?:[\\d.,-]*\\d)?|[^\\W\\d]\\w*(?:-\\w+)*|[%=+\N{MINUS SIGN}]")

Text = str | Sequence["Text"]


@dataclass(frozen=True)
class Mismatch:
    """A false value, which pytest shows if an assertion fails."""

    #: Words of the example that the text lacks, each as often as it is lacking.
    lacks: list[str]
    #: Numbers and names, of the text and of the example, from the first that are not the same.
    has: list[str]
    expected: list[str]

    def __bool__(self) -> bool:
        return False


def matches_sentence(text: Text, example: Text) -> bool | Mismatch:
    """Return True if the text has all words of the example, and the same numbers and names in the same order."""
    return contains_sentence(text, example) if _facts(text) == _facts(example) else _mismatch(text, example)


def contains_sentence(text: Text, example: Text) -> bool | Mismatch:
    """Return True if the text has all words of the example, and its numbers and names in the same order."""
    text_facts = iter(_facts(text))
    has_facts = all(fact in text_facts for fact in _facts(example))
    mismatch = _mismatch(text, example)
    return mismatch if mismatch.lacks or not has_facts else True


def _mismatch(text: Text, example: Text) -> Mismatch:
    example_words, text_words = (Counter(re.findall(r"\w+", _join(item).casefold())) for item in (example, text))
    text_facts, example_facts = _facts(text), _facts(example)
    same = len([*takewhile(lambda facts: facts[0] == facts[1], zip(text_facts, example_facts, strict=False))])
    return Mismatch([*(example_words - text_words).elements()], text_facts[same:], example_facts[same:])


def assert_says(sentence: str, phrases: list[str]) -> None:
    """Expect that the sentence has all words and numbers of the phrases in this order. Others may be in between."""
    words = iter(_WORD.findall(sentence))
    for phrase in phrases:
        assert all(word in words for word in _WORD.findall(phrase)), (phrase, sentence)


def assert_complete(text: str) -> None:
    """Expect a complete sentence without parts of a template."""
    assert re.match(r"\S", text)
    assert text.endswith((".", "?"))
    assert not re.search(r"[{}]|None\b(?! of)|\bnan\b|<lambda>|%[sdr]|  |\(\)|\.\.", text), text


def _join(text: Text) -> str:
    return text if isinstance(text, str) else "\n".join(map(_join, text))


def _facts(text: Text) -> list[str]:
    """Return the numbers and names in the order of the text.

    A name has a capital letter, and at the start of a sentence at least two.
    """
    tokens = _TOKEN.findall(_join(text).replace("\N{NO-BREAK SPACE}", " "))
    return [
        token
        for starts, token in tokens
        if re.search(r"\d", token) or len(re.findall(r"[A-Z]", token)) > (1 if starts or token == tokens[0][1] else 0)
    ]
