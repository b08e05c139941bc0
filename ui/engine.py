"""The windows' access to the modules of ``evaluator`` that need NumPy.

It is separate from :mod:`ui.science`, because importing NumPy is slow. Import it only inside functions, and for the
first time on a background thread.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from . import single_threaded_numpy  # isort: skip - NumPy must not be loaded before this
from .anki.collection import read_steps
from .anki.optimizer import benchmark_trainer, optimize_button
from .views.choices import Catalog

if TYPE_CHECKING or __package__ == "ui":
    from evaluator.algorithms import ALGORITHM_GROUPS, CATALOG, group_members
    from evaluator.algorithms.pasted import parse_sets
    from evaluator.data.fsrs_start import fsrs_start
    from evaluator.data.revlog import Snapshot
    from evaluator.evaluation import evaluate, show_subject, show_whole
    from evaluator.findings.subjects import evidence_on
    from evaluator.options import Options
    from evaluator.scoring.report_builder import Evaluation
    from evaluator.sections import SECTIONS, add_sections, select_sections
else:
    from ..evaluator.algorithms import ALGORITHM_GROUPS, CATALOG, group_members
    from ..evaluator.algorithms.pasted import parse_sets
    from ..evaluator.data.fsrs_start import fsrs_start
    from ..evaluator.data.revlog import Snapshot
    from ..evaluator.evaluation import evaluate, show_subject, show_whole
    from ..evaluator.findings.subjects import evidence_on
    from ..evaluator.options import Options
    from ..evaluator.scoring.report_builder import Evaluation
    from ..evaluator.sections import SECTIONS, add_sections, select_sections


def catalog(table: str) -> Catalog:
    """Return all algorithms that a user can choose, as variants for that table.

    Algorithms that run only if they are named are left out, so that "All" means all that can be chosen.
    """
    algorithms = tuple(replace(CATALOG[name], table=table) for name in ALGORITHM_GROUPS["all"])
    return Catalog(algorithms, {name: group_members(name, table) for name in ALGORITHM_GROUPS})
