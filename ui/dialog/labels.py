"""Labels and tips that show texts as they are, their fonts, and how wide their letters are."""

from __future__ import annotations

import html
import re
from typing import List, Optional

from aqt.qt import QFont, QLabel, QResizeEvent, QSize, QSizePolicy, Qt, QTextLayout, QTextOption, QWidget

from ..lines import cells
from .widgets import quiet_text

#: Qt looks whether the name is that of a mark, too.
_LIKE_HTML = re.compile(r"<\s*[a-zA-Z/!?]|&lt;")


class Label(QLabel):
    """Shows its text letter by letter. Qt would take what looks like HTML for such, as the name of a deck may."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)


def wrapped(label: Label) -> Label:
    """The same, in as many lines as it takes; a word without end widens no window."""
    label.setWordWrap(True)
    label.setMinimumWidth(1)
    return label


def tip(text: str) -> str:
    """The text for a tooltip, which shows it letter by letter: Qt takes what looks like HTML for such."""
    return f'<span style="white-space: pre-wrap">{html.escape(text)}</span>' if _LIKE_HTML.search(text) else text


def heading_font(widget: QWidget) -> QFont:
    """The widget's font, larger and bold."""
    font = _scaled(widget.font(), 1.3)
    font.setBold(True)
    return font


def smaller_font(widget: QWidget) -> QFont:
    """The widget's font, a little smaller."""
    return _scaled(widget.font(), 0.87)


def letter_width(widget: QWidget) -> int:
    """Of an average Latin letter. Fonts with Chinese characters give the width of those as their average."""
    letters = widget.fontMetrics()
    return min(letters.averageCharWidth(), letters.horizontalAdvance("x"))


def _scaled(font: QFont, factor: float) -> QFont:
    scaled = QFont(font)
    if font.pointSizeF() > 0:
        scaled.setPointSizeF(font.pointSizeF() * factor)
    else:  # the size was set in pixels
        scaled.setPixelSize(round(font.pixelSize() * factor))
    return scaled


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
