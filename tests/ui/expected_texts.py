"""Texts that people read, each in a file by what it is about: "# right", then its lines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Dict, List

FOLDER = Path(__file__).with_name("expected")


def expected_lines(name: str) -> Dict[str, List[str]]:
    """Return the lines of each text in that file."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return {
        case: lines.strip().split("\n") for case, lines in re.findall(r"^# (.*)\n([^#]+)", text, flags=re.MULTILINE)
    }


def expected_texts(name: str) -> Dict[str, str]:
    """Return the texts in that file, of a line each."""
    return {case: line for case, (line,) in expected_lines(name).items()}
