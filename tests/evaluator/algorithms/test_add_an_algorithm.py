from __future__ import annotations

import ast
import functools
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict

import pytest
from waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "evaluator" / "algorithms" / "README.md"

SCRIPT = """
import json
import numpy as np
from made_logs import learner
from evaluator.algorithms import CATALOG, ALGORITHM_GROUPS
from evaluator.evaluation import evaluate, prepare
from evaluator.fitting.kernels import make_general_replay
from evaluator.options import Options

doubling = CATALOG["Doubling"]
evaluation = evaluate(learner(), Options(algorithms=("AVG", "doubling")))
row = evaluation.report.result("Doubling")
trie = prepare(learner(), Options())[0].histories(doubling.inputs)
replayed = make_general_replay(doubling, trie)
w, step = np.array([1.2, 1.9]), 1e-6
slopes = [(replayed.predict(w + step * e) - replayed.predict(w - step * e)) / (2 * step) for e in np.eye(2)]
print(json.dumps({
    "groups": [name for name, members in ALGORITHM_GROUPS.items() if "Doubling" in members],
    "error": row.error,
    "sizes": [r.size for r in evaluation.report.results],
    "parameters": row.parameters_per_fold,
    "converged": row.converged_per_fold,
    "log_loss": row.log_loss,
    "count": row.parameter_count,
    "off": float(np.abs(np.stack(slopes) - replayed.linearize(w).jacobian()).max()),
    "once": replayed.predict(np.array([3.0, 2.0]))[:1].tolist(),
    "after": replayed.trie.query_elapsed[:1].tolist(),
}))
"""


def example() -> str:
    """The page's block of Python: an algorithm."""
    (plain,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    return str(plain)


@functools.cache
def added() -> Any:
    """Return what a copy of the evaluator with the example makes of a log, in a process of its own; see ``SCRIPT``."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "evaluator"
        shutil.copytree(ROOT / "evaluator", copy, ignore=shutil.ignore_patterns("__pycache__"))
        (copy / "algorithms" / "doubling.py").write_text(example(), encoding="utf-8")
        catalog = copy / "algorithms" / "__init__.py"
        listed = catalog.read_text(encoding="utf-8").replace('    "doubling",\n', "")  # a reader may have added it
        extended = listed.replace('    "ebisu",\n', '    "ebisu",\n    "doubling",\n')
        assert extended != listed
        catalog.write_text(extended, encoding="utf-8")
        command = [sys.executable, "-W", "error", "-c", SCRIPT]
        path = {"PYTHONPATH": f"{folder}:{ROOT / 'tests' / 'evaluator'}", "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            command, cwd=folder, env=path, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    assert done.returncode == 0, done.stderr
    result: Dict[str, Any] = json.loads(done.stdout)
    return result


def test_the_example_is_short_and_valid_for_python_3_9() -> None:
    """About thirty lines of code, in the syntax of Python 3.9."""
    ast.parse(example(), feature_version=(3, 9))
    assert sum(bool(line.strip()) for line in example().splitlines()) <= 35


def test_it_is_in_the_catalog_by_being_there() -> None:
    assert added()["groups"] == ["all"]


def test_it_is_evaluated() -> None:
    assert added()["error"] is None
    assert added()["count"] == 2
    assert len(set(added()["sizes"])) == 1
    assert len(added()["parameters"]) == 5
    assert all(added()["converged"])
    for first, growth in added()["parameters"]:
        assert 0.01 <= first <= 100
        assert 1 <= growth <= 10
        assert (first, growth) != (1.0, 2.0)
    assert 0 < added()["log_loss"] < 1


def test_its_derivatives_come_for_free() -> None:
    assert added()["off"] < 1e-6


def test_it_predicts_the_stated_values() -> None:
    """After one review: 0.9^(t / 3) with a first stability of 3 days."""
    assert added()["once"] == pytest.approx([0.9 ** (days / 3) for days in added()["after"]])


def test_the_page_names_all_keys() -> None:
    from evaluator.algorithms import algorithm
    from evaluator.data import histories

    page = PAGE.read_text(encoding="utf-8")
    for kind in re.findall(r"^\* \*\*(\w+)\*\*", page, flags=re.MULTILINE):
        assert issubclass(getattr(algorithm, kind), algorithm.Algorithm)
    for name in ("WITH_SAME_DAY", "FRACTIONAL_DAYS"):
        assert name in page
        assert hasattr(histories, name)
    for path in re.findall(r"tests/evaluator/[\w/]+\.py", page):
        assert (ROOT / path).is_file()
