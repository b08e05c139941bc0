"""``python3 tools evaluate --forecasts FILE``: verdicts that are kept in a file, and judged by a later run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from told import reads, says

from tools.simulate import Habits, Learner, simulate
from ui.anki.forecasts import read_forecasts
from ui.views import load

from .conftest import Run, write_csv

QUICK = ("--algorithms", "SM-2,FSRS-6 default")
LEARNER = Learner(seed=5, days=260, habits=Habits(new_per_day=5))


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Somebody's review log after some months, all of it, and that of somebody else."""
    folder = tmp_path_factory.mktemp("logs")
    whole = simulate(LEARNER).snapshot
    ids = whole.revlog.review_id
    early = whole.until(int(ids.min() + 0.5 * (ids.max() - ids.min())))
    snapshots = (early, whole, simulate(replace(LEARNER, seed=6, days=120)).snapshot)
    files = tuple(folder / f"{name}.csv" for name in ("early", "whole", "other"))
    for snapshot, file in zip(snapshots, files, strict=True):
        write_csv(snapshot, file, folder / "cards.csv")
    return files  # type: ignore[return-value]


def test_a_verdict_is_kept_and_judged_later(here: Run, logs: tuple[Path, Path, Path], tmp_path: Path) -> None:
    """The file is made where there is none; it is the report that says how it went."""
    early, whole, _ = logs
    file, json_file = tmp_path / "mine.json", tmp_path / "report.json"
    first = here("evaluate", early, *QUICK, "--forecasts", file)
    assert (first.returncode, first.stderr) == (0, "")
    assert says(first.stdout, "How our verdicts fared")
    assert "is still open" in first.stdout
    assert str(file) in first.stdout.partition("Written:")[2]
    (waiting,) = read_forecasts(file)
    second = here("evaluate", whole, *QUICK, "--forecasts", file, "--json", json_file, "--html", tmp_path / "page.html")
    assert (second.returncode, second.stderr) == (0, "")
    judged, following = read_forecasts(file)
    assert judged.outcome is not None
    assert following.outcome is None
    assert replace(judged, outcome=None) == waiting
    said = " ".join(second.stdout.split())
    assert f"On {judged.date} FSRS-6 default was" in said
    assert f"On the {judged.outcome.reviews:,} reviews from then to {judged.outcome.date}" in said
    found = json.loads(json_file.read_text(encoding="utf-8"))["forecasts"]
    assert [one["date"] for one in found["made"]] == [judged.date, following.date]
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<h3>How our verdicts fared</h3>" in page
    assert "--forecasts FILE --html" in page
    before = file.read_bytes()
    assert here("evaluate", whole, *QUICK, "--forecasts", file).returncode == 0
    assert file.read_bytes() == before


def test_without_the_option_nothing_is_said_of_it(here: Run, logs: tuple[Path, Path, Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = here("evaluate", logs[0], *QUICK, "--sections", "quick", "--html", page)
    assert done.returncode == 0
    text = page.read_text(encoding="utf-8")
    assert "verdicts fared" not in done.stdout + text
    assert load("forecasts").question not in text
    assert "--forecasts" not in text


def test_those_of_another_collection_stay_as_they_are(here: Run, logs: tuple[Path, Path, Path], tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    assert here("evaluate", logs[0], *QUICK, "--forecasts", file).returncode == 0
    before = file.read_bytes()
    done = here("evaluate", logs[2], *QUICK, "--forecasts", file, "--json", tmp_path / "report.json")
    assert done.returncode == 2
    assert reads(done.stderr, f"The forecasts in {file} are of another collection. Give the name of another file.")
    assert file.read_bytes() == before
    assert not (tmp_path / "report.json").exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("my notes", "holds no forecasts, or damaged ones, so nothing is written over it."),
        ('{"version": 2}', "were written by a newer version, so it is left alone."),
    ],
)
def test_another_file_stays_as_it_is(
    here: Run, logs: tuple[Path, Path, Path], tmp_path: Path, content: str, words: str
) -> None:
    """Said before the long work."""
    file = tmp_path / "mine.json"
    file.write_text(content, encoding="utf-8")
    done = here("evaluate", logs[0], *QUICK, "--forecasts", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert says(done.stderr, words)
    assert file.read_text(encoding="utf-8") == content


def test_an_empty_file_is_filled(here: Run, logs: tuple[Path, Path, Path], tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.touch()
    assert here("evaluate", logs[0], *QUICK, "--forecasts", file).returncode == 0
    assert len(read_forecasts(file)) == 1


def test_where_it_cannot_be_written_is_said_first(here: Run, logs: tuple[Path, Path, Path], tmp_path: Path) -> None:
    for file in (tmp_path / "nowhere" / "mine.json", tmp_path, logs[0]):
        done = here("evaluate", logs[0], *QUICK, "--forecasts", file)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"--forecasts cannot be '{file}'.")
