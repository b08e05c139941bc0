from __future__ import annotations

import json
import re

import pytest

from tools.development import lock
from tools.development.lock import PYTHONS, TARGETS
from tools.environment import MachineNotReady
from ui.anki.libraries.lock_files import FOLDER, lock_of, path_of


@pytest.mark.long
@pytest.mark.network
@pytest.mark.parametrize("python", ["3.9", "3.13", PYTHONS[-1]])
def test_lock_is_found_on_every_platform(python):
    platforms = [platform for version, platform in TARGETS if version == python]
    assert len(platforms) >= 5
    for platform in platforms:
        locked = lock_of(python, platform)
        assert {"numpy", "matplotlib"} <= {pin.partition("==")[0] for pin in locked.pins}
        assert lock.lock_text(python, platform, locked.pins) == locked.path.read_text(encoding="utf-8")


@pytest.fixture
def uv_calls(monkeypatch):
    """Replace uv by a function that knows a wheel for any macOS, and a smaller one for a new macOS.

    Return a list of the requirements and versions of macOS that it is called with.
    """
    calls = []

    def call(*command, stdin, MACOSX_DEPLOYMENT_TARGET, **_):
        calls.append((stdin, MACOSX_DEPLOYMENT_TARGET))
        wheels = [("a" * 64, 100), ("b" * 64, 90)] if MACOSX_DEPLOYMENT_TARGET == "26.0" else [("a" * 64, 100)]
        numpy = [f"{{ size = {size}, hashes = {{ sha256 = {json.dumps(digest)} }} }}" for digest, size in wheels]
        return (
            f'[[packages]]\nname = "numpy"\nversion = "2.0"\nwheels = [{", ".join(numpy)}]\n'
            f'[[packages]]\nname = "cycler"\nversion = "1.0"\n'
            f'wheels = [{{ size = 7, hashes = {{ sha256 = "{"c" * 64}" }} }}]\n'
        )

    monkeypatch.setattr(lock, "run_command", call)
    return calls


def test_lock_names_sizes_versions_and_every_hash(uv_calls):
    assert lock.lock_text("3.13", "macosx_arm64", ["numpy>=2"]) == (
        "# For Python 3.13 on macosx_arm64, by `python3 tools lock`. The most bytes that pip fetches: 107\n"
        f"numpy==2.0 --hash=sha256:{'a' * 64} --hash=sha256:{'b' * 64}\n"
        f"cycler==1.0 --hash=sha256:{'c' * 64}\n"
    )
    assert uv_calls == [("numpy>=2", "12.0"), ("numpy==2.0\ncycler==1.0", "26.0")]


def test_lock_command_writes_a_file_for_each_python_and_platform(uv_calls, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(lock, "ROOT", tmp_path)
    monkeypatch.setattr(lock, "path_of", lambda python, platform: tmp_path / path_of(python, platform).name)
    assert lock.main([]) == 0
    written = [path_of(*target).name for target in TARGETS]
    assert capsys.readouterr().err.split() == written
    assert {path.name for path in tmp_path.iterdir()} == set(written)
    assert set(uv_calls) == {("numpy>=2.0\nmatplotlib>=3.9", "12.0"), ("numpy==2.0\ncycler==1.0", "26.0")}


def test_error_of_uv_is_reported():
    with pytest.raises(MachineNotReady, match="uv failed:\nerror: Couldn't parse requirement"):
        lock.lock_text("3.13", "linux_x86_64", ["no requirement"])


def test_every_pin_has_a_hash():
    pin = re.compile(r"[\w.-]+==[\w.]+( --hash=sha256:[0-9a-f]{64})+")
    for target in TARGETS:
        first, *pins = path_of(*target).read_text(encoding="utf-8").splitlines()
        assert first.startswith("# For Python {} on {}, ".format(*target))
        assert all(map(pin.fullmatch, pins))
        locked = lock_of(*target)
        assert [line.split()[0] for line in pins] == [*locked.pins]
        assert {line.split("==")[0] for line in pins} >= {"numpy", "matplotlib", "pillow"}
        assert 15e6 < locked.download_bytes < 60e6
    assert lock_of("3.9", "win_arm64") is None
    assert {path.name for path in FOLDER.iterdir()} == {path_of(*target).name for target in TARGETS}
