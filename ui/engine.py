"""The door to what needs NumPy. To be imported inside functions only, and first on a background thread: it is slow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .collection import read_steps
from .optimiser import anki_optimiser

if TYPE_CHECKING or __package__ == "ui":
    from evaluator.evaluation import Progress, evaluate
    from evaluator.options import Options
    from evaluator.predictions import to_csv
    from evaluator.revlog import Snapshot
    from evaluator.tally import Evaluation
else:
    from ..evaluator.evaluation import Progress, evaluate
    from ..evaluator.options import Options
    from ..evaluator.predictions import to_csv
    from ..evaluator.revlog import Snapshot
    from ..evaluator.tally import Evaluation

__all__ = ["Evaluation", "Options", "Progress", "Snapshot", "anki_optimiser", "evaluate", "read_steps", "to_csv"]
