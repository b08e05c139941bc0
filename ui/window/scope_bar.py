"""The row at the top: which cards, since when, and which of their reviews are predicted."""

from __future__ import annotations

import datetime as dt
from typing import Any, Callable, List, Optional

from aqt.qt import (
    QCalendarWidget,
    QComboBox,
    QCompleter,
    QDate,
    QHBoxLayout,
    QIcon,
    QLocale,
    QMenu,
    QSizePolicy,
    Qt,
    QToolButton,
    QWidget,
    QWidgetAction,
    pyqtSignal,
    qconnect,
)
from aqt.utils import getText

from ..anki.settings import Choices
from ..science import SAME_DAY_TABLE, WHOLE_COLLECTION, WHOLE_DAY_TABLE, ScopeChoice
from ..text import _, language_code, phrases, strings
from ..views.choices import scope_button, since_button
from .widgets import (
    add_action,
    add_heading,
    add_widgets,
    bold,
    button,
    character_width,
    follow_language,
    plain_tooltip,
    present,
)

#: Preferred width of the closed list of decks, in characters.
_WIDTH = 32
#: Minimum width of this list, in characters.
_MIN_WIDTH = 20
#: Headings in this list.
_HEADINGS = {"deck": _("Decks"), "preset": _("Presets")}

#: Names and explanations of the two tables.
_TABLES = {
    WHOLE_DAY_TABLE: (
        _("Predict: reviews on later days"),
        _("Reviews on later days are predicted, as Anki schedules them. Same-day reviews are not."),
    ),
    SAME_DAY_TABLE: (
        _("Predict: same-day reviews too"),
        _(
            "As in the public benchmark's table with same-day reviews: these are predicted too, and "
            "intervals are measured in seconds. It takes longer, but one day of study suffices."
        ),
    ),
}


def decks_and_presets(col: Any) -> List[ScopeChoice]:
    """Return the decks of a collection, each after its parent, and its presets. Empty if no collection is open."""
    if col is None or col.db is None:
        return []
    decks = col.decks.all_names_and_ids(skip_empty_default=True, include_filtered=False)
    presets = sorted({preset["name"] for preset in col.decks.all_config()}, key=str.casefold)
    return [*(ScopeChoice("deck", deck.name) for deck in decks), *(ScopeChoice("preset", name) for name in presets)]


class ScopeBox(QComboBox):
    """List of the decks and presets, read when it is opened. Typing a part of a name finds it."""

    chosen = pyqtSignal(object)  #: ScopeChoice

    def __init__(self, find_decks_and_presets: Callable[[], List[ScopeChoice]]) -> None:
        super().__init__()
        self._find_decks_and_presets = find_decks_and_presets
        self._choice = WHOLE_COLLECTION
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_WIDTH)
        self.setMinimumWidth(_MIN_WIDTH * character_width(self))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Decks and presets whose reviews can be evaluated"))
        completer = present(self.completer())
        line = present(self.lineEdit())
        view = present(self.view())
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        qconnect(line.editingFinished, lambda: self.setEditText(self.itemText(self.currentIndex())))
        qconnect(self.activated, self._on_activated)

    def show_choice(self, choice: ScopeChoice) -> None:
        self._choice = choice
        self._fill()
        self.setToolTip(plain_tooltip(phrases.scope_words(choice.kind, choice.name)))

    def showPopup(self) -> None:  # noqa: N802 - Qt's name
        """Qt: list the present decks and presets, as wide as their names."""
        self._fill()
        view = present(self.view())
        width = view.sizeHintForColumn(0) + present(view.verticalScrollBar()).sizeHint().width() + 2 * view.frameWidth()
        view.setMinimumWidth(min(width, present(self.screen()).availableSize().width()))
        super().showPopup()

    def _fill(self) -> None:
        """List the decks and presets, and the present choice if it is neither."""
        choices = [WHOLE_COLLECTION, *self._find_decks_and_presets()]
        if self._choice not in choices:
            choices.insert(1, self._choice)
        self.clear()
        for previous, choice in zip([WHOLE_COLLECTION, *choices], choices):
            if choice.kind in _HEADINGS and choice.kind != previous.kind:
                add_heading(self, _HEADINGS[choice.kind])
                self.setItemData(self.count() - 1, bold(self.font()), Qt.ItemDataRole.FontRole)
            self.addItem(scope_button(choice), choice)
            self.setItemData(self.count() - 1, plain_tooltip(scope_button(choice)), Qt.ItemDataRole.ToolTipRole)
        self.insertSeparator(self.count())
        self.addItem(_("Search…"))
        self._show_current()

    def _show_current(self) -> None:
        self.setCurrentIndex([self.itemData(row) for row in range(self.count())].index(self._choice))

    def _on_activated(self, row: int) -> None:
        """Signal the choice. For the last item, ask for a search."""
        choice = self.itemData(row)
        # Headings and the last item, which asks for a search, have no data.
        if choice is None:
            self._show_current()
            if row < self.count() - 1:
                return
            last_search = self._choice.name if self._choice.kind == "search" else ""
            # Translators: "Search" is a noun.
            text, accepted = getText(_("Search, as in Anki's browser:"), self, default=last_search, title=strings.TITLE)
            choice = ScopeChoice("search", text.strip()) if accepted and text.strip() else self._choice
        self.chosen.emit(choice)


class ScopeBar(QWidget):
    """Row that shows which reviews are evaluated, and signals the user's choices.

    What it shows changes only by :meth:`show_choices`.
    """

    scope_chosen = pyqtSignal(object)  #: ScopeChoice
    choices_chosen = pyqtSignal(object)  #: Choices

    def __init__(
        self,
        find_decks_and_presets: Callable[[], List[ScopeChoice]],
        find_fsrs_start: Callable[[], Optional[dt.date]],
        parent: Optional[QWidget],
    ) -> None:
        """Create it from functions that find the decks and presets, and the day on which FSRS was turned on."""
        super().__init__(parent)
        self._scope = WHOLE_COLLECTION
        self._choices = Choices()
        self._find_fsrs_start = find_fsrs_start
        self.scope = ScopeBox(find_decks_and_presets)
        self.since = button()
        self.calendar = _create_calendar()
        self._build_since_menu()
        self.table_box = QComboBox()
        self.table_box.setAccessibleName(_("Which reviews are predicted?"))
        for row, (table, (name, explanation)) in enumerate(_TABLES.items()):
            self.table_box.addItem(name, table)
            self.table_box.setItemData(row, explanation, Qt.ItemDataRole.ToolTipRole)
        add_widgets(QHBoxLayout(self), self.scope, self.since, self.table_box, None, spacing=8)
        qconnect(self.scope.chosen, self._on_scope)
        qconnect(self.table_box.activated, lambda row: self.choose(table=self.table_box.itemData(row)))

    def show_choices(self, scope: ScopeChoice, choices: Choices) -> None:
        self._scope = scope
        self._choices = choices
        self.scope.show_choice(scope)
        self.since.setText(since_button(choices.since))
        self.since.setToolTip(_("Earlier reviews are history only: neither trained on nor tested"))
        self.table_box.setCurrentIndex(self.table_box.findData(choices.table))
        self.table_box.setToolTip(_TABLES[choices.table][1])

    # --- first day ----------------------------------------------------------------------------------------------------

    def _build_since_menu(self) -> None:
        menu = QMenu(self.since)
        follow_language(menu)
        self.since.setMenu(menu)
        self.beginning = add_action(menu, since_button(None), lambda: self.choose(since=None))
        self.fsrs_start = add_action(menu, "", lambda: self.choose(since=self._find_fsrs_start()))
        day = QWidgetAction(menu)
        day.setDefaultWidget(self.calendar)
        menu.addAction(day)
        qconnect(menu.aboutToShow, self._update_since_menu)
        for signal in (self.calendar.clicked, self.calendar.activated):
            qconnect(signal, lambda date: self.choose(since=dt.date(date.year(), date.month(), date.day())))
            qconnect(signal, menu.hide)

    def _update_since_menu(self) -> None:
        today = QDate.currentDate()
        since = self._choices.since
        start = self._find_fsrs_start()
        self.fsrs_start.setText(_("Since I turned FSRS on: {date}").format(date=start))
        self.fsrs_start.setVisible(start is not None)
        self.calendar.setMaximumDate(today)
        self.calendar.setSelectedDate(today if since is None else QDate(since.year, since.month, since.day))
        self.calendar.setFocus()

    # --- choices of the user ------------------------------------------------------------------------------------------

    def _on_scope(self, scope: ScopeChoice) -> None:
        if scope != self._scope:
            self.scope_chosen.emit(scope)

    def choose(self, **changes: Any) -> None:
        """Signal the choices with these changes, if they are others than now."""
        choices = self._choices._replace(**changes)
        if choices != self._choices:
            self.choices_chosen.emit(choices)


#: Height of the calendar in lines, for six weeks. Anki's style makes days taller than Qt expects.
_CALENDAR_LINES = 15


def _create_calendar() -> QCalendarWidget:
    """Create a calendar in our language. Its weeks begin as in Qt's locale, which is that of Anki or the computer."""
    calendar = QCalendarWidget()
    calendar.setAccessibleName(_("The first day whose reviews count"))
    calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
    calendar.setMinimumHeight(_CALENDAR_LINES * calendar.fontMetrics().lineSpacing())
    calendar.setLocale(QLocale(language_code()))
    calendar.setFirstDayOfWeek(QLocale().firstDayOfWeek())
    for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
        calendar.setWeekdayTextFormat(day, calendar.weekdayTextFormat(Qt.DayOfWeek.Monday))
    for name, arrow in (("qt_calendar_prevmonth", "◂"), ("qt_calendar_nextmonth", "▸")):
        arrow_button = calendar.findChild(QToolButton, name)
        # Replace Qt's own arrows, which are hardly visible at night.
        arrow_button.setIcon(QIcon())
        arrow_button.setText(arrow)
    return calendar
