from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Dict, Optional, Sequence

from session import ADDON_FOLDER, AnkiSession

Facts = Dict[str, Any]
#: A scenario in an Anki, with a folder for its output. The last in an Anki may leave the window open and return a check
#: to run once Anki has quit.
Play = Callable[[AnkiSession, Path], Optional[Callable[[], None]]]


class Running:
    """An Anki that is quit at the end, and must have been quiet."""

    def __init__(self, folder: Path, collection: Optional[Path], **how: Any) -> None:
        self.anki = AnkiSession(folder / "Anki2", collection, **how)

    def __enter__(self) -> AnkiSession:
        return self.anki

    def __exit__(self, kind: object, _error: object, _trace: object) -> None:
        if kind is not None:
            return
        anki = self.anki
        expect(not anki.message_boxes(), f"no message box: {anki.message_boxes()}")
        pool = anki.mw.taskman._no_collection_executor
        anki.quit()
        pool.shutdown(wait=True)
        expect(not anki.on_stderr, f"nothing on stderr: {''.join(anki.on_stderr)}")
        expect(not anki.main_thread.imported, f"imported on the main thread: {anki.main_thread.imported}")
        network = anki.network
        expect(network is None or not network.asked, f"nothing on the network: {network and network.asked}")


def together(write: Callable[[Path], None], plays: Sequence[Play], folder: Path) -> None:
    """One after the other in the same Anki with the collection that ``write`` makes, each with the usual settings."""
    write(folder / "given.anki2")
    with Running(folder, folder / "given.anki2") as anki:
        for play in plays:
            print("==", play.__name__, flush=True)
            _take_settings_back(anki)
            then = play(anki, folder)
            if then is None and anki.window() is not None:
                anki.window().close()
    if then is not None:
        then()


def _take_settings_back(anki: AnkiSession) -> None:
    manager = anki.mw.addonManager
    meta = manager.addonMeta(ADDON_FOLDER)
    meta.pop("config", None)
    manager.writeAddonMeta(ADDON_FOLDER, meta)


def expect(condition: object, what: str) -> None:
    if not condition:
        raise AssertionError(what)
