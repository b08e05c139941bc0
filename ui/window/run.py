"""One evaluation in the background: load libraries, read the collection in short turns, compute."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional

from aqt.qt import QTimer, qconnect

from ..anki.error_report import counts_read
from ..anki.freed_memory import keep_little
from ..science import CollectionClosed, Progress, ScopeChoice
from ..text import Counted, _
from ..text.numbers import time_left
from .work import Work

if TYPE_CHECKING:
    from anki.collection import Collection
    from aqt.main import AnkiQt

    from evaluator.revlog import Snapshot
    from evaluator.tally import Evaluation

    from ..choice import Catalogue
    from .window import EvaluatorWindow

# Translators: {count} is the number of all folds, {done} of those that are done; the others are of algorithms.
ALGORITHM = Counted(
    "{algorithm} ({number} of {algorithms}): {done} of {count} fold",
    "{algorithm} ({number} of {algorithms}): {done} of {count} folds",
)
ALGORITHM_ALONE = Counted("{algorithm}: {done} of {count} fold", "{algorithm}: {done} of {count} folds")

#: The window is told how far things are at most this often.
_TELL_EVERY_MS = 100
#: A new window has painted itself by then.
_SHOWN_MS = 50
#: Rows wait for the arithmetic to rest: so often it is looked for, and so long after they are told they are painted.
_LOOK_MS, _MOST_LOOKS, _PAINTED_MS = 15, 70, 40
#: The parts of the bar before the evaluation's own.
_LOADED, _READ = 0.03, 0.12


class Run(Work):
    """Tells its window what is done, on the main thread. Once it was stopped or has ended it says no more."""

    def __init__(
        self, mw: AnkiQt, window: EvaluatorWindow, option_values: Callable[[], Dict[str, Any]], scope: ScopeChoice
    ) -> None:
        super().__init__(mw)
        self._window = window
        self._option_values = option_values
        self._scope = scope
        self._text, self._fraction = _("Loading libraries"), 0.0
        #: How far it is, for a report of an error: in English.
        self.stage = "loading"
        self._algorithms = 0
        self._begun: List[str] = []
        self._evaluating_since = 0.0
        self._partial: Optional[Evaluation] = None
        self._told: Optional[Evaluation] = None
        #: What was read, for a report of an error.
        self.read: Dict[str, int] = {}
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
        col: Optional[Collection] = self._mw.col  # Anki's own types leave out the None
        if col is None:
            self._fail(CollectionClosed())
            return
        self._timer.start()
        self._tell()
        QTimer.singleShot(_SHOWN_MS, self._begin)

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
        evaluated = (self._fraction - _READ) / (1 - _READ)
        left = time_left(time.monotonic() - self._evaluating_since, evaluated)
        # Translators: What is being done, and how long it will take.
        text = _("{text}, {left}").format(text=self._text, left=left) if left else self._text
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

    def _begin(self) -> None:
        if self.active:
            self.background(self._evaluate, self._finish, self._fail)

    def _on_loaded(self, catalogue: Catalogue) -> Dict[str, Any]:
        """Returns the options, before anything is read: what is wrong with them is said at once."""
        self._window.on_loaded(catalogue)
        return self._option_values()

    def _finish(self, evaluation: Evaluation) -> None:
        self.stop()
        self._window.on_finished(evaluation)

    def _fail(self, error: BaseException) -> None:
        self.stop()
        self._window.on_failed(error)

    # --- on another thread --------------------------------------------------------------------------------------------

    def _evaluate(self) -> Evaluation:
        """Import the libraries, read the collection, evaluate it."""
        _load_libraries()
        from .. import engine

        values = self.on_main(partial(self._on_loaded, engine.catalogue()))
        self._text, self._fraction, self.stage = _("Reading reviews"), _LOADED, "reading"
        progress = Progress(self._note)
        options = engine.Options(**values)
        self._algorithms = len(engine.resolve(options.algorithms, options.baseline))
        return engine.evaluate(
            self._read(progress.part(_LOADED, _READ)),
            options,
            optimiser=engine.anki_optimiser(),
            progress=progress.part(_READ, 1.0),
            finished=self._keep,
        )

    def _read(self, progress: Progress) -> Snapshot:
        from .. import engine

        snapshot = self.read_collection(lambda col: engine.read_steps(col, self._scope), progress)
        self.read = counts_read(len(snapshot.revlog), len(snapshot.decks or ()), len(snapshot.presets or ()))
        self._evaluating_since = time.monotonic()
        return snapshot

    def _note(self, fraction: float, stage: str, algorithm: str, done: int, total: int) -> None:
        """How far it is, for the main thread to tell."""
        if algorithm not in ("", *self._begun[-1:]):
            self._begun.append(algorithm)
        self._text, self._fraction = self._words(stage, algorithm, done, total), fraction
        self.stage = f"{stage} {algorithm} {done}/{total}"
        self.pause()

    def _words(self, stage: str, algorithm: str, done: int, total: int) -> str:
        if stage == "reading":
            return _("Reading reviews: {done:,} of {total:,}").format(done=done, total=total)
        if stage != "algorithm":
            return _("Preparing the reviews")
        text = ALGORITHM if self._algorithms > 1 else ALGORITHM_ALONE
        number = len(self._begun)
        return text(total, algorithm=algorithm, number=number, algorithms=self._algorithms, done=done)

    def _keep(self, evaluation: Evaluation) -> None:
        self._partial = evaluation


def _load_libraries() -> None:
    """Import what takes long, and draw one figure, so that the main thread finds everything warm."""
    keep_little()
    from .. import engine  # noqa: F401 - imported for later
    from .theme import warm_up

    warm_up()
