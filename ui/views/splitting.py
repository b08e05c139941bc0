"""Own parameters for each preset or deck, against shared ones: the numbers, and what to do, in sentences."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Iterator, List, Sequence, Tuple

from ..science import harmless, interval
from ..text import _, pgettext, strings
from ..text.errors import error_sentence
from ..text.phrases import all_of, paragraph, whole
from .cells import ends, loss, signed
from .group_cells import cells_of_small, columns_of, listed, name_of, notes_on_small
from .lacking import needed
from .verdict import by_how_much, detectable
from .view import Block, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Comparison, Report
    from evaluator.sections.splitting import Split, Splitting

SPLIT_WHICH = {
    "preset": _("the preset {name}"),
    "deck": _("the deck {name}"),
}
#: The same at the beginning of a sentence.
SPLIT_WHICH_FIRST = {
    "preset": _("The preset {name}"),
    "deck": _("The deck {name}"),
}
#: Of all presets, or all decks.
SPLIT_NONE_IN_USE = {
    "preset": _(
        "All scored reviews are of cards that no longer exist, so no preset is known: there is nothing to split."
    ),
    "deck": _("All scored reviews are of cards that no longer exist, so no deck is known: there is nothing to split."),
}
SPLIT_ONE_IN_USE = {
    "preset": _("All your cards have the same preset: there is nothing to split."),
    "deck": _("All your cards have the same deck: there is nothing to split."),
}
SPLIT_ALL_TOO_FEW = {
    "preset": _("No preset has enough reviews yet to try own parameters: {needed}."),
    "deck": _("No deck has enough reviews yet to try own parameters: {needed}."),
}
SPLIT_TOGETHER = {
    "preset": {
        "split": _(
            "Give each preset its own parameters: together they predict better (by {by_how_much}), though it cannot be "
            "told of any single preset."
        ),
        "either": _(
            "Keep one set of parameters for all presets, which is simpler: own ones predict better, but hardly (by "
            "{by_how_much})."
        ),
        "keep_together": _("Keep one set of parameters for all presets: {own}."),
        "cannot_tell": _(
            "Keep one set of parameters for all presets for now, which is simpler: whether own ones predict better "
            "cannot be told yet, as only differences above {detectable} could have been shown."
        ),
    },
    "deck": {
        "split": _(
            "Give each deck its own parameters: together they predict better (by {by_how_much}), though it cannot be "
            "told of any single deck."
        ),
        "either": _(
            "Keep one set of parameters for all decks, which is simpler: own ones predict better, but hardly (by "
            "{by_how_much})."
        ),
        "keep_together": _("Keep one set of parameters for all decks: {own}."),
        "cannot_tell": _(
            "Keep one set of parameters for all decks for now, which is simpler: whether own ones predict better "
            "cannot be told yet, as only differences above {detectable} could have been shown."
        ),
    },
}
SPLIT_EACH = {
    "preset": _("Each preset should have its own parameters: they predict better."),
    "deck": _("Each deck should have its own parameters: they predict better."),
}
#: Which of them should have own parameters: many, a few, or one as above.
SPLIT_MANY = {
    "preset": _("{count} of {all} presets"),
    "deck": _("{count} of {all} decks"),
}
SPLIT_FEW = {
    "preset": _("The presets {names}"),
    "deck": _("The decks {names}"),
}
SPLIT_SOME = {
    "preset": _("{which} should have own parameters; for the other presets one set will do."),
    "deck": _("{which} should have own parameters; for the other decks one set will do."),
}
SPLIT_SOME_AT_LEAST = {
    "preset": _("{which} should have own parameters; for the other presets no gain is shown so far."),
    "deck": _("{which} should have own parameters; for the other decks no gain is shown so far."),
}
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
    ("rare_outcome", False): _("too few to tell"),
    ("rare_outcome", True): _("too few to tell"),
}
SPLIT_DO_ALL = {
    "split": _("own parameters are better"),
    "either": _("own parameters are hardly better"),
    "keep_together": _("one set will do"),
    "cannot_tell": _("cannot be told yet"),
    "too_few": _("too few to tell"),
    "rare_outcome": _("too few to tell"),
}
SPLIT_HOW = {
    "preset": _("Decks with the same preset share its parameters: to merge two presets, give their decks one of them."),
    "deck": _("In Anki, a deck gets its own parameters by getting a preset of its own."),
}

Row = Tuple[str, ...]

#: The answers for so many groups is written out below the table.
MOST_SENTENCES = 8
#: So many are named; of more it is said how many.
_MOST_NAMES = 3


def blocks(found: Sequence[Splitting], _report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """A block for presets, and one for decks."""
    return map(block, found)


def block(splitting: Splitting) -> Block:
    """A row for each group, from the one with most reviews to that with fewest, and one for all of them."""
    by, total, answer = splitting.by, splitting.total, splitting_sentence(splitting)
    key, heading = "splitting", SPLIT_TITLES[by]
    if not splitting.groups:
        return Block(key, heading, answer)
    small = splitting.small
    shown = listed(splitting.groups, small)
    rows: List[Row] = [_row(group, name_of(group.label, group.name)) for group in shown]
    if small:
        rows.append((*cells_of_small(small, by), *[strings.NO_VALUE] * 5))
    if total is None:
        return Block(key, heading, answer, Table(_columns(splitting), tuple(rows)), notes=notes_on_small(small, by))
    rows.append(_row(total, SPLIT_ALL[by]))
    sentences = [sentence for sentence in (split_sentence(by, group) for group in shown) if sentence]
    return Block(
        key,
        heading,
        caption=paragraph(
            answer,
            _(
                "Both were trained on earlier reviews only and tested on the same later ones, so neither how much you "
                "forget nor how many reviews there are can make one look better."
            ),
        ),
        table=Table(_columns(splitting), tuple(rows)),
        notes=(
            *notes_on_small(small, by),
            *sentences[:MOST_SENTENCES],
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
        *columns_of(by),
        Column(
            # Translators: A column: of shared parameters.
            _("Shared parameters"),
            _("Log loss of {algorithm} with one set of parameters, trained on all earlier reviews.").format(
                algorithm=algorithm
            ),
        ),
        Column(
            # Translators: A column: of own parameters.
            _("Own parameters"),
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
    tried: Tuple[str, ...] = (strings.NO_VALUE,) * 3
    if group.comparison is not None:
        found = group.comparison.difference
        tried = loss(group.shared_log_loss + found.known), signed(found.estimate), ends(found, signed)
    do = SPLIT_DO_ALL[group.code] if group.label is None else SPLIT_DO[group.code, bool(group.own_now)]
    return (name, whole(group.cards), whole(group.reviews), loss(group.shared_log_loss), *tried, do)


def split_sentence(by: str, split: Split) -> str:
    """The answer for one preset or deck, where there is one; empty for others."""
    code, c, own_now = split.code, split.comparison, split.own_now
    if c is None:
        return ""
    which = SPLIT_WHICH[by].format(name=harmless(split.name, whole=False))
    if code == "split":
        text = (
            _("Let {which} keep its own parameters: they predict better (by {by_how_much}).")
            if own_now
            else _("Give {which} its own parameters: they predict better (by {by_how_much}).")
        )
        return text.format(which=which, by_how_much=by_how_much(c))
    if code == "either":
        return _("For {which} own parameters predict better, but hardly (by {by_how_much}): either will do.").format(
            which=which, by_how_much=by_how_much(c)
        )
    if code == "keep_together":
        return (
            _("Give {which} the same parameters as the others: {own}.")
            if own_now
            else _("Leave {which} with the shared parameters: {own}.")
        ).format(which=which, own=_no_gain(c))
    return ""


def splitting_sentence(splitting: Splitting) -> str:
    """The answer for all presets, or on all decks."""
    by, groups, total = splitting.by, splitting.groups, splitting.total
    if splitting.error is not None:
        return error_sentence(splitting.error)
    if splitting.in_use < 2:
        return (SPLIT_ONE_IN_USE if splitting.in_use else SPLIT_NONE_IN_USE)[by]
    if total is None or total.comparison is None:
        return SPLIT_ALL_TOO_FEW[by].format(needed=_needed(interval.TOO_FEW))
    to_split = [group for group in groups if group.code == "split"]
    if to_split:
        return _about_some(by, to_split, [group for group in groups if group.code != "split"])
    c = total.comparison
    text = SPLIT_TOGETHER[by].get(total.code)
    if text is None:
        return _("There are too few reviews to tell whether own parameters predict better: {needed}.").format(
            needed=_needed(total.code)
        )
    return text.format(by_how_much=by_how_much(c), detectable=detectable(c), own=_no_gain(c))


def _needed(code: str) -> str:
    if code == interval.RARE:
        return needed(code)
    return _("at least 100 scored ones of {cards} cards on {days} days are needed").format(
        cards=interval.MIN_CARDS, days=interval.MIN_DAYS
    )


def _about_some(by: str, to_split: Sequence[Split], others: Sequence[Split]) -> str:
    if not others:
        return SPLIT_EACH[by]
    names = [harmless(group.name, whole=False) for group in to_split]
    if len(names) > _MOST_NAMES:
        which = SPLIT_MANY[by].format(count=len(names), all=len(names) + len(others))
    elif len(names) > 1:
        which = SPLIT_FEW[by].format(names=all_of(names))
    else:
        which = SPLIT_WHICH_FIRST[by].format(name=names[0])
    told = all(group.code in ("keep_together", "either") for group in others)
    return (SPLIT_SOME if told else SPLIT_SOME_AT_LEAST)[by].format(which=which)


def _no_gain(c: Comparison) -> str:
    if c.code == interval.WORSE:
        # Translators: Stands for {own}: what own parameters would bring.
        return _("own ones predict worse (by {by_how_much})").format(by_how_much=by_how_much(c))
    low, high = c.difference.ends or (0.0, 0.0)
    if low >= 0:
        # Translators: Stands for {own}: what own parameters would bring.
        return _("own parameters gain nothing")
    equivalent = c.code == interval.EQUIVALENT
    text, most = (
        # Translators: Stands for {own}: what own parameters would bring.
        (_("own ones would change log loss by at most {most:.4f}"), max(-low, high))
        if equivalent
        # Translators: Stands for {own}: what own parameters would bring.
        else (_("own ones would lower log loss by at most {most:.4f}"), -low)
    )
    return text.format(most=ceil(most * 10_000) / 10_000)


VIEW = View(
    "splitting",
    _("Own parameters for each preset or deck?"),
    _("Do presets and decks need parameters of their own?"),
    blocks,
    # Translators: What a section that takes long does.
    _("Trains separate parameters for each of your presets, and compares them with one set for all."),
)
