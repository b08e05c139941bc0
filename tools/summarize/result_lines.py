"""Lines of a results file, with the result of one algorithm on one collection.

A line has the form of `benchmark`, or that of the original benchmark. They are checked without a library for schemas,
which would be one more to download.
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
from tools.benchmark.results_format import METRICS

NAN = float("nan")

#: Bound that is far above any value of a metric, so that sums and squares stay finite.
MAX_METRIC = 1e6

#: The original benchmark's names of metrics. Its RMSE (bins) uses the constants in its code, not those on its page.
_ORIGINAL_NAMES = {
    "log_loss": "LogLoss",
    "rmse_bins_benchmark": "RMSE(bins)",
    "auc": "AUC",
    "smece": "smECE",
    "mbe": "MBE",
    "precision_90": "precision@90",
    "recall_90": "recall@90",
}
#: The original benchmark's names of algorithms that were run with the options for same-day reviews, and with no others.
_WITH_SAME_DAY = re.compile(r".+-short-secs(-recency)?")
#: Parts of the original benchmark's names of algorithms that were not trained.
_UNTRAINED = ("-dry-run", "-default")
#: Name of the collection that the original benchmark calls user N.
USER = "user_id={user}"
#: Path of that collection, wherever the public data set is.
_USER_FOLDER = re.compile(r"(?:.*/)?(user_id=[0-9]+)")


@dataclass(frozen=True, slots=True)
class ResultLine:
    """Result of one algorithm on one collection. If it failed, ``error`` says why, and there are no numbers."""

    collection: str
    #: None if the collection itself could not be read.
    algorithm: str | None
    #: Number of scored reviews.
    reviews: int = 0
    #: The value of each of :data:`METRICS`. NaN if there is none.
    metrics: tuple[float, ...] = (NAN,) * len(METRICS)
    #: Number of trained parameters. None if unknown.
    parameters: int | None = None
    #: What the algorithm uses of a card's past. None if unknown.
    inputs: tuple[str, ...] | None = None
    in_sample: bool = False
    error: str | None = None
    #: The version, and the options without the table. None if unknown.
    settings: str | None = None
    table: str = WHOLE_DAY_TABLE


def is_result(tree: object) -> bool:
    """Return whether parsed JSON is a result line, in the form of `benchmark` or of the original benchmark."""
    return isinstance(tree, dict) and (
        ("collection" in tree and ("metrics" in tree or "error" in tree)) or ("user" in tree and "metrics" in tree)
    )


def parse(tree: Mapping[str, Any], algorithm: str) -> ResultLine:
    """Convert a line of parsed JSON.

    Args:
        tree: the line, for which :func:`is_result` is true.
        algorithm: the name of the file. The original benchmark names the algorithm only there.

    Raises:
        ValueError, TypeError, KeyError: if the line is not valid.
    """
    return _parse_benchmark(tree) if "collection" in tree else _parse_original(tree, algorithm)


def _parse_benchmark(tree: Mapping[str, Any]) -> ResultLine:
    """Convert a line of `benchmark`."""
    algorithm = tree.get("algorithm")
    if not isinstance(algorithm, (str, type(None))):
        raise TypeError("no name")
    user_folder = _USER_FOLDER.fullmatch(tree["collection"])
    collection = user_folder[1] if user_folder else tree["collection"]
    options = {**tree.get("options", {})}
    table = options.pop("table", WHOLE_DAY_TABLE)
    if table not in TABLES:
        raise ValueError("no such table")
    settings = sys.intern(f"{tree.get('version')} {options}") if "options" in tree else None
    if tree.get("error") is not None:
        return ResultLine(collection, algorithm, error=str(tree["error"]), settings=settings, table=table)
    if algorithm is None:
        raise ValueError("no algorithm")
    metrics = tree["metrics"]
    inputs = tree.get("inputs")
    parameters = tree.get("parameters")
    return ResultLine(
        collection,
        algorithm,
        reviews=_review_count(tree["reviews"]),
        metrics=_metric_values([metrics.get(name) for name in METRICS]),
        parameters=None if parameters is None else int(parameters),
        inputs=None if inputs is None else tuple(map(str, inputs)),
        in_sample=bool(tree.get("in_sample", False)),
        settings=settings,
        table=table,
    )


def _parse_original(tree: Mapping[str, Any], algorithm: str) -> ResultLine:
    """Convert a line of the original benchmark."""
    metrics = tree["metrics"]
    return ResultLine(
        USER.format(user=int(tree["user"])),
        algorithm,
        reviews=_review_count(tree["size"]),
        metrics=_metric_values([metrics.get(_ORIGINAL_NAMES.get(name)) for name in METRICS]),
        parameters=_parameter_count(tree.get("parameters"), algorithm),
        table=SAME_DAY_TABLE if _WITH_SAME_DAY.fullmatch(algorithm) else WHOLE_DAY_TABLE,
    )


def _parameter_count(parameters: object, algorithm: str) -> int | None:
    """Return the number of parameters of the original benchmark, or None if it is unknown.

    The parameters are a list, or a list for each preset or deck. For networks there are none.
    """
    if any(mark in algorithm for mark in _UNTRAINED):
        return 0
    if isinstance(parameters, dict):
        parameters = next(iter(parameters.values()), None)
    return len(parameters) if isinstance(parameters, list) else None


def _review_count(value: Any) -> int:
    """Return a number of reviews. Raises ValueError if it is not a possible one."""
    if not 1 <= value <= MAX_ROWS or int(value) != value:
        raise ValueError("invalid number of reviews")
    return int(value)


def _metric_values(values: list[Any]) -> tuple[float, ...]:
    """Return the values of metrics, with NaN for None. Raises ValueError if one is too large, or the first is None."""
    numbers = tuple(NAN if value is None else float(value) for value in values)
    if any(abs(number) > MAX_METRIC for number in numbers) or math.isnan(numbers[0]):
        raise ValueError("no log loss")
    return numbers
