"""``python3 tools measure screen``: measure how often the first screen is wrong about simulated learners."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import as_completed
from itertools import product
from typing import NamedTuple

from tools import parsers
from tools.arguments import check_minimum
from tools.development.measure.follow import Case, follow
from tools.output.markdown import markdown_table
from tools.output.progress_line import ProgressLine
from tools.output.streams import say
from tools.processes import processes
from tools.simulate.kinds import CONDITIONS, ONE, OPPOSITE, SM2, TWO, Kind
from tools.simulate.memory_models import DASH, FSRS, TWO_TRACES

#: Kinds of memory: FSRS-6, two traces, and DASH-like.
MEMORIES = (FSRS, TWO_TRACES, DASH)
#: Numbers of scored reviews of the logs.
SIZES = (500, 3_000, 20_000)
#: For each use of a scheduler, one in this many log numbers is simulated.
EVERY = {ONE: 1, TWO: 3, OPPOSITE: 3, SM2: 3}
#: Minimum number of cases for a verdict.
MIN_CASES = 100
#: Names of own parameters in presets, see :mod:`.follow`.
PARAMETERS = ("default", "half", "recent", "half, saved", "other's, saved", "fresh and stale", "scheduling")


class Limit(NamedTuple):
    """Limit of how often a claim may be wrong."""

    claim: str
    #: The truth with which the claim is wrong.
    truth: str
    #: Maximum share of wrong claims, or minimum mean gain. None if the share is only printed.
    limit: float | None
    #: Whether it is a claim of a gain.
    is_gain: bool = False


#: Limit of each claim of :mod:`.follow`, as a share of the people told. "Off, of the accurate" is a share of the people
#: with that truth.
LIMITS = {
    "right": Limit("about right", "true gap on the same reviews 3 points or more", 0.025),
    "off": Limit("too optimistic or too cautious", "true gap below 1 point", 0.10),
    "off, of the accurate": Limit("the same, of all with a true gap below 1 point", "told so", 0.05),
    "off, wrong sign": Limit("the same", "true gap over 1 point on the other side", 0.005),
    "bracket": Limit("likely 89% to 91%", "the true share on these reviews is outside", 0.06),
    "dot": Limit("a filled dot", "true error on the other side, or below half a point", 0.10),
    "perfect forecaster": Limit("any dot outside the band", "predictions are the true probabilities", 0.07),
    "optimize": Limit("Optimize", "log loss would have been higher by more than 0.005", 0.10),
    **{
        f"optimize, gain: {name}": Limit("the same", f"mean gain in log loss, {name}", 0.002, is_gain=True)
        for name in PARAMETERS
    },
    "nothing": Limit("Nothing to do", "optimizing would have gained more than 0.005", 0.05),
    "desired_retention": Limit("another desired retention", "moved away from the target", 0.20),
    "would, steady": Limit("would predict better", "two equally good, steady", 0.05),
    "would, drifting": Limit("the same", "two equally good, drifting up to a quarter of the time", 0.10),
    "past": Limit("on your reviews, predicted better", "on them it was worse", 0.025),
    "contradictions": Limit("the screens of one report", "they contradict each other", 0.0),
    "right, next quarter": Limit("about right", "off by 3 points or more in the next quarter", None),
    "ever off": Limit("off, in some week of a year", "predictions are the true probabilities", None),
}


def main(arguments: list[str]) -> int:
    """Simulate review logs, and print the table of claims. After Ctrl-C, it is about the logs simulated so far."""
    options = parsers.measure_screen().parse_args(arguments)
    logs = _choose_logs(options)
    cases: dict[int, list[Case]] = {}
    try:
        with ProgressLine() as line, processes(options.processes) as pool:
            line.show(0.0, f"0 of {len(logs):,} logs")
            index = {pool.submit(follow, *log, options.seed): number for number, log in enumerate(logs)}
            for future in as_completed(index):
                cases[index[future]] = future.result()
                line.show(len(cases) / len(logs), f"{len(cases):,} of {len(logs):,} logs")
    except KeyboardInterrupt:
        say("Stopped. The table is about the logs so far.")
    print(f"{len(cases):,} review logs, seed {options.seed}.\n")
    print(table([case for number in sorted(cases) for case in cases[number]]))
    return 0


def _choose_logs(options: argparse.Namespace) -> list[tuple[Kind, int]]:
    """Return the kind and number of each log. All kinds take turns, so that the first logs are a sample of all."""
    check_minimum(options, logs=1, seed=0, processes=1)
    kinds = [
        Kind(memory, condition, size, use)
        for size, use, memory in product(SIZES, EVERY, MEMORIES)
        for condition in CONDITIONS[use]
    ]
    return [(kind, number) for number in range(options.logs) for kind in kinds if number % EVERY[kind.use] == 0]


def table(cases: Sequence[Case]) -> str:
    """Return a Markdown table of how often each claim was wrong, by size and for all cases, and the contradictions."""
    sizes = sorted({case.kind.size for case in cases})
    header = ("said", "wrong if", *(f"{size:,}" for size in sizes), "all", "limit", "")
    rows = []
    for claim, limit in LIMITS.items():
        claim_cases = [case for case in cases if case.claim == claim]
        # None stands for all sizes.
        values = [[case.value for case in claim_cases if size in (case.kind.size, None)] for size in (*sizes, None)]
        allowed = "" if limit.limit is None else f"above {limit.limit}" if limit.is_gain else f"{limit.limit:.1%}"
        cells = (_cell(limit, item) for item in values)
        rows.append((limit.claim, limit.truth, *cells, allowed, _verdict(limit, values[:-1])))
    facts = [f"\n{case.kind}, log {case.number}, {case.parameters}: {fact}" for case in cases for fact in case.facts]
    return "\n".join([markdown_table(header, rows, text_columns=(0, 1)), *facts])


def _cell(limit: Limit, values: Sequence[float]) -> str:
    """Return the number of wrong claims, the number of claims, and the share. For a gain, return its mean instead."""
    if not values:
        return "0"
    mean = sum(values) / len(values)
    return f"{mean:+.4f} of {len(values):,}" if limit.is_gain else f"{sum(values):,.0f} of {len(values):,}, {mean:.1%}"


def _verdict(limit: Limit, columns: Sequence[Sequence[float]]) -> str:
    """Return whether the limit is met at all sizes with enough cases. For a limit of 0, one case is enough."""
    if limit.limit is None:
        return "told"
    min_cases = MIN_CASES if limit.limit else 1
    means = [sum(values) / len(values) for values in columns if len(values) >= min_cases]
    if not means:
        return "not measured"
    is_met = min(means) > limit.limit if limit.is_gain else max(means) <= limit.limit
    return "met" if is_met else "missed"
