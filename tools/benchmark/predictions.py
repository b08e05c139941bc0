"""Folders of external predictions, with a file for each collection."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evaluator.algorithms.external import ExternalPredictions
from evaluator.data.revlog import Revlog
from evaluator.errors import BadOption, BadPredictions, EvaluatorError
from tools.benchmark.collections import COLLECTIONS
from tools.sources.predictions import PredictionsFile

ENDINGS = (".csv", ".csv.gz")
#: Groups of endings of a collection's name. At most one ending of each group is removed, in this order.
_COLLECTION_ENDINGS = ((*COLLECTIONS, ".gz"), (".csv", ".tsv"), (".revlog",))


@dataclass(frozen=True)
class PredictionsFolder:
    """A row of the table whose predictions come from a folder of files."""

    name: str
    folder: Path
    column: str | None = None

    @classmethod
    def from_option(cls, requested: PredictionsFile) -> PredictionsFolder:
        """Return the folder that an option names. Raises BadOption if it is not a folder."""
        if not requested.path.is_dir():
            allowed = "a folder with a CSV per collection"
            raise BadOption(option="--external", value=str(requested.path), allowed=allowed)
        return cls(requested.name, requested.path.resolve(), requested.column)

    def read(self, collection: str, revlog: Revlog) -> ExternalPredictions:
        """Read the predictions for that collection.

        Raises:
            EvaluatorError: if there is no file, or it cannot be used. It names the file relative to the folder.
        """
        file = next(filter(Path.is_file, self._candidates(collection)), None)
        if file is None:
            first_name, *other_names = (f"{stem}.csv" for stem in _stems(collection))
            alternatives = f", nor {' or '.join(other_names)}" if other_names else ""
            raise BadPredictions(path=first_name, detail=f"there is no such file in the folder{alternatives}")
        try:
            return PredictionsFile(self.name, file, self.column).read(revlog)
        except EvaluatorError as error:
            error.facts["path"] = file.relative_to(self.folder).as_posix()
            raise

    def _candidates(self, collection: str) -> list[Path]:
        return [self.folder / f"{stem}{ending}" for stem in _stems(collection) for ending in ENDINGS]


def _stems(collection: str) -> list[str]:
    """Return the collection's name with and without its endings, then the same names without its folders."""
    names = [collection]
    for endings in _COLLECTION_ENDINGS:
        ending = next((ending for ending in endings if names[-1].lower().endswith(ending)), "")
        names.append(names[-1][: len(names[-1]) - len(ending)])
    return list(dict.fromkeys([*names, *(name.rpartition("/")[2] for name in names)]))
