"""Start the processes whose runs are timed, in the right order."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

from tools.bench.contestant import Score
from tools.bench.logs import Log
from tools.bench.ours import Ours
from tools.bench.results import Duel, Evaluations, Side
from tools.bench.rivals import FsrsRs
from tools.bench.survey import Survey
from tools.bench.worker import Run, Worker, answer
from tools.benchmark.executors import processes

#: Told what is done next.
Tell = Callable[[str], None]

OURS, RIVAL = "SRS Evaluator", "fsrs-rs"


def make(log: Log, tell: Tell) -> None:
    """Make the file of a simulated log, in a process whose memory is then free again; a given log is left as it is."""
    if log.learner is not None:
        tell(f"{log.name}: simulating")
        with processes(1) as process:
            answer(process.submit(log.make))


def duel(log: Log, repeat: int, tell: Tell) -> Duel:
    """Measure both sides on one log, alternately: ours, theirs, ours, theirs, ...

    Raises:
        EvaluatorError: the log cannot be evaluated.
        MachineNotReady: a process failed.
    """
    with ExitStack() as workers:
        sides = {
            OURS: workers.enter_context(Worker(partial(Ours, log))),
            RIVAL: workers.enter_context(Worker(partial(FsrsRs, log))),
        }
        tell(f"{log.name}: reading")
        ready = {name: worker.ready() for name, worker in sides.items()}
        runs: dict[str, list[Run[Score]]] = {name: [] for name in sides}
        for turn in range(repeat):
            for name, worker in sides.items():
                tell(f"{log.name}: {name}, {turn + 1} of {repeat}")
                runs[name].append(worker.run())
        ours, rival = (Side(name, ready[name], tuple(runs[name]), worker.facts()) for name, worker in sides.items())
    return Duel(log.name, log.learner is not None, ours, rival)


def survey(log: Log, algorithms: tuple[str, ...], repeat: int, tell: Tell) -> Evaluations:
    """Measure whole evaluations with some algorithms, one after the other. Raises as :func:`duel`."""
    with Worker(partial(Survey, log, algorithms)) as worker:
        worker.ready()
        runs = []
        for turn in range(repeat):
            tell(f"{log.name}: {', '.join(algorithms)}, {turn + 1} of {repeat}")
            runs.append(worker.run())
    return Evaluations(log.name, algorithms, tuple(runs))
