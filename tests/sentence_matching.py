"""Compare texts with expected sentences, without regard to line breaks and punctuation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

#: The start of a sentence, if there is one, and a word or a number.
_TOKEN = re.compile("(^|[.:?!\n]\\s*)?([\\w+\N{MINUS SIGN}][\\w+.,/\N{MINUS SIGN}-]*\\w|\\w)")
#: A number with its sign, a word, or a single sign.
_WORD = re.compile("[+\N{MINUS SIGN}]?\\d(?:[\\d.,-]*\\d)?|[^\\W\\d]\\w*(?:-\\w+)*|[%=+\N{MINUS SIGN}]")

Text = str | Sequence["Text"]


def matches_sentence(text: Text, example: Text) -> bool:
    """Return True if the text has all words of the example, and the same numbers and names in the same order."""
    return _facts(text) == _facts(example) and contains_sentence(text, example)


def contains_sentence(text: Text, example: Text) -> bool:
    """Return True if the text has all words of the example, and its numbers and names in the same order."""
    example_words, text_words = (Counter(re.findall(r"\w+", _join(item).casefold())) for item in (example, text))
    text_facts = iter(_facts(text))
    return all(fact in text_facts for fact in _facts(example)) and example_words <= text_words


def assert_says(sentence: str, phrases: list[str]) -> None:
    """Expect that the sentence has all words and numbers of the phrases in this order. Others may be in between."""
    words = iter(_WORD.findall(sentence))
    for phrase in phrases:
        assert all(word in words for word in _WORD.findall(phrase)), (phrase, sentence)


def no_leftovers(text: str) -> None:
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
