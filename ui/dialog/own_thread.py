"""A task that may hang, on a thread that nobody needs to wait for."""

from __future__ import annotations

import threading
from typing import Callable, List

#: So often it is looked whether it is still wanted.
_LOOK_SECONDS = 0.05


class Unwanted(Exception):
    """The task was left to itself before its end."""


def on_own_thread(task: Callable[[], None], wanted: Callable[[], bool]) -> None:
    """Do the task and raise what it raises; once it is no longer ``wanted``, leave it to itself.

    What waits for an answer of the network cannot be stopped, and when Anki quits it waits for its own threads to end.
    """
    raised: List[BaseException] = []

    def run() -> None:
        try:
            task()
        except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
            raised.append(error)

    thread = threading.Thread(target=run, name="SRS Evaluator, libraries", daemon=True)
    thread.start()
    while thread.is_alive():
        if not wanted():
            raise Unwanted
        thread.join(_LOOK_SECONDS)
    if raised:
        raise raised[0]
