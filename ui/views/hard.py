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
        "After Hard you forget so often that some of those cards seem to have been forgotten when you pressed it. If "
        "you forgot, use Again."
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
    "Every algorithm here, and Anki's scheduler, takes Hard for remembered, and then asks for such cards too late. "
    "Nothing in your history is changed."
)
HARD_SHARE = _(
    "These reviews are explained best if {share} of all that you forgot was answered with Hard: a rough number, and "
    "too low where most is answered so."
)
HARD_EXPERIMENTAL = _(
    "Experimental. What is expected was fitted to these very reviews. Of simulated people who press Hard only when "
    "they remember, fewer than 1 in 100 are suspected, but 2 in 100 of those with thousands of Hard answers; of those "
    "who press it when they forgot, about half are found. Memory that gains nothing by Hard can look the same, and "
    "where nothing is found, nothing is proved."
)


def blocks(found: Hard, _report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """One."""
    text = HARD_FOUND[found.code] if found.reason is None else HARD_TOO_FEW[found.reason]
    needed = found.least_forgotten if found.reason == "few_forgotten" else found.least_reviews
    notes = [HARD_EXPERIMENTAL] if found.reason is None else []
    if found.code == "suspected":
        notes = [HARD_HARMLESS, HARD_SHARE.format(share=percent(found.share, 0)), *notes]
    yield Block(
        key="hard",
        heading=_("Hard, when you forgot? (experimental)"),
        caption=text.format(algorithm=found.algorithm, needed=needed),
        notes=tuple(notes),
    )


VIEW = View("hard", _("Hard, when you forgot?"), _("Is Hard pressed when a card was forgotten?"), blocks)
