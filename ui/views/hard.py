"""Was Hard pressed for forgotten cards? One sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Sequence

from ..text import _, strings
from ..text.phrases import paragraph
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
#: By what is lacking.
HARD_TOO_FEW = {
    "not_evaluated": _("Unknown: this needs the predictions of {algorithm}."),
    "no_hard": _("Unknown: you never pressed Hard for a card seen on an earlier day."),
    "few_reviews": _("Too few to tell: {reviews} on a later day after Hard; at least {needed} are needed."),
    "few_forgotten": _("Too few to tell: of {reviews} after Hard you forgot fewer than {forgotten}."),
}
# Translators: Percentages, all predicted by {algorithm}.
HARD_PREDICTED = _(
    "The average recall that {algorithm} predicted was {hard} before you pressed Hard, {again} before Again, and "
    "{passed} before Good or Easy."
)
AS_AGAIN = _("Hard came at predictions as low as Again did: press it only if you remembered.")
HARD_EXPERIMENTAL = _(
    "Experimental. In simulations, this flags about 1 in 100 people who press Hard only when they remember, and about"
    " half of those who press it when they forget. If Hard does not strengthen your memory, you may be flagged too."
)


def blocks(hard: Hard, _report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """Yield the block of the section."""
    text = HARD_FOUND[hard.code] if hard.reason is None else paragraph(HARD_TOO_FEW[hard.reason], *_predicted(hard))
    yield Block(
        key="hard",
        heading=_("Hard instead of Again? (experimental)"),
        caption=text.format(
            algorithm=row_label(hard.algorithm),
            reviews=strings.REVIEWS(hard.reviews),
            needed=hard.least_reviews,
            forgotten=hard.least_forgotten,
            share=percent(hard.share, 0),
            **dict(zip(("again", "hard", "passed"), (percent(mean, 1) for mean in hard.predicted))),
        ),
        notes=(HARD_EXPERIMENTAL,) if hard.reason is None else (),
    )


def _predicted(hard: Hard) -> Iterator[str]:
    """Yield what was predicted before each button; and that Hard is pressed like Again, if at predictions as low."""
    if hard.predicted:
        yield HARD_PREDICTED
        again, hard_, _passed = hard.predicted
        if round(hard_, 3) <= round(again, 3):
            yield AS_AGAIN


VIEW = View("hard", _("Hard instead of Again?"), _("Do you press Hard when you have forgotten?"), blocks)
