"""FSRS with parameters that the user has pasted, to test whether they predict better than others."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import List, NamedTuple, Tuple

from ..data.revlog import Preset
from ..errors import NotAParameter, OddParameters, ParameterCount
from .algorithm import Recurrent, Source
from .fsrs5 import with_defaults
from .your_parameters import FORMULAS, as_run, convert, is_published

#: The version of FSRS that runs a set of this many parameters. Anki converts those of FSRS-4.5 and FSRS-5 to FSRS-6.
_VERSIONS = {17: 6, 19: 6, 21: 6, 34: 7}
_NUMBER = re.compile(r"[+-]?\d*\.?\d+(e[+-]?\d+)?", re.IGNORECASE)
#: Name of a set without a name.
UNNAMED = "Pasted"


class Clipped(NamedTuple):
    """A parameter that was outside its bounds."""

    name: str  #: name of its set
    number: int  #: its index
    value: float  #: its value after conversion
    bound: float  #: the nearest bound, with which FSRS runs


def parse_sets(text: str) -> Tuple[Tuple[Recurrent, ...], List[Clipped]]:
    """Return an algorithm for each set of parameters, and the parameters that were clipped to their bounds.

    Args:
        text: sets such as ``NAME = 0.212, 1.2931``, each beginning on a new line. Brackets do not matter.

    Raises:
        ParameterCount: if no version of FSRS has as many.
        NotAParameter: if one is not a finite number, before or after conversion.
    """
    sets = [_parse_set(item) for item in re.split(r"\n(?=.*=)", text.strip()) if item]
    return tuple(algorithm for algorithm, _ in sets), [item for _, clipped in sets for item in clipped]


def _parse_set(text: str) -> Tuple[Recurrent, List[Clipped]]:
    name, _, numbers = text.rpartition("=")
    name = name.strip() or UNNAMED
    words = re.findall(r"[^\s,;()\[\]]+", numbers)
    for word in words:
        if not _NUMBER.fullmatch(word):
            raise NotAParameter(name=name, value=word)
    values = tuple(map(float, words))
    if len(values) not in _VERSIONS:
        raise ParameterCount(name=name, count=len(values))
    version = _VERSIONS[len(values)]
    try:
        run = as_run(values, version)
    except OddParameters:
        # Only w5 of FSRS-4.5 can be outside the domain of the conversion.
        raise NotAParameter(name=name, value=words[5]) from None
    formulas = FORMULAS[version]
    clipped = [
        Clipped(name, number, value, bound)
        for number, (value, bound) in enumerate(zip(convert(values, version), run))
        if not math.isclose(value, bound)
    ]
    algorithm = replace(
        formulas,
        name=name,
        description=f"{formulas.name} with parameters that you entered, possibly fitted to these reviews",
        parameters=with_defaults(formulas.parameters, run),
        source=Source.OURS if is_published(Preset(0, name, values, fsrs_version=version)) else Source.PASTED,
        # Anki runs FSRS-6 on whole days.
        whole_days_only=version == 6,
    )
    return algorithm, clipped
