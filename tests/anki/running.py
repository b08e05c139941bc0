"""Play scenarios in an Anki, and check that it was quiet."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Optional, Sequence

from session import ADDON_FOLDER, AnkiSession

#: A scenario in an Anki, with a folder for its output. The last one in an Anki may leave the window open and return a
#: check to run once Anki has quit.
Play = Callable[[AnkiSession, Path], Optional[Callable[[], None]]]


class Running:
    """An Anki that quits at the end, and must not have shown, printed, imported or connected to anything unexpected."""

    def __init__(self, folder: Path, collection: Optional[Path], **options: Any) -> None:
        self.anki = AnkiSession(folder / "Anki2", collection, **options)

    def __enter__(self) -> AnkiSession:
        return self.anki

    def __exit__(self, kind, _error, _trace):
        from aqt.qt import QMessageBox

        if kind is not None:
            return
        anki = self.anki
        boxes = [widget for widget in anki.app.topLevelWidgets() if isinstance(widget, QMessageBox)]
        expect_equal([box.text() for box in boxes if box.isVisible()], [])
        pool = anki.mw.taskman._no_collection_executor
        anki.quit()
        pool.shutdown(wait=True)
        expect(not anki.on_stderr, f"nothing on stderr: {''.join(anki.on_stderr)}")
        expect(not anki.slow_imports, f"imported on the main thread: {anki.slow_imports}")
        expect(not anki.connections, f"no connections: {anki.connections}")


def play_in_turn(write: Callable[[Path], None], plays: Sequence[Play], folder: Path) -> None:
    """Play scenarios in the same Anki, each with default settings. ``write`` writes the collection."""
    write(folder / "given.anki2")
    with Running(folder, folder / "given.anki2") as anki:
        for play in plays:
            print("==", play.__name__, flush=True)
            _restore_default_settings(anki)
            check = play(anki, folder)
            if check is None and anki.window() is not None:
                anki.window().close()
    if check is not None:
        check()


def _restore_default_settings(anki):
    manager = anki.mw.addonManager
    meta = manager.addonMeta(ADDON_FOLDER)
    meta.pop("config", None)
    manager.writeAddonMeta(ADDON_FOLDER, meta)


def expect(condition: object, message: str) -> None:
    """Fail with the message unless the condition is true."""
    if not condition:
        raise AssertionError(message)


def expect_equal(actual, expected):
    """Fail with both values unless they are equal."""
    expect(actual == expected, f"{actual!r} instead of {expected!r}")
