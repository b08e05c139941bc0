"""How the report was made: all that is needed to make it again."""

from __future__ import annotations

import shlex
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Dict, Iterator, List, Tuple

from .. import strings
from ..phrases import labelled, paragraph
from ..science import WHOLE_COLLECTION
from ..tables import TABLES
from .markup import Html, each, element, folded, joined

if TYPE_CHECKING:
    from evaluator.report import Report, Scope

#: The family of what came from files of predictions.
EXTERNAL = "External"

#: The option that chooses the reviews, by the kind of scope. Cards that were picked one by one have none.
_SCOPES: Dict[str, str] = {"deck": "--deck", "deck_id": "--deck", "preset": "--preset", "search": "--search"}


def made(report: Report, *, of_each: bool = False) -> Html:
    """The software, the command, the seeds; ``of_each``: the page has the graphs of each algorithm."""
    scope = report.scope
    notes = [] if scope.utc_offset_minutes is not None else [strings.PAGE_CARDS]
    if scope.kind != WHOLE_COLLECTION.kind and scope.kind not in _SCOPES:
        notes.append(strings.PAGE_PICKED)
    notes += [strings.PAGE_EXTERNAL] if _external(report) else []
    missing = [question for section, question in strings.SECTION_QUESTIONS.items() if not report.section(section)]
    notes += [strings.PAGE_MORE.format(questions=paragraph(*missing))] if missing else []
    seeds = [labelled(strings.PAGE_SEED_OF[place], str(seed)) for place, seed in dict.fromkeys(_seeds(report, ""))]
    return joined(
        [
            element("p", strings.PAGE_MADE_SENTENCE.format(software=report.software)),
            element("pre", element("code", command(report, of_each=of_each))),
            each("p", notes),
            folded(strings.PAGE_SEEDS, element("ul", each("li", seeds))) if seeds else "",
            element("p", strings.PAGE_PRIVATE),
        ]
    )


def command(report: Report, *, of_each: bool = False) -> str:
    """The command line that makes the same report."""
    scope = report.scope
    external = _external(report)
    ours = [result.algorithm for result in report.results if result.family != EXTERNAL]
    algorithms = [*ours, *report.unfinished]
    sections = [section for section in TABLES if report.section(section)]
    options = [
        *([_SCOPES[scope.kind], scope.name] if scope.kind in _SCOPES else []),
        *["--algorithms", ",".join(algorithms), "--folds", str(scope.folds)],
        *(word for name in external for word in ("--external", f"{name}=FILE")),
        *(["--baseline", scope.baseline] if scope.baseline else []),
        *(["--since", scope.since] if scope.since else []),
        *([] if scope.same_day else ["--no-same-day"]),
        *([] if scope.outlier_filter else ["--no-outlier-filter"]),
        *(["--next-day-at", str(scope.day_cutoff)] if _told_when_days_begin(scope) else []),
        *(["--sections", ",".join(sections)] if sections else []),
        *(["--graphs", "all"] if of_each else []),
    ]
    return shlex.join(["python3", "tools", "evaluate", "PATH", *options, "--html", "report.html"])


def _external(report: Report) -> List[str]:
    return [result.algorithm for result in report.results if result.family == EXTERNAL]


def _told_when_days_begin(scope: Scope) -> bool:
    """Neither did the collection say it, nor was it assumed."""
    return scope.utc_offset_minutes is None and not scope.day_cutoff_assumed


def _seeds(value: object, place: str) -> Iterator[Tuple[str, int]]:
    """(where, seed) of every field that is called so in the report's tree."""
    if isinstance(value, tuple):
        for item in value:
            yield from _seeds(item, place)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _seeds(item, key)
    elif is_dataclass(value):
        for field in fields(value):
            inside = getattr(value, field.name)
            if field.name.endswith("seed") and inside is not None:
                yield place or field.name[: -len("_seed")], inside
            else:
                yield from _seeds(inside, place or field.name)
