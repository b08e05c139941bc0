"""The table that compares separate parameters for each preset or deck with shared ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Tuple

from ..science import interval
from ..text import _, pgettext, strings
from ..text.error_sentences import error_sentence
from ..text.numbers import decimals
from ..text.phrases import all_of, integer
from ..text.sanitize import sanitize_text
from ..text.text_width import elide_to_width
from .cells import ends, format_difference, interval_requirement
from .view import Block, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Comparison, Report
    from evaluator.sections.splitting_section import Split, Splitting

#: Headers of the first column, by the kind of groups.
GROUP_NAMES = {"preset": pgettext("Anki", "Preset"), "deck": pgettext("Anki", "Deck"), "part": _("Part")}
#: Tooltips of the first column, by the kind of groups.
GROUP_NAME_TIPS = {
    "preset": _(
        "The preset that the card's deck has in Anki now; unknown for cards that are deleted or have no home deck."
    ),
    "deck": _("The card's home deck now, without its subdecks; unknown for cards that are deleted or have none."),
    "part": _("What the search finds now, as in Anki's browser. It finds no deleted cards."),
}
#: Singular and plural of the kinds of groups, for sentences.
GROUP = {"preset": _("preset"), "deck": _("deck"), "part": _("part")}
GROUPS = {"preset": _("presets"), "deck": _("decks"), "part": _("parts")}
#: Sentences on all groups together, by code.
SPLIT_TOGETHER = {
    "split": _(
        "Give each {group} its own parameters: together they predict better (by {by_how_much}), though this is "
        "not certain for any single {group}."
    ),
    "either": _(
        "One set of parameters for all {groups} would predict about as well, and is simpler: separate ones predict "
        "barely better (by {by_how_much})."
    ),
    "keep_together": _("One set of parameters for all {groups} would predict about as well, and is simpler."),
    "cannot_tell": _("Your reviews leave open whether separate parameters for each {group} are better."),
}
#: Advice for a group, by code and by whether it has separate parameters now.
SPLIT_ADVICE = {
    ("split", False): _("give it its own"),
    ("split", True): _("keep its own"),
    ("keep_together", False): _("use the shared ones"),
    ("keep_together", True): _("merge: use the shared ones"),
}
#: Results for a group without advice, by code.
SPLIT_RESULTS = {
    "split": _("separate parameters are better"),
    "either": _("either will do"),
    "keep_together": _("one set will do"),
    "cannot_tell": _("not yet clear"),
    "too_few": _("too few to tell"),
    "rare_outcome": _("too few to tell"),
}
#: How to give parameters to groups in Anki, by the kind of groups, and for presets of different desired retentions.
SPLIT_HOW = {
    "preset": _(
        "Decks with the same preset share its parameters. To use one set of parameters, give all these decks the same "
        "preset."
    ),
    "other retention": _(
        "Decks with the same preset share its parameters and its desired retention, which differs among these presets."
    ),
    "deck": _("In Anki, to give a deck its own parameters, give it its own preset."),
    "part": _("In Anki, to give cards their own parameters, move them to a deck with its own preset."),
}

#: Notes that are the same for every table.
NOTES = (
    _(
        "Shared and separate parameters were trained on earlier reviews only and tested on the same later ones, so the "
        "comparison is fair."
    ),
    _(
        "Anki starts from the published parameters when it optimizes a preset, and not from parameters that all "
        "presets share. So with few reviews, separate parameters may gain less than shown here, or do worse."
    ),
)

#: Maximum number of groups that the sentence names. If there are more, it counts them.
_MAX_NAMES = 3
#: Maximum width of names of presets and decks. Longer names lose their middle.
_NAME_WIDTH = 24
#: Maximum number of groups that are listed. These are the largest.
_MAX_GROUPS = 30


def blocks(report: Report) -> Iterator[Block]:
    """Return a block for presets, one for decks, and one for parts if there are any."""
    return map(block, report.section("splitting"))


def block(splitting: Splitting) -> Block:
    """Return the table of the largest groups, largest first, with a last row for all groups if there is a total."""
    by = splitting.by
    total = splitting.total
    rows = [
        _row(group, elide_to_width(_group_label(group), _NAME_WIDTH), splitting)
        for group in splitting.groups[:_MAX_GROUPS]
    ]
    notes = []
    unlisted = splitting.groups[_MAX_GROUPS:]
    if unlisted:
        text = _("Not listed: {number:,} smaller {groups} (tested reviews: at most {count:,}).")
        words = (GROUP if len(unlisted) == 1 else GROUPS)[by]
        notes.append(text.format(number=len(unlisted), groups=words, count=unlisted[0].reviews))
    if total is not None:
        rows.append(_row(total, _("All {groups}").format(groups=GROUPS[by]), splitting))
        notes += [SPLIT_HOW[by if splitting.same_retention else "other retention"], *NOTES]
    return Block(
        "splitting",
        _("Separate parameters for each {group}?").format(group=GROUP[by]),
        caption=splitting_sentence(splitting),
        table=Table(_columns(splitting), tuple(rows)) if rows else Table(),
        notes=tuple(notes),
    )


def _columns(splitting: Splitting) -> Tuple[Column, ...]:
    """Return the columns, some of whose tooltips are about this splitting."""
    difference_tip = _(
        "Log loss of {algorithm} with the group's own parameters, minus that with one set for all: below 0, separate "
        "parameters predict better. They start at the shared ones and are trained on the group's earlier reviews."
    ).format(algorithm=splitting.algorithm)
    what_to_do_tip = _(
        "Allows for chance and for the number of groups. Differences below {margin} count as none: one set of "
        "parameters is simpler."
    ).format(margin=f"{interval.MARGIN:g}")
    return (
        Column(GROUP_NAMES[splitting.by], GROUP_NAME_TIPS[splitting.by], number=False),
        Column(_("Cards"), _("Number of cards with tested reviews.")),
        Column(strings.CHART_COUNTS, _("Number of tested reviews, the same for all algorithms.")),
        Column(_("Difference (below 0: separate is better)"), difference_tip),
        Column(_("95% interval"), _("Chance alone moves a single group's difference by about this much.")),
        Column(_("What to do"), what_to_do_tip, number=False),
    )


def _row(group: Split, name: str, splitting: Splitting) -> Tuple[str, ...]:
    """Return the row of a group, or of all groups together, under this name."""
    difference = group.comparison.difference if group.comparison else interval.ConfidenceInterval(None)
    is_advised = group.label is not None and splitting.same_retention
    advice = SPLIT_ADVICE.get((group.code, bool(group.own_now))) if is_advised else None
    return (
        name,
        integer(group.cards),
        integer(group.reviews),
        format_difference(difference.estimate),
        ends(difference, format_difference),
        advice or SPLIT_RESULTS[group.code],
    )


def splitting_sentence(splitting: Splitting) -> str:
    """Return the result for all groups of this kind in one sentence."""
    total = splitting.total
    words = {"group": GROUP[splitting.by], "groups": GROUPS[splitting.by]}
    if splitting.error is not None:
        return error_sentence(splitting.error)
    if splitting.in_use < 2:
        text = _("All your cards have the same {group}: there is nothing to split.")
        if not splitting.in_use:
            text = _(
                "All tested reviews are of cards that no longer exist, so no {group} is known: there is nothing to "
                "split."
            )
        elif splitting.by == "part":
            text = _("Only one part has tested reviews: there is nothing to split.")
        return text.format(**words)
    if total is None or total.comparison is None:
        text = _("No {group} has enough reviews yet to try separate parameters: {needed}.")
        return text.format(needed=_needed_for_trial(interval.TOO_FEW), **words)
    to_split = [group for group in splitting.groups if group.code == "split"]
    if to_split:
        names = all_of([sanitize_text(_group_label(group), whole=False) for group in to_split])
        if len(to_split) > _MAX_NAMES:
            names = _("{count} of {all} {groups}").format(count=len(to_split), all=len(splitting.groups), **words)
        text = _("{which} should have separate parameters; no other {group} shows a gain so far.")
        if len(to_split) == len(splitting.groups):
            text = _("Each {group} should have its own parameters: they predict better.")
        return text.format(which=names, **words)
    if total.code not in SPLIT_TOGETHER:
        text = _("There are too few reviews to know whether separate parameters predict better: {needed}.")
        return text.format(needed=_needed_for_trial(total.code))
    return SPLIT_TOGETHER[total.code].format(by_how_much=_difference_text(total.comparison), **words)


def _difference_text(c: Comparison) -> str:
    """Return how much better one of the two predicts, with the interval, in log loss."""
    difference = c.difference.value
    low, high = c.difference.low_high or (difference, difference)
    if difference <= 0:
        difference, low, high = -difference, -high, -low
    text = _("{difference:.4f}; 95% interval: {low} to {high}")
    return text.format(difference=difference, low=decimals(low, 4), high=decimals(high, 4))


def _group_label(group: Split) -> str:
    # Translators: Cards that none of some searches finds, as a name next to these searches.
    return group.name or _("(the rest)")


def _needed_for_trial(code: str) -> str:
    """Return a clause on the data that a group needs for separate parameters to be tested."""
    if code == interval.RARE:
        return interval_requirement(code)
    text = _("at least 100 tested reviews of {cards} cards on {days} days are needed")
    return text.format(cards=interval.MIN_CARDS, days=interval.MIN_DAYS)


VIEW = View(
    "splitting",
    _("Separate parameters for each preset or deck?"),
    _("Do presets and decks need parameters of their own?"),
    blocks,
    # Translators: What a section that takes long does.
    _("Trains separate parameters for each of your presets, and compares them with one set for all."),
    # Translators: Before a line to type in.
    searches=_("Also split by searches, separated by semicolons:"),
)
