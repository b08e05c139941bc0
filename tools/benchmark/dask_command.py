"""``python3 tools dask scheduler`` and ``dask worker ADDRESS``: run Dask's commands with this checkout on the path."""

from __future__ import annotations

import importlib
import sys

from tools import parsers
from tools.processes import usable_processors


def main(arguments: list[str]) -> int:
    """Run Dask's command line until it is stopped."""
    if not arguments:
        parsers.dask().print_help()
        return 0
    name, *options = arguments
    # The dashboard would need more packages.
    defaults = ["--no-dashboard"]
    if name == "worker":
        # Threads of one process would wait for each other.
        defaults += ["--nworkers", str(usable_processors()), "--nthreads", "1"]
    # The user's options come last, so that they override the defaults.
    sys.argv = ["dask", name, *defaults, *options]
    importlib.import_module("dask.cli").run_cli()
    return 0
