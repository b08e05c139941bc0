"""Format of the file of results, which has a JSON object on each line, for a collection and an algorithm."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from evaluator.options import Options
from evaluator.report import DECIMALS, Report, escape_for_json
from evaluator.report.json_form import to_plain
from ui.text import strings
from ui.text.error_sentences import error_sentence
from ui.views.metric_views import VIEWS

#: Keys of the metrics in a line, which are those in a row of the report. `summarize` averages them.
METRICS = tuple(VIEWS)
#: Error of a collection or an algorithm that no sentence describes.
MISTAKE = "A mistake in the program: python3 tools evaluate with --traceback shows where."

#: A line of the file as a tree of plain values.
Line = dict[str, Any]


def settings(options: Options, next_day_at: int | None) -> dict[str, Any]:
    """Return the settings that comparable lines have in common, which are all options except the algorithms."""
    return {
        "table": options.table,
        "folds": options.folds,
        "since": None if options.since is None else options.since.isoformat(),
        "same_day": options.same_day,
        "outlier_filter": options.outlier_filter,
        "next_day_at": next_day_at,
    }


def report_lines(report: Report, about: Mapping[str, Any]) -> Iterator[Line]:
    """Yield a line for each algorithm of the report. ``about`` has the keys that all lines of a collection share."""
    for result in report.results:
        if result.error is not None:
            is_mistake = result.error.code == "mistake"
            yield failure_line(about, result.algorithm, MISTAKE if is_mistake else error_sentence(result.error))
            continue
        yield {
            **about,
            "algorithm": result.algorithm,
            "reviews": result.size,
            "metrics": {name: to_plain(result.value(name), DECIMALS) for name in METRICS},
            "parameters": result.parameter_count,
            "inputs": [strings.USES[code] for code in result.uses],
            "in_sample": result.in_sample,
        }


def failure_line(about: Mapping[str, Any], algorithm: str | None, error: str) -> Line:
    """Return the line of a failure. The algorithm is None if the whole collection failed."""
    return {**about, "algorithm": algorithm, "error": error}


def to_bytes(line: Line) -> bytes:
    """Return a line in UTF-8 with its newline. Equal lines give equal bytes.

    Bytes of a file's name that are not text are escaped, and JSON readers restore them.
    """
    return (escape_for_json(json.dumps(line, ensure_ascii=False, sort_keys=True, allow_nan=False)) + "\n").encode()


#: First characters of every line.
START = '{"algorithm": '
