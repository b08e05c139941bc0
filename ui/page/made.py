"""How the report was made, and how to make it again."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Dict, List

from ..science import WHOLE_COLLECTION, WHOLE_DAY_TABLE
from ..text import _
from ..text.phrases import paragraph
from ..views import NAMES, load
from .markup import Html, each, element, joined

if TYPE_CHECKING:
    from evaluator.report import Report, Scope

PAGE_EXTERNAL = _("FILE is the file of predictions as it was given, with #COLUMN where a column was chosen.")
PAGE_PICKED = _("The cards were picked one by one, which no option says: this evaluates all reviews.")
#: The option that chooses the reviews, by the kind of scope. Cards that were picked one by one have none.
_SCOPES: Dict[str, str] = {"deck": "--deck", "deck_id": "--deck", "preset": "--preset", "search": "--search"}


def made(report: Report, *, of_each: bool = False) -> Html:
    """The software and the command; ``of_each``: the page has the graphs of each algorithm."""
    scope = report.scope
    notes = (
        [] if scope.utc_offset_minutes is not None else [_("With a review log as CSV, give --cards too, if you did.")]
    )
    if scope.kind != WHOLE_COLLECTION.kind and scope.kind not in _SCOPES:
        notes.append(PAGE_PICKED)
    notes += [PAGE_EXTERNAL] if _external(report) else []
    missing = paragraph(*(view.question for view in map(load, NAMES) if not view.found(report)))
    notes += (
        [
            _(
                "Some questions take about as long as the evaluation itself, or cannot be answered for every "
                "collection. With --sections all the report also tries these: {questions}"
            ).format(questions=missing)
        ]
        if missing
        else []
    )
    return joined(
        [
            element(
                "p",
                _(
                    "By {software}, on one computer and without a network. Nothing is drawn at random but with fixed "
                    "seeds, so the same version gives the same numbers for the same reviews. To repeat it, where PATH "
                    "is your collection (with Anki closed), a package or a review log:"
                ).format(software=report.software),
            ),
            element("pre", element("code", command(report, of_each=of_each))),
            each("p", notes),
            element(
                "p",
                _(
                    "This file holds your results and the names of your decks and presets, but nothing that is written "
                    "on your cards, and no single review. It loads nothing from anywhere."
                ),
            ),
        ]
    )


def command(report: Report, *, of_each: bool = False) -> str:
    """The command line that makes the same report."""
    scope = report.scope
    external = _external(report)
    ours = [result.algorithm for result in report.results if result.algorithm not in external]
    algorithms = [*ours, *report.unfinished]
    sections = [key for key, found in report.sections.items() if found]
    options = [
        *([_SCOPES[scope.kind], scope.name] if scope.kind in _SCOPES else []),
        *["--algorithms", ",".join(algorithms), "--folds", str(scope.folds)],
        *(word for name in external for word in ("--external", f"{name}=FILE")),
        *(["--baseline", scope.baseline] if scope.baseline else []),
        *(["--since", scope.since] if scope.since else []),
        *([] if scope.table == WHOLE_DAY_TABLE else ["--table", scope.table]),
        *([] if scope.same_day else ["--no-same-day"]),
        *([] if scope.outlier_filter else ["--no-outlier-filter"]),
        *(["--next-day-at", str(scope.day_cutoff)] if _told_when_days_begin(scope) else []),
        *(["--sections", ",".join(sections)] if sections else []),
        *(["--graphs", "all"] if of_each else []),
    ]
    return shlex.join(["python3", "tools", "evaluate", "PATH", *options, "--html", "report.html"])


def _external(report: Report) -> List[str]:
    """Algorithms whose predictions came from files: what they know of a card's past is not known."""
    return [result.algorithm for result in report.results if "unknown" in result.uses]


def _told_when_days_begin(scope: Scope) -> bool:
    """Whether the person said when a day begins: the collection does not, and it was not assumed."""
    return scope.utc_offset_minutes is None and not scope.day_cutoff_assumed
