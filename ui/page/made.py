"""How the report was made: all that is needed to make it again."""

from __future__ import annotations

import shlex
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Dict, Iterator, List, Tuple

from ..science import WHOLE_COLLECTION, WHOLE_DAY_TABLE
from ..text import _
from ..text.phrases import labelled, paragraph
from ..views import NAMES, load
from .markup import Html, each, element, folded, joined

if TYPE_CHECKING:
    from evaluator.report import Report, Scope

PAGE_EXTERNAL = _("FILE is the file of predictions as it was given, with #COLUMN where a column was chosen.")
PAGE_PICKED = _("The cards were picked one by one, which no option says: this evaluates all reviews.")
PAGE_ON_COVERED = _("Comparison with predictions from elsewhere")
#: What is drawn at random outside of the sections, which have titles of their own; before a colon and the seed.
PAGE_SEED_OF = {
    "training": _("Training (which cards it goes by at first)"),
    "on_covered": PAGE_ON_COVERED,
}

#: The option that chooses the reviews, by the kind of scope. Cards that were picked one by one have none.
_SCOPES: Dict[str, str] = {"deck": "--deck", "deck_id": "--deck", "preset": "--preset", "search": "--search"}


def made(report: Report, *, of_each: bool = False) -> Html:
    """The software, the command, the seeds; ``of_each``: the page has the graphs of each algorithm."""
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
    seeds = [labelled(_seed_of(place), str(seed)) for place, seed in dict.fromkeys(_seeds(report, ""))]
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
            folded(_("Seeds of what was drawn at random"), element("ul", each("li", seeds))) if seeds else "",
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


def _seed_of(place: str) -> str:
    return PAGE_SEED_OF.get(place) or (load(place).title if place in NAMES else place)


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
