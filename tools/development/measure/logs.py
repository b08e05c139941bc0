"""The review logs to measure on: simulated ones of three sizes, always the same, or a given one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evaluator.data.revlog import Snapshot
from tools import sources
from tools.simulate import Habits, Learner, simulate, write_collection

#: About 10 thousand, 100 thousand and 1 million reviews that can be predicted.
SIZES = {
    "10k": Learner(days=365, habits=Habits(new_per_day=4.5, reviews_per_day=400)),
    "100k": Learner(days=3 * 365, habits=Habits(new_per_day=10.7, reviews_per_day=600)),
    "1m": Learner(days=10 * 365, habits=Habits(new_per_day=23.4, reviews_per_day=1200)),
}


@dataclass(frozen=True)
class Log:
    """A review log to measure on, as ``tools evaluate`` takes it."""

    name: str
    path: Path
    cards: Path | None = None
    next_day_at: int | None = None
    learner: Learner | None = None  #: the learner to simulate; None: the file exists already

    def make(self) -> None:
        """Write the file of a simulated log."""
        if self.learner is not None:
            write_collection(simulate(self.learner), self.path)

    def read(self) -> Snapshot:
        """Read the snapshot."""
        return sources.read(self.path, cards=self.cards, next_day_at=self.next_day_at)
