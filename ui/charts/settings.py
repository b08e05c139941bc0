"""matplotlib with its default settings, whatever others have set."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import Iterator, Literal

import matplotlib as mpl

#: Seed of the ids within an SVG.
SVG_SALT = "srs-evaluator"

#: The settings are global: drawing on another thread waits for the end of one figure.
_ONE_AT_A_TIME = threading.RLock()


@contextmanager
def own_settings(*, svg_letters: Literal["path", "none"] = "path", salt: str = "") -> Iterator[None]:
    """Use matplotlib's default settings in this block, then restore the earlier ones.

    A person's own file ``matplotlibrc``, or another add-on, may have set letters by LaTeX, a dark style, a large font.
    An SVG is the same each time.

    Args:
        svg_letters: whether letters are drawn (``path``) or left to anyone who shows it (``none``)
        salt: makes the names within an SVG differ from those of others
    """
    with _ONE_AT_A_TIME, mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams["svg.hashsalt"] = f"{SVG_SALT} {salt}"
        mpl.rcParams["text.parse_math"] = False  # a name may hold dollar signs
        mpl.rcParams["svg.fonttype"] = svg_letters
        yield
