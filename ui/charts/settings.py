"""Draw with matplotlib's default settings, whatever the user or another add-on has set."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import Iterator, Literal

import matplotlib as mpl

#: Seed of the ids within an SVG.
SVG_SALT = "srs-evaluator"

#: Held while a figure is drawn, because the settings are the same for all threads.
_ONE_AT_A_TIME = threading.RLock()


@contextmanager
def own_settings(*, svg_letters: Literal["path", "none"] = "path", salt: str = "") -> Iterator[None]:
    """Use matplotlib's default settings in this block, then restore the earlier ones.

    The user's ``matplotlibrc`` or another add-on may have set LaTeX, a dark style or a large font.

    Args:
        svg_letters: whether an SVG has letters as shapes ("path") or as text ("none").
        salt: makes the ids within an SVG differ from those of other SVGs on the same page.
    """
    with _ONE_AT_A_TIME, mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams["svg.hashsalt"] = f"{SVG_SALT} {salt}"
        # A name may contain dollar signs.
        mpl.rcParams["text.parse_math"] = False
        mpl.rcParams["svg.fonttype"] = svg_letters
        yield
