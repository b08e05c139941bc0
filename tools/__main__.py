"""``python3 tools <command>``: set up ``.venv`` if needed, and run the command in it.

Only the standard library is imported before ``.venv`` is set up.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Oldest version of Python that runs the tools.
MIN_PYTHON = (3, 11)


def main() -> int:
    """Run the command that the arguments name, and return its exit code."""
    if sys.version_info < MIN_PYTHON:
        version = ".".join(map(str, sys.version_info[:2]))
        print(f"python3 tools needs Python 3.11 or later; {sys.executable} is {version}.", file=sys.stderr)
        return 2
    # The matrices are small, so more threads would only wait for each other. OpenBLAS reads this when it is loaded.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Python has put this folder on the path instead of the checkout. The folders of PYTHONPATH are left out, because a
    # library there may be for another Python.
    pythonpath = os.environ.pop("PYTHONPATH", "").split(os.pathsep)
    left_out = {ROOT / "tools", *(Path(entry).resolve() for entry in pythonpath if entry)}
    sys.path[:] = [str(ROOT), *(entry for entry in sys.path if Path(entry).resolve() not in left_out)]
    from tools.commands import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    try:
        sys.exit(main())
    # The command itself handles an interrupt, but one may come before it begins.
    except KeyboardInterrupt:
        print("Cancelled.", file=sys.stderr)
        sys.exit(130)
