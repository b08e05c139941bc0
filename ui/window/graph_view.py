"""One graph, or words in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional, Sequence, Tuple

from aqt.qt import (
    QImage,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSizePolicy,
    QStackedLayout,
    Qt,
    QTimer,
    QWidget,
    qconnect,
)

from .labels import Label

if TYPE_CHECKING:
    from evaluator.report import Report

    from ..charts import Chart
    from ..charts.style import Style

#: Runs the first on another thread, and gives what it returns to the second, on this one; None where it has failed.
Draw = Callable[[Callable[[], QImage], Callable[[Optional[QImage]], None]], None]

#: A window that is being resized is drawn anew when it has been still for so long.
_SETTLE_MS = 30
#: Smaller, it shows nothing.
_LEAST_SIZE = (240, 180)


class GraphView(QWidget):
    """Shows a chart of a report. It is drawn on another thread; until that is done, what was shown before stays."""

    def __init__(self, draw: Draw) -> None:
        super().__init__()
        self._draw = draw
        self._what: Optional[Tuple[Chart, Report, Tuple[str, ...]]] = None
        self._described = ""
        self._drawing = False
        self._words = Label()
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._words.setWordWrap(True)
        self._picture = Picture()
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        qconnect(self._settle.timeout, self.redraw)
        self.setMinimumSize(*_LEAST_SIZE)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._words)
        self._stack.addWidget(self._picture)

    @property
    def draws(self) -> bool:
        """Whether there is a graph, or will be in a moment, and not words."""
        return self._what is not None

    @property
    def image(self) -> Optional[QImage]:
        """The graph as it was drawn last; None before."""
        return self._picture.image

    def say(self, text: str) -> None:
        """Words in place of a graph."""
        self._what = None
        self._settle.stop()
        self._words.setText(text)
        self._stack.setCurrentWidget(self._words)

    def show_chart(self, chart: Chart, report: Report, algorithms: Sequence[str], *, described: str) -> None:
        """Draw this, unless it is drawn already. ``described`` is for those who do not see it."""
        what = chart, report, tuple(algorithms)
        if self._what is None or _content(*self._what) != _content(*what):
            self._what, self._described = what, described
            self._settle.start()

    def redraw(self) -> None:
        """Draw again, in the theme and size of now."""
        if self._what is None:
            return
        if self._drawing:  # what is no longer so, perhaps: once more when that is done
            self._settle.start()
            return
        from .theme import current_style

        what, style, dots = self._what, current_style(self), self.logicalDpiX()
        size, ratio = (self.width(), self.height()), self.devicePixelRatioF()
        self._drawing = True
        self._draw(lambda: drawn(*what, style, size, dots, ratio), lambda image: self._show(what, image))

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: another size."""
        super().resizeEvent(event)
        if self._what is not None:
            self._settle.start()

    def _show(self, what: object, image: Optional[QImage]) -> None:
        self._drawing = False
        if image is not None and what is self._what:
            self._picture.show_image(image)
            self._picture.setAccessibleName(self._described)
            self._stack.setCurrentWidget(self._picture)


class Picture(QWidget):
    """An image, as large as the widget."""

    def __init__(self) -> None:
        super().__init__()
        self.image: Optional[QImage] = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)  # the wheel scrolls the page it stands on

    def show_image(self, image: QImage) -> None:
        """In place of the one before."""
        self.image = image
        self.update()

    def paintEvent(self, _event: Optional[QPaintEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: paint it. Until a window of another size is still, it is stretched."""
        if self.image is not None:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(self.rect(), self.image)
            painter.end()


def drawn(
    chart: Chart,
    report: Report,
    algorithms: Sequence[str],
    style: Style,
    size: Tuple[int, int],
    dots_per_inch: float,
    ratio: float,
) -> QImage:
    """The graph, ``size`` in pixels of the window, each ``ratio`` times ``ratio`` of the screen's."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from ..charts.settings import own_settings

    with own_settings():
        inches = size[0] / dots_per_inch, size[1] / dots_per_inch
        canvas = FigureCanvasAgg(Figure(figsize=inches, dpi=dots_per_inch * ratio))
        chart.draw(canvas.figure, report, algorithms, style, titled=False)
        canvas.draw()  # type: ignore[no-untyped-call]
        width, height = canvas.get_width_height()
        pixels = bytes(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    return QImage(pixels, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()


def _content(chart: Chart, report: Report, algorithms: Sequence[str]) -> Tuple[object, ...]:
    """All that the graph depends on: what else changes in a report needs no new drawing."""
    if not chart.most:
        return chart.key, report.section(chart.section)
    return chart.key, tuple(
        (name, report.result(name).calibration, report.section_of("graphs", name)) for name in algorithms
    )
