"""``python3 tools algorithms``: print the catalog of algorithms by family."""

from __future__ import annotations

import sys
from itertools import groupby

from rich.console import RenderableType
from rich.padding import Padding

from evaluator.algorithms import ALGORITHM_GROUPS, CATALOG
from evaluator.algorithms.algorithm import Algorithm
from tools.output.terminal import ENDLESS, format_columns, grid, heading, styled_text
from ui.text.phrases import uses_words


def main(_arguments: list[str]) -> int:
    """Print every algorithm with its description, its number of trained parameters and its inputs."""
    width = max(map(len, CATALOG))
    families = [algorithm.family for algorithm in CATALOG.values()]
    parts: list[RenderableType] = []
    by_family = sorted(CATALOG.values(), key=lambda algorithm: families.index(algorithm.family))
    for family, members in groupby(by_family, lambda algorithm: algorithm.family):
        rows = [(item.name.ljust(width), f"{item.description}.\n{_parameters_and_inputs(item)}") for item in members]
        parts += [heading(f"{family}:"), Padding(grid((), rows, max_width=ENDLESS), (0, 0, 0, 2)), ""]
    for group, names in ALGORITHM_GROUPS.items():
        text = ", ".join(names) if group != "all" else "all but RMSE-BINS-EXPLOIT, which must be named"
        parts.append(styled_text(f"{group}: {text}"))
    print(format_columns(parts, sys.stdout), end="")
    return 0


def _parameters_and_inputs(algorithm: Algorithm) -> str:
    trained = f"{algorithm.trained_count} trained parameters" if algorithm.trained else "not trained"
    return f"{trained}; uses {uses_words(algorithm.input_codes())}"
