"""The sections of a report, each computed only on request.

``README.md`` here says how to add one.
"""

from __future__ import annotations

import difflib
import importlib
import logging
import pkgutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Set, Tuple, cast

from ..errors import UnknownName, WholeDayOnly
from ..progress import SILENT, Cancelled, Progress
from ..report import Failure, require_finite
from ..scope import SAME_DAY_TABLE
from .section import ForAll, ForEach, Section

if TYPE_CHECKING:
    from ..data.revlog import Snapshot
    from ..report import Report
    from ..scoring.evidence import Evidence
    from ..scoring.report_builder import Evaluation

_LOG = logging.getLogger(__name__)

#: Ending of the modules that define a section.
_ENDING = "_section"
#: All sections by key, which is the name of their module without that ending.
SECTIONS: Dict[str, Section] = {
    module.name[: -len(_ENDING)]: importlib.import_module(f".{module.name}", __package__).SECTION
    for module in pkgutil.iter_modules(__path__)
    if module.name.endswith(_ENDING)
}
#: Placeholder in the report for each section until it is computed.
EMPTY_SECTIONS: Dict[str, Any] = {key: section.empty_result for key, section in SECTIONS.items()}

#: Sections by the name of their group, in the order of computation, in which slow ones are last.
SECTION_GROUPS: Dict[str, Tuple[str, ...]] = {
    "none": (),
    "quick": tuple(key for key, section in SECTIONS.items() if not section.slow),
    "all": tuple(sorted(SECTIONS, key=lambda key: (SECTIONS[key].slow, SECTIONS[key].needs_snapshot))),
}


def select_sections(names: Sequence[str]) -> List[str]:
    """Return the keys of the sections with these names or in these groups, in the order of computation.

    Raises:
        UnknownName: if a name is neither a section nor a group. The error suggests similar names.
    """
    keys_by_name = {**{name: (name,) for name in SECTION_GROUPS["all"]}, **SECTION_GROUPS}
    requested: Set[str] = set()
    for name in names:
        if name not in keys_by_name:
            close = difflib.get_close_matches(name, keys_by_name, n=3, cutoff=0.7)
            raise UnknownName(what="section", name=name, suggestions=close, known=list(keys_by_name))
        requested.update(keys_by_name[name])
    return [name for name in SECTION_GROUPS["all"] if name in requested]


def add_sections(
    evaluation: Evaluation,
    sections: Sequence[str],
    snapshot: Optional[Snapshot] = None,
    *,
    names: Optional[Sequence[str]] = None,
    progress: Progress = SILENT,
    strict: bool = False,
) -> Evaluation:
    """Compute sections, even if they exist already, and return the evaluation with them in its report.

    Args:
        evaluation: the evaluation.
        sections: names of sections and of groups of sections.
        snapshot: the evaluated snapshot, for sections that need it (:attr:`Section.needs_snapshot`). The returned
            evaluation does not keep it, because it may be large.
        names: the algorithms to add to sections with an item for each algorithm. None means all that have a result.
        progress: called with the section as the stage.
        strict: if a section cannot be computed, raise its error. Otherwise the report holds a
            :class:`evaluator.report.Failure` instead of the section, and the other sections are still computed.

    Raises:
        UnknownName: if a section does not exist.
    """
    requested = select_sections(sections)
    evidence = evaluation.evidence
    report = evaluation.report
    if snapshot is not None:
        evidence = replace(evidence, snapshot=snapshot)
    for number, key in enumerate(requested):
        section_progress = progress.part(number / len(requested), (number + 1) / len(requested), stage=key)
        section_progress(0.0)
        try:
            result = _compute_section(key, report, evidence, names, section_progress)
            require_finite(result, key)
        except Exception as error:
            if strict or isinstance(error, (Cancelled, MemoryError)):
                raise
            _LOG.debug(key, exc_info=True)
            result = Failure.of(error)
        report = report.with_section(key, result)
    return replace(evaluation, report=report)


def _compute_section(
    key: str, report: Report, evidence: Evidence, names: Optional[Sequence[str]], progress: Progress
) -> Any:
    """Return the section's result, or the failure if the table does not have the section.

    In a section with an item for each algorithm, earlier items of other algorithms are kept.
    """
    section = SECTIONS[key]
    if section.whole_day_only and report.scope.table == SAME_DAY_TABLE:
        return Failure(WholeDayOnly.code, {})
    if section.of == "report":
        return cast(ForAll, section.compute)(evidence, progress)
    names = list(evidence.fitted) if names is None else names
    earlier_result = report.section(key)
    items = {} if isinstance(earlier_result, Failure) else {item.algorithm: item for item in earlier_result}
    for number, name in enumerate(names):
        part_progress = progress.part(number / len(names), (number + 1) / len(names))
        items[name] = cast(ForEach, section.compute)(evidence, part_progress, report, name)
    return tuple(items[row.algorithm] for row in report.results if row.algorithm in items)
