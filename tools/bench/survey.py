"""A whole evaluation of some algorithms, timed step by step."""

from __future__ import annotations

from dataclasses import dataclass

from evaluator.evaluation import evaluate
from evaluator.options import Options
from tools.bench.contestant import Stopwatch
from tools.bench.logs import Log
from ui.anki.optimiser import anki_optimiser
from ui.text.errors import error_sentence


@dataclass(frozen=True)
class Steps:
    """Time of each step of one evaluation, and failures."""

    rows: int  #: of the log
    seconds: dict[str, float]  #: "reading", "preparing" and each algorithm, fitted and scored
    failed: dict[str, str]  #: why an algorithm could not be run


class Survey:
    """An evaluation as ``tools evaluate`` does it, without its outputs."""

    reviews = 0  # each run reads the log, so that the evaluation can let go of it

    def __init__(self, log: Log, algorithms: tuple[str, ...]) -> None:
        self._log = log
        self.preparing: dict[str, float] = {}
        self._options = Options(algorithms=algorithms)
        self._optimiser = anki_optimiser()

    def run(self) -> Steps:
        """Read, evaluate and report."""
        watch = Stopwatch()
        snapshot = self._log.read()
        watch.lap("reading")
        rows = len(snapshot.revlog)
        handed_over = [snapshot]
        del snapshot
        evaluation = evaluate(handed_over.pop(), self._options, optimiser=self._optimiser)
        failed = {row.algorithm: error_sentence(row.error) for row in evaluation.report.results if row.error}
        return Steps(rows, {**watch.seconds, **evaluation.timing}, failed)

    def facts(self) -> dict[str, float]:
        return {}
