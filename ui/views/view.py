"""Blocks: the parts of a report that the window, the page and the terminal lay out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Callable, Iterable, List, Sequence, Tuple

from .. import science
from ..text import _, strings
from ..text.errors import error_sentence
from ..text.phrases import all_of, paragraph
from .scope import scope_sentences

if TYPE_CHECKING:
    from typing import Optional

    from evaluator.report import Report


@dataclass(frozen=True)
class Column:
    """Header and tooltip of a column."""

    name: str
    tip: str = ""
    number: bool = True  #: whether its cells are numbers, which are right-aligned
    direction: str = ""  #: whether lower or higher is better, to be shown below the name


@dataclass(frozen=True)
class Table:
    """Columns, and rows of cells as texts."""

    columns: Tuple[Column, ...] = ()
    rows: Tuple[Tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Chart:
    """Data of a graph. Two equal charts look alike, so the second need not be drawn."""

    kind: str  #: the module of :mod:`ui.charts` that draws it
    data: Any  #: plain frozen values that this module understands


@dataclass(frozen=True)
class Block:
    """A heading and what is below it: a sentence, a chart, a table and notes, as far as there are any."""

    key: str  #: name of the block, used in file names
    heading: str
    caption: str = ""  #: what it shows, in plain words
    table: Table = Table()
    chart: Optional[Chart] = None
    notes: Tuple[str, ...] = ()
    reading: Tuple[str, ...] = ()  #: how to read this kind of graph, shown once for several graphs
    folded: bool = False  #: whether its table is folded in the window and on the page
    names: Tuple[str, ...] = ()  #: the algorithms shown together, none if it is about the whole report
    labels: Tuple[str, ...] = ()  #: the labels of these algorithms
    source: str = ""  #: which reviews were scored, for a graph shown alone

    @property
    def title(self) -> str:
        """Title with the algorithms, for a graph shown alone."""
        if not self.labels:
            return self.heading
        # Translators: What is drawn, and of whom.
        return _("{graph}: {algorithms}").format(graph=self.heading, algorithms=all_of(self.labels))

    @property
    def sentence(self) -> str:
        """Everything that is said about the graph."""
        return paragraph(self.caption, *self.reading, *self.notes)


@dataclass(frozen=True)
class View:
    """How one section of the report is shown, or one graph of algorithms."""

    section: str  #: name of the section, empty if the report itself has all that is shown
    title: str
    question: str  #: the question that it answers
    #: Function that makes the blocks from the section's result, the report, and the algorithms to show together.
    blocks: Callable[[Any, Report, Sequence[str]], Iterable[Block]]
    effort: str = ""  #: what a slow section does
    max_unasked: int = 0  #: maximum number of scored reviews for which a slow section starts when it is opened
    charts: bool = False  #: whether it is quick and has graphs, so that it is computed whenever graphs are requested
    most: int = 0  #: maximum number of algorithms shown together
    searches: str = ""  #: label of the line for searches that divide the cards, if there is one

    def result(self, report: Report) -> Any:
        """Return what the report holds of it, or nothing if that was not asked for."""
        return report.section(self.section) if self.section else report

    def of(self, report: Report, names: Sequence[str] = ()) -> List[Block]:
        """Return its blocks, or none if the report does not have its section.

        A note of several blocks is in the first of them.
        """
        result = self.result(report)
        if isinstance(result, science.report.Failure):
            sentence = error_sentence(result)
            if result.code in ("arithmetic", "mistake"):
                sentence = _("This could not be calculated: {reason}").format(reason=sentence)
            return [Block(self.section, self.title, sentence)]
        source = paragraph(*scope_sentences(report.scope)[:2], report.software)
        blocks: List[Block] = []
        earlier_notes: List[str] = []
        for block in self.blocks(result, report, names) if result else ():
            notes = tuple(note for note in block.notes if note not in earlier_notes)
            blocks.append(replace(block, notes=notes, source=source if block.chart else ""))
            earlier_notes += block.notes
        return blocks


# --- shared parts of tables ------------------------------------------------------------------------------------------

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
    """Return the table without columns that have a value in no row, or in less than this share of the rows."""
    blank_cells, min_values = {"", strings.NO_VALUE}, max(1, min_share * len(table.rows))
    indices = [
        index
        for index in range(len(table.columns))
        if sum(row[index] not in blank_cells for row in table.rows) >= min_values
    ]
    columns = tuple(table.columns[index] for index in indices)
    return Table(columns, tuple(tuple(row[index] for index in indices) for row in table.rows))
