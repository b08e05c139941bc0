"""The row at the top: whose reviews, since when, and the options of what counts."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Any, Callable, List, Optional

from aqt.qt import (
    QAction,
    QActionGroup,
    QCalendarWidget,
    QComboBox,
    QCompleter,
    QDate,
    QHBoxLayout,
    QIcon,
    QLocale,
    QMenu,
    QPushButton,
    QSizePolicy,
    Qt,
    QToolButton,
    QWidget,
    QWidgetAction,
    pyqtSignal,
    qconnect,
)

from ..anki.settings import Choices
from ..science import SAME_DAY_TABLE, WHOLE_COLLECTION, WHOLE_DAY_TABLE, ScopeChoice
from ..text import _, code, phrases
from ..views.choices import options_button, scope_button, since_button
from .widgets import Label, add_widgets, button, follow_language, letter_width, plain_tooltip

#: Width of the list of decks in letters: usual, minimum, and while open.
_USUAL, _NARROWEST, _OPEN = 32, 10, 50


def places(col: Any) -> List[ScopeChoice]:
    """Return the whole decks, each after the one it is in, and the presets of a collection; none if none is open."""
    if col is None or col.db is None:
        return []
    decks = col.decks.all_names_and_ids(skip_empty_default=True, include_filtered=False)
    presets = sorted({str(preset["name"]) for preset in col.decks.all_config()}, key=str.casefold)
    named = [*(("deck", str(deck.name)) for deck in decks), *(("preset", name) for name in presets)]
    return [ScopeChoice(kind, name) for kind, name in named]


class ScopeBox(QComboBox):
    """The decks and presets as they are when it is opened; some letters of a name find it."""

    chosen = pyqtSignal(object)  #: ScopeChoice

    def __init__(self, find_places: Callable[[], List[ScopeChoice]]) -> None:
        super().__init__()
        self._find_places = find_places
        self._choice = WHOLE_COLLECTION
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_USUAL)
        self.setMinimumWidth(_NARROWEST * letter_width(self))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Decks and presets whose reviews can be evaluated"))
        completer, line, view = self.completer(), self.lineEdit(), self.view()
        if completer is not None and line is not None and view is not None:
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
            view.setMinimumWidth(_OPEN * letter_width(self))
            qconnect(line.editingFinished, lambda: self.setEditText(self.itemText(self.currentIndex())))
        qconnect(self.activated, lambda row: self.chosen.emit(self.itemData(row)))

    def show_choice(self, choice: ScopeChoice) -> None:
        self._choice = choice
        self._offer()
        self.setToolTip(plain_tooltip(phrases.scope_words(choice.kind, choice.name)))

    def showPopup(self) -> None:  # noqa: N802 - Qt's name
        self._offer()
        super().showPopup()

    def _offer(self) -> None:
        choices = [WHOLE_COLLECTION, *self._find_places()]
        if self._choice not in choices:
            choices.insert(1, self._choice)
        self.clear()
        for row, choice in enumerate(choices):
            self.addItem(scope_button(choice), choice)
            self.setItemData(row, plain_tooltip(scope_button(choice)), Qt.ItemDataRole.ToolTipRole)
        self.setCurrentIndex(choices.index(self._choice))


class ScopeBar(QWidget):
    """Shows whose reviews are evaluated, and signals the user's choices; changes only when told to."""

    scope_chosen = pyqtSignal(object)  #: ScopeChoice
    choices_chosen = pyqtSignal(object)  #: Choices

    def __init__(self, find_places: Callable[[], List[ScopeChoice]], parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._scope, self._choices = WHOLE_COLLECTION, Choices()
        self.scope = ScopeBox(find_places)
        self.since, self.options = button(), button()
        self.calendar = _calendar()
        self._fill_since(_menu_of(self.since))
        self._fill_options(_menu_of(self.options))
        # Translators: After whose reviews they are, before a button with a date or "the beginning".
        of, since = Label(_("Reviews of:")), Label(_("since"))
        of.setBuddy(self.scope)
        since.setBuddy(self.since)
        add_widgets(QHBoxLayout(self), of, self.scope, since, self.since, self.options, None, spacing=8)
        qconnect(self.scope.chosen, self._on_scope)

    def show_choices(self, scope: ScopeChoice, choices: Choices) -> None:
        self._scope, self._choices = scope, choices
        self.scope.show_choice(scope)
        since = since_button(choices.since)
        self.since.setText(since)
        # Translators: For screen readers, with what is chosen.
        self.since.setAccessibleName(_("since {choice}").format(choice=since))
        self.since.setToolTip(_("Earlier reviews are history only: neither trained on nor scored"))
        self.options.setText(options_button(choices.table))
        self.options.setToolTip(_("Which reviews are predicted?"))
        self.tables[choices.table].setChecked(True)

    # --- since when ---------------------------------------------------------------------------------------------------

    def _fill_since(self, menu: QMenu) -> None:
        self.beginning = _action(menu, _("From the beginning"), partial(self._choose, since=None))
        day = QWidgetAction(menu)
        day.setDefaultWidget(self.calendar)
        menu.addAction(day)
        qconnect(menu.aboutToShow, self._show_since)
        for chosen in (self.calendar.clicked, self.calendar.activated):
            qconnect(chosen, self._on_day)
            qconnect(chosen, menu.hide)

    def _show_since(self) -> None:
        today, since = QDate.currentDate(), self._choices.since
        self.calendar.setMaximumDate(today)
        self.calendar.setSelectedDate(today if since is None else QDate(since.year, since.month, since.day))
        self.calendar.setFocus()

    def _on_day(self, date: QDate) -> None:
        self._choose(since=dt.date(date.year(), date.month(), date.day()))

    # --- the options --------------------------------------------------------------------------------------------------

    def _fill_options(self, menu: QMenu) -> None:
        menu.setToolTipsVisible(True)
        _action(menu, _("Which reviews are predicted?"), lambda _checked: None).setEnabled(False)
        self.tables = {
            table: _action(menu, words, partial(self._choose, table=table), checkable=True)
            for table, words in (
                (WHOLE_DAY_TABLE, _("On later days, as Anki schedules them")),
                (SAME_DAY_TABLE, _("Including same-day reviews, with exact times")),
            )
        }
        self.tables[WHOLE_DAY_TABLE].setToolTip(_("Repetitions on the day of an earlier review are not predicted."))
        self.tables[SAME_DAY_TABLE].setToolTip(
            _(
                "As in the public benchmark's table with same-day reviews: these are predicted too, and "
                "intervals are measured in seconds. It takes longer, but one day of study suffices."
            )
        )
        exclusive = QActionGroup(menu)
        for action in self.tables.values():
            exclusive.addAction(action)

    # --- what the user chooses --------------------------------------------------------------------------------------

    def _on_scope(self, scope: ScopeChoice) -> None:
        if scope != self._scope:
            self.scope_chosen.emit(scope)

    def _choose(self, _checked: bool = True, /, **chosen: Any) -> None:
        choices = self._choices._replace(**chosen)
        if choices != self._choices:
            self.choices_chosen.emit(choices)


def _menu_of(opener: QPushButton) -> QMenu:
    menu = QMenu(opener)
    follow_language(menu)
    opener.setMenu(menu)
    return menu


def _action(menu: QMenu, text: str, chosen: Callable[[bool], object], *, checkable: bool = False) -> QAction:
    action = QAction(text, menu)
    action.setCheckable(checkable)
    qconnect(action.triggered, chosen)
    menu.addAction(action)
    return action


#: Tall enough for six weeks: Anki's style makes days taller than Qt thinks.
_CALENDAR_LINES = 15


def _calendar() -> QCalendarWidget:
    """Return a calendar in our language, whose weeks begin as in Qt's locale, which is Anki's or the computer's."""
    calendar, first = QCalendarWidget(), QLocale().firstDayOfWeek()
    calendar.setAccessibleName(_("The first day whose reviews count"))
    calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
    calendar.setMinimumHeight(_CALENDAR_LINES * calendar.fontMetrics().lineSpacing())
    calendar.setLocale(QLocale(code()))
    calendar.setFirstDayOfWeek(first)
    for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
        calendar.setWeekdayTextFormat(day, calendar.weekdayTextFormat(Qt.DayOfWeek.Monday))
    for name, arrow in (("qt_calendar_prevmonth", "◂"), ("qt_calendar_nextmonth", "▸")):
        turn = calendar.findChild(QToolButton, name)
        if turn is not None:  # Qt's own can hardly be seen at night
            turn.setIcon(QIcon())
            turn.setText(arrow)
    return calendar
