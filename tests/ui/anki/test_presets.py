from __future__ import annotations

import dataclasses
import struct
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
import pytest
from anki import deck_config_pb2
from anki.collection import Collection
from anki.deck_config_pb2 import DeckConfig
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from evaluator.algorithms.fsrs7 import FSRS7
from evaluator.algorithms.your_parameters import as_run
from evaluator.data.revlog import FSRS_7_PARAMETERS, Preset, Sm2Settings
from ui.anki.collection import _read_decks
from ui.anki.collection import read as read_snapshot
from ui.anki.presets import FIELDS_OF_FSRS, read_presets

#: Parameters of FSRS-7, and those of FSRS-6.
FSRS_7 = [0.5 + 0.01 * k for k in range(34)]
FSRS_6 = [0.25] * 21


def fsrs7_settings(parameters: List[Any], version: Optional[int]) -> Dict[str, Any]:
    """Return the settings that JSchoreels/anki stores in a preset in addition to Anki's own."""
    settings = {"fsrs_params_7": parameters, "fsrs_minimum_interval_secs": 42}
    if version is not None:
        settings["fsrs_version"] = version
    return {"jschoreels.fsrs": settings}


@pytest.fixture
def col(tmp_path):
    col = Collection(str(tmp_path / "collection.anki2"))
    yield col
    col.close()


def add(col: Any, name: str, settings: Dict[str, Any]) -> None:
    """Add a preset with these settings."""
    preset = col.decks.add_config(name)
    preset.update(settings)
    col.decks.update_config(preset)


def read(col: Any, name: str = "A") -> Preset:
    """Read the preset of that name."""
    return next(preset for preset in read_presets(col) if preset.name == name)


def test_numbers_of_fsrs_7_parameters_are_equal():
    assert len(FSRS7.parameters) == FSRS_7_PARAMETERS


@pytest.mark.parametrize(
    ("stored", "count"),
    [
        ({"fsrsWeights": [0.1] * 17}, 17),
        ({"fsrsWeights": [0.1] * 17, "fsrsParams5": [0.2] * 19}, 19),
        ({"fsrsWeights": [0.1] * 17, "fsrsParams5": [0.2] * 19, "fsrsParams6": [0.3] * 21}, 21),
        # The preset was never optimized since the update to FSRS-6.
        ({"fsrsParams5": [0.2] * 19, "fsrsParams6": []}, 19),
        ({"fsrsWeights": [], "fsrsParams5": [], "fsrsParams6": []}, 0),
        ({}, 0),
    ],
)
def test_newest_parameters_are_read(col, stored, count):
    add(col, "A", stored)
    preset = read(col)
    assert (preset.fsrs_version, len(preset.parameters), preset.unused) == (6, count, ())


@pytest.mark.parametrize("date", ["", "yesterday", "2024-05-31", "1965-01-02"])
def test_cards_are_ignored_before_midnight_utc(col, date):
    add(col, "A", {"ignoreRevlogsBeforeDate": date})
    valid = date[:1].isdigit()
    assert read(col).ignore_before == (np.datetime64(date, "ms").astype(int) if valid else 0)


class TestFsrs7:
    def add_and_read(self, col: Any, parameters: List[Any], version: Optional[int] = None, **older: Any) -> Preset:
        add(col, "A", {**fsrs7_settings(parameters, version), **older})
        return read(col)

    def test_parameters_of_fsrs_7_are_read(self, col):
        preset = self.add_and_read(col, FSRS_7, fsrsParams6=FSRS_6, fsrsWeights=[0.1] * 17)
        assert preset.parameters == pytest.approx(FSRS_7)
        assert (preset.fsrs_version, preset.unused) == (7, ())

    @pytest.mark.parametrize("stored", [[0.5] * 35, [0.5] * 33, [0.5] * 21, [*FSRS_7[:33], None]])
    def test_wrong_number_of_parameters_counts_as_none(self, col, stored):
        preset = self.add_and_read(col, stored, fsrsParams6=FSRS_6)
        assert (preset.fsrs_version, preset.parameters, preset.unused) == (7, (), (len(stored), 21))

    @pytest.mark.parametrize(("version", "count"), [(1, 21), (2, 19), (3, 17)])
    def test_older_version_can_be_chosen(self, col, version, count):
        older = {"fsrsParams6": FSRS_6, "fsrsParams5": [0.2] * 19, "fsrsWeights": [0.1] * 17}
        preset = self.add_and_read(col, FSRS_7, version, **older)
        assert (preset.fsrs_version, len(preset.parameters), preset.unused) == (6, count, (34,))

    def test_older_version_without_parameters_does_not_hide_fsrs_7(self, col):
        preset = self.add_and_read(col, FSRS_7, 1)
        assert (preset.fsrs_version, preset.parameters) == (7, pytest.approx(FSRS_7))
        col.decks.remove_config(preset.preset_id)
        assert self.add_and_read(col, [0.5] * 35, 2).parameters == ()
        assert read(col).fsrs_version == 6

    def test_other_presets_run_fsrs_7_too(self, col):
        add(col, "B", {"fsrsParams6": FSRS_6})
        assert read(col, "B").fsrs_version == 6
        self.add_and_read(col, FSRS_7)
        preset = read(col, "B")
        assert (preset.fsrs_version, preset.parameters, preset.unused) == (7, (), (21,))

    def test_parameters_survive_opening_by_another_anki(self, col):
        self.add_and_read(col, FSRS_7, fsrsParams6=FSRS_6)
        col.close()
        col.reopen()
        assert read(col).parameters == pytest.approx(FSRS_7)


@pytest.mark.parametrize("settings", [{"jschoreels.fsrs": 5}, {"jschoreels.fsrs": {"fsrs_params_7": "x"}}])
def test_fsrs_7_settings_of_another_type_are_ignored(col, settings):
    add(col, "A", {**settings, "fsrsParams6": FSRS_6})
    preset = read(col)
    assert (preset.fsrs_version, preset.parameters) == (6, pytest.approx(FSRS_6))


#: SM-2's settings by the group in which Anki stores them.
SM_2 = {
    "new": {"initialFactor": 2210, "ints": [3, 8, 0]},
    "rev": {"hardFactor": 1.1, "ease4": 1.5, "ivlFct": 0.75, "maxIvl": 365},
    "lapse": {"mult": 0.25, "minInt": 2},
}
#: The settings that are read from them.
SM_2_SETTINGS = Sm2Settings(
    starting_ease=2.21,
    hard_factor=1.1,
    easy_bonus=1.5,
    interval_modifier=0.75,
    lapse_factor=0.25,
    min_lapse_interval=2,
    graduating_interval=3,
    easy_interval=8,
    max_interval=365,
)


class TestOtherSettings:
    @staticmethod
    def settings_of(preset: Preset) -> Tuple[Optional[Sm2Settings], int, int]:
        return preset.sm2, preset.review_order, preset.max_seconds

    def add_with_settings(self, col: Any, settings: Dict[str, Any]) -> None:
        """Add a preset with these settings instead of its own."""
        preset = col.decks.add_config("A")
        for key, value in settings.items():
            preset[key] = {**preset[key], **value} if isinstance(value, dict) else value
        col.decks.update_config(preset)

    def test_new_preset_has_the_defaults(self, col):
        assert [self.settings_of(preset) for preset in read_presets(col)] == [(Sm2Settings(), 0, 60)]

    def test_review_order_and_maximum_time_are_read(self, col):
        self.add_with_settings(col, {**SM_2, "reviewOrder": 7, "maxTaken": 25})
        assert self.settings_of(read(col)) == (SM_2_SETTINGS, 7, 25)
        defaults = dataclasses.asdict(Sm2Settings())
        assert all(value != defaults[name] for name, value in dataclasses.asdict(SM_2_SETTINGS).items())

    def test_review_orders_are_those_of_anki(self, col):
        orders = DeckConfig.Config.ReviewCardOrder.values()
        for order in range(-1, max(orders) + 2):
            self.add_with_settings(col, {"reviewOrder": order})
            preset = read(col)
            assert preset.review_order == (order if order in orders else 0)
            col.decks.remove_config(preset.preset_id)

    @pytest.mark.parametrize("wrong_value", [0, 50_000])
    def test_anki_replaces_impossible_settings_by_its_defaults(self, col, wrong_value):
        wrong = {group: dict.fromkeys(settings, wrong_value) for group, settings in SM_2.items()}
        wrong["new"]["ints"] = [wrong_value, wrong_value, 0]
        wrong["lapse"]["mult"] = -1
        self.add_with_settings(col, {**wrong, "maxTaken": wrong_value})
        assert self.settings_of(read(col)) == (Sm2Settings(), 0, 60)


@pytest.mark.parametrize("form", ["as a dictionary", "as a message"])
def test_deck_can_have_its_own_desired_retention(col, form):
    """Anki stores it as field 10, a float, of the deck's message, and returns it in whole percent."""
    deck = col.decks.id("A")
    if form == "as a dictionary":
        col.decks.save({**col.decks.get(deck), "desiredRetention": 83})
    else:
        # Field 1 of the message is the normal deck.
        message = bytes.fromhex(col.db.scalar("select hex(kind) from decks where id = ?", deck))
        normal_deck = message[2:] + b"\x55" + struct.pack("<f", 0.83)
        changed = f"0a{len(normal_deck):02x}{normal_deck.hex()}"
        col.db.execute(f"update decks set kind = x'{changed}' where id = ?", deck)
        col.close()
        col.reopen()
    assert {deck.name: deck.desired_retention for deck in _read_decks(col)} == {"Default": None, "A": 0.83}


@pytest.mark.parametrize("value", [0.0, 1e9])
@pytest.mark.parametrize(("key", "count"), [("fsrsWeights", 17), ("fsrsParams5", 19), ("fsrsParams6", 21)])
def test_anki_clips_stored_parameters_as_we_do(col, value, key, count):
    note = col.new_note(col.models.by_name("Basic"))
    note["Front"] = "x"
    col.add_note(note, 1)
    (card,) = note.card_ids()
    for day, kind in ((1, 0), (4, 1), (5, 2), (15, 1)):
        col.db.execute(f"insert into revlog values ({day * 86_400_000}, {card}, 0, 3, 1, 1, 2500, 1000, {kind})")
    col.set_config("fsrs", True)
    preset = col.decks.get_config(1)

    def state(key, w):
        col.decks.update_config({**preset, key: list(w)})
        result = col._backend.compute_memory_state(card).state
        return result.stability, result.difficulty

    clipped_by_anki = state(key, [value] * count)
    assert clipped_by_anki == pytest.approx(state("fsrsParams6", as_run([value] * count)), rel=1e-5)
    assert clipped_by_anki != pytest.approx(state("fsrsParams6", []), rel=1e-2)


def test_preset_overlay_of_an_add_on_is_noted(col):
    assert read_snapshot(col).notes == ()
    col.set_config("fsrsPresetOverlay", {"presets": [], "rules": []})
    assert read_snapshot(col).notes == (("preset_overlay", 1),)


def test_ankis_presets_hold_no_parameters_that_are_not_read():
    fields = DeckConfig.Config.DESCRIPTOR.fields
    assert {field.name: field.number for field in fields if field.name.startswith("fsrs_params")} == FIELDS_OF_FSRS


class TestNewerFsrs:
    NEWER = tuple(float(np.float32(0.5 + 0.01 * k)) for k in range(35))

    @staticmethod
    def append(col: Any, name: str, number: int, data: bytes) -> None:
        """Add a length-delimited field to the message of the preset.

        The number of the field is at least 16, and the data are shorter than 16,384 bytes.
        """
        header = bytes([number % 16 << 3 | 0x82, number >> 4, len(data) & 0x7F | 0x80, len(data) >> 7])
        stored = col.db.scalar("select hex(config) from deck_config where name = ?", name)
        message = stored + header.hex() + data.hex()
        col.db.execute(f"update deck_config set config = x'{message}' where name = ?", name)

    @pytest.fixture
    def presets(self, col):
        """A collection with the presets A and B, which have FSRS-6 parameters."""
        add(col, "A", {"fsrsParams6": FSRS_6})
        add(col, "B", {"fsrsParams6": FSRS_6})
        return col

    @pytest.mark.parametrize("number", [47, 1000])
    def test_unknown_field_with_parameters_is_a_newer_fsrs(self, presets, number):
        self.append(presets, "A", number, struct.pack("<35f", *self.NEWER))
        newer = read(presets)
        unchanged = read(presets, "B")
        assert (newer.fsrs_version, newer.parameters) == (0, self.NEWER)
        assert (unchanged.fsrs_version, unchanged.parameters) == (6, pytest.approx(FSRS_6))

    @pytest.mark.parametrize(
        "data",
        [
            b"deck:current -is:suspended (note:Basic or note:Cloze) tag:a".ljust(140),
            # One number for each weekday.
            struct.pack("<7f", *[1.0] * 7),
            struct.pack("<35f", *NEWER)[:-1],
        ],
    )
    def test_fields_of_another_type_are_ignored(self, presets, data):
        self.append(presets, "A", 60, data)
        changed = read(presets)
        unchanged = read(presets, "B")
        expected = dataclasses.replace(unchanged, preset_id=changed.preset_id, name="A", changed=changed.changed)
        assert changed == expected

    def test_fsrs_6_is_no_newer_fsrs_in_an_older_anki(self, presets, monkeypatch):
        """Anki 25.02 runs the older parameters, which it knows."""
        monkeypatch.setattr(deck_config_pb2, "DeckConfig", self.schema(fsrs_params_4=3, fsrs_params_5=5))
        assert read(presets).fsrs_version == 6

    @pytest.mark.parametrize("stored", [NEWER, ()])
    def test_field_that_anki_knows_gives_the_version_of_the_newer_fsrs(self, presets, stored, monkeypatch):
        """This Anki runs FSRS-8, with any stored parameters."""
        if stored:
            self.append(presets, "A", 60, struct.pack("<35f", *stored))
        monkeypatch.setattr(deck_config_pb2, "DeckConfig", self.schema(**FIELDS_OF_FSRS, fsrs_params_8=60))
        newer = {preset.name: (preset.fsrs_version, preset.parameters) for preset in read_presets(presets)}
        assert newer == {"Default": (8, ()), "A": (8, tuple(stored)), "B": (8, ())}

    @staticmethod
    def schema(**fields: int) -> Any:
        """Return a class like Anki's ``DeckConfig`` whose presets have only these fields, which hold floats."""
        file = descriptor_pb2.FileDescriptorProto(name="future.proto", syntax="proto3")
        config = file.message_type.add(name="DeckConfig").nested_type.add(name="Config")
        for name, number in fields.items():
            config.field.add(name=name, number=number, label=3, type=2)
        pool = descriptor_pool.DescriptorPool()
        pool.Add(file)
        return message_factory.GetMessageClass(pool.FindMessageTypeByName("DeckConfig"))
