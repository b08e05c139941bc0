"""FSRS with parameters that the user has pasted, to test whether they predict better than others."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Tuple

from ..data.revlog import Preset
from ..errors import DecimalComma, NotAParameter, OddParameters, ParameterCount, SetsOnOneLine
from .algorithm import Recurrent
from .fsrs5 import with_defaults
from .your_parameters import FORMULAS, is_published, out_of_bounds, parameters_of

#: The version of FSRS that runs a set of this many parameters. Anki converts those of FSRS-4.5 and FSRS-5 to FSRS-6.
_VERSIONS = {17: 6, 19: 6, 21: 6, 34: 7}
#: Name of a set without a name.
UNNAMED = "Pasted"


def parse_sets(text: str) -> Tuple[Recurrent, ...]:
    """Return an algorithm for each set of parameters.

    Args:
        text: sets such as ``NAME = 0.212, 1.2931`` or ``NAME: 0.212 1.2931``, each beginning on a new line or after an
            empty one. Brackets, quotes and wide commas do not matter.

    Raises:
        DecimalComma: if numbers have a comma instead of a point.
        SetsOnOneLine: if a line has more than one name.
        ParameterCount: if no version of FSRS has as many.
        NotAParameter: if one is not a finite number, before or after conversion.
    """
    texts = re.split(r"\n(?=.*[=:])|\n\s*\n", text.replace("\N{MINUS SIGN}", "-"))
    return tuple(_parse_set(item) for item in texts if item.strip())


def _parse_set(text: str) -> Recurrent:
    """Return the algorithm of one set, see :func:`parse_sets`."""
    name, _, numbers = text.rpartition("=" if "=" in text else ":")
    name = name.strip(' \t{"“”„') or UNNAMED
    # A colon may be in the name, but not before a number such as 0.2.
    if re.search(r"=|:\W*\d*[.,]\d", name):
        raise SetsOnOneLine
    # Two numbers such as 0,3 that are separated by more than a comma.
    if re.search(r"(?<![\d.])\d+,\d+,?[\s;]+-?\d+,\d+(?![\d.])", numbers):
        raise DecimalComma
    words = re.findall(r"[^\s,，、;；()\[\]{}\"“”„]+", numbers)
    for word in words:
        if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d\d?)?", word):
            raise NotAParameter(name=name, value=word)
    version = _VERSIONS.get(len(words))
    if version is None:
        raise ParameterCount(name=name, count=len(words))
    preset = Preset(0, name, tuple(map(float, words)), fsrs_version=version)
    try:
        w = parameters_of(preset)
    except OddParameters:
        # Only w5 of FSRS-4.5 can be outside the domain of the conversion.
        raise NotAParameter(name=name, value=words[5]) from None
    formulas = FORMULAS[version]
    return replace(
        formulas,
        name=name,
        description=f"{formulas.name} with parameters that you entered",
        parameters=with_defaults(formulas.parameters, w),
        in_sample=not is_published(preset),
        clipped=out_of_bounds(preset),
        # Anki runs FSRS-6 on whole days.
        whole_days_only=version == 6,
    )
