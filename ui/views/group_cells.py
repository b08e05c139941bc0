"""Names of presets, decks and parts, and the choice of those that are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple

from ..text import _, pgettext, strings
from ..text.lines import elide_to_width
from .view import Column

if TYPE_CHECKING:
    from evaluator.sections.splitting import Split

GROUP_NAMES = {"preset": pgettext("Anki", "Preset"), "deck": pgettext("Anki", "Deck"), "part": _("Part")}
GROUP_NAME_TIP = {
    "preset": _(
        "The preset that the card's deck has in Anki now; unknown for cards that are deleted or have no home deck."
    ),
    "deck": _("The card's home deck now, without its subdecks; unknown for cards that are deleted or have none."),
    "part": _("What the search finds now, as in Anki's browser. It finds no deleted cards."),
}
#: Singular and plural of the kinds of groups, for use in a sentence.
GROUP = {"preset": _("preset"), "deck": _("deck"), "part": _("part")}
GROUPS = {"preset": _("presets"), "deck": _("decks"), "part": _("parts")}

#: Maximum number of groups that are listed without regard to their size.
MAX_UNFILTERED_GROUPS = 12
#: If there are more groups, minimum number of reviews of a listed group, and maximum number of listed groups.
SMALL, MAX_GROUPS = 100, 30
#: Share of the reviews above which cards of no known group are listed.
MAX_DELETED = 0.05
#: Maximum width of names. Longer names lose their middle.
NAME_LENGTH = 24


def group_name(label: Optional[int], name: str) -> str:
    """Return the name of a group, shortened to fit into a cell.

    Args:
        label: number of the group, or None for cards of no known group.
        name: name of the group.
    """
    if label is None:
        return _("deleted, or no home deck")
    return elide_to_width(name, NAME_LENGTH, NAME_LENGTH // 2)


def group_columns(by: str) -> Tuple[Column, ...]:
    """Return the columns for the name of a group, its cards and its reviews.

    Args:
        by: kind of groups, which is "preset", "deck" or "part".
    """
    return (
        Column(GROUP_NAMES[by], GROUP_NAME_TIP[by], number=False),
        Column(_("Cards"), _("Number of cards with scored reviews.")),
        Column(strings.CHART_COUNTS, _("Number of scored reviews, the same for all algorithms.")),
    )


def listed_groups(groups: Sequence[Split]) -> List[Split]:
    """Return the groups to list. If there are many, these are the large ones.

    Cards of no known group come last, and are left out if they are few.
    """
    known = [group for group in groups if group.label is not None]
    if len(known) > MAX_UNFILTERED_GROUPS:
        known = [group for group in known if group.reviews >= SMALL][:MAX_GROUPS]
    min_deleted = MAX_DELETED * sum(group.reviews for group in groups)
    return known + [group for group in groups if group.label is None and group.reviews > min_deleted]


def small_note(groups: Sequence[Split], by: str) -> Tuple[str, ...]:
    """Return a note on the groups that are not listed. There is none if all are listed."""
    listed = listed_groups(groups)
    sizes = [group.reviews for group in groups if group.label is not None and group not in listed]
    if not sizes:
        return ()
    text = _("Not listed: {number:,} smaller {groups} (scored reviews: at most {count:,}).")
    groups_word = (GROUP if len(sizes) == 1 else GROUPS)[by]
    return (text.format(number=len(sizes), groups=groups_word, count=max(sizes)),)
