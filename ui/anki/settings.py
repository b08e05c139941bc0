"""The add-on's configuration, which Anki's editor checks against ``config.schema.json``.

Anki replaces the defaults of ``config.json`` by what the user has saved, a group (``reviews``) as a whole. Here each
value in a group has a default of its own.
"""

from __future__ import annotations

import datetime as dt
from contextlib import suppress
from typing import Any, Dict, Mapping, NamedTuple, Optional, Tuple

from ..science import SAME_DAY_TABLE, WHOLE_DAY_TABLE

Config = Mapping[str, Any]


class Choices(NamedTuple):
    """The options that say which reviews count."""

    since: Optional[dt.date] = None
    table: str = WHOLE_DAY_TABLE  #: or SAME_DAY_TABLE, for which the two others do not count
    same_day: bool = True
    outlier_filter: bool = True


class Settings(NamedTuple):
    """Everything that can be configured, with its default."""

    algorithms: Tuple[str, ...] = ("default",)
    baseline: Optional[str] = None
    folds: int = 5
    reviews: Choices = Choices()

    def option_values(self) -> Dict[str, Any]:
        """Return the settings as arguments for ``evaluator.options.Options``."""
        reviews = self.reviews
        if reviews.table == SAME_DAY_TABLE:
            reviews = Choices(reviews.since, reviews.table)
        return {"algorithms": self.algorithms, "baseline": self.baseline, "folds": self.folds, **reviews._asdict()}


def read_settings(config: Config) -> Settings:
    """Read the configuration. The evaluation checks whether its algorithms exist."""
    valid = {key: value for key, value in config.items() if isinstance(value, _TYPES.get(key, ()))}
    result = Settings(**valid)
    reviews = {key: value for key, value in valid.get("reviews", {}).items() if key in Choices._fields}
    reviews["since"] = _date(reviews.get("since"))
    return result._replace(
        algorithms=tuple(map(str, result.algorithms)), folds=int(result.folds), reviews=Choices(**reviews)
    )


#: Anki's editor does not check files written by hand: a value of another type counts as unset.
_TYPES: Dict[str, Any] = {"algorithms": list, "baseline": str, "folds": (int, float), "reviews": dict}


def _date(text: Optional[str]) -> Optional[dt.date]:
    """Return the date, or None if it does not exist (30 February)."""
    with suppress(ValueError, TypeError):
        return dt.date.fromisoformat(text) if text else None
    return None


def with_choices(config: Config, choices: Choices) -> Dict[str, Any]:
    """Return the configuration with these choices, otherwise unchanged."""
    since = None if choices.since is None else choices.since.isoformat()
    return {**config, "reviews": {**choices._asdict(), "since": since}}
