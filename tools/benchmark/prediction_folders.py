"""Folders of external predictions, with a file for each collection."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from evaluator.algorithms.external import ExternalPredictions
from evaluator.data.revlog import Revlog
from evaluator.errors import BadOption, BadPredictions, EvaluatorError
from tools.benchmark.collections import COLLECTIONS
from tools.sources.predictions import PredictionsFile

#: Endings of the names of files with predictions.
ENDINGS = (".csv", ".csv.gz")
#: Groups of endings of a collection's name. At most one ending of each group is removed, in this order.
_COLLECTION_ENDINGS = ((*COLLECTIONS, ".gz"), (".csv", ".tsv"), (".revlog",))


def resolve_folder(external: PredictionsFile) -> PredictionsFile:
    """Return the row with the full path of its folder. Raises BadOption if it is not a folder."""
    if not external.path.is_dir():
        raise BadOption(option="--external", value=str(external.path), allowed="a folder with a CSV per collection")
    return replace(external, path=external.path.resolve())


def read_predictions(external: PredictionsFile, collection: str, revlog: Revlog) -> ExternalPredictions:
    """Read the predictions for that collection from the row's folder.

    Raises:
        EvaluatorError: if there is no file, or it cannot be used. It names the file relative to the folder.
    """
    stems = _stems(collection)
    candidates = (external.path / f"{stem}{ending}" for stem in stems for ending in ENDINGS)
    file = next(filter(Path.is_file, candidates), None)
    if file is None:
        first_name, *other_names = (f"{stem}.csv" for stem in stems)
        alternatives = f", nor {' or '.join(other_names)}" if other_names else ""
        raise BadPredictions(path=first_name, detail=f"there is no such file in the folder{alternatives}")
    try:
        return replace(external, path=file).read(revlog)
    except EvaluatorError as error:
        error.facts["path"] = file.relative_to(external.path).as_posix()
        raise


def _stems(collection: str) -> list[str]:
    """Return the collection's name with and without its endings, then the same names without its folders."""
    names = [collection]
    for endings in _COLLECTION_ENDINGS:
        ending = next((ending for ending in endings if names[-1].lower().endswith(ending)), "")
        names.append(names[-1][: len(names[-1]) - len(ending)])
    return list(dict.fromkeys([*names, *(name.rpartition("/")[2] for name in names)]))
