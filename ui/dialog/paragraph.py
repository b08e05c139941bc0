"""Text in lines no longer than can be read well."""

from __future__ import annotations

from aqt.qt import QSize, QSizePolicy, Qt

from .labels import Label, letter_width
from .shades import quiet_text

#: Of average width.
LETTERS_ACROSS = 125


class Paragraph(Label):
    """As tall as its lines, or as ``least_lines``."""

    def __init__(
        self, text: str = "", *, quiet: bool = False, letters_across: int = LETTERS_ACROSS, least_lines: int = 0
    ) -> None:
        super().__init__(text)
        self._quiet = quiet
        self._least_height = least_lines * self.fontMetrics().lineSpacing()
        self.setWordWrap(True)
        self.setMaximumWidth(letters_across * letter_width(self))
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.follow_theme()

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        """Qt: of the width that there is it takes no more than it may."""
        return max(super().heightForWidth(min(width, self.maximumWidth())), self._least_height)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: as tall as its lines, and not as a square of that text would be."""
        return QSize(self.maximumWidth(), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Qt: the lines may be short."""
        return QSize(0, self.heightForWidth(self.width()))

    def follow_theme(self) -> None:
        """The colours of now."""
        if self._quiet:
            self.setStyleSheet(f"color: {quiet_text().name()};")
