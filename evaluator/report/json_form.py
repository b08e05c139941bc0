"""The JSON form of a report."""

from __future__ import annotations

import json
import re
from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any, Dict, Mapping, Optional

from .core import Report

#: Number of decimals in the JSON. It is finer than any review log can resolve, and coarse enough to give the same text
#: on every machine.
DECIMALS = 9
#: Number of decimals of parameters, which differ more between machines.
PARAMETER_DECIMALS = 6

#: Harmful characters that JSON does not escape by itself. Joiners do no harm in JSON.
_HARMFUL_IN_JSON = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff]"
)


def to_dict(report: Report) -> Dict[str, Any]:
    """Return the report as plain JSON values, with floats rounded."""
    tree: Dict[str, Any] = to_plain(report, DECIMALS)
    for row, result in zip(tree["results"], report.results):
        row["parameters_per_fold"] = to_plain(result.parameters_per_fold, PARAMETER_DECIMALS)
    return {"version": tree.pop("version"), **tree}


def to_json(report: Report, timing: Optional[Mapping[str, float]] = None) -> str:
    """Return the report as JSON, ending in a newline.

    Args:
        report: any report.
        timing: seconds by stage, to be added as the last key.
    """
    tree = to_dict(report)
    if timing is not None:
        tree["timing"] = {stage: round(seconds, 3) for stage, seconds in timing.items()}
    return escape_for_json(json.dumps(tree, ensure_ascii=False, indent=1, allow_nan=False)) + "\n"


def escape_for_json(text: str) -> str:
    """Escape invisible and control characters in JSON, so that it displays safely and still means the same."""
    return _HARMFUL_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def require_finite(value: Any, name: str) -> None:
    """Check that every number in a part of a report is finite.

    Args:
        value: the part.
        name: what an error calls it.

    Raises:
        FloatingPointError: if a number is infinite or not a number.
    """
    if isinstance(value, float) and not isfinite(value):
        raise FloatingPointError(f"{name} is {value}")
    if is_dataclass(value):
        for field in fields(value):
            require_finite(getattr(value, field.name), field.name)
    elif isinstance(value, (list, tuple, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            require_finite(item, name)


def to_plain(value: Any, decimals: int) -> Any:
    """Return a part of the report as JSON values, with floats rounded.

    Metrics become keys of their row, and sections keys of the report.
    """
    if isinstance(value, float):
        # Adding 0.0 turns -0.0 into 0.0.
        return round(value, decimals) + 0.0
    if isinstance(value, (list, tuple)):
        return [to_plain(item, decimals) for item in value]
    if isinstance(value, dict):
        return {key: to_plain(item, decimals) for key, item in value.items()}
    if not is_dataclass(value):
        return value
    plain: Dict[str, Any] = {}
    for field in fields(value):
        part = to_plain(getattr(value, field.name), decimals)
        plain.update(part if field.name in ("metrics", "sections") else {field.name: part})
    return plain
