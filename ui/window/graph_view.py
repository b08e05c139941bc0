"""One graph, or words in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional, Tuple

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
    from ..charts.style import Style
    from ..views.view import Chart

#: Runs the first on another thread, and gives what it returns to the second, on this one; None where it has failed.
Draw = Callable[[Callable[[], QImage], Callable[[Optional[QImage]], None]], None]

#: A window that is being resized is drawn anew when it has been still for so long.
_SETTLE_MS = 30
#: Smaller, it shows nothing.
_LEAST_SIZE = (240, 180)


class GraphView(QWidget):
    """Shows a chart. It is drawn on another thread; until that is done, what was shown before stays."""

    def __init__(self, draw: Draw) -> None:
        super().__init__()
        self._draw = draw
        self._chart: Optional[Chart] = None
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
        return self._chart is not None

    @property
    def image(self) -> Optional[QImage]:
        """The graph as it was drawn last; None before."""
        return self._picture.image

    def say(self, text: str) -> None:
        """Words in place of a graph."""
        self._chart = None
        self._settle.stop()
        self._words.setText(text)
        self._stack.setCurrentWidget(self._words)

    def show_chart(self, chart: Chart, *, described: str) -> None:
        """Draw this, unless it is drawn already. ``described`` is for those who do not see it."""
        if self._chart != chart:
            self._chart, self._described = chart, described
            self._settle.start()

    def redraw(self) -> None:
        """Draw again, in the theme and size of now."""
        if self._chart is None:
            return
        if self._drawing:  # what is no longer so, perhaps: once more when that is done
            self._settle.start()
            return
        from .theme import current_style

        chart, style, dots = self._chart, current_style(self), self.logicalDpiX()
        size, ratio = (self.width(), self.height()), self.devicePixelRatioF()
        self._drawing = True
        self._draw(lambda: drawn(chart, style, size, dots, ratio), lambda image: self._show(chart, image))

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: another size."""
        super().resizeEvent(event)
        if self._chart is not None:
            self._settle.start()

    def _show(self, chart: Chart, image: Optional[QImage]) -> None:
        self._drawing = False
        if image is not None and chart is self._chart:
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


def drawn(chart: Chart, style: Style, size: Tuple[int, int], dots_per_inch: float, ratio: float) -> QImage:
    """The graph, ``size`` in pixels of the window, each ``ratio`` times ``ratio`` of the screen's."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from ..charts import draw
    from ..charts.settings import own_settings

    with own_settings():
        inches = size[0] / dots_per_inch, size[1] / dots_per_inch
        canvas = FigureCanvasAgg(Figure(figsize=inches, dpi=dots_per_inch * ratio))
        draw(canvas.figure, chart, style)
        canvas.draw()  # type: ignore[no-untyped-call]
        width, height = canvas.get_width_height()
        pixels = bytes(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    return QImage(pixels, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()
