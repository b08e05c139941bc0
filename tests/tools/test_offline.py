from __future__ import annotations

import subprocess
import sys

from tools.environment import ROOT

#: Runs `python3 tools` with these arguments, refuses every connection, and prints the list of them.
OFFLINE = """
import runpy, socket, sys

sys.path.insert(0, "tests/anki")
from audit_hooks import refuse_connections
from evaluator.workload import estimate
from ui.views import graphs_view

# Less work of the same kind.
estimate.MAX_CARDS = 40
all_graphs = graphs_view.graphs
graphs_view.graphs = lambda report=None: {"interval": all_graphs(report)["interval"]}
connections = refuse_connections()
sys.argv = ["tools", *sys.argv[1:]]
try:
    if sys.argv[1:] == ["probe"]:
        socket.create_connection(("192.0.2.1", 80))
    runpy.run_path("tools", run_name="__main__")
finally:
    print("NETWORK", connections, file=sys.stderr)
"""


def run_offline(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the command as a user would, but without a network."""
    command = [sys.executable, "-c", OFFLINE, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_connection_would_be_noticed():
    assert "NETWORK ['socket.getaddrinfo 192.0.2.1']" in run_offline("probe").stderr


def test_everything_is_evaluated_and_written_without_a_connection(files, tmp_path):
    done = run_offline(
        "evaluate", files.colpkg, "--algorithms", "AVG,FSRS-6", "--sections", "all", "--html", tmp_path / "page.html",
        "--json", tmp_path / "report.json", "--predictions", tmp_path / "p.csv", "--charts", tmp_path / "charts",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "NETWORK []\n")
    assert {path.name for path in tmp_path.iterdir()} == {"page.html", "report.json", "p.csv", "charts"}
