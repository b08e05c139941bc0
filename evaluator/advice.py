"""What to do about the parameters of presets and decks, in sentences."""

from __future__ import annotations

from math import ceil
from typing import Optional, Sequence

from . import strings
from .interval import EQUIVALENT, MIN_GROUPS, TOO_FEW, WORSE
from .names import harmless
from .report import Comparison, Split
from .wording import all_of, by_how_much, detectable

#: So many are named; of more it is said how many.
_MOST_NAMES = 3


def split_sentence(by: str, name: str, code: str, c: Optional[Comparison], *, own_now: Optional[bool]) -> str:
    """About one preset or deck; ``c`` and ``code`` as in :class:`evaluator.report.Split`."""
    name = harmless(name, whole=False)
    which = strings.SPLIT_WHICH[by].format(name=name)
    if code == TOO_FEW or c is None:
        return strings.SPLIT_TOO_FEW.format(which=_which_first(by, name), needed=_needed())
    if code == "split":
        text = strings.SPLIT_KEEP_OWN if own_now else strings.SPLIT_GIVE_OWN
        return text.format(which=which, by_how_much=by_how_much(c))
    if code == "either":
        return strings.SPLIT_EITHER.format(which=which, by_how_much=by_how_much(c))
    if code == "keep_together":
        return (strings.SPLIT_MERGE if own_now else strings.SPLIT_LEAVE).format(which=which, own=_no_gain(c))
    return strings.SPLIT_CANNOT_TELL.format(which=which, detectable=detectable(c))


def splitting_sentence(by: str, groups_in_use: int, groups: Sequence[Split], total: Optional[Split]) -> str:
    """About all presets, or all decks; ``total`` is None where own parameters were tried for none."""
    if not groups_in_use:
        return strings.SPLIT_NONE_IN_USE[by]
    if groups_in_use == 1:
        return strings.SPLIT_ONE_IN_USE[by]
    if total is None or total.comparison is None:
        return strings.SPLIT_ALL_TOO_FEW[by].format(needed=_needed())
    to_split = [group for group in groups if group.code == "split"]
    if to_split:
        return _about_some(by, to_split, [group for group in groups if group.code != "split"])
    c = total.comparison
    text = strings.SPLIT_TOGETHER[by].get(total.code)
    if text is None:
        return strings.SPLIT_UNTOLD.format(needed=_needed())
    return text.format(by_how_much=by_how_much(c), detectable=detectable(c), own=_no_gain(c))


def _which_first(by: str, name: str) -> str:
    return strings.SPLIT_WHICH_FIRST[by].format(name=name)


def _needed() -> str:
    return strings.SPLIT_NEEDED.format(least=MIN_GROUPS)


def _about_some(by: str, to_split: Sequence[Split], others: Sequence[Split]) -> str:
    if not others:
        return strings.SPLIT_EACH[by]
    names = [harmless(group.name, whole=False) for group in to_split]
    if len(names) > _MOST_NAMES:
        which = strings.SPLIT_MANY[by].format(count=len(names), all=len(names) + len(others))
    elif len(names) > 1:
        which = strings.SPLIT_FEW[by].format(names=all_of(names))
    else:
        which = _which_first(by, names[0])
    told = all(group.code in ("keep_together", "either") for group in others)
    return (strings.SPLIT_SOME if told else strings.SPLIT_SOME_AT_LEAST)[by].format(which=which)


def _no_gain(c: Comparison) -> str:
    if c.code == WORSE:
        return strings.SPLIT_OWN_WORSE.format(by_how_much=by_how_much(c))
    low, high = c.difference.ends or (0.0, 0.0)
    if low >= 0:
        return strings.SPLIT_OWN_NOTHING
    text, most = (
        (strings.SPLIT_OWN_CHANGE, max(-low, high)) if c.code == EQUIVALENT else (strings.SPLIT_OWN_LOWER, -low)
    )
    return text.format(most=ceil(most * 10_000) / 10_000)
