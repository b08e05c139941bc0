"""Messages, settings, and borders of the windows' code."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from evaluator import __version__, errors
from ui.window.messages import failure_of

ROOT = Path(__file__).resolve().parents[2]


def test_every_error_of_the_input_is_a_calm_message() -> None:
    for error in (
        errors.EmptyRevlog(),
        errors.NothingInScope(cards=3),
        errors.UnknownName(what="deck", name="A", suggestions=[], known=["B"]),
        errors.BadSearch(search="(", detail="a bracket"),
        errors.AllFiltered(rows=29, funnel=[("first_review", 29)]),
        errors.TooFewReviews(reviews=4, needed=6, folds=5),
        errors.OneOutcome(reviews=40, outcome=1),
        errors.CollectionClosed(),
        errors.UnknownAlgorithm(name="FSRS-66", suggestions=["FSRS-6"], known=["FSRS-6"]),
        errors.BadOption(option="folds", value="many", allowed="a whole number"),
    ):
        failure = failure_of(error, repr)
        assert failure.heading
        assert failure.text
        assert not failure.details
    assert failure_of(errors.AllFiltered(rows=29, funnel=[("first_review", 29)]), repr).funnel == (
        ("first_review", 29),
    )


@pytest.mark.parametrize("library", ["numpy", "matplotlib", "matplotlib.figure"])
def test_a_missing_library_is_named(library: str) -> None:
    failure = failure_of(ModuleNotFoundError(f"No module named {library!r}", name=library), repr)
    assert failure.heading == "A library is missing"
    assert library.split(".", maxsplit=1)[0] in failure.text
    assert not failure.details


def test_a_library_that_cannot_be_loaded_is_named() -> None:
    failure = failure_of(ImportError("DLL load failed", name="numpy"), repr)
    assert "DLL load failed" in failure.text


def test_why_numpy_cannot_be_loaded_is_said_by_the_cause() -> None:
    error = ImportError("\n\nIMPORTANT: PLEASE READ THIS")
    error.__cause__ = ModuleNotFoundError("No module named 'numpy._core.c'", name="numpy._core.c")
    failure = failure_of(error, repr)
    assert "numpy is installed but cannot be loaded (No module named 'numpy._core.c')" in failure.text
    assert not failure.details


def test_the_unexpected_has_a_report_to_copy() -> None:
    """And panics of the backend, which are no Exception, are treated alike."""

    class Panic(BaseException):
        """Like the backend's."""

    for error in (RuntimeError("boom"), Panic("boom"), ModuleNotFoundError("No module named 'spam'", name="spam")):
        failure = failure_of(error, repr)
        assert failure.heading == "Something went wrong"
        assert failure.details == repr(error)


def test_manifest_is_of_this_version() -> None:
    manifest = json.loads((ROOT / "manifest.json").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert manifest["human_version"] == project["version"] == __version__
    assert manifest["package"] == "srs_evaluator"


def test_qt_comes_from_aqt_only_and_pyplot_is_never_used() -> None:
    for path in (ROOT / "ui").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "PyQt" not in text, path
        assert "import pyplot" not in text, path
        assert "matplotlib.pyplot" not in text, path
