"""Notices what must not be done on the thread that draws Anki's windows."""

from __future__ import annotations

import sys
import threading
from typing import Any, List, Tuple

#: They take long to import.
SLOW = ("numpy", "matplotlib")


class MainThread:
    """The slow libraries' modules that are imported on the main thread, from now and for good."""

    def __init__(self) -> None:
        self.imported: List[str] = []
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: Tuple[Any, ...]) -> None:
        if event == "import" and threading.current_thread() is threading.main_thread():
            name = arguments[0]
            if name.partition(".")[0] in SLOW:
                self.imported.append(name)
