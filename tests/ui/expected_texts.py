"""Read expected texts from files. Each text has its case in a line such as "# right" above it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Dict, List

FOLDER = Path(__file__).with_name("expected")


def expected_lines(name: str) -> Dict[str, List[str]]:
    """Return the lines of each text in this file by its case."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return {
        case: lines.strip().split("\n") for case, lines in re.findall(r"^# (.*)\n([^#]+)", text, flags=re.MULTILINE)
    }


def expected_texts(name: str) -> Dict[str, str]:
    """Return the texts in this file by their cases. Each has a single line."""
    return {case: line for case, (line,) in expected_lines(name).items()}
