"""Shared parts of tables: columns, and the labels of comparisons."""

from __future__ import annotations

from ..text import _, strings
from .view import Column, Table

ALGORITHM = Column(strings.COLUMN_ALGORITHM, number=False)
REVIEWS = Column(strings.CHART_COUNTS, _("The number of scored reviews behind the numbers in this row."))
#: Labels by the code of a comparison.
COMPARISON_CODES = {
    "better": _("better"),
    "worse": _("worse"),
    "equivalent": _("equivalent"),
    "cannot_tell": _("cannot tell"),
    "too_few": _("too few cards or days"),
    # Translators: Too few reviews were forgotten, or too few were remembered, whichever is the rarer.
    "rare_outcome": _("too few lapses or successes"),
}


def without_sparse_columns(table: Table, min_share: float = 0.0) -> Table:
    """Return the table without the columns that have no value, or values in less than this share of the rows."""
    empty, least = {"", strings.NO_VALUE}, max(1, min_share * len(table.rows))
    kept = [index for index in range(len(table.columns)) if sum(row[index] not in empty for row in table.rows) >= least]
    columns = tuple(table.columns[index] for index in kept)
    return Table(columns, tuple(tuple(row[index] for index in kept) for row in table.rows))
