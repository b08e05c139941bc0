"""``python3 tools screenshots``: pictures of every state of the window, from a real Anki, to be looked at."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping

from tools.arguments import Parser
from tools.environment import ROOT, require_packages
from tools.languages import known
from tools.scratch import scratch_folder
from tools.test import QT_LIBRARIES

FOLDER = ROOT / "screenshots"
SCENARIOS = ROOT / "tests" / "anki" / "scenarios.py"
#: Those of ``tests/anki`` that take pictures.
WITH_PICTURES = (
    "results",
    "advising",
    "repeating",
    "pages",
    "looks",
    "looks_of_scopes",
    "scopes",
    "forecasting",
    "cancel",
    "empty",
    "missing_library",
    "speaking",
    "speaking_beside",
)
#: Likewise, but those of the documentation, in ``docs``: only when asked for.
ON_REQUEST = ("documenting", "first_screens")


def main(arguments: list[str]) -> int:
    """Take all screenshots anew. Return 0 if every state could be reached."""
    parser = Parser(
        prog="python3 tools screenshots",
        description="Take pictures of every state of the window, from a real Anki, to be looked at. Some five minutes.",
    )
    scenarios = [*WITH_PICTURES, *ON_REQUEST]
    parser.add_argument("--only", action="append", choices=scenarios, help="this scenario (can be repeated)")
    parser.add_argument(
        "--language", type=known, default="en_US", help="Anki's, e.g. ja_JP or zh_CN; for those named speaking..."
    )
    options = parser.parse_args(arguments)
    require_packages(QT_LIBRARIES)
    if not options.only:
        shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(exist_ok=True)
    with scratch_folder() as shared:
        variables = {"SHARED_FOLDER": str(shared), "SCREENSHOTS": str(FOLDER), "ANKI_LANGUAGE": options.language}
        failed = [name for name in options.only or WITH_PICTURES if not _take(name, variables)]
    print(f"{FOLDER}: {len(list(FOLDER.glob('*.png')))} pictures")
    if failed:
        print(f"Not all states could be reached: {', '.join(failed)} failed, see above.", file=sys.stderr)
    return 1 if failed else 0


def _take(scenario: str, variables: Mapping[str, str]) -> bool:
    print(f"== {scenario}", flush=True)
    with scratch_folder() as folder:
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "TMPDIR": str(folder), **variables}
        command = [sys.executable, str(SCENARIOS), scenario, str(folder / scenario)]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr[-2000:], file=sys.stderr)
    return done.returncode == 0
