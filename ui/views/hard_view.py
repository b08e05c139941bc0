"""The result of the test whether Hard was pressed for forgotten cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from ..text import _, strings
from ..text.phrases import paragraph
from .cells import percent_or_dash
from .view import Block, View

if TYPE_CHECKING:
    from evaluator.report import Hard, Report

#: Sentences on the result, by its code.
HARD_RESULTS = {
    "suspected": _(
        "You seem to press Hard for about {share} of the cards that you have forgotten, because you forget so often "
        "after it. If you forgot, press Again."
    ),
    "not_suspected": _("No sign that you press Hard when you forget."),
}
#: Sentences on why there is no result, by the code of the reason.
HARD_UNKNOWN = {
    "not_evaluated": _("Unknown: this needs the predictions of {algorithm}."),
    "no_hard": _("Unknown: you never pressed Hard for a card seen on an earlier day."),
    "few_reviews": _("Too few to tell: {reviews} on a later day after Hard; at least {needed} are needed."),
    "few_forgotten": _("Too few to tell: of {reviews} after Hard you forgot fewer than {forgotten}."),
}
HARD_SIMULATED = _(
    "In simulations, this flags about 1 in 100 people who press Hard only when they remember, and about half of those "
    "who press it when they forget. If Hard does not strengthen your memory, you may be flagged too."
)


def blocks(report: Report) -> Iterator[Block]:
    """Yield a block with the result, or with the reason why there is none. While rows are missing, yield nothing."""
    hard = report.hard
    if hard is None:
        return
    heading = _("Hard instead of Again? (experimental)")
    if hard.reason is None:
        text = HARD_RESULTS[hard.code].format(share=percent_or_dash(hard.share, 0))
        yield Block("hard", heading, text, notes=(HARD_SIMULATED,))
        return
    text = HARD_UNKNOWN[hard.reason].format(
        algorithm=hard.algorithm,
        reviews=strings.REVIEWS(hard.reviews),
        needed=hard.least_reviews,
        forgotten=hard.least_forgotten,
    )
    yield Block("hard", heading, paragraph(text, *_predictions(hard)))


def _predictions(hard: Hard) -> Iterator[str]:
    """Yield the mean prediction before each button, and a warning if it is as low before Hard as before Again."""
    if hard.predicted:
        before_again, before_hard, before_passed = (percent_or_dash(mean) for mean in hard.predicted)
        # Translators: Percentages, all predicted by {algorithm}.
        yield _(
            "The average recall that {algorithm} predicted was {hard} before you pressed Hard, {again} before Again, "
            "and {passed} before Good or Easy."
        ).format(algorithm=hard.algorithm, hard=before_hard, again=before_again, passed=before_passed)
        if round(hard.predicted[1], 3) <= round(hard.predicted[0], 3):
            yield _("You pressed Hard at predictions as low as those before Again. Press Hard only if you remembered.")


VIEW = View("", _("Hard instead of Again?"), _("Do you press Hard when you have forgotten?"), blocks)
