from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.benchmark import command
from tools.benchmark.collections import find_collections
from tools.environment import ROOT
from tools.simulate.dataset_writer import write_user
from tools.summarize import command as summarize


@pytest.fixture(scope="module")
def folder(simulations, tmp_path_factory):
    """Return a data set of five people, whose numbers sort in another order as texts."""
    folder = tmp_path_factory.mktemp("dataset")
    for user in (1, 2, 3, 10, 12):
        write_user(simulations[user % 3], folder, user)
    return folder


def collections_in(*files: Path) -> list[str]:
    return [json.loads(line)["collection"] for file in files for line in file.read_text().splitlines()]


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


def test_job_script_of_the_docs_runs(folder, tmp_path):
    page = (ROOT / "docs" / "many.md").read_text()
    (script,) = re.findall(r"^```bash\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    (tmp_path / "tools").symlink_to(ROOT / "tools")
    (tmp_path / "benchmark.sbatch").write_text(script.replace("--algorithms all", "--algorithms AVG"))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for number in (1, 2):
        slurm = {"SLURM_ARRAY_TASK_ID": str(number), "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_CPUS_PER_TASK": "1"}
        variables = {**os.environ, "PATH": path, **slurm}
        subprocess.run(["bash", "benchmark.sbatch", str(folder)], cwd=tmp_path, env=variables, check=True)
    files = [tmp_path / "results" / f"{number}.jsonl" for number in (1, 2)]
    names = [collection.name for collection in find_collections(folder, None).collections]
    assert sorted(collections_in(*files)) == sorted(names)
