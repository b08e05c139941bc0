"""The error report that a user can copy: enough to find the bug, and nothing about what they learn.

An error's own text may name a deck, a preset, a card, a search or a file, in whatever words someone else's program
chose. So no such text is in it: the error's kind, its code and the lines of the program that led to it are.

It is in English whatever the language of the window: who reads it is a developer.
"""

from __future__ import annotations

import errno
import platform
import sys
import traceback
from pathlib import Path, PurePath
from typing import Dict, Iterator, List, Mapping, Sequence

from .. import text
from ..science import EvaluatorError, __version__

_TITLE = "SRS Evaluator: error report (without card content, names of decks and presets, or searches)"
#: Headings of the report.
EVALUATED, INSTALLED = "What was evaluated", "What was to be installed"
_THEN = "... which led to:"
#: The folder of the add-on, whatever its name.
_ADDON = Path(__file__).resolve().parent.parent.parent


def error_report(
    error: BaseException,
    versions: Mapping[str, str],
    circumstances: Mapping[str, object],
    *,
    about: str = EVALUATED,
    messages: Sequence[str] = (),
) -> str:
    """Write the error report, as text to paste.

    ``about`` is the heading of the circumstances, ``messages`` pip's messages before it failed.
    """
    parts = {"Versions": _table(versions), about: _table(circumstances), "Traceback": "".join(_traceback(error))}
    if messages:
        parts["What pip said"] = "".join(f"  {_without_home(line)}\n" for line in messages)
    body = "\n".join(f"{heading}\n{part}" for heading, part in parts.items())
    return f"{_TITLE}\n\n{body}"


def _table(rows: Mapping[str, object]) -> str:
    return "".join(f"  {name}: {value}\n" for name, value in rows.items())


def _traceback(error: BaseException) -> Iterator[str]:
    """Return the chain of tracebacks, first cause first, without the user's folders, values or messages."""
    for number, each in enumerate(reversed(chain_of(error))):
        if number:
            yield f"  {_THEN}\n"
        for frame in traceback.extract_tb(each.__traceback__):
            yield f"  {_place(frame.filename)}:{frame.lineno} {frame.name}: {frame.line}\n"
        yield f"  {type(each).__name__}{_code(each)}\n"


def _code(error: BaseException) -> str:
    """Return the error's code, errno or module, which identifies the error and cannot contain private text."""
    if isinstance(error, EvaluatorError):
        return f": {error.code}"
    if isinstance(error, OSError) and error.errno is not None:
        return f": {errno.errorcode.get(error.errno, error.errno)}"
    return f": {error.name}" if isinstance(error, ImportError) and error.name else ""


def chain_of(error: BaseException) -> List[BaseException]:
    """Return the error, its cause, the cause of that, and so on."""
    chain = [error]
    while True:
        last = chain[-1]
        before = last.__cause__ or (None if last.__suppress_context__ else last.__context__)
        if before is None or before in chain:
            return chain
        chain.append(before)


def _place(filename: str) -> str:
    """Return the file's path within the add-on or its library, without the user's folders before it."""
    path = PurePath(filename)
    if _ADDON in path.parents:
        return path.relative_to(_ADDON).as_posix()
    return "/".join(path.parts[-3:]).lstrip("/")


def _without_home(line: str) -> str:
    """Replace the user's home folder in a line of pip's by a tilde."""
    home = str(Path.home())
    for written in (home, repr(home)[1:-1], ascii(home)[1:-1]):
        line = line.replace(written, "~")
    return line


def versions() -> Dict[str, str]:
    """Return versions of the add-on, Anki, Python, Qt, the libraries and the system, by name."""
    from anki.buildinfo import version
    from aqt.qt import PYQT_VERSION_STR, qVersion

    libraries = {name: getattr(sys.modules.get(name), "__version__", "not loaded") for name in ("numpy", "matplotlib")}
    return {
        "SRS Evaluator": __version__,
        "Anki": version,
        "Python": platform.python_version(),
        "Qt": f"{qVersion()}, binding {PYQT_VERSION_STR}",
        **libraries,
        "language": text.code(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",  # asks no other program
    }
