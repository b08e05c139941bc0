"""Read external predictions: a CSV with a probability for each review, however the review is named.

Joined with the log by NumPy: nothing else here needs pandas.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from evaluator.algorithms.external import ExternalPredictions
from evaluator.data.revlog import Ints, Revlog
from evaluator.errors import BadPredictions, FileMissing
from evaluator.report.sanitize import sanitize_text
from tools.arguments import parse_path
from tools.sources import csv_log

Floats = npt.NDArray[np.float64]

#: How the columns may be called by which a review is found: its id in the log; its card and time; its place by time.
REVIEW_ID = ("review_id", "revlog_id", "id")
CARD_ID = ("card_id", "cid")
TIME = ("time", "review_time")
PLACE = ("review_th",)
#: And that with the probability of recall; otherwise it has the row's own name, or is the only one that is not known.
PROBABILITY = ("predicted", "probability", "p")
#: Other columns of `evaluate --predictions`.
KNOWN = ("elapsed_days", "fold", "recalled")

#: Times from here are milliseconds, those below seconds since 1970.
MILLISECONDS_FROM = 100_000_000_000


@dataclass(frozen=True)
class PredictionsFile:
    """A row of the table whose predictions come from a file."""

    name: str
    path: Path
    column: str | None = None  #: column with the probability; None: it is found by its name

    @classmethod
    def typed(cls, text: str) -> PredictionsFile:
        """Parse ``NAME=FILE`` or ``NAME=FILE#COLUMN``. Raises ValueError."""
        name, _, position = (part.strip() for part in text.partition("="))
        if not name or not position:
            raise ValueError(f"{text!r} is not of the form NAME=FILE")
        file, hash_sign, column = position.rpartition("#")
        if not hash_sign or parse_path(position).exists():
            return cls(name, parse_path(position))
        return cls(name, parse_path(file), column.strip())

    def check(self) -> None:
        """Check what can be known before reading. Raises EvaluatorError."""
        self._columns()

    def read(self, revlog: Revlog) -> ExternalPredictions:
        """Return the predictions of reviews in that log. Lines about other reviews, and empty predictions, do not
        count.

        Raises:
            EvaluatorError: a file or column is missing, a number is invalid, or a review is duplicate.
        """
        keys, column = self._columns()
        columns = csv_log.read_columns(self.path, keys)
        of_line, of_review = _keys(keys, columns, revlog)
        if keys[0] in REVIEW_ID and not np.isin(of_line, of_review).any():
            csv_log.check_unit(self.path, keys[0], columns[0])
        predicted = self._probabilities(column)
        order = np.argsort(of_line, kind="stable")
        ordered = of_line[order]
        twice = np.flatnonzero(ordered[1:] == ordered[:-1])
        if len(twice):
            first, second = (csv_log.line_of(self.path, int(row)) for row in order[twice[0] : twice[0] + 2])
            self._refuse(f"lines {first:,} and {second:,} are about the same review")
        index = np.searchsorted(ordered, of_review)
        result = index < len(ordered)
        result[result] = ordered[index[result]] == of_review[result]
        review_id, values = revlog.review_id[result], predicted[order[index[result]]]
        by_id = np.argsort(review_id, kind="stable")
        by_id = by_id[~np.isnan(values[by_id])]
        row = ExternalPredictions(self.name, review_id=review_id[by_id], predicted=values[by_id])
        return row if self.column is None else replace(row, description=f"{row.description} (column {column})")

    def _columns(self) -> tuple[list[str], str]:
        """Return the columns that identify a review, and the one with the probability."""
        if not self.path.is_file():
            raise FileMissing(path=str(self.path))
        names = csv_log.header(self.path)
        by_lower = {name.lower(): name for name in names}
        for ways in ((REVIEW_ID,), (CARD_ID, TIME), (PLACE,)):
            keys = [next((name for name in way if name in by_lower), None) for way in ways]
            if None not in keys:
                return [key for key in keys if key is not None], self._column(by_lower)
        return self._refuse("it needs a column review_id, or the two columns card_id and time, or review_th")

    def _column(self, by_lower: dict[str, str]) -> str:
        requested = (*PROBABILITY, self.name) if self.column is None else (self.column,)
        for name in requested:
            if name.lower() in by_lower:
                return by_lower[name.lower()]
        other_columns = {*REVIEW_ID, *CARD_ID, *TIME, *PLACE, *KNOWN}
        others = [name for lower, name in by_lower.items() if lower not in other_columns]
        if self.column is not None:
            there = ", ".join(repr(sanitize_text(name, whole=False)) for name in others or by_lower.values())
            self._refuse(f"it has no column {sanitize_text(self.column, whole=False)!r}, only {there}")
        if not others:
            self._refuse("it needs a column with the probability of recall, best called predicted")
        if len(others) > 1:
            item = f"{self.name}={self.path}#{sanitize_text(others[0], whole=False)}"
            self._refuse(f"it has several columns of predictions: choose one, as in {item}")
        return others[0]

    def _probabilities(self, column: str) -> Floats:
        """Return the probabilities, with NaN for an empty cell."""
        values = array("d")
        for line, (cell,) in csv_log.read_cells(self.path, [column], whole=True):
            value = np.nan
            if cell and cell.lower() != "nan":
                try:
                    value = float(cell)
                except ValueError:
                    value = -1.0
                if not 0 <= value <= 1:
                    self._refuse(f"{sanitize_text(cell, whole=False)!r} in line {line:,} is not a probability")
            values.append(value)
        return np.array(values, dtype=np.float64)

    def _refuse(self, detail: str) -> NoReturn:
        raise BadPredictions(path=str(self.path), detail=detail)


def _keys(columns: list[str], read: list[Ints], revlog: Revlog) -> tuple[Ints, Ints]:
    """Return a key of each line and of each review of the log. Equal keys mean the same review."""
    if columns[0] in REVIEW_ID:
        return read[0], revlog.review_id
    if columns[0] in PLACE:
        position = np.empty(len(revlog), dtype=np.int64)
        position[np.argsort(revlog.review_id, kind="stable")] = np.arange(1, len(revlog) + 1)
        return read[0], position
    card, time = read
    in_seconds = len(time) > 0 and time.max() < MILLISECONDS_FROM
    moment = _numbered(time, revlog.review_id // 1000 if in_seconds else revlog.review_id)
    number = _numbered(card, revlog.card_id)
    both = number * (moment.max(initial=0) + 1) + moment
    return both[: len(card)], both[len(card) :]


def _numbered(of_lines: Ints, of_reviews: Ints) -> Ints:
    """Return the ranks of both arrays' values among each other."""
    return np.asarray(np.unique(np.concatenate([of_lines, of_reviews]), return_inverse=True)[1])
