"""Own parameters for each preset or deck, against shared ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Sequence, Tuple

from ..science import interval
from ..text import _, pgettext, strings
from ..text.phrases import paragraph, whole
from ..views.splitting import split_sentence, splitting_sentence
from .cells import ends, signed
from .group_cells import name_of, tail_name, tail_notes, tail_of
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.sections.splitting import Split, Splitting

SPLIT_TITLES = {
    "preset": _("Own parameters for each preset?"),
    "deck": _("Own parameters for each deck?"),
}
SPLIT_ALL = {
    "preset": _("All presets"),
    "deck": pgettext("Anki", "All decks"),
}
#: By the code, and whether it has parameters of its own now.
SPLIT_DO = {
    ("split", False): _("give it its own"),
    ("split", True): _("keep its own"),
    ("either", False): _("either will do"),
    ("either", True): _("either will do"),
    ("keep_together", False): _("leave it with the shared ones"),
    ("keep_together", True): _("merge: use the shared ones"),
    ("cannot_tell", False): _("cannot be told yet"),
    ("cannot_tell", True): _("cannot be told yet"),
    ("too_few", False): _("too few to tell"),
    ("too_few", True): _("too few to tell"),
}
SPLIT_DO_ALL = {
    "split": _("own ones are better"),
    "either": _("own ones are hardly better"),
    "keep_together": _("one set will do"),
    "cannot_tell": _("cannot be told yet"),
    "too_few": _("too few to tell"),
}
SPLIT_HOW = {
    "preset": _("Decks with the same preset share its parameters: to merge two presets, give their decks one of them."),
    "deck": _("In Anki, a deck gets its own parameters by getting a preset of its own."),
}

Row = Tuple[str, ...]

#: The advice on so many groups is written out below the table.
MOST_SENTENCES = 8


def splitting_table(splitting: Splitting) -> Table:
    """A row for each group, from the one with most reviews to that with fewest, and one for all of them."""
    by, total, advice = splitting.by, splitting.total, splitting_sentence(splitting)
    if not splitting.groups:
        return Table(SPLIT_TITLES[by], (), (), advice)
    listed, rest = tail_of(splitting.groups)
    rows: List[Row] = [_row(group, name_of(group.label, group.name)) for group in listed]
    if rest:
        rows.append(_tail(rest, by))
    if total is None:
        notes = tail_notes(rest, by)
        return Table(SPLIT_TITLES[by], _columns(splitting), tuple(rows), advice, notes)
    rows.append(_row(total, SPLIT_ALL[by]))
    decided = [group for group in listed if group.code not in (interval.CANNOT_TELL, interval.TOO_FEW)]
    sentences = [split_sentence(by, group) for group in decided[:MOST_SENTENCES]]
    return Table(
        title=SPLIT_TITLES[by],
        columns=_columns(splitting),
        rows=tuple(rows),
        sentence=paragraph(
            advice,
            _(
                "Both were trained on earlier reviews only and tested on the same later ones, so neither how much you "
                "forget nor how many reviews there are can make one look better."
            ),
        ),
        notes=(
            *tail_notes(rest, by),
            *sentences,
            SPLIT_HOW[by],
            _(
                "Anki's optimiser begins at the published parameters, not at the shared ones, so with few reviews it "
                "may gain less than this table shows, or lose."
            ),
        ),
    )


def _columns(splitting: Splitting) -> Tuple[Column, ...]:
    by, algorithm = splitting.by, splitting.algorithm
    return (
        Column(strings.GROUP_NAMES[by], strings.GROUP_NAME_TIP[by], number=False),
        Column(strings.GROUP_CARDS, strings.GROUP_CARDS_TIP),
        Column(strings.GROUP_REVIEWS, strings.GROUP_REVIEWS_TIP),
        Column(
            # Translators: A column: of shared parameters.
            _("Shared"),
            _("Log loss of {algorithm} with one set of parameters, trained on all earlier reviews.").format(
                algorithm=algorithm
            ),
        ),
        Column(
            # Translators: A column: of own parameters.
            _("Own"),
            _(
                "Log loss of {algorithm} with parameters of the group's own. They begin at the shared ones and go "
                "where the group's earlier reviews demand."
            ).format(algorithm=algorithm),
        ),
        Column(_("Difference"), _("Own minus shared: below 0, own parameters predict better.")),
        Column(
            _("95\N{NO-BREAK SPACE}% interval"),
            _("Chance alone moves the difference by about this much. For each group by itself."),
        ),
        Column(
            _("What to do"),
            _(
                "Takes account of chance, and of how many groups were looked at. Differences below {margin} count as "
                "none: then one set of parameters is simpler."
            ).format(margin=f"{interval.MARGIN:g}"),
            number=False,
        ),
    )


def _row(group: Split, name: str) -> Row:
    own, difference, between = (strings.NO_VALUE,) * 3
    if group.comparison is not None:
        found = group.comparison.difference
        own, difference = f"{group.shared_log_loss + found.known:.4f}", signed(found.estimate)
        between = ends(found, signed)
    do = SPLIT_DO_ALL[group.code] if group.label is None else SPLIT_DO[group.code, bool(group.own_now)]
    known = (name, whole(group.cards), whole(group.reviews), f"{group.shared_log_loss:.4f}")
    return (*known, own, difference, between, do)


def _tail(rest: Sequence[Split], by: str) -> Row:
    cards, reviews = sum(group.cards for group in rest), sum(group.reviews for group in rest)
    return (tail_name(rest, by), whole(cards), whole(reviews), *[strings.NO_VALUE] * 5)
