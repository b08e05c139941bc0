"""The summary of many collections, as a frozen tree of plain values."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import numpy as np

from evaluator import __version__
from evaluator.report.json_form import DECIMALS, to_plain
from evaluator.scope import WHOLE_DAY_TABLE
from tools.arguments import BadResults
from tools.benchmark.results_format import METRICS
from tools.summarize import bca
from tools.summarize.joined_results import BenchmarkResults, CollectionFailure, Floats
from tools.summarize.pairs import COMPARED, LEVEL, Pair, compare_all
from ui.text.sanitize import elide_middle, sanitize_text

#: Version of the JSON form. It is raised when a key changes its meaning or is removed.
VERSION = 2

#: Weightings of the collections. The published tables weight them by their scored reviews.
WEIGHTINGS = ("weighted by reviews", "unweighted")


@dataclass(frozen=True)
class Mean:
    """A mean over collections."""

    value: float
    #: Confidence limits. None if there are too few collections.
    low: float | None
    high: float | None
    #: Number of collections.
    collections: int


@dataclass(frozen=True)
class Row:
    """Means of one algorithm, over the collections on which all algorithms have a result."""

    algorithm: str
    parameters: int | None
    inputs: tuple[str, ...] | None
    in_sample: bool
    #: Number of all collections on which it has a result.
    results: int
    #: Number of failures.
    failures: int
    #: Number of collections on which it was scored on other reviews than most of the algorithms.
    odd: int
    #: Means by weighting, then by metric. None if no collection has a value.
    means: dict[str, dict[str, Mean | None]]

    @property
    def label(self) -> str:
        """Name of the algorithm in tables."""
        name = sanitize_text(self.algorithm, whole=False)
        return f"{name} (in-sample)" if self.in_sample else name


@dataclass(frozen=True)
class Summary:
    """Summary of the results of all algorithms on many collections."""

    #: Name and version of this program.
    software: str
    #: One of the tables of :mod:`evaluator.scope`.
    table: str
    #: Number of collections on which all algorithms have a result for the same reviews. The means are over these.
    collections: int
    #: Number of scored reviews on these collections.
    reviews: int
    #: Number of scored reviews on all collections.
    all_reviews: int
    #: Number of collections on which some algorithm has no result.
    incomplete: int
    #: Number of collections on which the algorithms were scored on different reviews.
    unequal: int
    #: Number of collections on which no algorithm has a result.
    unreadable: int
    #: Level of the confidence intervals.
    confidence: float
    #: Number of resamples for them, and the seed of the random numbers.
    resamples: int
    seed: int
    #: Significance level of the corrected p-values.
    level: float
    #: Algorithms, sorted by the mean log loss weighted by reviews, the best first.
    rows: tuple[Row, ...]
    #: Pairs of algorithms by metric, sorted like the rows within each.
    pairs: tuple[Pair, ...]
    #: Names of the algorithms that failed on every collection.
    without_results: tuple[str, ...]
    failures: tuple[CollectionFailure, ...]

    @property
    def pairs_by_metric(self) -> dict[str, list[Pair]]:
        """The pairs of each metric that at least one pair has values of."""
        pairs = {metric: [pair for pair in self.pairs if pair.metric == metric] for metric in COMPARED}
        return {metric: compared for metric, compared in pairs.items() if any(pair.collections for pair in compared)}

    @property
    def note(self) -> str:
        """Sentence on the meaning of row labels, or nothing if none is needed."""
        if not any(row.in_sample for row in self.rows):
            return ""
        return "In-sample: its parameters may have been fitted on the reviews that are scored."


def summarize(results: BenchmarkResults, table: str = WHOLE_DAY_TABLE) -> tuple[Summary, BenchmarkResults]:
    """Summarize the results of one table.

    Returns:
        The summary, and the results with the algorithms in its order.

    Raises:
        BadResults: if there is no collection on which all algorithms have a result for the same reviews.
    """
    if not results.is_common.any():
        raise BadResults(_no_common_collection(results))
    means = _means(results)
    order = sorted(results.names, key=lambda name: _sort_key(means[name][WEIGHTINGS[0]]["log_loss"]))
    results = results.with_algorithms(order)
    is_common = results.is_common
    with_failures = {failure.algorithm for failure in results.failures if failure.algorithm is not None}
    is_complete = results.has_result.all(axis=1)
    odd_counts = results.odd_counts
    pairs = compare_all(results)
    rows = tuple(
        Row(
            algorithm=facts.name,
            parameters=facts.parameters,
            inputs=facts.inputs,
            in_sample=facts.in_sample,
            results=int(results.has_result[:, column].sum()),
            failures=sum(failure.algorithm == facts.name for failure in results.failures),
            odd=int(odd_counts[column]),
            means=means[facts.name],
        )
        for column, facts in enumerate(results.algorithms)
    )
    summary = Summary(
        software=f"SRS Evaluator {__version__}",
        table=table,
        collections=int(is_common.sum()),
        reviews=int(results.reviews[is_common, 0].sum()),
        all_reviews=int(results.reviews.max(axis=1).sum()),
        incomplete=int((~is_complete).sum()),
        unequal=int((is_complete & ~is_common).sum()),
        unreadable=len({failure.collection for failure in results.failures} - set(results.collections)),
        confidence=bca.CONFIDENCE,
        resamples=bca.RESAMPLES,
        seed=bca.SEED,
        level=LEVEL,
        rows=rows,
        pairs=pairs,
        without_results=tuple(sorted(with_failures.difference(order))),
        failures=results.failures,
    )
    return summary, results


def to_dict(summary: Summary) -> dict[str, Any]:
    """Return the JSON form of a summary, with rounded floats."""
    return {"version": VERSION, **to_plain(asdict(summary), DECIMALS)}


def _means(results: BenchmarkResults) -> dict[str, dict[str, dict[str, Mean | None]]]:
    """Return the means by algorithm, weighting and metric.

    Columns with values on the same collections share the resamples for their intervals.
    """
    means: dict[str, dict[str, dict[str, Mean | None]]] = {
        name: {weighting: dict.fromkeys(METRICS) for weighting in WEIGHTINGS} for name in results.names
    }
    is_common = results.is_common
    reviews = results.reviews[is_common, 0].astype(np.float64)
    columns = list(product(METRICS, results.names))
    values = np.concatenate([results.metrics[metric][is_common] for metric in METRICS], axis=1)
    patterns, pattern_of_column = np.unique(np.isfinite(values), axis=1, return_inverse=True)
    for number, has_value in enumerate(patterns.T):
        if not has_value.any():
            continue
        alike = np.flatnonzero(pattern_of_column == number)
        weights = np.stack([reviews[has_value], np.ones(has_value.sum())], axis=1)
        means_by_weighting = _means_with_intervals(values[np.ix_(has_value, alike)], weights)
        for weighting, means_of_columns in zip(WEIGHTINGS, means_by_weighting, strict=True):
            for index, mean in zip(alike.tolist(), means_of_columns, strict=True):
                metric, name = columns[index]
                means[name][weighting][metric] = mean
    return means


def _means_with_intervals(values: Floats, weights: Floats) -> list[list[Mean]]:
    """Return the means of the columns of ``values`` (n, k) with their intervals.

    There is a list of means for each column of ``weights`` (n, w).
    """
    n = len(values)
    means = bca.weighted_means(values, weights)
    if n < bca.MIN_COLLECTIONS:
        return [[Mean(value, None, None, n) for value in column_means] for column_means in means.tolist()]
    low, high = bca.intervals(values, weights)
    return [
        [Mean(*mean_low_high, n) for mean_low_high in zip(*rows, strict=True)]
        for rows in zip(means.tolist(), low.tolist(), high.tolist(), strict=True)
    ]


def _sort_key(mean: Mean | None) -> float:
    """Return the value of a mean, or infinity if there is none."""
    return math.inf if mean is None else mean.value


def _no_common_collection(results: BenchmarkResults) -> str:
    """Explain why there is no collection on which all algorithms have a result for the same reviews."""
    if not results.algorithms:
        return "No algorithm has a result on any collection."
    counts = results.has_result.sum(axis=0)
    odd_counts = results.odd_counts
    fewest = int(counts.argmin())
    oddest = int(odd_counts.argmax())
    sentences = ["There is no collection on which all algorithms have a result of the same reviews."]
    if counts[fewest] < len(results.collections):
        name = elide_middle(results.names[fewest])
        sentences.append(f"Fewest results: {name}, {counts[fewest]:,} of {len(results.collections):,}.")
    if odd_counts[oddest]:
        name = elide_middle(results.names[oddest])
        sentences.append(f"{name} was scored on other reviews than most, on {odd_counts[oddest]:,} of them.")
    return " ".join([*sentences, "--without leaves algorithms out."])
