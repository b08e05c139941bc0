"""Signs of verdicts, which differ in shape and in color."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aqt.qt import QColor, QIcon, QPainter, QPixmap, QPointF, QPolygonF, QRectF, Qt
from aqt.theme import theme_manager

from ..views.finding_sentences import SIGNS
from .widgets import bold

if TYPE_CHECKING:
    from aqt.qt import QWidget

#: Colors in the light and in the dark theme, by :attr:`evaluator.report.Finding.sign`. The contrast of each to the
#: background, also of selected rows, is at least 3:1.
COLORS = {
    "check": ("#1a7f37", "#86efac"),
    "warning": ("#c24e00", "#ffc98f"),
    "question": ("#0072b2", "#a8daff"),
    "dot": ("#5f5f5f", "#d9d9d9"),
}


def sign_icon(sign: str, size: int, widget: QWidget) -> QIcon:
    """Return a dot, or the sign's character in a circle, a triangle or a square, which looks alike in selected rows.

    Args:
        sign: "check", "warning", "question", "dot" or empty.
        size: width and height in Qt's device-independent pixels.
        widget: where the sign is shown.
    """
    icon = QIcon()
    if not sign:
        return icon
    ratio = widget.devicePixelRatioF()
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(COLORS[sign][theme_manager.night_mode]))
    box = QRectF(0, 0, size, size)
    if sign == "warning":
        painter.drawPolygon(QPolygonF([QPointF(size / 2, 0), box.bottomRight(), box.bottomLeft()]))
        box.setTop(size * 0.25)
    else:
        radius = size / 5 if sign == "question" else size
        inset = size / 4 if sign == "dot" else 0
        painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), radius, radius)
    if sign != "dot":
        font = bold(widget.font())
        font.setPixelSize(round(size * 0.7))
        painter.setFont(font)
        painter.setPen(QColor("black" if theme_manager.night_mode else "white"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, SIGNS[sign])
    painter.end()
    for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
        icon.addPixmap(pixmap, mode)
    return icon
