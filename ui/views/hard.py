"""Was Hard pressed where a card was forgotten? One sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Sequence

from ..text import _
from .cells import percent
from .view import Block, View

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.hard import Hard

HARD_FOUND = {
    "suspected": _(
        "After Hard you forget so often that some of those cards seem to have been forgotten when you pressed it: "
        "about {share} of all that you forgot. If you forgot, use Again."
    ),
    "not_suspected": _("Nothing suggests that you press Hard when you forgot."),
}
#: Why nothing can be said.
HARD_TOO_FEW = {
    "not_evaluated": _("This rests on the predictions of {algorithm}, which was not evaluated."),
    "no_hard": _("You never answered a review on a later day with Hard, so there is nothing to find out."),
    "few_reviews": _("Too few reviews came after Hard to say anything: at least {needed} are needed."),
    "few_forgotten": _(
        "Too little was forgotten after Hard to say anything: at least {needed} such reviews are needed."
    ),
}
HARD_HARMLESS = _(
    "Every algorithm here, and Anki's scheduler, takes Hard for remembered, and then asks for such cards too late."
)
HARD_EXPERIMENTAL = _(
    "Experimental. Of simulated people who press Hard only when they remember, about 1 in 100 are suspected; of those "
    "who press it when they forgot, about half are found. Memory that gains nothing by Hard can look the same."
)


def blocks(found: Hard, _report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """One."""
    text = HARD_FOUND[found.code] if found.reason is None else HARD_TOO_FEW[found.reason]
    needed = found.least_forgotten if found.reason == "few_forgotten" else found.least_reviews
    notes = [HARD_HARMLESS] if found.code == "suspected" else []
    yield Block(
        key="hard",
        heading=_("Hard, when you forgot? (experimental)"),
        caption=text.format(algorithm=found.algorithm, needed=needed, share=percent(found.share, 0)),
        notes=tuple([*notes, HARD_EXPERIMENTAL] if found.reason is None else ()),
    )


VIEW = View("hard", _("Hard, when you forgot?"), _("Is Hard pressed when a card was forgotten?"), blocks)
