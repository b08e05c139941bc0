"""Choosing which algorithms to compare: a group with one click, or each by itself."""

from __future__ import annotations

from typing import Collection, Dict, FrozenSet, Optional

from aqt.qt import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QPushButton,
    QRadioButton,
    Qt,
    QVBoxLayout,
    QWidget,
    pyqtSignal,
    qconnect,
)
from aqt.utils import disable_help_button

from ..choice import Catalogue
from ..text import _, ngettext, strings
from .chooser_list import ChooserList
from .labels import Label, follow_language

_SIZE = (800, 640)
#: It leaves so much of its window to be seen.
_MARGIN = 60


class Chooser(QDialog):
    """Opens over the window; says ``run_asked`` with the algorithms and the baseline when the person presses Run."""

    run_asked = pyqtSignal(object, object)

    def __init__(
        self, parent: QWidget, catalogue: Catalogue, chosen: Collection[str], baseline: Optional[str] = None
    ) -> None:
        super().__init__(parent)
        self._catalogue = catalogue
        self.setWindowTitle(_("SRS Evaluator: algorithms"))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        disable_help_button(self)
        follow_language(self)
        self.groups: Dict[str, QRadioButton] = {}
        self.list = ChooserList(catalogue)
        self.baselines = _baselines(catalogue, baseline)
        self.count = Label()
        self.count.setWordWrap(True)
        # Translators: A button: evaluate with these algorithms.
        self.run = _button(_("Run"))
        self.run.setDefault(True)
        self.cancel = _button(strings.CANCEL)
        self._lay_out()
        qconnect(self.list.changed, self._on_change)
        qconnect(self.run.clicked, self._on_run)
        qconnect(self.cancel.clicked, self.reject)
        self.list.choose(chosen)
        (self._checked_group() or self.list).setFocus()
        self.resize(
            min(_SIZE[0], max(parent.width() - _MARGIN, 400)), min(_SIZE[1], max(parent.height() - _MARGIN, 300))
        )

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(16)
        top.addWidget(Label(_("Which algorithms shall be compared?")), 1)
        for group, names in self._catalogue.groups.items():
            text = strings.GROUPS.get(group, strings.GroupText(group, ""))
            button = QRadioButton(_("{title} ({count})").format(title=text.title, count=len(names)))
            button.setToolTip(text.tip)
            button.setAutoExclusive(False)  # none is checked where the person has made a choice of their own
            qconnect(button.clicked, lambda _checked=False, names=names: self.list.choose(names))
            self.groups[group] = button
            top.addWidget(button)
        bottom = QHBoxLayout()
        bottom.addWidget(self.count, 1)
        label = Label(_("Compare with:"))
        label.setBuddy(self.baselines)
        bottom.addWidget(label)
        bottom.addWidget(self.baselines)
        bottom.addSpacing(16)
        bottom.addWidget(self.run)
        bottom.addWidget(self.cancel)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 10)
        layout.setSpacing(10)
        layout.addLayout(top)
        layout.addWidget(self.list, 1)
        layout.addLayout(bottom)

    @property
    def chosen(self) -> FrozenSet[str]:
        """The algorithms that are checked."""
        return self.list.chosen

    @property
    def baseline(self) -> Optional[str]:
        """The algorithm to compare with; None for the usual one."""
        name: Optional[str] = self.baselines.currentData()
        return name

    def _checked_group(self) -> Optional[QRadioButton]:
        return next((button for button in self.groups.values() if button.isChecked()), None)

    def _on_change(self) -> None:
        chosen = self.chosen
        group = self._catalogue.group_of(chosen)
        for name, button in self.groups.items():
            button.setChecked(name == group)
        self.count.setText(_count(len(chosen), len(self._catalogue.entries)))
        self.run.setEnabled(bool(chosen))

    def _on_run(self) -> None:
        chosen, baseline = self.chosen, self.baseline
        self.accept()
        self.run_asked.emit(chosen, baseline)


def _baselines(catalogue: Catalogue, chosen: Optional[str]) -> QComboBox:
    """The usual one, then all there are."""
    box = QComboBox()
    box.setToolTip(
        _(
            "The algorithm that all others, and the first sentence, are measured by. It is run even if it is not "
            "checked."
        )
    )
    # Translators: An item of that list: the usual algorithm.
    box.addItem(_("the usual (SM-2)"), None)
    for entry in catalogue.entries:
        box.addItem(entry.name, entry.name)
    names = [entry.name.lower() for entry in catalogue.entries]
    wanted = (chosen or "").strip().lower()
    box.setCurrentIndex(1 + names.index(wanted) if wanted in names else 0)
    return box


def _count(count: int, total: int) -> str:
    if count == 0:
        return _("None chosen. Choose at least one.")
    return (
        _("1 of {total} chosen. With a second one there is something to compare.").format(total=total)
        if count == 1
        else ngettext("{count} of {total} chosen.", "{count} of {total} chosen.", count).format(
            count=count, total=total
        )
    )


def _button(text: str) -> QPushButton:
    button = QPushButton(text)
    button.setAutoDefault(False)
    return button
