"""``python3 tools describe``: write ``docs/report.md``, which describes every key and column of the output.

The descriptions are the comments next to the fields of the dataclasses. Sphinx reads such comments too, but it
describes a program and not the JSON that the program writes.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any, Optional, Union

from evaluator.metrics import METRICS
from evaluator.report import DECIMALS, Report
from evaluator.scoring.report_builder import Predictions
from evaluator.sections import SECTIONS
from tools.environment import ROOT
from tools.output.output_files import write_text_file

PAGE = ROOT / "docs" / "report.md"

#: JSON's word for each plain type.
_PLAIN = {str: "text", int: "integer", float: "number", bool: "true or false"}
#: Descriptions of fields that mean the same in all dataclasses, and need no comment there.
_COMMON = {
    "algorithm": "its name",
    "baseline": "name of the algorithm that it is compared with",
    "cards": "number of cards of these reviews",
    "code": "see above",
    "days": "number of days of these reviews",
    "left": "from this prediction",
    "reason": "see above",
    "resamples": "number of resamples",
    "reviews": "number of scored reviews",
    "right": "to this prediction",
    "seed": "seed of the random numbers",
}
#: Description of a section with an item for each algorithm.
_OF_EACH = "an item for each algorithm that has one, in the order of the results"
_INTRODUCTION = """\
# What the report holds

`--json FILE` writes the report as one JSON object, [Report](#report), `--predictions FILE` a CSV with one row per
scored review. This page is made by `python3 tools describe` from the comments in the source.

Probabilities, shares and RMSE are between 0 and 1; log loss is in nats (natural logarithms); dates are ISO dates; a
key that does not apply is `null`. A section that was not asked for (see `--sections`) is empty or `null`. Numbers are
rounded to 9 digits after the point. The same input gives the same bytes, except for the last
key, `timing`. It holds the seconds of each stage, and only `--json` writes it.
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
    tables = "\n".join(_describe_class(kind) for kind in reachable_classes(Report))
    columns = "".join(
        f"| `{name}` | {meaning} |\n" for name, _, meaning in describe_fields(Predictions) if name != "predicted"
    )
    return f"{_INTRODUCTION}\n{tables}\n{_CSV}{columns}"


def reachable_classes(kind: type) -> list[type]:
    """Return the dataclass and those of its fields and their fields, each once, in the order of their first use."""
    classes = [kind]
    # The list grows while it is read.
    for item in classes:
        classes += [part for _, hint, _ in _fields(item) for part in _dataclasses_in(hint) if part not in classes]
    return list(dict.fromkeys(classes))


def describe_fields(kind: type) -> Iterator[tuple[str, str, str]]:
    """Yield the key, the type in words, and the meaning of every field of a dataclass in the JSON."""
    for key, hint, comment in _fields(kind):
        yield key, _type_in_words(hint), _to_markdown(comment or _COMMON.get(key) or _meaning_by_type(key, hint))


def _meaning_by_type(name: str, hint: Any) -> str:
    """Return the first line of the docstring of the dataclass in a field, unless the field is an upper limit."""
    if name.endswith(("high", "upper", "highest")):
        return "the upper end of the same"
    dataclass_type = next(_dataclasses_in(hint), None)
    return (inspect.getdoc(dataclass_type) or "").split("\n")[0] if dataclass_type is not None else ""


def _describe_class(kind: type) -> str:
    """Return the section on a dataclass."""
    lines = [f"## {kind.__name__}", "", _to_markdown(inspect.getdoc(kind) or ""), "", "| key | type | meaning |"]
    lines += [
        "| --- | --- | --- |",
        *(f"| `{name}` | {type_words} | {meaning} |" for name, type_words, meaning in describe_fields(kind)),
    ]
    return "\n".join(lines) + "\n"


def _comments(kind: type) -> dict[str, str]:
    """Return the ``#:`` comment of each field by its name. It is above the field, or after it on the same line."""
    comments: dict[str, str] = {}
    lines_above: list[str] = []
    for line in inspect.getsource(kind).splitlines():
        code, _, comment = line.partition("#:")
        field = re.match(r"    (\w+): ", code)
        if field:
            comments[field[1]] = " ".join([*lines_above, comment.strip()]).strip()
        lines_above = [*lines_above, comment.strip()] if comment and not code.strip() else []
    return comments


def _fields(kind: type) -> Iterator[tuple[str, Any, str]]:
    """Yield the key, the type and the comment of every field. Each registered metric and section counts as a field."""
    comments = _comments(kind)
    for name, hint in typing.get_type_hints(kind).items():
        if name == "metrics":
            for key, metric in METRICS.items():
                yield key, Optional[float], metric.meaning
        elif name == "sections":
            for key, section in SECTIONS.items():
                result_type = section.result if section.empty_result is not None else Optional[section.result]
                yield key, result_type, _OF_EACH if section.of == "algorithm" else ""
        else:
            yield name, hint, comments.get(name, "")


def _dataclasses_in(hint: Any) -> Iterator[type]:
    """Yield the dataclasses in a type, also those in its arguments."""
    if is_dataclass(hint) and isinstance(hint, type):
        yield hint
    for argument in typing.get_args(hint):
        yield from _dataclasses_in(argument)


def _type_in_words(hint: Any) -> str:
    """Return the words for a type in the JSON."""
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is Union:
        return f"{_type_in_words(arguments[0])}, or null"
    if typing.get_origin(hint) is tuple:
        return f"list of {_type_in_words(arguments[0])}"
    if typing.get_origin(hint) is dict:
        return "object"
    if is_dataclass(hint) and isinstance(hint, type):
        return f"[{hint.__name__}](#{hint.__name__.lower()})"
    return _PLAIN.get(hint, "numbers")


def _to_markdown(text: str) -> str:
    """Convert a comment or docstring to Markdown for a cell of a table."""
    text = re.sub(r":\w+:`\.*~?([^`]*)`", r"`\1`", text).replace("``", "`")
    return re.sub(r"\bNone\b", "null", text).replace("|", "\\|")
