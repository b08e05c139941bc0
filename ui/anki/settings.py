"""The add-on's configuration, which Anki's editor checks against ``config.schema.json``.

In place of a default in ``config.json`` Anki returns what the user has saved, and the group ``reviews`` only as a
whole. Here each value in that group has a default of its own.
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
    #: WHOLE_DAY_TABLE or SAME_DAY_TABLE. For the latter, the two options after it have no effect.
    table: str = WHOLE_DAY_TABLE
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
    """Return the settings in the configuration. Unknown keys and values of a wrong type are ignored.

    Whether the algorithms exist is left to the evaluation to check.
    """
    valid = {key: value for key, value in config.items() if isinstance(value, _TYPES.get(key, ()))}
    settings = Settings(**valid)
    reviews = {key: value for key, value in valid.get("reviews", {}).items() if key in Choices._fields}
    reviews["since"] = _parse_date(reviews.get("since"))
    return settings._replace(
        algorithms=tuple(map(str, settings.algorithms)), folds=int(settings.folds), reviews=Choices(**reviews)
    )


#: Type of each setting, because Anki's editor does not check files written by hand.
_TYPES: Dict[str, Any] = {"algorithms": list, "baseline": str, "folds": (int, float), "reviews": dict}


def _parse_date(text: Optional[str]) -> Optional[dt.date]:
    """Return the date, or None if there is none or if it does not exist, such as 30 February."""
    with suppress(ValueError, TypeError):
        return dt.date.fromisoformat(text) if text else None
    return None


def with_choices(config: Config, choices: Choices) -> Dict[str, Any]:
    """Return the configuration with these choices, otherwise unchanged."""
    since = None if choices.since is None else choices.since.isoformat()
    return {**config, "reviews": {**choices._asdict(), "since": since}}
