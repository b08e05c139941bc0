"""The row at the top: whose reviews, since when, and the two options of what counts."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Callable, Optional

from aqt.qt import (
    QEvent,
    QHBoxLayout,
    QPushButton,
    QResizeEvent,
    QSize,
    QSizePolicy,
    Qt,
    QWidget,
    pyqtSignal,
    qconnect,
)

from ..anki.settings import Choices
from ..science import SAME_DAY_TABLE, WHOLE_COLLECTION, WHOLE_DAY_TABLE, ScopeChoice
from ..text import _, phrases
from ..text.lines import cells
from ..views.choices import options_button, scope_button, since_button
from .widgets import Label, laid_out, letter_width
from .widgets import tip as plain_tip

if TYPE_CHECKING:
    from .places import Places
    from .popups import OptionsPopup, Popup, ScopePopup, SincePopup

#: Letters for which a button always keeps room.
_NARROWEST = 8


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
        """The width of arrow and frame."""
        return super().sizeHint().width() - self._width_of(self.text()) + self._width_of(self._ARROW)

    def _elide(self) -> None:
        room = max(self.width() - self._room_besides(), 0)
        words = self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideMiddle, room)
        self.setText(words.replace("&", "&&") + self._ARROW)

    def _letters(self, count: int) -> int:
        return letter_width(self) * count

    def _width_of(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text.replace("&&", "&"))


class ScopeBar(QWidget):
    """Shows whose reviews are evaluated, and says when the person chooses otherwise; changes only when told to."""

    scope_chosen = pyqtSignal(object)  #: ScopeChoice
    choices_chosen = pyqtSignal(object)  #: Choices

    def __init__(self, find_places: Callable[[], Places], parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._find_places = find_places
        self._scope, self._choices = WHOLE_COLLECTION, Choices()
        # Translators: For screen readers, with what is chosen.
        self.scope = DropButton(_("Reviews of: {choice}"))
        # Translators: For screen readers, with what is chosen.
        self.since = DropButton(_("since {choice}"), widest=16)
        self.options = DropButton(widest=_letters_of_options())
        # Translators: After whose reviews they are, before a button with a date or "the beginning".
        of, since = Label(_("Reviews of:")), Label(_("since"))
        of.setBuddy(self.scope)
        since.setBuddy(self.since)
        laid_out(QHBoxLayout(self), of, self.scope, since, self.since, self.options, None, spacing=8)
        # What is in the popups has to be that of the moment they open: before they are shown.
        qconnect(self.scope.clicked, lambda _checked=False: self.scope_popup.offer(self._find_places(), self._scope))
        qconnect(self.since.clicked, lambda _checked=False: self.since_popup.offer(self._choices.since))
        qconnect(self.options.clicked, lambda _checked=False: self.options_popup.offer(self._choices))
        self.scope.drop(lambda: self.scope_popup)
        self.since.drop(lambda: self.since_popup)
        self.options.drop(lambda: self.options_popup)

    # Each popup is imported and made when it is first opened.

    @cached_property
    def scope_popup(self) -> ScopePopup:
        """The list of decks and presets."""
        from .popups import ScopePopup

        popup = ScopePopup(self)
        qconnect(popup.chosen, self._on_scope)
        qconnect(popup.closed, self.scope.setFocus)
        return popup

    @cached_property
    def since_popup(self) -> SincePopup:
        """The calendar."""
        from .popups import SincePopup

        popup = SincePopup(self)
        qconnect(popup.chosen, lambda since: self._on_choices(self._choices._replace(since=since)))
        qconnect(popup.closed, self.since.setFocus)
        return popup

    @cached_property
    def options_popup(self) -> OptionsPopup:
        """The options."""
        from .popups import OptionsPopup

        popup = OptionsPopup(self)
        qconnect(popup.chosen, self._on_choices)
        qconnect(popup.closed, self.options.setFocus)
        return popup

    def show_choices(self, scope: ScopeChoice, choices: Choices) -> None:
        """Show what is evaluated."""
        self._scope, self._choices = scope, choices
        self.scope.say(scope_button(scope), phrases.scope_words(scope.kind, scope.name))
        self.since.say(
            since_button(choices.since), _("Earlier reviews are history only: neither trained on nor scored")
        )
        words = options_button(table=choices.table, same_day=choices.same_day, outlier_filter=choices.outlier_filter)
        self.options.say(words, _("Which reviews are predicted, and what algorithms are told"))

    def _on_scope(self, scope: ScopeChoice) -> None:
        if scope != self._scope:
            self.scope_chosen.emit(scope)

    def _on_choices(self, choices: Choices) -> None:
        if choices != self._choices:
            self.choices_chosen.emit(choices)


def _letters_of_options() -> int:
    """Room for whatever the button may say, and for its arrow."""
    tables, flags = (WHOLE_DAY_TABLE, SAME_DAY_TABLE), (True, False)
    said = (options_button(table=table, same_day=flag, outlier_filter=flag) for table in tables for flag in flags)
    return max(map(cells, said)) + 2
