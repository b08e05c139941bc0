"""Follow the READMEs that say how to add an algorithm, a metric, a section, a page, a source and a slicing."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
from waiting import PATIENCE

from evaluator.algorithms import algorithm
from evaluator.data import histories
from tools.environment import ROOT

ALGORITHMS = "evaluator/algorithms/README.md"


def python_blocks(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)


def insert_before(path: Path, mark: str, added: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(mark) == 1
    path.write_text(text.replace(mark, added + mark), encoding="utf-8")


def test_examples_work(tmp_path):
    """Add the examples to a copy of the project, and run the checks of `added_examples.py` there."""
    (doubling,) = python_blocks(ALGORITHMS)
    metric, metric_view = python_blocks("evaluator/metrics/README.md")
    section, section_view = python_blocks("evaluator/sections/README.md")
    (page,) = python_blocks("ui/views/README.md")
    (source,) = python_blocks("tools/sources/README.md")
    (slicing,) = python_blocks("docs/how-it-works.md")
    for part in ("evaluator", "ui", "tools"):
        shutil.copytree(ROOT / part, tmp_path / part)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    evaluator = tmp_path / "evaluator"
    views = tmp_path / "ui" / "views"
    for path, example in (
        (evaluator / "algorithms" / "doubling.py", doubling),
        (evaluator / "metrics" / "surprise.py", metric),
        (evaluator / "sections" / "weekdays_section.py", section),
        (views / "weekdays_view.py", section_view),
        (tmp_path / "tools" / "sources" / "facts.py", source),
    ):
        path.write_text(example, encoding="utf-8")
    insert_before(evaluator / "algorithms" / "__init__.py", '    "gru39",\n', '    "doubling",\n')
    insert_before(evaluator / "metrics" / "__init__.py", '"calibration_bins", ', '"surprise", ')
    insert_before(views / "metric_views.py", ")\n#: The views by key", f"    {metric_view.rstrip()},\n")
    insert_before(views / "__init__.py", '    Page(\n        _("For experts")', f"    {page.rstrip()},\n")
    sources = tmp_path / "tools" / "sources" / "__init__.py"
    insert_before(sources, "    fsrs_logs,\n", "    facts,\n")
    (kind,) = re.findall(r"`(LogKind.*,)`", (ROOT / "tools/sources/README.md").read_text(encoding="utf-8"))
    insert_before(sources, "    LogKind(fsrs_logs", f"    {kind}\n")
    slicings = evaluator / "statistics" / "slicings.py"
    insert_before(slicings, "#: The slicings that have a graph", slicing + "\n\n")
    insert_before(slicings, "    by_maturity,\n", "    by_day_of_week,\n")
    checks = ("tools/added_examples.py", "evaluator/sections/test_sections.py", "ui/views/test_views.py")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(f"tests/{path}" for path in checks)]
    command += ["-k", "added_examples or weekdays"]
    variables = {"PYTHONDONTWRITEBYTECODE": "1", "MPLCONFIGDIR": mpl.get_cachedir(), "HOME": str(tmp_path)}
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, **variables, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_example_of_an_algorithm_is_short_and_valid_for_python_3_9():
    (example,) = python_blocks(ALGORITHMS)
    ast.parse(example, feature_version=(3, 9))
    assert sum(bool(line.strip()) for line in example.splitlines()) <= 35


def test_page_on_algorithms_names_what_exists():
    page = (ROOT / ALGORITHMS).read_text(encoding="utf-8")
    kinds = re.findall(r"^\* \*\*(\w+)\*\*", page, flags=re.MULTILINE)
    paths = re.findall(r"tests/evaluator/[\w/]+\.py", page)
    assert len(kinds) == 5
    assert paths
    for kind in kinds:
        assert issubclass(getattr(algorithm, kind), algorithm.Algorithm)
    for name in ("WITH_SAME_DAY", "FRACTIONAL_DAYS"):
        assert name in page
        assert hasattr(histories, name)
    for path in paths:
        assert (ROOT / path).is_file()
