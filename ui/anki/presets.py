"""Read the option presets of an open collection: each one's FSRS version and parameters, and its SM-2 settings.

FSRS has had 17 parameters (version 4.5), then 19 (5), then 21 (6). Each version of Anki keeps its own next to the older
ones, runs FSRS-6 with the newest there are, and converts older ones. FSRS-7 has 34. Anki 26.09 has no place for them;
JSchoreels/anki, which is built on it, keeps them, and a number that says which version a preset runs, among the
settings that Anki keeps without knowing them, under ``jschoreels.fsrs``: ``fsrs_params_7`` and ``fsrs_version``.

The number is 0 for FSRS-7, and then not stored; 1, 2 and 3 are the versions 6, 5 and 4. So a preset of that program
that was never optimized looks like one of Anki's: whether FSRS-7 is run is known only if some preset has one of the
two. Which program was the last to write a collection is not known at all.
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

#: Keys of a preset's older FSRS parameters, newest version first. (The last was once the only one, then version 4's.)
_OLDER_KEYS = ("fsrsParams6", "fsrsParams5", "fsrsWeights")

#: Key of a preset's FSRS-7 parameters and its version.
_FORK, _PARAMETERS, _VERSION = "jschoreels.fsrs", "fsrs_params_7", "fsrs_version"

#: The fields of a preset's message that hold FSRS parameters, in Anki 26.09; an older Anki does not know all of them.
FIELDS_OF_FSRS = {"fsrs_params_4": 3, "fsrs_params_5": 5, "fsrs_params_6": 6}
_NEWEST_FSRS = 6
#: Plausible numbers of parameters of an unknown version.
_COUNTS = range(17, 100)
#: Wire type of texts, messages and packed numbers in protobuf.
_LENGTH_DELIMITED = 2

#: The longest interval that Anki's options take, in days.
_MAX_DAYS = 36_500
#: The highest number of a review order in Anki 26.09, which takes others for 0.
_LAST_ORDER = 12


def read_presets(col: Any) -> Tuple[Preset, ...]:
    """Return all option presets, with the parameters that FSRS runs with and the settings of SM-2.

    ``col`` is an ``anki.collection.Collection``, using its ``decks`` and ``db``.
    """
    presets: Sequence[Mapping[str, Any]] = col.decks.all_config()
    result = [Fsrs7.of(preset) for preset in presets]
    is_run = any(item.parameters or item.version is not None for item in result)
    read = [_preset(preset, item if is_run else None) for preset, item in zip(presets, result)]
    newer = {
        int(preset_id): _newer_parameters(bytes.fromhex(message))
        for preset_id, message in col.db.all("select id, hex(config) from deck_config")
    }
    return tuple(replace(item, **newer.get(item.preset_id, {})) for item in read)


def _newer_parameters(message: bytes) -> Dict[str, Any]:
    """Return the fields of :class:`Preset` for the parameters of a newer FSRS than FSRS-6, if there are any.

    Anki adds a field to a preset's message for each version. If this Anki has one for a newer version, it runs that
    version. If only the Anki that wrote the collection had one, the field is unknown and recognized by its content.
    """
    from anki.deck_config_pb2 import DeckConfig

    unknown_fields = import_module("google.protobuf.unknown_fields").UnknownFieldSet  # has no types
    config = DeckConfig.Config.FromString(message)
    names = [re.fullmatch(r"fsrs_params_(\d+)", field.name) for field in config.DESCRIPTOR.fields]
    newest = max((int(name[1]) for name in names if name), default=0)
    if newest > _NEWEST_FSRS:
        return {"newer_fsrs": newest, "parameters": tuple(getattr(config, f"fsrs_params_{newest}"))}
    for field in unknown_fields(config):
        if field.wire_type == _LENGTH_DELIMITED and field.field_number not in FIELDS_OF_FSRS.values():
            parameters = _packed_parameters(field.data)
            if parameters:
                return {"newer_fsrs": 0, "parameters": parameters}
    return {}


def _packed_parameters(data: bytes) -> Parameters:
    """Return the floats of a packed field if they may be FSRS parameters by their number and size, otherwise none."""
    if len(data) % 4 or len(data) // 4 not in _COUNTS:
        return ()
    values = struct.unpack(f"<{len(data) // 4}f", data)
    return values if all(value == 0 or 1e-5 < abs(value) < 1e3 for value in values) else ()


def _preset(preset: Mapping[str, Any], fsrs7: Optional[Fsrs7]) -> Preset:
    older = [_numbers(preset.get(key)) for key in _OLDER_KEYS]
    version, parameters = (6, next(filter(None, older), ())) if fsrs7 is None else fsrs7.run_beside(older)
    others = [] if fsrs7 is None or (version == 7 and parameters) else [fsrs7.parameters]
    return Preset(
        preset_id=int(preset["id"]),
        name=str(preset["name"]),
        parameters=parameters,
        desired_retention=preset.get("desiredRetention"),
        changed=int(preset.get("mod") or 0) or None,
        fsrs_version=version,
        unused=tuple(len(item) for item in (*others, *(older if others and version == 7 else ())) if item),
        sm2=_sm2(preset),
        review_order=int(_within(preset.get("reviewOrder"), 0, _LAST_ORDER, 0)),
        most_seconds=int(_within(preset.get("maxTaken"), 1, 9999, 60)),
        ignore_before=_midnight_ms(str(preset.get("ignoreRevlogsBeforeDate"))),
    )


def _midnight_ms(date: str) -> int:
    """Return the start of a date (2024-05-31) in UTC, as Anki takes it, in ms since 1970, or 0 without a valid date."""
    try:
        return int(dt.datetime.fromisoformat(f"{date}T00:00+00:00").timestamp()) * 1000
    except ValueError:
        return 0


def _sm2(preset: Mapping[str, Any]) -> Sm2Settings:
    """Return the preset's SM-2 settings. Missing or invalid ones get Anki's defaults.

    The bounds are those of Anki's backend (``ensure_deck_config_values_valid``, 26.09).
    """
    new, rev, lapse = (_mapping(preset.get(key)) for key in ("new", "rev", "lapse"))
    ints = new.get("ints")
    graduating, easy = ints[:2] if isinstance(ints, (list, tuple)) and len(ints) >= 2 else (None, None)
    usual = Sm2Settings()
    return Sm2Settings(
        starting_ease=_within(new.get("initialFactor"), 1310, 5000, 1000 * usual.starting_ease) / 1000,
        hard_factor=_within(rev.get("hardFactor"), 0.5, 1.3, usual.hard_factor),
        easy_bonus=_within(rev.get("ease4"), 1, 5, usual.easy_bonus),
        interval_modifier=_within(rev.get("ivlFct"), 0.5, 2, usual.interval_modifier),
        lapse_factor=_within(lapse.get("mult"), 0, 1, usual.lapse_factor),
        least_lapse_interval=int(_within(lapse.get("minInt"), 1, _MAX_DAYS, usual.least_lapse_interval)),
        graduating_interval=int(_within(graduating, 1, _MAX_DAYS, usual.graduating_interval)),
        easy_interval=int(_within(easy, 1, _MAX_DAYS, usual.easy_interval)),
        longest_interval=int(_within(rev.get("maxIvl"), 1, _MAX_DAYS, usual.longest_interval)),
    )


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _within(value: Any, least: float, most: float, otherwise: float) -> float:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and least <= value <= most else otherwise


@dataclass(frozen=True)
class Fsrs7:
    """FSRS-7 data of one preset."""

    parameters: Parameters  #: the stored parameters, however many; NaN for anything that is not a number
    version: Optional[int]  #: 0 for FSRS-7, 1, 2, 3 for the versions 6, 5, 4; None if it is not stored

    @classmethod
    def of(cls, preset: Mapping[str, Any]) -> Fsrs7:
        """Read the FSRS-7 data of a preset, as Anki returns it."""
        fork = _mapping(preset.get(_FORK))
        version = fork.get(_VERSION)
        return cls(_numbers(fork.get(_PARAMETERS)), version if isinstance(version, int) else None)

    def run_beside(self, older: Sequence[Parameters]) -> Tuple[int, Parameters]:
        """Return the version of FSRS that the preset runs, 7 or 6, and its parameters.

        JSchoreels/anki ignores parameters of FSRS-7 unless they are 34 finite numbers. An older version without
        parameters falls back on those of FSRS-7, then on older ones.

        Args:
            older: the parameters of versions 6, 5 and 4.

        Returns:
            The version and its parameters, which are empty if it runs the published ones.
        """
        is_valid = len(self.parameters) == FSRS_7_PARAMETERS and all(map(isfinite, self.parameters))
        fsrs_7 = self.parameters if is_valid else ()
        if self.version not in (1, 2, 3):
            return 7, fsrs_7
        order = [(6, older[self.version - 1]), (7, fsrs_7), *((6, item) for item in older)]
        return next(((version, item) for version, item in order if item), (6, ()))


def _numbers(values: object) -> Parameters:
    """Return the values of a list, with NaN for those that are not numbers. Anything else is an empty list."""
    if not isinstance(values, (list, tuple)):
        return ()
    return tuple(float(value) if isinstance(value, (int, float)) else nan for value in values)
