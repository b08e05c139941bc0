"""Predictions that were made elsewhere, a file for each collection."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evaluator.algorithms.external import External
from evaluator.errors import BadOption, BadPredictions, EvaluatorError
from evaluator.revlog import Revlog
from tools.benchmark.collections import COLLECTIONS, LOGS
from tools.sources.predictions import PredictionsFile

ENDINGS = (".csv", ".csv.gz")


@dataclass(frozen=True)
class PredictionsFolder:
    """A row of the table that is to come from a folder of files."""

    name: str
    folder: Path
    column: str | None = None

    @classmethod
    def asked(cls, asked: PredictionsFile) -> PredictionsFolder:
        """From ``NAME=FOLDER`` or ``NAME=FOLDER#COLUMN``. Raises BadOption."""
        if not asked.path.is_dir():
            raise BadOption(option="--external", value=str(asked.path), allowed="a folder with a CSV per collection")
        return cls(asked.name, asked.path.resolve(), asked.column)

    def read(self, collection: str, revlog: Revlog) -> External:
        """What it predicts for that collection. Errors name the file as seen from the folder.

        Raises:
            EvaluatorError: there is no file, or it cannot be used.
        """
        file = next(filter(Path.is_file, self._places(collection)), None)
        if file is None:
            raise BadPredictions(path=f"{collection}.csv", detail="there is no such file in the folder")
        try:
            return PredictionsFile(self.name, file, self.column).read(revlog)
        except EvaluatorError as error:
            error.facts["path"] = file.relative_to(self.folder).as_posix()
            raise

    def _places(self, collection: str) -> list[Path]:
        """Where the file may be: under the collection's name, or without what its name ends in, or its last part."""
        name = Path(collection)
        plain = _plain(name.name)
        names = (name.as_posix(), name.with_name(plain).as_posix(), name.name, plain)
        return [self.folder / f"{stem}{ending}" for stem in dict.fromkeys(names) for ending in ENDINGS]


def _plain(name: str) -> str:
    """Without what says of which kind it is. Other dots belong to the name: ``anna.2023`` is not ``anna.2024``."""
    ending = next(filter(name.lower().endswith, (*COLLECTIONS, *LOGS)), "")
    return name.removesuffix(name[len(name) - len(ending) :]).removesuffix(".revlog")
