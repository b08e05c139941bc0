"""Reader of external predictions from a CSV with a probability for each review.

A review is identified by its id, by card and time, or by its position in the log. The join is done with NumPy, because
nothing else here needs pandas.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

import numpy as np

from evaluator.algorithms.external import ExternalPredictions
from evaluator.data.revlog import Ints, Revlog
from evaluator.derivatives import Floats
from evaluator.errors import BadPredictions, FileMissing
from tools.arguments import parse_path
from tools.sources import csv_log
from ui.text.sanitize import sanitize_text

#: Possible names of the columns that identify a review.
REVIEW_ID = ("review_id", "revlog_id", "id")
CARD_ID = ("card_id", "cid")
TIME = ("time", "review_time")
#: The position of the review in the log by time, from 1.
POSITION = ("review_th",)
#: Possible names of the column with the probability of recall, besides the name of the table's row.
PROBABILITY = ("predicted", "probability", "p")
#: Names of further columns that `evaluate --predictions` writes.
OTHER_COLUMNS = ("elapsed_days", "fold", "recalled")

#: Smallest time since 1970 that is taken as milliseconds. Smaller ones are seconds.
MIN_MILLISECONDS = 100_000_000_000


@dataclass(frozen=True)
class PredictionsFile:
    """A row of the table whose predictions come from a file, or from a folder with a file for each collection."""

    #: Name of the row.
    name: str
    path: Path
    #: Name of the column with the probability. None if it is to be found among the columns.
    column: str | None = None

    @classmethod
    def parse(cls, text: str) -> PredictionsFile:
        """Parse ``NAME=FILE`` or ``NAME=FILE#COLUMN``. Raises ValueError."""
        name, _, source = (part.strip() for part in text.partition("="))
        if not name or not source:
            raise ValueError(f"{text!r} is not of the form NAME=FILE")
        file, hash_sign, column = source.rpartition("#")
        if not hash_sign or parse_path(source).exists():
            return cls(name, parse_path(source))
        return cls(name, parse_path(file), column.strip())

    def check(self) -> None:
        """Check that the file and its columns exist. Raises EvaluatorError."""
        self._columns()

    def read(self, revlog: Revlog) -> ExternalPredictions:
        """Return the predictions for reviews in that log.

        Lines about other reviews, and lines without a prediction, are ignored.

        Raises:
            EvaluatorError: if the file or a column is missing, a number is invalid, or two lines are about one review.
        """
        key_columns, column = self._columns()
        columns = csv_log.read_columns(self.path, key_columns)
        line_keys, review_keys = _keys(key_columns, columns, revlog)
        if key_columns[0] in REVIEW_ID and not np.isin(line_keys, review_keys).any():
            csv_log.check_unit(self.path, key_columns[0], columns[0])
        predicted = self._probabilities(column)
        order = np.argsort(line_keys, kind="stable")
        sorted_keys = line_keys[order]
        duplicates = np.flatnonzero(sorted_keys[1:] == sorted_keys[:-1])
        if len(duplicates):
            first, second = (csv_log.line_of(self.path, int(row)) for row in order[duplicates[0] : duplicates[0] + 2])
            self._refuse(f"lines {first:,} and {second:,} are about the same review")
        index = np.searchsorted(sorted_keys, review_keys)
        has_line = index < len(sorted_keys)
        has_line[has_line] = sorted_keys[index[has_line]] == review_keys[has_line]
        review_id = revlog.review_id[has_line]
        values = predicted[order[index[has_line]]]
        by_id = np.argsort(review_id, kind="stable")
        by_id = by_id[~np.isnan(values[by_id])]
        row = ExternalPredictions(self.name, review_id=review_id[by_id], predicted=values[by_id])
        return row if self.column is None else replace(row, description=f"{row.description} (column {column})")

    def _columns(self) -> tuple[list[str], str]:
        """Return the names of the columns that identify a review, and of the one with the probability."""
        if not self.path.is_file():
            raise FileMissing(path=str(self.path))
        names = csv_log.header(self.path)
        by_lower = {name.lower(): name for name in names}
        for key_columns in ((REVIEW_ID,), (CARD_ID, TIME), (POSITION,)):
            keys = [next((name for name in choices if name in by_lower), None) for choices in key_columns]
            if None not in keys:
                return [key for key in keys if key is not None], self._probability_column(by_lower)
        return self._refuse("it needs a column review_id, or the two columns card_id and time, or review_th")

    def _probability_column(self, by_lower: dict[str, str]) -> str:
        """Return the name of the column with the probability, given all columns by their names in lower case."""
        names = (*PROBABILITY, self.name) if self.column is None else (self.column,)
        for name in names:
            if name.lower() in by_lower:
                return by_lower[name.lower()]
        known_columns = {*REVIEW_ID, *CARD_ID, *TIME, *POSITION, *OTHER_COLUMNS}
        candidates = [name for lower, name in by_lower.items() if lower not in known_columns]
        if self.column is not None:
            available = ", ".join(repr(sanitize_text(name, whole=False)) for name in candidates or by_lower.values())
            self._refuse(f"it has no column {sanitize_text(self.column, whole=False)!r}, only {available}")
        if not candidates:
            self._refuse("it needs a column with the probability of recall, best called predicted")
        if len(candidates) > 1:
            example = f"{self.name}={self.path}#{sanitize_text(candidates[0], whole=False)}"
            self._refuse(f"it has several columns of predictions: choose one, as in {example}")
        return candidates[0]

    def _probabilities(self, column: str) -> Floats:
        """Return the probabilities in a column, with NaN for an empty cell."""
        values = array("d")
        for line, (cell,) in csv_log.read_cells(self.path, [column]):
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


def _keys(names: list[str], columns: list[Ints], revlog: Revlog) -> tuple[Ints, Ints]:
    """Return a key for each line and a key for each review of the log. Equal keys mean the same review.

    Args:
        names: the names of the columns that identify a review.
        columns: the contents of these columns.
        revlog: the log.
    """
    if names[0] in REVIEW_ID:
        return columns[0], revlog.review_id
    if names[0] in POSITION:
        position = np.empty(len(revlog), dtype=np.int64)
        position[np.argsort(revlog.review_id, kind="stable")] = np.arange(1, len(revlog) + 1)
        return columns[0], position
    card, time = columns
    in_seconds = len(time) > 0 and time.max() < MIN_MILLISECONDS
    time_rank = _ranks(time, revlog.review_id // 1000 if in_seconds else revlog.review_id)
    card_rank = _ranks(card, revlog.card_id)
    key = card_rank * (time_rank.max(initial=0) + 1) + time_rank
    return key[: len(card)], key[len(card) :]


def _ranks(first: Ints, second: Ints) -> Ints:
    """Return the ranks of the values of both arrays joined, from 0. Equal values have the same rank."""
    return np.unique(np.concatenate([first, second]), return_inverse=True)[1]
