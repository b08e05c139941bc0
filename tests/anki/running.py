"""What every scenario needs: an Anki that has been quiet, and expectations."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Dict, Optional

from session import AnkiSession

Facts = Dict[str, Any]


class Running:
    """An Anki that is quit at the end, and must have been quiet."""

    def __init__(self, folder: Path, collection: Optional[Path], **how: Any) -> None:
        """``how`` as :class:`AnkiSession` takes it."""
        self.anki = AnkiSession(folder / "base", collection, **how)

    def __enter__(self) -> AnkiSession:
        return self.anki

    def __exit__(self, kind: object, _error: object, _trace: object) -> None:
        if kind is not None:
            return
        expect(not self.anki.message_boxes(), f"no message box: {self.anki.message_boxes()}")
        pool = self.anki.mw.taskman._no_collection_executor
        self.anki.quit()
        start = time.monotonic()
        pool.shutdown(wait=True)
        expect(time.monotonic() - start < 1, "the background ends with Anki")
        expect(not self.anki.on_stderr, f"nothing on stderr: {''.join(self.anki.on_stderr)}")
        network = self.anki.network
        expect(network is None or not network.asked, f"nothing on the network: {network and network.asked}")


def expect(condition: object, what: str) -> None:
    """Raise if it is not so."""
    if not condition:
        raise AssertionError(what)
