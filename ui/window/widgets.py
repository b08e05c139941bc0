"""Labels, buttons, colors and other small parts that several windows use."""

from __future__ import annotations

import html
import re
from typing import Callable, Optional, Sequence, TypeVar, cast

from aqt import colors
from aqt.qt import (
    QAbstractItemView,
    QAction,
    QApplication,
    QBoxLayout,
    QColor,
    QComboBox,
    QFocusEvent,
    QFont,
    QFontInfo,
    QImage,
    QLabel,
    QLocale,
    QMimeData,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSize,
    QSizePolicy,
    QStyle,
    QStyleOptionToolButton,
    Qt,
    QToolButton,
    QWidget,
    qconnect,
)
from aqt.theme import theme_manager
from aqt.utils import tooltip

from ..text import language_code

L = TypeVar("L", bound=QBoxLayout)
T = TypeVar("T")

#: Text that Qt may take for HTML.
_LIKE_HTML = re.compile(r"<\s*[a-zA-Z/!?]|&lt;")


def present(part: Optional[T]) -> T:
    """Return the argument, such as the header of a table, which PyQt declares as optional although it always exists."""
    return cast("T", part)


class Label(QLabel):
    """Label of plain text. Qt's own label would render the name of a deck as HTML if it looks like HTML."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)


def wrapped(text: str = "") -> Label:
    """Create a label that wraps its text, and that a long word cannot make wider."""
    label = Label(text)
    label.setWordWrap(True)
    label.setMinimumWidth(1)
    return label


def selectable(label: Label) -> Label:
    """Make the label's text selectable with mouse and keyboard, and return it."""
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return label


def button(text: str = "", clicked: Optional[Callable[[], object]] = None, tip: str = "") -> QPushButton:
    """Create a button that calls ``clicked``. Enter presses it only while it has the focus."""
    result = QPushButton(isolated(text))
    result.setToolTip(plain_tooltip(tip))
    result.setAutoDefault(False)
    if clicked is not None:
        qconnect(result.clicked, lambda _checked=False: clicked())
    return result


def add_action(widget: QWidget, text: str, on_chosen: Callable[[], object]) -> QAction:
    """Add an item to a menu, or to the context menu of another widget, and return the item."""
    action = QAction(isolated(text), widget)
    qconnect(action.triggered, lambda _checked=False: on_chosen())
    widget.addAction(action)
    return action


def add_widgets(layout: L, *items: Optional[QWidget], margins: Sequence[int] = (0, 0, 0, 0), spacing: int = -1) -> L:
    """Add widgets to the layout and return it.

    Args:
        layout: the layout.
        items: the widgets. None stands for a space that stretches.
        margins: left, top, right and bottom margin in pixels.
        spacing: pixels between the widgets, or -1 for Qt's default.
    """
    layout.setContentsMargins(*margins)
    layout.setSpacing(spacing)
    for item in items:
        if item is None:
            layout.addStretch(1)
        else:
            layout.addWidget(item)
    return layout


def plain_tooltip(text: str) -> str:
    """Return the text for a tooltip, escaped if Qt would otherwise render it as HTML."""
    if not _LIKE_HTML.search(text):
        return isolated(text)
    return f'<span style="white-space: pre-wrap">{html.escape(text)}</span>'


def isolated(text: str) -> str:
    """Return the text with Unicode marks for the direction of our language, if Anki's direction differs.

    Qt draws buttons, menus and tooltips in the direction of the whole application. In an Arabic Anki, the question mark
    of an English question would appear before it.
    """
    direction = text_direction()
    if not text or QApplication.layoutDirection() == direction:
        return text
    isolate = (
        "\N{LEFT-TO-RIGHT ISOLATE}" if direction == Qt.LayoutDirection.LeftToRight else "\N{RIGHT-TO-LEFT ISOLATE}"
    )
    return "\n".join(f"{isolate}{line}\N{POP DIRECTIONAL ISOLATE}" for line in text.split("\n"))


def text_direction() -> Qt.LayoutDirection:
    """Return the direction in which our language is written."""
    return QLocale(language_code()).textDirection()


def heading_font(widget: QWidget) -> QFont:
    """Return the widget's font, larger and bold."""
    return scaled(bold(widget.font()), 1.3)


def bold(font: QFont) -> QFont:
    """Return a bold copy of the font."""
    result = QFont(font)
    result.setBold(True)
    return result


def character_width(widget: QWidget) -> int:
    """Return the width of an average Latin character in pixels.

    The average of a Chinese font is twice that.
    """
    metrics = widget.fontMetrics()
    return min(metrics.averageCharWidth(), metrics.horizontalAdvance("x"))


def scaled(font: QFont, factor: float) -> QFont:
    """Return a copy of the font that is ``factor`` times as large."""
    result = QFont(font)
    result.setPointSizeF(QFontInfo(font).pointSizeF() * factor)
    return result


def follow_language(window: QWidget) -> None:
    """Lay a window, popup or menu out in the direction of our language. Child widgets inherit the direction."""
    window.setLayoutDirection(text_direction())


def add_heading(box: QComboBox, text: str) -> None:
    """Add a heading to a list. It cannot be chosen."""
    box.addItem(text)
    # These are the item's flags.
    box.setItemData(box.count() - 1, 0, Qt.ItemDataRole.UserRole - 1)


#: Number of steps of a progress bar, which make it move smoothly.
_STEPS = 1000


class ProgressBar(QProgressBar):
    """Progress bar without a text. Screen readers call it ``name``."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setRange(0, _STEPS)
        self.setTextVisible(False)
        self.setAccessibleName(name)

    def show_fraction(self, fraction: float) -> None:
        self.setValue(round(_STEPS * fraction))


class FoldButton(QToolButton):
    """Button with an arrow and a question. A click unfolds or folds the answer, and emits ``toggled``."""

    def __init__(self, question: str, tip: str = "") -> None:
        super().__init__()
        self.setText(isolated(question))
        self.setToolTip(plain_tooltip(tip))
        self.setCheckable(True)
        self.setAutoRaise(True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._turn_arrow(unfolded=False)
        qconnect(self.toggled, lambda checked: self._turn_arrow(unfolded=checked))

    def initStyleOption(self, option: Optional[QStyleOptionToolButton]) -> None:  # noqa: N802 - Qt's name
        """Qt: look the same while it is checked, because the arrow shows that."""
        super().initStyleOption(option)
        present(option).state &= ~QStyle.StateFlag.State_On

    def _turn_arrow(self, *, unfolded: bool) -> None:
        self.setArrowType(Qt.ArrowType.DownArrow if unfolded else Qt.ArrowType.RightArrow)


def set_tab_order(*widgets: QWidget) -> None:
    """Let Tab move through these widgets in this order, which may differ from the order of their creation."""
    for widget, next_widget in zip(widgets, widgets[1:]):
        QWidget.setTabOrder(widget, next_widget)


def copy_to_clipboard(text: str, note: str, parent: Optional[QWidget], image: Optional[QImage] = None) -> None:
    """Put the text, the image or both on the clipboard, and show a note. Without either, do nothing."""
    data = QMimeData()
    if text:
        data.setText(text)
    if image is not None:
        data.setImageData(image)
    if data.formats():
        present(QApplication.clipboard()).setMimeData(data)
        tooltip(note, parent=parent)


#: Share of the background in the color of selected rows, by whether night mode is on.
_CANVAS_SHARE = {False: 0.25, True: 0.5}


def color_selection(view: QAbstractItemView, style: str) -> None:
    """Color the view's selected rows as in the current theme, and add a style sheet.

    Anki's own color is translucent, and a table paints it twice, so that white text is illegible in night mode. The
    color used here is a mixture with the background instead.
    """
    background = selection_color()
    text, edge = (theme_manager.qcolor(color).name() for color in (colors.FG, colors.FG_LINK))
    view.setStyleSheet(
        f"QAbstractItemView {{ selection-background-color: {background.name()}; selection-color: {text}; }}\n"
        f"QTableView::item:selected {{ border: 1px solid {edge}; border-width: 1px 0; color: {text}; "
        f"background: {background.name()}; }}\n{style}"
    )


def selection_color() -> QColor:
    """Return the background of selected rows in the current theme."""
    share = _CANVAS_SHARE[theme_manager.night_mode]
    selected, canvas = (theme_manager.qcolor(color).getRgb()[:3] for color in (colors.SELECTED_BG, colors.CANVAS_CODE))
    return QColor(*(round((1 - share) * value + share * other_value) for value, other_value in zip(selected, canvas)))


#: Style of a scrolled page, which has a frame while it has the focus, unless it got that by a click.
_PAGE_STYLE = """ScrolledPage { border: 1px solid transparent; }
ScrolledPage[tabbed="true"]:focus { border-color: palette(link); }"""


class ScrolledPage(QScrollArea):
    """A page of results, which scrolls if the window is too low."""

    def __init__(self) -> None:
        super().__init__()
        self.setStyleSheet(_PAGE_STYLE)
        self.setViewportMargins(0, 8, 0, 0)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def focusInEvent(self, event: Optional[QFocusEvent]) -> None:  # noqa: N802 - Qt's name
        """Qt: show the frame if the focus came by the keyboard, and not by a click, such as one on a tab."""
        super().focusInEvent(event)
        reasons = Qt.FocusReason
        self.setProperty("tabbed", present(event).reason() in (reasons.TabFocusReason, reasons.BacktabFocusReason))
        style = present(self.style())
        style.unpolish(self)
        style.polish(self)


#: Maximum length of a line of a paragraph for easy reading, in average characters.
CHARACTERS_PER_LINE = 125


class Paragraph(Label):
    """Wrapped text whose lines are not too long to read. It can reserve room for longer text."""

    def __init__(self, text: str = "", *, characters_per_line: int = CHARACTERS_PER_LINE, min_lines: int = 0) -> None:
        """Create a paragraph.

        Args:
            text: the text.
            characters_per_line: maximum length of a line, in average characters.
            min_lines: number of lines for which it always reserves room.
        """
        super().__init__(text)
        self._min_lines = min_lines
        self.setWordWrap(True)
        self.setMaximumWidth(characters_per_line * character_width(self))
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        selectable(self)

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        """Qt: return the height at this width, or at the maximum width if this width is larger."""
        width = max(min(width, self.maximumWidth()), 1)
        return max(super().heightForWidth(width), self._min_lines * self.fontMetrics().lineSpacing())

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: return the maximum width, because Qt's default is about as wide as it is high."""
        return QSize(self.maximumWidth(), self.heightForWidth(self.maximumWidth()))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: allow any width."""
        return QSize(0, self.sizeHint().height())
