from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[1]


def examples(page: str) -> list[str]:
    """The blocks of Python on a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)


def copy_to(folder: Path) -> None:
    """All that runs, with what of it is compiled already."""
    for part in ("evaluator", "ui", "tools"):
        shutil.copytree(ROOT / part, folder / part)
    shutil.copy(ROOT / "pyproject.toml", folder)


def put_before(path: Path, mark: str, added: str) -> None:
    """Into a file of the copy, before the one place where that stands."""
    text = path.read_text(encoding="utf-8")
    assert text.count(mark) == 1
    path.write_text(text.replace(mark, added + mark), encoding="utf-8")


def found_by(script: str, folder: Path, arguments: Sequence[str] = ()) -> Any:
    """Return what the script finds in the copy, in a process of its own: the JSON after "found:"."""
    environment = {
        "PYTHONPATH": f"{folder}:{ROOT / 'tests' / 'evaluator'}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "QT_QPA_PLATFORM": "offscreen",
        "HOME": str(folder),
        "MPLCONFIGDIR": mpl.get_cachedir(),  # else it looks at every font of the system again
        "COLUMNS": "200",
    }
    command = [sys.executable, "-W", "error", "-c", script, str(folder), *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.partition("found:")[2])
