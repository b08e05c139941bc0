"""A small window that drops down from a button, and the button: for choices that a menu cannot hold."""

from __future__ import annotations

from typing import Callable, Optional

from aqt.qt import (
    QEvent,
    QFrame,
    QHideEvent,
    QKeyEvent,
    QPoint,
    QPushButton,
    QResizeEvent,
    QSize,
    QSizePolicy,
    Qt,
    QWidget,
    pyqtSignal,
    qconnect,
)

from .labels import follow_language, letter_width
from .labels import tip as plain_tip

#: Room between the popup and the edges of the screen.
_MARGIN = 8
#: Letters for which a button always keeps room.
_NARROWEST = 8


class Popup(QFrame):
    """Closes with Esc, a click elsewhere, or a choice. Says ``closed`` each time."""

    closed = pyqtSignal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        follow_language(self)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)  # a click on its button closes it, and no more

    def drop_from(self, button: QWidget) -> None:
        """Show it below the button, as far as the screen allows."""
        self.adjustSize()
        place = button.mapToGlobal(QPoint(0, button.height()))
        screen = button.screen()
        if screen is not None:
            free = screen.availableGeometry().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
            self.resize(min(self.width(), free.width()), min(self.height(), free.height()))
            place.setX(max(min(place.x(), free.right() - self.width()), free.left()))
            place.setY(max(min(place.y(), free.bottom() - self.height()), free.top()))
        self.move(place)
        self.show()

    def keyPressEvent(self, event: Optional[QKeyEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: Esc closes the popup, and not the window below it."""
        if event is not None and event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: Optional[QHideEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: by whatever way."""
        super().hideEvent(event)
        self.closed.emit()


class DropButton(QPushButton):
    """A button with a small arrow whose words give way where there is little room; the tooltip has them whole."""

    _ARROW = " ▾"

    def __init__(self, spoken: str = "{choice}", *, widest: int = 36) -> None:
        """Args:
        spoken: what screen readers say: what the button is for, and {choice}.
        widest: letters that it has room for if the window has.
        """
        super().__init__()
        self._spoken = spoken
        self._words = ""
        self._widest = widest
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    @property
    def words(self) -> str:
        """What is chosen, in full."""
        return self._words

    def say(self, words: str, tip: str = "") -> None:
        """Show what is chosen."""
        self._words = words
        self.setToolTip(plain_tip(tip or words))
        self.setAccessibleDescription(tip or words)
        self.setAccessibleName(self._spoken.format(choice=words))
        self.updateGeometry()
        self._elide()

    def drop(self, popup: Callable[[], Popup]) -> None:
        """Let this popup drop down with a click."""
        qconnect(self.clicked, lambda _checked=False: popup().drop_from(self))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: room for the words, within reason."""
        return self._size(min(self._width_of(self._words), self._letters(self._widest)))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: room for some of them."""
        return self._size(min(self._width_of(self._words), self._letters(_NARROWEST)))

    def resizeEvent(self, event: Optional[QResizeEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: another width."""
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: Optional[QEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: another font or style."""
        super().changeEvent(event)
        if event is not None and event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._elide()

    def _size(self, words: int) -> QSize:
        return QSize(self._room_besides() + words + 2, super().sizeHint().height())

    def _room_besides(self) -> int:
        """What arrow and frame take."""
        return super().sizeHint().width() - self._width_of(self.text()) + self._width_of(self._ARROW)

    def _elide(self) -> None:
        room = max(self.width() - self._room_besides(), 0)
        words = self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideMiddle, room)
        self.setText(words.replace("&", "&&") + self._ARROW)

    def _letters(self, count: int) -> int:
        return letter_width(self) * count

    def _width_of(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text.replace("&&", "&"))
