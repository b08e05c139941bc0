"""``python3 tools <command>``: sets up ``.venv`` if needed, then runs the command in it.

Starts on the standard library alone.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NEEDED = (3, 11)


def main() -> int:
    """Run the command that the arguments name, and return its exit code."""
    if sys.version_info < NEEDED:  # someone's `python3` may be any
        have = ".".join(map(str, sys.version_info[:2]))
        print(f"python3 tools needs Python 3.11 or later; {sys.executable} is {have}.", file=sys.stderr)
        return 2
    # Our matrix products are small: more threads would only wait for each other. OpenBLAS reads this when it is loaded.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Python put this folder itself on the path; it should be the checkout. What PYTHONPATH names comes after the .venv:
    # a library there may be for another Python.
    last = {Path(entry).resolve() for entry in os.environ.pop("PYTHONPATH", "").split(os.pathsep) if entry}
    others = [entry for entry in sys.path if Path(entry).resolve() != ROOT / "tools"]
    sys.path[:] = [str(ROOT), *sorted(others, key=lambda entry: Path(entry).resolve() in last)]
    from tools.commands import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # before the command began
        print("Cancelled.", file=sys.stderr)
        sys.exit(130)
