"""Standard output and standard error: their setup, and functions that print text.

Only the standard library is imported, because the ``.venv`` may not exist yet.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import textwrap
from typing import TextIO


def prepare_streams() -> None:
    """Set up both streams.

    Files and pipes get UTF-8, characters that a terminal cannot show are escaped, and output to a closed stream is
    discarded.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - it is open until the program ends
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def flush_streams() -> None:
    """Flush both streams. If that fails, because the disk is full or the reader has ended, discard their output."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def wrap_text(text: str, stream: TextIO, indent: int = 0) -> str:
    """Break a paragraph into lines that fit the terminal. If the stream is not a terminal, return it unchanged.

    Long words, such as paths, are not broken. All lines except the first are indented by ``indent`` spaces.
    """
    if not stream.isatty():
        return text
    width = max(shutil.get_terminal_size().columns, 2 * indent)
    indentation = " " * indent
    return textwrap.fill(text, width, subsequent_indent=indentation, break_long_words=False, break_on_hyphens=False)


def say(text: str, stream: TextIO | None = None, indent: int = 0) -> None:
    """Print a message, by default to standard error.

    Its first line is broken to fit the terminal. The lines after it are not, because they may have to be copied.
    """
    stream = stream or sys.stderr
    first_line, *other_lines = text.split("\n", 1)
    show("\n".join([wrap_text(first_line, stream, indent), *other_lines, ""]), stream)


def show(text: str, stream: TextIO | None = None) -> None:
    """Print a text unchanged, by default to standard output.

    If its reader has ended, as after ``| head``, the text is discarded, because the command may still have files to
    write.
    """
    try:
        print(text, end="", file=stream, flush=True)
    except BrokenPipeError:
        flush_streams()
    except OSError as error:
        error.filename = "Standard error" if stream is sys.stderr else "Standard output"
        raise
