"""All results, joined on the collection: for each metric an array, a row per collection, a column per algorithm.

Joined by hand: nothing else here needs pandas.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tools.benchmark.lines import METRICS
from tools.summarize.lines import ResultLine

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Entrant:
    """Results of one algorithm."""

    name: str
    parameters: int | None = None  #: maximum number trained on one collection
    inputs: tuple[str, ...] | None = None
    in_sample: bool = False  #: on at least one collection


@dataclass(frozen=True)
class CollectionFailure:
    """An algorithm without a result on a collection. None means that no algorithm has one."""

    collection: str
    algorithm: str | None
    error: str


@dataclass(frozen=True)
class BenchmarkResults:
    """n collections in the order of their names, k algorithms in that of their first result."""

    collections: tuple[str, ...]
    entrants: tuple[Entrant, ...]
    reviews: Ints  #: (n, k); 0 if the algorithm has no result
    metrics: dict[str, Floats]  #: (n, k) each; NaN if there is no value
    failures: tuple[CollectionFailure, ...]

    @property
    def names(self) -> list[str]:
        """Names of the algorithms."""
        return [entrant.name for entrant in self.entrants]

    @property
    def present(self) -> Bools:
        """(n, k): whether there is a result."""
        return self.reviews > 0

    @property
    def common(self) -> Bools:
        """(n,): whether all algorithms have a result, on the same reviews."""
        same = (self.reviews == self.reviews[:, :1]).all(axis=1)
        return np.asarray(same & self.present.all(axis=1))

    @property
    def odd(self) -> Ints:
        """(k,): on how many collections each algorithm was scored on other reviews than most."""
        middle = np.nanmedian(np.where(self.present, self.reviews, np.nan), axis=1)
        return np.asarray((self.present & (self.reviews != middle[:, None])).sum(axis=0))

    def of(self, names: Sequence[str]) -> BenchmarkResults:
        """Return only these algorithms, in this order. Collections without any of them are dropped, failures kept."""
        columns = np.array([self.names.index(name) for name in names], dtype=np.int64)
        rows = np.flatnonzero(self.present[:, columns].any(axis=1))
        position = np.ix_(rows, columns)
        return BenchmarkResults(
            tuple(self.collections[row] for row in rows.tolist()),
            tuple(self.entrants[column] for column in columns.tolist()),
            self.reviews[position],
            {name: values[position] for name, values in self.metrics.items()},
            self.failures,
        )


def join(lines: Iterable[ResultLine]) -> BenchmarkResults:
    """Join lines: an algorithm's last result on a collection counts, a failure only if there is no result."""
    result: dict[str, dict[str, ResultLine]] = {}
    failed: dict[tuple[str, str | None], str] = {}
    for line in lines:
        if line.error is not None:
            failed[line.collection, line.algorithm] = line.error
        elif line.algorithm is not None:
            result.setdefault(line.algorithm, {})[line.collection] = line
    collections = sorted({name for by_collection in result.values() for name in by_collection})
    row = {name: number for number, name in enumerate(collections)}
    reviews = np.zeros((len(collections), len(result)), dtype=np.int64)
    values = np.full((len(METRICS), len(collections), len(result)), np.nan)
    for column, by_collection in enumerate(result.values()):
        rows = [row[name] for name in by_collection]
        reviews[rows, column] = [line.reviews for line in by_collection.values()]
        values[:, rows, column] = np.array([line.metrics for line in by_collection.values()]).T
    return BenchmarkResults(
        tuple(collections),
        tuple(_entrant(name, by_collection.values()) for name, by_collection in result.items()),
        reviews,
        dict(zip(METRICS, values, strict=True)),
        tuple(
            CollectionFailure(collection, algorithm, error)
            for (collection, algorithm), error in sorted(
                failed.items(), key=lambda item: (item[0][0], item[0][1] or "")
            )
            if (collection not in row if algorithm is None else collection not in result.get(algorithm, {}))
        ),
    )


def _entrant(name: str, lines: Iterable[ResultLine]) -> Entrant:
    results = list(lines)
    counts = [line.parameters for line in results if line.parameters is not None]
    inputs = next((line.inputs for line in results if line.inputs is not None), None)
    return Entrant(name, max(counts, default=None), inputs, any(line.in_sample for line in results))
