from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

import pytest

from evaluator import __version__, errors
from evaluator.report import RowCount
from ui.window.messages import cancelled_sentence, message_for

from ..text.test_wording import FACTS, all_errors, facts_and_texts

ROOT = Path(__file__).resolve().parents[3]


#: NumPy's own error has no name, and its message is a page long.
NUMPY_ERROR = ImportError("\n\nIMPORTANT: PLEASE READ THIS")
NUMPY_ERROR.__cause__ = ModuleNotFoundError("no core", name="numpy._core.c")


@pytest.mark.parametrize(("same_day", "offered"), [(208, True), (0, False)])
def test_same_day_reviews_are_offered_if_there_are_any(same_day, offered):
    error = errors.NoLaterDay(reviews=312, cards=104, days=1, needed=8, same_day=same_day, funnel=[])
    message = message_for(error, repr)
    assert message.same_day == offered
    assert ("same-day" in message.text) == offered
    assert not message_for(errors.EmptyRevlog(), repr).same_day


@pytest.mark.parametrize("error_class", all_errors(), ids=lambda error_class: error_class.code)
def test_error_in_input_has_no_error_report(error_class):
    facts, _ = facts_and_texts(error_class)
    failure = message_for(error_class(**facts), repr)
    assert failure.heading
    assert failure.text
    assert not failure.details
    left_out = FACTS["funnel"] if error_class is errors.AllFiltered else ()
    assert failure.row_counts == tuple(RowCount(step, "left_out", rows) for step, rows in left_out)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        *((ModuleNotFoundError("none", name=name), name[:5]) for name in ("numpy", "matplotlib", "matplotlib.figure")),
        (ImportError("DLL load failed", name="numpy"), "DLL load failed"),
        (ImportError(name="numpy"), "numpy cannot be loaded."),
        (NUMPY_ERROR, "numpy cannot be loaded (no core)"),
    ],
)
def test_missing_or_broken_library_is_named(error, words):
    failure = message_for(error, repr)
    assert words in failure.text
    assert not failure.details


def test_message_names_folder_of_broken_library(tmp_path, monkeypatch):
    error = ImportError("no core", name="contourpy")
    monkeypatch.delitem(sys.modules, "contourpy", raising=False)
    install_again = (
        "Restarting Anki may help. If it does not, close Anki, delete the folder srs_evaluator_libraries in Anki's own "
        "folder, and let SRS Evaluator install the libraries again."
    )
    update_other = (
        f"It is in {tmp_path / 'other_addon'}. Update or disable the add-on that includes it, or update it there, then "
        "restart Anki."
    )
    for folder, advice in (
        (tmp_path / "nowhere", install_again),
        (tmp_path / "other_addon", update_other),
        (tmp_path / "srs_evaluator_libraries" / "cp39", install_again),
    ):
        if folder.name != "nowhere":
            (folder / "contourpy").mkdir(parents=True)
            (folder / "contourpy" / "__init__.py").touch()
        monkeypatch.setattr(sys, "path", [str(folder)])
        assert message_for(error, repr).text == f"contourpy cannot be loaded (no core). {advice}"


def test_cancelled_sentence_names_three_algorithms():
    names = ["FSRS-6", "Anki-SM-2", "AVG", "LSTM"]
    expected = "FSRS-6 (as in the benchmark), Anki's SM-2 (as it is), Guessing your running average and 1 more"
    assert cancelled_sentence(names) == f"Cancelled. Not run: {expected}."


class Panic(BaseException):
    """Error like a panic of Anki's backend, which is no ``Exception``."""


@pytest.mark.parametrize("error", [RuntimeError("boom"), Panic("boom"), ModuleNotFoundError("no spam", name="spam")])
def test_unexpected_error_has_report_to_copy(error):
    failure = message_for(error, repr)
    assert failure.heading == message_for(RuntimeError(), repr).heading
    assert failure.details == repr(error)


def test_manifest_has_this_version():
    manifest = json.loads((ROOT / "manifest.json").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert manifest["human_version"] == project["version"] == __version__
    assert manifest["package"] == "srs_evaluator"
