"""What a killed run left is removed by the next; what a living one uses, or somebody else has, is not."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tools import sources
from tools.scratch import LOCK, PREFIX, remove_left_behind, scratch_folder
from tools.sources import collection_file

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("form", ["collection", "colpkg"])
def test_a_copy_that_a_killed_run_left_is_removed_by_the_next(form, busy, files, temporary, here):
    killed = busy(getattr(files, form))
    (copy,) = temporary.iterdir()
    assert (copy / "collection.anki2").is_file()
    living = busy(files.collection)
    killed.kill()
    killed.wait()
    assert copy.exists()
    (other,) = set(temporary.iterdir()) - {copy}
    assert here("algorithms").returncode == 0
    assert list(temporary.iterdir()) == [other]
    assert (other / "collection.anki2").is_file()
    living.terminate()
    living.communicate()
    assert list(temporary.iterdir()) == []


def test_drafts_that_a_killed_run_left_are_removed_by_the_next(busy, files, temporary, here, tmp_path):
    outputs = ("--predictions", tmp_path / "predictions.csv", "--html", tmp_path / "page.html")
    killed = busy(files.collection, *outputs)
    assert [path.name.startswith(f".{PREFIX}") for path in tmp_path.iterdir()] == [True]
    living = busy(files.collection, *outputs)
    killed.kill()
    killed.wait()
    assert len(list(tmp_path.iterdir())) == 2
    done = here("evaluate", files.collection, "--algorithms", "AVG,SM-2", "--json", tmp_path / "report.json")
    assert done.returncode == 0, done.stderr
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left[0].startswith(f".{PREFIX}")
    assert left[1:] == ["report.json"]
    living.terminate()
    living.communicate()
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


@pytest.mark.parametrize("form", ["collection", "colpkg", "old_colpkg", "apkg"])
def test_nobody_else_can_read_the_copy(form, files, temporary, tmp_path, monkeypatch):
    modes = {}
    read = collection_file.read

    def noting(path: Path, **options: object) -> object:
        for place in (path.parent, *path.parent.rglob("*")):
            modes[place.name if place != path.parent else "."] = place.stat().st_mode & 0o777
        return read(path, **options)

    monkeypatch.setattr(collection_file, "read", noting)
    path = tmp_path / f"{form}.file"
    path.write_bytes(getattr(files, form).read_bytes())
    path.chmod(0o644)
    (tmp_path / f"{form}.file-wal").write_bytes(b"")
    before = os.umask(0)
    try:
        sources.read(path)
    finally:
        os.umask(before)
    assert modes["."] == 0o700
    held = {name: mode for name, mode in modes.items() if name.startswith(("collection.anki2", "light"))}
    assert held
    assert set(held.values()) == {0o600}


def test_the_copy_of_a_link_has_what_lies_beside_the_real_collection(files, tmp_path, monkeypatch):
    real, link = tmp_path / "real" / "c.anki2", tmp_path / "link.anki2"
    real.parent.mkdir()
    real.write_bytes(files.collection.read_bytes())
    real.with_name("c.anki2-wal").write_bytes(b"what is not yet in the file")
    link.symlink_to(real)
    (tmp_path / "copy").mkdir()
    copied = collection_file.copy(link, tmp_path / "copy")
    assert copied.with_name("collection.anki2-wal").read_bytes() == b"what is not yet in the file"


def test_it_is_gone_in_the_end(temporary, tmp_path):
    for beside, parent in ((None, temporary), (tmp_path, tmp_path)):
        with contextlib.suppress(KeyError), scratch_folder(beside) as folder:
            assert folder.parent == parent
            assert folder.stat().st_mode & 0o777 == 0o700
            (folder / "folder").mkdir()
            (folder / "folder" / "file").touch()
            (folder / "link").symlink_to(tmp_path)
            raise KeyError
        assert list(parent.iterdir()) == []


def test_what_is_not_ours_stays(temporary, tmp_path):
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("mine")
    folder = temporary / f"{PREFIX}notes"
    folder.mkdir()
    (folder / "file").write_text("mine")
    other = temporary / f"{PREFIX}other-machine"
    other.mkdir()
    (other / LOCK).write_text("another machine")
    (temporary / f"{PREFIX}link").symlink_to(precious)
    (temporary / f"{PREFIX}file").write_text("mine")
    linked = temporary / f"{PREFIX}linked-lock"
    linked.mkdir()
    (linked / LOCK).symlink_to(precious / "file")
    before = sorted(temporary.rglob("*"))
    remove_left_behind()
    assert sorted(temporary.rglob("*")) == before
    assert (precious / "file").read_text() == "mine"


def test_a_folder_is_never_seen_with_a_lock_that_nobody_holds(temporary, monkeypatch):
    """Else one that begins just now could be taken for one that was left."""
    import fcntl

    flock, seen = fcntl.flock, []
    monkeypatch.setattr(
        fcntl, "flock", lambda *arguments: (seen.append(list(temporary.rglob(LOCK))), flock(*arguments))[1]
    )
    with scratch_folder() as folder:
        remove_left_behind()
        assert folder.exists()
    assert seen[0] == []


def test_where_there_are_no_locks_nothing_is_removed(temporary, monkeypatch):
    import fcntl

    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with scratch_folder() as folder:
        monkeypatch.undo()
        remove_left_behind(temporary)
        assert folder.exists()
    assert list(temporary.iterdir()) == []


def test_a_kill_while_it_is_removed_leaves_it_to_the_next(temporary):
    script = """
import os, shutil, signal, sys
from pathlib import Path
from tools import scratch
shutil.rmtree = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
with scratch.scratch_folder() as folder:
    (folder / "a").touch()
    (folder / "zz").mkdir()
    (folder / "zz" / "collection.anki2").touch()
"""
    killed = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    (folder,) = temporary.iterdir()
    assert (folder / "zz" / "collection.anki2").exists()
    remove_left_behind()
    assert list(temporary.iterdir()) == []
