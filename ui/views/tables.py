"""What several tables share: columns, and which of many rows they show."""

from __future__ import annotations

from typing import TypeVar

from ..text import _, strings
from .view import Column

T = TypeVar("T")

ALGORITHM = Column(strings.COLUMN_ALGORITHM, number=False)
REVIEWS = Column(strings.CHART_COUNTS, strings.COUNTS_TIP)
#: Of an interval.
ENDS = (
    # Translators: A column: the lower ends of intervals.
    Column(
        _("From"),
        _(
            "Lower end of the 95\N{NO-BREAK SPACE}% interval. Without a value there are too few cards or days, or too "
            "few reviews that were forgotten (or remembered)."
        ),
    ),
    # Translators: A column: the upper ends of intervals.
    Column(_("To"), _("Upper end of the 95\N{NO-BREAK SPACE}% interval.")),
)
