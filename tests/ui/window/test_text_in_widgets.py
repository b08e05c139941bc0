from __future__ import annotations

from pathlib import Path

import pytest
from aqt.qt import QFont, QFontMetrics, QImage, QLabel, Qt, QTextDocument, QVBoxLayout, QWidget
from made_language import SAMPLES

from ui.anki.libraries.install import FOLDER_NAME
from ui.anki.libraries.lock_files import lock_of
from ui.views.view import Column, Table
from ui.window.libraries_dialog import _explanation
from ui.window.messages import Message, MessagePage, Notice
from ui.window.text_table import TextTable
from ui.window.widgets import FoldButton, Paragraph, button, character_width, isolated, plain_tooltip


@pytest.fixture
def show(qtbot):
    """Return a function that shows a widget at the top of an empty window of this width."""
    windows = []

    def show_in_window(widget, width):
        window = QWidget()
        # Without a reference, Python would delete the window.
        windows.append(window)
        layout = QVBoxLayout(window)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(widget)
        layout.addStretch(1)
        window.resize(width, 600)
        qtbot.addWidget(window)
        window.show()
        qtbot.waitExposed(window)

    return show_in_window


def height_below_text(widget: QWidget) -> int:
    """Return the number of pixel rows between the lowest letter and the widget's lower edge."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    blank = image.pixelColor(image.width() - 1, 0)
    for row in range(image.height() - 1, -1, -1):
        if any(image.pixelColor(x, row) != blank for x in range(image.width())):
            return image.height() - 1 - row
    return image.height()


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
@pytest.mark.parametrize("width", [180, 333, 640])
@pytest.mark.parametrize("make", [Paragraph, QLabel])
def test_paragraph_is_as_tall_as_its_lines(show, make, width, sample):
    label = make(sample * 2)
    label.setWordWrap(True)
    show(label, width)
    line_height = label.fontMetrics().size(0, "復\n復").height() / 2
    assert 1 <= height_below_text(label) < line_height
    assert label.height() > 2 * line_height


def test_latin_letters_of_a_chinese_font_are_not_wide(qapp):
    widget = QWidget()
    for family in ("DejaVu Sans", "WenQuanYi Micro Hei", "IPAGothic"):
        widget.setFont(QFont(family, 20))
        wide = QFontMetrics(widget.font()).horizontalAdvance("復")
        assert 0.35 * wide < character_width(widget) <= 0.6 * wide


def test_column_of_names_fits_longest_name(show):
    table = TextTable()
    names = ("日本語::漢字カード", "FSRS")
    table.show_table(Table((Column("名"), Column("予測した想起率と実際の差", number=True)), (names,)), "t")
    show(table, 600)
    assert table.rowHeight(0) > 1.5 * table.fontMetrics().height()
    assert table.columnWidth(0) >= table.fontMetrics().horizontalAdvance(names[0])
    model = table.model()
    header = model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
    assert header.count("\n") == 1
    assert "".join(line.strip() for line in header.split("\n")) == "予測した想起率と実際の差"


HTML = "Deck <h1>HTML</h1><img src='//192.0.2.1/x.png'>"


def message_widgets(text: str) -> tuple[QWidget, ...]:
    """Return each kind of widget for messages, with this text."""
    page = MessagePage(None)
    page.show_message(Message(text, text))
    notice = Notice(None)
    notice.show_text(text)
    return page, notice


def test_html_in_names_is_shown_literally(show):
    widgets = message_widgets(HTML)
    for widget in widgets:
        show(widget, 600)
    labels = [label for widget in widgets for label in widget.findChildren(QLabel)]
    assert len(labels) == 3
    for label in labels:
        assert label.text() == HTML
        assert label.textFormat() == Qt.TextFormat.PlainText
    assert labels[0].font().bold()
    assert labels[0].height() > labels[1].height()


def test_all_labels_show_plain_text():
    files = sorted((Path(__file__).resolve().parents[3] / "ui").rglob("*.py"))
    assert len(files) > 50
    assert [file.name for file in files if "QLabel" in file.read_text(encoding="utf-8")] == ["widgets.py"]


def test_tooltip_is_shown_literally():
    for text in ("5–6 / <1", "2 < 3 & 4", "A & B\nC"):
        assert plain_tooltip(text) == text
    for text in (HTML, f"{HTML}\n{HTML}", "< b >x", "&lt;b&gt;", "<!--x-->y", "</b>"):
        document = QTextDocument()
        document.setHtml(plain_tooltip(text))
        assert document.toPlainText() == text


def test_text_is_isolated_from_the_other_direction(qapp):
    assert isolated("Really?") == "Really?"
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        texts = [plain_tooltip("Really?"), button("Really?").text(), FoldButton("Really?").text()]
        lines = isolated("Really?\nYes.")
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    assert texts == ["\u2066Really?\u2069"] * 3
    assert lines == "\u2066Really?\u2069\n\u2066Yes.\u2069"


def test_paragraph_keeps_room_for_longer_text(qapp):
    short, long = Paragraph("x", min_lines=2), Paragraph("x\nx")
    assert short.heightForWidth(300) >= long.heightForWidth(300)
    assert short.heightForWidth(300) > Paragraph("x").heightForWidth(300)


def test_long_word_does_not_widen_window(show):
    for widget in message_widgets("x" * 5000):
        show(widget, 600)
        assert widget.minimumSizeHint().width() < 600


def test_folder_of_libraries_is_shown_literally():
    document = QTextDocument()
    document.setHtml(_explanation(lock_of("3.13", "linux_x86_64"), Path("/home/A&amp;B <b>")))
    text = document.toPlainText()
    assert str(Path("/home/A&amp;B <b>") / FOLDER_NAME) in text
    assert "\nDownload: 41 MB" in text
