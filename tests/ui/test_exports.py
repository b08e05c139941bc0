from __future__ import annotations

import fake
import pytest
from chart_texts import graph
from full_disk import full_disk

from evaluator.errors import BadOption
from evaluator.progress import SILENT
from evaluator.scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from ui.exports import suggested_name, write
from ui.views.view import Block

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
def test_suggested_name_contains_the_table(ending, name):
    assert suggested_name(ending, GRAPH, WHOLE_DAY_TABLE) == f"{name}.{ending}"
    assert suggested_name(ending, GRAPH, SAME_DAY_TABLE) == f"{name}.same-day.{ending}"


@pytest.mark.parametrize("ending", ["html", "json", "csv", "png", "svg"])
def test_older_file_survives_full_disk(ending, tmp_path):
    path = tmp_path / f"old.{ending}"
    block = graph(fake.report(), "calibration", ["FSRS-6"])
    path.write_text("old")
    with full_disk(), pytest.raises(OSError, match="too large"):
        write(ending, path, fake.small_evaluation(), block, SILENT)
    assert (path.read_text(), [*tmp_path.rglob("*")]) == ("old", [path])
    write(ending, path, fake.small_evaluation(), block, SILENT)
    assert path.stat().st_size > 1024
    assert [*tmp_path.rglob("*")] == [path]


@pytest.mark.parametrize("database", ["collection.anki2", "collection.media.db2"])
@pytest.mark.parametrize("ending", ["-wal", "-journal", "-shm"])
def test_companions_of_the_open_databases_are_not_overwritten(database, ending, tmp_path):
    (tmp_path / database).write_bytes(b"SQLite format 3\0")
    path = tmp_path / f"{database}{ending}"
    with pytest.raises(BadOption) as refusal:
        write("json", path, fake.small_evaluation(), None, SILENT)
    assert refusal.value.facts["allowed"] == "any name but that of a file that belongs to a collection"
    assert not path.exists()


@pytest.mark.parametrize("start", [b"SQLite format 3\0", b"PK\x03\x04"])
def test_collections_and_packages_are_not_overwritten(start, tmp_path):
    path = tmp_path / "backup.json"
    path.write_bytes(start)
    with pytest.raises(BadOption) as refusal:
        write("json", path, fake.small_evaluation(), None, SILENT)
    assert refusal.value.facts["allowed"] == "any file but a collection or a package"
    assert (path.read_bytes(), [*tmp_path.rglob("*")]) == (start, [path])
