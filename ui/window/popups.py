"""What drops down from the buttons at the top: the list of decks and presets, the calendar, the boxes."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any, Dict, Iterator, Optional, Tuple

from aqt import colors
from aqt.qt import (
    QAbstractButton,
    QAbstractItemView,
    QCalendarWidget,
    QCheckBox,
    QDate,
    QFrame,
    QHeaderView,
    QHideEvent,
    QIcon,
    QKeyEvent,
    QLineEdit,
    QLocale,
    QPoint,
    QRadioButton,
    QSize,
    Qt,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QTreeWidgetItemIterator,
    QVBoxLayout,
    QWidget,
    pyqtSignal,
    qconnect,
)
from aqt.theme import theme_manager

from ..anki.settings import Choices
from ..science import SAME_DAY_TABLE, WHOLE_COLLECTION, WHOLE_DAY_TABLE, ScopeChoice, harmless
from ..text import _, code, strings
from .widgets import Label, bold, button, follow_language, laid_out, letter_width, tip, wrapped

if TYPE_CHECKING:
    from .places import Places

SCOPE_FIND = _("Find a deck or preset")

#: Room between the popup and the edges of the screen.
_MARGIN = 8


class Popup(QFrame):
    """A list of choices below a button. Closes with Esc, a click elsewhere, or a choice; then it says ``closed``."""

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


_CHOICE = Qt.ItemDataRole.UserRole
_SEPARATOR = "::"
#: A little air between the names.
_ROWS = "QTreeView::item { padding: 2px 0; }"
#: So many decks are shown unfolded; of more only the outermost, until some letters are typed.
_MOST_UNFOLDED = 30


class ScopePopup(Popup):
    """A tree of decks and presets, to be searched by some letters; Enter or a click says ``chosen``."""

    chosen = pyqtSignal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._unfolded = True
        self.line = _Line()
        self.line.setPlaceholderText(SCOPE_FIND)
        self.line.setAccessibleName(SCOPE_FIND)
        self.line.setClearButtonEnabled(True)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(_("Decks and presets whose reviews can be evaluated"))
        self.tree.setHeaderHidden(True)
        self.tree.setStyleSheet(_ROWS)
        self.tree.setUniformRowHeights(True)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.tree.setExpandsOnDoubleClick(False)
        header = self.tree.header()
        if header is not None:
            header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        laid_out(QVBoxLayout(self), self.line, self.tree, margins=(8, 8, 8, 8)).setStretch(1, 1)
        qconnect(self.line.textChanged, self._filter)
        qconnect(self.line.returnPressed, lambda: self._choose(self.tree.currentItem()))
        qconnect(self.line.go_down, self.tree.setFocus)
        qconnect(self.tree.itemClicked, lambda item, _column: self._choose(item))
        qconnect(self.tree.itemActivated, lambda item, _column: self._choose(item))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: room for some names."""
        return QSize(60 * letter_width(self), 22 * self.fontMetrics().lineSpacing())

    def offer(self, places: Places, choice: ScopeChoice) -> None:
        """Fill it anew, with the present choice marked."""
        self.line.clear()
        self.tree.clear()
        self._add(None, WHOLE_COLLECTION, strings.SCOPE_BUTTON["collection"])
        searches = dict.fromkeys(
            name for name in (places.search, choice.name if choice.kind == "search" else "") if name
        )
        for search in searches:
            found = ScopeChoice("search", search)
            self._add(None, found, strings.SCOPE_BUTTON["search"].format(name=search))
        self._unfolded = len(places.decks) <= _MOST_UNFOLDED
        self._add_decks(places.decks)
        heading = self._heading(_("Presets"))
        for preset in places.presets:
            self._add(heading, ScopeChoice("preset", preset), preset)
        self._filter("")
        self._mark(choice)
        self.line.setFocus()

    def _add_decks(self, names: tuple[str, ...]) -> None:
        heading = self._heading(_("Decks (with their subdecks)"))
        known: Dict[str, QTreeWidgetItem] = {}
        for name in names:
            outer, _unused, last = name.rpartition(_SEPARATOR)
            known[name] = self._add(known.get(outer, heading), ScopeChoice("deck", name), last)

    def _heading(self, text: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self.tree, [text])
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        item.setFont(0, bold(item.font(0)))
        return item

    def _add(self, parent: Optional[QTreeWidgetItem], choice: ScopeChoice, text: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem([harmless(text)])
        item.setData(0, _CHOICE, choice)
        item.setToolTip(0, tip(harmless(choice.name or text)))
        if parent is None:
            self.tree.addTopLevelItem(item)
        else:
            parent.addChild(item)
        return item

    def items(self) -> Iterator[QTreeWidgetItem]:
        """All rows, the outer before the inner ones, headings too."""
        place = QTreeWidgetItemIterator(self.tree)
        while (item := place.value()) is not None:
            yield item
            place += 1

    def _mark(self, choice: ScopeChoice) -> None:
        for item in self.items():
            if item.data(0, _CHOICE) == choice:
                self.tree.setCurrentItem(item)
                self.tree.scrollToItem(item, QAbstractItemView.ScrollHint.PositionAtCenter)
                return

    def _filter(self, text: str) -> None:
        """Show only rows whose whole name has all the words, with the rows above them; the first match is current."""
        words = text.casefold().split()
        items = list(self.items())
        first: Optional[QTreeWidgetItem] = None
        shown = set()
        for item in items:
            choice = item.data(0, _CHOICE)
            name = "" if choice is None else (choice.name or item.text(0)).casefold()
            if choice is not None and all(word in name for word in words):
                first = first or item
                outer: Optional[QTreeWidgetItem] = item
                while outer is not None:
                    shown.add(id(outer))
                    outer = outer.parent()
        for item in items:
            item.setHidden(id(item) not in shown)
            item.setExpanded(bool(words) or self._unfolded or item.data(0, _CHOICE) is None)
        self.tree.setCurrentItem(first)

    def _choose(self, item: Optional[QTreeWidgetItem]) -> None:
        choice = None if item is None else item.data(0, _CHOICE)
        if choice is not None and self.isVisible():
            self.hide()
            self.chosen.emit(choice)


class _Line(QLineEdit):
    """A line to type in, from which the Down key goes to the list."""

    go_down = pyqtSignal()

    def keyPressEvent(self, event: Optional[QKeyEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: a key."""
        if event is not None and event.key() == Qt.Key.Key_Down:
            self.go_down.emit()
        else:
            super().keyPressEvent(event)


#: Tall enough for six weeks: Anki's style makes days taller than Qt thinks.
_CALENDAR_LINES = 15


class SincePopup(Popup):
    """A calendar, and a button for the beginning. Says ``chosen`` with a date or None."""

    chosen = pyqtSignal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.beginning = button(_("From the beginning"), lambda: self._choose(None))
        self.calendar = QCalendarWidget()
        self.calendar.setAccessibleName(_("The first day whose reviews count"))
        self.calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        self.calendar.setMinimumHeight(_CALENDAR_LINES * self.fontMetrics().lineSpacing())
        self._speak_our_language()
        self._calm_the_calendar()
        explanation = wrapped(
            _("Reviews before that day are known to the algorithms, but neither trained on nor scored.")
        )
        laid_out(QVBoxLayout(self), self.beginning, self.calendar, explanation, margins=(10, 10, 10, 10))
        qconnect(self.calendar.clicked, self._choose)
        qconnect(self.calendar.activated, self._choose)

    def _speak_our_language(self) -> None:
        """Name days and months in our language; weeks begin as in Qt's locale, which is Anki's or the computer's."""
        first = QLocale().firstDayOfWeek()
        self.calendar.setLocale(QLocale(code()))
        self.calendar.setFirstDayOfWeek(first)

    def _calm_the_calendar(self) -> None:
        """Show weekends like other days, and arrows that can be seen at night."""
        for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            self.calendar.setWeekdayTextFormat(day, self.calendar.weekdayTextFormat(Qt.DayOfWeek.Monday))
        for name, arrow in (("qt_calendar_prevmonth", "◂"), ("qt_calendar_nextmonth", "▸")):
            turn = self.calendar.findChild(QToolButton, name)
            if turn is not None:
                turn.setIcon(QIcon())
                turn.setText(arrow)

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


#: Anki's own circles and boxes can hardly be seen at night unless they are checked.
_BOXES = """
QRadioButton::indicator:!focus:!hover:!disabled, QCheckBox::indicator:!focus:!hover:!disabled {{
    border: 1px solid {border};
}}
"""


class OptionsPopup(Popup):
    """Which reviews are predicted, and boxes, each with a sentence on what it does.

    Says ``chosen`` when it closes.
    """

    chosen = pyqtSignal(object)  #: Choices

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._choices = Choices()
        self.tables = {
            WHOLE_DAY_TABLE: QRadioButton(_("On later days, as Anki schedules them")),
            SAME_DAY_TABLE: QRadioButton(strings.CHOOSE_SAME_DAY),
        }
        self.same_day = QCheckBox(_("Tell algorithms of same-day reviews"))
        self.outlier_filter = QCheckBox(_("Leave out cards with an unusual first interval"))
        self._explanations = {one: self._explanation() for one in self._choosable()}
        title = Label(_("Which reviews are predicted?"))
        title.setFont(bold(title.font()))
        layout = laid_out(QVBoxLayout(self), title, margins=(14, 12, 14, 12))
        for one, explanation in self._explanations.items():
            layout.addWidget(one)
            layout.addWidget(explanation)
        self._explain(self.tables[WHOLE_DAY_TABLE], _("Repetitions on the day of an earlier review are not predicted."))
        self._explain(
            self.tables[SAME_DAY_TABLE],
            _(
                "As in the public benchmark's table with same-day reviews: these are predicted, too, and every "
                "interval is counted by the second. It takes longer, and needs no second day."
            ),
        )
        for table, radio in self.tables.items():
            qconnect(radio.clicked, lambda _checked=False, table=table: self._choose(table=table))
        qconnect(self.same_day.clicked, lambda checked: self._choose(same_day=checked))
        qconnect(self.outlier_filter.clicked, lambda checked: self._choose(outlier_filter=checked))
        qconnect(self.closed, self._say)

    def offer(self, choices: Choices) -> None:
        """Check what is chosen now."""
        self.setStyleSheet(_BOXES.format(border=theme_manager.var(colors.FG_SUBTLE)))
        self._choices = choices
        self._show()
        self.tables[choices.table].setFocus()

    def _choosable(self) -> Tuple[QAbstractButton, ...]:
        return (*self.tables.values(), self.same_day, self.outlier_filter)

    def _explanation(self) -> Label:
        explanation = wrapped()
        explanation.setMinimumWidth(46 * letter_width(self))
        explanation.setContentsMargins(24, 0, 0, 8)
        return explanation

    def _explain(self, one: QAbstractButton, text: str) -> None:
        one.setToolTip(text)
        one.setAccessibleDescription(text)
        self._explanations[one].setText(text)

    def _choose(self, **chosen: Any) -> None:
        self._choices = self._choices._replace(**chosen)
        self._show()

    def _show(self) -> None:
        """Show what is chosen, and where the table leaves no choice, how it is there."""
        no_choice = self._choices.table == SAME_DAY_TABLE
        self.tables[self._choices.table].setChecked(True)
        for box, chosen, there, text, text_there in (
            (
                self.same_day,
                self._choices.same_day,
                True,
                _(
                    "Repetitions on one day are not scored, but some algorithms learn from them. Uncheck this to see "
                    "how well they do without; the same reviews are scored."
                ),
                _("No choice with same-day reviews: they are scored, and every algorithm is told of them."),
            ),
            (
                self.outlier_filter,
                self._choices.outlier_filter,
                False,
                _(
                    "The benchmark's outlier filter: a first interval that is rare among cards with the same first "
                    "answer was often not the scheduler's. Uncheck this to keep such cards."
                ),
                _("No choice with same-day reviews: the benchmark leaves no card out of that table."),
            ),
        ):
            box.setEnabled(not no_choice)
            box.setChecked(there if no_choice else chosen)
            self._explain(box, text_there if no_choice else text)
        self.adjustSize()

    def _say(self) -> None:
        self.chosen.emit(self._choices)
