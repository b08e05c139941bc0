"""Play a scenario as in a packaged Anki, which has no other packages than its own dependencies.

``python packaged.py NAME FOLDER`` starts ``scenarios.py`` in an isolated interpreter that writes no bytecode and finds
Anki and its dependencies, but neither NumPy nor matplotlib.
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
    scenario = sys.argv[1]
    folder = Path(sys.argv[2])
    packages = folder / "anki-only"
    if not packages.exists():
        link_anki(packages)
    program = f"import sys; sys.argv[0] = {str(HERE / 'scenarios.py')!r}\n{_PROGRAM}"
    command = [sys.executable, "-I", "-S", "-B", "-c", program, str(packages), scenario, str(folder)]
    return subprocess.run(command, check=False, env={"TOOLS_PYTHON": sys.executable, **os.environ}).returncode


def link_anki(folder):
    """Create a folder with links to Anki and all its dependencies."""
    folder.mkdir(parents=True)
    for name in _dependencies("aqt", {"qt6"}):
        distribution = importlib.metadata.distribution(name)
        first_parts = {file.parts[0] for file in distribution.files or ()}
        for entry in first_parts - {"..", "__pycache__"}:
            link = folder / entry
            if not link.exists():
                link.symlink_to(Path(str(distribution.locate_file(entry))).resolve())


def _dependencies(name: str, extras: Set[str]) -> Set[str]:
    """Return the names of the distribution and of all its installed dependencies, direct and indirect."""
    names = set()
    queue = [(name, extras)]
    while queue:
        name, extras = queue.pop()
        try:
            requirements = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:  # Only another system needs it.
            continue
        names.add(name)
        for requirement in requirements:
            specifier, _, condition = requirement.partition(";")
            extra = re.search(r"extra *== *['\"]([\w-]+)", condition)
            dependency = re.match(r"[\w.-]+", specifier)
            if dependency and (extra is None or extra.group(1) in extras) and dependency.group() not in names:
                queue.append((dependency.group(), set(re.findall(r"\[([\w,-]+)\]", specifier))))
    return names


if __name__ == "__main__":
    sys.exit(main())
