"""What ships can be read by Python 3.9, which Anki 24.11 and 25.02 bring along."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = [ROOT / "__init__.py", *sorted((ROOT / "evaluator").rglob("*.py")), *sorted((ROOT / "ui").rglob("*.py"))]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.relative_to(ROOT)))
def test_shipped_files_are_python_3_9(path):
    source = path.read_text(encoding="utf-8")
    statements = ast.parse(source, feature_version=(3, 9)).body
    assert len(statements) <= 1 or "from __future__ import annotations" in source
