"""The add-on's configuration: what is accepted, by the window and by Anki's editor; what is not; what is kept."""

from __future__ import annotations

import datetime as dt
import json
import re
from pathlib import Path
from typing import Any, Dict, Iterator, Tuple

import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaluator.errors import BadOption, UnknownSetting
from evaluator.folds import split
from evaluator.options import Options
from ui import table_text
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
from ui.views.metrics import columns

ROOT = Path(__file__).resolve().parents[2]
DEFAULTS = json.loads((ROOT / "config.json").read_text(encoding="utf-8"))
SCHEMA = json.loads((ROOT / "config.schema.json").read_text(encoding="utf-8"))
HELP = (ROOT / "config.md").read_text(encoding="utf-8")


def test_defaults_are_the_same_everywhere() -> None:
    """In the file that Anki shows, where nothing is said, and in the evaluation."""
    assert read_settings(DEFAULTS) == read_settings({}) == read_settings(None) == (Settings(), ())
    assert Options(**Settings().option_values()) == Options()
    assert columns(Settings().binning) == table_text.METRICS


def test_every_value_arrives() -> None:
    """At the evaluation, or at the table."""
    reviews = {"since": "2024-05-01", "same_day": False, "outlier_filter": False}
    config = {"algorithms": ["AVG"], "baseline": "AVG", "folds": 7, "reviews": reviews, "binning": "benchmark"}
    settings, problems = read_settings(config)
    assert not problems
    options = Options(**settings.option_values())
    assert options == Options(("AVG",), "AVG", 7, dt.date(2024, 5, 1), same_day=False, outlier_filter=False)
    assert columns(settings.binning) == ("log_loss", "rmse_bins_benchmark", "auc")
    assert set(config) == set(DEFAULTS)
    assert set(reviews) == set(DEFAULTS["reviews"])


def test_a_group_that_is_not_complete_keeps_its_other_defaults() -> None:
    """Anki itself would replace the whole group."""
    shallow = {**DEFAULTS, "reviews": {"since": "2024-05-01"}}  # as getConfig gives it
    assert read_settings(shallow).settings.reviews == Choices(since=dt.date(2024, 5, 1))


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        ({"folds": "5"}, "folds cannot be '5'. Allowed: a whole number from 2 to 100."),
        ({"folds": True}, "folds cannot be True. Allowed: a whole number from 2 to 100."),
        ({"folds": 1}, "folds cannot be 1. Allowed: a whole number from 2 to 100."),
        ({"algorithms": "FSRS-6"}, "algorithms cannot be 'FSRS-6'. Allowed: a list of names, or [\"default\"]."),
        ({"algorithms": []}, 'algorithms cannot be []. Allowed: a list of names, or ["default"].'),
        ({"algorithms": [6]}, 'algorithms cannot be [6]. Allowed: a list of names, or ["default"].'),
        ({"baseline": 5}, 'baseline cannot be 5. Allowed: the name of an algorithm such as "AVG", or null.'),
        ({"binning": "both"}, 'binning cannot be \'both\'. Allowed: "page" or "benchmark".'),
        ({"binning": ["page"]}, 'binning cannot be [\'page\']. Allowed: "page" or "benchmark".'),
        ({"reviews": 5}, "reviews cannot be 5. Allowed: since, same_day, outlier_filter, in braces."),
        (
            {"reviews": {"since": "2023-02-29"}},
            "reviews.since cannot be '2023-02-29'. Allowed: a date like \"2024-05-01\", or null.",
        ),
        (
            {"reviews": {"since": "20240501"}},
            "reviews.since cannot be '20240501'. Allowed: a date like \"2024-05-01\", or null.",
        ),
        ({"reviews": {"same_day": 0}}, "reviews.same_day cannot be 0. Allowed: true or false."),
        ({"fold": 5}, "There is no setting 'fold'. Did you mean 'folds'?"),
        ({"reviews": {"sameday": True}}, "There is no setting 'reviews.sameday'. Did you mean 'reviews.same_day'?"),
        (
            {"colour": 5},
            "There is no setting 'colour'. There are 'algorithms', 'baseline', 'folds', 'reviews', 'binning'.",
        ),
    ],
)
def test_what_cannot_be_used_is_explained_and_the_rest_is_used(config: Dict[str, Any], sentence: str) -> None:
    """The window shows what is usual in its place."""
    folds = {} if "folds" in config else {"folds": 4}
    settings, problems = read_settings({**config, **folds})
    assert [error_sentence(problem) for problem in problems] == [sentence]
    assert settings == Settings()._replace(**folds)


@pytest.mark.parametrize("config", [5, [1], "abc", [["folds", 4]]])
def test_what_is_no_group_at_all_is_explained(config: Any) -> None:
    """Anki's editor would not save it, but somebody may have edited Anki's file; what is chosen then mends it."""
    settings, (problem,) = read_settings(config)
    assert settings == Settings()
    expected = f"config cannot be {config!r}. Allowed: algorithms, baseline, folds, reviews, binning, in braces."
    assert error_sentence(problem) == expected
    assert with_algorithms(config, ["AVG"]) == {"algorithms": ["AVG"], "baseline": None}
    assert read_settings(with_choices(config, Choices(same_day=False))).settings.reviews == Choices(same_day=False)


def test_all_problems_are_found() -> None:
    """In groups, too."""
    config = {"folds": 0, "reviews": {"same_day": 1, "since": "May"}, "x": 1}
    assert [type(problem) for problem in read_settings(config).problems] == [
        BadOption,
        BadOption,
        BadOption,
        UnknownSetting,
    ]


def test_the_evaluation_allows_the_same_folds() -> None:
    """Who asks it directly is told the same."""
    for folds in (1, 101):
        with pytest.raises(BadOption) as asked:
            split(1000, folds)
        (problem,) = read_settings({"folds": folds}).problems
        assert error_sentence(problem) == error_sentence(asked.value)
    assert len(split(1000, 2)) == 2
    assert len(split(1000, 100)) == 100


# --- Anki's editor ----------------------------------------------------------------------------------------------------


def editor_accepts(config: Any) -> bool:
    """Whether Anki's editor lets it be saved; it calls the same function with the same arguments."""
    try:
        jsonschema.validate(config, SCHEMA)
    except jsonschema.ValidationError:
        return False
    return True


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 110),
    st.floats(),
    st.sampled_from(["", "AVG", "page", "benchmark", "2024-05-01", "2024-13-01", "2024-02-30", "2024-5-1", "20240501"]),
    st.sampled_from(["2024-05-01\n", "0000-01-01", "2024-W18-3", "٢٠٢٤-05-01"]),
    st.text(max_size=3),
    st.lists(st.one_of(st.sampled_from(["default", "AVG"]), st.integers()), max_size=3),
    st.dictionaries(st.sampled_from(["since", "same_day"]), st.booleans(), max_size=1),
)
GROUPS = st.dictionaries(st.sampled_from([*DEFAULTS["reviews"], "sameday"]), ODD, max_size=3)
CONFIGS = st.fixed_dictionaries(
    {},
    optional={
        **{name: st.one_of(st.just(DEFAULTS[name]), ODD) for name in DEFAULTS if name != "reviews"},
        "reviews": st.one_of(GROUPS, ODD),
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
    """And nothing else, but for days that do not exist."""
    accepted = not read_settings(config).problems
    reviews = config.get("reviews")
    since = reviews.get("since") if isinstance(reviews, dict) else None
    if isinstance(since, str) and NO_DAY.fullmatch(since) and not accepted:
        usual = {**config, "reviews": {**reviews, "since": None}}
        assert editor_accepts(config) == (not read_settings(usual).problems)
    else:
        assert editor_accepts(config) == accepted


@given(since=st.dates())
def test_the_editor_accepts_every_day(since: dt.date) -> None:
    """As the window writes it."""
    config = with_choices({}, Choices(since=since))
    assert editor_accepts(config)
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
    """In each of its messages, and in the help beside it."""
    found = list(settings_with_schemas())
    assert len(found) == 7
    for path, setting, schema in found:
        name = path.rpartition(".")[2]
        for each in (schema, *([schema["items"]] if "items" in schema else [])):
            assert each["error_msg"] == f"{name}: allowed is {setting.allowed}."
        assert f"* `{name}`:" in HELP
    for group in (_SETTINGS, _SETTINGS["reviews"]):
        schema = SCHEMA if group is _SETTINGS else SCHEMA["properties"]["reviews"]
        assert ", ".join(group) in schema["error_msg"].format(problem="", path="", schema="", erroneous_conf="")


# --- what the window writes -------------------------------------------------------------------------------------------


def test_choices_are_kept_and_everything_else_stays() -> None:
    """In a form that JSON can hold; a group that was nonsense is mended."""
    for choices in (Choices(), Choices(dt.date(2024, 5, 1), same_day=False, outlier_filter=False)):
        before = {"folds": 4, "reviews": {"since": "2020-01-01", "kept": 1}}
        config = json.loads(json.dumps(with_choices(before, choices)))
        assert read_settings(config).settings == Settings(folds=4, reviews=choices)
        assert config["reviews"]["kept"] == 1
        assert read_settings(with_choices({"reviews": 5}, choices)).settings.reviews == choices


def test_algorithms_are_kept_and_everything_else_stays() -> None:
    """The baseline goes with them."""
    config = with_algorithms({"algorithms": [6], "folds": 3, "reviews": {"same_day": False}}, ["all"], "AVG")
    reviews = Choices(same_day=False)
    assert read_settings(config) == (Settings(("all",), "AVG", folds=3, reviews=reviews), ())
    assert read_settings(with_algorithms(config, ["all"])).settings.baseline is None
