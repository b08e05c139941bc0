"""Text on standard output and standard error, and their setup. Starts with the standard library alone."""

from __future__ import annotations

import io
import os
import shutil
import sys
import textwrap
from typing import TextIO


def prepare_streams() -> None:
    """Write UTF-8 to files and pipes, escape what a terminal cannot show, and discard output to closed streams."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - open to the end
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def flush_streams() -> None:
    """Flush both streams. What cannot be written is discarded (the disk is full, or the reader has gone)."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def in_lines(text: str, stream: TextIO, indent: int = 0) -> str:
    """Return a text in lines as wide as the terminal, if the stream is one.

    A path may be wider. The second and later lines of a paragraph are indented by this many spaces.
    """
    if not stream.isatty():
        return text
    most, begin = max(shutil.get_terminal_size().columns, 2 * indent), " " * indent
    return textwrap.fill(text, most, subsequent_indent=begin, break_long_words=False, break_on_hyphens=False)


def say(text: str, stream: TextIO | None = None, indent: int = 0) -> None:
    """Print sentences, with line breaks only in the first: what follows may have to be copied.

    They go to standard error if no stream is given.
    """
    stream = stream or sys.stderr
    first, *more = text.split("\n", 1)
    show("\n".join([in_lines(first, stream, indent), *more, ""]), stream)


def show(text: str, stream: TextIO | None = None) -> None:
    """Print a text as it is, to standard output if no stream is given.

    If the reader has gone, as after ``| head``, the text is dropped: the command may still have files to write.
    """
    try:
        print(text, end="", file=stream, flush=True)
    except BrokenPipeError:
        flush_streams()
