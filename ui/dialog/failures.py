"""What is said when a run ends without a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional, Tuple

from .. import strings
from ..error_report import chain_of
from ..libraries.needs import MODULES
from ..science import AllFiltered, EvaluatorError, wording


@dataclass(frozen=True)
class Failure:
    """A calm message."""

    heading: str
    text: str
    details: str = ""  #: the error report, to be copied; empty where the input is at fault
    funnel: Tuple[Tuple[str, int], ...] = ()  #: what was left out, where nothing was left


def failure_of(error: BaseException, report: Callable[[BaseException], str]) -> Failure:
    """The message for what was raised; ``report`` is asked for the error report where there is to be one."""
    if isinstance(error, EvaluatorError):
        heading = strings.INPUT_HEADINGS.get(error.code, strings.INPUT_HEADING)
        funnel = tuple((step, rows) for step, rows in error.facts["funnel"]) if isinstance(error, AllFiltered) else ()
        return Failure(heading, wording.error_sentence(error), funnel=funnel)
    text = _library_sentence(error)
    if text is not None:
        return Failure(strings.MISSING_HEADING, text)
    return Failure(strings.UNEXPECTED_HEADING, strings.UNEXPECTED, report(error))


def _library_sentence(error: BaseException) -> Optional[str]:
    """Where a library is not there, or is and cannot be loaded; NumPy says why in what its own error came from."""
    for each in reversed(chain_of(error) if isinstance(error, ImportError) else []):
        name = each.name or "" if isinstance(each, ImportError) else ""
        library = name.partition(".")[0]
        if library not in MODULES:
            continue
        if isinstance(each, ModuleNotFoundError) and name == library:
            return strings.MISSING.format(library=library)
        return strings.BROKEN_LIBRARY.format(library=library, detail=each)
    return None
