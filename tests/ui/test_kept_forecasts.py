"""The files in which verdicts are kept: whole or not at all, set aside, left alone, apart, erased."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Optional, Tuple

import pytest
from aqt.qt import QObject
from made_forecasts import JUDGED, WAITING
from one_thread import Anki
from told import says

from evaluator.errors import DamagedForecasts, NewerForecasts
from evaluator.evaluation import evaluate
from evaluator.forecasts import Forecast, to_plain
from evaluator.options import Options
from tools.simulate import Learner, simulate
from ui.anki.forecasts import KeptForecasts, forecasts_text, kept_forecasts, read_forecasts
from ui.window.findings import KNOWN, Findings, Question
from ui.window.jobs import Jobs
from ui.window.kept_section import FOR_GOOD, STORED, KeptSection

FORECASTS = (JUDGED, WAITING)
ASKED = Question("forecasts")


def kept(folder: Path, *, on: bool = True) -> KeptForecasts:
    return KeptForecasts(folder / "user_files" / "forecasts-1.json", on=on)


def names(folder: Path) -> Tuple[str, ...]:
    return tuple(sorted(path.name for path in folder.rglob("*") if path.is_file()))


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    """The folder is made, nothing else is left in it, and what is the same is not written again."""
    assert kept(tmp_path).read() == ()
    kept(tmp_path).keep(())
    assert names(tmp_path) == ()
    kept(tmp_path).keep(FORECASTS)
    assert names(tmp_path) == ("forecasts-1.json",)
    assert kept(tmp_path).read() == FORECASTS
    file = tmp_path / "user_files" / "forecasts-1.json"
    written = file.stat().st_mtime_ns, file.stat().st_ino
    kept(tmp_path).keep(FORECASTS)
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == written


def test_what_was_judged_since_it_was_read_is_known(tmp_path: Path) -> None:
    store = kept(tmp_path)
    store.keep(FORECASTS)
    assert not store.judged  # nothing was read
    assert store.read() == FORECASTS
    store.keep(FORECASTS)
    assert not store.judged
    store.keep((JUDGED, JUDGED, WAITING))
    assert store.judged


def test_where_it_is_off_nothing_is_read_or_written(tmp_path: Path) -> None:
    (tmp_path / "user_files").mkdir()
    (tmp_path / "user_files" / "forecasts-1.json").write_text("damaged", encoding="utf-8")
    store = kept(tmp_path, on=False)
    assert store.read() is None
    assert says(store.said, "This is switched off under Options.")
    assert names(tmp_path) == ("forecasts-1.json",)
    assert store.there  # and can be erased
    store.erase()
    assert names(tmp_path) == ()


@pytest.mark.parametrize(
    "content",
    [b"{", b"[]", b"\xff\xfe", b"null", b'{"version": 1, "forecasts": [1]}', b"[" * 100_000, b" " * 10_000_001],
)
def test_a_damaged_file_is_set_aside_and_a_new_one_begins(tmp_path: Path, content: bytes) -> None:
    """Its bytes stay as they were, under the name that is said."""
    store = kept(tmp_path)
    (tmp_path / "user_files").mkdir()
    (tmp_path / "user_files" / "forecasts-1.json").write_bytes(content)
    with pytest.raises(DamagedForecasts):
        read_forecasts(tmp_path / "user_files" / "forecasts-1.json")
    assert store.read() == ()
    assert says(store.said, "The file was damaged. It is now called forecasts-1.damaged; a new one begins.")
    assert (tmp_path / "user_files" / "forecasts-1.damaged").read_bytes() == content
    store.keep((WAITING,))
    assert kept(tmp_path).read() == (WAITING,)
    store.erase()
    assert names(tmp_path) == ()


def test_an_empty_file_holds_none(tmp_path: Path) -> None:
    (tmp_path / "empty.json").touch()
    assert read_forecasts(tmp_path / "empty.json") == ()


def test_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    newer = json.dumps({**to_plain(FORECASTS), "version": 2})
    file = tmp_path / "user_files" / "forecasts-1.json"
    file.parent.mkdir()
    file.write_text(newer, encoding="utf-8")
    with pytest.raises(NewerForecasts):
        read_forecasts(file)
    store = kept(tmp_path)
    assert store.read() is None
    assert says(store.said, "These were written by a newer version of this add-on. They are left alone.")
    assert file.read_text(encoding="utf-8") == newer


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """Neither an error nor a draft is left; nor where it cannot be read."""
    (tmp_path / "user_files").write_text("a file in its place", encoding="utf-8")
    store = kept(tmp_path)
    store.keep(FORECASTS)
    assert says(store.said, "This verdict could not be kept, so it cannot be judged later")
    assert names(tmp_path) == ("user_files",)
    store = kept(tmp_path)
    assert store.read() is None
    assert says(store.said, "The verdicts that are kept cannot be read")


def test_what_is_written_half_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full when the draft is written leaves the file as it was."""
    kept(tmp_path).keep((WAITING,))

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    store = kept(tmp_path)
    store.keep(FORECASTS)
    assert says(store.said, "No space left on device")
    assert names(tmp_path) == ("forecasts-1.json",)
    assert kept(tmp_path).read() == (WAITING,)


# --- whose they are ---------------------------------------------------------------------------------------------------


@dataclass
class Window:
    """As much of Anki's window as says whose forecasts they are."""

    profile: str
    folder: Path
    addonManager: Any = field(init=False)  # noqa: N815 - Anki's name

    def __post_init__(self) -> None:
        self.addonManager = SimpleNamespace(
            addonFromModule=lambda module: module.partition(".")[0],
            addonsFolder=lambda name: str(self.folder / name),
        )
        self.pm = SimpleNamespace(name=self.profile)

    def kept(self) -> KeptForecasts:
        return kept_forecasts(self, "1234.ui.window.model", on=True)  # type: ignore[arg-type]


def test_two_profiles_are_kept_apart(tmp_path: Path) -> None:
    """By no name."""
    (tmp_path / "1234").mkdir()
    windows = [Window("Mei", tmp_path), Window("Jo", tmp_path), Window("M\udcffi", tmp_path)]
    for number, window in enumerate(windows):
        window.kept().keep([_with_reviews(number)])
    assert [window.kept().read() for window in windows] == [(_with_reviews(number),) for number in range(3)]
    assert len(names(tmp_path)) == 3
    assert not any("Mei" in name or "Jo" in name for name in names(tmp_path))
    windows[0].kept().erase()
    assert [window.kept().read() for window in windows[1:]] == [(_with_reviews(1),), (_with_reviews(2),)]
    assert all(path.parent == tmp_path / "1234" / "user_files" for path in tmp_path.rglob("*.json"))


def _with_reviews(count: int) -> Forecast:
    return Forecast(**{**WAITING.__dict__, "reviews": count})


# --- in the window ----------------------------------------------------------------------------------------------------


class Kept:
    """The findings of an evaluation, whose forecasts are kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self.on = True
        self.parent = QObject()
        self.folder = folder
        self.findings = Findings(Jobs(Anki(), self.parent), pytest.fail, self.parent, self._open)  # type: ignore[arg-type]
        self.findings.take(evaluate(simulate(Learner(days=120)).snapshot, Options(("SM-2", "AVG"))), complete=True)

    def _open(self, _job: object) -> KeptForecasts:
        return kept(self.folder, on=self.on)

    def answer(self) -> Optional[Any]:
        self.findings.ask([ASKED])
        assert self.findings.state(ASKED) == KNOWN
        assert self.findings.report is not None
        return self.findings.report.section("forecasts")


def test_an_answer_is_kept_when_it_is_worked_out(qapp: object, tmp_path: Path) -> None:
    asked = Kept(tmp_path)
    answer = asked.answer()
    assert answer is not None
    assert kept(tmp_path).read() == answer.made
    assert len(answer.made) == 1


def test_erased_is_erased_until_the_next_evaluation(qapp: object, tmp_path: Path) -> None:
    asked = Kept(tmp_path)
    asked.answer()
    asked.findings.erase_kept("forecasts")
    assert (names(tmp_path), asked.answer()) == ((), None)
    assert names(tmp_path) == ()
    assert asked.findings.kept is not None
    assert says(asked.findings.kept.said, "The verdicts are erased. The next evaluation begins anew.")


def test_switched_off_nothing_is_written_even_while_it_is_worked_out(
    qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ui import engine

    asked, add = Kept(tmp_path), engine.add_sections

    def switch_off(*given: Any, **how: Any) -> Any:
        asked.on = False
        return add(*given, **how)

    monkeypatch.setattr(engine, "add_sections", switch_off)
    assert asked.answer() is None
    assert names(tmp_path) == ()
    asked.findings.forget_answer("forecasts")
    assert asked.answer() is None
    asked.on = True
    monkeypatch.setattr(engine, "add_sections", add)
    asked.findings.forget_answer("forecasts")
    assert asked.answer() is not None
    assert len(names(tmp_path)) == 1


@pytest.mark.parametrize(
    ("on", "said"), [(True, "The file of earlier verdicts was damaged."), (False, "This is switched off under Options")]
)
def test_what_is_stored_is_said_wherever_something_is(qapp: object, tmp_path: Path, on: bool, said: str) -> None:
    """Beside what happened to it; once it is erased there is nothing to be said of it."""
    (tmp_path / "user_files").mkdir()
    (tmp_path / "user_files" / "forecasts-1.json").write_text("damaged", encoding="utf-8")
    asked = Kept(tmp_path)
    asked.on = on
    section = KeptSection("forecasts", asked.findings, lambda task, then: then(task()))
    section.open()
    assert says(section.stored.text(), said)
    assert STORED in section.stored.text()
    section.erase.click()
    assert section.stored.text() == FOR_GOOD
    section.erase.click()
    assert names(tmp_path) == ()
    assert says(section.stored.text(), "The verdicts are erased.")
    assert STORED not in section.stored.text()


def test_the_text_of_a_file_is_the_same_everywhere(tmp_path: Path) -> None:
    """The terminal's and the add-on's."""
    kept(tmp_path).keep(FORECASTS)
    assert (tmp_path / "user_files" / "forecasts-1.json").read_bytes() == forecasts_text(FORECASTS).encode()
