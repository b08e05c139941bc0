"""What a report says, in words and as text: no Qt, no NumPy, no matplotlib."""

from __future__ import annotations
