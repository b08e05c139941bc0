"""A whole evaluation of some algorithms, timed step by step."""

from __future__ import annotations

from dataclasses import dataclass

from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.steps import run
from tools.bench.contestant import Stopwatch
from tools.bench.logs import Log
from ui.optimiser import anki_optimiser


@dataclass(frozen=True)
class Steps:
    """What one evaluation took."""

    seconds: dict[str, float]  #: "preparing" and each algorithm, fitted and scored
    failed: dict[str, str]  #: why an algorithm could not be run


class Survey:
    """The evaluation that ``tools evaluate`` does, without its outputs."""

    def __init__(self, log: Log, algorithms: tuple[str, ...]) -> None:
        watch = Stopwatch()
        self._snapshot = log.read()
        watch.lap("reading")
        self.preparing = watch.seconds
        self.reviews = len(self._snapshot.revlog)
        self._options = Options(algorithms=algorithms)
        self._optimiser = anki_optimiser()

    def run(self) -> Steps:
        """Evaluate from the snapshot on."""
        evaluation = run(evaluate(self._snapshot, self._options, optimiser=self._optimiser))
        failed = {result.algorithm: result.error for result in evaluation.report.results if result.error}
        return Steps(dict(evaluation.timing), failed)

    def facts(self) -> dict[str, float]:
        return {}
