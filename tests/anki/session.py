"""Run the real Anki without a screen, with a fresh profile and the add-on, and act like a user.

Qt's web engine cannot be created twice in a process, so each Anki runs in a process of its own.
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
from typing import Any, Callable, Optional

from audit_hooks import record_slow_imports, refuse_connections

ROOT = Path(__file__).resolve().parents[2]
#: Name of the add-on's folder. AnkiWeb installs an add-on under its number.
ADDON_FOLDER = "1234567890"
PROFILE = "User 1"
WINDOW_KEY = "srs_evaluator"
#: Algorithms without training, for scenarios in which any results do.
QUICK = ["FSRS-6 default", "AVG", "SM-2"]
#: Language of Anki, as its preferences store it.
LANGUAGE = os.environ.get("ANKI_LANGUAGE", "en_US")
#: Python that runs the checkout's tools. The Anki under test may need an older one.
TOOLS_PYTHON = os.environ.get("TOOLS_PYTHON", sys.executable)
#: Longest wait for a condition. Whatever takes longer hangs, even on the slowest machine.
MAX_WAIT_SECONDS = 600


def prepare_environment():
    """Set the environment variables of Qt and Anki. Call it before aqt is imported."""
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
        # Deleted add-ons go into the trash, which is below this folder.
        XDG_DATA_HOME=str(folder),
    )


def make_once(name: str, make: Callable[[Path], None]) -> Path:
    """Return the file of that name in the folder that all scenarios share, and make it first if it is missing.

    If two processes make it at the same time, the later file replaces the earlier one.
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
    """Return the folder that ``SHARED_FOLDER`` names. Without the variable it is a temporary one of this process."""
    return Path(os.environ.get("SHARED_FOLDER") or tempfile.mkdtemp(prefix="srs-evaluator-shared-"))


def package() -> Path:
    """Return the add-on's package, made from the checkout."""
    return make_once("package.ankiaddon", _make_package)


def _make_package(path):
    """Write the add-on's package with the checkout's tools."""
    program = (
        "import sys; from pathlib import Path; from tools.development.package import write_package; "
        "from tools.environment import pip_wheel; write_package(Path(sys.argv[1]), [pip_wheel()])"
    )
    subprocess.run([TOOLS_PYTHON, "-c", program, str(path)], cwd=ROOT, check=True, env={**os.environ, "PYTHONPATH": ""})


def is_idle(jobs: Any) -> bool:
    """Return True if no job is queued or running. After a stop, a job may run for another moment."""
    return not jobs._jobs and not jobs._working


class AnkiSession:
    """A running Anki with the add-on.

    Attributes:
        base: folder with Anki's profiles and add-ons.
        language: language of Anki.
        on_stderr: everything that was written to standard error.
        connections: attempted connections to other machines, which are refused if Anki is offline.
        slow_imports: modules of NumPy and matplotlib that were imported on the main thread.
        app: the Qt application.
        mw: Anki's main window.
    """

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
        self.on_stderr = []
        self.connections = refuse_connections() if offline else []
        self.slow_imports = record_slow_imports()
        self._create_profile(collection)
        if with_addon:
            self.unpack_addon(base / "addons21" / ADDON_FOLDER)
        self._start()
        self.wait(lambda: self.mw.col is not None and self.mw.state == "deckBrowser", "the collection to open")

    # --- start --------------------------------------------------------------------------------------------------------

    def _create_profile(self, collection: Optional[Path]) -> None:
        import anki.lang
        from aqt.profiles import ProfileManager

        anki.lang.set_lang("en_US")
        profiles = ProfileManager(self.base)
        if (self.base / PROFILE).exists():  # An earlier session has created it.
            return
        profiles.setupMeta()
        profiles.create(PROFILE)
        profiles.meta.update(
            firstRun=False,
            check_for_updates=False,
            check_for_addon_updates=False,
            last_addon_update_check=int(time.time()),
        )
        # Without a language, Anki asks for one in a modal dialog.
        profiles.setLang(self.language)
        profiles.load(PROFILE)
        profiles.profile.update(autoSync=False, syncMedia=False)
        profiles.save()
        profiles.db.close()
        (self.base / PROFILE).mkdir(exist_ok=True)
        if collection is not None:
            shutil.copy(collection, self.base / PROFILE / "collection.anki2")

    def configure(self, **settings):
        """Write the add-on's configuration. Settings that are not given get their defaults."""
        self.mw.addonManager.writeConfig(ADDON_FOLDER, settings)

    def unpack_addon(self, folder):
        """Unpack the add-on's package into this folder, as Anki does."""
        with zipfile.ZipFile(package()) as file:
            file.extractall(folder)

    def _start(self):
        import aqt
        import aqt.errors

        on_stderr = self.on_stderr

        def write(_handler, text):
            on_stderr.append(text)
            (sys.__stderr__ or sys.stdout).write(text)

        aqt.errors.ErrorHandler.write = write
        arguments = ["anki", "-b", str(self.base), "-p", PROFILE, "-l", self.language]
        self.app = aqt._run(arguments, exec=False)
        if self.app is None:
            raise RuntimeError("another Anki is running")
        self.mw = aqt.mw

    # --- actions of the user ------------------------------------------------------------------------------------------

    def click_menu_item(self):
        """Click Tools > SRS Evaluator…, and return the window, or None if there is none."""
        actions = [action for action in self.mw.form.menuTools.actions() if "SRS Evaluator" in action.text()]
        if len(actions) != 1:
            raise LookupError([action.text() for action in self.mw.form.menuTools.actions()])
        actions[0].trigger()
        return self.window()

    def window(self):
        """Wait until the open window is filled, and return it. Return None if no window is open."""
        window = self.frame()
        if window is not None and not window._filled:
            self.wait(lambda: window._filled, "the window to be filled")
        return window

    def frame(self):
        """Return the open window, even if it is not filled yet. Return None if no window is open."""
        import aqt

        return aqt.dialogs._dialogs.get(WINDOW_KEY, (None, None))[1]

    def module(self, name: str) -> Any:
        """Return this module of the add-on, as loaded by Anki."""
        import importlib

        return importlib.import_module(f"{ADDON_FOLDER}.{name}")

    def open_window(self):
        """Click Tools > SRS Evaluator…, and return the window once it has results."""
        window = self.click_menu_item()
        self.wait_for_results(window)
        return window

    def evaluate(self, window):
        """Evaluate again, and wait for the results."""
        window.model.evaluate()
        self.wait_for_results(window)

    def press_key(self, widget: Any, name: str) -> None:
        """Press a key on a widget. ``name`` is Qt's name of the key."""
        from aqt.qt import QApplication, QEvent, QKeyEvent, Qt

        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            key = QKeyEvent(kind, getattr(Qt.Key, name).value, Qt.KeyboardModifier.NoModifier)
            QApplication.sendEvent(widget, key)
        self.settle()

    def press_shortcut(self, window: Any, name: str, modifier: str = "NoModifier") -> None:
        """Press a key, with or without a modifier, in the active window. Both have Qt's names."""
        from aqt.qt import Qt
        from PyQt6.QtTest import QTest

        window.activateWindow()
        self.wait(window.isActiveWindow, "the window to be in front")
        QTest.keyClick(window, getattr(Qt.Key, name), getattr(Qt.KeyboardModifier, modifier))

    def set_night(self, night: bool) -> None:
        """Choose the dark or the light theme, as Preferences > Theme does."""
        from aqt.theme import Theme

        self.mw.set_theme(Theme.DARK if night else Theme.LIGHT)
        self.settle()

    # --- waiting ------------------------------------------------------------------------------------------------------

    def wait(self, condition: Callable[[], Any], description: str) -> None:
        """Let Anki run until the condition holds. If it never does, the error has the description."""
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
            raise TimeoutError(f"waited {MAX_WAIT_SECONDS} s for {description}")

    def pump(self, seconds: float) -> None:
        """Let Anki run for this many seconds."""
        end = time.monotonic() + seconds
        self.wait(lambda: time.monotonic() >= end, "time to pass")

    def settle(self):
        """Let Anki run until all events are handled, and what the window shows is computed and drawn.

        A running evaluation is not waited for.
        """
        from aqt.qt import QEventLoop

        loop = QEventLoop()
        while True:
            while loop.processEvents():
                pass
            if self._is_settled():
                return
            self.wait(self._is_settled, "the window to be computed and drawn")

    def _is_settled(self) -> bool:
        """Return True if the window has nothing left to draw, create or compute."""
        window = self.frame()
        if window is None or not window._filled:
            return window is None
        views = window.findChildren(self.module("ui.window.graph_panel").GraphView)
        draws = any(view._settle_timer.isActive() or view._drawing for view in views)
        return not draws and (window.model.running or is_idle(window.model.jobs))

    def wait_for_results(self, window):
        """Wait until the evaluation has ended, and its results are drawn."""
        self.wait(lambda: window._filled and not window.model.running, "the evaluation to end")
        self.settle()

    # --- observation --------------------------------------------------------------------------------------------------

    def screenshot(self, widget: Any, name: str) -> None:
        """Let a widget paint itself. If ``SCREENSHOTS`` names a folder, the picture is saved there."""
        self.settle()
        picture = widget.grab()
        if picture.isNull():
            raise ValueError(f"{name}: nothing is painted")
        if "SCREENSHOTS" in os.environ:
            folder = Path(os.environ["SCREENSHOTS"])
            folder.mkdir(parents=True, exist_ok=True)
            picture.save(str(folder / f"{name}-{self.language}.png"))

    # --- end ----------------------------------------------------------------------------------------------------------

    def quit(self):
        """Quit Anki, as File > Exit does, and fail if it does not end by itself."""
        from aqt.qt import QTimer

        QTimer.singleShot(1000 * MAX_WAIT_SECONDS, lambda: self.app.exit(99))
        self.mw.unloadProfileAndExit()
        code = self.app.exec()
        if code != 0 or self.mw.col is not None:
            raise RuntimeError(f"Anki did not quit by itself ({code})")
        sys.stderr = sys.__stderr__
