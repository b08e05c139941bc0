"""The row at the top: whose reviews, since when, and the two options of what counts."""

from __future__ import annotations

import datetime as dt
from functools import cached_property
from typing import Callable, Optional

from aqt.qt import (
    QCalendarWidget,
    QCheckBox,
    QDate,
    QHBoxLayout,
    QIcon,
    QLocale,
    QPushButton,
    Qt,
    QToolButton,
    QVBoxLayout,
    QWidget,
    pyqtSignal,
    qconnect,
)

from ..anki.settings import Choices
from ..lines import cells
from ..science import WHOLE_COLLECTION, ScopeChoice
from ..scope_text import options_button, scope_button, since_button
from ..text import _, code, phrases
from .labels import Label, letter_width
from .places import Places
from .popup import DropButton, Popup
from .scope_list import ScopeList

#: Tall enough for six weeks: Anki's style makes days taller than Qt thinks.
_CALENDAR_LINES = 15


class ScopeBar(QWidget):
    """Shows the choices, and says when the person makes another one; it changes only when it is told to."""

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
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for widget in (of, self.scope, since, self.since, self.options):
            layout.addWidget(widget)
        layout.addStretch(1)
        # What is in the popups has to be that of the moment they open: before they are shown.
        qconnect(self.scope.clicked, lambda _checked=False: self.list.offer(self._find_places(), self._scope))
        qconnect(self.since.clicked, lambda _checked=False: self.calendar.offer(self._choices.since))
        qconnect(self.options.clicked, lambda _checked=False: self.boxes.offer(self._choices))
        self.scope.drop(lambda: self.list)
        self.since.drop(lambda: self.calendar)
        self.options.drop(lambda: self.boxes)

    # Each popup is made when it is first opened.

    @cached_property
    def list(self) -> ScopeList:
        """Whose reviews."""
        popup = ScopeList(self)
        qconnect(popup.chosen, self._on_scope)
        qconnect(popup.closed, self.scope.setFocus)
        return popup

    @cached_property
    def calendar(self) -> SincePopup:
        """Since when."""
        popup = SincePopup(self)
        qconnect(popup.chosen, lambda since: self._on_choices(self._choices._replace(since=since)))
        qconnect(popup.closed, self.since.setFocus)
        return popup

    @cached_property
    def boxes(self) -> OptionsPopup:
        """What counts."""
        popup = OptionsPopup(self)
        qconnect(popup.chosen, self._on_choices)
        qconnect(popup.closed, self.options.setFocus)
        return popup

    def show_choices(self, scope: ScopeChoice, choices: Choices) -> None:
        """What is evaluated."""
        self._scope, self._choices = scope, choices
        self.scope.say(scope_button(scope), phrases.scope_words(scope.kind, scope.name))
        self.since.say(
            since_button(choices.since), _("Earlier reviews are history only: neither trained on nor scored")
        )
        words = options_button(same_day=choices.same_day, outlier_filter=choices.outlier_filter)
        self.options.say(words, _("Same-day reviews, and the outlier filter"))

    def _on_scope(self, scope: ScopeChoice) -> None:
        if scope != self._scope:
            self.scope_chosen.emit(scope)

    def _on_choices(self, choices: Choices) -> None:
        if choices != self._choices:
            self.choices_chosen.emit(choices)


class SincePopup(Popup):
    """A calendar, and a button for the beginning. Says ``chosen`` with a date or None."""

    chosen = pyqtSignal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.beginning = QPushButton(_("From the beginning"))
        self.beginning.setAutoDefault(False)
        self.calendar = QCalendarWidget()
        self.calendar.setAccessibleName(_("The first day whose reviews count"))
        self.calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        self.calendar.setMinimumHeight(_CALENDAR_LINES * self.fontMetrics().lineSpacing())
        self._speak_our_language()
        self._calm_the_calendar()
        explanation = Label(
            _("Reviews before that day are known to the algorithms, but neither trained on nor scored.")
        )
        explanation.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 10, 10, 10)
        layout.addWidget(self.beginning)
        layout.addWidget(self.calendar)
        layout.addWidget(explanation)
        qconnect(self.beginning.clicked, lambda _checked=False: self._choose(None))
        qconnect(self.calendar.clicked, self._choose)
        qconnect(self.calendar.activated, self._choose)

    def _speak_our_language(self) -> None:
        """Qt's is Anki's, or in older versions the computer's; weeks begin as they do there."""
        first = QLocale().firstDayOfWeek()
        self.calendar.setLocale(QLocale(code()))
        self.calendar.setFirstDayOfWeek(first)

    def _calm_the_calendar(self) -> None:
        """Weekends like other days, and arrows that can be seen at night."""
        for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            self.calendar.setWeekdayTextFormat(day, self.calendar.weekdayTextFormat(Qt.DayOfWeek.Monday))
        for name, arrow in (("qt_calendar_prevmonth", "◂"), ("qt_calendar_nextmonth", "▸")):
            button = self.calendar.findChild(QToolButton, name)
            if button is not None:
                button.setIcon(QIcon())
                button.setText(arrow)

    def offer(self, since: Optional[dt.date]) -> None:
        """Show the month of the date, or that of today."""
        today = QDate.currentDate()
        self.calendar.setMaximumDate(today)
        self.calendar.setSelectedDate(today if since is None else QDate(since.year, since.month, since.day))
        self.calendar.setFocus()

    def _choose(self, date: Optional[QDate]) -> None:
        if self.isVisible():  # Enter says it twice
            self.hide()
            self.chosen.emit(None if date is None else dt.date(date.year(), date.month(), date.day()))


class OptionsPopup(Popup):
    """Two boxes, each with a sentence on what it does; says ``chosen`` when it closes."""

    chosen = pyqtSignal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._choices = Choices()
        self.same_day = QCheckBox(_("Tell algorithms of same-day reviews"))
        self.outlier_filter = QCheckBox(_("Leave out cards with an unusual first interval"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        texts = (
            _(
                "Repetitions on one day are never scored, but some algorithms learn from them. Uncheck this to see how "
                "well they do without; the same reviews are scored."
            ),
            _(
                "The benchmark's outlier filter: a first interval that is rare among cards with the same first answer "
                "was often not the scheduler's. Uncheck this to keep such cards."
            ),
        )
        for box, text in zip((self.same_day, self.outlier_filter), texts):
            box.setToolTip(text)
            box.setAccessibleDescription(text)
            explanation = Label(text)
            explanation.setWordWrap(True)
            explanation.setMinimumWidth(46 * letter_width(self))
            explanation.setContentsMargins(24, 0, 0, 8)
            layout.addWidget(box)
            layout.addWidget(explanation)
        qconnect(self.closed, self._say)

    def offer(self, choices: Choices) -> None:
        """Check what is chosen now."""
        self._choices = choices
        self.same_day.setChecked(choices.same_day)
        self.outlier_filter.setChecked(choices.outlier_filter)
        self.same_day.setFocus()

    def _say(self) -> None:
        self.chosen.emit(
            self._choices._replace(same_day=self.same_day.isChecked(), outlier_filter=self.outlier_filter.isChecked())
        )


def _letters_of_options() -> int:
    """Room for whatever the button may say, and for its arrow."""
    return max(cells(options_button(same_day=same, outlier_filter=same)) for same in (True, False)) + 2
