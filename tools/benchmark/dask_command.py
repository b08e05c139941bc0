"""``python3 tools dask scheduler`` and ``... worker ADDRESS``: Dask's own, with this checkout on the path."""

from __future__ import annotations

import importlib
import sys

from tools import environment
from tools.benchmark.executors import usable_processors

USAGE = """usage: python3 tools dask scheduler [options]
       python3 tools dask worker ADDRESS [options]

Start the scheduler of a Dask cluster, or this machine's workers: one process per core unless --nworkers says
otherwise. The options are Dask's own; `scheduler --help` and `worker --help` list them. The work comes from
`python3 tools benchmark FOLDER --scheduler ADDRESS`, and FOLDER must be at the same place on all machines."""


def main(arguments: list[str]) -> int:
    """Run Dask's command line until it is stopped."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(USAGE)
        return 0
    environment.ensure(("parquet", "cluster"))
    name, *typed = arguments
    defaults = ["--no-dashboard"]  # it would need more packages
    if name == "worker":  # threads of one process would wait for each other
        defaults += ["--nworkers", str(usable_processors()), "--nthreads", "1"]
    sys.argv = ["dask", name, *defaults, *typed]  # what is typed goes before them
    importlib.import_module("dask.cli").run_cli()
    return 0
