"""What the tests of the science share: their helpers can be imported by name."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = str(Path(__file__).resolve().parent)

if HERE not in sys.path:
    sys.path.insert(0, HERE)
