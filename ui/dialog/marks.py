"""The star before the best rows, drawn so that it is there in every font, and the empty place before the others."""

from __future__ import annotations

import math
from typing import Dict

from aqt import colors
from aqt.qt import QIcon, QPainter, QPixmap, QPointF, QPolygonF, Qt
from aqt.theme import theme_manager


def mark_icons(size: int, pixel_ratio: float) -> Dict[str, QIcon]:
    """``star`` and ``none``, both of ``size`` points."""
    return {"star": _icon(_star(size, pixel_ratio)), "none": _icon(_blank(size, pixel_ratio))}


def _icon(pixmap: QPixmap) -> QIcon:
    """The same in a selected row, where Qt would tint it."""
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
