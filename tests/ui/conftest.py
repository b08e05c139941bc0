"""What the tests of widgets and figures share."""

from __future__ import annotations

import os
import sys
from pathlib import Path

# Before Qt is first imported: no screen, and fonts without hints about the machine's.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

sys.path.insert(0, str(Path(__file__).resolve().parent))
