"""A label for the sentence under a graph: always as tall as a few lines, so that what stands above does not jump."""

from __future__ import annotations

from typing import List, Optional

from aqt.qt import QResizeEvent, QSizePolicy, Qt, QTextLayout, QTextOption

from ..lines import cells
from .labels import Label, letter_width, tip

#: In so many letters across there is room for so many lines. Longer sentences end in "…"; the tooltip has them whole.
_ROOM = ((220, 2), (130, 3), (100, 4), (76, 5), (0, 6))


class Sentence(Label):
    """Keeps the room of its lines, whatever it says."""

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
