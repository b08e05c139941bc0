"""A report or a part of one as it is shown: the same, with all its texts harmless."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from .sanitize import sanitize_text


def shown(value: Any) -> Any:
    """The report, or a part of it, with every text in one line and none obeyed; itself where that is so already.

    Whatever shows a report shows this one. Names that differ in harmful characters alone may become the same.
    """
    if isinstance(value, str):
        return sanitize_text(value)
    if isinstance(value, (tuple, list)):
        items = type(value)(map(shown, value))
        return items if any(new is not old for new, old in zip(items, value)) else value
    if isinstance(value, dict):
        named = {shown(key): shown(item) for key, item in value.items()}
        parts = zip((*named, *named.values()), (*value, *value.values()))
        return named if len(named) < len(value) or any(new is not old for new, old in parts) else value
    if is_dataclass(value) and not isinstance(value, type):
        result = ((field.name, getattr(value, field.name)) for field in fields(value))
        changed = {name: new for name, old in result if (new := shown(old)) is not old}
        return replace(value, **changed) if changed else value
    return value
