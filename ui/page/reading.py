"""How to read the graphs and the tables behind them: said once for all of them, not below each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Sequence

from ..text import _
from ..text.phrases import listed
from .markup import Html, element
from .tables import column_words, definitions

if TYPE_CHECKING:
    from ..views.view import Block, Column

PAGE_READING = _("How to read the graphs")


def how_to_read(drawn: Sequence[Block]) -> Html:
    """Each sentence that several graphs would repeat, with the graphs that it is about."""
    alone: Dict[str, Dict[str, None]] = {}  #: the graphs of single algorithms, by sentence
    of_two: Dict[str, Dict[str, None]] = {}
    for block in drawn:
        for words in block.reading:
            (of_two if len(block.names) > 1 else alone).setdefault(words, {})[block.heading] = None
    pairs = [(listed(titles), words) for words, titles in alone.items()]
    pairs += [
        (_("Two algorithms: {graphs}").format(graphs=listed(titles)), words)
        for words, titles in of_two.items()
        if words not in alone
    ]
    return element("section", element("h3", PAGE_READING), definitions(pairs)) if pairs else Html("")


def what_columns_mean(drawn: Sequence[Block]) -> Html:
    """The meanings of all columns in the tables behind these graphs, each once."""
    columns: Dict[Column, None] = {}
    for block in drawn:
        columns.update(dict.fromkeys(block.table.columns))
    return column_words(list(columns))
