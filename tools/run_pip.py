"""``run_pip.py PLACE install ...``: run pip with only the settings of this machine that say how to reach packages.

PLACE is pip's wheel, or a folder without pip to use the interpreter's own. This is a script because pip must run in the
interpreter that it installs for, which may be as old as Python 3.9.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: Settings of pip that count in addition to those of the add-on.
_OTHER_SETTINGS = (
    "constraint", "only-binary", "timeout", "default-timeout", "retries", "cache-dir", "no-cache-dir",
    "keyring-provider", "use-deprecated",
)  # fmt: skip


def main() -> int:
    """Run pip with the arguments after the first, and return its exit code."""
    sys.argv += ["--no-input", "--disable-pip-version-check"]
    sys.path[:1] = [sys.argv.pop(1), str(Path(__file__).resolve().parent.parent)]
    from ui.anki.libraries.pip_here import SETTINGS

    parser: Any = importlib.import_module("pip._internal.cli.parser").ConfigOptionParser
    all_items = parser._get_ordered_configuration_items  # noqa: SLF001 - every pip since version 10 has it

    def read_items(self: object) -> Iterator[tuple[str, object]]:
        return ((key, value) for key, value in all_items(self) if key in {*SETTINGS, *_OTHER_SETTINGS})

    parser._get_ordered_configuration_items = read_items  # noqa: SLF001
    code: int = importlib.import_module("pip._internal.cli.main").main()
    return code


if __name__ == "__main__":
    sys.exit(main())
