"""One graph on a canvas, or words in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, Tuple

from aqt.qt import QSizePolicy, QStackedLayout, Qt, QTimer, QWidget, pyqtSignal, qconnect

from .labels import Label

if TYPE_CHECKING:
    from evaluator.report import Report

    from ..charts import Chart

#: A window that is being resized is laid out anew when it has been still for so long.
_SETTLE_MS = 30
#: If the arithmetic does not come to rest, it is drawn all the same after so many times that.
_MOST_WAITS = 12
#: And what nobody has asked for, a graph that changes as results come, can wait longer.
_MOST_PATIENT_WAITS = 70
#: Drawing is over by then, even if Qt saw no need to paint.
_DRAWN_MS = 250
#: Smaller, it shows nothing.
_LEAST_SIZE = (240, 180)


class GraphView(QWidget):
    """Draws a chart of a report. The canvas is made with the first, when matplotlib has long been loaded."""

    #: Whether a graph is about to be drawn. Arithmetic on another thread would make that take three times as long.
    drawing = pyqtSignal(bool)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        #: Asked before each drawing that can wait.
        self.may_draw: Callable[[], bool] = lambda: True
        self._waits, self._most_waits = 0, _MOST_WAITS
        self._what: Optional[Tuple[Chart, Report, Tuple[str, ...]]] = None
        self._canvas: Any = None  # a FigureCanvasQTAgg, whose module is imported late
        self._words = Label()
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._words.setWordWrap(True)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        qconnect(self._settle.timeout, self._redraw_when_quiet)
        self.setMinimumSize(*_LEAST_SIZE)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._words)

    @property
    def draws(self) -> bool:
        """Whether there is a graph, and not words."""
        return self._what is not None

    def say(self, text: str) -> None:
        """Words in place of a graph."""
        self._what = None
        self._words.setText(text)
        self._stack.setCurrentWidget(self._words)

    def show_chart(
        self, chart: Chart, report: Report, algorithms: Sequence[str], *, described: str, patient: bool = False
    ) -> None:
        """Draw this, unless it is drawn already. ``described`` is for those who do not see it; ``patient``: nobody is
        waiting for it.
        """
        what = chart, report, tuple(algorithms)
        if self._what is not None and _content(*self._what) == _content(*what):
            return
        self._what = what
        if self._canvas is None:
            self._canvas = self._new_canvas()
            self._stack.addWidget(self._canvas)
        self._canvas.setAccessibleName(described)
        self._stack.setCurrentWidget(self._canvas)
        self._settle_soon(patient=patient)

    def redraw(self) -> None:
        """Draw again, in the theme and size of now."""
        if self._canvas is None or self._what is None:
            return
        from ..charts.settings import own_settings
        from .theme import current_style

        chart, report, algorithms = self._what
        with own_settings():
            chart.draw(self._canvas.figure, report, algorithms, current_style(self), titled=False)
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

    def _new_canvas(self) -> Any:
        from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg
        from matplotlib.figure import Figure

        from ..charts.settings import own_settings
        from .theme import current_style

        with own_settings():
            figure = Figure(dpi=self.logicalDpiX(), facecolor=current_style(self).canvas)
            canvas = FigureCanvasQTAgg(figure)  # type: ignore[no-untyped-call]
        canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        canvas.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)  # the wheel scrolls the page it stands on
        canvas.mpl_connect("resize_event", lambda _event: self._settle_soon())
        canvas.mpl_connect("draw_event", lambda _event: self._has_drawn())
        return canvas


def _content(chart: Chart, report: Report, algorithms: Sequence[str]) -> Tuple[object, ...]:
    """All that the graph depends on: what else changes in a report needs no new drawing."""
    if not chart.most:
        return chart.key, getattr(report, chart.section)
    return chart.key, tuple((name, report.result(name).calibration, report.graphs_of(name)) for name in algorithms)
