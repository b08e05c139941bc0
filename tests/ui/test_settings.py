"""The add-on's configuration: what is accepted, by the window and by Anki's editor; what is not; what is kept."""

from __future__ import annotations

import datetime as dt
import json
import re
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from told import reads

from evaluator.errors import BadOption, UnknownSetting
from evaluator.folds import split
from evaluator.options import Options
from evaluator.scope import SAME_DAY_TABLE
from ui.anki.settings import (
    _SETTINGS,
    Choices,
    Setting,
    Settings,
    read_settings,
    with_algorithms,
    with_choices,
)
from ui.text.errors import error_sentence

ROOT = Path(__file__).resolve().parents[2]
DEFAULTS = json.loads((ROOT / "config.json").read_text(encoding="utf-8"))
SCHEMA = json.loads((ROOT / "config.schema.json").read_text(encoding="utf-8"))
NO_DATES = ("2023-02-29", "20240501")
HELP = (ROOT / "config.md").read_text(encoding="utf-8")


def test_defaults_are_the_same_everywhere() -> None:
    """In the file that Anki shows, where nothing is said, and in the evaluation."""
    assert read_settings(DEFAULTS) == read_settings({}) == read_settings(None) == (Settings(), ())
    assert Options(**Settings().option_values()) == Options()


def test_every_value_arrives() -> None:
    reviews = {"since": "2024-05-01", "table": "whole-day", "same_day": False, "outlier_filter": False}
    config = {"algorithms": ["AVG"], "baseline": "AVG", "folds": 7, "reviews": reviews}
    settings, problems = read_settings(config)
    assert not problems
    options = Options(**settings.option_values())
    assert options == Options(("AVG",), "AVG", 7, dt.date(2024, 5, 1), same_day=False, outlier_filter=False)
    assert set(config) == set(DEFAULTS)
    assert set(reviews) == set(DEFAULTS["reviews"])


def test_in_the_table_with_same_day_reviews_choices_of_the_other_do_not_count() -> None:
    """They are kept for that one."""
    chosen = Choices(dt.date(2024, 5, 1), SAME_DAY_TABLE, same_day=False, outlier_filter=False)
    settings, problems = read_settings(with_choices({}, chosen))
    assert (settings.reviews, problems) == (chosen, ())
    options = Options(**settings.option_values())
    assert options == Options(since=chosen.since, table=SAME_DAY_TABLE)
    assert options.contestants()


def test_a_group_that_is_not_complete_keeps_its_other_defaults() -> None:
    """Anki itself would replace the whole group."""
    shallow = {**DEFAULTS, "reviews": {"since": "2024-05-01"}}  # as getConfig gives it
    assert read_settings(shallow).settings.reviews == Choices(since=dt.date(2024, 5, 1))


@pytest.mark.parametrize(
    ("config", "path", "allowed"),
    [
        *(({"folds": odd}, "folds", "a whole number from 2 to 100") for odd in ("5", True, 1)),
        *(({"algorithms": odd}, "algorithms", 'a list of names, or ["default"]') for odd in ("FSRS-6", [], [6])),
        ({"baseline": 5}, "baseline", 'the name of an algorithm such as "AVG", or null'),
        ({"reviews": 5}, "reviews", "since, table, same_day, outlier_filter, in braces"),
        *(({"reviews": {"since": odd}}, "reviews.since", 'a date like "2024-05-01", or null') for odd in NO_DATES),
        ({"reviews": {"same_day": 0}}, "reviews.same_day", "true or false"),
        *(({"reviews": {"table": odd}}, "reviews.table", '"whole-day" or "same-day"') for odd in ("both", True)),
    ],
)
def test_what_cannot_be_used_is_explained_and_the_rest_is_used(config: Dict[str, Any], path: str, allowed: str) -> None:
    folds = {} if "folds" in config else {"folds": 4}
    settings, (problem,) = read_settings({**config, **folds})
    value = config
    for name in path.split("."):
        value = value[name]
    assert reads([error_sentence(problem)], [f"{path} cannot be {value!r}. Allowed: {allowed}."])
    assert settings == Settings()._replace(**folds)


@pytest.mark.parametrize(
    ("config", "name", "known"),
    [
        ({"fold": 5}, "fold", ["folds"]),
        ({"reviews": {"sameday": True}}, "reviews.sameday", ["reviews.same_day"]),
        ({"colour": 5}, "colour", list(DEFAULTS)),
    ],
)
def test_a_name_that_means_nothing_is_explained(config: Dict[str, Any], name: str, known: List[str]) -> None:
    settings, (problem,) = read_settings({**config, "folds": 4})
    assert re.findall("'(.*?)'", error_sentence(problem)) == [name, *known]
    assert settings == Settings(folds=4)


@pytest.mark.parametrize("config", [5, [1], "abc", [["folds", 4]]])
def test_what_is_no_group_at_all_is_explained(config: Any) -> None:
    """Anki's editor would not save it, but somebody may have edited Anki's file; what is chosen then mends it."""
    settings, (problem,) = read_settings(config)
    assert settings == Settings()
    expected = f"config cannot be {config!r}. Allowed: {', '.join(DEFAULTS)}, in braces."
    assert reads(error_sentence(problem), expected)
    assert with_algorithms(config, ["AVG"]) == {"algorithms": ["AVG"], "baseline": None}
    assert read_settings(with_choices(config, Choices(same_day=False))).settings.reviews == Choices(same_day=False)


def test_all_problems_are_found() -> None:
    config = {"folds": 0, "reviews": {"same_day": 1, "since": "May"}, "x": 1}
    assert [type(problem) for problem in read_settings(config).problems] == [
        BadOption,
        BadOption,
        BadOption,
        UnknownSetting,
    ]


def test_the_evaluation_allows_the_same_folds() -> None:
    for folds in (1, 101):
        with pytest.raises(BadOption) as asked:
            split(1000, folds)
        (problem,) = read_settings({"folds": folds}).problems
        assert error_sentence(problem) == error_sentence(asked.value)
    assert len(split(1000, 2)) == 2
    assert len(split(1000, 100)) == 100


# --- Anki's editor ----------------------------------------------------------------------------------------------------


#: What Anki's editor does with each configuration that is to be saved, the schema having been read once.
EDITOR = jsonschema.validators.validator_for(SCHEMA)(SCHEMA)


def test_the_schema_is_one() -> None:
    EDITOR.check_schema(SCHEMA)


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 110),
    st.floats(),
    st.sampled_from(["", "AVG", "page", "benchmark", "2024-05-01", "2024-13-01", "2024-02-30", "2024-5-1", "20240501"]),
    st.sampled_from(["2024-05-01\n", "0000-01-01", "2024-W18-3", "٢٠٢٤-05-01"]),
    st.text(max_size=3),
    st.lists(st.one_of(st.sampled_from(["default", "AVG"]), st.integers()), max_size=3),
    st.sampled_from(["whole-day", "same-day", "both"]),
    st.dictionaries(st.sampled_from(["since", "same_day"]), st.booleans(), max_size=1),
)
SETTINGS_OF_REVIEWS = st.dictionaries(st.sampled_from([*DEFAULTS["reviews"], "sameday"]), ODD, max_size=3)
CONFIGS = st.fixed_dictionaries(
    {},
    optional={
        **{name: st.one_of(st.just(DEFAULTS[name]), ODD) for name in DEFAULTS if name != "reviews"},
        "reviews": st.one_of(SETTINGS_OF_REVIEWS, ODD),
        "fold": ODD,
    },
)
#: Days that the calendar lacks, of which a schema cannot know.
NO_DAY = re.compile(r"[0-9]{4}-(02-(29|30)|(02|04|06|09|11)-31)|0000-..-..")


@given(config=CONFIGS)
@example(config={"folds": 5.0})
@example(config={"folds": float("nan")})
@example(config={"reviews": {"since": "2024-02-29"}})
@example(config={"reviews": {"since": "2023-02-29"}})
def test_the_editor_accepts_what_the_window_accepts(config: Dict[str, Any]) -> None:
    accepted = not read_settings(config).problems
    reviews = config.get("reviews")
    since = reviews.get("since") if isinstance(reviews, dict) else None
    if isinstance(since, str) and NO_DAY.fullmatch(since) and not accepted:
        usual = {**config, "reviews": {**reviews, "since": None}}
        assert EDITOR.is_valid(config) == (not read_settings(usual).problems)
    else:
        assert EDITOR.is_valid(config) == accepted


@given(since=st.dates())
def test_the_editor_accepts_every_day(since: dt.date) -> None:
    config = with_choices({}, Choices(since=since))
    assert EDITOR.is_valid(config)
    assert read_settings(config) == (Settings(reviews=Choices(since=since)), ())


def settings_with_schemas(
    group: Any = _SETTINGS, schema: Any = SCHEMA, path: str = ""
) -> Iterator[Tuple[str, Setting, Any]]:
    """Every setting, with what the schema says of it."""
    assert set(group) == set(schema["properties"]), path
    for name, setting in group.items():
        found = schema["properties"][name]
        if isinstance(setting, Setting):
            yield path + name, setting, found
        else:
            yield from settings_with_schemas(setting, found, f"{path}{name}.")


def test_the_editor_says_what_the_window_says() -> None:
    found = list(settings_with_schemas())
    assert len(found) == 7
    for path, setting, schema in found:
        name = path.rpartition(".")[2]
        for each in (schema, *([schema["items"]] if "items" in schema else [])):
            assert reads(each["error_msg"], f"{name}: allowed is {setting.allowed}.")
        assert f"* `{name}`:" in HELP
    for group in (_SETTINGS, _SETTINGS["reviews"]):
        schema = SCHEMA if group is _SETTINGS else SCHEMA["properties"]["reviews"]
        assert ", ".join(group) in schema["error_msg"].format(problem="", path="", schema="", erroneous_conf="")


# --- what the window writes -------------------------------------------------------------------------------------------


def test_choices_are_kept_and_everything_else_stays() -> None:
    """In a form that JSON can hold; a group that was nonsense is mended."""
    for choices in (
        Choices(),
        Choices(dt.date(2024, 5, 1), same_day=False, outlier_filter=False),
        Choices(table=SAME_DAY_TABLE),
    ):
        before = {"folds": 4, "reviews": {"since": "2020-01-01", "kept": 1}}
        config = json.loads(json.dumps(with_choices(before, choices)))
        assert read_settings(config).settings == Settings(folds=4, reviews=choices)
        assert config["reviews"]["kept"] == 1
        assert read_settings(with_choices({"reviews": 5}, choices)).settings.reviews == choices


def test_algorithms_are_kept_and_everything_else_stays() -> None:
    config = with_algorithms({"algorithms": [6], "folds": 3, "reviews": {"same_day": False}}, ["all"], "AVG")
    reviews = Choices(same_day=False)
    assert read_settings(config) == (Settings(("all",), "AVG", folds=3, reviews=reviews), ())
    assert read_settings(with_algorithms(config, ["all"])).settings.baseline is None
