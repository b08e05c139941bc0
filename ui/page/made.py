"""How the report was made: all that is needed to make it again."""

from __future__ import annotations

import shlex
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Iterator, List, Tuple

from .. import strings
from .markup import Html, each, element, folded, joined

if TYPE_CHECKING:
    from evaluator.report import Report


def made(report: Report) -> Html:
    """The software, the command, the seeds."""
    stated = report.scope.utc_offset_minutes is not None
    seeds = [strings.PAGE_SEED.format(place=place, seed=seed) for place, seed in dict.fromkeys(_seeds(report, ""))]
    return joined(
        [
            element("p", strings.PAGE_MADE_SENTENCE.format(software=report.software)),
            element("pre", element("code", command(report))),
            each("p", [] if stated else [strings.PAGE_CARDS]),
            folded(strings.PAGE_SEEDS, element("ul", each("li", seeds))) if seeds else "",
            element("p", strings.PAGE_PRIVATE),
        ]
    )


def command(report: Report) -> str:
    """The command line that makes the same report."""
    scope = report.scope
    names = [result.algorithm for result in report.results]
    words: List[str] = ["python3", "tools", "evaluate", "PATH"]
    words += ["--algorithms", ",".join([*names, *report.unfinished]), "--folds", str(scope.folds)]
    words += ["--since", scope.since] if scope.since else []
    if scope.utc_offset_minutes is None and not scope.day_cutoff_assumed:
        words += ["--next-day-at", str(scope.day_cutoff)]
    return " ".join(map(shlex.quote, [*words, "--html", "report.html"]))


def _seeds(value: object, place: str) -> Iterator[Tuple[str, int]]:
    """(where, seed) of every field of that name in the report's tree."""
    if isinstance(value, tuple):
        for item in value:
            yield from _seeds(item, place)
    elif is_dataclass(value):
        for field in fields(value):
            inside = getattr(value, field.name)
            if field.name == "seed" and inside is not None:
                yield place, inside
            else:
                yield from _seeds(inside, place or field.name)
