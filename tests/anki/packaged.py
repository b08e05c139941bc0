"""Runs a scenario as in a packaged Anki: only what Anki itself brings, nothing of the machine's Python.

``python packaged.py NAME FOLDER`` starts ``scenarios.py`` on an isolated interpreter that writes no bytecode and finds
Anki and what it depends on, and neither NumPy nor matplotlib.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Set

HERE = Path(__file__).resolve().parent

_PROGRAM = """
import runpy, sys
sys.path[:0] = [sys.argv.pop(1)]
assert sys.flags.isolated and sys.flags.no_site and sys.dont_write_bytecode
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def main() -> int:
    scenario, folder = sys.argv[1], Path(sys.argv[2])
    libraries = folder / "anki-alone"
    if not libraries.exists():
        link_anki(libraries)
    program = f"import sys; sys.argv[0] = {str(HERE / 'scenarios.py')!r}\n{_PROGRAM}"
    command = [sys.executable, "-I", "-S", "-B", "-c", program, str(libraries), scenario, str(folder)]
    return subprocess.run(command, check=False, env={"TOOLS_PYTHON": sys.executable, **os.environ}).returncode


def link_anki(folder: Path) -> None:
    """Make a folder in which Python finds Anki with all that it depends on, and nothing else."""
    folder.mkdir(parents=True)
    for name in _dependencies("aqt", {"qt6"}):
        distribution = importlib.metadata.distribution(name)
        for top in {file.parts[0] for file in distribution.files or () if file.parts[0] not in ("..", "__pycache__")}:
            link = folder / top
            if not link.exists():
                link.symlink_to(Path(str(distribution.locate_file(top))).resolve())


def _dependencies(name: str, extras: Set[str]) -> Set[str]:
    """The distribution's name and, in turn, those of all that it requires, as far as they are installed."""
    result: Set[str] = set()
    waiting = [(name, extras)]
    while waiting:
        name, extras = waiting.pop()
        try:
            requires = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:  # for another system
            continue
        result.add(name)
        for requirement in requires:
            needed, _, condition = requirement.partition(";")
            extra = re.search(r"extra *== *['\"]([\w-]+)", condition)
            dependency = re.match(r"[\w.-]+", needed)
            if dependency and (extra is None or extra.group(1) in extras) and dependency.group() not in result:
                waiting.append((dependency.group(), set(re.findall(r"\[([\w,-]+)\]", needed))))
    return result


if __name__ == "__main__":
    sys.exit(main())
