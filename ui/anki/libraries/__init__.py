"""Installation of NumPy and matplotlib in an Anki that has neither.

It has no window. Nothing here is imported before a window is opened.
"""

from __future__ import annotations
