from __future__ import annotations

import json
import subprocess
import sys

import pytest
from anki.utils import int_version

from tools.development import test as checks


@pytest.mark.parametrize("name", checks.CHECKS)
def test_code_passes_check(name):
    done = subprocess.run(
        [sys.executable, "-m", *checks.CHECKS[name]], cwd=checks.ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


@pytest.mark.parametrize(("arguments", "is_part"), [(["tests/ui"], True), (["-k", "csv"], True), (["-x"], False)])
def test_only_all_tests_run_in_several_processes(arguments, is_part, monkeypatch):
    monkeypatch.setattr(checks, "require_packages", lambda _: None)
    monkeypatch.setattr(checks, "run", list)
    assert checks.main(arguments) == ["pytest", *(() if is_part else checks.WORKERS), *arguments]


def test_supported_versions_are_those_of_the_manifest(monkeypatch):
    manifest = json.loads((checks.ROOT / "manifest.json").read_text(encoding="utf-8"))

    def point_version(release):
        monkeypatch.setattr("anki.buildinfo.version", release)
        return int_version()

    points = [point_version(release) for release, _python in checks.ANKIS.values()]
    assert (min(points), max(points)) == (manifest["min_point_version"], manifest["max_point_version"])
    for suffixed in ("26.09b3+fsrs7", "26.9.3+fsrs7", "25.09rc1"):
        assert min(points) < point_version(suffixed) <= max(points)
