from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from made_language import SHARES, made_up

HERE = Path(__file__).resolve().parent

#: Program that chooses the language and runs the tests in it.
PROGRAM = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from ui import text
text.FOLDER = Path(sys.argv[2])
text.choose_language(sys.argv[3], {}.get)
import pytest
sys.exit(pytest.main(["-q", "-p", "no:xdist", "-p", "no:cacheprovider", sys.argv[4]]))
"""


@pytest.mark.parametrize("language", SHARES)
def test_graphs_and_page_pass_in_language(language, tmp_path):
    (tmp_path / f"{language.replace('-', '_')}.mo").write_bytes(made_up(language))
    arguments = [str(HERE.parents[2]), str(tmp_path), language, str(HERE / "graphs_in_a_language.py")]
    command = [sys.executable, "-X", "utf8", "-c", PROGRAM, *arguments]
    done = subprocess.run(command, cwd=HERE, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
