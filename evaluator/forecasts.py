"""Forecasts: what one evaluation found and would predict from then on, kept until later reviews show how it fared.

Plain values, no NumPy and no files: whoever keeps forecasts writes :func:`to_plain` of them as JSON, and gives what
:func:`from_plain` makes of that to the next evaluation. They hold nothing of cards, and no names but of algorithms.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import asdict, dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .errors import NewerForecasts
from .interval import Interval

#: Of the plain form. Raised when an older version could not use what a newer one has written.
FORECASTS_VERSION = 1

#: So many are kept.
MOST = 24

#: No number of ours is larger, and its fourth power is still a number.
_LARGEST = 1e12

KEPT, LOWER, HIGHER = "kept", "lower", "higher"


@dataclass(frozen=True)
class Outcome:
    """How a forecast fared on the reviews that were made after it.

    ``code``: "kept" (their difference lies within what was expected of it), else "lower" or "higher".
    """

    date: str  #: ISO date of the last of these reviews
    reviews: int
    cards: int
    days: int
    difference: Interval  #: mean log loss on them, algorithm minus baseline, with the parameters of the forecast
    expected: Interval  #: where that was expected in 95 of 100 cases: the earlier difference, and how far it reaches
    code: str
    fsrs: Optional[bool]  #: FSRS was on at the end; None where that is not known


@dataclass(frozen=True)
class Forecast:
    """A verdict and the parameters that belong to it, as they were on one day."""

    software: str  #: what made it, with its version
    date: str  #: ISO date of the last review that it knew
    last_review: int  #: Anki's number of that review: only later ones are scored
    some_reviews: Tuple[int, ...]  #: numbers of a few that it knew, by which the collection is known again
    algorithm: str
    baseline: str
    parameters: Tuple[float, ...]  #: of the algorithm, fitted on all reviews until then; empty where it has none
    baseline_parameters: Tuple[float, ...]  #: of the baseline
    code: str  #: what the verdict was, see :func:`evaluator.interval.judge`
    reviews: int  #: how many scored reviews the verdict rested on
    difference: Interval  #: the verdict's: mean log loss, algorithm minus baseline
    degrees: float  #: of freedom of that difference
    daily_variance: float  #: of one day's share of it, with what lasts longer than a day; see ``paired.py``
    fsrs: Optional[bool]  #: FSRS was on at that time; None where that is not known
    outcome: Optional[Outcome] = None  #: None while it waits for reviews


def to_plain(forecasts: Sequence[Forecast]) -> Dict[str, Any]:
    """The forecasts as JSON values; numbers are whole, so that what is read again is the same."""
    return {"version": FORECASTS_VERSION, "forecasts": [asdict(one) for one in forecasts]}


def from_plain(tree: Any) -> Tuple[Forecast, ...]:
    """The forecasts that :func:`to_plain` was given.

    Raises:
        NewerForecasts: they are of a newer version.
        ValueError: these are no forecasts, or damaged ones.
    """
    try:
        version = _whole(tree["version"])
        if version > FORECASTS_VERSION:
            raise NewerForecasts(version=version)
        forecasts = tuple(map(_forecast, tree["forecasts"]))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(str(error)) from None
    if any(a.last_review >= b.last_review or a.outcome is None for a, b in zip(forecasts, forecasts[1:])):
        raise ValueError("they are not in the order of time")
    if not all(one.some_reviews for one in forecasts):
        raise ValueError("they know no reviews")
    return forecasts


def thinned(forecasts: Sequence[Forecast]) -> Tuple[Forecast, ...]:
    """At most :data:`MOST`: of the older half goes, one by one, the one whose neighbours are nearest in time."""
    left: List[Forecast] = list(forecasts)
    while len(left) > MOST:
        gaps = [left[at + 1].last_review - left[at - 1].last_review for at in range(1, len(left) // 2)]
        del left[1 + gaps.index(min(gaps))]
    return tuple(left)


def _forecast(plain: Mapping[str, Any]) -> Forecast:
    outcome = plain["outcome"]
    return Forecast(
        software=_text(plain["software"]),
        date=_date(plain["date"]),
        last_review=_whole(plain["last_review"]),
        some_reviews=tuple(map(_whole, plain["some_reviews"])),
        algorithm=_text(plain["algorithm"]),
        baseline=_text(plain["baseline"]),
        parameters=tuple(map(_number, plain["parameters"])),
        baseline_parameters=tuple(map(_number, plain["baseline_parameters"])),
        code=_text(plain["code"]),
        reviews=_whole(plain["reviews"]),
        difference=_interval(plain["difference"]),
        degrees=_number(plain["degrees"], least=1.0),
        daily_variance=_number(plain["daily_variance"], least=0.0),
        fsrs=_flag(plain["fsrs"]),
        outcome=None if outcome is None else _outcome(outcome),
    )


def _outcome(plain: Mapping[str, Any]) -> Outcome:
    if plain["code"] not in (KEPT, LOWER, HIGHER):
        raise ValueError(f"an outcome {plain['code']}")
    return Outcome(
        date=_date(plain["date"]),
        reviews=_whole(plain["reviews"]),
        cards=_whole(plain["cards"]),
        days=_whole(plain["days"]),
        difference=_interval(plain["difference"]),
        expected=_interval(plain["expected"]),
        code=plain["code"],
        fsrs=_flag(plain["fsrs"]),
    )


def _interval(plain: Mapping[str, Any]) -> Interval:
    """An interval with all its numbers: no forecast is made of another."""
    if plain["reason"] is not None:
        raise ValueError("an interval that is none")
    estimate, low, high = (_number(plain[name]) for name in ("estimate", "low", "high"))
    if not low <= estimate <= high:
        raise ValueError(f"{estimate} from {low} to {high}")
    return Interval(estimate, low, high, _number(plain["standard_error"], least=0.0))


def _number(value: Any, *, least: float = -_LARGEST) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= _LARGEST:
        raise ValueError(f"no number: {value!r}")
    return float(value)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
        raise ValueError(f"no count: {value!r}")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"no text: {value!r}")
    return value


def _date(value: Any) -> str:
    return dt.date.fromisoformat(_text(value)).isoformat()


def _flag(value: Any) -> Optional[bool]:
    if value is not None and not isinstance(value, bool):
        raise ValueError(f"neither true nor false: {value!r}")
    return value
