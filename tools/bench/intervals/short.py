"""How many people who have studied for some weeks only get a verdict."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from evaluator.errors import EvaluatorError
from evaluator.evaluation import evaluate
from evaluator.interval import BETTER, EQUIVALENT, WORSE
from evaluator.options import Options
from evaluator.report import Report
from tools.bench.intervals.table import SHARE, Column, Run, Table
from tools.simulate import simulate
from tools.simulate.people import learner

ALGORITHMS = ("SM-2", "FSRS-6")

#: They study for so many days, rest days among them.
FEWEST_DAYS, MOST_DAYS = 12, 90

#: Fewest and most days with scored reviews, of each row.
GROUPS = ((1, 7), (8, 14), (15, 24), (25, 39), (40, MOST_DAYS))


def short_histories(run: Run) -> Table:
    """A table with a row for each number of weeks."""
    people = run.each(range(1, run.people + 1))
    reports = [report for number, random in people if (report := _report(number, run.seed, random)) is not None]
    rows = []
    for fewest, most in GROUPS:
        those = [report for report in reports if fewest <= report.scope.days <= most]
        interval = _share([report.verdict.comparisons[0].difference.ends is not None for report in those])
        decided = _share([report.verdict.code in {BETTER, WORSE, EQUIVALENT} for report in those])
        rows.append((f"{fewest} to {most}", len(those), interval, decided))
    return Table(
        "FSRS-6 beside SM-2, of simulated people who have studied for weeks only: who gets an interval, and of whom it "
        "says better, worse or equally good. "
        f"{run.people - len(reports)} of {run.people} had too few reviews to be evaluated.",
        (
            Column("days", "scored days"),
            Column("people", "people"),
            Column("interval", "interval", SHARE),
            Column("decided", "decided", SHARE),
        ),
        rows,
    )


def _report(number: int, seed: int, random: np.random.Generator) -> Report | None:
    """A simulated person's report on FSRS-6 and SM-2; None where there are too few reviews to evaluate."""
    days = int(random.integers(FEWEST_DAYS, MOST_DAYS))
    snapshot = simulate(replace(learner(number, seed=seed, rows=2000), days=days)).snapshot
    try:
        return evaluate(snapshot, Options(ALGORITHMS)).report
    except EvaluatorError:
        return None


def _share(those: list[bool]) -> float | None:
    return sum(those) / len(those) if those else None
