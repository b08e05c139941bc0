"""What the lock files name is found on every platform."""

from __future__ import annotations

import re

import pytest

from tools import lock
from tools.lock import PLATFORMS, PYTHONS, Wheel, resolve, supported
from tools.system_packages import MachineNotReady
from ui.anki.libraries.lock import FOLDER, Lock, lock_of


def locks_of(python: str) -> list[Lock]:
    found = [lock_of(python, platform) for platform in PLATFORMS if supported(python, platform)]
    return [each for each in found if each is not None]


def hashes_of(locked: Lock, pin: str) -> set[str]:
    text = locked.path.read_text(encoding="utf-8")
    block = re.search(rf"^{re.escape(pin)} \\\n((?:    .*\n)+)", text, re.MULTILINE)
    return set(re.findall(r"sha256:(\w{64})", block.group(1))) if block else set()


@pytest.mark.long
@pytest.mark.network
@pytest.mark.parametrize("python", ["3.9", "3.13", PYTHONS[-1]])
def test_the_lock_is_found_on_every_platform(python):
    """With all that the wheels ask for, from the versions that are pinned; and each file has a hash in the lock."""
    for locked in locks_of(python):
        pins = {pin.lower().replace("_", "-"): pin for pin in locked.pins}
        systems = resolve(python, locked.platform, locked.pins)
        assert locked.download_bytes == max(sum(wheel.size for wheel in wheels) for wheels in systems)
        for wheels in systems:
            assert {"numpy", "matplotlib"} <= {wheel.name for wheel in wheels}
            for wheel in wheels:
                pin = pins[f"{wheel.name}=={wheel.version}".replace("_", "-")]
                assert wheel.sha256 in hashes_of(locked, pin), (locked.platform, wheel)


def test_a_lock_names_sizes_versions_and_every_hash():
    old = Wheel("numpy", "2.0", "a" * 64, 90)
    new = Wheel("numpy", "2.0", "b" * 64, 100)
    pure = Wheel("cycler", "1.0", "c" * 64, 7)
    text = lock._lock("3.13", {"macosx_arm64": [{old, pure}, {new, pure}], "linux_x86_64": [{old, pure}]})
    assert "# macosx_arm64 107\n# linux_x86_64 97\n" in text
    assert text.endswith(
        f"cycler==1.0 \\\n    --hash=sha256:{'c' * 64}\n"
        f"numpy==2.0 \\\n    --hash=sha256:{'a' * 64} \\\n    --hash=sha256:{'b' * 64}\n"
    )


def test_platforms_with_different_versions_are_not_locked():
    found = {"linux_x86_64": [{Wheel("numpy", "2.0", "a", 1)}], "win_amd64": [{Wheel("numpy", "2.1", "b", 1)}]}
    with pytest.raises(MachineNotReady, match="differ"):
        lock._lock("3.13", found)


def test_what_is_not_found_is_said():
    with pytest.raises(MachineNotReady, match="uv failed:\nerror: Couldn't parse requirement"):
        resolve("3.13", "linux_x86_64", ["no requirement"])


def test_every_pin_has_a_hash():
    for python in PYTHONS:
        for locked in locks_of(python):
            assert all(hashes_of(locked, pin) for pin in locked.pins)
    assert {path.name for path in FOLDER.iterdir()} == {f"{python}.txt" for python in PYTHONS}
