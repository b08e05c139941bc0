"""What a person copies when something went wrong: enough to find the fault, and nothing of what they learn.

The add-on reads no note and no card's text. The only words of a collection that it ever holds are names of decks and
presets and the text of a search, which somebody else's message might repeat: they are taken out of every message.

It is in English whatever the language of the window: who reads it is a developer.
"""

from __future__ import annotations

import json
import re
import traceback
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Dict, Iterable, Iterator, List, Mapping, Sequence, Tuple

if TYPE_CHECKING:
    from .science import ScopeChoice, report

_TITLE = "SRS Evaluator: error report (without card content, names of decks and presets, or searches)"
#: Headings of what the report is about.
EVALUATED, INSTALLED = "What was evaluated", "What was to be installed"
_THEN = "... which led to:"
_LEFT_OUT = "(left out)"
#: The folder of the add-on, whatever its name.
_ADDON = Path(__file__).resolve().parent.parent
#: A message that is longer is cut.
_LONGEST_MESSAGE = 1000
#: Latin, Greek and Cyrillic letters and digits: beside another of them, a word is but a part of a longer one. Chinese,
#: Japanese and others are written without spaces between words.
_LETTER = "[0-9A-Za-z\\u00c0-\\u024f\\u0370-\\u058f\\u1e00-\\u1fff]"
#: Of such letters; shorter words of a search, such as "is" and "or", say nothing.
_SHORTEST_WORD = 3
#: A word of a search, in whatever script.
_WORD = re.compile(rf"{_LETTER}{{{_SHORTEST_WORD},}}|(?:(?!{_LETTER})\w)+")


def error_report(
    error: BaseException,
    versions: Mapping[str, str],
    circumstances: Mapping[str, object],
    private: Iterable[str],
    *,
    about: str = EVALUATED,
    said: Sequence[str] = (),
) -> str:
    """As text to paste; ``private`` are the words that must not be in it.

    ``about`` is the heading of the circumstances, ``said`` what pip has said before it failed.
    """
    words = tuple(private)
    parts = {
        "Versions": _table(versions),
        about: _table(circumstances),
        "Traceback": "".join(_traceback(error, words)),
    }
    if said:
        parts["What pip said"] = "".join(f"  {_without(line, words)}\n" for line in said)
    body = "\n".join(f"{heading}\n{part}" for heading, part in parts.items())
    return f"{_TITLE}\n\n{body}"


def counts_read(rows: int, decks: int, presets: int) -> Dict[str, int]:
    """How much was read."""
    return {"rows of the review log": rows, "decks": decks, "presets": presets}


def circumstances(scope: ScopeChoice, at: str, how_much: Mapping[str, int]) -> Dict[str, object]:
    """What was evaluated, and how far it was, in English."""
    return {"reviews of": scope.kind, "at": at, **how_much}


def counts(found: report.Report) -> Dict[str, int]:
    """How much was evaluated: numbers only."""
    return {
        "rows of the review log": sum(step.rows for step in found.funnel),
        "scored reviews": found.scope.reviews,
        "their cards": found.scope.cards,
        "their days": found.scope.days,
        "folds": found.scope.folds,
        "finished algorithms": len(found.results),
        "unfinished algorithms": len(found.unfinished),
    }


def private_words(names: Iterable[str], scope: ScopeChoice) -> Tuple[str, ...]:
    """All that tells what somebody learns: ``names`` of decks and presets with their parts, the words of a search."""
    parts = [part for name in (*names, scope.name) for part in (name, *name.split("::"))]
    searched = scope.name if scope.kind == "search" else ""
    return (*parts, *_WORD.findall(searched))


def _table(rows: Mapping[str, object]) -> str:
    return "".join(f"  {name}: {value}\n" for name, value in rows.items())


def _traceback(error: BaseException, private: Tuple[str, ...]) -> Iterator[str]:
    """From the first cause to the last consequence; no folder of the person's, no values."""
    for number, each in enumerate(reversed(chain_of(error))):
        if number:
            yield f"  {_THEN}\n"
        for frame in traceback.extract_tb(each.__traceback__):
            yield f"  {_place(frame.filename)}:{frame.lineno} {frame.name}: {frame.line}\n"
        yield f"  {type(each).__name__}: {_without(str(each), private)}\n"


def chain_of(error: BaseException) -> List[BaseException]:
    """The error, what it came from, and so on."""
    chain = [error]
    while True:
        last = chain[-1]
        before = last.__cause__ or (None if last.__suppress_context__ else last.__context__)
        if before is None or before in chain:
            return chain
        chain.append(before)


def _place(filename: str) -> str:
    """The file within the add-on or within its library: where that lies is nobody's business."""
    path = PurePath(filename)
    if _ADDON in path.parents:
        return path.relative_to(_ADDON).as_posix()
    return "/".join(path.parts[-3:]).lstrip("/")


def _without(message: str, private: Tuple[str, ...]) -> str:
    """The message without these words, in capitals or not, and without the person's own folder."""
    for home in _written(str(Path.home())):
        message = message.replace(home, "~")
    folded = message.lower()
    forms = {form for word in private for form in _written(word) if form and form.lower() in folded}
    for form in sorted(forms, key=len, reverse=True):
        message = re.sub(_whole(form), _LEFT_OUT, message, flags=re.IGNORECASE)
    return message[:_LONGEST_MESSAGE]


def _written(word: str) -> Tuple[str, ...]:
    """As it is, and as messages write it: with two backslashes for each, with numbers for odd letters."""
    return (word, repr(word)[1:-1], repr(word + '"')[1:-2], ascii(word)[1:-1], json.dumps(word)[1:-1])


def _whole(form: str) -> str:
    """Finds it, but not as a part of a longer word: a deck called "A" does not tell who has written "and"."""
    before = rf"(?<!{_LETTER})" if re.match(_LETTER, form[0]) else ""
    after = rf"(?!{_LETTER})" if re.match(_LETTER, form[-1]) else ""
    return f"{before}{re.escape(form)}{after}"
