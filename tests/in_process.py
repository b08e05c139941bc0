"""Run a command of the tools in this process, which is faster than another process."""

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
    """Run the command with a folder, streams and environment variables of its own."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with (
            mock.patch.dict(os.environ, variables),
            # The variables may name another temporary folder.
            mock.patch.object(tempfile, "tempdir", None),
            # The environment is ready, and another command may hold its lock.
            mock.patch.object(environment, "ensure_extras"),
            contextlib.chdir(folder),
            _redirect(1, out.fileno()),
            _redirect(2, err.fileno()),
        ):
            code = _run_command(arguments)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "surrogateescape"))
    return subprocess.CompletedProcess(arguments, code, *texts)


def _run_command(arguments: list[str]) -> int:
    """Run the command, and return its exit code."""
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
        except BaseException:  # noqa: BLE001 - Python would print any error and exit with 1.
            err.write(traceback.format_exc())
            return 1


@contextlib.contextmanager
def _redirect(stream: int, file: int) -> Iterator[None]:
    """Redirect standard output or error into a file, also for libraries that write to it directly."""
    original = os.dup(stream)
    os.dup2(file, stream)
    try:
        yield
    finally:
        os.dup2(original, stream)
        os.close(original)
