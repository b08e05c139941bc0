from __future__ import annotations

import resource
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, List

import fake
import pytest
from chart_texts import graph

from evaluator.errors import BadOption
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.progress import SILENT
from evaluator.scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from evaluator.scoring.report_builder import Evaluation
from tools.simulate import Learner, simulate
from ui.views.view import Block
from ui.window.export import suggested_name, write

GRAPH = Block("interval", "By interval", names=("FSRS-6",))


@pytest.mark.parametrize(
    ("ending", "name"),
    [
        ("html", "srs-evaluator-report"),
        ("json", "srs-evaluator-report"),
        ("csv", "srs-evaluator-predictions"),
        ("png", "interval-fsrs-6"),
        ("svg", "interval-fsrs-6"),
    ],
)
def test_names_identify_the_table(ending: str, name: str) -> None:
    assert suggested_name(ending, GRAPH, WHOLE_DAY_TABLE) == f"{name}.{ending}"
    assert suggested_name(ending, GRAPH, SAME_DAY_TABLE) == f"{name}.same-day.{ending}"


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return evaluate(simulate(Learner(days=100)).snapshot, Options(("AVG", "SM-2"), folds=2))


@contextmanager
def full_disk() -> Iterator[None]:
    """No file can become larger than a kilobyte."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def files(folder: Path) -> List[Path]:
    return sorted(folder.rglob("*"))


@pytest.mark.parametrize("ending", ["html", "json", "csv", "png", "svg"])
def test_older_file_survives_full_disk(ending: str, evaluation: Evaluation, tmp_path: Path) -> None:
    path, shown = tmp_path / f"old.{ending}", graph(fake.report(), "calibration", ["FSRS-6"])
    path.write_text("old")
    with full_disk(), pytest.raises(OSError, match="too large"):
        write(ending, path, evaluation, shown, SILENT)
    assert (path.read_text(), files(tmp_path)) == ("old", [path])
    write(ending, path, evaluation, shown, SILENT)
    assert path.stat().st_size > 1024
    assert files(tmp_path) == [path]


@pytest.mark.parametrize("start", [b"SQLite format 3\0", b"PK\x03\x04"])
def test_collections_and_packages_are_not_overwritten(start: bytes, evaluation: Evaluation, tmp_path: Path) -> None:
    path = tmp_path / "backup.json"
    path.write_bytes(start)
    with pytest.raises(BadOption) as refusal:
        write("json", path, evaluation, None, SILENT)
    assert refusal.value.facts["allowed"] == "any file but a collection or a package"
    assert (path.read_bytes(), files(tmp_path)) == (start, [path])
