"""Install the libraries from the package index, use them, and delete them with the add-on."""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
import zipimport
from functools import cache
from typing import Any, List
from unittest import mock

from installing import delete_through_dialog
from running import Running, expect, expect_equal
from sample_collections import write_short
from session import QUICK, is_idle
from window_tour import screenshot_themes

#: Key of the dialog, and name of the folder with the libraries.
LIBRARIES_KEY = "srs_evaluator_libraries"
#: Name of the folder above Anki's, with characters outside of ASCII.
HOME = "José's 暗記"


def libraries(folder):
    """Refuse the installation, let it fail, cancel it, and install from the package index over the network."""
    _compile_pip_once()
    write_short(folder / "given.anki2")
    with Running(folder / HOME, folder / "given.anki2", offline=False) as anki:
        expect(not _is_any_library_found(), "no library is installed")
        # Anki 25.09 has a pip of its own.
        pip_before = _pip_state()
        logging_before = _logging_state()
        expect(anki.click_menu_item() is None, "no window")
        dialog = _dialog()
        expect(anki.click_menu_item() is None and _dialog() is dialog, "one dialog only")
        screenshot_themes(anki, dialog, "libraries")
        expect("MB" in dialog.text.text() and "Python Package Index" in dialog.text.text(), dialog.text.text())
        dialog.reject()
        expect(_dialog() is None, "Not now closes the dialog")
        anki.click_menu_item()
        dialog = _dialog()

        _fail_without_network(anki, dialog)
        _copy_report(anki, dialog)
        anki.screenshot(dialog, "libraries-failed-light")
        _cancel(anki, dialog)

        _install(anki, dialog)
        expect_equal(_logging_state(), logging_before)
        expect_equal(_pip_state(), pip_before)


def libraries_later(folder):
    """Start the same Anki again, use the installed libraries, and delete the add-on, which also deletes them."""
    with Running(folder / HOME, None, with_addon=False) as anki:
        expect(not _is_any_library_found(), "the libraries are not on the path when Anki starts")
        window = anki.click_menu_item()
        expect(window is not None and _dialog() is None, "the window at once")
        anki.wait_for_results(window)
        expect(LIBRARIES_KEY in sys.modules["numpy"].__file__, "the installed NumPy is used")
        window.close()
        delete_through_dialog(anki)
        expect(not (anki.base / LIBRARIES_KEY).exists(), "the libraries are deleted with the add-on")


def _install(anki, dialog):
    """Install, and expect that the window opens by itself and shows results."""
    anki.configure(algorithms=QUICK)
    dialog.install_button.click()
    anki.wait(lambda: _dialog() is None or dialog.bar.value() > 850, "the last stage")
    if _dialog() is not None:
        anki.screenshot(dialog, "libraries-running-light")
    anki.wait(lambda: anki.window() is not None or not dialog._job, "the installation")
    expect(anki.window() is not None, f"the window has opened by itself: {_dialog()}")
    expect(_dialog() is None, "the dialog has closed itself")
    anki.wait_for_results(anki.window())
    expect(anki.window().table.report is not None, "it evaluates")
    folders = list((anki.base / LIBRARIES_KEY).iterdir())
    expect(len(folders) == 1 and sys.implementation.cache_tag in folders[0].name, f"one folder: {folders}")
    expect(not (folders[0] / "bin").exists(), "no commands")
    anki.window().close()


def _fail_without_network(anki, dialog):
    with mock.patch.dict(os.environ, PIP_NO_INDEX="1", PIP_FIND_LINKS=""):
        dialog.begin()
        expect(dialog._job and dialog.bar.isVisible(), "it shows its progress")
        anki.wait(lambda: not dialog._job, "the failure")
    message = anki.module("ui.anki.libraries.failures").NO_NETWORK.partition("{")[0]
    expect(dialog.status.text().startswith(message), dialog.status.text())
    expect(dialog.install_button.isVisible(), "it can be retried")
    _expect_nothing_installed(anki)


def _copy_report(anki, dialog):
    """Expect that the error report has versions, traceback and pip's output, and is also in the log."""
    dialog.details.click()
    report = anki.app.clipboard().text()
    parts = ("SRS Evaluator: ", "Anki: ", "numpy: not loaded", "libraries: ", "InstallFailed", "What pip said", "INFO")
    for part in parts:
        expect(part in report, f"{part!r} in {report}")
    (log,) = anki.base.glob("logs/addons/*/*.log")
    expect(report in log.read_text(encoding="utf-8"), "it is in the log, too")


def _cancel(anki, dialog):
    """Cancel in the middle, and expect that the dialog shows it at once."""
    record_progress = dialog._record_progress
    in_middle = threading.Event()
    go_on = threading.Event()

    def record_and_wait(job, progress, fraction, *text):
        record_progress(job, progress, fraction, *text)
        if fraction > 0:
            in_middle.set()
            go_on.wait()

    dialog._record_progress = record_and_wait
    dialog.begin()
    anki.wait(in_middle.is_set, "the installation")
    dialog.close_button.click()
    message = anki.module("ui.window.libraries_dialog").CANCELLED
    expect(message in dialog.status.text() and not dialog._job, dialog.status.text())
    dialog._record_progress = record_progress
    go_on.set()
    anki.wait(lambda: is_idle(dialog._jobs), "pip to end")
    _expect_nothing_installed(anki)


def _expect_nothing_installed(anki):
    expect(not (anki.base / LIBRARIES_KEY).exists() and not _is_any_library_found(), "nothing is installed")


def _compile_pip_once():
    """Cache compiled modules, because each import of pip from its wheel would compile all of it again."""
    zipimport._compile_source = cache(zipimport._compile_source)


def _is_any_library_found() -> bool:
    return any(importlib.util.find_spec(name) is not None for name in ("numpy", "matplotlib"))


def _pip_state():
    """Return the place from which pip would be imported, and the ids of its imported modules."""
    spec = importlib.util.find_spec("pip")
    return spec and spec.origin, {id(module) for name, module in sys.modules.items() if name.partition(".")[0] == "pip"}


def _logging_state() -> List[Any]:
    """Return the class of loggers, and the handlers of the root logger."""
    import logging

    return [logging.getLoggerClass(), *logging.getLogger().handlers]


def _dialog():
    """Return the open dialog that installs the libraries, or None."""
    import aqt

    return aqt.dialogs._dialogs[LIBRARIES_KEY][1]
