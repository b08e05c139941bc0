"""A process that runs functions which may hang, run out of memory, or crash.

By hand, as a pool of `concurrent.futures` does not say how a process has ended, and ends none that hangs.
"""

from __future__ import annotations

import multiprocessing
import resource
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from tools.fuzz.case import MEMORY
from tools.stopping import deaf


class Lost(Exception):
    """The call did not finish; the message says why."""


class Worker:
    """Calls functions in a process of its own, and starts a new one after a loss."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None

    def call(self, function: Callable[..., Any], *arguments: object, seconds: float) -> Any:
        """Call a function in the process, and return its result.

        Raises:
            Lost: it takes longer than that, or ends the process, or raises an exception.
        """
        if self._process is None:
            spawning = multiprocessing.get_context("spawn")  # a fork would have the memory of this one
            self._connection, other = spawning.Pipe()
            self._process = spawning.Process(target=_serve, args=(other,), daemon=False)
            with deaf():
                self._process.start()
            other.close()
        self._connection.send((function, arguments))
        try:
            if not self._connection.poll(seconds):
                self.close()
                raise Lost(f"it does not end within {seconds:g} seconds")
            is_whole, found = self._connection.recv()
        except (EOFError, ConnectionResetError):
            self._process.join()
            code = self._process.exitcode
            self.close()
            raise Lost(f"the process ends with {code}") from None
        if not is_whole:
            raise Lost(found)
        return found

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
            self._process = None


def _serve(connection: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    while True:
        try:
            function, arguments = connection.recv()
        except EOFError:
            return
        try:
            found = True, function(*arguments)
        except Exception:  # noqa: BLE001 - it is told where it was asked for
            found = False, traceback.format_exc()
        connection.send(found)
