"""What to do about the parameters of presets and decks, in sentences."""

from __future__ import annotations

from math import ceil
from typing import Optional, Sequence

from .report import MIN_GROUPS, Comparison, Split
from .wording import by_how_much, detectable

#: So many are named; of more it is said how many.
_MOST_NAMES = 3


def split_sentence(by: str, name: str, code: str, c: Optional[Comparison], *, own_now: Optional[bool]) -> str:
    """About one preset or deck; ``c`` and ``code`` as in :class:`evaluator.report.Split`."""
    which = f"the {by} {name}"
    if code == "too_few" or c is None:
        return f"The {by} {name} has too few reviews to tell: {_NEEDED}."
    if code == "split":
        do = f"Let {which} keep its own parameters" if own_now else f"Give {which} its own parameters"
        return f"{do}: they predict better (by {by_how_much(c)})."
    if code == "either":
        return f"For {which} own parameters predict better, but hardly (by {by_how_much(c)}): either will do."
    if code == "keep_together":
        same = f"Give {which} the same parameters as the others"
        do = same if own_now else f"Leave {which} with the shared parameters"
        return f"{do}: own ones {_no_gain(c)}."
    return (
        f"Whether {which} should have its own parameters cannot be told yet: only differences above {detectable(c)} "
        "could have been shown."
    )


def splitting_sentence(by: str, groups_in_use: int, groups: Sequence[Split], total: Optional[Split]) -> str:
    """About all presets, or all decks; ``total`` is None where own parameters were tried for none."""
    if not groups_in_use:
        return f"All scored reviews are of cards that no longer exist, so no {by} is known: there is nothing to split."
    if groups_in_use == 1:
        return f"All your cards have the same {by}: there is nothing to split."
    if total is None or total.difference is None:
        return f"No {by} has enough reviews yet to try own parameters: {_NEEDED}."
    to_split = [group for group in groups if group.code == "split"]
    if to_split:
        return _about_some(by, to_split, [group for group in groups if group.code != "split"])
    c = total.difference
    return {
        "split": (
            f"Give each {by} its own parameters: together they predict better (by {by_how_much(c)}), though it cannot "
            f"be told of any single {by}."
        ),
        "either": (
            f"Keep one set of parameters for all {by}s, which is simpler: own ones predict better, but hardly (by "
            f"{by_how_much(c)})."
        ),
        "keep_together": f"Keep one set of parameters for all {by}s: own ones {_no_gain(c)}.",
        "cannot_tell": (
            f"Keep one set of parameters for all {by}s for now, which is simpler: whether own ones predict better "
            f"cannot be told yet, as only differences above {detectable(c)} could have been shown."
        ),
    }.get(total.code, f"There are too few reviews to tell whether own parameters predict better: {_NEEDED}.")


_NEEDED = f"at least 100 scored ones of {MIN_GROUPS} cards on {MIN_GROUPS} days are needed"


def _about_some(by: str, to_split: Sequence[Split], others: Sequence[Split]) -> str:
    if not others:
        return f"Each {by} should have its own parameters: they predict better."
    names = [group.name for group in to_split]
    if len(names) > _MOST_NAMES:
        which = f"{len(names)} of {len(names) + len(others)} {by}s"
    elif len(names) > 1:
        which = f"The {by}s {', '.join(names[:-1])} and {names[-1]}"
    else:
        which = f"The {by} {names[0]}"
    told = all(group.code in ("keep_together", "either") for group in others)
    rest = "one set will do" if told else "no gain is shown so far"
    return f"{which} should have own parameters; for the other {by}s {rest}."


def _no_gain(c: Comparison) -> str:
    if c.code == "worse":
        return f"predict worse (by {by_how_much(c)})"
    low, high = c.interval or (0.0, 0.0)
    if low >= 0:
        return "gain nothing"
    change, most = ("change", max(-low, high)) if c.code == "equivalent" else ("lower", -low)
    return f"would {change} log loss by at most {ceil(most * 10_000) / 10_000:.4f}"
