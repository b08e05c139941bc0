"""The user interface: the window inside Anki, the graphs and the web page.

It shows a report and computes no statistics. ``ui.charts`` and ``ui.anki.collection`` work without Anki's windows; only
``ui.menu`` and ``ui.window`` import ``aqt``.
"""

from __future__ import annotations
