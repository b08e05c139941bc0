"""Small collections and results that the tests of the benchmark share."""

from __future__ import annotations

import subprocess
import sys

import pytest
from disturbed_runs import ALGORITHMS
from waiting import PATIENCE

from tools.environment import ROOT
from tools.simulate import Habits, Learner, simulate, write_collection


def learner(seed: int) -> Learner:
    """Return a learner whose scheduler is FSRS, or SM-2 for seed 2."""
    return Learner(seed=seed, days=45, habits=Habits(new_per_day=5), scheduler="sm2" if seed == 2 else "fsrs")


@pytest.fixture(scope="session")
def simulations():
    return [simulate(learner(seed)) for seed in range(1, 7)]


@pytest.fixture(scope="session")
def collections(simulations, tmp_path_factory):
    """Return a folder with six collections, some in subfolders. Tests must not change it."""
    folder = tmp_path_factory.mktemp("collections")
    for number, simulation in enumerate(simulations):
        path = folder / ("shelf" if number % 2 else "") / f"{number}.anki2"
        path.parent.mkdir(exist_ok=True)
        write_collection(simulation, path)
    return folder


@pytest.fixture(scope="session")
def expected_file(collections, tmp_path_factory):
    """Return the results of an undisturbed run in one process. Tests must not change them."""
    out = tmp_path_factory.mktemp("expected") / "results.jsonl"
    arguments = ["benchmark", str(collections), "--out", str(out), "--algorithms", ALGORITHMS, "--processes", "1"]
    subprocess.run([sys.executable, "tools", *arguments], cwd=ROOT, check=True, capture_output=True, timeout=PATIENCE)
    return out


@pytest.fixture(scope="session")
def expected_lines(expected_file):
    """Return the lines of these results, sorted."""
    return sorted(expected_file.read_text().splitlines())
