"""pip finds what the lock files name, on every platform."""

from __future__ import annotations

import re

import pytest

from tools import lock
from tools.lock import machines_of
from tools.resolve import PLATFORMS, PYTHONS, Wheel, resolve, supported
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
def test_pip_resolves_the_lock_on_every_platform(python):
    """With all that the wheels ask for, from the versions that are pinned; and each file has a hash in the lock."""
    locks = {locked.platform: locked for locked in locks_of(python)}
    machines = machines_of(python, next(iter(locks.values())).pins)
    assert {machine.platform for machine in machines} == set(locks)
    for machine, found in zip(machines, resolve(machines), strict=True):
        locked = locks[machine.platform]
        pins = {pin.lower().replace("_", "-"): pin for pin in locked.pins}
        assert {"numpy", "matplotlib"} <= {wheel.name for wheel in found}
        for wheel in found:
            pin = pins[f"{wheel.name}=={wheel.version}".replace("_", "-")]
            assert wheel.sha256 in hashes_of(locked, pin), (machine, wheel)


def test_a_lock_names_sizes_versions_and_every_hash(monkeypatch):
    old = Wheel("numpy", "2.0", "a" * 64, "address/a")
    new = Wheel("numpy", "2.0", "b" * 64, "address/bb")
    pure = Wheel("cycler", "1.0", "c" * 64, "address/ccc")
    monkeypatch.setattr(lock, "_size", len)
    text = lock._lock("3.13", {"macosx_arm64": [[old, pure], [new, pure]], "linux_x86_64": [[old, pure]]})
    assert "# macosx_arm64 21\n# linux_x86_64 20\n" in text
    assert text.endswith(
        f"cycler==1.0 \\\n    --hash=sha256:{'c' * 64}\n"
        f"numpy==2.0 \\\n    --hash=sha256:{'a' * 64} \\\n    --hash=sha256:{'b' * 64}\n"
    )


def test_platforms_with_different_versions_are_not_locked():
    systems = {"linux_x86_64": [[Wheel("numpy", "2.0", "a", "")]], "win_amd64": [[Wheel("numpy", "2.1", "b", "")]]}
    with pytest.raises(ValueError, match="differ"):
        lock._lock("3.13", systems)


def test_every_pin_has_a_hash():
    for python in PYTHONS:
        for locked in locks_of(python):
            assert all(hashes_of(locked, pin) for pin in locked.pins)
    assert {path.name for path in FOLDER.iterdir()} == {f"{python}.txt" for python in PYTHONS}
