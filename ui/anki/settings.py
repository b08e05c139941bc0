"""What the add-on's configuration asks for, checked when it is read: Anki checks only what goes through its editor.

Anki puts what the person has saved over the defaults of ``config.json``, but a group (``reviews``) as a whole. Here
each value in a group has its own default, too, so what a group does not say is as usual.
"""

from __future__ import annotations

import datetime as dt
import re
from difflib import get_close_matches
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from ..science import SAME_DAY_TABLE, WHOLE_DAY_TABLE, BadOption, EvaluatorError, UnknownSetting
from ..text import _
from ..text.phrases import listed

#: A mapping, unless somebody has written something else into Anki's file; None where there is none.
Config = Any


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
        """The settings as arguments for ``evaluator.options.Options``."""
        reviews = self.reviews
        if reviews.table == SAME_DAY_TABLE:
            reviews = Choices(reviews.since, reviews.table)
        return {"algorithms": self.algorithms, "baseline": self.baseline, "folds": self.folds, **reviews._asdict()}


class Read(NamedTuple):
    """The settings that were read, and what is wrong with the configuration."""

    settings: Settings  #: as usual where there is a problem
    problems: Tuple[EvaluatorError, ...]


def read_settings(config: Config) -> Read:
    """Read and check the configuration. Whether an algorithm exists is for the evaluation to say."""
    problems: List[EvaluatorError] = []
    if config and not isinstance(config, Mapping):
        problems.append(_no_group("config", config, _SETTINGS))
    found = _read_group(_mapping(config), _SETTINGS, "", problems)
    found["reviews"] = Choices(**found.get("reviews", {}))
    return Read(Settings(**found), tuple(problems))


def with_choices(config: Config, choices: Choices) -> Dict[str, Any]:
    """The configuration with these choices in it, everything else as it was."""
    since = None if choices.since is None else choices.since.isoformat()
    before = _mapping(config)
    group = _mapping(before.get("reviews"))
    return {**before, "reviews": {**group, **choices._asdict(), "since": since}}


def with_algorithms(config: Config, names: Sequence[str], baseline: Optional[str] = None) -> Dict[str, Any]:
    """The configuration with these algorithms and this baseline in it, everything else as it was."""
    return {**_mapping(config), "algorithms": list(names), "baseline": baseline}


def saved_config(manager: Any, module: str) -> Config:
    """The saved configuration over the defaults, from Anki's add-on manager; without them where it is no mapping."""
    try:
        return manager.getConfig(module)
    except (TypeError, ValueError):  # it puts anything over the defaults, a number or a list, too
        return manager.addonMeta(manager.addonFromModule(module)).get("config")


def _mapping(config: Any) -> Mapping[str, Any]:
    return config if isinstance(config, Mapping) else {}


# --- what each of them may be -----------------------------------------------------------------------------------------


class Setting(NamedTuple):
    """One value of the configuration."""

    read: Callable[[Any], Any]  #: raises ValueError where it cannot be used
    allowed: str  #: what that is; completes "Allowed: ..." before a full stop


Group = Mapping[str, Union[Setting, "Group"]]


def _names(value: Any) -> Tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(name, str) for name in value):
        raise ValueError
    return tuple(value)


def _name(value: Any) -> Optional[str]:
    if value is not None and not isinstance(value, str):
        raise ValueError
    return value


def _folds(value: Any) -> int:
    """A number of folds. JSON knows but one kind of number, so 5.0 is 5."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 2 <= value <= 100 or value % 1:
        raise ValueError
    return int(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _since(value: Any) -> Optional[dt.date]:
    """A date such as 2024-05-01; other forms, which newer versions of Python would take, are refused."""
    if value is None:
        return None
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        raise ValueError
    return dt.date.fromisoformat(value)


def _table(value: Any) -> str:
    if value not in (WHOLE_DAY_TABLE, SAME_DAY_TABLE):
        raise ValueError
    return str(value)


_FLAG = Setting(_flag, _("true or false"))
#: The configuration is JSON, so null, true and false stay as they are in these words.
_SETTINGS: Group = {
    "algorithms": Setting(_names, _('a list of names, or ["default"]')),
    "baseline": Setting(_name, _('the name of an algorithm such as "AVG", or null')),
    "folds": Setting(_folds, _("a whole number from 2 to 100")),
    "reviews": {
        "since": Setting(_since, _('a date like "2024-05-01", or null')),
        "table": Setting(_table, _('"whole-day" or "same-day"')),
        "same_day": _FLAG,
        "outlier_filter": _FLAG,
    },
}


def _read_group(config: Mapping[str, Any], group: Group, path: str, problems: List[EvaluatorError]) -> Dict[str, Any]:
    """Read the values of a group that can be used; append to ``problems`` why the others cannot."""
    values: Dict[str, Any] = {}
    for key, value in config.items():
        setting, name = group.get(key), path + key
        if setting is None:
            problems.append(_unknown(path, key, group))
        elif isinstance(setting, Setting):
            try:
                values[key] = setting.read(value)
            except ValueError:
                problems.append(BadOption(option=name, value=value, allowed=setting.allowed))
        elif isinstance(value, dict):
            values[key] = _read_group(value, setting, f"{name}.", problems)
        else:
            problems.append(_no_group(name, value, setting))
    return values


def _no_group(name: str, value: Any, group: Group) -> BadOption:
    # Translators: Completes "Allowed: ..."; {names} are those of settings.
    return BadOption(option=name, value=value, allowed=_("{names}, in braces").format(names=listed(group)))


def _unknown(path: str, key: str, group: Group) -> UnknownSetting:
    known = [path + name for name in group]
    close = [path + name for name in get_close_matches(key, group, n=1)]
    return UnknownSetting(name=path + key, suggestions=close, known=known)
