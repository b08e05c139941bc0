"""Results joined on the collection, as an array for each metric.

Each collection has a row, and each algorithm has a column. The join is done without pandas, which nothing else here
needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tools.benchmark.results_format import METRICS
from tools.summarize.result_lines import ResultLine

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class AlgorithmFacts:
    """Facts about an algorithm, from all of its results."""

    name: str
    #: Maximum number of parameters trained on one collection. None if unknown.
    parameters: int | None
    inputs: tuple[str, ...] | None
    #: Whether it is in-sample on at least one collection.
    in_sample: bool


@dataclass(frozen=True)
class CollectionFailure:
    """Failure of an algorithm on a collection."""

    collection: str
    #: None if the collection itself could not be read.
    algorithm: str | None
    error: str


@dataclass(frozen=True)
class BenchmarkResults:
    """Results of k algorithms, in the order of their first results, on n collections, in the order of their names."""

    collections: tuple[str, ...]
    algorithms: tuple[AlgorithmFacts, ...]
    #: Number of scored reviews, shape (n, k). 0 if there is no result.
    reviews: Ints
    #: Values of each metric, shape (n, k). NaN if there is no value.
    metrics: dict[str, Floats]
    failures: tuple[CollectionFailure, ...]

    @property
    def names(self) -> list[str]:
        """Names of the algorithms."""
        return [facts.name for facts in self.algorithms]

    @property
    def has_result(self) -> Bools:
        """Whether there is a result, shape (n, k)."""
        return self.reviews > 0

    @property
    def is_common(self) -> Bools:
        """Whether all algorithms have a result for the same reviews, shape (n,)."""
        is_same = (self.reviews == self.reviews[:, :1]).all(axis=1)
        return np.asarray(is_same & self.has_result.all(axis=1))

    @property
    def odd_counts(self) -> Ints:
        """Number of collections on which each algorithm was scored on other reviews than most, shape (k,)."""
        median = np.nanmedian(np.where(self.has_result, self.reviews, np.nan), axis=1)
        return np.asarray((self.has_result & (self.reviews != median[:, None])).sum(axis=0))

    def with_algorithms(self, names: Sequence[str]) -> BenchmarkResults:
        """Return the results of only these algorithms, in this order.

        Collections without a result of any of them are left out. All failures are kept.
        """
        columns = np.array([self.names.index(name) for name in names], dtype=np.int64)
        rows = np.flatnonzero(self.has_result[:, columns].any(axis=1))
        position = np.ix_(rows, columns)
        return replace(
            self,
            collections=tuple(self.collections[row] for row in rows.tolist()),
            algorithms=tuple(self.algorithms[column] for column in columns.tolist()),
            reviews=self.reviews[position],
            metrics={name: values[position] for name, values in self.metrics.items()},
        )


def join(lines: Iterable[ResultLine]) -> BenchmarkResults:
    """Join lines on the collection.

    If an algorithm has several results on a collection, the last one counts. A failure counts only if there is no
    result.
    """
    results: dict[str, dict[str, ResultLine]] = {}
    errors: dict[tuple[str, str | None], str] = {}
    for line in lines:
        if line.error is not None:
            errors[line.collection, line.algorithm] = line.error
        elif line.algorithm is not None:
            results.setdefault(line.algorithm, {})[line.collection] = line
    collections = sorted({name for by_collection in results.values() for name in by_collection})
    row_of = {name: number for number, name in enumerate(collections)}
    reviews = np.zeros((len(collections), len(results)), dtype=np.int64)
    values = np.full((len(METRICS), len(collections), len(results)), np.nan)
    for column, by_collection in enumerate(results.values()):
        rows = [row_of[name] for name in by_collection]
        reviews[rows, column] = [line.reviews for line in by_collection.values()]
        values[:, rows, column] = np.array([line.metrics for line in by_collection.values()]).T
    return BenchmarkResults(
        collections=tuple(collections),
        algorithms=tuple(_facts_of(name, by_collection.values()) for name, by_collection in results.items()),
        reviews=reviews,
        metrics=dict(zip(METRICS, values, strict=True)),
        failures=tuple(_failures(errors, results)),
    )


def _failures(
    errors: Mapping[tuple[str, str | None], str], results: Mapping[str, Mapping[str, ResultLine]]
) -> Iterator[CollectionFailure]:
    """Yield the failures without a result, sorted by collection and algorithm."""
    with_results = {name for by_collection in results.values() for name in by_collection}
    for (collection, algorithm), error in sorted(errors.items(), key=lambda item: (item[0][0], item[0][1] or "")):
        if collection not in (with_results if algorithm is None else results.get(algorithm, {})):
            yield CollectionFailure(collection, algorithm, error)


def _facts_of(name: str, lines: Iterable[ResultLine]) -> AlgorithmFacts:
    """Return the facts about the algorithm with these results."""
    results = list(lines)
    counts = [line.parameters for line in results if line.parameters is not None]
    inputs = next((line.inputs for line in results if line.inputs is not None), None)
    return AlgorithmFacts(name, max(counts, default=None), inputs, any(line.in_sample for line in results))
