"""NumPy and matplotlib in an Anki that has neither: what is needed, what is installed, and how pip installs the rest.

No window; nothing here is imported before a window is opened.
"""

from __future__ import annotations
