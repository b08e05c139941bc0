"""One simulated person: what the section says of the year ahead, what is true, and what the back-test says."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Any

from evaluator.algorithms.fsrs6 import FSRS_6
from evaluator.errors import EvaluatorError
from evaluator.evaluation import evaluate
from evaluator.interval import Interval
from evaluator.options import Options
from evaluator.progress import SILENT
from evaluator.workload.estimate import DESIRED
from evaluator.workload.fitted import fit
from evaluator.workload.found import MEMORIES, Prepared, workload
from evaluator.workload.result import FITTED, WORK, BackTest, Foreseen, MemoryYear, Versus
from tools.bench.workload.truth import Curve, Truth, Year, ratios
from tools.simulate.learner import Learner
from tools.simulate.people import learner
from tools.simulate.study import simulate
from tools.simulate.trace import Simulation

#: What is quick to evaluate: the section fits its memories itself.
ALGORITHMS = ("FSRS-6 default", "SM-2")
#: Nobody begins so many new cards a day that a log would have fewer days than about these.
DAYS = 200
#: Rows that a card gets, as a rule of thumb; see :mod:`tools.simulate.people`.
ROWS_PER_CARD = 7
#: So many reviews for each new card are less than what is due.
REVIEWS_PER_NEW = 2
#: What is said by FSRS-6 alone, and by all memories together.
ALONE, TOGETHER = "FSRS-6", "together"
#: The question of whom nothing can be evaluated.
NONE = "none"
QUANTITIES = ("reviews", "minutes", "known")


@dataclass(frozen=True)
class Asked:
    """What decides who is simulated, and what is looked at."""

    seed: int
    rows: int  #: of the median log
    spread: float  #: of the logarithm of that number
    memory: str  #: the kind of memory, see :mod:`tools.simulate.memories`
    short_of_time: bool  #: nobody has the time to review all that is due
    together: int  #: of one person in so many all memories are fitted, of the others FSRS-6 alone

    def learner(self, number: int) -> Learner:
        """The person of that number: as in ``tools simulate``, but who begins many cards a day begins fewer."""
        drawn = learner(number, seed=self.seed, rows=self.rows, spread=self.spread, memory_kind=self.memory)
        habits, most = drawn.habits, (drawn.most_rows or self.rows) / ROWS_PER_CARD / DAYS
        days = drawn.days if habits.new_per_day <= most else 2 * DAYS
        habits = replace(habits, new_per_day=min(habits.new_per_day, most))
        if self.short_of_time:
            habits = replace(habits, reviews_per_day=max(1, round(REVIEWS_PER_NEW * habits.new_per_day)))
        return replace(drawn, days=days, habits=habits)


Line = dict[str, Any]


def line_of(asked: Asked, number: int) -> Line:
    """What was found of the person of that number, as it stands in the file. Ratios are natural logarithms.

    "seconds" are those of the processor.
    """
    begin = time.process_time()
    person = asked.learner(number)
    simulation = simulate(person)
    about = {
        "number": number,
        "scheduler": person.scheduler,
        "rows": len(simulation.revlog),
        "slips": person.habits.slips,
    }
    try:
        found = _found(person, simulation, MEMORIES if number % asked.together == 0 else MEMORIES[:1])
    except EvaluatorError as error:  # nothing can be evaluated
        gate: Line = {"code": error.code, "ratio": None, "days": 0, "held": {}}
        found = {"question": NONE, "gate": gate, "memories": {}, TOGETHER: {}}
    return {**about, **found, "seconds": round(time.process_time() - begin, 2)}


def _found(person: Learner, simulation: Simulation, names: Sequence[str]) -> Line:
    evaluation = evaluate(simulation.snapshot, Options(ALGORITHMS))
    if evaluation.evidence is None:
        raise ValueError("the evaluation has not kept its evidence")
    evidence = replace(evaluation.evidence, snapshot=simulation.snapshot)
    said = workload(evidence, SILENT, names=names, only_if_foreseen=False)
    found = {
        "question": said.question,
        "gate": _gate(said.back_test),
        "memories": {year.algorithm: _memory(year) for year in said.memories},
        TOGETHER: _versus(said.versus),
    }
    if not said.memories:
        return found
    truth = Truth(person, simulation, Prepared.of(evidence).ahead)
    fitted = fit(FSRS_6, evidence.data, len(evidence.data.reviews)).w
    curve = truth.fsrs(fitted)
    alone = next(one.versus for one in said.memories if one.algorithm == ALONE)
    true = {
        name: _true(said.question, versus, truth.sm2, curve)
        for name, versus in ((ALONE, alone), (TOGETHER, said.versus))
    }
    return {**found, "truth": true}


def _gate(test: BackTest) -> Line:
    held = {name: None if (one := getattr(test, name)) is None else _holds(one) for name in ("reviews", "remembered")}
    return {"code": test.code, "ratio": test.ratio, "days": test.days, "held": held}


def _holds(one: Foreseen) -> bool:
    return one.foreseen.side(one.observed) == 0


def _memory(year: MemoryYear) -> Line:
    return {"kept": year.kept, "optimism": year.optimism, "versus": _versus(year.versus)}


def _versus(versus: tuple[Versus, ...]) -> dict[str, list[float] | None]:
    """Of FSRS-6 with fitted parameters for each quantity: estimate, lower and upper end; empty without it."""
    return {name: _logs(getattr(one, name)) for one in versus if one.scheduler == FITTED for name in QUANTITIES}


def _logs(interval: Interval) -> list[float] | None:
    return None if interval.ends is None else [log(value) for value in (interval.known, *interval.ends)]


def _true(question: str, versus: tuple[Versus, ...], sm2: Year, curve: Curve) -> dict[str, float | None]:
    """The true ratios; of who does not keep up, the knowledge at the desired retention that is found best."""
    if question == WORK:
        return ratios(sm2, curve)
    desired = next((one.desired_retention_at_equal_work for one in versus if one.scheduler == FITTED), None)
    known = None if desired is None else log(curve.at(DESIRED.index(desired)).known / sm2.known)
    return {"reviews": None, "minutes": None, "known": known}
