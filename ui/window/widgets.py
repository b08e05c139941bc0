"""Small things that parts of the window have in common."""

from __future__ import annotations

import math
from typing import Dict, List, Optional

from aqt import colors
from aqt.qt import (
    QAbstractItemView,
    QApplication,
    QColor,
    QHBoxLayout,
    QIcon,
    QPainter,
    QPixmap,
    QPointF,
    QPolygonF,
    QResizeEvent,
    QSize,
    QSizePolicy,
    Qt,
    QTextLayout,
    QTextOption,
    QVBoxLayout,
    QWidget,
)
from aqt.theme import theme_manager
from aqt.utils import tooltip

from ..lines import cells
from .labels import Label, letter_width, tip


def go_through(*widgets: QWidget) -> None:
    """Have the Tab key go from the first to the second and so on; after the last to what came after it before.

    For what is made later than what stands below it.
    """
    for before, after in zip(widgets, widgets[1:]):
        QWidget.setTabOrder(before, after)


def copy_to_clipboard(text: str, note: str, parent: Optional[QWidget]) -> None:
    """Put the text on the clipboard and say so."""
    clipboard = QApplication.clipboard()
    if clipboard is not None:
        clipboard.setText(text)
        tooltip(note, parent=parent)


#: Of what is quiet, and of selected rows, so much is the canvas.
_QUIET = 0.35
_SELECTED = {False: 0.25, True: 0.5}  #: by whether it is night


def quiet_text() -> QColor:
    """Of text beside what matters. Anki's own is so faint that it can hardly be read at night."""
    return _blend(theme_manager.qcolor(colors.FG), theme_manager.qcolor(colors.CANVAS), _QUIET)


def colour_selection(view: QAbstractItemView, more: str = "") -> None:
    """Give the view's selected rows their colour in the theme of now; ``more`` is the rest of its style sheet.

    It is Anki's, which lets the canvas shine through, mixed once: a table does so twice, and white letters cannot be
    read on what that gives at night.
    """
    share = _SELECTED[theme_manager.night_mode]
    mixed = _blend(theme_manager.qcolor(colors.SELECTED_BG), theme_manager.qcolor(colors.CANVAS_CODE), share)
    text = theme_manager.qcolor(colors.FG).name()
    view.setStyleSheet(
        f"QAbstractItemView {{ selection-background-color: {mixed.name()}; selection-color: {text}; }}\n{more}"
    )


def _blend(first: QColor, second: QColor, share: float) -> QColor:
    """A colour between the two, with ``share`` of the second; transparency is left aside."""
    pairs = zip((first.red(), first.green(), first.blue()), (second.red(), second.green(), second.blue()))
    return QColor(*(round((1 - share) * one + share * other) for one, other in pairs))


def mark_icons(size: int, pixel_ratio: float) -> Dict[str, QIcon]:
    """``star``, drawn so that it is there in every font, and ``none``, which is empty; both of ``size`` points."""
    return {"star": _untinted(_star(size, pixel_ratio)), "none": _untinted(_blank(size, pixel_ratio))}


def _untinted(pixmap: QPixmap) -> QIcon:
    """An icon that looks the same in a selected row, where Qt would tint it."""
    icon = QIcon(pixmap)
    icon.addPixmap(pixmap, QIcon.Mode.Selected)
    return icon


def _blank(size: int, pixel_ratio: float) -> QPixmap:
    pixmap = QPixmap(round(size * pixel_ratio), round(size * pixel_ratio))
    pixmap.setDevicePixelRatio(pixel_ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap


def _star(size: int, pixel_ratio: float) -> QPixmap:
    pixmap = _blank(size, pixel_ratio)
    centre, outer, inner = size / 2, size * 0.45, size * 0.19
    corners = []
    for corner in range(10):
        radius, angle = (inner if corner % 2 else outer), math.pi * (corner / 5 - 0.5)
        corners.append(QPointF(centre + radius * math.cos(angle), centre + radius * math.sin(angle)))
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme_manager.qcolor(colors.FG))
    painter.drawPolygon(QPolygonF(corners))
    painter.end()
    return pixmap


#: Pixels between two items in columns, across and down.
_APART = (36, 28)


class Columns(QWidget):
    """Items side by side: as many columns of so many pixels as there is room for, each in the shortest so far."""

    def __init__(self, least_width: int, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._least_width = least_width
        self._items: List[QWidget] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(_APART[0])
        self._columns: List[QVBoxLayout] = []

    def __len__(self) -> int:
        return len(self._items)

    def show_items(self, items: List[QWidget]) -> None:
        """These in place of those before."""
        for item in self._items:
            item.hide()
            item.deleteLater()
        self._items = items
        self._arrange(self._fitting())

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: another width."""
        super().resizeEvent(event)
        if self._fitting() != len(self._columns):
            self._arrange(self._fitting())

    def _fitting(self) -> int:
        return max(1, min((self.width() + _APART[0]) // (self._least_width + _APART[0]), len(self._items)))

    def _arrange(self, across: int) -> None:
        for column in self._columns:
            while column.count():
                column.takeAt(0)
            self._row.removeItem(column)
        self._columns = [QVBoxLayout() for _ in range(across)]
        for column in self._columns:
            column.setSpacing(_APART[1])
            self._row.addLayout(column, 1)
        heights = [0] * across
        for item in self._items:
            shortest = heights.index(min(heights))
            self._columns[shortest].addWidget(item)
            heights[shortest] += _height(item, self._least_width) + _APART[1]
        for column in self._columns:
            column.addStretch(1)


def _height(item: QWidget, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()


#: A line of a paragraph is no longer than can be read well; letters of average width.
LETTERS_ACROSS = 125


class Paragraph(Label):
    """Text in lines of a good length; as tall as they are, or as ``least_lines``."""

    def __init__(
        self, text: str = "", *, quiet: bool = False, letters_across: int = LETTERS_ACROSS, least_lines: int = 0
    ) -> None:
        super().__init__(text)
        self._quiet = quiet
        self._least_height = least_lines * self.fontMetrics().lineSpacing()
        self.setWordWrap(True)
        self.setMaximumWidth(letters_across * letter_width(self))
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.follow_theme()

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        """Qt: of the width that there is it takes no more than it may."""
        return max(super().heightForWidth(min(width, self.maximumWidth())), self._least_height)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: as tall as its lines, and not as a square of that text would be."""
        return QSize(self.maximumWidth(), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: the lines may be short."""
        return QSize(0, self.heightForWidth(self.width()))

    def follow_theme(self) -> None:
        """The colours of now."""
        if self._quiet:
            self.setStyleSheet(f"color: {quiet_text().name()};")


#: In so many letters across there is room for so many lines. Longer sentences end in "…"; the tooltip has them whole.
_ROOM = ((220, 2), (130, 3), (100, 4), (76, 5), (0, 6))


class Sentence(Label):
    """The sentence under a graph: always as tall as a few lines, so that what stands above does not jump."""

    def __init__(self) -> None:
        super().__init__()
        self._whole = ""
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def whole(self) -> str:
        """All of it."""
        return self._whole

    def say(self, text: str) -> None:
        """Show this, as far as there is room."""
        self._whole = text
        self.setAccessibleName(text)
        self._fit()

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: another width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        letters = self.width() / letter_width(self)
        most = next(lines for least, lines in _ROOM if letters >= least)
        self.setFixedHeight(self.fontMetrics().size(0, "\n".join([_tallest(self._whole)] * most)).height() + 2)
        lines = self._lines()
        if len(lines) > most:
            rest = "".join(lines[most - 1 :])
            last = self.fontMetrics().elidedText(rest, Qt.TextElideMode.ElideRight, self.width())
            lines = [*lines[: most - 1], last]
            self.setToolTip(tip(self._whole))
        else:
            self.setToolTip("")
        self.setText("\n".join(line.rstrip() for line in lines))

    def _lines(self) -> List[str]:
        """The sentence broken between words to the width of now."""
        text = self._whole.encode("utf-16-le")  # as Qt counts
        layout = QTextLayout(self._whole, self.font())
        layout.setTextOption(QTextOption())
        layout.beginLayout()
        lines = []
        while True:
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(max(self.width(), 1))
            begin, end = 2 * line.textStart(), 2 * (line.textStart() + line.textLength())
            lines.append(text[begin:end].decode("utf-16-le"))
        layout.endLayout()
        return lines


def _tallest(text: str) -> str:
    """Letters that make a line as tall as any of the text: Chinese ones come from other fonts, even several."""
    return "x" + "".join(dict.fromkeys(c for c in text if cells(c) > 1))
