"""``python3 tools describe``: writes ``docs/report.md``, which says what every key and column of the output means.

It is put together from the comments next to the fields of the dataclasses themselves, so the two cannot differ. By
hand, as Sphinx reads these comments too, but describes a program and not the JSON that it writes.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any, Optional, Union

from evaluator.metrics import METRICS
from evaluator.report import Report
from evaluator.scoring.predictions import DECIMALS, Predictions
from evaluator.sections import SECTIONS
from tools.environment import ROOT
from ui.files import write_text_file

PAGE = ROOT / "docs" / "report.md"

_PLAIN = {str: "text", int: "integer", float: "number", bool: "true or false"}
#: Descriptions of fields that mean the same everywhere, and need no comment there.
_USUAL = {
    "algorithm": "its name",
    "baseline": "name of the algorithm that it is compared with",
    "cards": "how many cards these reviews are of",
    "code": "see above",
    "days": "on how many days they were made",
    "left": "from this prediction",
    "reason": "see above",
    "resamples": "how many draws that rests on",
    "reviews": "how many scored reviews",
    "right": "to this prediction",
    "seed": "with which was drawn",
}
#: Text for a section with an item for each algorithm.
_OF_EACH = "in the order of the results; those that have one"
_INTRODUCTION = """\
# What the report holds

`--json FILE` writes the report as one JSON object, [Report](#report), `--predictions FILE` a CSV with one row per
scored review. This page is made by `python3 tools describe` from the comments in the source.

Probabilities, shares and RMSE are between 0 and 1; log loss is in nats (natural logarithms); dates are ISO dates; a
key that does not apply is `null`. A section that was not asked for (see `--sections`) is empty or `null`. Numbers are
rounded to 9 digits after the point. The same input gives the same bytes, but for `timing`: the seconds of each stage,
written by `--json` only, as the last key.
"""
_CSV = f"""\
## The CSV of predictions

One row per scored review, in the order of the reviews. After these columns there is one for each algorithm, under its
name, with the predicted probability of recall, to {DECIMALS} digits; empty if there is none.

| column | meaning |
| --- | --- |
"""


def main(_arguments: list[str]) -> int:
    """Write the page, and print its path."""
    write_text_file(PAGE, page())
    print(f"Written: {PAGE}")
    return 0


def page() -> str:
    """Return the text of ``docs/report.md``."""
    tables = "\n".join(_object(kind) for kind in reachable(Report))
    columns = "".join(
        f"| `{name}` | {meaning} |\n" for name, _, meaning in described(Predictions) if name != "predicted"
    )
    return f"{_INTRODUCTION}\n{tables}\n{_CSV}{columns}"


def reachable(kind: type) -> list[type]:
    """Return the dataclass and those within it, each once, in the order in which a reader meets them."""
    result = [kind]
    for item in result:  # it grows meanwhile
        result += [part for _, hint, _ in _keys(item) for part in _parts(hint) if part not in result]
    return list(dict.fromkeys(result))


def described(kind: type) -> Iterator[tuple[str, str, str]]:
    """Return (key, type in words, meaning) of every field in the JSON."""
    for key, hint, comment in _keys(kind):
        yield key, _in_words(hint), _markdown(comment or _USUAL.get(key) or _of_what_is_in_it(key, hint))


def _of_what_is_in_it(name: str, hint: Any) -> str:
    """Return the first sentence of the docstring of the objects in a field, unless it is an upper end."""
    if name.endswith(("high", "upper", "highest")):
        return "the upper end of the same"
    first = next(_parts(hint), None)
    return (inspect.getdoc(first) or "").split("\n")[0] if first is not None else ""


def _object(kind: type) -> str:
    lines = [f"## {kind.__name__}", "", _markdown(inspect.getdoc(kind) or ""), "", "| key | type | meaning |"]
    lines += [
        "| --- | --- | --- |",
        *(f"| `{name}` | {type_words} | {meaning} |" for name, type_words, meaning in described(kind)),
    ]
    return "\n".join(lines) + "\n"


def _comments(kind: type) -> dict[str, str]:
    """Return the ``#:`` comments of the fields, by name: after the field, or above it if longer."""
    result: dict[str, str] = {}
    above: list[str] = []
    for line in inspect.getsource(kind).splitlines():
        code, _, comment = line.partition("#:")
        field = re.match(r"    (\w+): ", code)
        if field:
            result[field[1]] = " ".join([*above, comment.strip()]).strip()
        above = [*above, comment.strip()] if comment and not code.strip() else []
    return result


def _keys(kind: type) -> Iterator[tuple[str, Any, str]]:
    """Yield (key, type, comment) of every field. Each registered metric and section counts as a field."""
    comments = _comments(kind)
    for name, hint in typing.get_type_hints(kind).items():
        if name == "metrics":
            for key, metric in METRICS.items():
                yield key, Optional[float], metric.meaning
        elif name == "sections":
            for key, section in SECTIONS.items():
                result = section.result if section.empty_result is not None else Optional[section.result]
                yield key, result, _OF_EACH if section.of == "algorithm" else ""
        else:
            yield name, hint, comments.get(name, "")


def _parts(hint: Any) -> Iterator[type]:
    if is_dataclass(hint) and isinstance(hint, type):
        yield hint
    for argument in typing.get_args(hint):
        yield from _parts(argument)


def _in_words(hint: Any) -> str:
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is Union:
        return f"{_in_words(arguments[0])}, or null"
    if typing.get_origin(hint) is tuple:
        return f"list of {_in_words(arguments[0])}"
    if typing.get_origin(hint) is dict:
        return "object"
    if is_dataclass(hint) and isinstance(hint, type):
        return f"[{hint.__name__}](#{hint.__name__.lower()})"
    return _PLAIN.get(hint, "numbers")


def _markdown(text: str) -> str:
    """Turn a comment or docstring into Markdown for a cell of a table."""
    text = re.sub(r":\w+:`\.*~?([^`]*)`", r"`\1`", text).replace("``", "`")
    return re.sub(r"\bNone\b", "null", text).replace("|", "\\|")
