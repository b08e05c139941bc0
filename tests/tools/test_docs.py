from __future__ import annotations

import argparse
import csv
import gzip
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import foreign_logs
import matplotlib as mpl
import pytest
import yaml

from evaluator.findings import thresholds
from tools import commands, parsers
from tools.commands import COMMANDS
from tools.environment import ROOT

DOCS = ROOT / "docs"
PAGES = sorted(
    file
    for pattern in ("*.md", "docs/*.md", ".github/**/*.md", "evaluator/**/*.md", "tests/**/*.md")
    for file in ROOT.glob(pattern)
)

#: Commands that are run as they are. The others take minutes, need a cluster or other data, or change the checkout.
QUICK = re.compile(
    r"(cd|python3 tools (evaluate|benchmark FOLDER|summarize RESULTS)) (?!.*(--scheduler|--algorithms all|=srs-bench))"
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def without_blocks(page: Path) -> str:
    """Return the page without code blocks."""
    return re.sub(r"^ *```.*?^ *```", "", text_of(page), flags=re.DOTALL | re.MULTILINE)


def lines_to_type(page: Path) -> list[str]:
    """Return the lines of the page's shell blocks."""
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```", text_of(page), flags=re.DOTALL | re.MULTILINE)
    return [line.strip() for block in blocks for line in block.splitlines() if line.strip()]


def quick_lines(page: Path) -> list[str]:
    return [line for line in lines_to_type(page) if QUICK.match(line)]


def our_commands(page: Path) -> list[str]:
    """Return the page's commands of this project, also those within sentences."""
    within = re.findall(r"(?<!`)`([^`]+)`(?!`)", without_blocks(page))
    lines = [*lines_to_type(page), *(" ".join(code.split()) for code in within)]
    return [line for line in lines if line.startswith("python3 tools ")]


# ---- commands


@pytest.fixture
def folder(files, simulation, tmp_path):
    """Return a folder with the files and folders that the commands of the pages name."""
    for name in ("tools", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    profile = tmp_path / ".local" / "share" / "Anki2" / "User 1"
    profile.mkdir(parents=True)
    (profile.parent / "addons21" / "srs_evaluator").mkdir(parents=True)
    (tmp_path / "FOLDER").mkdir()
    for copy in (profile / "collection.anki2", tmp_path / "collection.anki2", tmp_path / "FOLDER" / "1.anki2"):
        copy.write_bytes(files.collection.read_bytes())
    (tmp_path / "backup.colpkg").write_bytes(files.colpkg.read_bytes())
    (tmp_path / "revlog.csv.gz").write_bytes(files.csv_gz.read_bytes())
    with gzip.open(files.csv_gz, "rt", newline="") as log:
        ids = [row["id"] for row in csv.DictReader(log)]
    foreign_logs.write_comparison(tmp_path / "SM16-v-SM17.csv", simulation)
    foreign_logs.write_history(tmp_path / "Repetition History.txt", simulation)
    (tmp_path / "mine.csv").write_text("review_id,predicted\n" + "".join(f"{id_},0.9\n" for id_ in ids))
    return tmp_path


@pytest.mark.long
@pytest.mark.parametrize("page", [page for page in PAGES if quick_lines(page)], ids=name_of)
def test_quick_commands_of_a_page_run(page, folder):
    run_all(quick_lines(page), folder)


def test_examples_in_the_help_of_evaluate_run(folder):
    *_, examples = parsers.evaluate().format_help().partition("examples:\n")
    lines = examples.splitlines()
    assert len(lines) == 4
    assert max(map(len, lines)) <= 80
    run_all(lines, folder)


def run_all(lines: list[str], folder: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    variables = {**os.environ, "PATH": path, "HOME": str(folder), "MPLCONFIGDIR": mpl.get_cachedir()}
    for line in lines:
        command = ["bash", "-c", line]
        done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"


class Parsed(Exception):
    """Raised once the arguments of a command are parsed, before it starts."""


@pytest.fixture
def only_parse(monkeypatch):
    """End every command once it has parsed its arguments, and check that it knows them all."""
    real = argparse.ArgumentParser.parse_known_args

    def read(parser, *arguments, **named):
        _, unknown = real(parser, *arguments, **named)
        passed_on = unknown if parser.prog.endswith(" test") else []  # to pytest
        assert unknown == passed_on
        missing = [name for name in passed_on if "/" in name and not (ROOT / name.partition("::")[0]).exists()]
        assert not missing
        raise Parsed

    monkeypatch.setattr(argparse.ArgumentParser, "parse_known_args", read)
    monkeypatch.setattr(commands.environment, "ensure_extras", lambda _extras: None)


def parse(line: str) -> None:
    """Fail unless the line has a command of ours with arguments that it accepts."""
    arguments = shlex.split(line, comments=True)[2:]
    if arguments[0] == "dask":  # which parses its own arguments
        assert arguments[1:2] in ([], ["scheduler"], ["worker"])
    elif arguments in [command.name.split() for command in COMMANDS]:
        return  # sentences name commands without their arguments
    else:
        with pytest.raises(Parsed):
            commands._run_command(arguments)


@pytest.mark.parametrize("page", [page for page in PAGES if our_commands(page)], ids=name_of)
def test_commands_of_a_page_are_valid(page, only_parse):
    for line in our_commands(page):
        parse(re.split(r" [|>&]", re.sub(r"\$\(.*\)", "4", line))[0])  # without what a shell interprets


def test_continuous_integration_uses_valid_commands(only_parse):
    jobs = yaml.safe_load(text_of(ROOT / ".github" / "workflows" / "ci.yml"))["jobs"]
    runs = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    ankis = [item["anki"] for item in jobs["older-ankis"]["strategy"]["matrix"]["include"]]
    # The newest Anki is tested by .ci/run.
    assert (*ankis, "26.9") == parsers.ANKIS
    lines = [run.replace("${{ matrix.anki }}", anki) for run in runs for anki in ankis]
    lines += text_of(ROOT / ".ci" / "run").splitlines()
    ours = [line for line in lines if re.search(r"python3? tools ", line)]
    assert len(ours) > 10
    for line in ours:
        parse(line.partition(" || ")[0])


def test_every_option_in_the_list_of_evaluate_exists():
    listed = re.findall(r"`(--[\w-]+)", text_of(DOCS / "evaluate.md").partition("## Options")[2])
    assert len(listed) > 10
    assert set(listed) <= set(parsers.evaluate()._option_string_actions)


def test_invalid_commands_are_noticed(only_parse):
    with pytest.raises(pytest.fail.Exception):
        parse("python3 tools evalute collection.anki2")
    with pytest.raises(AssertionError):
        parse("python3 tools evaluate collection.anki2 --hmtl report.html")
    with pytest.raises(AssertionError):
        parse("python3 tools test tests/none.py -q")
    parse("python3 tools test tests/tools/test_docs.py -k 'links'  # some")


# ---- links and pictures


def anchors(page: Path) -> set[str]:
    """Return the anchors of the page's headings: lowercase letters, hyphens for spaces, no punctuation."""
    headings = re.findall(r"^#+ (.+)$", text_of(page), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def leads_nowhere(page: Path, target: str) -> bool:
    """Return True if there is no such file or heading. External links are only checked for their form."""
    if ":" in target:
        return re.fullmatch(r"https://[a-z0-9-]+(\.[a-z0-9-]+)+(/[^\s<>]*)?", target) is None
    name, _, anchor = target.partition("#")
    file = page.parent / name if name else page
    return not file.exists() or (bool(anchor) and anchor not in anchors(file))


def targets(page: Path) -> Iterator[str]:
    """Yield the targets of a page's links and pictures, whose titles may be on two lines."""
    text = re.sub(r"`[^`\n]*`", "", without_blocks(page))
    yield from re.findall(r"\]\(([^)\s]+)\)", text)
    yield from re.findall(r"<([a-z]+://[^>]+)>", text)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_and_pictures_lead_somewhere(page):
    assert not [target for target in targets(page) if leads_nowhere(page, target)]


def test_broken_links_are_noticed():
    assert leads_nowhere(ROOT / "README.md", "docs/none.md")
    assert leads_nowhere(ROOT / "README.md", "docs/ankiweb.md#none")
    assert leads_nowhere(ROOT / "README.md", "http:/ankiweb.net")
    assert not leads_nowhere(ROOT / "README.md", "docs/ankiweb.md#how-to-read-the-result")
    assert not leads_nowhere(ROOT / "README.md", "https://ankiweb.net/shared/addons")


def test_every_picture_is_shown_and_described():
    described = {
        (page.parent / target).resolve(): words
        for page in PAGES
        for words, target in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", text_of(page))
    }
    assert set(described) == set(DOCS.glob("*.png"))
    assert all(len(words) > 20 for words in described.values())


# ---- pages


def links_of(page: Path) -> dict[Path, str]:
    """Return the titles of the links of a page by their targets."""
    return {
        (page.parent / target).resolve(): title
        for title, target in re.findall(r"\[([^]]+)\]\(([^)#]+)\)", text_of(page))
    }


def test_readme_and_development_link_every_page():
    named = links_of(ROOT / "README.md")
    all_named = {**links_of(DOCS / "development.md"), **named}
    assert not {*DOCS.glob("*.md"), *ROOT.glob("evaluator/**/*.md")} - set(all_named)
    for page in DOCS.glob("*.md"):
        if page in named:
            assert text_of(page).splitlines()[0] == f"# {named[page]}"


def test_readme_quotes_what_the_window_says():
    """Compare the table of what to do with the texts of the first screen."""
    rows = [line.split("|")[1] for line in text_of(ROOT / "README.md").splitlines() if line.startswith("| “")]
    said = text_of(ROOT / "tests" / "ui" / "expected" / "first_screens.txt")
    assert len(rows) == 5
    assert not [quote for row in rows for quote in re.findall("“([^”]+)”", row) if quote not in said]


# ---- the page on AnkiWeb


def test_ankiweb_page_states_the_size_of_the_libraries():
    locks = [text_of(path) for path in (ROOT / "ui" / "anki" / "libraries" / "locks").glob("*.txt")]
    sizes = [int(size) / 1e6 for lock in locks for size in re.findall(r"^# .* (\d+)$", lock, flags=re.MULTILINE)]
    assert len(sizes) > 20
    assert f"({min(sizes):.0f} to {max(sizes):.0f} MB)" in text_of(DOCS / "ankiweb.md")


def test_thresholds_in_the_docs_are_those_of_the_code():
    values = re.findall(r"`([A-Z_]+)`\s(\d[\d.,]*\d|\d)", text_of(DOCS / "methods.md"))
    documented = {name: float(value.replace(",", "")) for name, value in values}
    left_out = {"MIN_SCHEDULER", "HARD_LIMIT", "HARD_LIMIT_PER_REVIEW"}
    expected = {name: value for name, value in vars(thresholds).items() if name.isupper() and name not in left_out}
    assert documented == pytest.approx(expected, rel=1e-3)
