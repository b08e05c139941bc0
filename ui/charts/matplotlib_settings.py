"""Matplotlib's settings for drawing, which do not depend on those of the user or of other add-ons."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import Iterator, Literal

import matplotlib as mpl

#: Lock that is held while a figure is drawn, because all threads share matplotlib's settings.
_ONE_AT_A_TIME = threading.RLock()


@contextmanager
def own_settings(*, svg_letters: Literal["path", "none"] = "path", salt: str = "") -> Iterator[None]:
    """Use matplotlib's default settings in this block, then restore the earlier ones.

    The user's ``matplotlibrc`` or another add-on may have set LaTeX, a dark style or a large font.

    Args:
        svg_letters: "path" to write the letters of an SVG as shapes, or "none" to write them as text.
        salt: text that makes the ids within an SVG differ from those of other SVGs on the same page.
    """
    with _ONE_AT_A_TIME, mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams["svg.hashsalt"] = f"srs-evaluator {salt}"
        # Otherwise the text between two dollar signs in a name would be drawn as a formula.
        mpl.rcParams["text.parse_math"] = False
        mpl.rcParams["svg.fonttype"] = svg_letters
        yield
