from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import jsonschema
import pytest

from evaluator.errors import BadOption
from evaluator.options import Options
from evaluator.scope import SAME_DAY_TABLE
from ui.anki.settings import Choices, Settings, read_settings, with_choices

ROOT = Path(__file__).resolve().parents[3]
DEFAULTS = json.loads((ROOT / "config.json").read_text(encoding="utf-8"))
SCHEMA = json.loads((ROOT / "config.schema.json").read_text(encoding="utf-8"))
HELP = (ROOT / "config.md").read_text(encoding="utf-8")

#: Validator with which Anki's editor of the configuration checks it.
EDITOR = jsonschema.validators.validator_for(SCHEMA)(SCHEMA)


def test_defaults_are_the_same_everywhere():
    assert read_settings(DEFAULTS) == read_settings({}) == Settings()
    assert Options(**Settings().option_values()) == Options()


def test_every_setting_becomes_an_option():
    reviews = {"since": "2024-05-01", "table": "whole-day", "same_day": False, "outlier_filter": False}
    config = {"algorithms": ["AVG"], "baseline": "AVG", "folds": 7.0, "reviews": reviews}
    assert EDITOR.is_valid(config)
    options = Options(**read_settings(config).option_values())
    assert options == Options(("AVG",), "AVG", 7, dt.date(2024, 5, 1), same_day=False, outlier_filter=False)
    assert set(config) == set(DEFAULTS)
    assert set(reviews) == set(DEFAULTS["reviews"])


def test_same_day_table_ignores_choices_of_other_table():
    chosen = Choices(dt.date(2024, 5, 1), SAME_DAY_TABLE, same_day=False, outlier_filter=False)
    settings = read_settings(with_choices({}, chosen))
    assert settings.reviews == chosen
    options = Options(**settings.option_values())
    assert options == Options(since=chosen.since, table=SAME_DAY_TABLE)
    assert options.algorithms_to_run()


@pytest.mark.parametrize(
    ("config", "settings"),
    [
        # Anki's getConfig replaces the whole group.
        ({**DEFAULTS, "reviews": {"since": "2024-05-01"}}, Settings(reviews=Choices(since=dt.date(2024, 5, 1)))),
        # Another version has other settings.
        ({"folds": 4, "color": 5, "reviews": {"color": 5}}, Settings(folds=4)),
        ({"reviews": {"since": "2023-02-29"}}, Settings()),
        ({"algorithms": 5, "baseline": 5, "folds": "many", "reviews": None}, Settings()),
        ({"algorithms": ["AVG"], "reviews": {"since": 5}}, Settings(("AVG",))),
    ],
)
def test_missing_unknown_and_wrong_settings_get_defaults(config, settings):
    assert read_settings(config) == settings


@pytest.mark.parametrize(
    "config",
    [
        *({"folds": odd} for odd in ("5", True, 1, 101, 2.5)),
        *({"algorithms": odd} for odd in ("FSRS-6", [], [6])),
        {"baseline": 5},
        {"fold": 5},
        {"reviews": 5},
        *({"reviews": {"since": odd}} for odd in ("20240501", "2024-05-01\n", "2024-13-01", "2024-W18-3", 5)),
        *({"reviews": {"table": odd}} for odd in ("both", True)),
        {"reviews": {"same_day": 0}},
        {"reviews": {"sameday": True}},
    ],
)
def test_editor_refuses_wrong_values(config):
    assert EDITOR.is_valid(DEFAULTS)
    assert not EDITOR.is_valid(config)


def test_editor_and_evaluation_allow_the_same_folds():
    folds = SCHEMA["properties"]["folds"]
    for count in (folds["minimum"] - 1, folds["maximum"] + 1):
        with pytest.raises(BadOption):
            Options(folds=count).algorithms_to_run()
    for count in (folds["minimum"], folds["maximum"]):
        assert Options(folds=count).algorithms_to_run()


def test_every_setting_is_explained():
    group = SCHEMA["properties"]["reviews"]["properties"]
    for name in (*SCHEMA["properties"], *group):
        assert f"* `{name}`:" in HELP or name == "reviews"
    assert (set(SCHEMA["properties"]), set(group)) == (set(DEFAULTS), set(DEFAULTS["reviews"]))


def test_choices_are_saved_and_other_settings_stay():
    for choices in (
        Choices(),
        Choices(dt.date(2024, 5, 1), same_day=False, outlier_filter=False),
        Choices(table=SAME_DAY_TABLE),
    ):
        config = json.loads(json.dumps(with_choices({"folds": 4, "reviews": {"since": "2020-01-01"}}, choices)))
        assert read_settings(config) == Settings(folds=4, reviews=choices)
