"""``python3 tools measure workload``: accuracy of the simulated year, for simulated users."""

from __future__ import annotations

import argparse
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
from evaluator.workload.memory_draws import Memory, State
from evaluator.workload.result import KNOWLEDGE, WORK
from evaluator.workload.year import Totals
from tools import parsers
from tools.benchmark.executors import processes
from tools.output.progress import ProgressLine
from tools.output.terminal import format_columns, grid, paragraph, spaced
from tools.simulate import memory_models
from tools.simulate.command import check_people
from tools.simulate.learner import Learner
from tools.simulate.memory import Floats, Ints
from tools.simulate.people import learner
from tools.simulate.study import simulate
from tools.simulate.trace import Simulation

ALGORITHMS = ("FSRS-6 default", "SM-2")
#: Minimum days of a log, which limits new cards per day; and the number of rows that a card gets.
DAYS, ROWS_PER_CARD = 200, 7
REPEATS = 25
STUDIED = (30, 60, 120)
#: A claim of less or more is false if the truth is the opposite, or this close to no difference.
NEARLY_EQUAL = log(0.99)

Line = dict[str, Any]


class Table(NamedTuple):
    """A caption that says what is counted, columns (header: format of the numbers), and rows of values."""

    caption: str
    columns: dict[str, str]
    rows: Sequence[Sequence[Any]]

    @property
    def parts(self) -> tuple[RenderableType, RenderableType]:
        """The caption, and the table to print."""
        formats = self.columns.values()
        cells = [
            ["-" if value is None else format(value, form) for value, form in zip(row, formats, strict=True)]
            for row in self.rows
        ]
        numbers = [index for index, value in enumerate(self.rows[0]) if not isinstance(value, str)] if cells else []
        return paragraph(self.caption), Padding(grid(list(self.columns), cells, numbers), (0, 0, 0, 2))


def draw_learner(number: int, options: argparse.Namespace) -> Learner:
    """Return the user of that number. Heavy beginners of new cards begin fewer than in ``tools simulate``."""
    rows = options.reviews
    drawn = learner(number, seed=options.seed, rows=rows, spread=options.spread, memory_kind=options.memory)
    habits, most = drawn.habits, (drawn.most_rows or rows) / ROWS_PER_CARD / DAYS
    days = drawn.days if habits.new_per_day <= most else 2 * DAYS
    return replace(drawn, days=days, habits=replace(habits, new_per_day=min(habits.new_per_day, most)))


@dataclass(frozen=True)
class TrueMemory(Memory):
    """A simulated person's memory in the form that the simulated year needs. Its ``w`` is not used."""

    true: memory_models.MemoryModel
    spread: float  #: standard deviation of the new cards' memorability
    slips: float  #: share of known cards answered with Again
    random: np.random.Generator

    def first(self, draw: Ints, rating: Ints) -> State:
        return self.true.first_state(rating, np.exp(self.random.normal(0, self.spread, len(draw))))

    def step(self, draw: Ints, state: State, elapsed: Numbers, rating: Ints) -> State:  # noqa: ARG002 - all draws are alike
        return self.true.next_state(state, np.asarray(elapsed, dtype=float), rating)

    def recall(self, draw: Ints, state: State, elapsed: Numbers) -> Floats:  # noqa: ARG002 - see above
        return self.true.recall(state, np.asarray(elapsed, dtype=float)) * (1 - self.slips)


def true_logarithm(person: Learner, simulation: Simulation, inputs: WorkloadInputs, question: str) -> float | None:
    """Return the logarithm of the true ratio that answers the question, or None if the curve misses it."""
    ahead, habits = inputs.ahead, person.habits
    study = ahead.study
    published = np.repeat(np.array([[p.default] for p in FSRS_6.parameters]), REPEATS, axis=1)
    index = np.searchsorted(simulation.cards.card_id, study.rows.card_id[study.start[ahead.card]])
    room = [np.ones((ahead.new, *column.shape[1:])) for column in simulation.state]
    state = tuple(
        np.concatenate([np.concatenate([column[index], new])] * REPEATS)
        for column, new in zip(simulation.state, room, strict=True)
    )
    start = replace(ahead.start(Memory(FSRS_6, published), REPEATS), memory=state)
    w = fit(FSRS_6, inputs.data, len(inputs.data.reviews)).w[:, None]

    names = Totals.__dataclass_fields__

    def year(desired: float | None) -> Totals:
        random = np.random.default_rng(SEED)
        memory = TrueMemory(FSRS_6, w, simulation.memory, person.spread, habits.slips, random)
        scheduler = ahead.sm2() if desired is None else ahead.fsrs(w, np.array([desired]), REPEATS)
        totals = ahead.run(memory, start, scheduler, (1, REPEATS), SILENT)
        return Totals(*(getattr(totals, name).mean(axis=1, keepdims=True) for name in names))

    sm2 = year(None)
    if question == KNOWLEDGE:
        return log(float(year(inputs.used.dominant_retention[0]).known[0, 0] / sm2.known[0, 0]))
    years = [year(desired) for desired in DESIRED]
    curve = Totals(*(np.concatenate([getattr(totals, name) for totals in years]) for name in names))
    result = float(log_review_ratio(sm2, curve)[0])
    return result if np.isfinite(result) else None


def line_of(number: int, options: argparse.Namespace) -> Line:
    """Return the result for the user with this number. Predicted and true values are natural logarithms."""
    person = draw_learner(number, options)
    simulation = simulate(person)
    snapshot = simulation.snapshot
    day = snapshot.clock.day_of(snapshot.revlog.review_id)
    days = np.unique(day)
    early = {}
    for count in (count for count in STUDIED if count < len(days)):
        evidence = _evidence(replace(snapshot, revlog=snapshot.revlog.take(day <= days[count - 1])))
        early[str(count)] = "none" if evidence is None else run_back_test(WorkloadInputs.of(evidence), SILENT).code
    line: Line = {"scheduler": person.scheduler, "slips": person.habits.slips > 0, "early": early}
    line |= {"question": "none", "code": "none", "ratio": None, "said": None, "true": None}
    evidence = _evidence(snapshot)
    if evidence is not None:
        result = forecast_workload(evidence, SILENT)
        line |= {"question": result.question, "code": result.back_test.code, "ratio": result.back_test.ratio}
        if result.ratio is not None and result.ratio.low_high is not None:
            line["said"] = [log(value) for value in (result.ratio.value, *result.ratio.low_high)]
            line["true"] = true_logarithm(person, simulation, WorkloadInputs.of(evidence), result.question)
    return line


def _evidence(snapshot: Snapshot) -> Evidence | None:
    """Return the evidence, or None if the log cannot be evaluated."""
    try:
        evidence = evaluate(snapshot, Options(ALGORITHMS)).evidence
    except EvaluatorError:
        return None
    return None if evidence is None else replace(evidence, snapshot=snapshot)


def tables(lines: Sequence[Line]) -> list[Table]:
    """Return the tables: the back-test, who gets an answer when, and the accuracy of the answers."""

    def share_passed(people: Sequence[Line]) -> float | None:
        return _mean([line["code"] == "passed" for line in people])

    kinds, answers = [], []
    for scheduler, question in product(("sm2", "fsrs"), (WORK, KNOWLEDGE)):
        people = [line for line in lines if (line["scheduler"], line["question"]) == (scheduler, question)]
        ratios = [line["ratio"] for line in people if line["ratio"] is not None]
        codes = Counter(line["code"] for line in people if line["code"] != "passed")
        others = ", ".join(f"{code} {count}" for code, count in codes.most_common()) or "-"
        if people:
            passed = share_passed(people)
            kinds.append((scheduler, question, len(people), passed, _mean(ratios), _standard_error(ratios), others))
    studied = {str(count): [line["early"].get(str(count)) for line in lines] for count in STUDIED}
    early = [
        (count, len(codes) - codes.count(None), codes.count("passed") / (len(codes) - codes.count(None)))
        for count, codes in studied.items()
        if codes.count(None) < len(codes)
    ]
    for question, slips in product((WORK, KNOWLEDGE), (False, True)):
        people = [line for line in lines if (line["question"], line["slips"]) == (question, slips)]
        cases = [(*line["said"], line["true"]) for line in people if line["said"] and line["true"] is not None]
        if cases:
            answers.append((question, "yes" if slips else "no", *_summary(cases)))
    back_test = {"scheduler": "", "question": "", "people": "", "passed": ".1%", "ratio": ".3f", "error": ".3f"}
    accuracy = {"holds": ".1%", "off": "+.3f", "error": ".3f", "width": ".3f", "claims": "", "false": ""}
    return [
        Table(
            "The back-test: how many pass it, simulated / observed reviews, and why the others get no forecast.",
            {**back_test, "others": ""},
            kinds,
        ),
        Table(
            "How many pass it, by the number of days studied.",
            {"days": "", "people": "", "passed": ".1%"},
            [*early, ("all", len(lines), share_passed(lines))],
        ),
        Table(
            "Logarithms of FSRS-6 / SM-2 (reviews for as many cards known, or cards known) of those with an answer, "
            "who slip (answer what they know with Again) or not: how often the 95% interval contains the truth, "
            "estimate minus truth, the width; claims of less or more, and false ones (the opposite, or below 1%).",
            {"question": "", "slips": "", "people": "", **accuracy},
            answers,
        ),
    ]


def _summary(cases: Sequence[Sequence[float]]) -> tuple[Any, ...]:
    """Summarize cases (estimate, low, high, truth) for the last table, with their number."""
    estimate, low, high, truth = np.array(cases).T
    false = ((high < 0) & (truth > NEARLY_EQUAL)) | ((low > 0) & (truth < -NEARLY_EQUAL))
    claims = (high < 0) | (low > 0)
    return (
        len(cases),
        float(((low <= truth) & (truth <= high)).mean()),
        float((estimate - truth).mean()),
        _standard_error(estimate - truth),
        float((high - low).mean()),
        int(claims.sum()),
        int(false.sum()),
    )


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if len(values) else None


def _standard_error(values: Sequence[float] | Floats) -> float | None:
    return float(np.std(values, ddof=1)) / sqrt(len(values)) if len(values) > 1 else None


def main(arguments: list[str]) -> int:
    """Simulate and print."""
    options = parsers.measure_workload().parse_args(arguments)
    check_people(options)
    lines: list[Line] = []
    with ProgressLine() as line, processes(max(1, min(options.processes, options.people))) as pool:
        futures = [pool.submit(line_of, number, options) for number in range(1, options.people + 1)]
        for done, future in enumerate(futures, start=1):
            lines.append(future.result())
            line.show(done / options.people, f"{done:,} of {options.people:,} people")
    parts = [part for table in tables(lines) for part in table.parts]
    text = f"{len(lines):,} people, seed {options.seed}, memory {options.memory}"
    print(format_columns(spaced([paragraph(text), *parts]), sys.stdout), end="")
    return 0
