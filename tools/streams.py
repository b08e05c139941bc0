"""Standard output and standard error, whatever is at their other end: another encoding, a full disk, or nothing.

By hand, as Python ends with a traceback at each of these, and rich is not there before the ``.venv``.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import shutil
import sys
import textwrap
from collections.abc import Iterator
from typing import Any, TextIO

STDOUT = "Standard output"
STDERR = "Standard error"

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


@contextlib.contextmanager
def standard_streams() -> Iterator[None]:
    """Print unencodable characters safely; name the stream in errors; ignore a closed one."""
    streams = [_opened(sys.stdout, 1), _opened(sys.stderr, 2)]
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_plain.__name__)
    out, err = (_Named(*each) for each in zip(streams, (STDOUT, STDERR), strict=True))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            yield
    finally:
        for number, stream in enumerate(streams, start=1):
            try:
                stream.flush()
            except OSError:
                _lead_nowhere(number)


class _Named:
    """A stream whose errors name it."""

    def __init__(self, stream: TextIO, name: str) -> None:
        self._stream = stream
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        with self._naming():
            return self._stream.write(text)

    def flush(self) -> None:
        with self._naming():
            self._stream.flush()

    @contextlib.contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise OSError(error.errno, error.strerror, self._name) from error


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


def _opened(stream: TextIO | None, number: int) -> TextIO:
    if stream is None:  # it was closed when Python started
        _lead_nowhere(number)
        stream = os.fdopen(number, "w", encoding="utf-8")
    return stream


def _lead_nowhere(number: int) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    if nowhere != number:
        os.dup2(nowhere, number)
        os.close(nowhere)


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(PLAIN.get(one, one.encode("ascii", "backslashreplace").decode()) for one in missing), error.end


codecs.register_error(_plain.__name__, _plain)
