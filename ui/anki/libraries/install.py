"""Install the libraries into their own folder: whole, or not at all."""

from __future__ import annotations

import compileall
import contextlib
import shutil
import ssl
import time
from pathlib import Path
from typing import Callable, Iterator, List, Optional

from ...science import Cancelled
from ...text import _, strings
from ...text.phrases import paragraph
from .failures import InstallFailed, failure
from .lock import Lock, lock_of, platform_here, python_here
from .needs import FOLDER_NAME, IN_THE_WAY, LIBRARIES, folder_of, foreign_numpy, missing, too_old, use
from .pip_here import run_pip, wheel

UNPACKING = _("Unpacking")
PREPARING = _("Speeding up later starts")
NO_PIP = _(
    "This copy of the add-on is not a packaged build and cannot install anything. Install NumPy and "
    "matplotlib in the Python that runs Anki, then restart Anki."
)

#: Size unpacked and compiled, and the maximum during installation, relative to the download.
UNPACKED, MAX_UNPACKED = 4.2, 6.0

MEGABYTE = 1e6

#: ``(message, fraction done)``
OnProgress = Callable[[str, float], None]

#: Fraction of the whole at which each stage ends; usually the download takes longest.
_DOWNLOADED, _UNPACKED = 0.7, 0.85


def obstacle() -> Optional[str]:
    """Return why the libraries cannot be installed here, or None if they can."""
    foreign = foreign_numpy()
    if foreign is not None:
        text = _("The NumPy that Python finds first was built for another Python, or is incomplete.")
        return paragraph(text, IN_THE_WAY.format(place=foreign))
    old = too_old()
    if old is not None:
        text = _("{library} {version} is in use here, but {needed} or later is needed.").format(
            library=old.library.title, version=old.version, needed=old.library.at_least
        )
        return paragraph(text, IN_THE_WAY.format(place=old.folder))
    if lock_here() is None:
        needed = {library.module: library.at_least for library in LIBRARIES}
        return _(
            "There are no prebuilt libraries for Python {python} on this system ({platform}). A newer Anki "
            "may come with a Python that has them. If Anki runs on your own Python, install NumPy {numpy} "
            "and matplotlib {matplotlib} or later there, then restart Anki."
        ).format(python=python_here(), platform=platform_here(), **needed)
    return NO_PIP if wheel() is None else None


def lock_here() -> Optional[Lock]:
    """Return the lock for the running Python, or None if there is none."""
    return lock_of(python_here(), platform_here())


def install(base: Path, *, on_progress: OnProgress, is_cancelled: Callable[[], bool]) -> None:
    """Download and unpack the libraries, and make Python find them.

    Takes long; for another thread, and for one at a time. Nothing is put in place until all is there.

    Raises:
        InstallFailed: with a sentence. Nothing is left behind, and it can be tried again. Cancelled: the user
        cancelled; nothing is left behind.
    """
    lock, path_of_pip = lock_here(), wheel()
    if lock is None or path_of_pip is None:
        raise InstallFailed(obstacle() or strings.UNEXPECTED)
    folder = folder_of(base)
    draft = folder.with_name(folder.name + ".part")
    whole, temporary = draft / "whole", draft / "temporary"
    needed = lock.download_bytes * MAX_UNPACKED / MEGABYTE
    text: List[str] = []
    progress = _Progress(lock.download_bytes, on_progress, is_cancelled)
    try:
        _make_room(folder, draft, lock.download_bytes * MAX_UNPACKED)
        temporary.mkdir()
        run_pip(
            _arguments(lock, whole),
            on_bytes=progress.more_bytes,
            on_message=lambda message: progress.message(message, text),
            path=path_of_pip,
            temporary=temporary,
        )
        shutil.rmtree(whole / "bin", ignore_errors=True)  # commands for a shell
        for part in _compile(whole):
            progress.tell(PREPARING, _UNPACKED + (1 - _UNPACKED) * part)
        _move(whole, folder)
    except (Cancelled, InstallFailed):
        raise
    except (Exception, SystemExit) as error:
        raise failure(error, text, folder, needed) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
        with contextlib.suppress(OSError):  # not empty: it has the installed libraries, or those from before
            folder.parent.rmdir()
    use(base)
    for library in missing():
        raise InstallFailed(
            _("The libraries were installed, but {library} cannot be found. Restart Anki, and try again.").format(
                library=library
            )
        )


def remove(base: Path) -> None:
    """Remove all that was ever installed, or nothing if the system will not move files in use."""
    with contextlib.suppress(OSError):
        old = (base / FOLDER_NAME).rename(base / f"{FOLDER_NAME}.old")
        shutil.rmtree(old, ignore_errors=True)


class _Progress:
    """Report the installation's progress. Raise Cancelled if the user cancels."""

    def __init__(self, total: int, on_progress: OnProgress, is_cancelled: Callable[[], bool]) -> None:
        self._total = total
        self._bytes = 0
        self._on_progress = on_progress
        self._is_cancelled = is_cancelled
        self.tell(strings.BEGINNING, 0.0)

    def tell(self, text: str, part: float) -> None:
        if self._is_cancelled():
            raise Cancelled
        self._on_progress(text, part)

    def more_bytes(self, count: int) -> None:
        self._bytes = min(self._bytes + count, self._total)
        text = _("Downloading: {done:.0f} of {total:.0f} MB").format(
            done=self._bytes / MEGABYTE, total=self._total / MEGABYTE
        )
        self.tell(text, _DOWNLOADED * self._bytes / self._total)

    def message(self, text: str, messages: List[str]) -> None:
        messages.append(text)
        unpacking = text.startswith("INFO: Installing collected")
        if unpacking:
            self.tell(UNPACKING, _DOWNLOADED)
        elif self._is_cancelled():
            raise Cancelled


def _arguments(lock: Lock, target: Path) -> List[str]:
    """Return the arguments of ``pip install``. Pip takes index and proxy from its own configuration, if any."""
    arguments = ["--target", str(target), "--only-binary=:all:", "--require-hashes", "--requirement", str(lock.path)]
    arguments += ["--no-user", "--no-compile", "--no-cache-dir", "--no-input", "--progress-bar=off", "--timeout=10"]
    arguments += ["--retries=2", "--disable-pip-version-check", "--no-warn-conflicts", "--root-user-action=ignore"]
    if _trusts_what_the_system_trusts(ssl.SSLContext):
        arguments.append("--use-deprecated=legacy-certs")
    return arguments


def _make_room(folder: Path, draft: Path, needed: float) -> None:
    """Make an empty folder to unpack into, and delete what an interrupted installation left."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    for left in (draft, _old(folder)):
        shutil.rmtree(left, ignore_errors=True)
    draft.mkdir()
    if shutil.disk_usage(draft).free < needed:
        raise InstallFailed(strings.DISK_FULL.format(needed=needed / MEGABYTE))


def _compile(folder: Path) -> Iterator[float]:
    """Compile every module except the libraries' own tests, so that Anki does not do it at each start."""
    modules = sorted(path for path in folder.rglob("*.py") if "tests" not in path.relative_to(folder).parts)
    for number, module in enumerate(modules):
        yield number / len(modules)
        compileall.compile_file(module, quiet=2)


def _move(whole: Path, folder: Path) -> None:
    """Move the complete libraries to their folder in one step, replacing libraries that did not work."""
    if folder.exists():
        old = _old(folder)
        folder.replace(old)
        shutil.rmtree(old, ignore_errors=True)
    for seconds in (0.1, 0.3, 1.0, 3.0):  # a virus scanner may be looking at it
        try:
            whole.replace(folder)
        except PermissionError:
            time.sleep(seconds)
        else:
            return
    whole.replace(folder)


def _old(folder: Path) -> Path:
    return folder.with_name(folder.name + ".old")


def _trusts_what_the_system_trusts(ssl_context: type) -> bool:
    """Return whether Anki (from 26) has put the system's certificates under ``ssl``; pip would do so again, without
    end.
    """
    return ssl_context.__module__ != "ssl"
