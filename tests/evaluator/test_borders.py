from __future__ import annotations

import functools
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Iterable, List

import grimp
import pytest

from evaluator.algorithms import CATALOG, MODULES

ROOT = Path(__file__).resolve().parent.parent.parent
UI = sorted((ROOT / "ui").rglob("*.py"))
SHIPPED = [ROOT / "__init__.py", *(ROOT / "evaluator").rglob("*.py"), *UI]

#: Script that imports every module of a package, evaluates a small log and prints which packages were loaded.
PROBE = """
import importlib, pkgutil, sys

sockets = []
sys.addaudithook(lambda event, _: sockets.append(event) if event.startswith("socket.") else None)
before = set(sys.modules)
name = sys.argv[1]
package = importlib.import_module(name)
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(module.name)

algorithms, revlog, options, evaluation = (
    importlib.import_module(f"{name}.{part}") for part in ("algorithms", "data.revlog", "options", "evaluation")
)
import numpy as np

rows = [(card, day, 3 if card % 7 or day < 2 else 1, int(day > 0)) for card in range(40) for day in (0, 1, 3)]
card, day, button, kind = np.array(rows, dtype=np.int64).T
one = np.ones(len(rows), dtype=np.int64)
log = revlog.Revlog((day + 20_000) * 86_400_000 + card, card, button, one, one, 2500 * one, one, kind)
result = evaluation.evaluate(revlog.Snapshot(log, revlog.Clock(3600)), options.Options())
# The log has no presets.
expected = set(algorithms.ALGORITHM_GROUPS["default"]) - {"Your parameters"}
assert {row.algorithm for row in result.report.results} == expected, result.report

top = {loaded.partition(".")[0] for loaded in set(sys.modules) - before}
print(sorted(top - set(sys.stdlib_module_names) - {"numpy", name.partition(".")[0]}))
print(sockets)
print("evaluator" in sys.modules)
"""


def run_script(script: str, *arguments: str, cwd: Path = ROOT) -> str:
    """Run Python in a separate process, in which every warning is an error, and return its output."""
    command = [sys.executable, "-X", "utf8", "-W", "error", "-c", script, *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    return done.stdout


def test_only_numpy_and_the_standard_library_are_loaded():
    assert run_script(PROBE, "evaluator").splitlines() == ["[]", "[]", "True"]


def test_showing_a_report_needs_no_numpy():
    run_script("import sys; sys.modules.update(numpy=None); from evaluator import errors, interval, report, scope")


def test_evaluator_works_in_an_add_on_folder(tmp_path):
    package = tmp_path / "1234567890"
    shutil.copytree(ROOT / "evaluator", package / "evaluator", ignore=shutil.ignore_patterns("__pycache__"))
    (package / "__init__.py").touch()
    assert run_script(PROBE, "1234567890.evaluator", cwd=tmp_path).splitlines() == ["[]", "[]", "False"]


#: Script that writes a made-up Japanese message catalog. It needs a process without another language.
WRITE_CATALOG = """
import sys; sys.path[:0] = ["tests/ui"]
from pathlib import Path
from made_language import made_up
Path(sys.argv[1]).write_bytes(made_up("ja"))
"""
#: Script that evaluates a log and prints the report, in Japanese if the catalog's folder is given.
PRINT_REPORT = """
import sys; sys.path[:0] = ["tests/evaluator", "tests/ui"]
from pathlib import Path
import ui
from ui import text
japanese = len(sys.argv) > 1
if japanese:
    text.FOLDER = Path(sys.argv[1])
    text.choose_language("ja", {}.get)
from catalog_helpers import snapshot_with_presets
from made_logs import lively
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.report import to_json
from evaluator.sections import add_sections
import ui.engine, ui.text.strings, ui.views.splitting_view

log = snapshot_with_presets(lively(120))
names = ("AVG", "SM-2", "FSRS-6 default", "FSRS-6", "FSRS-6 deck", "FSRS-rs")
report = add_sections(evaluate(log, Options(algorithms=names, folds=3)), ["all"], log).report
assert ui.text.strings.USES["ratings"].isascii() != japanese
print(to_json(report))
"""


@functools.cache
def report_in_english() -> str:
    return run_script(PRINT_REPORT)


def test_report_is_the_same_in_every_language(tmp_path):
    run_script(WRITE_CATALOG, str(tmp_path / "ja.mo"))
    assert run_script(PRINT_REPORT, str(tmp_path)) == report_in_english()


def test_report_contains_no_sentence():
    texts = {json.loads(text) for text in re.findall(r'"(?:[^"\\]|\\.)*"', report_in_english())}
    names = {"First", "Second", json.loads(report_in_english())["software"], *CATALOG}
    names |= {text for algorithm in CATALOG.values() for text in (algorithm.family, algorithm.description)}
    assert {text for text in texts if re.search(r"[^\W\d_] [^\W\d_]", text)} <= names
    assert {"optimizer_missing", "left_out", "same_day"} <= texts


#: Script that imports every module of some packages although others are missing.
IMPORT_WITHOUT = """
import importlib, pkgutil, sys
packages, missing = (names.split(",") for names in sys.argv[1:])
sys.modules.update(dict.fromkeys(missing))
for name in packages:
    for module in pkgutil.iter_modules(importlib.import_module(name).__path__, f"{name}."):
        importlib.import_module(module.name)
"""


@pytest.mark.parametrize(
    ("packages", "missing"),
    [
        ("ui.text,ui.views", "numpy,matplotlib,aqt,anki,ui.charts"),
        ("ui.charts", "aqt,anki,ui.views"),
        ("ui.anki,ui.anki.libraries,ui.page", "aqt,anki,ui.window"),
    ],
)
def test_packages_of_ui_are_independent(packages, missing):
    run_script(IMPORT_WITHOUT, packages, missing)


def find_offenders(files: Iterable[Path], pattern: str) -> List[str]:
    """Return the names of the files that contain a match of the pattern."""
    return [str(file.relative_to(ROOT)) for file in files if re.search(pattern, file.read_text("utf-8"), re.MULTILINE)]


def test_imports_keep_the_contracts_of_pyproject():
    run_script("import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))")


def test_only_a_few_algorithms_are_imported_by_other_packages():
    graph = grimp.build_graph("evaluator", cache_dir=None)
    importers = {
        module.__name__.rpartition(".")[2]: graph.find_modules_that_directly_import(module.__name__)
        for module in MODULES
    }
    inside = graph.find_descendants("evaluator.algorithms") | {"evaluator.algorithms", "evaluator.fitting.kernels"}
    # These have hand-derived kernels or conversions of parameters, or are FSRS-6, which other parts use by name.
    exceptions = {"fsrs5", "fsrs6", "fsrs7", "your_parameters"}
    assert {name for name, modules in importers.items() if modules - inside} <= exceptions


def test_shipped_code_uses_no_network_and_starts_no_program():
    """The installation of libraries is exempt, because it runs pip, which needs the network."""
    modules = "socket|urllib|http|ssl|ftplib|smtplib|asyncio|requests|webbrowser|subprocess|multiprocessing|pip"
    files = [file for file in SHIPPED if "libraries" not in file.parts]
    assert find_offenders(files, rf"^\s*(import|from) ({modules})\b") == []
    assert find_offenders(files, r"aqt\.(webview|sync|addons|ankihub)|Qt(Network|WebEngine)|QNetwork|QTcpSocket") == []
    assert find_offenders(files, r"QDesktopServices|QProcess|openLink|HttpClient|os\.(system|popen|exec)") == []


def test_only_guarded_imports_name_the_evaluator_absolutely():
    guarded = re.compile(r'^if TYPE_CHECKING( or __package__ == "[\w.]+")?:.*\n(    .*\n|\n)+', re.MULTILINE)
    for file in UI:
        assert not re.search(r"(import|from) evaluator\b", guarded.sub("", file.read_text("utf-8"))), file


def test_model_has_no_widgets():
    files = ("result_store", "jobs", "model")
    for name in files:
        text = (ROOT / "ui" / "window" / f"{name}.py").read_text("utf-8")
        (imported,) = re.findall(r"^from aqt\.qt import (.+)$", text, re.MULTILINE)
        assert {*imported.split(", ")} <= {"QObject", "QTimer", "pyqtSignal", "qconnect"}
        assert {*re.findall(r"^from \.(\w+) import", text, re.MULTILINE)} <= {*files}
