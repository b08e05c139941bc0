"""Was Hard pressed for forgotten cards? One sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Sequence

from ..text import _
from .cells import percent
from .labels import row_label
from .view import Block, View

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.hard import Hard

HARD_FOUND = {
    "suspected": _(
        "After Hard you forget so often that some of those cards seem to have been forgotten when you "
        "pressed it: about {share} of all your lapses. If you forgot, use Again."
    ),
    "not_suspected": _("No sign that you press Hard when you forget."),
}
HARD_TOO_FEW = _(
    "Unknown: this needs the predictions of {algorithm} and at least {reviews} reviews after Hard, at least "
    "{forgotten} of them forgotten."
)
HARD_EXPERIMENTAL = _(
    "Experimental. In simulations, this flags about 1 in 100 people who press Hard only when they remember, and about"
    " half of those who press it when they forget. If Hard does not strengthen your memory, you may be flagged too."
)


def blocks(hard: Hard, _report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """Yield the block of the section."""
    text = HARD_FOUND[hard.code] if hard.reason is None else HARD_TOO_FEW
    yield Block(
        key="hard",
        heading=_("Hard instead of Again? (experimental)"),
        caption=text.format(
            algorithm=row_label(hard.algorithm),
            reviews=hard.least_reviews,
            forgotten=hard.least_forgotten,
            share=percent(hard.share, 0),
        ),
        notes=(HARD_EXPERIMENTAL,) if hard.reason is None else (),
    )


VIEW = View("hard", _("Hard instead of Again?"), _("Do you press Hard when you have forgotten?"), blocks)
