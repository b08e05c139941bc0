from __future__ import annotations

import json
import os
import subprocess
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from tools import environment
from tools.development import package
from tools.development.package import SHIPPED, shipped_files, write_package
from tools.environment import PIP, ROOT, MachineNotReady, pip_wheel


@pytest.fixture(scope="module")
def addon(tmp_path_factory):
    path = tmp_path_factory.mktemp("package") / "made.ankiaddon"
    write_package(path, [pip_wheel()])
    return path


def test_same_files_give_the_same_bytes(addon, tmp_path):
    (tmp_path / "wheels").mkdir()
    copy = tmp_path / "wheels" / pip_wheel().name
    copy.write_bytes(pip_wheel().read_bytes())  # newer, and in another folder
    write_package(tmp_path / "again.ankiaddon", [copy])
    assert (tmp_path / "again.ankiaddon").read_bytes() == addon.read_bytes()


def test_line_ends_are_equal_in_every_checkout():
    git = ["git", "-c", "core.autocrlf=true", "check-attr", "--stdin", "-z", "eol"]
    names = "\0".join(shipped_files()) + "\0"
    stdout = subprocess.run(git, cwd=ROOT, input=names, capture_output=True, text=True, check=True).stdout
    assert set(stdout.split("\0")[2::3]) == {"lf"}


def test_package_has_only_what_the_addon_needs(addon):
    names = zipfile.ZipFile(addon).namelist()
    assert names[: len(names) - 1] == sorted(names[: len(names) - 1])
    assert {name.split("/")[0] for name in names} == set(SHIPPED)
    assert {Path(name).suffix for name in names} <= {".py", ".json", ".md", ".css", ".mo", ".txt", ".whl", ""}
    belongs_elsewhere = ("__pycache__", "meta.json", "user_files", "tests", "tools", "README")
    assert not [name for name in names if any(part in name for part in belongs_elsewhere) or "/." in name]
    version = PIP.read_text(encoding="utf-8").rpartition("pip==")[2].split()[0]
    assert names[-1] == f"ui/anki/libraries/pip-{version}-py3-none-any.whl"
    for folder in ("evaluator", "ui"):
        assert {str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob("*.py")} <= set(names)


def test_published_results_are_packaged_and_small(addon):
    packed = zipfile.ZipFile(addon).getinfo("evaluator/statistics/published_results.json")
    assert 0 < packed.compress_size <= 60_000


def test_anki_takes_its_manifest(addon):
    from aqt.addons import AddonManager

    manager = SimpleNamespace(_manifest_schema=AddonManager._manifest_schema)
    with zipfile.ZipFile(addon) as file:
        read = AddonManager.readManifestFile(manager, file)
        assert read == json.loads(file.read("manifest.json"))  # no key that Anki does not know
    assert read["package"] == "srs_evaluator"


def test_release_job_finds_the_notes_of_this_version(tmp_path):
    steps = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))["jobs"]["release"]
    (command,) = [step["run"] for step in steps["steps"] if step.get("run", "").startswith("awk ")]
    version = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))["human_version"]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text(f"{changes}\n## [0.0.9] - 2020-01-01\n\nOlder.\n", encoding="utf-8")
    environment = {**os.environ, "GITHUB_REF_NAME": f"v{version}"}
    subprocess.run(["sh", "-c", command], cwd=tmp_path, env=environment, check=True)
    notes = (tmp_path / "notes.md").read_text(encoding="utf-8").strip()
    assert notes
    assert notes in changes


def test_other_files_of_the_checkout_change_no_byte(addon, tmp_path, monkeypatch):
    copy = tmp_path / "copy"
    left_out = [
        "build/x.py", "dist/x.py", ".venv/x.py", "meta.json", "user_files/x.json", "ui/__pycache__/x.cpython-313.pyc",
        "ui/.mypy_cache/x.json", "ui/.x.py", "ui/x.py~", "ui/x.orig", "ui/anki/libraries/pip-1-py3-none-any.whl",
        "evaluator/README.md", "ui/text/languages/de.po", "README.md", "tools/x.py",
    ]  # fmt: skip
    for name in [*shipped_files(), *left_out]:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes(b"" if name in left_out else (ROOT / name).read_bytes())
    monkeypatch.setattr(package, "ROOT", copy)
    write_package(tmp_path / "made.ankiaddon", [pip_wheel()])
    assert (tmp_path / "made.ankiaddon").read_bytes() == addon.read_bytes()


def test_damaged_wheel_of_pip_is_not_used(tmp_path, monkeypatch):
    (tmp_path / "pip-25.3-py3-none-any.whl").write_bytes(b"other")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setattr(environment, "BUILD", tmp_path)
    with pytest.raises(MachineNotReady, match="pip's wheel could not be fetched"):
        pip_wheel()
