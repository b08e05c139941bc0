"""Compare texts with expected sentences, whatever their line breaks and marks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

#: A word or a number with what belongs to it, and whether a sentence begins with it.
_TOKEN = re.compile("(^|[.:?!\n]\\s*)?([\\w+\N{MINUS SIGN}][\\w+.,/\N{MINUS SIGN}-]*\\w|\\w)")
#: A number with its sign, a word or name, or a sign that is alone.
_WORD = re.compile("[+\N{MINUS SIGN}]?\\d(?:[\\d.,-]*\\d)?|[^\\W\\d]\\w*(?:-\\w+)*|[%=+\N{MINUS SIGN}]")

Text = str | Sequence["Text"]


def matches_sentence(text: Text, example: Text) -> bool:
    """Return whether the text has all words of the example, and the same numbers and names in the same order."""
    return _facts(text) == _facts(example) and contains_sentence(text, example)


def contains_sentence(text: Text, example: Text) -> bool:
    """Return whether the text has all words of the example, and its numbers and names in the same order."""
    words, result = (Counter(re.findall(r"\w+", _whole(item).casefold())) for item in (example, text))
    rest = iter(_facts(text))
    return all(fact in rest for fact in _facts(example)) and words <= result


def assert_says(sentence: str, words: list[str]) -> None:
    """The words, names and numbers of these, in this order, whatever is between them."""
    text = iter(_WORD.findall(sentence))
    for phrase in words:
        assert all(word in text for word in _WORD.findall(phrase)), (phrase, sentence)


def no_leftovers(text: str) -> None:
    """A sentence, with nothing of a template in it."""
    assert re.match(r"\S", text)
    assert text.endswith((".", "?"))
    assert not re.search(r"[{}]|None\b(?! of)|\bnan\b|<lambda>|%[sdr]|  |\(\)|\.\.", text), text


def _whole(text: Text) -> str:
    return text if isinstance(text, str) else "\n".join(map(_whole, text))


def _facts(text: Text) -> list[str]:
    """Numbers, and names: what has several capitals, or one within a sentence. They are in the order of the text."""
    tokens = _TOKEN.findall(_whole(text).replace("\N{NO-BREAK SPACE}", " "))
    return [
        token
        for begins, token in tokens
        if re.search(r"\d", token) or len(re.findall(r"[A-Z]", token)) > (1 if begins or token == tokens[0][1] else 0)
    ]
