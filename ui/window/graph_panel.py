"""Widget that draws a graph on another thread, and the panel that shows a graph of the selected algorithms."""

from __future__ import annotations

from functools import cached_property
from io import BytesIO
from typing import TYPE_CHECKING, Callable, Dict, List, Optional, Sequence, Set, Tuple

from aqt.qt import (
    QComboBox,
    QHBoxLayout,
    QImage,
    QMouseEvent,
    QPixmap,
    QRect,
    QResizeEvent,
    QSize,
    QSizePolicy,
    QStackedLayout,
    Qt,
    QTimer,
    QToolTip,
    QVBoxLayout,
    QWidget,
    pyqtSignal,
    qconnect,
)

from ..text import _, pgettext, strings
from ..text.phrases import all_of, paragraph
from ..views.comparisons_view import pair_sentence
from ..views.graphs_view import groups
from ..views.labels import row_label
from ..views.view import AlgorithmsView, Block, Chart
from .result_store import FAILED, GRAPHS, READY, STOPPED, UNASKED, ResultStore, SectionRequest
from .text_table import TextTable
from .widgets import (
    Label,
    Paragraph,
    add_action,
    add_heading,
    add_widgets,
    bold,
    button,
    character_width,
    copy_to_clipboard,
    plain_tooltip,
    present,
    set_tab_order,
)

if TYPE_CHECKING:
    from ..charts.panels import Spot
    from ..charts.style import Style

#: Image of a graph, and the columns of the graph that have a tooltip.
Drawn = Tuple[QImage, "Sequence[Spot]"]
#: Function that takes a task and a callback. It runs the task on another thread, and then the callback on this thread,
#: with the drawing or, if the task failed, with None.
Draw = Callable[[Callable[[], Drawn], Callable[[Optional[Drawn]], None]], None]

#: Milliseconds without another change after which a graph is redrawn.
_SETTLE_MS = 30
#: Minimum width and height of a graph in pixels.
_MIN_SIZE = (240, 180)
#: Minimum height of a graph in lines of text, so that there is room for large type.
_MIN_LINES = 12


class GraphView(Label):
    """Label that shows a graph or a message. The old graph stays visible until the new one is drawn."""

    def __init__(self, draw: Draw, save: Callable[[Optional[Block]], object]) -> None:
        """Create an empty view.

        Args:
            draw: runs the drawing on another thread.
            save: asks the user where to save the graph of a block, and saves it.
        """
        super().__init__()
        self._draw = draw
        self._block: Optional[Block] = None
        self._drawing = False
        self._spots: Sequence[Spot] = ()
        self._settle_timer = QTimer(self)
        self._settle_timer.setSingleShot(True)
        self._settle_timer.setInterval(_SETTLE_MS)
        qconnect(self._settle_timer.timeout, self.redraw)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWordWrap(True)
        self.setMouseTracking(True)
        add_action(self, _("Copy this graph"), self.copy_picture)
        add_action(self, _("Save image as…"), lambda: save(self._block))
        # While the window is resized, the old drawing is stretched.
        self.setScaledContents(True)
        width, height = _MIN_SIZE
        self.setMinimumSize(width, max(height, _MIN_LINES * self.fontMetrics().height()))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def has_graph(self) -> bool:
        """Whether a graph is shown or about to be drawn, and not a message."""
        return self._block is not None and self._block.chart is not None

    def show_message(self, text: str) -> None:
        self._set_block(None)
        self._settle_timer.stop()
        self.setText(text)
        self.setAccessibleName("")

    def show_graph(self, block: Block) -> None:
        """Draw the block's chart unless it is drawn already."""
        old_block = self._block
        if old_block is None:
            # Remove the message, which would stay visible until the graph is drawn.
            self.clear()
        self._set_block(block)
        if old_block is None or old_block.chart != block.chart:
            self._settle_timer.start()

    def _set_block(self, block: Optional[Block]) -> None:
        """Set the block to show, or None for a message, which has no context menu."""
        self._block = block
        policies = Qt.ContextMenuPolicy
        self.setContextMenuPolicy(policies.DefaultContextMenu if block is None else policies.ActionsContextMenu)

    def redraw(self) -> None:
        """Draw the graph on another thread, once the drawing that is being made is done."""
        if self._block is None or self._block.chart is None:
            return
        if self._drawing:
            # Try again later, because the drawing that is being made may be outdated.
            self._settle_timer.start()
            return
        from .theme import current_style

        chart = self._block.chart
        style = current_style(self)
        dpi = self.logicalDpiX()
        size = (self.width(), self.height())
        ratio = self.devicePixelRatioF()
        self._drawing = True
        self._draw(lambda: draw_chart(chart, style, size, dpi, ratio), lambda drawn: self._show(chart, drawn))

    follow_theme = redraw

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: allow a small view, although the image that it shows may be large."""
        return QSize(*_MIN_SIZE)

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: redraw the graph once the size has settled."""
        super().resizeEvent(event)
        if self._block is not None:
            self._settle_timer.start()

    def _show(self, chart: Chart, drawn: Optional[Drawn]) -> None:
        """Show the image of a graph, unless drawing has failed or there is another graph to show by now."""
        self._drawing = False
        if drawn is not None and self._block is not None and chart == self._block.chart:
            image, self._spots = drawn
            self.setPixmap(QPixmap.fromImage(image))
            self.setAccessibleName(self._block.sentence)

    def mouseMoveEvent(self, event: Optional[QMouseEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: show the tooltip of the column under the mouse until the mouse leaves the column."""
        super().mouseMoveEvent(event)
        move = present(event)
        text, column = self.tip_at(move.pos().x(), move.pos().y())
        QToolTip.showText(move.globalPosition().toPoint(), plain_tooltip(text), self, column)

    def tip_at(self, x: int, y: int) -> Tuple[str, QRect]:
        """Return the tooltip and the rectangle of the column at this point. Both are empty if there is none."""
        width, height = self.width(), self.height()
        for spot in self._spots if self.has_graph else ():
            if spot.left * width <= x < spot.right * width and spot.top * height <= y < spot.bottom * height:
                size = (spot.right - spot.left) * width, (spot.bottom - spot.top) * height
                return spot.tip, QRect(*map(round, (spot.left * width, spot.top * height, *size)))
        return "", QRect()

    def copy_picture(self, text: str = "", note: str = "") -> None:
        """Put the graph on the clipboard, drawn as for a file.

        Args:
            text: text to put on the clipboard together with the graph.
            note: note to show. By default, it says that the image was copied.
        """
        block = self._block
        if block is not None and self.has_graph:
            self._draw(
                lambda: (picture(block), ()),
                lambda drawn: copy_to_clipboard(text, note or _("Image copied."), self, drawn[0] if drawn else None),
            )


def picture(block: Block) -> QImage:
    """Draw the graph of a block with its title and notes, as in a file."""
    from ..charts import write_chart

    file = BytesIO()
    write_chart(block, file, "png")
    return QImage.fromData(file.getvalue())


def draw_chart(chart: Chart, style: Style, size: Tuple[int, int], dots_per_inch: float, ratio: float) -> Drawn:
    """Draw a graph for the window.

    Args:
        chart: what to draw.
        style: colors and font.
        size: width and height in Qt's device-independent pixels.
        dots_per_inch: number of these pixels per inch.
        ratio: number of the screen's pixels per device-independent pixel, in each direction.

    Returns:
        The image, and the columns of the graph that have a tooltip.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from ..charts import draw
    from ..charts.matplotlib_settings import own_settings

    with own_settings():
        inches = size[0] / dots_per_inch, size[1] / dots_per_inch
        canvas = FigureCanvasAgg(Figure(figsize=inches, dpi=dots_per_inch * ratio))
        spots = draw(canvas.figure, chart, style)
        canvas.draw()  # type: ignore[no-untyped-call]
        width, height = canvas.get_width_height()
        pixels = bytes(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    return QImage(pixels, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy(), spots


#: Function that creates a widget for a graph.
NewView = Callable[[], GraphView]

#: Key of the graph that is shown until the user chooses one.
_DEFAULT_GRAPH = "calibration"
#: Number of lines that are reserved for the sentence below the graph.
_SENTENCE_LINES = 3
#: Maximum length of these lines, in characters.
_SENTENCE_LINE_LENGTH = 190


class GraphPanel(QWidget):
    """A graph of up to two algorithms, with a list of graphs to choose from and a sentence about the graph.

    If a graph needs a section of the report that has not been computed, the panel requests it.
    """

    changed = pyqtSignal()  #: another graph is shown, or a message instead

    def __init__(self, results: ResultStore, new_view: NewView) -> None:
        super().__init__()
        self._results = results
        self._names: Tuple[str, ...] = ()
        self._reason = ""  # why there is no graph of the selection
        self.chosen = ""  #: key of the graph that the user chose, if any
        self._views: Dict[str, AlgorithmsView] = {}  # graphs in the list, by key
        self.shown: Optional[Block] = None  #: the graph that is shown, or None if a message is shown
        self.view = new_view()
        self.pair = Paragraph()
        self.sentence = Paragraph(characters_per_line=_SENTENCE_LINE_LENGTH, min_lines=_SENTENCE_LINES)
        self.list = QComboBox()
        # Translators: A switch: numbers instead of the graph.
        self.as_numbers = button(_("Numbers"), tip=_("Show the numbers behind the graph instead, to read or copy them"))
        self.again = button(strings.CALCULATE, lambda: self._request_all(again=True))
        self._lay_out()
        qconnect(self.list.activated, lambda _row: self.choose(self.list.currentData()))
        qconnect(self.as_numbers.toggled, self._refresh)
        qconnect(results.changed, self._refresh)

    def _lay_out(self) -> None:
        self.list.setAccessibleName(_("Which graph is shown"))
        self.list.setToolTip(pgettext("tooltip", "Which graph is shown"))
        self.list.setMinimumWidth(14 * character_width(self))
        self._fill_list()
        self.as_numbers.setCheckable(True)
        content = QWidget()
        self._stack = QStackedLayout(content)
        self._stack.addWidget(self.view)
        self.pair.setFont(bold(self.font()))
        self.pair.hide()
        layout = add_widgets(QVBoxLayout(self), self.pair)
        layout.addLayout(add_widgets(QHBoxLayout(), self.list, self.as_numbers, None))
        layout.addWidget(content, 1)
        layout.addWidget(self.again, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(self.sentence)
        self.again.hide()
        self._select_in_list()

    def _fill_list(self) -> None:
        """List all graphs that the report can show, unless they are listed already."""
        view_groups = groups(self._results.report)
        views = {key: view for group in view_groups for key, view in group.items()}
        if list(views) == list(self._views):
            return
        self._views = views
        self.list.clear()
        for number, group in enumerate(view_groups):
            if number:
                add_heading(self.list, _("More"))
            for key, view in group.items():
                self.list.addItem(view.title, key)
        self.list.setMaxVisibleItems(self.list.count())

    @cached_property
    def numbers(self) -> TextTable:
        """Table of the numbers behind the graph, created when it is first shown."""
        table = TextTable()
        self._stack.addWidget(table)
        set_tab_order(self.as_numbers, table)
        return table

    # --- selection ----------------------------------------------------------------------------------------------------

    def choose(self, key: str) -> None:
        """Show the graph with this key, or the default one if the list has no such graph."""
        self.chosen = key
        self._select_in_list()
        self._refresh()

    def show_algorithms(self, names: Sequence[str], *, reason: str) -> None:
        """Show a graph of these algorithms. If there are none, show the reason, or ask the user to select one."""
        self._names = tuple(names)
        self._reason = reason or _("Select an algorithm in the table to see its graph.")
        self._refresh()

    # --- display ------------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Show the graph that the user chose, or say why there is none."""
        report = self._results.report
        self._fill_list()
        self._show_pair()
        if report is None or not self._names:
            self._show_text(self._reason)
            return
        # Request all graphs of the selection, so that they are ready when the user chooses another graph. Do so later,
        # because the store must not change while it is signaling a change.
        is_missing = any(self._results.state(request) == UNASKED for request in self._all_requests())
        if self._results.complete and is_missing:
            QTimer.singleShot(0, self._request_all)
        view = self._views[self._key]
        requests = self._results.requests_for(view.section, self._names) if view.section else []
        states = {self._results.state(request) for request in requests}
        blocks = view.of(report, self._names)
        if not states <= {READY}:
            self._explain(states)
        elif blocks:
            self._show(blocks[0])
        else:
            text = _("There is no such graph of {algorithm}.")
            self._show_text(text.format(algorithm=row_label(self._names[0], report)))

    def _show_pair(self) -> None:
        """Say above the graph which of two algorithms is better."""
        report = self._results.report
        pair = self._results.compare(self._names) if len(self._names) == 2 else None
        self.pair.setVisible(pair is not None)
        if report is not None and pair is not None:
            # This needs NumPy, which is loaded by now.
            from ..anki.presets import newest_fsrs

            self.pair.setText(pair_sentence(pair, report, newest_fsrs()))

    def _show(self, block: Block) -> None:
        """Show a graph, or its numbers if the user prefers them."""
        from ..charts.fonts import missing_font_warning

        self._show_sentence(block, paragraph(missing_font_warning(), block.sentence))
        # The graph can be copied even while its numbers are shown.
        self.view.show_graph(block)
        self._stack.setCurrentWidget(self.view)
        if (self.as_numbers.isChecked() and block.table.rows) or block.chart is None:
            self.numbers.show_table(block.table, block.heading)
            self._stack.setCurrentWidget(self.numbers)

    def _explain(self, states: Set[str]) -> None:
        """Show why there is no graph yet. While it is being computed, an old graph stays visible."""
        if not self._results.complete:
            self._show_text(_("This graph appears once the evaluation is done."))
        elif FAILED in states:
            self._show_text(_("This graph could not be calculated."))
        elif STOPPED in states:
            self._show_text(_("Stopped before this graph was calculated."), again=True)
        elif not self.view.has_graph:
            self._show_text(
                _("Calculating the graphs of {algorithms}…").format(
                    algorithms=all_of([row_label(name, self._results.report) for name in self._names])
                )
            )

    def _all_requests(self) -> List[SectionRequest]:
        return self._results.requests_for(GRAPHS, self._names)

    def _request_all(self, *, again: bool = False) -> None:
        """Request what the graphs of the selected algorithms need."""
        self._results.request_results(self._all_requests(), again=again)

    def _show_text(self, text: str, *, again: bool = False) -> None:
        self._show_sentence(None, "", again=again)
        self.view.show_message(text)
        self._stack.setCurrentWidget(self.view)

    def _show_sentence(self, block: Optional[Block], sentence: str, *, again: bool = False) -> None:
        """Take this block as the shown one, show its sentence, and enable what it allows."""
        self.again.setVisible(again)
        self.as_numbers.setEnabled(block is not None and bool(block.table.rows))
        self.sentence.setText(sentence)
        old_block = self.shown
        self.shown = block
        self._select_in_list()
        if block != old_block:
            self.changed.emit()

    def _select_in_list(self) -> None:
        self.list.setCurrentIndex(self.list.findData(self._key))

    @property
    def _key(self) -> str:
        """Key of the graph to show."""
        return self.chosen if self.chosen in self._views else _DEFAULT_GRAPH
