"""Fixtures for the tools: a simulated log as a collection, as packages and as CSV, and commands to run."""

from __future__ import annotations

import contextlib
import gzip
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import in_process
import pytest
from exporting import export_packages
from waiting import PATIENCE

from tools.environment import ROOT
from tools.simulate import Habits, Learner, simulate, write_collection
from tools.simulate.csv_files import write_csv
from ui.views import graphs_view

#: Learner in India, whose days begin at half past an hour of UTC.
LEARNER = Learner(seed=5, days=90, utc_offset_minutes=330, habits=Habits(new_per_day=5, reset=0.001, cram=0.05))


@dataclass(frozen=True)
class Files:
    """Paths of the simulated log in every form."""

    collection: Path
    colpkg: Path
    old_colpkg: Path
    apkg: Path
    old_apkg: Path
    csv: Path
    csv_gz: Path
    cards: Path


@pytest.fixture(scope="session")
def simulation():
    return simulate(LEARNER)


@pytest.fixture(scope="session")
def files(simulation, tmp_path_factory):
    """Return the log in every form, with packages that Anki itself exported. Tests must not change the files."""
    folder = tmp_path_factory.mktemp("log")
    result = Files(
        collection=folder / "collection.anki2",
        colpkg=folder / "new.colpkg",
        old_colpkg=folder / "old.colpkg",
        apkg=folder / "new.apkg",
        old_apkg=folder / "old.apkg",
        csv=folder / "log.revlog.csv",
        csv_gz=folder / "log.revlog.csv.gz",
        cards=folder / "log.cards.csv",
    )
    write_collection(simulation, result.collection)
    export_packages(result.collection, folder)
    write_csv(simulation, folder, "log")
    result.csv_gz.write_bytes(gzip.compress(result.csv.read_bytes()))
    return result


@pytest.fixture
def collection(files, tmp_path):
    """Return a copy of the collection, which tests may change."""
    path = tmp_path / "collection.anki2"
    path.write_bytes(files.collection.read_bytes())
    return path


@pytest.fixture
def run_tools():
    """Return a function that runs ``python3 tools ...`` from the checkout, in a process of its own."""

    def run(*arguments):
        command = [sys.executable, "tools", *map(str, arguments)]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE)

    return run


@pytest.fixture
def run_here():
    """Return a function that runs a command within this process, which is faster."""

    def run(*arguments):
        return in_process.run([*map(str, arguments)], ROOT)

    return run


@pytest.fixture
def few_graphs(monkeypatch):
    """Draw only one graph, for tests that do not depend on which graphs there are."""
    all_graphs = graphs_view.graphs
    monkeypatch.setattr(graphs_view, "graphs", lambda report=None: {"interval": all_graphs(report)["interval"]})


#: Runs a command that never stops reading or, with --charts, drawing.
ENDLESS = """
import sys, time
import tools.output.outputs, tools.sources.collection_file

def endless(progress):
    print("busy", flush=True)
    while True:
        time.sleep(0.01)
        progress(0.1, "reading")

if "--charts" in sys.argv:
    tools.output.outputs.save_charts = lambda graphs, folder, progress: endless(progress)
else:
    tools.sources.collection_file.read_open = lambda col, scope, progress, parts: endless(progress)
from tools.commands import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.fixture
def temporary(tmp_path_factory, monkeypatch):
    """Return the folder for temporary files of the commands."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.fixture
def start_endless(temporary):
    """Return a function that starts an evaluation which reads or draws until it is stopped."""
    with contextlib.ExitStack() as started:

        def start(*arguments):
            command = [sys.executable, "-c", ENDLESS, "evaluate", *map(str, arguments), "--algorithms", "AVG,SM-2"]
            process = started.enter_context(
                subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            )
            started.callback(process.kill)
            assert "busy\n" in iter(process.stdout.readline, "")  # after the table, if it draws
            return process

        yield start


@pytest.fixture
def start(temporary):  # where killed processes leave their files
    """Return a function that starts ``python3 tools ...``. Commands that still run after the test are killed."""
    started = []

    def begin(*arguments):
        command = [sys.executable, "tools", *map(str, arguments)]
        # In a session of its own, so that a test can send Ctrl-C to all its processes, as a terminal does.
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
