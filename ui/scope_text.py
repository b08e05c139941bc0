"""Words for what is evaluated: on the buttons at the top, and in the line below."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Optional

from .lines import without_middle
from .science import ScopeChoice, harmless
from .text import _, ngettext, pgettext, phrases, strings

if TYPE_CHECKING:
    from evaluator.report import Report

#: Longer names are shortened in the line below; the button's tooltip has them whole.
LONGEST_NAME = 24


def scope_button(choice: ScopeChoice) -> str:
    """Which reviews: a deck by its name alone, as there are mostly decks."""
    return strings.SCOPE_BUTTON[choice.kind].format(name=harmless(choice.name))


def since_button(since: Optional[dt.date]) -> str:
    """From when on."""
    return _("the beginning") if since is None else since.isoformat()


def options_button(*, same_day: bool, outlier_filter: bool) -> str:
    """How many options are not as usual."""
    changed = (not same_day) + (not outlier_filter)
    return (
        ngettext("Options ({count} changed)", "Options ({count} changed)", changed).format(count=changed)
        if changed
        else pgettext("Anki", "Options")
    )


def rows_line(report: Report, *, narrow: bool = False) -> str:
    """How many rows there are in the scope, and how many of them are scored; a line more where it needs a name.

    ``narrow``: in two lines.
    """
    rows = sum(step.rows for step in report.funnel if step.step != "outside_scope")
    form = _("{read},\n{scored}.") if narrow else _("{read}, {scored}.")
    line = form.format(
        read=strings.ROWS_READ(rows),
        scored=ngettext("{count:,} scored", "{count:,} scored", report.scope.reviews).format(
            count=report.scope.reviews
        ),
    )
    if report.scope.kind == "collection":
        return line
    scope = phrases.scope_words(report.scope.kind, shortened(report.scope.name))
    return _("{scope}:\n{rows}").format(scope=scope, rows=line)


def shortened(name: str) -> str:
    """The name, its middle left out where it is long: decks differ at their ends."""
    return without_middle(name, LONGEST_NAME, LONGEST_NAME * 2 // 3)
