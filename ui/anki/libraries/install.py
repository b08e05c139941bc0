"""Installation of the libraries into their own folder: all of them, or none."""

from __future__ import annotations

import compileall
import contextlib
import errno
import shutil
import ssl
import time
from pathlib import Path
from typing import List, Optional

from ...drafts import scratch_folder
from ...science import Cancelled, Progress
from ...text import _, strings
from ...text.phrases import paragraph
from .failures import InstallFailed, failure_sentence
from .lock_files import Lock, lock_of, platform_here, python_here
from .needs import (
    FOLDER_NAME,
    IN_THE_WAY,
    LIBRARIES,
    add_to_path,
    folder_of,
    foreign_numpy,
    missing_modules,
    outdated_library,
)
from .pip_here import bundled_pip, run_pip

UNPACKING = _("Unpacking")
PREPARING = _("Speeding up later starts")
NO_PIP = _(
    "This copy of the add-on is not a packaged build and cannot install anything. Install NumPy and "
    "matplotlib in the Python that runs Anki, then restart Anki."
)

#: Disk space of the installed libraries, as a multiple of the download.
INSTALLED_RATIO = 4.2
#: Maximum disk space during the installation, as a multiple of the download.
MAX_RATIO = 6.0

MEGABYTE = 1e6

#: Fractions of the installation that are done after downloading and after unpacking. Downloading usually takes longest.
_DOWNLOADED = 0.7
_UNPACKED = 0.85


def obstacle() -> Optional[str]:
    """Return why the libraries cannot be installed here, or None if they can."""
    foreign = foreign_numpy()
    if foreign is not None:
        text = _("The NumPy that Python finds first was built for another Python, or is incomplete.")
        return paragraph(text, IN_THE_WAY.format(place=foreign))
    outdated = outdated_library()
    if outdated is not None:
        library, version, folder = outdated
        text = _("{library} {version} is in use here, but {needed} or later is needed.").format(
            library=library.title, version=version, needed=library.at_least
        )
        return paragraph(text, IN_THE_WAY.format(place=folder))
    if lock_here() is None:
        needed = {library.module: library.at_least for library in LIBRARIES}
        return _(
            "There are no prebuilt libraries for Python {python} on this system ({platform}). A newer Anki "
            "may come with a Python that has them. If Anki runs on your own Python, install NumPy {numpy} "
            "and matplotlib {matplotlib} or later there, then restart Anki."
        ).format(python=python_here(), platform=platform_here(), **needed)
    return NO_PIP if bundled_pip() is None else None


def lock_here() -> Optional[Lock]:
    """Return the lock for the running Python, or None if there is none."""
    return lock_of(python_here(), platform_here())


def install(base: Path, progress: Progress) -> None:
    """Download and unpack the libraries, and make Python find them.

    This takes long, so call it on a background thread. Only one installation may run at a time. If it fails or is
    cancelled, nothing remains, and it can be tried again.

    Args:
        base: Anki's own folder.
        progress: called with the sentence for the user as its stage, or with no stage if nothing has changed.

    Raises:
        InstallFailed: if it fails, with a sentence that says why.
        Cancelled: if ``progress`` raises it.
    """
    lock = lock_here()
    wheel = bundled_pip()
    if lock is None or wheel is None:
        raise InstallFailed(obstacle() or strings.INSTALLATION_FAILED)
    progress(0.0, strings.LOOKING_UP_FILES)
    folder = folder_of(base)
    messages: List[str] = []
    needed = lock.download_bytes * MAX_RATIO
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # An interrupted installation leaves its hidden folder behind.
        for leftover in folder.parent.glob(".*"):
            shutil.rmtree(leftover, ignore_errors=True)
        with scratch_folder(folder.parent) as draft:
            if shutil.disk_usage(draft).free < needed:
                raise OSError(errno.ENOSPC, "too little space")
            libraries = _download_and_unpack(lock, wheel, draft, messages=messages, progress=progress)
            _compile(libraries, progress.part(_UNPACKED, 1.0, stage=PREPARING))
            if folder.exists():
                folder.replace(draft / "replaced")
            _move(libraries, folder)
    except Cancelled:
        raise
    except (Exception, SystemExit) as error:
        messages += f"{type(error).__name__}: {error}".splitlines()
        raise InstallFailed(failure_sentence(error, messages, needed / MEGABYTE), messages) from error
    finally:
        # It is not empty if it contains installed libraries, perhaps those of another Python.
        with contextlib.suppress(OSError):
            folder.parent.rmdir()
    add_to_path(base)
    missing = missing_modules()
    if missing:
        text = _("The libraries were installed, but {library} cannot be found. Restart Anki, and try again.")
        raise InstallFailed(text.format(library=missing[0]))


def _download_and_unpack(lock: Lock, wheel: Path, folder: Path, *, messages: List[str], progress: Progress) -> Path:
    """Run pip in this empty folder, add its messages to ``messages``, and return the folder of the libraries."""
    total = lock.download_bytes / MEGABYTE
    downloaded = 0.0

    def on_bytes(count: int) -> None:
        nonlocal downloaded
        downloaded = min(downloaded + count / MEGABYTE, total)
        text = _("Downloading: {done:.0f} of {total:.0f} MB").format(done=downloaded, total=total)
        progress(_DOWNLOADED * downloaded / total, text)

    def on_message(message: str) -> None:
        messages.append(message)
        if message.startswith("INFO: Installing collected"):
            progress(_DOWNLOADED, UNPACKING)
        # If the user has cancelled, this raises Cancelled, which ends pip.
        progress(0.0)

    libraries = folder / "libraries"
    arguments = _pip_arguments(lock, libraries)
    run_pip(arguments, on_bytes=on_bytes, on_message=on_message, wheel=wheel, temporary=folder)
    # These are commands for a shell.
    shutil.rmtree(libraries / "bin", ignore_errors=True)
    return libraries


def remove(base: Path) -> None:
    """Remove all libraries that were ever installed, or none if the system refuses to move files in use."""
    with contextlib.suppress(OSError):
        old_folder = (base / FOLDER_NAME).rename(base / f"{FOLDER_NAME}.old")
        shutil.rmtree(old_folder, ignore_errors=True)


def _pip_arguments(lock: Lock, target: Path) -> List[str]:
    """Return the arguments of ``pip install``. Pip takes index and proxy from its own configuration, if any."""
    arguments = ["--target", str(target), "--only-binary=:all:", "--require-hashes", "--requirement", str(lock.path)]
    arguments += ["--no-user", "--no-compile", "--no-cache-dir", "--no-input", "--progress-bar=off", "--timeout=10"]
    arguments += ["--retries=2", "--no-warn-conflicts", "--root-user-action=ignore"]
    # Anki (from 26) has made ``ssl`` use the system's certificates. If pip did so too, they would call each other
    # without end.
    if ssl.SSLContext.__module__ != "ssl":
        arguments.append("--use-deprecated=legacy-certs")
    return arguments


def _compile(folder: Path, progress: Progress) -> None:
    """Compile every module except the libraries' own tests, so that Anki does not do it at each start."""
    modules = sorted(path for path in folder.rglob("*.py") if "tests" not in path.relative_to(folder).parts)
    for number, module in enumerate(modules):
        progress(number / len(modules))
        compileall.compile_file(module, quiet=2)


def _move(source: Path, target: Path) -> None:
    """Move a folder, waiting up to four seconds for a virus scanner that holds one of its files."""
    for seconds in (0.1, 0.3, 1.0, 3.0):
        with contextlib.suppress(PermissionError):
            source.replace(target)
            return
        time.sleep(seconds)
    source.replace(target)
