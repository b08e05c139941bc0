"""The user interface: the window inside Anki, the graphs and the web page.

It shows a report and computes no statistics. Most of it works without Anki: only ``ui.menu`` and ``ui.window`` import
``aqt``, and ``ui.anki`` does within functions.
"""

from __future__ import annotations
