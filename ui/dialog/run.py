"""One evaluation in the background: load libraries, read the collection in short turns, compute on another thread."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Callable, Dict, Generator, List, Optional, Tuple

from aqt.qt import QTimer, qconnect

from .. import strings
from ..error_report import counts_read
from ..freed_memory import keep_little
from ..science import CollectionClosed, ScopeChoice
from ..time_left import TimeLeft
from .work import Work

if TYPE_CHECKING:
    from anki.collection import Collection
    from aqt.main import AnkiQt

    from evaluator.evaluation import Progress
    from evaluator.revlog import Snapshot
    from evaluator.tally import Evaluation

    from .window import EvaluatorWindow

#: The window is told how far things are at most this often.
_TELL_EVERY_MS = 100
#: A new window has painted itself by then.
_SHOWN_MS = 50
#: A turn on the collection's thread; reviewing and syncing wait for no more than that.
_TURN_SECONDS = 0.05
#: Rows wait for the arithmetic to rest: so often it is looked for, and so long after they are told they are painted.
_LOOK_MS, _MOST_LOOKS, _PAINTED_MS = 15, 70, 40
#: The parts of the bar before the evaluation's own.
_LOADED, _READ = 0.03, 0.12


class Run(Work):
    """Tells its window what is done, on the main thread. Once it was stopped or has ended it says no more."""

    def __init__(
        self, mw: AnkiQt, window: EvaluatorWindow, option_values: Callable[[], Dict[str, Any]], scope: ScopeChoice
    ) -> None:
        super().__init__(mw, self._fail)
        self._window = window
        self._option_values = option_values
        self._scope = scope
        self._col: Optional[Collection] = None
        self._steps: Optional[Generator[Tuple[int, int], None, Snapshot]] = None
        self._text, self._fraction = strings.LOADING, 0.0
        #: How far it is, for a report of an error: in English.
        self.stage = "loading"
        self._evaluated = 0.0
        self._algorithms = 0
        self._begun: List[str] = []
        self._values: Dict[str, Any] = {}
        self._time_left: Optional[TimeLeft] = None
        self._partial: Optional[Evaluation] = None
        self._told: Optional[Evaluation] = None
        #: What was read, for a report of an error: numbers, and names that must not be in it.
        self.read: Dict[str, int] = {}
        self.names: List[str] = []
        self._timer = QTimer(window)
        self._timer.setInterval(_TELL_EVERY_MS)
        qconnect(self._timer.timeout, self._tell)

    # --- from the main thread -----------------------------------------------------------------------------------------

    @property
    def partial(self) -> Optional[Evaluation]:
        """What is finished so far."""
        return self._partial

    def start(self) -> None:
        """Begin. Returns at once."""
        if self._open_collection() is None:
            self._fail(CollectionClosed())
            return
        self._timer.start()
        self._tell()
        QTimer.singleShot(_SHOWN_MS, self._load)

    def stop(self) -> None:
        """Say no more, and let the background end at its next step."""
        super().stop()
        self._timer.stop()

    def _tell(self) -> None:
        if not self.active:
            return
        if self._partial is not self._told and not self.held_for("rows"):
            self.hold(True, "rows")
            self._tell_rows(_MOST_LOOKS)
        left = self._time_left.words(time.monotonic(), self._evaluated) if self._time_left is not None else ""
        text = strings.WITH_TIME.format(text=self._text, left=left) if left else self._text
        self._window.on_progress(text, self._fraction)

    def _tell_rows(self, looks: int) -> None:
        """Show what is finished, once the arithmetic rests: painting a table asks Python for every cell."""
        if not self.active or self._partial is None:
            return
        if looks and not self.at_rest:
            QTimer.singleShot(_LOOK_MS, lambda: self._tell_rows(looks - 1))
            return
        self._told = self._partial
        self._window.on_partial(self._partial)
        QTimer.singleShot(_PAINTED_MS, lambda: self.hold(False, "rows"))

    def _load(self) -> None:
        if self.active:
            self.background(_load_libraries, lambda _none: self._start_reading())

    def _start_reading(self) -> None:
        from .. import engine

        self._window.on_loaded(engine.catalogue())
        self._values = self._option_values()  # before anything is read: what is wrong is said at once
        self._col = self._open_collection()
        if self._col is None:
            raise CollectionClosed
        self._steps = engine.read_steps(self._col, self._scope)
        self._text, self._fraction = strings.READING_START, _LOADED
        self.stage = "reading"
        self._read_on(None)

    def _read_on(self, snapshot: Optional[Snapshot]) -> None:
        if snapshot is not None:
            self._text, self._fraction = strings.PREPARING, _READ
            self.stage = "preparing"
            self._steps = None
            self._note_read(snapshot)
            self._time_left = TimeLeft(time.monotonic())
            self.background(lambda: self._evaluate(snapshot, self._values), self._finish)
        elif self._open_collection() is not self._col:
            raise CollectionClosed
        else:
            self.background(self._read_a_turn, self._read_on, uses_collection=True)

    def _note_read(self, snapshot: Snapshot) -> None:
        decks, presets = snapshot.decks or (), snapshot.presets or ()
        self.read = counts_read(len(snapshot.revlog), len(decks), len(presets))
        self.names = [deck.name for deck in decks] + [preset.name for preset in presets]

    def _open_collection(self) -> Optional[Collection]:
        col: Optional[Collection] = self._mw.col  # Anki's own types leave out the None
        return col

    def _finish(self, evaluation: Optional[Evaluation]) -> None:
        if evaluation is not None:
            self.stop()
            self._window.on_finished(evaluation)

    def _fail(self, error: BaseException) -> None:
        self.stop()
        self._window.on_failed(error)

    # --- on other threads ---------------------------------------------------------------------------------------------

    def _read_a_turn(self) -> Optional[Snapshot]:
        """Read for a moment; the snapshot when all has been read."""
        if self._steps is None or self._col is None:
            return None
        end = time.monotonic() + _TURN_SECONDS
        try:
            while not self._stopped.is_set() and time.monotonic() < end:
                done, total = next(self._steps)
                self._text = strings.READING.format(done=done, total=total)
                self._fraction = _LOADED + (_READ - _LOADED) * done / max(total, 1)
        except StopIteration as finished:
            snapshot: Snapshot = finished.value
            return snapshot
        except Exception:
            if self._col.db is None or self._open_collection() is not self._col:
                raise CollectionClosed from None
            raise
        return None

    def _evaluate(self, snapshot: Snapshot, option_values: Dict[str, Any]) -> Optional[Evaluation]:
        """All of it, or None if stopped."""
        from .. import engine

        options = engine.Options(**option_values)
        self._algorithms = len(engine.resolve(options.algorithms, options.baseline))
        work = engine.evaluate(snapshot, options, optimiser=engine.anki_optimiser())
        try:
            return self.drive(work, self._note)
        finally:
            work.close()

    def _note(self, progress: Progress) -> None:
        """How far it is, for the main thread to tell."""
        if progress.algorithm not in ("", *self._begun[-1:]):
            self._begun.append(progress.algorithm)
        self._text = _words(progress, len(self._begun), self._algorithms)
        self.stage = f"{progress.stage} {progress.algorithm} {progress.done}/{progress.total}"
        self._evaluated = progress.fraction
        self._fraction = _READ + (1 - _READ) * progress.fraction
        self._partial = progress.evaluation or self._partial


def _load_libraries() -> None:
    """Import what takes long, and draw one figure, so that the main thread finds everything warm."""
    keep_little()
    from .. import engine  # noqa: F401 - imported for later
    from .warm_up import warm_up

    warm_up()


def _words(progress: Progress, number: int, algorithms: int) -> str:
    if progress.stage != "algorithm" or not progress.total:
        return strings.PREPARING
    text = strings.ALGORITHM if algorithms > 1 else strings.ALGORITHM_ALONE
    return text(
        progress.total,
        algorithm=progress.algorithm,
        number=number,
        algorithms=algorithms,
        done=progress.done,
    )
