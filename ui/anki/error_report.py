"""The error report that a user can copy, with enough to find the bug, and nothing about what the user learns.

The text of an exception may name a deck, a preset, a card, a search or a file. So the report has only the exception's
class, its code and the lines of the program that led to it.

It is always in English, because its readers are developers.
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

#: Headings of the circumstances of an evaluation, and of an installation.
EVALUATED = "What was evaluated"
INSTALLED = "What was to be installed"
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
    """Return the error report as text to paste.

    Args:
        error: the exception, with its chain of causes.
        versions: version by program.
        circumstances: what else may help to find the bug, by name.
        about: the heading of the circumstances.
        messages: pip's messages before it failed, if it was pip that failed.
    """
    parts = {"Versions": _table(versions), about: _table(circumstances), "Traceback": "".join(_traceback(error))}
    if messages:
        parts["What pip said"] = "".join(f"  {_without_home(line)}\n" for line in messages)
    body = "\n".join(f"{heading}\n{part}" for heading, part in parts.items())
    title = "SRS Evaluator: error report (without card content, names of decks and presets, or searches)"
    return f"{title}\n\n{body}"


def _table(rows: Mapping[str, object]) -> str:
    return "".join(f"  {name}: {value}\n" for name, value in rows.items())


def _traceback(error: BaseException) -> Iterator[str]:
    """Yield the lines of the error's and its causes' tracebacks, without the user's folders, values or messages.

    The first cause comes first.
    """
    for number, cause in enumerate(reversed(chain_of(error))):
        if number:
            yield "  ... which led to:\n"
        for frame in traceback.extract_tb(cause.__traceback__):
            yield f"  {_short_path(frame.filename)}:{frame.lineno} {frame.name}: {frame.line}\n"
        yield f"  {type(cause).__name__}{_code(cause)}\n"


def _code(error: BaseException) -> str:
    """Return a colon and the error's code, which cannot contain private text, or an empty text if it has none.

    This is the evaluator's code of the error, the system's name of it, or the module that cannot be imported.
    """
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
        cause = last.__cause__ or (None if last.__suppress_context__ else last.__context__)
        if cause is None or cause in chain:
            return chain
        chain.append(cause)


def _short_path(filename: str) -> str:
    """Return the file's path within the add-on or its library, without the user's folders."""
    path = PurePath(filename)
    if _ADDON in path.parents:
        return path.relative_to(_ADDON).as_posix()
    return "/".join(path.parts[-3:]).lstrip("/")


def _without_home(line: str) -> str:
    """Replace the user's home folder in a message of pip by a tilde."""
    home = str(Path.home())
    for spelling in (home, repr(home)[1:-1], ascii(home)[1:-1]):
        line = line.replace(spelling, "~")
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
        "language": text.language_code(),
        # ``platform.platform()`` would start another program.
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }
