from __future__ import annotations

import ast
import functools
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Set, Tuple

import pytest

from evaluator.algorithms import CATALOG, MODULES

ROOT = Path(__file__).resolve().parent.parent.parent
EVALUATOR = sorted((ROOT / "evaluator").rglob("*.py"))
UI = sorted((ROOT / "ui").rglob("*.py"))
SAYS = [file for file in UI if file.relative_to(ROOT / "ui").parts[0] in {"views", "page"}]
WITHOUT_WIDGETS = [ROOT / "ui" / "window" / f"{name}.py" for name in ("result_store", "jobs", "model")]
SHIPPED = [ROOT / "__init__.py", *EVALUATOR, *UI]

#: Runs in a process of its own: imports every module of a package, evaluates a small log, and looks at what was loaded.
PROBE = """
import importlib, pkgutil, sys

sockets = []
sys.addaudithook(lambda event, _: sockets.append(event) if event.startswith("socket.") else None)
before = set(sys.modules)
name = sys.argv[1]
package = importlib.import_module(name)
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(module.name)

algorithms, revlog, evaluation = (
    importlib.import_module(f"{name}.{part}") for part in ("algorithms", "data.revlog", "evaluation")
)
import numpy as np

rows = [(card, day, 3 if card % 7 or day < 2 else 1, int(day > 0)) for card in range(40) for day in (0, 1, 3)]
card, day, button, kind = np.array(rows, dtype=np.int64).T
one = np.ones(len(rows), dtype=np.int64)
log = revlog.Revlog((day + 20_000) * 86_400_000 + card, card, button, one, one, 2500 * one, one, kind)
found = evaluation.evaluate(revlog.Snapshot(log, revlog.Clock(3600)))
expected = set(algorithms.ALGORITHM_GROUPS["default"]) - {"Your parameters"}  # there are no presets
assert {row.algorithm for row in found.report.results} == expected, found.report

top = {loaded.partition(".")[0] for loaded in set(sys.modules) - before}
print(sorted(top - set(sys.stdlib_module_names) - {"numpy", name.partition(".")[0]}))
print(sockets)
print("evaluator" in sys.modules)
"""


def probe(name: str, folder: Path) -> List[str]:
    """Return what the probe prints, run in ``folder`` on the package of that name."""
    command = [sys.executable, "-W", "error", "-c", PROBE, name]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_only_numpy_and_the_standard_library_are_loaded() -> None:
    assert probe("evaluator", ROOT) == ["[]", "[]", "True"]


def test_showing_a_report_needs_no_numpy() -> None:
    program = "import sys; sys.modules.update(numpy=None); from evaluator import errors, interval, report, scope"
    subprocess.run([sys.executable, "-W", "error", "-c", program], cwd=ROOT, check=True)


def test_it_works_under_the_number_of_an_add_on(tmp_path: Path) -> None:
    package = tmp_path / "1234567890"
    shutil.copytree(ROOT / "evaluator", package / "evaluator", ignore=shutil.ignore_patterns("__pycache__"))
    (package / "__init__.py").touch()
    assert probe("1234567890.evaluator", tmp_path) == ["[]", "[]", "False"]


#: Prints a made-up catalog of Japanese: in a process that speaks English.
MADE_UP = """
import sys; sys.path[:0] = ["tests/ui"]
from made_language import made_up
sys.stdout.buffer.write(made_up("ja"))
"""
#: Chooses that language, if its folder is given, evaluates, and prints the report.
SPOKEN = """
import sys; sys.path[:0] = ["tests/evaluator", "tests/ui"]
from pathlib import Path
import ui
from ui import text
japanese = len(sys.argv) > 1
if japanese:
    text.FOLDER = Path(sys.argv[1])
    text.choose("ja")
from catalog_helpers import equipped, lively
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.report import to_json
from evaluator.sections import add_sections
import ui.engine, ui.text.strings, ui.views.splitting

log = equipped(lively(120))
names = ("AVG", "SM-2", "FSRS-6 default", "FSRS-6", "FSRS-6 deck", "FSRS-rs")
report = add_sections(evaluate(log, Options(algorithms=names, folds=3)), ["all"], log).report
assert ui.text.strings.USES["ratings"].isascii() != japanese
sys.stdout.buffer.write(to_json(report).encode())
"""


def printed(script: str, *arguments: str) -> bytes:
    command = [sys.executable, "-W", "error", "-c", script, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout


@functools.cache
def in_english() -> bytes:
    """The report's JSON."""
    return printed(SPOKEN)


def test_a_report_is_the_same_in_every_language(tmp_path: Path) -> None:
    (tmp_path / "ja.mo").write_bytes(printed(MADE_UP))
    assert printed(SPOKEN, str(tmp_path)) == in_english()


def strings_of(value: Any) -> Iterator[str]:
    """Every text in a JSON value, however deep; not the keys."""
    if isinstance(value, str):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from strings_of(item)


def test_no_sentence_is_in_a_report() -> None:
    report = json.loads(in_english())
    named = {"First", "Second", report["software"], *CATALOG}
    named |= {text for algorithm in CATALOG.values() for text in (algorithm.family, algorithm.description)}
    texts = set(strings_of(report))
    assert {text for text in texts if re.search(r"[^\W\d_] [^\W\d_]", text)} <= named
    assert {"optimizer_missing", "left_out", "same_day"} <= texts


#: Imports every module of some packages if there is none of what follows.
ALONE = """
import importlib, pkgutil, sys
packages, missing = (names.split(",") for names in sys.argv[1:])
sys.modules.update(dict.fromkeys(missing))
for name in packages:
    for module in pkgutil.iter_modules(importlib.import_module(name).__path__, f"{name}."):
        importlib.import_module(module.name)
"""


@pytest.mark.parametrize(
    ("packages", "missing"),
    [("ui.text,ui.views", "numpy,matplotlib,aqt,anki,ui.charts"), ("ui.charts", "aqt,anki,ui.views")],
)
def test_views_and_charts_are_independent(packages: str, missing: str) -> None:
    subprocess.run([sys.executable, "-W", "error", "-c", ALONE, packages, missing], cwd=ROOT, check=True)


def imports(file: Path, *, at_top: bool = False) -> Iterator[Tuple[int, str]]:
    """(level, module) of every import of a file, wherever in it, or outside of all blocks; level 0 is absolute."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return imports_of(tree.body if at_top else ast.walk(tree))


def imports_of(nodes: Iterable[ast.AST]) -> Iterator[Tuple[int, str]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or ""


def from_root(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def imported(file: Path, *, types: bool) -> Iterator[Path]:
    """The files of the science that this one imports at its top; ``types``: also those it needs for types alone."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    nodes = [each for node in tree.body for each in (node.body if types and isinstance(node, ast.If) else [node])]
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.level:
            base = file.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            for path in (base, *(base / alias.name for alias in node.names)):
                yield from (item for item in (path.with_suffix(".py"), path / "__init__.py") if item in EVALUATOR)


#: Rooms and loose files in the order in which they may be imported: each only from above its own line.
ROOMS = (
    *("errors", "scope", "interval", "progress", "derivatives", "report", "data", "metrics", "algorithms", "fitting"),
    *("statistics", "options", "scoring", "workload", "sections", "evaluation"),
)


def room(file: Path) -> str:
    return file.relative_to(ROOT / "evaluator").parts[0].removesuffix(".py")


def test_each_room_imports_only_from_rooms_above_it() -> None:
    inside = [file for file in EVALUATOR if file.parent != ROOT / "evaluator" or file.name != "__init__.py"]
    assert {room(file) for file in inside} == set(ROOMS)
    assert [
        (from_root(file), from_root(other))
        for file in inside
        for other in imported(file, types=True)
        if other in inside and ROOMS.index(room(other)) > ROOMS.index(room(file))
    ] == []


def test_no_files_import_each_other_in_a_circle() -> None:
    direct = {file: set(imported(file, types=True)) for file in EVALUATOR}
    reached: Dict[Path, Set[Path]] = {}
    for file in EVALUATOR:
        result, new = set(), direct[file]
        while new:
            result |= new
            new = set().union(*(direct[item] for item in new)) - result
        reached[file] = result
    assert [from_root(file) for file in EVALUATOR if file in reached[file]] == []


def test_the_science_imports_only_itself_and_numpy() -> None:
    allowed = {"numpy"} | sys.stdlib_module_names
    assert [
        (from_root(file), module)
        for file in EVALUATOR
        for level, module in imports(file)
        if level > len(file.relative_to(ROOT / "evaluator").parts)
        or (not level and module.partition(".")[0] not in allowed)
    ] == []


def test_shipped_code_uses_no_network_and_starts_no_program() -> None:
    doors = r"(socket|urllib|http|ssl|ftplib|smtplib|asyncio|requests|webbrowser|subprocess|multiprocessing|pip)\b"
    modules = re.compile(rf"{doors}|.*(QtNetwork|QtWebEngine|aqt\.(webview|sync|addons|ankihub))")
    calls = re.compile(r"QNetwork|QTcpSocket|QDesktopServices|QProcess|openLink|HttpClient|os\.(system|popen|exec)")
    files = [file for file in SHIPPED if "libraries" not in file.parts]
    assert [(from_root(file), module) for file in files for _, module in imports(file) if modules.match(module)] == []
    assert [from_root(file) for file in files if calls.search(file.read_text(encoding="utf-8"))] == []


def test_windows_use_qt_through_aqt_only() -> None:
    banned = re.compile(r"(PyQt\d|PySide\d|sip)\b|matplotlib\.pyplot")
    assert [(from_root(file), module) for file in UI for _, module in imports(file) if banned.match(module)] == []


def test_only_the_menu_knows_the_window_and_the_tools_need_no_anki() -> None:
    areas = {file: file.relative_to(ROOT / "ui").parts[0] for file in UI}
    below = [file for file, area in areas.items() if area not in {"menu.py", "window"}]
    assert [
        (from_root(file), module)
        for file in below
        for level, module in imports(file)
        if level and "window" in module.split(".")
    ] == []
    assert [
        (from_root(file), module)
        for file in below
        for level, module in imports(file, at_top=areas[file] == "anki")
        if not level and module.partition(".")[0] in {"aqt", "anki"}
    ] == []


def test_reports_do_not_depend_on_anki() -> None:
    assert [
        (from_root(file), module)
        for file in SAYS
        for level, module in imports(file)
        if level and "anki" in module.split(".")
    ] == []


def test_only_its_own_files_name_the_evaluator_absolutely() -> None:
    where_it_is = re.compile(r"TYPE_CHECKING( or __package__ == '[\w.]+')?")
    offenders = []
    for file in UI:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        known = [
            item for item in tree.body if isinstance(item, ast.If) and where_it_is.fullmatch(ast.unparse(item.test))
        ]
        everywhere, there = (
            sum(not level and module.partition(".")[0] == "evaluator" for level, module in imports_of(nodes))
            for nodes in (ast.walk(tree), (node for item in known for node in item.body))
        )
        if everywhere != there:
            offenders.append(from_root(file))
    assert offenders == []


def test_the_model_has_no_widgets() -> None:
    for file in WITHOUT_WIDGETS:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "aqt.qt":
                assert {name.name for name in node.names} <= {"QObject", "QTimer", "pyqtSignal", "qconnect"}, file
        beside = {module for level, module in imports(file, at_top=True) if level == 1}
        assert beside <= {item.stem for item in WITHOUT_WIDGETS}, file


def test_shipped_code_parses_as_python_3_9() -> None:
    offenders = []
    for file in SHIPPED:
        tree = ast.parse(file.read_text(encoding="utf-8"), filename=str(file), feature_version=(3, 9))
        annotated = any(
            isinstance(node, ast.AnnAssign) or (isinstance(node, ast.arg) and node.annotation)
            for node in ast.walk(tree)
        )
        if annotated and (0, "__future__") not in list(imports(file)):
            offenders.append(from_root(file))
    assert offenders == []


def test_the_catalog_is_the_only_place_that_names_all_algorithms() -> None:
    #: With derivatives derived by hand, or a conversion.
    kernels = {"fsrs5", "fsrs6", "fsrs7", "your_parameters"}
    own = {module.__name__.rpartition(".")[2] for module in MODULES} - kernels
    for file in EVALUATOR:
        if file.parent.name != "algorithms" and file.name != "kernels.py":
            nodes = [item for item in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(item, ast.ImportFrom)]
            names = {alias.name for node in nodes for alias in node.names}
            assert not (names | {module.rpartition(".")[2] for _, module in imports(file)}) & own, file
