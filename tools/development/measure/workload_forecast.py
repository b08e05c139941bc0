"""``python3 tools measure workload``: measure the accuracy of the workload forecast for simulated learners."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import log, sqrt
from typing import Any

import numpy as np

from evaluator.algorithms.fsrs6 import FSRS_6
from evaluator.data.histories import Numbers
from evaluator.data.revlog import Snapshot
from evaluator.errors import EvaluatorError
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.progress import SILENT
from evaluator.scoring.evidence import Evidence
from evaluator.sections.workload_section import forecast_workload
from evaluator.workload.back_test import run_back_test
from evaluator.workload.estimate import DESIRED_RETENTIONS, SEED, YearSetup, log_review_ratio
from evaluator.workload.fitted import fit
from evaluator.workload.inputs import WorkloadInputs
from evaluator.workload.memory_draws import Memory, State
from evaluator.workload.result import KNOWLEDGE, WORK
from evaluator.workload.year import Totals
from tools import parsers
from tools.arguments import check_minimum
from tools.output.markdown import markdown_table
from tools.output.progress_line import ProgressLine
from tools.processes import processes
from tools.simulate import memory_models
from tools.simulate.learner import Learner
from tools.simulate.memory import Floats, Ints
from tools.simulate.people import learner
from tools.simulate.study import simulate
from tools.simulate.trace import Simulation

#: Algorithms of the evaluations.
ALGORITHMS = ("FSRS-6 default", "SM-2")
#: Minimum number of days of a log, which limits the new cards per day.
DAYS = 200
#: Standard deviation of the logarithm of the number of rows.
SPREAD = 0.6
#: Rough number of rows of a card.
ROWS_PER_CARD = 7
#: Number of simulations of the year with the true memory.
REPEATS = 25
#: Numbers of days with study after which the back-test is tried.
STUDY_DAYS = (30, 60, 120)
#: Logarithm of a ratio that is nearly 1. A claim is false if the truth is this near to 1, or on the other side of it.
NEARLY_EQUAL = log(0.99)

Line = dict[str, Any]


def draw_learner(number: int, options: argparse.Namespace) -> Learner:
    """Draw the learner with that number, with a limit on the new cards per day that ``tools simulate`` lacks."""
    rows = options.reviews
    person = learner(number, seed=options.seed, rows=rows, spread=SPREAD, memory_kind=options.memory)
    max_new = (person.max_rows or rows) / ROWS_PER_CARD / DAYS
    days = person.days if person.habits.new_per_day <= max_new else 2 * DAYS
    habits = replace(person.habits, new_per_day=min(person.habits.new_per_day, max_new))
    return replace(person, days=days, habits=habits)


@dataclass(frozen=True)
class TrueMemory(Memory):
    """The true memory of a learner in the form that the simulated year needs. Its ``w`` is not used."""

    true: memory_models.MemoryModel
    #: Standard deviation of the logarithm of the new cards' memorability.
    spread: float
    #: Share of recalled cards that are answered with Again.
    slips: float
    random: np.random.Generator

    def first(self, draw: Ints, rating: Ints) -> State:
        return self.true.first_state(rating, np.exp(self.random.normal(0, self.spread, len(draw))))

    def step(self, draw: Ints, state: State, elapsed: Numbers, rating: Ints) -> State:  # noqa: ARG002 - all draws are alike
        return self.true.next_state(state, np.asarray(elapsed, dtype=float), rating)

    def recall(self, draw: Ints, state: State, elapsed: Numbers) -> Floats:  # noqa: ARG002 - all draws are alike
        return self.true.recall(state, np.asarray(elapsed, dtype=float)) * (1 - self.slips)


def true_logarithm(person: Learner, simulation: Simulation, inputs: WorkloadInputs, question: str) -> float | None:
    """Return the natural logarithm of the true ratio that answers the question.

    It is None if no desired retention of the curve leads to as many known cards as SM-2.
    """
    year = YearSetup.of(inputs)
    habits = person.habits
    study = inputs.study
    published = np.repeat(np.array([[p.default] for p in FSRS_6.parameters]), REPEATS, axis=1)
    index = np.searchsorted(simulation.cards.card_id, study.rows.card_id[study.start[year.card]])
    # The state of a card that is new in the year is overwritten by its first answer.
    placeholders = [np.ones((year.n_new, *column.shape[1:])) for column in simulation.state]
    state = tuple(
        np.concatenate([np.concatenate([column[index], placeholder])] * REPEATS)
        for column, placeholder in zip(simulation.state, placeholders, strict=True)
    )
    start = replace(year.initial_state(Memory(FSRS_6, published)), memory=state)
    w = fit(FSRS_6, inputs.data, len(inputs.data.reviews)).w[:, None]

    names = Totals.__dataclass_fields__

    def simulate_year(desired: float | None) -> Totals:
        random = np.random.default_rng(SEED)
        memory = TrueMemory(FSRS_6, w, simulation.memory, person.spread, habits.slips, random)
        scheduler = (
            year.sm2_scheduler(REPEATS) if desired is None else year.fsrs_scheduler(w, np.array([desired]), REPEATS)
        )
        totals = year.run(memory, start, scheduler, (1, REPEATS), SILENT)
        return Totals(*(getattr(totals, name).mean(axis=1, keepdims=True) for name in names))

    sm2 = simulate_year(None)
    if question == KNOWLEDGE:
        return log(float(simulate_year(inputs.settings.dominant_retention[0]).known[0, 0] / sm2.known[0, 0]))
    years = [simulate_year(desired) for desired in DESIRED_RETENTIONS]
    curve = Totals(*(np.concatenate([getattr(totals, name) for totals in years]) for name in names))
    logarithm = float(log_review_ratio(sm2, curve)[0])
    return logarithm if np.isfinite(logarithm) else None


def measure_learner(number: int, options: argparse.Namespace) -> Line:
    """Return the results for the learner with this number. Estimated and true ratios are natural logarithms.

    The line also has the code of the back-test after each number of :data:`STUDY_DAYS`, under ``early``.
    """
    person = draw_learner(number, options)
    simulation = simulate(person)
    snapshot = simulation.snapshot
    day = snapshot.clock.day_of(snapshot.revlog.review_id)
    days = np.unique(day)
    codes = {}
    for count in STUDY_DAYS:
        if count < len(days):
            evidence = _evidence(replace(snapshot, revlog=snapshot.revlog.take(day <= days[count - 1])))
            codes[str(count)] = "none" if evidence is None else run_back_test(WorkloadInputs.of(evidence), SILENT).code
    line: Line = {"scheduler": person.scheduler, "slips": person.habits.slips > 0, "early": codes}
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
    """Return the evidence of an evaluation, or None if the log cannot be evaluated."""
    try:
        evidence = evaluate(snapshot, Options(ALGORITHMS)).evidence
    except EvaluatorError:
        return None
    return replace(evidence, snapshot=snapshot)


def tables(lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    """Yield the captions and the tables of the back-test, by scheduler and by days, and of the forecasts' accuracy."""
    rows: list[tuple[str, ...]] = []
    for scheduler, question in product(("sm2", "fsrs"), (WORK, KNOWLEDGE)):
        people = [line for line in lines if (line["scheduler"], line["question"]) == (scheduler, question)]
        if people:
            codes = [line["code"] for line in people]
            ratios = [line["ratio"] for line in people if line["ratio"] is not None]
            failures = Counter(code for code in codes if code != "passed").most_common()
            others = ", ".join(f"{code} {count}" for code, count in failures)
            rows.append((scheduler, question, *_shares(codes), *_mean_and_error(ratios), others))
    caption = "The back-test: how many pass it, simulated / observed reviews, and why the others get no forecast."
    names = ["scheduler", "question", "people", "passed", "ratio", "error", "others"]
    yield caption, markdown_table(names, rows, text_columns=(0, 1, 6))

    codes_by_days = {
        days: [line["early"][days] for line in lines if days in line["early"]] for days in map(str, STUDY_DAYS)
    }
    codes_by_days["all"] = [line["code"] for line in lines]
    rows = [(days, *_shares(codes)) for days, codes in codes_by_days.items() if codes]
    yield "How many pass it, by the number of days studied.", markdown_table(("days", "people", "passed"), rows)

    rows = []
    for question, slips in product((WORK, KNOWLEDGE), (False, True)):
        people = [line for line in lines if (line["question"], line["slips"]) == (question, slips)]
        cases = [(*line["said"], line["true"]) for line in people if line["said"] and line["true"] is not None]
        if cases:
            rows.append((question, "yes" if slips else "no", *_summarize_cases(cases)))
    caption = (
        "Logarithms of FSRS-6 / SM-2 (reviews for as many cards known, or cards known) of those with an answer, "
        "who slip (answer what they know with Again) or not: how often the 95% interval contains the truth, "
        "estimate minus truth; claims of less or more, and false ones (the opposite, or below 1%)."
    )
    names = ["question", "slips", "people", "holds", "off", "error", "claims", "false"]
    yield caption, markdown_table(names, rows, text_columns=(0, 1))


def _shares(codes: Sequence[str]) -> tuple[str, str]:
    """Return the number of people, and the share that passed the back-test."""
    return str(len(codes)), f"{codes.count('passed') / len(codes):.1%}"


def _mean_and_error(values: Sequence[float] | Floats) -> tuple[str, str]:
    """Return the mean and its standard error."""
    if len(values) < 2:
        return "-", "-"
    return f"{np.mean(values):.3f}", f"{np.std(values, ddof=1) / sqrt(len(values)):.3f}"


def _summarize_cases(cases: Sequence[Sequence[float]]) -> tuple[str, ...]:
    """Return the cells of the last table, given the estimate, the interval's limits and the truth of each case."""
    estimate, low, high, truth = np.array(cases).T
    is_false = ((high < 0) & (truth > NEARLY_EQUAL)) | ((low > 0) & (truth < -NEARLY_EQUAL))
    claims = (high < 0) | (low > 0)
    holds = (low <= truth) & (truth <= high)
    return (
        str(len(cases)),
        f"{holds.mean():.1%}",
        *_mean_and_error(estimate - truth),
        str(claims.sum()),
        str(is_false.sum()),
    )


def main(arguments: list[str]) -> int:
    """Simulate learners, forecast their workload, and print how accurate that is."""
    options = parsers.measure_workload().parse_args(arguments)
    check_minimum(options, people=1, reviews=1, processes=1, seed=0)
    lines: list[Line] = []
    with ProgressLine() as line, processes(max(1, min(options.processes, options.people))) as pool:
        futures = [pool.submit(measure_learner, number, options) for number in range(1, options.people + 1)]
        for finished, future in enumerate(futures, start=1):
            lines.append(future.result())
            line.show(finished / options.people, f"{finished:,} of {options.people:,} people")
    print(f"{len(lines):,} people, seed {options.seed}, memory {options.memory}")
    for caption, table in tables(lines):
        print(f"\n{caption}\n\n{table}")
    return 0
