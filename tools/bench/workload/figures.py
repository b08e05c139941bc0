"""What the lines of all people come to: how often intervals hold, how far off the estimates are, and who is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import log, sqrt

import numpy as np

from evaluator.workload.result import KNOWLEDGE, WORK
from tools.bench.intervals.table import PLAIN, SHARE, Column, Table, Value
from tools.bench.workload.person import ALONE, NONE, TOGETHER, Line

#: A claim of less, or more, is false where the truth is the opposite, or so near to none.
NEARLY_EQUAL = log(0.99)
LOGARITHM = "+.3f"
PASSED = "passed"

Limits = Sequence[float] | None
Source = Callable[[Line, str], Limits]


def people(lines: Sequence[Line]) -> Table:
    """One row for each kind of person."""
    rows: list[tuple[Value, ...]] = []
    for scheduler, question in product(("sm2", "fsrs"), (WORK, KNOWLEDGE, NONE)):
        some = [one for one in lines if (one["scheduler"], one["question"]) == (scheduler, question)]
        if not some:
            continue
        gates = [one["gate"] for one in some]
        tested = [gate for gate in gates if gate["ratio"] is not None]
        codes = Counter(gate["code"] for gate in gates if gate["code"] != PASSED)
        rows.append(
            (
                scheduler,
                question,
                len(some),
                mean([gate["code"] == PASSED for gate in gates]),
                len(tested),
                mean([gate["ratio"] for gate in tested]),
                mean([gate["held"]["reviews"] for gate in tested]),
                mean([gate["held"]["remembered"] for gate in tested]),
                ", ".join(f"{code} {count}" for code, count in codes.most_common()) or "-",
            )
        )
    return Table(
        "The back-test, by the scheduler that people use and the question that is theirs: how many pass it; of those "
        "of whom it can be made, the mean of simulated / observed reviews, and how often the intervals of the number "
        "of reviews and of the share remembered hold what there was; and why others are told nothing.",
        (
            Column("scheduler", "scheduler"),
            Column("question", "question"),
            Column("people", "people"),
            Column("passed", "passed", SHARE),
            Column("tested", "tested"),
            Column("ratio", "ratio", ".3f"),
            Column("reviews_held", "reviews", SHARE),
            Column("remembered_held", "remembered", SHARE),
            Column("others", "not passed"),
        ),
        rows,
    )


def _alone(line: Line, quantity: str) -> Limits:
    return _of(line["memories"].get(ALONE, {}).get("versus", {}), quantity)


def _as_fitted(line: Line, quantity: str) -> Limits:
    """Without the optimism, which is only known of the reviews."""
    limits = _alone(line, quantity)
    if limits is None or quantity != "reviews":
        return None
    return [one + (line["memories"][ALONE]["optimism"] or 0.0) for one in limits]


def _together(line: Line, quantity: str) -> Limits:
    return _of(line[TOGETHER], quantity) if len(line["memories"]) > 1 else None


def _of(versus: Line, quantity: str) -> Limits:
    limits: Limits = versus.get(quantity)
    return limits


SOURCES: dict[str, Source] = {"FSRS-6 as fitted": _as_fitted, ALONE: _alone, TOGETHER: _together}
ASKED = ((WORK, "reviews"), (WORK, "minutes"), (WORK, "known"), (KNOWLEDGE, "known"))


@dataclass(frozen=True)
class Case:
    """One interval of a logarithm, and the truth."""

    estimate: float
    low: float
    high: float
    truth: float

    @property
    def holds(self) -> bool:
        return self.low <= self.truth <= self.high

    @property
    def claims(self) -> bool:
        """Whether it is said to be less, or more."""
        return self.high < 0 or self.low > 0

    @property
    def is_false(self) -> bool:
        """Whether what is claimed is not so."""
        return (self.high < 0 and self.truth > NEARLY_EQUAL) or (self.low > 0 and self.truth < -NEARLY_EQUAL)


def ratios(lines: Sequence[Line], caption: str) -> Table:
    """One row for each question, quantity, and memories."""
    rows: list[tuple[Value, ...]] = []
    for (question, quantity), (source, limits) in product(ASKED, SOURCES.items()):
        some = [one for one in lines if one["question"] == question and one["memories"]]
        if source == TOGETHER:
            some = [one for one in some if len(one["memories"]) > 1]
        cases = list(_cases(some, quantity, limits, TOGETHER if source == TOGETHER else ALONE))
        rows.append((question, quantity, source, len(some), *summary(cases)))
    return Table(
        caption,
        (
            Column("question", "question"),
            Column("quantity", "of"),
            Column("memories", "memories"),
            Column("people", "people"),
            Column("compared", "compared", PLAIN),
            Column("held", "holds", SHARE),
            Column("error", "error", LOGARITHM),
            Column("standard_error", "+-", ".3f"),
            Column("width", "width", ".3f"),
            Column("claims", "claims", PLAIN),
            Column("false", "false", PLAIN),
        ),
        rows,
    )


def _cases(lines: Sequence[Line], quantity: str, limits: Source, truth_of: str) -> Iterator[Case]:
    for line in lines:
        ends, truth = limits(line, quantity), line["truth"][truth_of][quantity]
        if ends is not None and truth is not None:
            estimate, low, high = ends
            yield Case(estimate, low, high, truth)


def summary(cases: Sequence[Case]) -> tuple[Value, ...]:
    """Number of cases, share that holds, mean error and its standard error, mean width, claims, false claims."""
    errors = [case.estimate - case.truth for case in cases]
    return (
        len(cases),
        mean([case.holds for case in cases]),
        mean(errors),
        float(np.std(errors, ddof=1)) / sqrt(len(errors)) if len(errors) > 1 else None,
        mean([case.high - case.low for case in cases]),
        sum(case.claims for case in cases),
        sum(case.is_false for case in cases),
    )


def mean(values: Sequence[float]) -> float | None:
    """The mean; None of nothing."""
    return float(np.mean(values)) if len(values) else None


MEANING = (
    "Logarithms of FSRS-6 (fitted) / SM-2: how often the 95 % interval holds the truth, the mean of estimate minus "
    "truth with its standard error, the mean width; how often less or more is claimed, and how often that is false "
    "(the opposite, or a difference below 1 %)."
)


def tables(lines: Sequence[Line]) -> list[Table]:
    """All tables."""
    told = [one for one in lines if one["gate"]["code"] == PASSED]
    return [
        people(lines),
        ratios(told, f"Of those who pass the back-test. {MEANING}"),
        ratios(lines, "The same of all for whom it could be made."),
        ratios([one for one in lines if not one["slips"]], "Of these, those who never slip."),
        ratios(
            [one for one in lines if one["slips"]],
            "And those who answer some of what they know with Again, which is forgetting that no time explains.",
        ),
    ]
