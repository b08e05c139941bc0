from __future__ import annotations

import importlib.util
import os
import sys
import threading
import zipimport
from functools import cache
from pathlib import Path
from typing import Any, List
from unittest import mock

from installing import delete_through_dialog
from running import Running, expect
from sample_collections import write_short
from session import ADDON_FOLDER, QUICK, AnkiSession

LIBRARIES_KEY = "srs_evaluator_libraries"
#: Anki's folder is below it.
HOME = "José's 暗記"


def libraries(folder: Path) -> None:
    """Explained, refused, failed, cancelled, and installed from the package index, over the network."""
    _compile_pip_once()
    write_short(folder / "given.anki2")
    with Running(folder / HOME, folder / "given.anki2", offline=False) as anki:
        expect(not _found("numpy", "matplotlib"), "none of them is here")
        handlers, pip = _handlers(), _pip()  # Anki 25.09 has a pip of its own
        expect(anki.click_menu_item() is None, "instead of the window")
        dialog = _dialog(anki)
        expect(anki.click_menu_item() is None and _dialog(anki) is dialog, "one only")
        _look(anki, dialog)
        expect("MB" in dialog.text.text() and "Python Package Index" in dialog.text.text(), dialog.text.text())
        dialog.reject()
        expect(_dialog(anki) is None, "Not now")
        anki.click_menu_item()
        dialog = _dialog(anki)

        _fails(anki, dialog)
        _copies_report(anki, dialog)
        anki.screenshot(dialog, "libraries-failed-light")
        _cancel(anki, dialog)

        _install(anki, dialog)
        expect(_handlers() == handlers, "Anki's log is as it was")
        expect(_pip() == pip, "pip is as it was")


def libraries_later(folder: Path) -> None:
    """The next start, in the same Anki: they are found. When the add-on is deleted, they go too."""
    with Running(folder / HOME, None, with_addon=False) as anki:
        expect(not _found("numpy"), "nothing looks for them at start")
        window = anki.click_menu_item()
        expect(window is not None and _dialog(anki) is None, "the window at once")
        anki.wait_for_results(window)
        expect("srs_evaluator_libraries" in sys.modules["numpy"].__file__, "those that were installed")
        window.close()
        delete_through_dialog(anki)
        expect(not (anki.base / "srs_evaluator_libraries").exists(), "the libraries are gone with the add-on")


def _install(anki: AnkiSession, dialog: Any) -> None:
    """Until the window has opened by itself and shows results."""
    anki.mw.addonManager.writeConfig(ADDON_FOLDER, {"algorithms": QUICK})
    dialog.install_button.click()
    anki.wait(lambda: _dialog(anki) is None or dialog.bar.value() > 850, "the last stage")
    if _dialog(anki) is not None:
        anki.screenshot(dialog, "libraries-running-light")
    anki.wait(lambda: anki.window() is not None or not dialog.running, "the installation")
    expect(anki.window() is not None, f"the window has opened by itself: {_dialog(anki)}")
    expect(_dialog(anki) is None, "it has closed itself")
    anki.wait_for_results(anki.window())
    expect(anki.window().table.report is not None, "and it evaluates")
    folders = list((anki.base / "srs_evaluator_libraries").iterdir())
    expect(len(folders) == 1 and sys.implementation.cache_tag in folders[0].name, f"one folder: {folders}")
    expect(not (folders[0] / "bin").exists(), "no commands")
    anki.window().close()


def _fails(anki: AnkiSession, dialog: Any) -> None:
    """Fail as without a network."""
    with mock.patch.dict(os.environ, PIP_NO_INDEX="1", PIP_FIND_LINKS=""):
        dialog.begin()
        expect(dialog.running and dialog.bar.isVisible(), "it says that it works")
        anki.wait(lambda: not dialog.running, "the failure")
    begins = anki.module("ui.anki.libraries.failures").NO_NETWORK.partition("{")[0]
    expect(dialog.status.text().startswith(begins), dialog.status.text())
    expect(dialog.install_button.isVisible(), "it can be retried")
    expect(_nothing_left(anki), "nothing is left behind")


def _copies_report(anki: AnkiSession, dialog: Any) -> None:
    """Check that the error report has versions, traceback and pip's output, and no folder of the user."""
    dialog.details.click()
    report = anki.app.clipboard().text()
    for text in (
        "SRS Evaluator: ",
        "Anki: ",
        "numpy: not loaded",
        "libraries: ",
        "InstallFailed",
        "What pip said",
        "INFO",
    ):
        expect(text in report, f"{text!r} in {report}")
    (log,) = anki.base.glob("logs/addons/*/*.log")
    expect(report in log.read_text(encoding="utf-8"), "it is in the log, too")


def _cancel(anki: AnkiSession, dialog: Any) -> None:
    """Cancel in the middle: the window shows so at once."""
    record_progress, midst, go_on = dialog._record_progress, threading.Event(), threading.Event()

    def record_and_wait(job: Any, progress: Any, fraction: float, *text: object) -> None:
        record_progress(job, progress, fraction, *text)
        if fraction > 0:
            midst.set()
            go_on.wait()

    dialog._record_progress = record_and_wait
    dialog.begin()
    anki.wait(midst.is_set, "the installation")
    dialog.close_button.click()
    expect(
        anki.module("ui.window.libraries").CANCELLED in dialog.status.text() and not dialog.running,
        dialog.status.text(),
    )
    dialog._record_progress = record_progress
    go_on.set()
    anki.wait(lambda: dialog._jobs.is_idle, "pip to end")
    expect(_nothing_left(anki), "nothing is left behind")


def _nothing_left(anki: AnkiSession) -> bool:
    return not (anki.base / "srs_evaluator_libraries").exists() and not _found("numpy", "matplotlib")


def _compile_pip_once() -> None:
    """Keep what of pip has been compiled: otherwise each import out of its wheel compiles all of it again."""
    zipimport._compile_source = cache(zipimport._compile_source)


def _found(*names: str) -> List[str]:
    return [name for name in names if importlib.util.find_spec(name) is not None]


def _pip() -> Any:
    """Return where pip would be imported from, and which of its modules are."""
    spec = importlib.util.find_spec("pip")
    return spec and spec.origin, {id(module) for name, module in sys.modules.items() if name.partition(".")[0] == "pip"}


def _handlers() -> List[Any]:
    import logging

    return [logging.getLoggerClass(), *logging.getLogger().handlers]


def _dialog(anki: AnkiSession) -> Any:
    import aqt

    return aqt.dialogs._dialogs[LIBRARIES_KEY][1]


def _look(anki: AnkiSession, dialog: Any) -> None:
    for night in (True, False):
        anki.set_night(night)
        anki.screenshot(dialog, f"libraries-{'night' if night else 'light'}")
