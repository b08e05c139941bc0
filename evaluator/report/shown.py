"""A report as it is shown: the same, with all its texts harmless."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from ..names import harmless
from .core import Report


def shown(report: Report) -> Report:
    """The report with every text in one line and nothing in it that is obeyed; itself where that is so already.

    Whatever shows a report shows this one. Names that differ in harmful characters alone may become the same.
    """
    harmless_report: Report = _harmless(report)
    return harmless_report


def _harmless(value: Any) -> Any:
    if isinstance(value, str):
        return harmless(value)
    if isinstance(value, tuple):
        items = tuple(map(_harmless, value))
        return items if any(new is not old for new, old in zip(items, value)) else value
    if is_dataclass(value) and not isinstance(value, type):
        found = ((field.name, getattr(value, field.name)) for field in fields(value))
        changed = {name: new for name, old in found if (new := _harmless(old)) is not old}
        return replace(value, **changed) if changed else value
    return value
