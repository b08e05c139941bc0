"""What the program says, written down before a restructuring, and compared after each step of it.

``make FOLDER`` records reports, terminal texts, web pages, results of many collections, and the window with its graphs
in English and Japanese. ``compare OLD NEW`` says what differs. The same code gives the same recording. Of a checkout
only commands are used, and ``tests/anki``, which knows its window.
"""

from __future__ import annotations

import argparse
import csv
import difflib
import gzip
import hashlib
import html.parser
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
#: Simulated reviews are older. Later numbers of milliseconds are names that Anki gave to decks and presets just now.
_MADE_NOW = re.compile(r"\b(?:17[5-9]|1[89]\d)\d{10}\b")
_WRITE_COLLECTIONS = """
import sys; sys.path.insert(0, "tests/anki")
from pathlib import Path
from sample_collections import write_demo, write_nested, write_simulated
folder = Path(sys.argv[1])
write_nested(folder / "nested.anki2"); write_demo(folder / "demo.anki2"); write_simulated(folder / "sim-a.anki2")
"""
#: As Anki names them.
LANGUAGES = {"en": "en_US", "ja": "ja_JP"}
_SIM_A, _SIM_B, _SIM_C = (
    f"{{data}}/{name}/revlog.csv.gz --cards {{data}}/{name}/cards.csv.gz" for name in ("sim-a", "sim-b", "sim-c")
)
_NESTED = "{inputs}/nested.anki2"
#: What is given to ``evaluate``; the longest work first.
EVALUATED = {
    "all-algorithms": f"{_SIM_C} --algorithms all --graphs all",
    "sim-a": f"{_SIM_A} --graphs all --predictions {{predictions}}",
    "sim-b": _SIM_B,
    "sim-c": _SIM_C,
    "demo": "{inputs}/demo.anki2",
    "nested": _NESTED,
    "deck": f"{_NESTED} --deck Languages --no-same-day",
    "preset": f"{_NESTED} --preset Vocabulary --since 2024-05-01 --folds 3",
    "no-deck": f"{_NESTED} --deck ?",
    "external": f"{_SIM_A} --external Mine={{inputs}}/external.csv",
    "few": f"{_SIM_A} --algorithms FSRS-6,FSRS-5 --baseline AVG --no-outlier-filter",
    **{name: f"{{inputs}}/{name}.csv" for name in ("tiny", "right", "one-day")},
}
#: Apart by less, two numbers are one and the same sum, added up in another order.
_ROUNDING = 1e-12
_ABSENT = object()

# --- making -----------------------------------------------------------------------------------------------------------


class Recorder:
    """Runs the commands of a checkout, and keeps what they say in a folder."""

    def __init__(self, checkout: Path, folder: Path, scratch: Path) -> None:
        self._checkout, self._folder, self._scratch = checkout, folder, scratch
        self._data = checkout / "tests" / "data"
        self._inputs = scratch / "inputs"
        (scratch / "shared").mkdir()
        self._inputs.mkdir()

    def record(self, *, quick: bool) -> None:
        """All of it, by two processes at a time."""
        self._run("-c", _WRITE_COLLECTIONS, str(self._inputs))
        self._write_logs()
        work = [partial(self._evaluate, name) for name in (("sim-a", "nested") if quick else EVALUATED)]
        if not quick:
            work += [partial(self._show_window, name, code) for name in ("nested", "sim-a") for code in LANGUAGES]
            work.append(self._evaluate_many)
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda one: one(), work))

    def _write_logs(self) -> None:
        """Too few reviews; nothing ever forgotten; all on one day; and predictions of two reviews in three."""
        head, *rows = self._read("sim-c/revlog.csv.gz")
        ease, morning = head.index("ease"), 1_704_096_000_000
        self._write_csv("tiny.csv", [head, *rows[:60]])
        self._write_csv("right.csv", [head, *([*row[:ease], max(row[ease], "2"), *row[ease + 1 :]] for row in rows)])
        self._write_csv("one-day.csv", [head, *([str(morning + 20_000 * n), *row[1:]] for n, row in enumerate(rows))])
        head, *rows = self._read("sim-a/predictions.csv.gz")
        th, predicted = head.index("review_th"), head.index("p_FSRS-6-default")
        shown = [[row[th], row[predicted]] for number, row in enumerate(rows) if number % 3]
        self._write_csv("external.csv", [["review_th", "predicted"], *shown])

    def _read(self, name: str) -> list[list[str]]:
        with gzip.open(self._data / name, "rt", newline="") as file:
            return list(csv.reader(file))

    def _write_csv(self, name: str, rows: list[list[str]]) -> None:
        (self._inputs / name).write_text("".join(",".join(row) + "\n" for row in rows), encoding="utf-8")

    def _evaluate(self, name: str) -> None:
        out = self._scratch / name
        out.mkdir()
        files = ["--json", str(out / "report.json"), "--html", str(out / "page.html")]
        predictions = out / "predictions.csv"
        asked = EVALUATED[name].format(data=self._data, inputs=self._inputs, predictions=predictions)
        arguments = [*asked.split(), *files, "--sections", "all"]
        done = self._run("tools", "evaluate", *arguments, codes=(0, 2))
        self._write(f"{name}/terminal.txt", f"{done.stdout}{done.stderr}exit code {done.returncode}\n")
        if done.returncode == 0:
            report = json.loads((out / "report.json").read_text(encoding="utf-8"))
            del report["timing"]
            self._write(f"{name}/report.json", json.dumps(report, ensure_ascii=False, indent=1) + "\n")
            self._write(f"{name}/page.txt", page_text((out / "page.html").read_text(encoding="utf-8")))
        if predictions.exists():
            shutil.copy(predictions, self._folder / name)

    def _show_window(self, name: str, language: str) -> None:
        out = self._scratch / f"{name}-{language}"
        given = {"COLLECTION": str(self._inputs / f"{name}.anki2"), "ANKI_LANGUAGE": LANGUAGES[language]}
        self._run("tests/anki/scenarios.py", "recording", str(out), **given)
        for file in (out / "recorded").iterdir():
            text = file.read_text(encoding="utf-8")
            text = page_text(text) if file.suffix == ".html" else text
            self._write(f"window/{name}-{language}/{file.with_suffix(file.suffix.replace('html', 'txt')).name}", text)

    def _evaluate_many(self) -> None:
        people, out = self._scratch / "people", self._scratch / "many"
        self._run("tools", "simulate", str(people), "--people", "24", "--reviews", "700", "--spread", "0.3")
        shutil.copy(self._inputs / "nested.anki2", people)
        (people / "broken.anki2").write_text("no collection", encoding="utf-8")
        (people / "tiny.csv").write_bytes((self._inputs / "tiny.csv").read_bytes())
        done = self._run("tools", "benchmark", str(people), "--out", str(out / "results"), codes=(0, 1))
        lines = (out / "results" / "results.jsonl").read_text(encoding="utf-8").splitlines()
        self._write("many/results.json", "[\n" + ",\n".join(sorted(lines)) + "\n]\n")
        self._write("many/benchmark.txt", f"{done.stdout}exit code {done.returncode}\n")
        done = self._run(
            "tools", "summarise", str(out / "results"), "--out", str(out / "summary"), "--without", "Your parameters"
        )
        self._write("many/terminal.txt", done.stdout)
        for file in (out / "summary").rglob("*"):
            if file.suffix in {".md", ".json", ".csv"}:
                self._write(f"many/{file.name}", file.read_text(encoding="utf-8"))
            elif file.suffix == ".svg":
                self._write(f"many/{file.stem}.txt", page_text(file.read_text(encoding="utf-8")))

    def _run(
        self, *arguments: str, codes: tuple[int, ...] = (0,), **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """The checkout's Python with these arguments; it must end with one of these codes."""
        folders = {"TMPDIR": str(self._scratch), "SHARED_FOLDER": str(self._scratch / "shared")}
        environment = {**os.environ, **folders, "TZ": "UTC", "COLUMNS": "100", "PYTHONPATH": "", **variables}
        python = str(self._checkout / ".venv" / "bin" / "python")
        done = subprocess.run(
            [python, *arguments], cwd=self._checkout, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode not in codes:
            sys.exit(f"{arguments} ended with {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return done

    def _write(self, name: str, text: str) -> None:
        """Without what is another each time: names of folders, and numbers that are times of now."""
        text = text.replace(str(self._scratch), "SCRATCH").replace(str(self._checkout), "CHECKOUT")
        numbers = {found: str(place) for place, found in enumerate(sorted(set(_MADE_NOW.findall(text))), start=1)}
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_MADE_NOW.sub(lambda found: numbers[found[0]], text), encoding="utf-8")


class _PageText(html.parser.HTMLParser):
    """The texts of a web page, a line for each block; of a drawing its texts, and a digest of how it is drawn."""

    INLINE = frozenset({"a", "b", "br", "code", "em", "i", "small", "span", "strong", "sub", "sup"})
    DRAWN = frozenset({"d", "height", "points", "r", "style", "transform", "width", "x", "y", "viewbox"})

    def __init__(self) -> None:
        super().__init__()
        self.lines = [""]
        self._drawn: list[str] | None = None  #: of the drawing that is being read

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in self.INLINE:
            self.lines.append("")
        for name, value in attributes:
            if name in {"title", "aria-label"}:
                self.lines += [f"[{tag} {name}] {value}", ""]
        if tag == "svg":
            self._drawn = []
        if self._drawn is not None:
            self._drawn += [f"{tag} {name} {value}" for name, value in attributes if name in self.DRAWN]

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.INLINE:
            self.lines.append("")
        if tag == "svg" and self._drawn is not None:
            self.lines += [f"[drawn] {hashlib.sha256(chr(10).join(self._drawn).encode()).hexdigest()[:16]}", ""]
            self._drawn = None

    def handle_data(self, data: str) -> None:
        first, *others = data.split("}")  # a line for each rule of a style sheet
        self.lines[-1] += first
        self.lines += others

    def handle_comment(self, data: str) -> None:
        """How matplotlib says which letters it draws."""
        if self._drawn is not None:
            self.lines += [data, ""]


def page_text(page: str) -> str:
    """All that there is to read on a web page or in an SVG, with digests of what is drawn."""
    parser = _PageText()
    parser.feed(page)
    return "".join(f"{line}\n" for line in (" ".join(line.split()) for line in parser.lines) if line)


# --- comparing --------------------------------------------------------------------------------------------------------


def compare(old: Path, new: Path) -> tuple[list[str], int]:
    """Lines that say what differs between two recordings, and how many numbers do by mere rounding."""
    lines, rounded = [], 0
    files = {path.relative_to(folder) for folder in (old, new) for path in folder.rglob("*") if path.is_file()}
    for name in sorted(files):
        if not ((old / name).exists() and (new / name).exists()):
            lines.append(f"== {name} is only in {old if (old / name).exists() else new}")
            continue
        before, after = ((folder / name).read_text(encoding="utf-8") for folder in (old, new))
        if before != after:
            found, close = _differences(name, before, after)
            rounded += close
            lines += [f"== {name}" + (f" (and {close} numbers by rounding only)" if close else ""), *found]
    return lines, rounded


def _differences(name: Path, old: str, new: str) -> tuple[list[str], int]:
    if name.suffix != ".json":
        return list(difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=1))[2:], 0
    found = list(_walk("", json.loads(old), json.loads(new)))
    if not found:
        return ["the same values, written otherwise"], 0
    apart = [f"{path}: {_shown(a)} -> {_shown(b)}" for path, a, b in found if not _is_rounding(a, b)]
    return apart, len(found) - len(apart)


def _walk(path: str, old: Any, new: Any) -> Iterator[tuple[str, Any, Any]]:
    """Where two JSON values differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            yield from _walk(f"{path}.{key}", old.get(key, _ABSENT), new.get(key, _ABSENT))
        if old.keys() == new.keys() and list(old) != list(new):
            yield f"{path} (order)", list(old), list(new)
    elif isinstance(old, list) and isinstance(new, list):
        for a, b in _pairs(old, new):
            place = a if a is not None else b
            yield from _walk(f"{path}[{place}]", _ABSENT if a is None else old[a], _ABSENT if b is None else new[b])
    elif type(old) is not type(new) or (old != new and not (old != old and new != new)):  # noqa: PLR0124 - not a number
        yield path, old, new


def _pairs(old: list[Any], new: list[Any]) -> Iterator[tuple[int | None, int | None]]:
    """Which entry of one list stands for which of the other; None: for none."""
    if len(old) == len(new):
        yield from zip(range(len(old)), range(len(new)), strict=True)
        return
    texts = [[json.dumps(one) for one in each] for each in (old, new)]
    for _, a, a_end, b, b_end in difflib.SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        for step in range(max(a_end - a, b_end - b)):
            yield a + step if a + step < a_end else None, b + step if b + step < b_end else None


def _is_rounding(old: Any, new: Any) -> bool:
    return isinstance(old, float) and isinstance(new, float) and math.isclose(old, new, rel_tol=_ROUNDING)


def _shown(value: Any) -> str:
    text = "nothing" if value is _ABSENT else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 300 else f"{text[:300]}..."


def main() -> int:
    """Make a recording, or compare two: then 1 if anything differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("make")
    make.add_argument("folder", type=Path)
    make.add_argument("--quick", action="store_true", help="two collections, no window")
    make.add_argument("--checkout", type=Path, default=ROOT, help="with a .venv in it (default: this one)")
    both = commands.add_parser("compare")
    both.add_argument("old", type=Path)
    both.add_argument("new", type=Path)
    options = parser.parse_args()
    if options.command == "make":
        options.folder.mkdir(parents=True)  # a new one
        with tempfile.TemporaryDirectory(prefix="recording-", ignore_cleanup_errors=True) as scratch:
            Recorder(options.checkout.resolve(), options.folder, Path(scratch)).record(quick=options.quick)
        return 0
    lines, rounded = compare(options.old, options.new)
    print("\n".join(lines) or "The recordings are equal.")
    if rounded:
        print(f"{rounded} numbers differ by less than {_ROUNDING} of their size.")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
