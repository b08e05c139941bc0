"""Reader of the option presets of an open collection: FSRS version and parameters, and the settings of SM-2.

FSRS-4.5 has 17 parameters, FSRS-5 has 19 and FSRS-6 has 21. Each version of Anki stores the parameters of its FSRS next
to the older ones. It runs FSRS-6 with the newest parameters that exist, and converts older ones.

FSRS-7 has 34 parameters, for which Anki 26.09 has no field. JSchoreels/anki, which is built on it, stores them as
``fsrs_params_7`` under ``jschoreels.fsrs``, among the settings that Anki keeps without knowing them. There it also
stores ``fsrs_version``: 1, 2 and 3 are the versions 6, 5 and 4, and for FSRS-7 there is none. So a preset of that
program that was never optimized looks like one of Anki's, and FSRS-7 is assumed only if some preset has one of the two
settings. Which program was the last to write a collection is unknown.
"""

from __future__ import annotations

import datetime as dt
import re
import struct
from dataclasses import dataclass, replace
from importlib import import_module
from math import isfinite, nan
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Sequence, Tuple

if TYPE_CHECKING or __package__ == "ui.anki":
    from evaluator.data.revlog import FSRS_7_PARAMETERS, Preset, Sm2Settings
else:
    from ...evaluator.data.revlog import FSRS_7_PARAMETERS, Preset, Sm2Settings

Parameters = Tuple[float, ...]

#: Keys of a preset's parameters of FSRS-6, FSRS-5 and FSRS-4.5.
_OLDER_KEYS = ("fsrsParams6", "fsrsParams5", "fsrsWeights")

#: Key of JSchoreels/anki's settings.
_FORK = "jschoreels.fsrs"
#: Keys of the FSRS-7 parameters and of the version in these settings.
_PARAMETERS = "fsrs_params_7"
_VERSION = "fsrs_version"

#: Number of each field of a preset's protobuf message that holds FSRS parameters in Anki 26.09. An older Anki lacks
#: some of them.
FIELDS_OF_FSRS = {"fsrs_params_4": 3, "fsrs_params_5": 5, "fsrs_params_6": 6}
#: Newest version of FSRS in Anki 26.09.
_NEWEST_FSRS = 6
#: Plausible numbers of parameters of an unknown version.
_PLAUSIBLE_COUNTS = range(17, 100)
#: Protobuf's wire type of texts, messages and packed numbers.
_LENGTH_DELIMITED = 2

#: Number of review orders in Anki 26.09. Anki treats any other number as 0.
_N_REVIEW_ORDERS = 13


def read_presets(col: Any) -> Tuple[Preset, ...]:
    """Return all option presets, with the parameters that FSRS runs with and the settings of SM-2.

    ``col`` is an ``anki.collection.Collection``. Its ``decks`` and ``db`` are used.
    """
    stored_presets: Sequence[Mapping[str, Any]] = col.decks.all_config()
    fsrs_7 = [Fsrs7.of(stored) for stored in stored_presets]
    is_fsrs_7_run = any(item.parameters or item.version is not None for item in fsrs_7)
    presets = [_read_preset(stored, item if is_fsrs_7_run else None) for stored, item in zip(stored_presets, fsrs_7)]
    newer_fields = {
        preset_id: _newer_parameters(bytes.fromhex(message))
        for preset_id, message in col.db.all("select id, hex(config) from deck_config")
    }
    return tuple(replace(preset, **newer_fields.get(preset.preset_id, {})) for preset in presets)


def newest_fsrs() -> int:
    """Return the newest version of FSRS for which this Anki stores parameters."""
    from anki.deck_config_pb2 import DeckConfig

    matches = (re.fullmatch(r"fsrs_params_(\d+)", field.name) for field in DeckConfig.Config.DESCRIPTOR.fields)
    return max(int(match[1]) for match in matches if match)


def _newer_parameters(message: bytes) -> Dict[str, Any]:
    """Return the fields of :class:`Preset` that describe parameters of a newer FSRS than FSRS-6.

    Anki adds a field to a preset's message for each version. If this Anki has one for a newer version, it runs that
    version. If only the Anki that wrote the collection had one, the field is unknown and recognized by its content.

    Args:
        message: the preset as a protobuf message.

    Returns:
        ``fsrs_version`` and ``parameters``, or nothing if FSRS-6 or an older one is run.
    """
    from anki.deck_config_pb2 import DeckConfig

    # The module has no types, so a plain import would fail mypy.
    unknown_fields = import_module("google.protobuf.unknown_fields").UnknownFieldSet
    config = DeckConfig.Config.FromString(message)
    newest = newest_fsrs()
    if newest > _NEWEST_FSRS:
        return {"fsrs_version": newest, "parameters": tuple(getattr(config, f"fsrs_params_{newest}"))}
    for field in unknown_fields(config):
        if field.wire_type == _LENGTH_DELIMITED and field.field_number not in FIELDS_OF_FSRS.values():
            parameters = _packed_parameters(field.data)
            if parameters:
                return {"fsrs_version": 0, "parameters": parameters}
    return {}


def _packed_parameters(data: bytes) -> Parameters:
    """Return the numbers in a packed field of 4-byte floats if their count and sizes are plausible for parameters."""
    if len(data) % 4 or len(data) // 4 not in _PLAUSIBLE_COUNTS:
        return ()
    values = struct.unpack(f"<{len(data) // 4}f", data)
    return values if all(value == 0 or 1e-5 < abs(value) < 1e3 for value in values) else ()


def _read_preset(preset: Mapping[str, Any], fsrs_7: Optional[Fsrs7]) -> Preset:
    """Read a preset as Anki returns it. ``fsrs_7`` is None if the collection does not show that FSRS-7 is run."""
    older = [_numbers(preset.get(key)) for key in _OLDER_KEYS]
    unused: Sequence[Parameters] = ()
    version = 6
    parameters = next(filter(None, older), ())
    if fsrs_7 is not None:
        version, parameters = fsrs_7.version_and_parameters(older)
        if version != 7:
            unused = [fsrs_7.parameters]
        elif not parameters:
            unused = [fsrs_7.parameters, *older]
    return Preset(
        preset_id=preset["id"],
        name=preset["name"],
        parameters=parameters,
        desired_retention=preset["desiredRetention"],
        changed=preset["mod"] or None,
        fsrs_version=version,
        unused=tuple(len(item) for item in unused if item),
        sm2=_sm2(preset),
        review_order=preset["reviewOrder"] if preset["reviewOrder"] in range(_N_REVIEW_ORDERS) else 0,
        max_seconds=preset["maxTaken"],
        ignore_before=_midnight_ms(preset["ignoreRevlogsBeforeDate"]),
    )


def _midnight_ms(date: str) -> int:
    """Return the start of a date such as 2024-05-31 in UTC, in ms since 1970, or 0 if the date is invalid."""
    try:
        return int(dt.datetime.fromisoformat(f"{date}T00:00+00:00").timestamp()) * 1000
    except ValueError:
        return 0


def _sm2(preset: Mapping[str, Any]) -> Sm2Settings:
    """Return the preset's SM-2 settings, for which Anki has replaced invalid values by its defaults."""
    new = preset["new"]
    rev = preset["rev"]
    lapse = preset["lapse"]
    return Sm2Settings(
        starting_ease=new["initialFactor"] / 1000,
        hard_factor=rev["hardFactor"],
        easy_bonus=rev["ease4"],
        interval_modifier=rev["ivlFct"],
        lapse_factor=lapse["mult"],
        min_lapse_interval=lapse["minInt"],
        graduating_interval=new["ints"][0],
        easy_interval=new["ints"][1],
        max_interval=rev["maxIvl"],
    )


@dataclass(frozen=True)
class Fsrs7:
    """FSRS-7 data of one preset."""

    #: The stored parameters, of any number. NaN stands for anything that is not a number.
    parameters: Parameters
    #: The stored version, in which 1, 2 and 3 are FSRS-6, FSRS-5 and FSRS-4.5. None if it is not stored.
    version: Optional[int]

    @classmethod
    def of(cls, preset: Mapping[str, Any]) -> Fsrs7:
        """Read the FSRS-7 data of a preset, as Anki returns it."""
        fork = preset.get(_FORK)
        if not isinstance(fork, dict):
            return cls((), None)
        version = fork.get(_VERSION)
        return cls(_numbers(fork.get(_PARAMETERS)), version if isinstance(version, int) else None)

    def version_and_parameters(self, older: Sequence[Parameters]) -> Tuple[int, Parameters]:
        """Return the version of FSRS that the preset runs, 7 or 6, and the parameters.

        JSchoreels/anki ignores parameters of FSRS-7 unless they are 34 finite numbers. If the preset's version is an
        older one without parameters, it runs FSRS-7 with its parameters, or else FSRS-6 with the newest older ones.

        Args:
            older: the parameters of FSRS-6, FSRS-5 and FSRS-4.5, each empty if there are none.

        Returns:
            The version and its parameters, which are empty if it runs the published ones.
        """
        is_valid = len(self.parameters) == FSRS_7_PARAMETERS and all(map(isfinite, self.parameters))
        fsrs_7 = self.parameters if is_valid else ()
        if self.version not in (1, 2, 3):
            return 7, fsrs_7
        candidates = [(6, older[self.version - 1]), (7, fsrs_7), *((6, parameters) for parameters in older)]
        return next(((version, parameters) for version, parameters in candidates if parameters), (6, ()))


def _numbers(values: object) -> Parameters:
    """Return the values of a list, with NaN for those that are not numbers. Anything else counts as an empty list."""
    if not isinstance(values, (list, tuple)):
        return ()
    return tuple(float(value) if isinstance(value, (int, float)) else nan for value in values)
