"""The catalog, which has every algorithm by name, in the order in which lists show them.

To add an algorithm, write a file that defines it and add the name of the file to ``FILES``.
"""

from __future__ import annotations

import difflib
import importlib
from dataclasses import replace
from typing import Dict, List, Optional, Sequence, Tuple

from ..errors import BadOption, UnknownName
from ..scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from .algorithm import Algorithm

#: The files that define algorithms, by family.
FILES = (
    "avg",
    "exploit",
    "sm2",
    "anki_sm2",
    "memrise",
    "fsrs1",
    "fsrs2",
    "fsrs3",
    "fsrs4",
    "fsrs5",
    "fsrs6",
    "fsrs7",
    "fsrs7_scheduled",
    "your_parameters",
    "hlr",
    "sbd",
    "logistic_regression",
    "dash",
    "act_r",
    "ebisu",
    "gru39",
    "nn17",
    "transformer",
    "lstm489",
    "lstm",
    "gru",
)
MODULES = tuple(importlib.import_module(f".{name}", __package__) for name in FILES)
CATALOG: Dict[str, Algorithm] = {algorithm.name: algorithm for module in MODULES for algorithm in module.ALGORITHMS}

#: Algorithms that run only if they are requested by name, because they test a metric.
ON_REQUEST = {"RMSE-BINS-EXPLOIT"}

#: The algorithms in the two tables of the public benchmark of September 2026.
PUBLISHED = {
    "AVG",
    "MOVING-AVG",
    "FSRS v1",
    "FSRS v2",
    "FSRS v3",
    "FSRS v4",
    "FSRS-4.5",
    "FSRS-5",
    "FSRS-6",
    "FSRS-7 default",
    "FSRS-7",
    "FSRS-7 recency",
    "FSRS-7 preset",
    "FSRS-7 deck",
    "FSRS-7 sched. penalties",
    "FSRS-7 recency + sched. penalties",
    "FSRS-rs",
    "SBD",
    "Logistic Regression",
    "LSTM",
    "GRU",
    "HLR",
    "HLR-short",
    "DASH",
    "DASH-short",
    "DASH[MCM]",
    "DASH[ACT-R]",
    "ACT-R",
    "Ebisu v2",
}
#: The algorithms in the benchmark's table of January 2025.
PUBLISHED_2025 = {
    "AVG",
    "MOVING-AVG",
    "SM-2",
    "SM-2 trainable",
    "Anki-SM-2",
    "Anki-SM-2 trainable",
    "FSRS v1",
    "FSRS v2",
    "FSRS v3",
    "FSRS v4",
    "FSRS-4.5",
    "FSRS-5 default",
    "FSRS-5 pretrain",
    "FSRS-5",
    "FSRS-5 recency",
    "FSRS-6 default",
    "FSRS-6",
    "FSRS-6 pretrain",
    "FSRS-6 recency",
    "FSRS-6 binary",
    "FSRS-6 preset",
    "FSRS-6 deck",
    "FSRS-7 default",
    "FSRS-7",
    "FSRS-7 recency",
    "FSRS-rs",
    "HLR",
    "DASH",
    "DASH[MCM]",
    "DASH[ACT-R]",
    "ACT-R",
    "Ebisu v2",
    "GRU (39)",
    "GRU-P",
    "GRU-P-short",
    "NN-17",
    "Transformer",
    "LSTM",
}
#: The algorithms in the comparison of 2023, from which the benchmark grew.
PUBLISHED_2023 = {"FSRS v4", "FSRS v3", "LSTM (489)", "SM-2", "Memrise"}

#: The default comparison. :meth:`evaluator.options.Options.for_snapshot` adapts it to the user's presets.
DEFAULT = {
    "Your parameters",
    "FSRS-6 optimized",
    "FSRS-6",
    "FSRS-6 default",
    "Anki-SM-2 calibrated",
    "Anki-SM-2",
    "AVG",
}

#: Names of groups of algorithms.
ALGORITHM_GROUPS: Dict[str, Tuple[str, ...]] = {
    key: tuple(name for name in CATALOG if name in members)
    for key, members in (
        ("default", DEFAULT),
        ("fsrs-6-7", {"FSRS-6", "FSRS-7"}),
        ("published", PUBLISHED),
        ("all", CATALOG.keys() - ON_REQUEST),
        ("published-2025", PUBLISHED_2025),
        ("published-2023", PUBLISHED_2023),
    )
}
#: The group "default" of the same-day table. Its last algorithm is FSRS-7 as planned for Anki.
SAME_DAY_DEFAULT = (
    "AVG",
    "SM-2",
    "FSRS-6",
    "FSRS-7 default",
    "FSRS-7",
    "FSRS-7 recency",
    "FSRS-7 recency + sched. penalties",
)


def resolve(names: Sequence[str], baseline: Optional[str] = None, table: str = WHOLE_DAY_TABLE) -> List[Algorithm]:
    """Return the algorithms with these names or in these groups, and the baseline.

    Each algorithm comes once, in catalog order. Case does not matter. A group lacks the algorithms that cannot be
    run on the table.

    Args:
        names: names of algorithms and groups.
        baseline: name of an algorithm that is added, if any.
        table: the table on which the algorithms are to be run.

    Raises:
        BadOption: if all names are blank, or the baseline is a group.
        UnknownName: if a name is neither an algorithm nor a group. The error suggests similar names.
    """
    if not any(name.strip() for name in names):
        raise BadOption(option="algorithms", value="", allowed="algorithms", known=list(ALGORITHM_GROUPS))
    requested = {algorithm for name in names for algorithm in _resolve_name(name, table)}
    if baseline is not None:
        requested.add(resolve_baseline(baseline).name)
    return [replace(algorithm, table=table) for name, algorithm in CATALOG.items() if name in requested]


def resolve_baseline(name: str) -> Algorithm:
    """Return the algorithm of that name.

    Raises:
        BadOption: if the name is that of a group.
        UnknownName: if no algorithm has the name.
    """
    if name.strip().lower() in ALGORITHM_GROUPS:
        raise BadOption(option="baseline", value=name, allowed="baseline")
    return CATALOG[_resolve_name(name)[0]]


def group_members(name: str, table: str) -> Tuple[str, ...]:
    """Return the names of the algorithms of a group that can be run on a table."""
    names = SAME_DAY_DEFAULT if (name, table) == ("default", SAME_DAY_TABLE) else ALGORITHM_GROUPS[name]
    return tuple(algorithm for algorithm in names if replace(CATALOG[algorithm], table=table).is_runnable)


def _resolve_name(name: str, table: str = WHOLE_DAY_TABLE) -> Tuple[str, ...]:
    """Return the names in a group, or the name of one algorithm as the catalog spells it."""
    lower_name = name.strip().lower()
    if lower_name in ALGORITHM_GROUPS:
        return group_members(lower_name, table)
    names_by_lower = {valid_name.lower(): valid_name for valid_name in (*ALGORITHM_GROUPS, *CATALOG)}
    if lower_name not in names_by_lower:
        suggestions = [
            names_by_lower[similar] for similar in difflib.get_close_matches(lower_name, names_by_lower, n=3)
        ]
        raise UnknownName(what="algorithm", name=name, suggestions=suggestions, known=list(names_by_lower.values()))
    return (names_by_lower[lower_name],)
