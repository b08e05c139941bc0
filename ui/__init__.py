"""What a person sees: the window inside Anki, and the graphs. Computes no statistics: it shows a report.

``ui.charts`` and ``ui.anki.collection`` work without Anki's windows; only ``ui.menu`` and ``ui.window`` import ``aqt``.
"""

from __future__ import annotations
