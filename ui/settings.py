"""What the add-on's configuration asks for."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Sequence, Tuple

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
    if "folds" in config:
        folds = config["folds"]
        if isinstance(folds, bool) or not isinstance(folds, int):
            raise BadOption(option="folds", value=folds, allowed="a whole number")
        values["folds"] = folds
    return values


def asked_algorithms(config: Optional[Mapping[str, Any]]) -> Tuple[str, ...]:
    """The algorithms and groups that the configuration names; the usual ones where it holds anything else."""
    names = (config or {}).get("algorithms")
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        return _USUAL
    return tuple(names)


def with_algorithms(config: Optional[Mapping[str, Any]], names: Sequence[str]) -> Dict[str, Any]:
    """The configuration with these algorithms, everything else as it was."""
    return {**(config or {}), "algorithms": list(names)}
