"""What is said when a run ends without a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Tuple

from .. import strings
from ..science import AllFiltered, EvaluatorError, wording

#: Packages that Anki does not come with, and those that they bring along.
_LIBRARIES = ("numpy", "matplotlib", "PIL", "contourpy", "cycler", "dateutil", "fontTools", "kiwisolver", "pyparsing")


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
    if isinstance(error, ImportError) and (error.name or "").split(".")[0] in _LIBRARIES:
        library = (error.name or "").split(".")[0]
        if isinstance(error, ModuleNotFoundError):
            return Failure(strings.MISSING_HEADING, strings.MISSING.format(library=library))
        return Failure(strings.MISSING_HEADING, strings.BROKEN_LIBRARY.format(library=library, detail=error))
    return Failure(strings.UNEXPECTED_HEADING, strings.UNEXPECTED, report(error))
