from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from made_language import SHARES, made_up

HERE = Path(__file__).resolve().parent

#: Chooses the language, and runs the tests in it.
PROGRAM = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from ui import text
text.FOLDER = Path(sys.argv[2])
text.choose(sys.argv[3])
import pytest
sys.exit(pytest.main(["-q", "-p", "no:xdist", "-p", "no:cacheprovider", sys.argv[4]]))
"""


@pytest.mark.parametrize("language", SHARES)
def test_every_graph_is_legible(language: str, tmp_path: Path) -> None:
    (tmp_path / f"{language.replace('-', '_')}.mo").write_bytes(made_up(language))
    command = [sys.executable, "-X", "utf8", "-c", PROGRAM, str(HERE.parents[2]), str(tmp_path), language]
    done = subprocess.run(
        [*command, str(HERE / "graphs_in_a_language.py")], cwd=HERE, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
