from __future__ import annotations

import subprocess
import sys

import pytest

from evaluator.options import Options
from tools import commands, parsers
from tools.arguments import Parser
from tools.commands import COMMANDS
from tools.development import test as checks
from tools.environment import ROOT
from tools.simulate import memory_models, people
from tools.simulate.command import FORMATS

#: Prints the help of every command. It is run with -S, so that no library can be imported.
ALL_HELP = """
import sys
from tools import commands
commands.environment.ensure_extras = None
for command in commands.COMMANDS:
    assert commands.run([*command.name.split(), "--help"]) == 0
"""


def test_help_needs_only_python():
    done = subprocess.run([sys.executable, "-S", "-c", ALL_HELP], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    for command in COMMANDS:
        assert f"usage: python3 tools {command.name} " in done.stdout


def test_values_that_parsers_repeat_are_the_real_ones():
    evaluate, simulate = parsers.evaluate(), parsers.simulate()
    assert evaluate.get_default("folds") == Options().folds
    assert f"every log has at least {people.MIN_ROWS}" in " ".join(simulate.format_help().split())
    assert tuple(FORMATS) == parsers.FORMATS
    assert memory_models.KINDS == parsers.MEMORIES
    assert tuple(checks.CHECKS) == parsers.CHECKS
    assert tuple(checks.ANKIS) == parsers.ANKIS


@pytest.mark.parametrize(
    "name", [name for command in COMMANDS if hasattr(parsers, name := command.name.replace(" ", "_"))]
)
@pytest.mark.parametrize("value", ["", " "])
def test_blank_values_of_all_options_are_refused(name, value, capsys):
    parser = getattr(parsers, name)()
    for action in parser._actions if isinstance(parser, Parser) else ():
        if action.nargs != 0:
            option = action.option_strings[:1]
            with pytest.raises(SystemExit) as end:
                parser.parse_args([*option, value])
            assert end.value.code == 2
            assert capsys.readouterr().err.startswith(f"{''.join(option) or action.metavar} cannot be '{value}'.")


def test_empty_paths_within_values_are_refused(capsys):
    for parser, arguments in ((parsers.summarize(), ["Label="]), (parsers.evaluate(), ["--external", "Name=#column"])):
        with pytest.raises(SystemExit):
            parser.parse_args(arguments)
        assert ": a path is needed." in capsys.readouterr().err


def test_bad_options_of_measurements_are_refused(capsys, monkeypatch):
    monkeypatch.setattr("tools.environment.ensure_extras", str)
    assert commands.run(["measure", "screen", "--logs", "0"]) == 2
    assert capsys.readouterr().err == "--logs cannot be 0. Allowed: an integer of at least 1.\n"


def test_algorithms_can_be_given_by_their_labels():
    algorithms = "guessing your running average, Anki's SM-2 (adjusted to you),LSTM"
    options = parsers.evaluate().parse_args(["a.csv", "--algorithms", algorithms, "--baseline", "FSRS-6 (default)"])
    assert options.algorithms == ["AVG", "Anki-SM-2 calibrated", "LSTM"]
    assert options.baseline == "FSRS-6 default"
