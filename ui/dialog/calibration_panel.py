"""The right half: the calibration graph of what is selected, and the sentence under it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, Tuple

from aqt.qt import QLabel, QSizePolicy, QStackedLayout, Qt, QTimer, QVBoxLayout, QWidget, pyqtSignal, qconnect

from .. import strings
from ..charts.sentence import calibration_sentence

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult

#: A window that is being resized is laid out anew when it has been still for so long.
_SETTLE_MS = 30
#: If the arithmetic does not come to rest, it is drawn all the same after so many times that.
_MOST_WAITS = 12
#: And what nobody has asked for, a graph that changes as results come, can wait longer.
_MOST_PATIENT_WAITS = 70
#: Drawing is over by then, even if Qt saw no need to paint.
_DRAWN_MS = 250


class CalibrationPanel(QWidget):
    """Draws up to two results. The canvas is made with the first of them, when matplotlib has long been loaded."""

    #: Whether a graph is about to be drawn. Arithmetic on another thread would make that take three times as long.
    drawing = pyqtSignal(bool)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        #: Asked before each drawing that can wait.
        self.may_draw: Callable[[], bool] = lambda: True
        self._waits, self._most_waits = 0, _MOST_WAITS
        self._results: Tuple[AlgorithmResult, ...] = ()
        self._canvas: Any = None  # a FigureCanvasQTAgg, whose module is imported late
        self._hint = QLabel(strings.GRAPH_WAITING)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._hint.setWordWrap(True)
        self._sentence = QLabel()
        self._sentence.setWordWrap(True)
        self._sentence.setMinimumHeight(self.fontMetrics().lineSpacing() * 3)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        qconnect(self._settle.timeout, self._redraw_when_quiet)

        graph = QWidget()
        graph.setMinimumSize(300, 230)
        graph.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._stack = QStackedLayout(graph)
        self._stack.addWidget(self._hint)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(graph, 1)
        layout.addWidget(self._sentence)

    @property
    def drawn(self) -> Tuple[AlgorithmResult, ...]:
        """What the graph shows."""
        return self._results

    @property
    def sentence(self) -> str:
        """What stands under the graph."""
        return self._sentence.text()

    def wait(self) -> None:
        """Say that there is nothing to draw yet."""
        self._say(strings.GRAPH_WAITING)

    def show_results(self, results: Sequence[AlgorithmResult], *, patient: bool = False) -> None:
        """Draw these, or say why there is nothing to draw. ``patient``: nobody is waiting for it."""
        drawable = tuple(result for result in results if result.calibration and result.calibration.log_spaced)
        if drawable:
            if drawable != self._results or self._stack.currentWidget() is not self._canvas:
                self._results = drawable
                self._sentence.setText(calibration_sentence(drawable))
                self._show_canvas(patient=patient)
        elif results and results[0].error:
            self._say(strings.GRAPH_FAILED.format(algorithm=results[0].algorithm, reason=results[0].error))
        elif results:
            self._say(strings.GRAPH_EMPTY.format(algorithm=results[0].algorithm))
        else:
            self._say(strings.GRAPH_SELECT)

    def redraw(self) -> None:
        """Draw again, in the theme and size of now."""
        if self._canvas is None or not self._results:
            return
        from ..charts.calibration import draw
        from .theme import current_style

        draw(self._canvas.figure, self._results, current_style(self), titled=False)
        self._canvas.draw_idle()
        QTimer.singleShot(_DRAWN_MS, self._has_drawn)

    def _redraw_when_quiet(self) -> None:
        if self._waits < self._most_waits and not self.may_draw():
            self._waits += 1
            self._settle.start()
        else:
            self.redraw()

    def _settle_soon(self, *, patient: bool = False) -> None:
        self._waits, self._most_waits = 0, _MOST_PATIENT_WAITS if patient else _MOST_WAITS
        self.drawing.emit(True)
        self._settle.start()

    def _has_drawn(self) -> None:
        if not self._settle.isActive():
            self.drawing.emit(False)

    def _say(self, text: str) -> None:
        self._results = ()
        self._hint.setText(text)
        self._sentence.clear()
        self._stack.setCurrentWidget(self._hint)

    def _show_canvas(self, *, patient: bool) -> None:
        if self._canvas is None:
            self._canvas = self._new_canvas()
            self._stack.addWidget(self._canvas)
        self._canvas.setAccessibleName(self._sentence.text())
        self._stack.setCurrentWidget(self._canvas)
        self._settle_soon(patient=patient)

    def _new_canvas(self) -> Any:
        from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg
        from matplotlib.figure import Figure

        from .theme import current_style

        figure = Figure(dpi=self.logicalDpiX(), facecolor=current_style(self).canvas)
        canvas = FigureCanvasQTAgg(figure)  # type: ignore[no-untyped-call]
        canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        canvas.mpl_connect("resize_event", lambda _event: self._settle_soon())
        canvas.mpl_connect("draw_event", lambda _event: self._has_drawn())
        return canvas
