"""An Anki without NumPy and matplotlib: what the person is told, and how both are installed."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import sys
import time
from pathlib import Path
from typing import Any, List

from installing import delete_through_dialog
from running import Facts, Running, expect
from sample_collections import write_simulated
from session import ROOT, AnkiSession

LIBRARIES_KEY = "srs_evaluator_libraries"
SCREENSHOTS = ROOT / "screenshots"
#: Anki's folder lies below it.
HOME = "José's 暗記"


def libraries(folder: Path) -> Facts:
    """Explained, refused, cancelled, failed, and installed from a folder of wheels (``WHEELS``)."""
    wheels = Path(os.environ["WHEELS"])
    write_simulated(folder / "given.anki2", "sim-c")
    with Running(folder / HOME, folder / "given.anki2") as anki:
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

        _fails(anki, dialog, _empty(folder), "does not hold all files that are needed")
        _copies_report(anki, dialog)
        anki.screenshot(dialog, SCREENSHOTS / "libraries-failed-light.png")
        _fails(anki, dialog, _damaged(wheels, folder), "was not the one that this version")
        facts = {"cancel_answered_ms": _cancel(anki, dialog, wheels)}

        _waits(anki, dialog, wheels)
        seconds = _install(anki, dialog, wheels)
        expect(_handlers() == handlers, "Anki's log is as it was")
        expect(_pip() == pip, "pip is as it was")
    return {**facts, **_python(), "seconds": round(seconds, 1)}


def libraries_later(folder: Path) -> Facts:
    """The next start, in the same Anki: they are found. When the add-on is deleted, they go, too."""
    with Running(folder / HOME, None, with_addon=False) as anki:
        expect(not _found("numpy"), "nothing looks for them at start")
        window = anki.click_menu_item()
        expect(window is not None and _dialog(anki) is None, "the window at once")
        anki.wait_for_results(window)
        expect("srs_evaluator_libraries" in sys.modules["numpy"].__file__, "those that were installed")
        window.close()
        delete_through_dialog(anki)
        expect(not (anki.base / "srs_evaluator_libraries").exists(), "the libraries are gone with the add-on")
    return {}


def libraries_hanging(folder: Path) -> Facts:
    """An index that never answers: it can be cancelled and asked again, and Anki quits meanwhile without waiting."""
    import aqt

    write_simulated(folder / "given.anki2", "sim-c")
    with socket.create_server(("127.0.0.1", 0)) as silent, Running(folder, folder / "given.anki2") as anki:
        os.environ["PIP_INDEX_URL"] = f"http://127.0.0.1:{silent.getsockname()[1]}/simple/"
        anki.module("ui.libraries.needs").MODULES = ("not there",)
        anki.click_menu_item()
        dialog = aqt.dialogs._dialogs[LIBRARIES_KEY][1]
        dialog.install_button.click()
        silent.settimeout(20)
        connection, _ = silent.accept()
        anki.pump(0.3)
        dialog.close_button.click()
        expect("Cancelled" in dialog.status.text() and not dialog.running, dialog.status.text())
        anki.wait(lambda: dialog._work.over, "Anki's own threads to be free", 1)
        dialog.install_button.click()
        anki.wait(lambda: "another installation" in dialog.status.text(), "it to wait for the first")
        connection.close()
        silent.accept()
    return {}


def libraries_from_index(folder: Path) -> Facts:
    """From the package index, over the network."""
    write_simulated(folder / "given.anki2", "sim-c")
    with Running(folder / HOME, folder / "given.anki2", offline=False) as anki:
        anki.click_menu_item()
        seconds = _install(anki, _dialog(anki), None)
    return {**_python(), "seconds": round(seconds, 1)}


def _python() -> Facts:
    return {"python": "{}.{}".format(*sys.version_info)}


def _install(anki: AnkiSession, dialog: Any, wheels: Any) -> float:
    """Until the window has opened by itself and shows results."""
    start = time.monotonic()
    if wheels is None:
        dialog.install_button.click()
    else:
        dialog.begin(wheels)
    anki.wait(lambda: dialog.bar.value() > 850, "the last stage")
    anki.screenshot(dialog, SCREENSHOTS / "libraries-running-light.png")
    anki.wait(lambda: anki.window() is not None or not dialog.running, "the installation")
    expect(anki.window() is not None, f"the window has opened by itself: {_dialog(anki)}")
    seconds = time.monotonic() - start
    expect(_dialog(anki) is None, "it has closed itself")
    anki.wait_for_results(anki.window())
    expect(anki.window().table.report is not None, "and it evaluates")
    folders = list((anki.base / "srs_evaluator_libraries").iterdir())
    expect(len(folders) == 1 and sys.implementation.cache_tag in folders[0].name, f"one folder: {folders}")
    expect(not (folders[0] / "bin").exists(), "no commands")
    anki.window().close()
    return seconds


def _fails(anki: AnkiSession, dialog: Any, wheels: Path, sentence: str) -> None:
    dialog.begin(wheels)
    expect(dialog.running and dialog.bar.isVisible(), "it says that it works")
    anki.wait(lambda: not dialog.running, "the failure")
    expect(sentence in dialog.status.text(), dialog.status.text())
    expect(dialog.install_button.isVisible() and dialog.install_button.text() == "Try &again", "it can be retried")
    expect(_nothing_left(anki), "nothing is left behind")


def _copies_report(anki: AnkiSession, dialog: Any) -> None:
    """Versions, where it was, the traceback and what pip said; no folder of the person's."""
    dialog.details_button.click()
    report = anki.app.clipboard().text()
    for said in (
        "SRS Evaluator: ",
        "Anki: ",
        "numpy: not loaded",
        "libraries: ",
        "InstallFailed",
        "What pip said",
        "INFO",
    ):
        expect(said in report, f"{said!r} in {report}")
    (log,) = anki.base.glob("logs/addons/*/*.log")
    expect(report in log.read_text(encoding="utf-8"), "it is in the log, too")


def _cancel(anki: AnkiSession, dialog: Any, wheels: Path) -> float:
    dialog.begin(wheels)
    anki.pump(0.5)
    start = time.monotonic()
    dialog.close_button.click()
    answered = time.monotonic() - start
    expect("Cancelled" in dialog.status.text() and not dialog.running, dialog.status.text())
    anki.wait(lambda: _nothing_left(anki), "pip to end, with nothing left behind", 30)
    return round(1000 * answered, 1)


def _waits(anki: AnkiSession, dialog: Any, wheels: Path) -> None:
    """Another Anki installs just now: nothing is done meanwhile, and it can be cancelled."""
    from aqt.qt import QLockFile

    other = QLockFile(str(anki.base / "srs_evaluator_libraries.lock"))
    expect(other.tryLock(0), "nobody installs")
    dialog.begin(wheels)
    anki.wait(lambda: "another installation" in dialog.status.text(), "it to notice")
    anki.pump(0.5)
    expect(_nothing_left(anki) and dialog.running, "it waits")
    dialog.close_button.click()
    expect("Cancelled" in dialog.status.text(), dialog.status.text())
    anki.wait(lambda: dialog._work.over, "it to end")
    other.unlock()


def _nothing_left(anki: AnkiSession) -> bool:
    return not (anki.base / "srs_evaluator_libraries").exists() and not _found("numpy", "matplotlib")


def _found(*names: str) -> List[str]:
    return [name for name in names if importlib.util.find_spec(name) is not None]


def _pip() -> Any:
    """Where it would be imported from, and what of it is."""
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
        anki.screenshot(dialog, SCREENSHOTS / f"libraries-{'night' if night else 'light'}.png")


def _empty(folder: Path) -> Path:
    path = folder / "no-wheels"
    path.mkdir()
    return path


def _damaged(wheels: Path, folder: Path) -> Path:
    path = folder / "damaged-wheels"
    shutil.copytree(wheels, path)
    wheel = next(path.glob("cycler-*.whl"))
    wheel.write_bytes(wheel.read_bytes() + b"\0")
    return path
