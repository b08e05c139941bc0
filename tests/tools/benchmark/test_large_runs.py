from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from evaluator.evaluation import evaluate
from evaluator.options import Options
from tools.benchmark import command
from tools.benchmark.collections import find
from tools.simulate.dataset import write_person
from tools.sources import dataset
from tools.summarize import command as summarize

ROOT = Path(__file__).resolve().parents[3]


def block(page: str, language: str) -> str:
    """The only block of that language on a page."""
    (result,) = re.findall(rf"^```{language}\n(.*?)^```", (ROOT / "docs" / page).read_text(), re.DOTALL | re.MULTILINE)
    return str(result)


@pytest.fixture(scope="module")
def folder(simulations, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("dataset")
    for user in (1, 2, 3, 10, 12):
        write_person(simulations[user % 3], folder, user)
    return folder


def collections_in(*files: Path) -> list[str]:
    return [json.loads(line)["collection"] for file in files for line in file.read_text().splitlines()]


# ---- shards


def test_a_shard_holds_every_nth_collection(folder):
    result = find(folder)
    assert result.shard(2, 3).collections == result.collections[1::3]


def test_results_of_shards_are_joined(folder, tmp_path, capsys):
    out = tmp_path / "results"
    call = [str(folder), "--algorithms", "AVG,SM-2", "--processes", "1"]
    for number in (1, 2):
        assert command.main([*call, "--shard", f"{number}/2", "--out", str(out / f"{number}.jsonl")]) == 0
    files = sorted(out.glob("*.jsonl"))
    assert len(files) == 2
    assert not set(collections_in(files[0])) & set(collections_in(files[1]))
    assert command.main([*call, "--out", str(tmp_path / "whole.jsonl")]) == 0
    lines = {line for file in files for line in file.read_text().splitlines()}
    assert lines == set((tmp_path / "whole.jsonl").read_text().splitlines())
    capsys.readouterr()
    tables = []
    for path in (out, tmp_path / "whole.jsonl"):
        assert summarize.main([str(path)]) == 0
        tables.append(capsys.readouterr().out)
    assert tables[0] == tables[1]


@pytest.mark.parametrize("shard", ["0/4", "5/4", "1", "1/", "a/b", "-1/4", "1/0"])
def test_invalid_shards_are_refused(shard, folder, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        command.main([str(folder), f"--shard={shard}", "--out", str(tmp_path)])
    assert ended.value.code == 2
    assert "is not a shard like 2/8" in capsys.readouterr().err


# ---- what the pages say


def test_job_script_of_the_docs_runs(folder, tmp_path):
    (tmp_path / "tools").symlink_to(ROOT / "tools")
    (tmp_path / "benchmark.sbatch").write_text(block("many.md", "bash").replace("--algorithms all", "--algorithms AVG"))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for number in (1, 2):
        slurm = {"SLURM_ARRAY_TASK_ID": str(number), "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_CPUS_PER_TASK": "1"}
        variables = {**os.environ, "PATH": path, **slurm}
        subprocess.run(["bash", "benchmark.sbatch", str(folder)], cwd=tmp_path, env=variables, check=True)
    files = [tmp_path / "results" / f"{number}.jsonl" for number in (1, 2)]
    assert sorted(collections_in(*files)) == sorted(collection.name for collection in find(folder).collections)


def raw_line(folder: Path, user: int, *, with_places: bool) -> dict:
    """A line of the benchmark's predictions: 0.9 for what was remembered, 0.6 for what was not."""
    person = dataset.read_person(folder / "revlogs" / f"user_id={user}")
    predictions = evaluate(person, Options(algorithms=("AVG",))).predictions
    outcomes = predictions.recalled.tolist()
    line = {"user": user, "size": len(outcomes), "p": [0.6 + 0.3 * outcome for outcome in outcomes], "y": outcomes}
    if with_places:
        line["review_th"] = (np.searchsorted(np.sort(person.revlog.review_id), predictions.review_id) + 1).tolist()
    return line


def test_recipe_of_the_docs_converts_predictions(folder, tmp_path):
    other = raw_line(folder, 3, with_places=False)
    other["y"] = [1 - item for item in other["y"]]
    lines = [raw_line(folder, 1, with_places=True), raw_line(folder, 2, with_places=False), other]
    raw = tmp_path / "RWKV.jsonl"
    raw.write_text("".join(json.dumps(line) + "\n" for line in lines))
    made = tmp_path / "RWKV"
    code = block("predictions.md", "python")
    arguments = [sys.executable, "-c", code, str(folder), str(made), str(raw)]
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "user_id=3 is left out" in done.stdout
    assert sorted(path.name for path in made.iterdir()) == ["user_id=1.csv", "user_id=2.csv"]
    out = tmp_path / "results.jsonl"
    call = [str(folder), "--algorithms", "AVG", "--processes", "1", "--out", str(out)]
    assert command.main([*call, "--external", f"RWKV={made}"]) == 0
    result = [json.loads(line) for line in out.read_text().splitlines()]
    of_rwkv = [line for line in result if line["algorithm"] == "RWKV" and "error" not in line]
    losses = {line["collection"]: line["metrics"]["log_loss"] for line in of_rwkv}
    assert len(losses) == 2
    for user, line in zip((1, 2), lines, strict=False):
        y = np.array(line["y"])
        expected = -np.where(y == 1, np.log(0.9), np.log(0.4)).mean()
        assert losses[f"revlogs/user_id={user}"] == pytest.approx(expected, abs=1e-9)
