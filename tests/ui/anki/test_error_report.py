from __future__ import annotations

import re
import subprocess
import sys
from functools import partial
from pathlib import Path, PureWindowsPath
from typing import Callable

import pytest

from evaluator import __version__
from evaluator.errors import BadOption
from ui.anki.error_report import error_report, versions

VERSIONS = {"SRS Evaluator": "0.1.0", "Anki": "26.9.3"}
ROOT = Path(__file__).resolve().parents[3]
#: Private texts that an error message may contain, such as names of decks, a search and the front of a card.
PRIVATE = (
    "Medicine::Rare Diseases",
    "Lang\\uages",
    'O\'Brien "x"',
    "A",
    "解剖学の骨",
    'front:"la syringomyélie" tag:fail',
)


def report_of(function: Callable[[], object]) -> str:
    """Return the error report of the function, which must fail."""
    try:
        function()
    except BaseException as error:  # noqa: BLE001 - panics of the backend are also reported.
        return error_report(error, VERSIONS, {"reviews of": "collection", "cards": 12})
    pytest.fail("nothing was raised")


def fail():
    raise RuntimeError("boom")


def test_report_states_kind_place_and_amount():
    lines = report_of(fail).splitlines()
    assert "  Anki: 26.9.3" in lines
    assert "  reviews of: collection" in lines
    assert "  cards: 12" in lines
    assert lines[-1] == "  RuntimeError"
    assert lines[-2].endswith(' fail: raise RuntimeError("boom")')
    assert lines[-2].strip().startswith("tests/ui/anki/test_error_report.py:")


def test_report_contains_chain_of_causes():
    def fail_twice(*, chained):
        try:
            fail()
        except RuntimeError as error:
            raise ValueError from (error if chained else None)

    text = report_of(lambda: fail_twice(chained=True))
    assert text.index("  RuntimeError\n") < text.index("led to") < text.index("  ValueError\n")
    assert "  RuntimeError\n" not in report_of(lambda: fail_twice(chained=False))


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError,
        lambda text: FileNotFoundError(2, text, text),
        ImportError,
        lambda text: BadOption(option=text, value=text, allowed=text),
        lambda text: UnicodeDecodeError("utf-8", text.encode(), 0, 1, text),
        lambda text: subprocess.CalledProcessError(1, [text], text, text),
    ],
)
def test_report_omits_error_messages(error):
    def fail_twice(text):
        try:
            raise error(text)
        except Exception as cause:
            raise error(text) from cause

    reports = {report_of(partial(fail_twice, text)) for text in ("", *(f"odd: {name}" for name in PRIVATE))}
    assert len(reports) == 1


def test_report_contains_error_codes():
    for error, text in (
        (FileNotFoundError(2, "No such file", "x"), "FileNotFoundError: ENOENT"),
        (OSError(123456, "odd"), "OSError: 123456"),
        (OSError("odd"), "OSError"),
        (ModuleNotFoundError("No module", name="numpy.core"), "ModuleNotFoundError: numpy.core"),
        (BadOption(option="x", value="y", allowed="z"), f"BadOption: {BadOption.code}"),
    ):
        assert error_report(error, VERSIONS, {}).endswith(f"  {text}\n")


def test_report_contains_no_folder_of_user():
    text = report_of((Path.home() / "no such folder" / "x.json").read_text)
    places = re.findall(r"^ +(\S+\.py):\d+ ", text, re.MULTILINE)
    assert places[0] == "tests/ui/anki/test_error_report.py"
    assert {place.count("/") for place in places[1:]} == {2}
    assert text.endswith("  FileNotFoundError: ENOENT\n")


def test_report_needs_neither_numpy_nor_matplotlib():
    program = """
import sys
sys.modules.update(numpy=None, matplotlib=None)
from ui.anki.error_report import error_report, versions
messages = ["INFO: one", "INFO: two"]
print(error_report(OSError(28, "full"), versions(), {"for": "3.13"}, about="About", messages=messages))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "  numpy: not loaded\n" in done.stdout
    assert "About\n  for: 3.13\n" in done.stdout
    assert "  OSError: ENOSPC\n" in done.stdout
    assert done.stdout.endswith("What pip said\n  INFO: one\n  INFO: two\n\n")


@pytest.mark.parametrize("home", [Path.home(), PureWindowsPath("C:\\Users\\Jürgen")])
@pytest.mark.parametrize("write", [str, repr, ascii])
def test_home_folder_in_messages_is_abbreviated(home, write, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: home)
    text = error_report(OSError("full"), VERSIONS, {}, messages=[f"INFO: looking in {write(str(home / 'x'))}"])
    assert text.splitlines()[-1].replace("\\", "/").replace("//", "/").replace("'", "") == "  INFO: looking in ~/x"


def test_versions_are_those_that_run():
    import numpy as np
    from anki.buildinfo import version

    result = versions()
    assert (result["SRS Evaluator"], result["Anki"], result["numpy"]) == (__version__, version, np.__version__)
    assert all(isinstance(value, str) and value for value in result.values())
