"""One line of a results file: how one algorithm did on one collection, in our form or the original benchmark's.

Checked by hand, as a library of schemas would be one more to download, for two forms of a line.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evaluator.data.revlog import MAX_ROWS
from evaluator.scope import SAME_DAY_TABLE, TABLES, WHOLE_DAY_TABLE
from tools.benchmark.lines import METRICS

NAN = float("nan")

#: Far above any value, so that sums and squares of metrics stay finite.
MAX_METRIC = 1e6

#: The original benchmark's names. Its RMSE (bins) uses the constants in its code, not those on its page.
_ORIGINAL = {
    "log_loss": "LogLoss",
    "rmse_bins_benchmark": "RMSE(bins)",
    "auc": "AUC",
    "smece": "smECE",
    "mbe": "MBE",
    "precision_90": "precision@90",
    "recall_90": "recall@90",
}
#: Endings of the original benchmark's names of results with same-day reviews: exactly these options.
_WITH_SAME_DAY = re.compile(r".+-short-secs(-recency)?")
#: In names of the original benchmark: the parameters in the file are the published ones, not trained.
_UNTRAINED = ("-dry-run", "-default")
#: The collection that the original benchmark calls user N, wherever its folder is in the public data set.
USER = "user_id={user}"
_USER_FOLDER = re.compile(r"(?:.*/)?(user_id=[0-9]+)")


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One algorithm on one collection. If it failed, ``error`` says why and there are no numbers."""

    collection: str
    algorithm: str | None  #: None: the collection itself could not be read
    reviews: int = 0  #: number of scored reviews
    metrics: tuple[float, ...] = (NAN,) * len(METRICS)  #: one for each of :data:`METRICS`; NaN if there is none
    parameters: int | None = None  #: number of trained parameters; None if unknown
    inputs: tuple[str, ...] | None = None  #: the algorithm's inputs from a card's past; None if unknown
    in_sample: bool = False
    error: str | None = None
    settings: str | None = None  #: the version, and the options without the table; None if unknown
    table: str = WHOLE_DAY_TABLE  #: which of the two tables it belongs to


def is_result(tree: object) -> bool:
    """Return whether JSON is a result line, in our form or that of the original benchmark."""
    return isinstance(tree, dict) and (
        ("collection" in tree and ("metrics" in tree or "error" in tree)) or ("user" in tree and "metrics" in tree)
    )


def parse(tree: Mapping[str, Any], algorithm: str) -> ResultLine:
    """Parse a line of JSON. The original benchmark names the ``algorithm`` only in the name of the file.

    Raises:
        ValueError, TypeError, KeyError: it is not what such a line should be.
    """
    return _ours(tree) if "collection" in tree else _original(tree, algorithm)


def _ours(tree: Mapping[str, Any]) -> ResultLine:
    collection, algorithm = tree["collection"], tree.get("algorithm")
    if not isinstance(collection, str) or not isinstance(algorithm, (str, type(None))):
        raise TypeError("no name")
    if not isinstance(tree.get("options", {}), dict):
        raise TypeError("no options")
    of_data_set = _USER_FOLDER.fullmatch(collection)
    collection = of_data_set.group(1) if of_data_set else collection
    options = dict(tree.get("options", {}))
    table = options.pop("table", WHOLE_DAY_TABLE)
    if table not in TABLES:
        raise ValueError("no such table")
    settings = sys.intern(f"{tree.get('version')} {options}") if "options" in tree else None
    if tree.get("error") is not None:
        return ResultLine(collection, algorithm, error=str(tree["error"]), settings=settings, table=table)
    if algorithm is None:
        raise ValueError("no algorithm")
    metrics = tree["metrics"]
    inputs, parameters = tree.get("inputs"), tree.get("parameters")
    return ResultLine(
        collection,
        algorithm,
        _reviews(tree["reviews"]),
        _numbers([metrics.get(name) for name in METRICS]),
        None if parameters is None else int(parameters),
        None if inputs is None else tuple(map(str, inputs)),
        bool(tree.get("in_sample", False)),
        None,
        settings,
        table,
    )


def _original(tree: Mapping[str, Any], algorithm: str) -> ResultLine:
    metrics = tree["metrics"]
    return ResultLine(
        USER.format(user=int(tree["user"])),
        algorithm,
        _reviews(tree["size"]),
        _numbers([metrics.get(_ORIGINAL[name]) if name in _ORIGINAL else None for name in METRICS]),
        _parameter_count(tree.get("parameters"), algorithm),
        table=SAME_DAY_TABLE if _WITH_SAME_DAY.fullmatch(algorithm) else WHOLE_DAY_TABLE,
    )


def _parameter_count(parameters: object, algorithm: str) -> int | None:
    """Return the number of parameters, which are a list, or a list for each preset or deck. Networks write none."""
    if any(mark in algorithm for mark in _UNTRAINED):
        return 0
    if isinstance(parameters, dict):
        parameters = next(iter(parameters.values()), None)
    return len(parameters) if isinstance(parameters, list) else None


def _reviews(value: Any) -> int:
    if not 1 <= value <= MAX_ROWS or int(value) != value:
        raise ValueError("that many reviews")
    return int(value)


def _numbers(values: list[Any]) -> tuple[float, ...]:
    numbers = tuple(NAN if value is None else float(value) for value in values)
    if any(abs(number) > MAX_METRIC for number in numbers) or math.isnan(numbers[0]):
        raise ValueError("no log loss")
    return numbers
