"""``python3 tools algorithms``: the catalogue, by family."""

from __future__ import annotations

from itertools import groupby

from evaluator.algorithms import ALGORITHM_GROUPS, CATALOGUE
from evaluator.algorithms.algorithm import Algorithm
from tools.arguments import Parser
from ui.text.phrases import uses_words


def main(arguments: list[str]) -> int:
    """Print every algorithm with what it is, what it trains and what it uses."""
    Parser(prog="python3 tools algorithms", description=__doc__).parse_args(arguments)
    width = max(map(len, CATALOGUE))
    for family, members in groupby(sorted(CATALOGUE.values(), key=_family_position), lambda a: a.family):
        print(f"{family}:")
        for algorithm in members:
            print(f"  {algorithm.name:{width}}  {algorithm.description}.")
            print(f"  {'':{width}}  {_facts(algorithm)}")
        print()
    for group, names in ALGORITHM_GROUPS.items():
        print(f"{group}: {', '.join(names) if group != 'all' else 'all but RMSE-BINS-EXPLOIT, run only when named'}")
    return 0


def _family_position(algorithm: Algorithm) -> int:
    families = list(dict.fromkeys(a.family for a in CATALOGUE.values()))
    return families.index(algorithm.family)


def _facts(algorithm: Algorithm) -> str:
    trained = f"{algorithm.trained_count} trained parameters" if algorithm.trained else "not trained"
    return f"{trained}; uses {uses_words(algorithm.known_inputs())}"
