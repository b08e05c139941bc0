"""Anki's own optimiser: called for each fold, on threads of its own, two at a time where there are two processors.

A call of Anki's optimiser takes one thread, releases Python's lock, and needs memory in proportion to what it is given.
So not any two calls run side by side, what takes longest is begun first, and only small ones begin beside an algorithm
that needs much memory itself.
"""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np

from ..algorithms.your_parameters import as_fsrs6
from ..derivatives import Floats
from ..errors import OptimiserMissing
from ..progress import Progress
from ..revlog import Ints
from .dataset import Dataset

Parameters = Sequence[float]


@dataclass(frozen=True)
class Items:
    """What an optimiser is given: for each training review an item, its card's reviews up to it; in review order.

    Item i is made of the entries ``start[i]`` to ``stop[i]`` (exclusive) of the columns.
    """

    start: Ints
    stop: Ints
    rating: Ints
    elapsed_days: Ints


#: A function that fits parameters to items; none where there is too little to learn from. Raises OptimiserFailed.
Optimiser = Callable[[Items], Parameters]

#: How many calls run at a time, where there are as many processors.
THREADS = 2

#: The calls that run at a time are together at most so many times as large as the largest one: with five folds the
#: largest runs beside the second smallest, and the two in between beside each other.
ROOM = 1.4
#: ... and while an algorithm is fitted that needs much memory itself: with five folds one of the two smallest.
LITTLE_ROOM = 0.5
#: A largest call that is smaller counts as one of this size, which takes some 40 bytes per unit.
LEAST_SIZE = 7_000_000
#: Seconds per unit of size for which no other call begins after one, as a call needs the most memory at its beginning.
SECONDS_TO_BEGIN = 0.2e-6

#: Seconds between two chances to show progress and to cancel.
BETWEEN_LOOKS = 0.1


class OptimiserPool:
    """Calls of Anki's optimiser, one for each fold. A call's size is the number of reviews in all of its items."""

    def __init__(
        self, call: Callable[[int], Parameters], sizes: Sequence[int], processors: Optional[int] = None
    ) -> None:
        """``processors``: how many there are for it and for other work; None: all of the machine."""
        self._call = call
        self._sizes = sizes
        self._processors = processors or os.cpu_count() or 1
        self._room = self._room_for(ROOM)
        self._waiting = sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True)
        self._running = 0
        self._quiet_from = 0.0  # when the last call that began has got over its beginning
        self._threads = 0
        self._answers: Dict[int, Parameters] = {}
        self._error: Optional[BaseException] = None
        self._changed = threading.Condition()

    @classmethod
    def of(cls, data: Dataset, optimiser: Optional[Optimiser], processors: Optional[int] = None) -> OptimiserPool:
        """A pool that calls the optimiser with the training reviews of each fold.

        Raises:
            OptimiserMissing: there is no optimiser.
        """
        if optimiser is None:
            raise OptimiserMissing
        call, rows, row = optimiser, data.rows, data.reviews.row

        def optimise(fold: int) -> Parameters:
            last = row[: data.folds[fold].test_start]
            return call(Items(last - rows.position[last], last + 1, rows.rating, rows.elapsed_days))

        length = rows.position[row] + 1
        return cls(optimise, [int(length[: fold.test_start].sum()) for fold in data.folds], processors)

    def begin(self, threads: int) -> None:
        """Let up to ``threads`` threads work, and no more than there are processors. They end with the process."""
        while self._threads < min(threads, self._processors, len(self._sizes)):
            self._threads += 1
            threading.Thread(target=self._work, name="optimiser", daemon=True).start()

    def begin_ahead(self) -> None:
        """Let the largest call begin, where that leaves a processor for other work."""
        if self._processors > 1:
            self.begin(1)

    def let_begin(self, progress: Progress, *, much_memory: bool = False) -> bool:
        """Wait until the call that began ahead has the memory that it needs; returns whether that took any time.

        ``much_memory``: what is done next takes much itself, so no further large call begins beside it.
        """
        self._give_room(LITTLE_ROOM if much_memory else ROOM)
        waited = False
        while self._is_beginning():
            waited = True
            progress(0.0)
            with self._changed:
                self._changed.wait_for(self._is_settled, BETWEEN_LOOKS)
        return waited

    def stop(self) -> None:
        """Begin no further call. Calls that run are not waited for, and their answers are lost."""
        with self._changed:
            self._waiting.clear()
            self._changed.notify_all()

    def answers(self, progress: Progress) -> List[Parameters]:
        """Wait for the answers, in the order of the folds; tells the progress often.

        Raises what a call raised; the others are not waited for then.
        """
        self._give_room(ROOM)
        self.begin(THREADS)
        folds = len(self._sizes)
        try:
            while not self._is_settled():
                done = len(self._answers)
                progress(done / folds, done=done, total=folds)
                with self._changed:
                    self._changed.wait_for(self._is_settled, BETWEEN_LOOKS)
        finally:
            self.stop()
        if self._error is not None:
            raise self._error
        return [self._answers[fold] for fold in range(folds)]

    def parameters(self, progress: Progress) -> Tuple[Floats, int]:
        """The answers as parameters of FSRS-6 (F, 21), and how many numbers the shortest answer had.

        An older Anki answers with 17 (FSRS-4.5) or 19 (FSRS-5) instead of 21; none stand for the defaults. Tells often
        how many folds are done.

        Raises:
            OptimiserFailed: the optimiser gave an error.
            OddParameters: it answered with another number of parameters.
        """
        given = self.answers(progress)
        found = [as_fsrs6(parameters) for parameters in given]
        return np.array(found), min(map(len, given))

    def _room_for(self, share: float) -> float:
        return share * max(*self._sizes, LEAST_SIZE)

    def _give_room(self, share: float) -> None:
        with self._changed:
            self._room = self._room_for(share)
            self._changed.notify_all()

    def _is_settled(self) -> bool:
        return self._error is not None or len(self._answers) == len(self._sizes)

    def _is_beginning(self) -> bool:
        with self._changed:
            is_taken_next = self._threads > 0 and not self._running and self._fitting() is not None
            return not self._is_settled() and (is_taken_next or self._quiet_from > time.monotonic())

    def _work(self) -> None:
        while True:
            fold = self._take()
            if fold is None:
                return
            try:
                answer = self._call(fold)
            except BaseException as error:  # noqa: BLE001 - raised again where the answers are waited for
                self._fail(error)
                return
            with self._changed:
                self._running -= self._sizes[fold]
                self._answers[fold] = answer
                self._changed.notify_all()

    def _take(self) -> Optional[int]:
        """Wait for room and take the largest call that fits in; None when no call is left."""
        with self._changed:
            while self._waiting:
                fold, pause = self._fitting(), self._quiet_from - time.monotonic()
                if fold is not None and pause <= 0:
                    self._waiting.remove(fold)
                    self._running += self._sizes[fold]
                    if max(self._sizes) > LEAST_SIZE:
                        self._quiet_from = time.monotonic() + SECONDS_TO_BEGIN * self._sizes[fold]
                    return fold
                self._changed.wait(None if fold is None else pause)
        return None

    def _fitting(self) -> Optional[int]:
        return next((fold for fold in self._waiting if self._running + self._sizes[fold] <= self._room), None)

    def _fail(self, error: BaseException) -> None:
        with self._changed:
            self._error = self._error or error
        self.stop()
