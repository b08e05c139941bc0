"""``python3 tools measure screen``: how often the first screen is wrong, on simulated people whose truth is known."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from evaluator.errors import BadOption, EvaluatorError
from tools import parsers
from tools.arguments import INPUT_AT_FAULT, check_minimum
from tools.benchmark.executors import processes
from tools.development.measure.follow import BREAK, DRIFT, HARD, OFF, ONE, PLAIN, TWO, Case, Kind, follow
from tools.output.progress import ProgressLine
from tools.output.streams import say
from tools.simulate.memories import DASH, FSRS, TWO_TRACES
from ui.text.errors import error_sentence

MEMORIES = {FSRS: "FSRS-6", TWO_TRACES: "two traces", DASH: "DASH-like"}
SIZES = (500, 3_000, 20_000)
#: Share of the logs of one preset that is simulated of the other uses.
SHARE = {ONE: 1, TWO: 3, OFF: 3}
#: With fewer cases a share is not measured.
MIN_CASES = 100


@dataclass(frozen=True)
class Limit:
    """What is counted, and how much of it is allowed."""

    claim: str
    truth: str
    limit: float
    is_share: bool = True

    def is_met(self, value: float) -> bool:
        """Return whether a share is small enough, or a mean gain large enough."""
        return value <= self.limit if self.is_share else value > self.limit


LIMITS = {
    "right": Limit("you remembered 90%", "it was off by 4 points or more", 0.05),
    "off": Limit("you remembered only 86%", "it was off by less than 1 point", 0.05),
    "off, wrong sign": Limit("the same", "it was off by more than 1 point on the other side", 0.005),
    "elsewhere": Limit("but when it said 70%, only 42%", "off by less than 2 points in each tenth", 0.05),
    "optimize": Limit("Optimize", "log loss rose by more than 0.005 later", 0.10),
    "optimize, gain": Limit("the same", "mean gain", 0.002, is_share=False),
    "nothing": Limit("Nothing", "optimizing gained more than 0.005 later", 0.05),
    "desired_retention": Limit("another desired retention", "moved away from the target", 0.20),
    "would, steady": Limit("would predict better", "equally good, steady", 0.05),
    "would, drifting": Limit("would predict better", "equally good, drifting", 0.10),
    "past": Limit("on your reviews, FSRS predicted better", "it predicted worse", 0.025),
}


def main(arguments: list[str]) -> int:
    """Simulate and print. Return 2 for a bad option."""
    options = parsers.measure_screen().parse_args(arguments)
    try:
        work = _work(options)
    except EvaluatorError as error:
        say(error_sentence(error))
        return INPUT_AT_FAULT
    found: dict[int, list[Case]] = {}
    costs = np.cumsum([4000 + kind.size for kind, _ in work])
    try:
        with ProgressLine() as line, processes(options.processes) as pool:
            futures = [pool.submit(follow, kind, number, options.seed) for kind, number in work]
            for index, future in enumerate(futures):
                found[index] = future.result()
                line.show(costs[index] / costs[-1], f"{index + 1:,} of {len(work):,} logs")
    except KeyboardInterrupt:
        say("Stopped early.")
    logs = f"{len(found):,} review logs of about {', '.join(f'{size:,}' for size in options.sizes)} scored reviews"
    print(f"{logs}, seed {options.seed}.\n")
    print(table([case for index in sorted(found) for case in found[index]]))
    return 0


def _work(options: argparse.Namespace) -> list[tuple[Kind, int]]:
    """Return the logs to simulate: those of all kinds in turn, so that a part of them is a fair sample."""
    check_minimum(options, logs=1, seed=0, processes=1)
    kinds = [
        Kind(memory, condition, size, use)
        for size, use, memory, condition in product(SIZES, SHARE, MEMORIES, (PLAIN, DRIFT, BREAK, HARD))
        if size in options.sizes
    ]
    for size in options.sizes:
        if size not in SIZES:
            raise BadOption(option="--sizes", value=size, allowed=", ".join(map(str, SIZES)))
    return [(kind, number) for number in range(options.logs) for kind in kinds if number % SHARE[kind.use] == 0]


def table(cases: Sequence[Case]) -> str:
    """Return a table in Markdown: how often each claim was wrong, by memory and in all."""
    lines = ["| said | wrong if | memory | wrong | of | share | limit | |", "| --- " * 8 + "|"]
    for claim, limit in LIMITS.items():
        for memory, label in [*MEMORIES.items(), (None, "all")]:
            values = np.array(
                [case.value for case in cases if case.claim == claim and memory in (None, case.kind.memory)]
            )
            lines.append(" | ".join(("|", limit.claim, limit.truth, label, *_numbers(limit, values), "|"))[2:])
    return "\n".join(lines)


def _numbers(limit: Limit, values: np.ndarray) -> tuple[str, ...]:
    """Return how many were wrong, of how many, the share, the limit, and whether it is met."""
    enough, value = len(values) >= MIN_CASES, float(values.mean()) if len(values) else 0.0
    met = ("met" if limit.is_met(value) else "missed") if enough else "not measured"
    if not limit.is_share:
        return "", f"{len(values):,}", f"{value:+.4f}", f"> {limit.limit}", met
    return f"{values.sum():,.0f}", f"{len(values):,}", f"{value:.1%}" if enough else "", f"{limit.limit:.1%}", met
