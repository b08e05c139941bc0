"""What is printed on standard output and standard error, whatever their encoding."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import shutil
import sys
import textwrap
from typing import TextIO

#: What is printed for our own signs where the encoding lacks them; other characters are escaped.
PLAIN = {
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{MIDDLE DOT}": "-",
    "\N{BLACK STAR}": "*",
    "\N{NO-BREAK SPACE}": " ",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    "\N{REPLACEMENT CHARACTER}": "?",
}


def prepare_streams() -> None:
    """Have what the encoding lacks printed plainly or escaped; what was closed leads nowhere."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - open to the end
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_plain.__name__)


def flush_streams() -> None:
    """Write what has not been written yet; what cannot be, as its disk is full or its reader has gone, goes nowhere."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def in_lines(text: str, stream: TextIO, indent: int = 0) -> str:
    """A text in lines as wide as the terminal, if the stream is one; without rich, as it may come before the .venv.

    A path may be wider. The second and later lines of a paragraph are indented by so many spaces.
    """
    if not stream.isatty():
        return text
    most, begin = max(shutil.get_terminal_size().columns, 2 * indent), " " * indent
    return textwrap.fill(text, most, subsequent_indent=begin, break_long_words=False, break_on_hyphens=False)


def say(text: str, stream: TextIO | None = None, indent: int = 0) -> None:
    """Print sentences, broken into lines up to the end of the first one: what follows may have to be copied.

    They go to standard error, which may be full, or a terminal that has gone, if no stream is given.
    """
    first, *more = text.split("\n", 1)
    with contextlib.nullcontext() if stream else contextlib.suppress(OSError):
        print(in_lines(first, stream or sys.stderr, indent), *more, sep="\n", file=stream or sys.stderr, flush=True)


def print_json(text: str) -> None:
    """Print JSON in UTF-8, as it would stand in a file, whatever the encoding of the terminal."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.stdout.write(text)
    sys.stdout.flush()


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(PLAIN.get(one, one.encode("ascii", "backslashreplace").decode()) for one in missing), error.end


codecs.register_error(_plain.__name__, _plain)
