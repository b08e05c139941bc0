"""Names that are made to do harm, on the command line and in the files that it writes."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from pathlib import Path

import pytest

from evaluator.errors import EvaluatorError
from evaluator.options import Options
from tools import commands
from tools import files as written_files
from tools.arguments import Parser, add_external
from tools.bench.command import main as bench
from tools.benchmark import command as benchmark
from tools.benchmark import lines
from tools.benchmark.results import Results
from tools.progress import ProgressLine
from tools.simulate.command import main as simulate
from tools.summarise import figures
from tools.summarise.command import main as summarise

sys.path.append(str(Path(__file__).parent / "summarise"))
from made_results import simulated, write

from .conftest import Files

#: A formula, a cell of its own, commands to the terminal, a line of its own, marks of direction.
EVIL = "=1+1|`\x1b[2J\x9b31m\n\r\u202e\u2028\u200bZ"
SEEN = "=1+1|`\ufffd[2J\ufffd31m  Z"


def harmless(text: str) -> bool:
    """Whether a terminal shows it as it is written; ends of lines are the text's own."""
    return not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u200b]", text)


def starting_with_formulas(text: str) -> list[str]:
    """Cells of a CSV that a spreadsheet would compute; numbers are none."""
    cells = (cell for row in csv.reader(io.StringIO(text)) for cell in row)
    return [cell for cell in cells if cell.lstrip()[:1] in "=+-@" and cell and not re.fullmatch(r"-?[0-9.e-]+", cell)]


def test_a_summary(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables in Markdown with as many cells as ever, no formulas in CSVs, JSON with the true names."""
    monkeypatch.setattr(figures, "METRICS", figures.METRICS[:1])
    trees = simulated([EVIL, "$\\frac{$", "x" * 5000], 5)
    for name in (EVIL, "\x1b[2Jnever"):
        trees += [{"collection": EVIL, "algorithm": name, "error": EVIL, "version": "1", "options": {}}]
    file = write(tmp_path / "results.jsonl", trees)
    assert summarise([str(file), "--resamples", "999", "--out", str(tmp_path / EVIL.replace("\n", ""))]) == 0
    printed = capsys.readouterr().out
    assert harmless(printed)
    assert "x" * 80 + "…" + "x" * 40 in printed
    assert "Without a result on any collection: \ufffd[2Jnever." in printed
    rows = [re.sub(r"\\.", "", line) for line in printed.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + 3
    assert len({row.count("|") for row in rows}) == 1
    (written,) = (path for path in tmp_path.iterdir() if path.is_dir())
    summary = written / "summary.md"
    assert harmless(summary.read_text(encoding="utf-8"))
    assert "* =1+1\\|\\`\ufffd" in summary.read_text(encoding="utf-8")
    for name in ("means.csv", "pairs.csv", "failures.csv"):
        text = (written / name).read_text(encoding="utf-8")
        assert "'=1+1" in text
        assert not starting_with_formulas(text)
    text = (written / "summary.json").read_text(encoding="utf-8")
    assert harmless(text)
    assert EVIL in [row["algorithm"] for row in json.loads(text)["rows"]]


def test_a_summary_of_what_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path / f"{EVIL.replace('/', '')}.jsonl", simulated([EVIL, "B"], 3))
    assert summarise([str(file), "--algorithms", "C"]) == 2
    assert harmless(capsys.readouterr().err)
    assert summarise([str(tmp_path / "\x1b[2J")]) == 2
    assert capsys.readouterr().err == f"There is nothing at {tmp_path}/\ufffd[2J.\n"


def test_the_files_of_a_benchmark(tmp_path: Path) -> None:
    """The lines have the true names of collections and of models."""
    settings = lines.settings(Options(), None)
    found = {"version": "1", "options": settings, "collection": EVIL, "algorithm": EVIL}
    with Results(tmp_path / "results.jsonl", settings, "1") as results:
        results.append([found])
        path = results.path
    text = path.read_text(encoding="utf-8")
    assert harmless(text)
    assert json.loads(text)["collection"] == EVIL
    with Results(path, settings, "1") as again:
        assert again.missing(EVIL, [EVIL]) == ()


def test_what_a_benchmark_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first collections that failed, and what is wrong with the results."""
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / f"{EVIL}.anki2").write_text("no collection")
    out = tmp_path / "r\x1b[2J.jsonl"
    assert benchmark.main([str(folder), "--out", str(out), "--algorithms", "AVG", "--processes", "1"]) == 1
    said = capsys.readouterr()
    assert harmless(said.out)
    assert f"  {SEEN}.anki2: " in said.out
    (folder / f"{EVIL}.anki2").rename(folder / "other.anki2")
    assert benchmark.main([str(folder), "--out", str(out), "--algorithms", "AVG"]) == 2
    said = capsys.readouterr()
    assert harmless(said.err)
    assert f"not in this folder: {SEEN}.anki2." in said.err


@pytest.mark.parametrize("arguments", [["--\x1b[2J"], ["\x9b31m", "b\nc"], ["--external", "\x1b[2J"]])
def test_what_was_typed(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    parser = Parser(prog="p")
    add_external(parser, "FILE", "help")
    with pytest.raises(SystemExit):
        parser.parse_args(arguments)
    said = capsys.readouterr().err
    assert harmless(said)
    assert said.count("\n") == 1


def test_what_was_simulated_and_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str], files: Files) -> None:
    assert simulate([str(tmp_path / EVIL), "--people", "1", "--format", "csv", "--reviews", "100"]) == 0
    assert capsys.readouterr().out.count(SEEN) == 2
    log = tmp_path / "\x9b31mlog.csv"
    log.write_bytes(files.csv.read_bytes())
    assert bench([str(log), "--algorithms", "AVG", "--repeat", "1"]) == 0
    said = capsys.readouterr().out
    assert harmless(said)
    assert "\ufffd31mlog.csv" in said


def test_files_that_were_written() -> None:
    paths = [Path(f"a/{EVIL}.json"), Path(f"{EVIL}/x.png"), Path(f"{EVIL}/y.png")]
    assert written_files.listing(paths) == f"Written:\n  a/{SEEN}.json\n  {SEEN}: 2 graphs"


def test_what_the_system_says(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(_arguments: list[str]) -> int:
        raise PermissionError(13, "Permission denied", EVIL)

    monkeypatch.setattr(commands, "_run", fail)
    assert commands.run([]) == commands.FAILED
    assert capsys.readouterr().err == f"{SEEN}: Permission denied.\n"


def test_the_progress_line(monkeypatch) -> None:
    """What would colour text or end a colour in a text of rich is shown as it is."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("NO_COLOR", "1")
    stream = Terminal()
    ProgressLine(stream).show(0.5, "\x1b[2JEvil [bold]name[/x] :smile:")
    assert " 50% \ufffd[2JEvil [bold]name[/x] :smile: " in stream.getvalue()
    assert "\x1b[2JEvil" not in stream.getvalue()


def test_decks_that_there_are(here, collection: Path) -> None:
    """The list that answers ``--deck "?"`` has every name in quotation marks, as it would be typed."""
    from anki.collection import Collection

    col = Collection(str(collection))
    name = "👩\u200d💻\u202e\x9b31m می\u200cروم"
    col.db.execute("update decks set name = ? where id = (select max(id) from decks)", name)
    col.close()
    done = here("evaluate", collection, "--deck", "?")
    assert done.returncode == 2
    assert harmless(done.stderr)
    assert "'👩\u200d💻\ufffd31m می\u200cروم'" in done.stderr
    assert EvaluatorError.__name__ not in done.stderr
