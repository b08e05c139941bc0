"""Functions that make HTML elements. They escape text, but not markup."""

from __future__ import annotations

import html
import re
from typing import Iterable


class Html(str):
    """Text that is already markup."""

    __slots__ = ()


def element(tag: str, *children: str, **attributes: str) -> Html:
    """Return an element with its children and attributes.

    Names of attributes are written as in Python, such as ``aria_label`` or ``class_``. Empty attributes are left out.
    """
    attribute_text = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{html.escape(value)}"' for name, value in attributes.items() if value
    )
    # This element has no content and no end tag.
    end = "" if tag == "meta" else f"{join(children)}</{tag}>"
    return Html(f"<{tag}{attribute_text}>{end}")


def join(children: Iterable[str]) -> Html:
    """Join texts and markup. The texts are escaped."""
    return Html("".join(child if isinstance(child, Html) else html.escape(child, quote=False) for child in children))


def elements(tag: str, texts: Iterable[str]) -> Html:
    """Return an element for each text that is not empty."""
    return join(element(tag, text) for text in texts if text)


def fold(summary: str, *children: str, **attributes: str) -> Html:
    """Return content that is hidden until the user clicks its summary."""
    return element("details", element("summary", summary), *children, **attributes)


def slug(text: str) -> str:
    """Return the text as an id for links, with only lowercase letters, digits and hyphens."""
    return re.sub(r"[\W_]+", "-", text.lower()).strip("-")
