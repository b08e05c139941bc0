"""The map of stability and difficulty: where predictions are too high, and where too low."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterator, Sequence, Tuple

from ..text import _
from . import slices
from .labels import row_label
from .view import Block, Chart, View

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.graphs import AlgorithmGraphs, MemoryMap

_WORDS = slices.SLICE_LABELS["memory"]


@dataclass(frozen=True)
class Map:
    """Data of the memory map."""

    memory: MemoryMap
    columns: Tuple[str, ...]  #: their names in words
    rows: Tuple[str, ...]
    across: str  #: what the columns are by
    up: str  #: and the rows
    minimum: int  #: cells with fewer reviews are hatched
    model: str  #: algorithm that gives stability and difficulty


def blocks(found: Sequence[AlgorithmGraphs], _report: Report, names: Sequence[str]) -> Iterator[Block]:
    """The map of one algorithm."""
    for item in slices.of_names(found, names, 1):
        yield Block(
            key="memory",
            heading=_WORDS.title,
            caption=slices.finding(item, "memory"),
            # Translators: The column of the map's cells: a range of each.
            table=slices.table([item], "memory", _("Difficulty / Stability in days")),
            chart=Chart("memory", _drawn(item)),
            notes=(_("Numbers are percentage points: + where you remembered more than predicted."),),
            reading=tuple(
                slices.SLICE_LABELS[key].model.format(model=row_label(item.memory_model))
                for key in ("stability", "difficulty")
            ),
            names=(item.algorithm,),
        )


VIEW = View("graphs", _WORDS.title, "", blocks, most=1)


def _drawn(graphs: AlgorithmGraphs) -> Map:
    memory = graphs.memory
    return Map(
        memory=memory,
        columns=tuple(slices.slice_name(name, "memory") for name in memory.stabilities),
        rows=tuple(map(slices.slice_name, memory.difficulties)),
        across=_WORDS.across,
        up=slices.SLICE_LABELS["difficulty"].across,
        minimum=graphs.minimum,
        model=row_label(graphs.memory_model),
    )
