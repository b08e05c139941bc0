"""``python3 tools measure workload``: accuracy of the simulated year, for simulated users."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np
from rich.console import RenderableType
from rich.padding import Padding

from evaluator.algorithms.fsrs6 import FSRS_6
from evaluator.data.histories import Numbers
from evaluator.data.revlog import Snapshot
from evaluator.errors import EvaluatorError
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.progress import SILENT
from evaluator.scoring.evidence import Evidence
from evaluator.sections.workload import WorkloadInputs, forecast_workload, run_back_test
from evaluator.workload.estimate import DESIRED, SEED, log_review_ratio
from evaluator.workload.fitted import fit
from evaluator.workload.memories import Memory, State
from evaluator.workload.result import KNOWLEDGE, WORK
from evaluator.workload.year import Totals
from tools import parsers
from tools.arguments import INPUT_AT_FAULT
from tools.benchmark.executors import processes
from tools.output.progress import ProgressLine
from tools.output.terminal import format_columns, grid, paragraph, spaced
from tools.simulate import memories
from tools.simulate.command import check_people
from tools.simulate.learner import Learner
from tools.simulate.memory import Floats, Ints
from tools.simulate.people import learner
from tools.simulate.study import simulate
from tools.simulate.trace import Simulation
from ui.text.errors import error_sentence

ALGORITHMS = ("FSRS-6 default", "SM-2")
#: Minimum days of a log, which limits new cards per day; and the number of rows that a card gets.
DAYS, ROWS_PER_CARD = 200, 7
REPEATS = 25
STUDIED = (30, 60, 120)
#: A claim of less or more is false if the truth is the opposite, or this close to no difference.
NEARLY_EQUAL = log(0.99)

#: Formats of a column: shares of people, and plain text.
SHARE, PLAIN = ".1%", ""
ANSWERS = {"holds": SHARE, "off": "+.3f", "error": ".3f", "width": ".3f", "claims": PLAIN, "false": PLAIN}

Line = dict[str, Any]
#: A value of a table's row; None: no value.
Value = str | int | float | None


class Table(NamedTuple):
    """A caption that says what is counted, columns (header: format of its numbers), and rows of values."""

    caption: str
    columns: dict[str, str]
    rows: Sequence[Sequence[Value]]

    @property
    def parts(self) -> tuple[RenderableType, RenderableType]:
        """The caption, and the table to print."""
        formats = self.columns.values()
        cells = [
            ["-" if value is None else format(value, form) for value, form in zip(row, formats, strict=True)]
            for row in self.rows
        ]
        numbers = [
            index
            for index, values in enumerate(zip(*self.rows, strict=True))
            if not any(isinstance(value, str) for value in values)
        ]
        return paragraph(self.caption), Padding(grid(list(self.columns), cells, numbers), (0, 0, 0, 2))


@dataclass(frozen=True)
class SimulationSpec:
    """The kind of users to simulate."""

    seed: int
    rows: int  #: median number of rows of a log
    spread: float  #: standard deviation of its logarithm
    memory: str  #: the kind of memory, see :mod:`tools.simulate.memories`

    def learner(self, number: int) -> Learner:
        """Return the user of that number: as in ``tools simulate``, but heavy beginners of new cards begin fewer."""
        drawn = learner(number, seed=self.seed, rows=self.rows, spread=self.spread, memory_kind=self.memory)
        habits, most = drawn.habits, (drawn.most_rows or self.rows) / ROWS_PER_CARD / DAYS
        days = drawn.days if habits.new_per_day <= most else 2 * DAYS
        return replace(drawn, days=days, habits=replace(habits, new_per_day=min(habits.new_per_day, most)))


@dataclass(frozen=True)
class TrueMemory(Memory):
    """A simulated person's memory in the form that the simulated year needs; ``w`` is meaningless."""

    true: memories.MemoryModel
    spread: float  #: standard deviation of the new cards' memorability
    slips: float  #: share of known cards answered with Again
    random: np.random.Generator

    def first(self, draw: Ints, rating: Ints) -> State:
        return self.true.first(rating, np.exp(self.random.normal(0, self.spread, len(draw))))

    def step(self, draw: Ints, state: State, elapsed: Numbers, rating: Ints) -> State:  # noqa: ARG002 - all draws are alike
        return self.true.after(state, np.asarray(elapsed, dtype=float), rating)

    def recall(self, draw: Ints, state: State, elapsed: Numbers) -> Floats:  # noqa: ARG002 - see above
        return self.true.recall(state, np.asarray(elapsed, dtype=float)) * (1 - self.slips)


def true_logarithm(person: Learner, simulation: Simulation, known: WorkloadInputs, question: str) -> float | None:
    """Return the logarithm of the ratio that answers the question, by the true memory; None if the curve misses it."""
    ahead, habits = known.ahead, person.habits
    study = ahead.study
    published = np.repeat(np.array([[p.default] for p in FSRS_6.parameters]), REPEATS, axis=1)
    index = np.searchsorted(simulation.cards.card_id, study.rows.card_id[study.start[ahead.card]])
    room = [np.ones((ahead.new, *column.shape[1:])) for column in simulation.state]
    state = tuple(
        np.concatenate([np.concatenate([column[index], new])] * REPEATS)
        for column, new in zip(simulation.state, room, strict=True)
    )
    start = replace(ahead.start(Memory(FSRS_6, published), REPEATS), memory=state)
    w = fit(FSRS_6, known.data, len(known.data.reviews)).w[:, None]

    def year(desired: float | None) -> Totals:
        random = np.random.default_rng(SEED)
        memory = TrueMemory(FSRS_6, w, simulation.memory, person.spread, habits.slips, random)
        scheduler = ahead.sm2() if desired is None else ahead.fsrs(w, np.array([desired]), REPEATS)
        totals = ahead.run(memory, start, scheduler, REPEATS, 1)
        return Totals(*(getattr(totals, name).mean(axis=1, keepdims=True) for name in Totals.__dataclass_fields__))

    sm2 = year(None)
    if question == KNOWLEDGE:
        return log(float(year(known.used.dominant_retention[0]).known[0, 0] / sm2.known[0, 0]))
    years = [year(desired) for desired in DESIRED]
    curve = Totals(*(np.concatenate([getattr(one, name) for one in years]) for name in Totals.__dataclass_fields__))
    result = float(log_review_ratio(sm2, curve)[0])
    return result if np.isfinite(result) else None


def line_of(asked: SimulationSpec, number: int) -> Line:
    """Return the result for the user with this number; predicted and true values are natural logarithms."""
    person = asked.learner(number)
    simulation = simulate(person)
    whole = simulation.snapshot
    studied = whole.clock.day_of(whole.revlog.review_id)
    days = np.unique(studied)
    line: Line = {"number": number, "scheduler": person.scheduler, "slips": person.habits.slips > 0, "early": {}}
    for count in (item for item in STUDIED if item < len(days)):
        rows = whole.revlog.take(studied <= days[count - 1])
        evidence = _evidence(replace(whole, revlog=rows))
        code = "none" if evidence is None else run_back_test(WorkloadInputs.of(evidence), SILENT).code
        line["early"][str(count)] = code
    evidence = _evidence(whole)
    line |= {"question": "none", "code": "none", "ratio": None, "said": None, "true": None}
    if evidence is not None:
        result = forecast_workload(evidence, SILENT)
        line |= {"question": result.question, "code": result.back_test.code, "ratio": result.back_test.ratio}
        if result.ratio is not None and result.ratio.low_high is not None:
            line["said"] = [log(value) for value in (result.ratio.value, *result.ratio.low_high)]
            line["true"] = true_logarithm(person, simulation, WorkloadInputs.of(evidence), result.question)
    return line


def _evidence(snapshot: Snapshot) -> Evidence | None:
    """Return the evidence; None if the log cannot be evaluated."""
    try:
        evidence = evaluate(snapshot, Options(ALGORITHMS)).evidence
    except EvaluatorError:
        return None
    return None if evidence is None else replace(evidence, snapshot=snapshot)


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if len(values) else None


def tables(lines: Sequence[Line]) -> list[Table]:
    """Return the tables: the back-test, who gets an answer when, and the accuracy of the answers."""

    def passed(some: Sequence[Line]) -> float | None:
        return _mean([str(line["code"]) == "passed" for line in some])

    kinds: list[tuple[Value, ...]] = []
    for scheduler, question in product(("sm2", "fsrs"), (WORK, KNOWLEDGE)):
        some = [line for line in lines if (line["scheduler"], line["question"]) == (scheduler, question)]
        ratios = [line["ratio"] for line in some if line["ratio"] is not None]
        error = float(np.std(ratios, ddof=1)) / sqrt(len(ratios)) if len(ratios) > 1 else None
        codes = Counter(line["code"] for line in some if line["code"] != "passed")
        why = ", ".join(f"{code} {count}" for code, count in codes.most_common()) or "-"
        if some:
            kinds.append((scheduler, question, len(some), passed(some), _mean(ratios), error, why))
    early: list[tuple[Value, ...]] = [
        (str(count), len(some), _mean([str(code) == "passed" for code in some]))
        for count in STUDIED
        if (some := [line["early"][str(count)] for line in lines if str(count) in line["early"]])
    ]
    early.append(("all", len(lines), passed(lines)))
    answers: list[tuple[Value, ...]] = []
    for question, slips in product((WORK, KNOWLEDGE), (False, True)):
        some = [line for line in lines if line["question"] == question and line["slips"] == slips]
        cases = [
            (*line["said"], line["true"]) for line in some if line["said"] is not None and line["true"] is not None
        ]
        if cases:
            answers.append((question, "yes" if slips else "no", *_summary(cases)))
    return [
        Table(
            "The back-test: how many pass it, simulated / observed reviews, and why the others get no forecast.",
            {
                "scheduler": PLAIN,
                "question": PLAIN,
                "people": PLAIN,
                "passed": SHARE,
                "ratio": ".3f",
                "error": ".3f",
                "others": PLAIN,
            },
            kinds,
        ),
        Table(
            "How many pass it, by the number of days studied.", {"days": PLAIN, "people": PLAIN, "passed": SHARE}, early
        ),
        Table(
            "Logarithms of FSRS-6 / SM-2 (reviews for as many cards known, or cards known) of those with an answer, "
            "who slip (answer what they know with Again) or not: how often the 95% interval contains the truth, "
            "estimate minus truth, the width; claims of less or more, and false ones (the opposite, or below 1%).",
            {"question": PLAIN, "slips": PLAIN, "people": PLAIN, **ANSWERS},
            answers,
        ),
    ]


def _summary(cases: Sequence[Sequence[float]]) -> tuple[Value, ...]:
    """Summarize cases (estimate, low, high, truth) for the last table, with their number."""
    estimate, low, high, truth = np.array(cases).T
    off = estimate - truth
    false = ((high < 0) & (truth > NEARLY_EQUAL)) | ((low > 0) & (truth < -NEARLY_EQUAL))
    return (
        len(cases),
        float(((low <= truth) & (truth <= high)).mean()),
        float(off.mean()),
        float(off.std(ddof=1)) / sqrt(len(off)) if len(off) > 1 else None,
        float((high - low).mean()),
        int(((high < 0) | (low > 0)).sum()),
        int(false.sum()),
    )


def main(arguments: list[str]) -> int:
    """Simulate, and print. Return 2 for a bad option, 1 if someone failed."""
    options = parsers.measure_workload().parse_args(arguments)
    requested = SimulationSpec(options.seed, options.reviews, options.spread, options.memory)
    try:
        check_people(options)
    except EvaluatorError as error:
        print(error_sentence(error), file=sys.stderr)
        return INPUT_AT_FAULT
    lines: list[Line] = []
    with ProgressLine() as line, processes(max(1, min(options.processes, options.people))) as pool:
        futures = [pool.submit(line_of, requested, number) for number in range(1, options.people + 1)]
        for done, future in enumerate(futures, start=1):
            lines.append(future.result())
            line.show(done / options.people, f"{done:,} of {options.people:,} people")
    parts = [part for table in tables(lines) for part in table.parts]
    print(format_columns(spaced([paragraph(f"{len(lines):,} people, {requested}"), *parts]), sys.stdout), end="")
    return 0
