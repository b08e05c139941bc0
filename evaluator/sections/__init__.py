"""The sections of a report: what is worked out only when somebody asks for it.

A section is a field of :class:`evaluator.report.Report` and a function here that fills it from the report so far and
the evidence; between two of its steps (a fraction of a second each) it tells the progress how far it is, from 0 to 1.
To add one: its dataclass in ``evaluator/report/``, its function in a file here, and a line in ``SECTIONS``.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

from ..errors import UnknownName
from ..evidence import Evidence
from ..progress import SILENT, Progress
from ..report import Report
from ..revlog import Snapshot
from ..tally import Evaluation
from .cheating import cheating
from .comparisons import comparisons
from .decomposition import decomposition
from .desired_retention import desired_retention
from .graphs import graphs, graphs_of
from .groups import groups
from .parameters import parameters
from .sensitivity import sensitivity
from .splitting import splitting
from .stability import stability

Find = Callable[[Report, Evidence, Progress], Any]
FindPart = Callable[[Report, Evidence, str, Progress], Any]


@dataclass(frozen=True)
class Section:
    """How one field of the report is found."""

    field: str
    find: Find
    slow: bool = False  #: takes as long as the evaluation itself, or longer
    #: Where the field is a tuple with an item for each algorithm, which says whose it is: how to find one.
    find_part: Optional[FindPart] = None
    needs_snapshot: bool = False  #: says less where it is not given what was evaluated


SECTIONS: Dict[str, Section] = {
    section.field: section
    for section in (
        Section("comparisons", comparisons),
        Section("decomposition", decomposition),
        Section("cheating", cheating),
        Section("stability", stability),
        Section("parameters", parameters),
        Section("desired_retention", desired_retention),
        Section("graphs", graphs, find_part=graphs_of),
        Section("groups", groups),
        Section("splitting", splitting, slow=True),
        Section("sensitivity", sensitivity, slow=True, needs_snapshot=True),
    )
}

#: Names that stand for several.
GROUPS: Dict[str, Tuple[str, ...]] = {
    "none": (),
    "quick": tuple(name for name, section in SECTIONS.items() if not section.slow),
    "all": tuple(SECTIONS),
}


def sections_named(names: Sequence[str]) -> List[str]:
    """The sections that these names and groups stand for, each once, in the report's order.

    Raises:
        UnknownName: a name is neither a section nor a group; says which come close.
    """
    known = {**{name: (name,) for name in SECTIONS}, **GROUPS}
    wanted: Set[str] = set()
    for name in names:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=3)
            raise UnknownName(what="section", name=name, suggestions=close, known=list(known))
        wanted.update(known[name])
    return [name for name in SECTIONS if name in wanted]


def add_sections(
    evaluation: Evaluation, names: Sequence[str], snapshot: Optional[Snapshot] = None, *, progress: Progress = SILENT
) -> Evaluation:
    """The evaluation with these sections in its report; those that are there already are made anew.

    ``snapshot`` is what was evaluated, for sections that need it (:attr:`Section.needs_snapshot`): it is let go of at
    the end, since it may be large. ``progress`` is told the section as the stage.

    Raises:
        UnknownName: there is no such section.
        ValueError: the evaluation has not kept its evidence.
    """
    if evaluation.evidence is None:
        raise ValueError("the evaluation has not kept its evidence")
    wanted = sections_named(names)
    evidence = replace(evaluation.evidence, snapshot=snapshot)
    for number, name in enumerate(wanted):
        part = progress.part(number / len(wanted), (number + 1) / len(wanted), stage=name)
        part(0.0)
        found = SECTIONS[name].find(evaluation.report, evidence, part)
        evaluation = replace(evaluation, report=replace(evaluation.report, **{SECTIONS[name].field: found}))
    return evaluation


def add_part(evaluation: Evaluation, name: str, algorithm: str, progress: Progress = SILENT) -> Evaluation:
    """The evaluation with one algorithm's item in that section, beside those of others that are there already.

    Raises:
        ValueError: the section has no such parts, or the evaluation has not kept its evidence.
    """
    section, report = SECTIONS[name], evaluation.report
    if section.find_part is None or evaluation.evidence is None:
        raise ValueError(f"{name} cannot be made of {algorithm} alone")
    found = section.find_part(report, evaluation.evidence, algorithm, progress)
    items = {**{item.algorithm: item for item in getattr(report, section.field)}, algorithm: found}
    ordered: Any = tuple(items[row.algorithm] for row in report.results if row.algorithm in items)
    return replace(evaluation, report=replace(report, **{section.field: ordered}))
