"""The blocks of a report, which the window, the page and the terminal lay out, and the views that make them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Callable, Iterable, List, Optional, Sequence, Tuple

from .. import science
from ..text import _, strings
from ..text.error_sentences import error_sentence
from ..text.phrases import all_of, paragraph
from .scope_sentences import scope_sentences

if TYPE_CHECKING:
    from evaluator.report import Report


@dataclass(frozen=True)
class Column:
    """The header of a table's column."""

    name: str
    tip: str = ""
    number: bool = True  #: whether its cells are numbers, which are right-aligned
    direction: str = ""  #: text below the name on which values are better


@dataclass(frozen=True)
class Table:
    """A table with a text in each cell."""

    columns: Tuple[Column, ...] = ()
    rows: Tuple[Tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Chart:
    """The data of a graph. Equal charts look alike, so that one of them need not be drawn again."""

    kind: str  #: name of the module of :mod:`ui.charts` that draws it, without ``_chart``
    data: Any  #: immutable data that this module can draw


@dataclass(frozen=True)
class Block:
    """A heading with a sentence, a chart, a table and notes below it, all of them optional."""

    key: str  #: name of the block, used in file names
    heading: str
    caption: str = ""  #: what the block shows, in plain words
    table: Table = Table()
    chart: Optional[Chart] = None
    notes: Tuple[str, ...] = ()
    reading: Tuple[str, ...] = ()  #: sentences on how to read such a graph, shown once for several graphs
    details: Tuple[str, ...] = ()  #: sentences below the notes, folded in the window and on the page
    folded: bool = False  #: whether its table is folded in the window and on the page
    nothing_off: bool = False  #: whether it is a graph of groups, none of them off by more than chance
    names: Tuple[str, ...] = ()  #: algorithms in the graph, none if the block is about the whole report
    labels: Tuple[str, ...] = ()  #: the labels of these algorithms
    source: str = ""  #: sentence on the scored reviews, added to a graph that is copied or saved

    @property
    def title(self) -> str:
        """The heading followed by the algorithms, for a graph that is copied or saved."""
        if not self.labels:
            return self.heading
        # Translators: The name of a graph, and the algorithms in it.
        return _("{graph}: {algorithms}").format(graph=self.heading, algorithms=all_of(self.labels))

    @property
    def sentence(self) -> str:
        """The caption, the explanation of the graph, and the notes, as one paragraph."""
        return paragraph(self.caption, *self.reading, *self.notes)


@dataclass(frozen=True)
class View:
    """How a section of the report is shown."""

    section: str  #: name of the section, empty if the report itself holds the data
    title: str
    question: str  #: the question that the section answers
    blocks: Callable[[Report], Iterable[Block]]  #: returns the blocks of a report that has the section
    effort: str = ""  #: what a slow section does, for the user to decide whether to start it
    max_unasked: int = 0  #: maximum number of tested reviews with which a slow section starts when it is opened
    searches: str = ""  #: label of the line for searches that split the cards, empty if there is no such line

    def result(self, report: Report) -> Any:
        """Return the section's result, or an empty value if the report does not have that section."""
        return report.section(self.section) if self.section else report

    def of(self, report: Report) -> List[Block]:
        """Return the blocks, or an empty list if the report does not have the section.

        A note that several blocks have in common is only in the first of them. If the section failed, the only block
        says why.
        """
        result = self.result(report)
        if isinstance(result, science.report.Failure):
            sentence = error_sentence(result)
            if result.code in ("arithmetic", "mistake"):
                sentence = _("This could not be calculated: {reason}").format(reason=sentence)
            return [Block(self.section, self.title, sentence)]
        if not result:
            return []
        source = paragraph(*scope_sentences(report)[:2], report.software)
        blocks: List[Block] = []
        earlier_notes: List[str] = []
        for block in self.blocks(report):
            notes = tuple(note for note in block.notes if note not in earlier_notes)
            blocks.append(replace(block, notes=notes, source=(block.source or source) if block.chart else ""))
            earlier_notes += block.notes
        return blocks


@dataclass(frozen=True)
class AlgorithmsView:
    """How a graph of one or two algorithms is shown."""

    section: str  #: as in :class:`View`
    title: str
    #: Function that returns the blocks, from the report and the algorithms to show in one graph.
    blocks: Callable[[Report, Sequence[str]], Iterable[Block]]

    def of(self, report: Report, names: Sequence[str]) -> List[Block]:
        """Return the blocks for these algorithms, as :meth:`View.of` does."""
        return View(self.section, self.title, "", lambda report: self.blocks(report, names)).of(report)


# --- shared parts of tables ------------------------------------------------------------------------------------------

ALGORITHM = Column(strings.COLUMN_ALGORITHM, number=False)
REVIEWS = Column(strings.CHART_COUNTS, _("The number of tested reviews behind the numbers in this row."))
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
    """Return the table without the columns that have no value, or values in too few rows.

    Args:
        table: the table.
        min_share: minimum share of the rows in which a column must have a value.
    """
    blank_cells = {"", strings.NO_VALUE}
    min_values = max(1, min_share * len(table.rows))
    columns = []
    cells_by_column = []
    for column, *cells in zip(table.columns, *table.rows):
        if sum(cell not in blank_cells for cell in cells) >= min_values:
            columns.append(column)
            cells_by_column.append(cells)
    return Table(tuple(columns), tuple(zip(*cells_by_column)))
