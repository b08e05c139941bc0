from __future__ import annotations

from dataclasses import replace

import made_graphs
import pytest

from ui.views import load

WHOLE = " The others are whole collections."


@pytest.mark.parametrize(
    ("part", "end"), [({}, ""), ({"kind": "deck", "name": "Law"}, WHOLE), ({"since": "2024-05-01"}, WHOLE)]
)
def test_one_sentence_ranks_fsrs_5_among_peers(part, end):
    report = made_graphs.pair_report()
    (block,) = load("population").of(replace(report, scope=replace(report.scope, **part)))
    assert (block.chart, block.table.rows, block.notes) == (None, (), ())
    assert block.caption == (
        "FSRS-5, trained as in the public benchmark, gains more over guessing for you than for 45 of 100 people with a "
        "similar number of reviews (1,057 collections of January 2025, not a random sample), and tells your forgotten "
        "cards apart better than for 52. It says how well FSRS describes your memory, not how good your memory is."
        + end
    )
