"""What the add-on's configuration asks for."""

from __future__ import annotations

import datetime as dt
from typing import Any, Dict, Mapping, NamedTuple, Optional, Sequence, Tuple

from .science import BadOption

#: Where the configuration does not say which.
_USUAL = ("default",)


def option_values(config: Optional[Mapping[str, Any]]) -> Dict[str, Any]:
    """The configuration as arguments for ``evaluator.evaluation.Options``; what it does not say is left out.

    Raises:
        BadOption: a value has the wrong type (whether it can be used is for the evaluation to say).
    """
    values: Dict[str, Any] = {}
    config = config or {}
    if "algorithms" in config:
        names = config["algorithms"]
        if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
            raise BadOption(option="algorithms", value=names, allowed='a list of names, or ["default"]')
        values["algorithms"] = tuple(names)
    baseline = config.get("baseline")
    if baseline is not None:
        if not isinstance(baseline, str):
            raise BadOption(
                option="baseline", value=baseline, allowed='the name of an algorithm such as "AVG", or null'
            )
        values["baseline"] = baseline
    if "folds" in config:
        folds = config["folds"]
        if isinstance(folds, bool) or not isinstance(folds, int):
            raise BadOption(option="folds", value=folds, allowed="a whole number")
        values["folds"] = folds
    for name in ("same_day", "outlier_filter"):
        if name in config:
            if not isinstance(config[name], bool):
                raise BadOption(option=name, value=config[name], allowed="true or false")
            values[name] = config[name]
    if config.get("since") is not None:
        since = _date(config["since"])
        if since is None:
            raise BadOption(option="since", value=config["since"], allowed='a date like "2024-05-01", or null')
        values["since"] = since
    return values


class Choices(NamedTuple):
    """Which reviews count, as far as it is remembered."""

    since: Optional[dt.date] = None
    same_day: bool = True
    outlier_filter: bool = True


def asked_choices(config: Optional[Mapping[str, Any]]) -> Choices:
    """What the configuration says; what is usual where it holds anything else."""
    config = config or {}
    flags = {name: config[name] for name in ("same_day", "outlier_filter") if isinstance(config.get(name), bool)}
    return Choices(since=_date(config.get("since")), **flags)


def with_choices(config: Optional[Mapping[str, Any]], choices: Choices) -> Dict[str, Any]:
    """The configuration with these, everything else as it was."""
    since = None if choices.since is None else choices.since.isoformat()
    return {**(config or {}), **choices._asdict(), "since": since}


def _date(text: object) -> Optional[dt.date]:
    try:
        return dt.date.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None


def asked_algorithms(config: Optional[Mapping[str, Any]]) -> Tuple[str, ...]:
    """The algorithms and groups that the configuration names; the usual ones where it holds anything else."""
    names = (config or {}).get("algorithms")
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        return _USUAL
    return tuple(names)


def asked_baseline(config: Optional[Mapping[str, Any]]) -> Optional[str]:
    """The algorithm to compare with; None for the usual one."""
    baseline = (config or {}).get("baseline")
    return baseline if isinstance(baseline, str) else None


def with_algorithms(
    config: Optional[Mapping[str, Any]], names: Sequence[str], baseline: Optional[str] = None
) -> Dict[str, Any]:
    """The configuration with these algorithms and this baseline, everything else as it was."""
    return {**(config or {}), "algorithms": list(names), "baseline": baseline}
