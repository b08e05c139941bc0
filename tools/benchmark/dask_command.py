"""``python3 tools dask scheduler`` and ``... worker ADDRESS``: Dask's own, with this checkout on the path."""

from __future__ import annotations

import importlib
import sys

from tools import parsers
from tools.benchmark.executors import usable_processors


def main(arguments: list[str]) -> int:
    """Run Dask's command line until it is stopped."""
    if not arguments:
        parsers.dask().print_help()
        return 0
    name, *typed = arguments
    defaults = ["--no-dashboard"]  # it would need more packages
    if name == "worker":  # threads of one process would wait for each other
        defaults += ["--nworkers", str(usable_processors()), "--nthreads", "1"]
    sys.argv = ["dask", name, *defaults, *typed]  # what is typed goes before them
    importlib.import_module("dask.cli").run_cli()
    return 0
