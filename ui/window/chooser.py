"""Dialog for choosing which algorithms to compare, one by one or a whole group with one click."""

from __future__ import annotations

from typing import Collection, Dict, FrozenSet, Optional

from aqt import colors
from aqt.qt import (
    QAbstractItemView,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QKeyEvent,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QSignalBlocker,
    Qt,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
    pyqtSignal,
    qconnect,
)
from aqt.theme import theme_manager
from aqt.utils import disable_help_button

from ..science import EvaluatorError
from ..text import Counted, _, pgettext, strings
from ..text.error_sentences import error_sentence
from ..text.phrases import add_period, paragraph
from ..views.choices import Catalog, clipped_sentences
from ..views.labels import TAKEN, row_label
from .widgets import Label, add_widgets, bold, button, color_selection, follow_language, present, wrapped

_SIZE = (800, 640)
#: Width of the margin of the window that stays visible behind the dialog, in pixels.
_MARGIN = 60
#: Number of groups in a line.
_GROUPS_PER_LINE = 3
#: Height of the field for parameters, in lines.
_PARAMETER_LINES = 3
PARAMETERS_TO_TEST = _("Parameters to test")


class Chooser(QDialog):
    """Dialog for choosing algorithms. Its Run button emits ``run_requested``."""

    run_requested = pyqtSignal(object, str)  #: names, and the parameters to test

    def __init__(self, parent: QWidget, catalog: Catalog, chosen: Collection[str], parameters: str) -> None:
        """Create the dialog.

        Args:
            parent: Qt's parent widget, which also limits the size.
            catalog: the algorithms to choose from.
            chosen: names of the algorithms that are checked at first.
            parameters: text of the field for parameters at first.
        """
        super().__init__(parent)
        self._catalog = catalog
        self.setWindowTitle(_("SRS Evaluator: algorithms"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        disable_help_button(self)
        follow_language(self)
        self.groups: Dict[str, QRadioButton] = {}
        self.filter = QLineEdit()
        self.list = ChooserList(catalog)
        self.parameters = QPlainTextEdit(parameters)
        self.message = wrapped()
        self.count = wrapped()
        # Translators: A button: evaluate with these algorithms.
        self.run = button(_("Run"), self._on_run)
        self.run.setDefault(True)
        self.cancel = button(strings.CANCEL, self.reject)
        self._lay_out()
        qconnect(self.list.changed, self._on_change)
        qconnect(self.parameters.textChanged, self._on_change)
        qconnect(self.filter.textChanged, self.list.show_only)
        self.list.choose(chosen)
        next((radio for radio in self.groups.values() if radio.isChecked()), self.list).setFocus()
        self.resize(
            min(_SIZE[0], max(parent.width() - _MARGIN, 400)), min(_SIZE[1], max(parent.height() - _MARGIN, 300))
        )

    def _lay_out(self) -> None:
        radios = QGridLayout()
        for number, (group, names) in enumerate(self._catalog.groups.items()):
            text = strings.ALGORITHM_GROUPS[group]
            radio = QRadioButton(_("{title} ({count})").format(title=text.name, count=len(names)))
            radio.setToolTip(text.meaning)
            # Otherwise it could not be unchecked when the user chooses algorithms that do not form a group.
            radio.setAutoExclusive(False)
            qconnect(radio.clicked, lambda _checked=False, names=names: self.list.choose(names))
            self.groups[group] = radio
            radios.addWidget(radio, *divmod(number, _GROUPS_PER_LINE))
        radios.setColumnStretch(_GROUPS_PER_LINE, 1)
        # Translators: Type a part of a name or of a description, to find an algorithm in the list.
        self.filter.setPlaceholderText(_("Filter"))
        self.parameters.setAccessibleName(PARAMETERS_TO_TEST)
        # Translators: An example: a name, and the first two of the parameters that have this name.
        self.parameters.setPlaceholderText(_("My old ones = 0.212, 1.2931, …"))
        self.parameters.setTabChangesFocus(True)
        self.parameters.setFixedHeight(_PARAMETER_LINES * self.fontMetrics().lineSpacing())
        question = Label(_("Which algorithms do you want to compare?"))
        layout = add_widgets(QVBoxLayout(self), question, margins=(14, 12, 14, 10), spacing=10)
        layout.addLayout(radios)
        for widget in (self.filter, self.list, Label(PARAMETERS_TO_TEST), self.parameters, self.message):
            layout.addWidget(widget)
        row = add_widgets(QHBoxLayout(), self.count, self.run, self.cancel, spacing=10)
        row.setStretch(0, 1)
        layout.addLayout(row)

    def _on_change(self) -> None:
        """Show how many algorithms are chosen and whether the parameters are valid, and enable Run if all is well."""
        from .. import engine

        chosen = self.list.chosen
        group = self._catalog.group_of(chosen)
        for name, radio in self.groups.items():
            radio.setChecked(name == group)
        count_text = _("None chosen. Choose at least one.")
        if chosen:
            count_text = Counted("{count} of {total} chosen.", "{count} of {total} chosen.")(
                len(chosen), total=len(self.list.rows)
            )
        self.count.setText(count_text)
        self.run.setEnabled(bool(chosen))
        try:
            pasted = engine.parse_sets(self.parameters.toPlainText())
            engine.Options(pasted=pasted, taken_names=TAKEN).algorithms_to_run()
            text = paragraph(*clipped_sentences(pasted))
        except EvaluatorError as error:
            self.run.setEnabled(False)
            text = error_sentence(error)
        self.message.setText(text)
        self.message.setVisible(bool(text))

    def keyPressEvent(self, event: Optional[QKeyEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: ignore Return in the filter, because it would press the default button."""
        if not self.filter.hasFocus() or present(event).key() == Qt.Key.Key_Escape:
            super().keyPressEvent(event)

    def _on_run(self) -> None:
        chosen = self.list.chosen
        parameters = self.parameters.toPlainText()
        self.accept()
        self.run_requested.emit(chosen, parameters)


#: Columns of the list.
_NAME = 0
_DESCRIPTION = 1
#: Style of check boxes in lists. Without it they are invisible in night mode, because Anki styles only others.
_BOX_STYLE = """
QTreeView::item {{ padding: 4px 0; }}
QTreeView::indicator {{ border: 1px solid {border}; border-radius: 3px; background: {canvas}; }}
QTreeView::indicator {{ width: 14px; height: 14px; }}
QTreeView::indicator:checked {{ image: url({check}); }}
QTreeView::indicator:indeterminate {{ image: url({some}); }}
"""
#: Width of a check box with its margins in pixels, which Qt leaves out when it measures rows.
_BOX_WIDTH = 20


class ChooserList(QTreeWidget):
    """List of algorithms by family. The user checks a row or a whole family with its box or with Space.

    A click beside the box of a family folds it.
    """

    changed = pyqtSignal()

    def __init__(self, catalog: Catalog) -> None:
        super().__init__()
        self.rows: Dict[str, QTreeWidgetItem] = {}  #: the rows that can be checked, by algorithm
        self._state_before = Qt.CheckState.Unchecked  # state of the clicked box before the click
        self._set_up()
        self._fill(catalog)
        qconnect(self.itemChanged, lambda *_unused: self.changed.emit())
        qconnect(self.itemPressed, lambda item: setattr(self, "_state_before", item.checkState(_NAME)))
        qconnect(self.itemClicked, self._fold)

    def _set_up(self) -> None:
        self.setAccessibleName(_("Algorithms by family, each with a check box"))
        self.follow_theme()
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setAllColumnsShowFocus(True)
        self.setExpandsOnDoubleClick(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = present(self.header())
        # Measure all rows instead of only the visible ones, so that no name is cut.
        header.setResizeContentsPrecision(-1)
        header.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Fixed)

    def follow_theme(self) -> None:
        """Color the check boxes and the selection as in the current theme."""
        color_selection(
            self,
            _BOX_STYLE.format(
                border=theme_manager.var(colors.FG_SUBTLE),
                canvas=theme_manager.var(colors.CANVAS_ELEVATED),
                check=theme_manager.themed_icon("mdi:check"),
                some=theme_manager.themed_icon("mdi:minus-thick"),
            ),
        )

    def _fill(self, catalog: Catalog) -> None:
        """Add a heading for each family, and below it a row for each of its algorithms."""
        for family, entries in catalog.families():
            heading = QTreeWidgetItem(self, [pgettext("family", family)])
            heading.setFlags(heading.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsAutoTristate)
            heading.setFirstColumnSpanned(True)
            heading.setFont(_NAME, bold(heading.font(_NAME)))
            for entry in entries:
                facts = catalog.describe(entry)
                row = QTreeWidgetItem(heading, [row_label(entry.name), f"{add_period(_(entry.description))}\n{facts}"])
                row.setFlags(row.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemNeverHasChildren)
                row.setToolTip(_DESCRIPTION, row.text(_DESCRIPTION))
                row.setToolTip(_NAME, row.text(_DESCRIPTION))
                if entry.is_runnable:
                    row.setCheckState(_NAME, Qt.CheckState.Unchecked)
                    self.rows[entry.name] = row
                else:
                    row.setDisabled(True)
        self.expandAll()
        self.resizeColumnToContents(_NAME)
        self.setColumnWidth(_NAME, self.columnWidth(_NAME) + _BOX_WIDTH)

    def show_only(self, text: str) -> None:
        """Hide the algorithms whose family, name and description do not contain the text."""
        text = text.strip()
        for family in (present(self.topLevelItem(index)) for index in range(self.topLevelItemCount())):
            rows = [present(family.child(index)) for index in range(family.childCount())]
            for row in rows:
                words = (family.text(_NAME), row.text(_NAME), row.text(_DESCRIPTION))
                row.setHidden(not any(text.casefold() in word.casefold() for word in words))
            family.setHidden(all(row.isHidden() for row in rows))
            # A click on its box would check hidden rows too.
            checkable = Qt.ItemFlag.ItemIsUserCheckable
            family.setFlags(family.flags() & ~checkable if text else family.flags() | checkable)
            family.setExpanded(True)

    def _fold(self, item: QTreeWidgetItem) -> None:
        """Fold or unfold a family, unless the click was on its box."""
        if item.checkState(_NAME) == self._state_before:
            item.setExpanded(not item.isExpanded())

    @property
    def chosen(self) -> FrozenSet[str]:
        """The checked algorithms."""
        return frozenset(name for name, row in self.rows.items() if row.checkState(_NAME) == Qt.CheckState.Checked)

    def choose(self, names: Collection[str]) -> None:
        """Check these algorithms and no others."""
        with QSignalBlocker(self):
            for name, row in self.rows.items():
                row.setCheckState(_NAME, Qt.CheckState.Checked if name in names else Qt.CheckState.Unchecked)
        self.changed.emit()
