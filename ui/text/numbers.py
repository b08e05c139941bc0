"""Numbers and names of slices in words for graphs, their sentences and their tables, and the time that is left."""

from __future__ import annotations

from typing import Tuple

from . import Counted, _, pgettext, strings

SECONDS_LEFT = Counted("about {count}\N{NO-BREAK SPACE}s left", "about {count}\N{NO-BREAK SPACE}s left")
MINUTES_LEFT = Counted("about {count}\N{NO-BREAK SPACE}min left", "about {count}\N{NO-BREAK SPACE}min left")
#: Slices that have a name, by the key and the name in the report.
SLICE_NAMES = {
    "last_rating": {
        "Again": pgettext("Anki", "Again"),
        "Hard": pgettext("Anki", "Hard"),
        "Good": pgettext("Anki", "Good"),
        "Easy": pgettext("Anki", "Easy"),
    },
    "maturity": {
        "young": _("young"),
        "mature": _("mature"),
    },
}
# Translators: {name} is a number, or a range of which {count} is the end.
DAYS = Counted("{name} day", "{name} days")
DAYS_BELOW = Counted("less than {count} day", "less than {count} days")
DAYS_OR_MORE = Counted("{count} or more days", "{count} or more days")
LAPSES = Counted("one lapse", "{count} lapses")
LAPSES_OR_MORE = Counted("{count} or more lapses", "{count} or more lapses")

MINUS = "\N{MINUS SIGN}"

#: How long it will take is a guess before so many seconds have passed, and so much is done.
_GUESSED_SECONDS, _GUESSED_FRACTION = 4.0, 0.06


def percent(share: float, digits: int = 0) -> str:
    """A share, or a difference of two."""
    shown = share if round(100 * share, digits) else 0.0  # no minus sign before 0
    return _("{number}\N{NO-BREAK SPACE}%").format(number=f"{100 * shown:.{digits}f}").replace("-", MINUS)


def signed(value: float) -> str:
    """With four digits, and a minus sign that is as long as a plus."""
    return f"{'' if value >= 0 else MINUS}{abs(value):.4f}"


def percents(*probabilities: float) -> Tuple[str, ...]:
    """The probabilities as percentages, all to the same digits: one more where one is nearly, but not quite, 0 or 1."""
    digits = 1 if any(0 < p < 0.01 or 0.99 < p < 1 for p in probabilities) else 0
    return tuple(percent(p, digits) for p in probabilities)


def told_apart(*probabilities: float) -> Tuple[str, ...]:
    """As :func:`percents`, with one digit more where two would otherwise look alike."""
    said = percents(*probabilities)
    if len(set(said)) == len(probabilities):
        return said
    return tuple(percent(p, 1) for p in probabilities)


def points(difference: float, digits: int = 0) -> str:
    """A difference of probabilities in percentage points, with its sign: +3, 0, \u22122."""
    text = f"{100 * difference:+.{digits}f}"
    if not text.strip("+-0."):
        return text[1:]
    return text.replace("-", MINUS)


def time_left(passed: float, fraction: float) -> str:
    """How long the rest takes if so much took so many seconds: "about 10 s left". Nothing while that is a guess.

    It is rounded to what a person would say, the more roughly the more is left, so that it seldom changes.
    """
    if passed < _GUESSED_SECONDS or fraction < _GUESSED_FRACTION:
        return ""
    left = passed * (1 - fraction) / fraction
    if left < 5:
        return _("a few seconds left")
    if left < 55:
        step = 5 if left < 27.5 else 10
        return SECONDS_LEFT(step * round(left / step))
    return MINUTES_LEFT(max(round(left / 60), 1))


def slice_name(name: str, key: str = "") -> str:
    """A slice at an axis: limits joined by a dash."""
    if key == "month":
        return name
    return SLICE_NAMES.get(key, {}).get(name) or name.replace("-", "\N{EN DASH}")


def where(key: str, name: str) -> str:
    """A slice in a sentence."""
    if (key, name) == ("lapses", "0"):
        return _("before the first lapse")
    row, _unused, column = name.rpartition(" / ")
    return strings.GRAPHS[key].where.format(
        name=_range(name, key),
        row=slice_name(row),
        days=_days(column) if key in _IN_DAYS else "",
        lapses=_lapses(name) if key == "lapses" else "",
    )


#: The slices that are of days, the map among them, whose columns are.
_IN_DAYS = ("interval", "stability", "memory")


def _range(name: str, key: str) -> str:
    # Translators: Of numbers of reviews.
    return _("{name} or more").format(name=name[:-1]) if name.endswith("+") else slice_name(name, key)


def _days(name: str) -> str:
    if name.startswith("<"):
        return DAYS_BELOW(int(name[1:]))
    if name.endswith("+"):
        return DAYS_OR_MORE(int(name[:-1]))
    return DAYS(int(name.rpartition("-")[2]), name=slice_name(name))


def _lapses(name: str) -> str:
    return LAPSES_OR_MORE(int(name[:-1])) if name.endswith("+") else LAPSES(int(name))
