from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.report import Report, to_json
from evaluator.scoring.report_builder import Predictions
from evaluator.sections import add_sections
from evaluator.workload import estimate
from tools.development.describe import PAGE, describe_fields, main, page, reachable_classes
from tools.simulate import Learner, simulate
from ui.views.predictions_csv import to_csv


def test_page_in_docs_is_up_to_date():
    """If it fails, run ``python3 tools describe``."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_command_writes_the_page(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("tools.development.describe.PAGE", tmp_path / "report.md")
    assert main([]) == 0
    assert (tmp_path / "report.md").read_text(encoding="utf-8") == page()
    assert str(tmp_path / "report.md") in capsys.readouterr().out


@pytest.mark.parametrize("kind", [*reachable_classes(Report), Predictions], ids=lambda kind: kind.__name__)
def test_every_key_has_a_meaning_and_a_type(kind):
    for name, type_name, meaning in describe_fields(kind):
        assert meaning, f"{kind.__name__}.{name} has no comment"
        assert type_name
        assert "None" not in meaning
        assert ":`" not in meaning


def test_every_key_of_a_report_is_on_the_page(monkeypatch):
    monkeypatch.setattr(estimate, "MAX_CARDS", 40)
    snapshot = simulate(Learner(days=60)).snapshot
    evaluation = evaluate(snapshot, Options(algorithms=("AVG", "SM-2", "FSRS-6"), folds=2))
    tree = json.loads(to_json(add_sections(evaluation, ["all"], snapshot).report, {"reading": 1.0}))
    assert tree.pop("timing")
    documented = {name for kind in reachable_classes(Report) for name, _, _ in describe_fields(kind)}
    assert set(_keys(tree)) <= documented
    assert len(set(_keys(tree))) > 150
    assert "`timing`" in page()


def _keys(value: Any) -> Iterator[str]:
    """Yield all keys except the names of facts, which are those of the errors."""
    if isinstance(value, dict):
        yield from value
        value = [item for key, item in value.items() if key != "facts"]
    for item in value if isinstance(value, list) else ():
        yield from _keys(item)


def test_every_column_of_the_predictions_is_on_the_page():
    item = np.ones(1, dtype=np.int64)
    header = next(to_csv(Predictions(item, item, item, item, item, {}))).rstrip("\n").split(",")
    assert header == [name for name, _, _ in describe_fields(Predictions) if name != "predicted"]
    table = page()[page().index("## The CSV of predictions") :]
    assert all(f"| `{name}` |" in table for name in header)
