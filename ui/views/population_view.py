"""How good the user's FSRS-5 is among published results of other people, as a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from ..text import _
from ..text.phrases import of_100, paragraph
from .view import Block, View

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.population_section import PeerComparison


def blocks(report: Report) -> Iterator[Block]:
    """Yield a block with the ranks of FSRS-5 among its results for other people."""
    peers: PeerComparison = report.section("population")
    text = _(
        "FSRS-5, trained as in the public benchmark, gains more over guessing for you than for {gain} of 100 people "
        "with a similar number of reviews ({collections:,} collections of January 2025, not a random sample), and "
        "tells your forgotten cards apart better than for {auc}. It says how well FSRS describes your memory, not how "
        "good your memory is."
    ).format(gain=of_100(peers.better_by_skill), auc=of_100(peers.better_by_auc), collections=peers.others.collections)
    is_part = report.scope.kind != "collection" or report.scope.since is not None
    yield Block("population", VIEW.title, paragraph(text, _("The others are whole collections.") if is_part else ""))


VIEW = View("population", _("Compared with others"), _("How well does FSRS describe your memory?"), blocks)
