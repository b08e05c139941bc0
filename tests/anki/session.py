"""The real Anki, without a screen: a fresh profile, the add-on installed under a number, and a person's clicks.

One Anki lives in one process (Qt's web engine cannot be made twice), so each scenario runs in a process of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
import zipfile
from functools import cache
from pathlib import Path
from typing import Any, Callable, List, Optional

from main_thread import MainThread
from network import Network

ROOT = Path(__file__).resolve().parents[2]
#: AnkiWeb installs an add-on under its number there.
ADDON_FOLDER = "1234567890"
PROFILE = "User 1"
WINDOW_KEY = "srs_evaluator"
#: Algorithms that nothing is trained for, where it does not matter which run.
QUICK = ["FSRS-6 default", "AVG", "SM-2"]
#: As Anki's preferences have it.
LANGUAGE = os.environ.get("ANKI_LANGUAGE", "en_US")
#: Python of the checkout's tools; the Anki under test may run on an older one.
TOOLS_PYTHON = os.environ.get("TOOLS_PYTHON", sys.executable)
#: Whatever is waited for hangs if it takes longer, on the slowest machine too.
MAX_WAIT_SECONDS = 600


def prepare_environment() -> None:
    """Set the environment, before aqt is imported."""
    screen = {"name": "screen", "x": 0, "y": 0, "width": 1800, "height": 1200}
    screen.update(logicalDpi=96, logicalBaseDpi=96, dpr=1)
    folder = Path(tempfile.mkdtemp(prefix="srs-evaluator-test-"))
    file = folder / "screen.json"
    file.write_text(json.dumps({"screens": [screen]}))
    os.environ.pop("ANKI_BASE", None)
    os.environ.update(
        QT_QPA_PLATFORM=f"offscreen:configfile={file}",
        QTWEBENGINE_DISABLE_SANDBOX="1",
        QTWEBENGINE_CHROMIUM_FLAGS="--disable-gpu",
        ANKI_SINGLE_INSTANCE_KEY=f"srs-evaluator-test-{uuid.uuid4().hex}",
        XDG_DATA_HOME=str(folder),  # location of the trash
    )


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """Return the file of that name in the folder that all scenarios share, made if it is missing.

    Two processes that miss it at the same time both make it, and the later takes the place of the earlier.
    """
    path = _shared_folder() / name
    if not path.exists():
        draft = Path(tempfile.mkdtemp(dir=path.parent)) / name
        make(draft)
        draft.replace(path)
        shutil.rmtree(draft.parent)
    return path


@cache
def _shared_folder() -> Path:
    """Return what ``SHARED_FOLDER`` names, otherwise one for this process."""
    return Path(os.environ.get("SHARED_FOLDER") or tempfile.mkdtemp(prefix="srs-evaluator-shared-"))


def package() -> Path:
    """The checkout's package."""
    return made_once("package.ankiaddon", _make_package)


def _make_package(path: Path) -> None:
    """Let the checkout's tools make the package. Files unknown to git are refused, because it lacks them."""
    program = (
        "import sys; from pathlib import Path; from tools.development.package import unknown_files, write_package; "
        "from tools.environment import pip_wheel; write_package(Path(sys.argv[1]), [pip_wheel()]); "
        "sys.exit(''.join(f'git does not know {name}; run git add {name}\\n' for name in unknown_files()) or None)"
    )
    subprocess.run([TOOLS_PYTHON, "-c", program, str(path)], cwd=ROOT, check=True, env={**os.environ, "PYTHONPATH": ""})


class AnkiSession:
    """A running Anki with the add-on in it."""

    def __init__(
        self,
        base: Path,
        collection: Optional[Path],
        *,
        with_addon: bool = True,
        offline: bool = True,
        language: str = LANGUAGE,
    ) -> None:
        base.mkdir(parents=True, exist_ok=True)
        self.base = base
        self.language = language
        self.on_stderr: List[str] = []
        self.network: Optional[Network] = Network() if offline else None
        self.main_thread = MainThread()
        self._install(collection)
        if with_addon:
            self.put_addon(base / "addons21" / ADDON_FOLDER)
        self._start()
        self.wait(lambda: self.mw.col is not None and self.mw.state == "deckBrowser", "the collection to open")

    @property
    def collection_path(self) -> Path:
        """The profile's collection file."""
        return self.base / PROFILE / "collection.anki2"

    # --- before the start ---------------------------------------------------------------------------------------------

    def _install(self, collection: Optional[Path]) -> None:
        import anki.lang
        from aqt.profiles import ProfileManager

        anki.lang.set_lang("en_US")
        profiles = ProfileManager(self.base)
        if (self.base / PROFILE).exists():
            return  # left by an earlier session
        profiles.setupMeta()
        profiles.create(PROFILE)
        profiles.meta.update(
            firstRun=False,
            check_for_updates=False,
            check_for_addon_updates=False,
            last_addon_update_check=int(time.time()),
        )
        profiles.setLang(self.language)  # else a modal window asks for the language
        profiles.load(PROFILE)
        profiles.profile.update(autoSync=False, syncMedia=False)
        profiles.save()
        profiles.db.close()
        (self.base / PROFILE).mkdir(exist_ok=True)
        if collection is not None:
            shutil.copy(collection, self.collection_path)

    def put_addon(self, folder: Path) -> None:
        """Lay there what ships, as Anki unpacks it."""
        with zipfile.ZipFile(package()) as file:
            file.extractall(folder)

    def _start(self) -> None:
        import aqt
        import aqt.errors

        seen = self.on_stderr

        def write(_handler: object, text: str) -> None:
            seen.append(text)
            (sys.__stderr__ or sys.stdout).write(text)

        aqt.errors.ErrorHandler.write = write
        arguments = ["anki", "-b", str(self.base), "-p", PROFILE, "-l", self.language]
        self.app: Any = aqt._run(arguments, exec=False)
        if self.app is None:
            raise RuntimeError("another Anki answered")
        self.mw: Any = aqt.mw

    # --- what a person does -------------------------------------------------------------------------------------------

    def click_menu_item(self) -> Any:
        """Open Tools > SRS Evaluator…, and return the window."""
        actions = [action for action in self.mw.form.menuTools.actions() if "SRS Evaluator" in action.text()]
        if len(actions) != 1:
            raise LookupError([action.text() for action in self.mw.form.menuTools.actions()])
        actions[0].trigger()
        return self.window()

    def window(self) -> Any:
        """Return the open window once it is filled, or None."""
        window = self.frame()
        if window is not None and not window._filled:
            self.wait(lambda: window._filled, "the window to be filled")
        return window

    def frame(self) -> Any:
        """Return the open window, even if it is not filled yet, or None."""
        import aqt

        return aqt.dialogs._dialogs.get(WINDOW_KEY, (None, None))[1]

    def module(self, name: str) -> Any:
        """A module of the add-on, as Anki loaded it."""
        import importlib

        return importlib.import_module(f"{ADDON_FOLDER}.{name}")

    def open_window(self) -> Any:
        """Open Tools > SRS Evaluator…, and return the window with its results."""
        window = self.click_menu_item()
        self.wait_for_results(window)
        return window

    def evaluate(self, window: Any) -> None:
        """Run again, to the end."""
        window.model.evaluate()
        self.wait_for_results(window)

    def press_escape(self, window: Any) -> None:
        """The Esc key."""
        self.press_key(window, "Key_Escape")

    def press_key(self, widget: Any, name: str, *, control: bool = False) -> None:
        """A key by Qt's name for it, with Ctrl or without."""
        from aqt.qt import QApplication, QEvent, QKeyEvent, Qt

        held = Qt.KeyboardModifier.ControlModifier if control else Qt.KeyboardModifier.NoModifier
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            key = QKeyEvent(kind, getattr(Qt.Key, name).value, held)
            QApplication.sendEvent(widget, key)
        self.settle()

    def press_shortcut(self, window: Any, letter: str) -> None:
        """Ctrl and a letter, as they come from the system."""
        from aqt.qt import Qt
        from PyQt6.QtTest import QTest

        window.activateWindow()
        self.wait(window.isActiveWindow, "the window to be in front")
        QTest.keyClick(window, getattr(Qt.Key, f"Key_{letter}"), Qt.KeyboardModifier.ControlModifier)
        self.settle()

    def set_night(self, night: bool) -> None:
        """Preferences > Theme."""
        from aqt.theme import Theme

        self.mw.set_theme(Theme.DARK if night else Theme.LIGHT)
        self.settle()

    # --- waiting ------------------------------------------------------------------------------------------------------

    def wait(self, condition: Callable[[], Any], what: str) -> None:
        """Let Anki run until the condition holds."""
        from aqt.qt import QEventLoop, QTimer

        end = time.monotonic() + MAX_WAIT_SECONDS
        loop = QEventLoop()
        timer = QTimer()
        timer.setInterval(10)
        timer.timeout.connect(lambda: loop.quit() if condition() or time.monotonic() > end else None)
        timer.start()
        if not condition():
            loop.exec()
        timer.stop()
        if not condition():
            raise TimeoutError(f"waited {MAX_WAIT_SECONDS} s for {what}")

    def pump(self, seconds: float) -> None:
        """Let Anki run for so long."""
        end = time.monotonic() + seconds
        self.wait(lambda: time.monotonic() >= end, "time to pass")

    def settle(self, *, computing: bool = False) -> None:
        """Let Anki run until nothing waits to be handled, and what the window shows is computed and drawn.

        An evaluation is not waited for, nor what it goes on ``computing``.
        """
        from aqt.qt import QEventLoop

        loop = QEventLoop()
        while True:
            while loop.processEvents():
                pass
            if self._is_shown(computing=computing):
                return
            self.wait(lambda: self._is_shown(computing=computing), "what is shown to be worked out and drawn")

    def _is_shown(self, *, computing: bool) -> bool:
        """Return True if the window has nothing left to draw, create or compute."""
        window = self.frame()
        if window is None or not window._filled:
            return window is None
        views = window.findChildren(self.module("ui.window.graph_panel").GraphView)
        draws = any(view._settle.isActive() or view._drawing for view in views)
        return not draws and (computing or window.model.running or window.model.jobs.is_idle)

    def wait_for_results(self, window: Any) -> None:
        """Wait until the run has ended, and its results are computed and drawn."""
        self.wait(lambda: window._filled and not window.model.running, "the evaluation to end")
        self.settle()

    # --- looking ------------------------------------------------------------------------------------------------------

    def screenshot(self, widget: Any, name: str, *, computing: bool = False) -> None:
        """Let a window paint itself. If ``SCREENSHOTS`` names a folder, the picture is kept there."""
        self.settle(computing=computing)
        picture = widget.grab()
        if picture.isNull():
            raise ValueError(f"{name}: nothing is painted")
        if "SCREENSHOTS" in os.environ:
            picture.save(str(Path(os.environ["SCREENSHOTS"]) / f"{name}.png"))

    def message_boxes(self) -> List[str]:
        """The texts of all message boxes that are open."""
        from aqt.qt import QMessageBox

        return [box.text() for box in self.app.topLevelWidgets() if isinstance(box, QMessageBox) and box.isVisible()]

    # --- the end ------------------------------------------------------------------------------------------------------

    def quit(self) -> None:
        """File > Exit."""
        from aqt.qt import QTimer

        QTimer.singleShot(1000 * MAX_WAIT_SECONDS, lambda: self.app.exit(99))
        self.mw.unloadProfileAndExit()
        code = self.app.exec()
        if code != 0 or self.mw.col is not None:
            raise RuntimeError(f"Anki did not quit by itself ({code})")
        sys.stderr = sys.__stderr__
