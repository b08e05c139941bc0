"""What to do about the parameters of presets and decks, in sentences."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Sequence

from ..science import harmless, interval
from ..text import strings
from ..text.errors import error_sentence
from ..text.wording import all_of
from .verdict import by_how_much, detectable

if TYPE_CHECKING:
    from evaluator.report import Comparison
    from evaluator.sections.splitting import Split, Splitting

#: So many are named; of more it is said how many.
_MOST_NAMES = 3


def split_sentence(by: str, split: Split) -> str:
    """About one preset or deck."""
    name, code, c, own_now = harmless(split.name, whole=False), split.code, split.comparison, split.own_now
    which = strings.SPLIT_WHICH[by].format(name=name)
    if code == interval.TOO_FEW or c is None:
        return strings.SPLIT_TOO_FEW.format(which=_which_first(by, name), needed=_needed())
    if code == "split":
        text = strings.SPLIT_KEEP_OWN if own_now else strings.SPLIT_GIVE_OWN
        return text.format(which=which, by_how_much=by_how_much(c))
    if code == "either":
        return strings.SPLIT_EITHER.format(which=which, by_how_much=by_how_much(c))
    if code == "keep_together":
        return (strings.SPLIT_MERGE if own_now else strings.SPLIT_LEAVE).format(which=which, own=_no_gain(c))
    return strings.SPLIT_CANNOT_TELL.format(which=which, detectable=detectable(c))


def splitting_sentence(splitting: Splitting) -> str:
    """About all presets, or all decks."""
    by, groups, total = splitting.by, splitting.groups, splitting.total
    if splitting.error is not None:
        return error_sentence(splitting.error)
    if splitting.in_use < 2:
        return (strings.SPLIT_ONE_IN_USE if splitting.in_use else strings.SPLIT_NONE_IN_USE)[by]
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
    return strings.SPLIT_NEEDED.format(least=interval.MIN_GROUPS)


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
    if c.code == interval.WORSE:
        return strings.SPLIT_OWN_WORSE.format(by_how_much=by_how_much(c))
    low, high = c.difference.ends or (0.0, 0.0)
    if low >= 0:
        return strings.SPLIT_OWN_NOTHING
    equivalent = c.code == interval.EQUIVALENT
    text, most = (strings.SPLIT_OWN_CHANGE, max(-low, high)) if equivalent else (strings.SPLIT_OWN_LOWER, -low)
    return text.format(most=ceil(most * 10_000) / 10_000)
