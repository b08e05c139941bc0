"""Choosing whose reviews are evaluated: the whole collection, a deck, a preset, or what the browser shows."""

from __future__ import annotations

from typing import Dict, Iterator, List, Optional

from aqt.qt import (
    QAbstractItemView,
    QHeaderView,
    QKeyEvent,
    QLineEdit,
    QSize,
    Qt,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
    pyqtSignal,
    qconnect,
)

from ..science import WHOLE_COLLECTION, ScopeChoice, harmless
from ..text import _, strings
from .labels import letter_width, tip
from .places import Places
from .popup import Popup

SCOPE_FIND = _("Find a deck or preset")

_CHOICE = Qt.ItemDataRole.UserRole
_SEPARATOR = "::"
#: A little air between the names.
_ROWS = "QTreeView::item { padding: 2px 0; }"
#: So many decks are shown unfolded; of more only the outermost, until some letters are typed.
_MOST_UNFOLDED = 30


class ScopeList(Popup):
    """Type some letters of a name, or go through the tree; Enter or a click says ``chosen``."""

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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addWidget(self.line)
        layout.addWidget(self.tree, 1)
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
        heading = self._heading(_("Presets"), bool(places.presets))
        for preset in places.presets:
            self._add(heading, ScopeChoice("preset", preset), preset)
        self._fold()
        self._mark(choice)
        self.line.setFocus()

    def _add_decks(self, names: tuple[str, ...]) -> None:
        heading = self._heading(_("Decks (with their subdecks)"), bool(names))
        known: Dict[str, QTreeWidgetItem] = {}
        for name in names:
            outer, _unused, last = name.rpartition(_SEPARATOR)
            known[name] = self._add(known.get(outer, heading), ScopeChoice("deck", name), last)

    def _heading(self, text: str, anything: bool) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self.tree, [text])
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        font = item.font(0)
        font.setBold(True)
        item.setFont(0, font)
        item.setHidden(not anything)
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
        waiting: List[Optional[QTreeWidgetItem]] = [
            self.tree.topLevelItem(place) for place in range(self.tree.topLevelItemCount())
        ]
        while waiting:
            item = waiting.pop(0)
            if item is not None:
                yield item
                waiting[:0] = [item.child(place) for place in range(item.childCount())]

    def _fold(self) -> None:
        for item in self.items():
            item.setExpanded(self._unfolded or item.data(0, _CHOICE) is None)

    def _mark(self, choice: ScopeChoice) -> None:
        for item in self.items():
            if item.data(0, _CHOICE) == choice:
                self.tree.setCurrentItem(item)
                self.tree.scrollToItem(item, QAbstractItemView.ScrollHint.PositionAtCenter)
                return

    def _filter(self, text: str) -> None:
        """Show what has all the words in its whole name, and what it lies in; the first of them is current."""
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
    """Down goes to the list."""

    go_down = pyqtSignal()

    def keyPressEvent(self, event: Optional[QKeyEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: a key."""
        if event is not None and event.key() == Qt.Key.Key_Down:
            self.go_down.emit()
        else:
            super().keyPressEvent(event)
