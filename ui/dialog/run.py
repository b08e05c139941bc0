"""One evaluation in the background: load the libraries, read the collection in short turns, compute on another thread.

Nothing raised in the background is let through to Anki: a panic of its backend (no ``Exception``) would end it.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Callable, Dict, Generator, List, Optional, Set, Tuple, TypeVar

from aqt.qt import QTimer, qconnect

from .. import strings
from ..science import CollectionClosed, ScopeChoice
from ..time_left import TimeLeft

if TYPE_CHECKING:
    from concurrent.futures import Future

    from anki.collection import Collection
    from aqt.main import AnkiQt

    from evaluator.evaluation import Progress
    from evaluator.revlog import Snapshot
    from evaluator.tally import Evaluation

    from .window import EvaluatorWindow

T = TypeVar("T")

#: The window is told how far things are at most this often.
_TELL_EVERY_MS = 100
#: A new window has painted itself by then.
_SHOWN_MS = 50
#: A turn on the collection's thread; reviewing and syncing wait for no more than that.
_TURN_SECONDS = 0.05
#: However long the window draws, the arithmetic goes on after so many seconds.
_LONGEST_REST = 0.3
#: Rows wait for the arithmetic to rest: so often it is looked for, and so long after they are told they are painted.
_LOOK_MS, _MOST_LOOKS, _PAINTED_MS = 15, 70, 40
#: The parts of the bar before the evaluation's own.
_LOADED, _READ = 0.03, 0.12


class Run:
    """Tells its window what is done, on the main thread. Once it was stopped or has ended it says no more."""

    def __init__(
        self, mw: AnkiQt, window: EvaluatorWindow, option_values: Callable[[], Dict[str, Any]], scope: ScopeChoice
    ) -> None:
        self._mw = mw
        self._window = window
        self._option_values = option_values
        self._scope = scope
        self._stopped = threading.Event()
        self._go_on = threading.Event()
        self._go_on.set()
        self._at_rest = threading.Event()
        self._at_rest.set()
        self._col: Optional[Collection] = None
        self._steps: Optional[Generator[Tuple[int, int], None, Snapshot]] = None
        self._text, self._fraction = strings.LOADING, 0.0
        self._evaluated = 0.0
        self._time_left: Optional[TimeLeft] = None
        self._partial: Optional[Evaluation] = None
        self._told: Optional[Evaluation] = None
        self._held_for: Set[str] = set()
        self._timer = QTimer(window)
        self._timer.setInterval(_TELL_EVERY_MS)
        qconnect(self._timer.timeout, self._tell)

    # --- from the main thread -----------------------------------------------------------------------------------------

    @property
    def active(self) -> bool:
        """Whether there is more to come."""
        return not self._stopped.is_set()

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
        self._stopped.set()
        self._go_on.set()
        self._timer.stop()

    @property
    def at_rest(self) -> bool:
        """Whether no arithmetic goes on just now."""
        return self._at_rest.is_set()

    def hold(self, held: bool, what: str = "graph") -> None:
        """Let the arithmetic rest at its next step while the window draws: they would fight over Python's lock."""
        if held:
            self._held_for.add(what)
        else:
            self._held_for.discard(what)
        if self._held_for and self.active:
            self._go_on.clear()
        else:
            self._go_on.set()

    def _tell(self) -> None:
        if not self.active:
            return
        if self._partial is not self._told and "rows" not in self._held_for:
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
            self._background(_load_libraries, lambda _none: self._start_reading(), uses_collection=False)

    def _start_reading(self) -> None:
        from .. import engine

        self._window.on_loaded(engine.catalogue())
        self._col = self._open_collection()
        if self._col is None:
            raise CollectionClosed
        self._steps = engine.read_steps(self._col, self._scope)
        self._text, self._fraction = strings.READING_START, _LOADED
        self._read_on(None)

    def _read_on(self, snapshot: Optional[Snapshot]) -> None:
        if snapshot is not None:
            self._text, self._fraction = strings.PREPARING, _READ
            self._steps = None
            self._time_left = TimeLeft(time.monotonic())
            values = self._option_values()
            self._background(lambda: self._evaluate(snapshot, values), self._finish, uses_collection=False)
        elif self._open_collection() is not self._col:
            raise CollectionClosed
        else:
            self._background(self._read_a_turn, self._read_on, uses_collection=True)

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

    def _background(self, task: Callable[[], T], then: Callable[[T], None], *, uses_collection: bool) -> None:
        """Run ``task`` elsewhere, then ``then`` here with what it returned, unless stopped meanwhile."""

        def guarded() -> Tuple[Optional[T], Optional[BaseException]]:
            try:
                return task(), None
            except BaseException as error:  # noqa: BLE001 - a panic of the backend must not reach Anki
                return None, error

        def done(future: Future[Tuple[Optional[T], Optional[BaseException]]]) -> None:
            if not self.active:
                return
            value, error = future.result()
            if error is None:
                try:
                    then(value)  # type: ignore[arg-type]  # None only where T allows it
                except Exception as raised:  # noqa: BLE001 - shown calmly in the window
                    error = raised
            if error is not None:
                self._fail(error)

        self._mw.taskman.run_in_background(guarded, done, uses_collection=uses_collection)

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
        count = len(engine.resolve(options.algorithms))
        begun: List[str] = []
        work = engine.evaluate(snapshot, options, optimiser=engine.anki_optimiser())
        try:
            while not self._stopped.is_set():
                self._go_on.wait(_LONGEST_REST)
                self._at_rest.clear()
                progress = next(work)
                self._at_rest.set()
                if progress.algorithm not in ("", *begun[-1:]):
                    begun.append(progress.algorithm)
                self._text = _words(progress, len(begun), count)
                self._evaluated = progress.fraction
                self._fraction = _READ + (1 - _READ) * progress.fraction
                self._partial = progress.evaluation or self._partial
        except StopIteration as finished:
            evaluation: Evaluation = finished.value
            return evaluation
        finally:
            self._at_rest.set()
            work.close()
        return None


def _load_libraries() -> None:
    """Import what takes long, and draw one figure, so that the main thread finds everything warm."""
    from .. import engine  # noqa: F401 - imported for later
    from .warm_up import warm_up

    warm_up()


def _words(progress: Progress, number: int, algorithms: int) -> str:
    if progress.stage != "algorithm" or not progress.total:
        return strings.PREPARING
    text = strings.ALGORITHM if algorithms > 1 else strings.ALGORITHM_ALONE
    return text.format(
        algorithm=progress.algorithm,
        number=number,
        algorithms=algorithms,
        done=progress.done,
        total=progress.total,
    )
