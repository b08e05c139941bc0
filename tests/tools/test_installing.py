"""What is said while pip works, and that nothing goes on beside a second attempt."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tools import installing
from tools.installing import Installation, run_pip
from tools.system_packages import MachineNotReady

ROOT = Path(__file__).resolve().parents[2]

#: As pip 23.2 has it, with an index that gives no descriptions of wheels by themselves.
OLD = """Looking in indexes: https://host.example/simple
Collecting numpy>=2.1
  Downloading numpy-2.4.6-cp311-cp311-manylinux_2_27_x86_64.whl (16.9 MB)
Collecting markdown (from anki==26.9.3)
  Using cached markdown-3.11.3-py3-none-any.whl (116 kB)
Processing /files/decorator-5.3.1-py3-none-any.whl (from anki==26.9.3)
Installing collected packages: markdown, decorator, numpy
Successfully installed decorator-5.3.1 markdown-3.11.3 numpy-2.4.6
""".splitlines()

#: As pip 25.3 has it: first the descriptions, then the wheels.
NEW = """Collecting numpy>=2.1
  Downloading numpy-2.4.6-cp313-cp313-manylinux_2_27_x86_64.whl.metadata (60 kB)
Collecting PyQt6-WebEngine-Qt6
  Using cached pyqt6_webengine_qt6-6.11.2-py3-none-manylinux_2_34_x86_64.whl.metadata (416 bytes)
Downloading numpy-2.4.6-cp313-cp313-manylinux_2_27_x86_64.whl (16.9 MB)
Progress 0 of 16900000
Progress 8450000 of 16900000
Progress 16900000 of 16900000
Downloading pyqt6_webengine_qt6-6.11.2-py3-none-manylinux_2_34_x86_64.whl (116.3 MB)
Progress 58150000 of 116300000
Installing collected packages: numpy, PyQt6-WebEngine-Qt6
""".splitlines()

#: A program that says what is in its first argument, and then ends as its second says.
PROGRAM = "import sys; print(sys.argv[1]); sys.exit(int(sys.argv[2]))"


def pip_that_says(lines: list[str], code: int = 0) -> list[str]:
    return [sys.executable, "-c", PROGRAM, "\n".join(lines), str(code)]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (
            OLD,
            [
                "Asking the package index",
                "numpy: 17 MB",
                "markdown: 116 kB",
                "decorator: 0 kB",
                "Installing 3 packages",
            ],
        ),
        (NEW, ["Asking the package index", "numpy: 17 MB", "pyqt6_webengine_qt6: 116 MB", "Installing 2 packages"]),
    ],
    ids=["pip 23.2", "pip 25.3"],
)
def test_each_file_is_named_with_its_size(lines, words):
    work, said = Installation(), []
    for line in lines:
        work.hear(line)
        if work.words not in said:
            said.append(work.words)
    assert said == words


def test_a_file_that_lies_on_the_machine_is_counted_too(tmp_path):
    wheel = tmp_path / "decorator-5.3.1-py3-none-any.whl"
    wheel.write_bytes(bytes(2_500_000))
    work = Installation()
    work.hear(f"Processing {wheel} (from anki==26.9.3)")
    assert work.words == "decorator: 2 MB"
    assert work.total_mb == pytest.approx(2.5)


def test_how_far_it_is():
    """By megabytes of what is expected, or of what has come where that is more; unpacking is the rest."""
    work, fractions = Installation(expected_mb=140), []
    for line in NEW:
        work.hear(line)
        fractions.append(work.fraction())
    assert fractions == sorted(fractions)
    assert fractions[6] == pytest.approx(0.7 * 8.45 / 140)
    assert fractions[9] == pytest.approx(0.7 * (16.9 + 58.15) / 140)
    assert fractions[10] == pytest.approx(0.7)
    assert work.total_mb == pytest.approx(16.9 + 116.3)
    more = Installation(expected_mb=10)
    more.hear("Downloading numpy-2.4.6.whl (16.9 MB)")
    more.hear("Progress 8450000 of 16900000")
    assert more.fraction() == pytest.approx(0.7 / 2)


def test_without_a_terminal_large_files_get_a_line(capsys):
    run_pip(pip_that_says(NEW), "It could not be installed")
    *lines, last = capsys.readouterr().err.splitlines()
    assert lines == ["  numpy: 17 MB", "  pyqt6_webengine_qt6: 116 MB", "  Installing 2 packages"]
    assert last.startswith("Installed 2 packages (133 MB) in ")


def test_on_a_terminal_one_line_moves(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    run_pip(pip_that_says(NEW), "It could not be installed", expected_mb=133.2)
    shown = terminal.getvalue()
    assert "pyqt6_webengine_qt6: 116 MB" in shown
    assert " 70%  Installing 2 packages" in shown
    assert shown.count("\n") == 1, "the line is rewritten in place, and taken away"


def test_that_the_index_does_not_answer_is_said(capsys):
    run_pip(pip_that_says(["WARNING: Retrying (Retry(total=4)) after connection broken", *OLD]), "")
    assert capsys.readouterr().err.startswith("  The package index does not answer, trying again\n")


@pytest.mark.parametrize("start", [installing.run, installing.run_pip])
def test_what_a_failed_program_said_last_is_shown(start):
    last = ["WARNING: Retrying (Retry(total=0))", "ERROR: No matching distribution", "Progress 1 of 2"]
    lines = [*map(str, range(100)), *last]
    with pytest.raises(MachineNotReady) as failure:
        start(pip_that_says(lines, 1), "It could not be installed")
    assert str(failure.value).splitlines() == [
        "It could not be installed:", *map(str, range(86, 100)), "ERROR: No matching distribution"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("version", "bar"), [("23.0.1", "off"), ("24.0", "off"), ("24.1", "raw"), ("25.3", "raw"), ("0", "off")]
)
def test_an_old_pip_is_not_asked_for_what_it_does_not_know(version, bar):
    assert installing.progress_options(version) == ["--progress-bar", bar]


#: Holds the lock of its first argument, and starts a program that says "begun" and ends when a file is there.
HOLDER = """
import sys
from pathlib import Path
from tools import environment, installing
waiting = '''import sys, tempfile, time
from pathlib import Path
draft = Path(sys.argv[1] + ".draft")
draft.write_text(tempfile.mkdtemp())
draft.rename(sys.argv[1] + ".begun")
while not Path(sys.argv[1]).exists():
    time.sleep(0.01)
'''
with environment.alone(Path(sys.argv[1])):
    print("locked", flush=True)
    installing.run([sys.executable, "-c", waiting, sys.argv[2]], "")
"""


@pytest.fixture
def holder(tmp_path):
    """A process with the lock ``lock``, whose program runs until there is a file ``end``."""
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "lock"), str(tmp_path / "end")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "locked\n"
        while not (tmp_path / "end.begun").exists():
            assert process.poll() is None
        yield process
        (tmp_path / "end").touch()


def is_held(lock: Path) -> bool:
    fcntl = pytest.importorskip("fcntl")
    with lock.open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def test_where_we_are_killed_the_lock_is_held_until_pip_has_ended(holder, tmp_path):
    """So the next command does not begin anew while this one's pip still writes."""
    holder.kill()
    holder.wait()
    assert is_held(tmp_path / "lock")
    (tmp_path / "end").touch()
    while is_held(tmp_path / "lock"):
        pass


def test_where_we_are_interrupted_pip_ends_as_well(holder, tmp_path):
    """Whoever presses Ctrl-C waits for nothing, and may begin anew at once. Its temporary files are gone."""
    holder.send_signal(signal.SIGINT)
    holder.wait()
    assert not is_held(tmp_path / "lock")
    assert not Path((tmp_path / "end.begun").read_text()).exists()
