"""Signs of verdicts, which differ in shape and in color."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from aqt.qt import QColor, QIcon, QPainter, QPixmap, QPointF, QPolygonF, QRectF, Qt
from aqt.theme import theme_manager

from ..views.finding import SIGNS

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


def sign_pixmap(sign: str, size: int, widget: QWidget) -> QPixmap:
    """Return the picture of a sign, or an empty one.

    Args:
        sign: "check", "warning", "question", "dot" or empty.
        size: width and height in Qt's device-independent pixels.
        widget: where the sign is shown.
    """
    return _draw_sign(sign, size, widget.devicePixelRatioF(), theme_manager.night_mode)


def sign_icon(sign: str, size: int, widget: QWidget) -> QIcon:
    """Return the sign as an icon that has the same colors in selected rows."""
    icon, pixmap = QIcon(), sign_pixmap(sign, size, widget)
    for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
        icon.addPixmap(pixmap, mode)
    return icon


@lru_cache(maxsize=64)
def _draw_sign(sign: str, size: int, ratio: float, night: bool) -> QPixmap:
    """Draw a dot, or the sign's character in a circle, a triangle or a square."""
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    if not sign:
        return pixmap
    painter, box = QPainter(pixmap), QRectF(0, 0, size, size)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(COLORS[sign][night]))
    if sign == "warning":
        painter.drawPolygon(QPolygonF([QPointF(size / 2, 0), QPointF(size, size), QPointF(0, size)]))
        box.setTop(size * 0.25)
    elif sign == "question":
        painter.drawRoundedRect(box, size / 5, size / 5)
    elif sign == "check":
        painter.drawEllipse(box)
    else:
        painter.drawEllipse(box.center(), size / 4, size / 4)
    if sign != "dot":
        font = painter.font()
        font.setBold(True)
        font.setPixelSize(round(size * 0.7))
        painter.setFont(font)
        painter.setPen(QColor("black" if night else "white"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, SIGNS[sign])
    painter.end()
    return pixmap
