"""Runs a command of the tools in this process, which saves the start of another."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from tools import commands, environment


def run(arguments: list[str], folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command with folder, streams and variables as in a process of its own."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with (
            mock.patch.dict(os.environ, variables),
            mock.patch.object(tempfile, "tempdir", None),  # it is looked for again
            mock.patch.object(environment, "ensure_extras"),  # it is ready, and another command may hold it
            contextlib.chdir(folder),
            _leading_to(1, out.fileno()),
            _leading_to(2, err.fileno()),
        ):
            code = _code(arguments)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "surrogateescape"))
    return subprocess.CompletedProcess(arguments, code, *texts)


def _code(arguments: list[str]) -> int:
    with (
        os.fdopen(1, "w", encoding="utf-8", closefd=False) as out,
        os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False) as err,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            return commands.run(arguments)
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else 1
        except BaseException:  # noqa: BLE001 - whatever it is, Python would print it and end so
            err.write(traceback.format_exc())
            return 1


@contextlib.contextmanager
def _leading_to(stream: int, file: int) -> Iterator[None]:
    """Redirect standard output or error into a file, also for libraries that write to it directly."""
    kept = os.dup(stream)
    os.dup2(file, stream)
    try:
        yield
    finally:
        os.dup2(kept, stream)
        os.close(kept)
