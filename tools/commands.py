"""The list of commands, and the function that runs one.

A new command needs a file with a ``main``, a line here, and, if it has options, a parser of its name in
:mod:`tools.parsers`.

argparse's subcommands are not used, because they would import every command, and so all libraries, before the ``.venv``
exists.
"""

from __future__ import annotations

import difflib
import importlib
import signal
import sys
from dataclasses import dataclass
from typing import TextIO

from evaluator.errors import EvaluatorError
from tools import environment, parsers, stopping
from tools.arguments import FAILED, BadResults, Parser
from tools.environment import MachineNotReady
from tools.output.streams import flush_streams, prepare_streams, say, show, wrap_text
from ui.text.sanitize import sanitize_text

#: Signals that cancel a command. Windows has no SIGHUP.
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


@dataclass(frozen=True)
class Command:
    """A command, which is run by ``main(arguments) -> exit code`` of its module."""

    name: str
    #: Name of the module without ``tools.``.
    module: str
    summary: str
    #: Extras of ``pyproject.toml`` that it needs, besides the dependencies.
    extras: tuple[str, ...] = ()

    def parser(self) -> Parser:
        """Return the parser of a command without options."""
        return Parser(prog=f"python3 tools {self.name}", description=f"{self.summary[0].upper()}{self.summary[1:]}.")


#: Extras that the tests need.
TEST_EXTRAS = ("test", "lock", "languages", "statistics", "pretrain", "parquet", "cluster")

#: All commands, in the order of the help.
COMMANDS = (
    Command("demo", "demo", "make a simulated collection, evaluate it, and write graphs and reports to demo/"),
    Command("evaluate", "evaluate", "evaluate a collection or a review log"),
    Command("benchmark", "benchmark.command", "evaluate many collections, on one machine or on many"),
    Command("dask", "benchmark.dask_command", "start a Dask scheduler or worker for benchmark", ("parquet", "cluster")),
    Command("summarize", "summarize.command", "make tables and figures of many collections", ("statistics",)),
    Command("simulate", "simulate.command", "simulate people who study with Anki, and write their collections"),
    Command("algorithms", "algorithms", "list the algorithms, with what each one trains and uses"),
    Command("measure", "development.measure.speed", "measure the speed, here and of Anki's optimizer", ("measure",)),
    Command("measure screen", "development.measure.screen", "count how often the first screen is wrong"),
    Command("measure workload", "development.measure.workload_forecast", "check the forecast of the year ahead"),
    Command("describe", "development.describe", "write docs/report.md: what every key and column of the output means"),
    Command("pretrain", "development.pretrain.command", "make the starting weights of the networks", ("pretrain",)),
    Command("languages", "development.languages", "update the translations, and compile them", ("languages",)),
    Command("package", "development.package", "make the package that Anki installs, dist/srs_evaluator.ankiaddon"),
    Command("lock", "development.lock", "update the list of libraries that the package downloads", ("lock",)),
    Command("test", "development.test", "run ruff, mypy and the tests, including those in a real Anki", TEST_EXTRAS),
)


def run(arguments: list[str]) -> int:
    """Run the command that the first arguments name with the remaining ones, and return its exit code."""
    prepare_streams()
    old_handlers = {
        number: signal.signal(number, stopping.raise_ended)
        for number in SIGNALS
        # A signal that is ignored, for example under `nohup`, stays ignored. Ctrl-C is the exception, because scripts
        # with `&` ignore it.
        if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN
    }
    hook = sys.unraisablehook
    sys.unraisablehook = stopping.keep_ignored
    try:
        try:
            code = _run_command(arguments)
            stopping.raise_ignored()
        finally:
            show("")
    except KeyboardInterrupt as error:
        say("Cancelled.")
        code = error.code if isinstance(error, stopping.Ended) else 128 + signal.SIGINT
    except Exception as error:  # noqa: BLE001 - it is raised again unless there is a sentence for it
        code = _report_error(error)
    finally:
        flush_streams()
        sys.unraisablehook = hook
        for number, handler in old_handlers.items():
            signal.signal(number, handler)
    return code


def _report_error(error: Exception) -> int:
    """Print what is wrong with the input or the machine, and return the exit code. Raise any other error again."""
    # It is not a failure if the reader of the output ends early, as in `| head`.
    if isinstance(error, BrokenPipeError):
        return 0
    if isinstance(error, EvaluatorError):
        from ui.text.error_sentences import error_sentence

        say(error_sentence(error))
    elif isinstance(error, MachineNotReady):
        say("\n".join(map(sanitize_text, str(error).split("\n"))))
    elif isinstance(error, BadResults):
        say(sanitize_text(str(error)))
    elif isinstance(error, OSError):
        say(sanitize_text(f"{error.filename or 'The system'}: {error.strerror or error}."))
    elif isinstance(error, MemoryError):
        say("Not enough memory.")
    else:
        raise error
    return FAILED


def _run_command(arguments: list[str]) -> int:
    """Run the command that the arguments name, or print its help. Return the exit code."""
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(usage(sys.stdout))
        return 0
    by_name = {command.name: command for command in COMMANDS}
    words = 2 if " ".join(arguments[:2]) in by_name else 1
    command = by_name.get(" ".join(arguments[:words]))
    if command is None:
        close = difflib.get_close_matches(arguments[0], by_name, n=1)
        suggestion = f" Did you mean {close[0]}?" if close else ""
        say(f"Unknown command: {sanitize_text(arguments[0], whole=False)}.{suggestion}\n\n{usage(sys.stderr)}")
        return FAILED
    # Dask's own commands, which are its second word, have a help of their own.
    options = arguments[words : words + 1] if command.name == "dask" else arguments[words:]
    create_parser = getattr(parsers, command.name.replace(" ", "_"), None)
    parser = create_parser() if create_parser else command.parser()
    if not {"-h", "--help"}.isdisjoint(options):
        parser.print_help()
        return 0
    if create_parser is None:
        parser.parse_args(options)
    environment.ensure_extras(command.extras)
    code: int = importlib.import_module(f"tools.{command.module}").main(arguments[words:])
    return code


def usage(stream: TextIO) -> str:
    """Return the help text, which lists all commands."""
    width = max(len(command.name) for command in COMMANDS)
    lines = [wrap_text(f"  {command.name:{width}}  {command.summary}", stream, width + 4) for command in COMMANDS]
    return "\n".join(
        [
            "usage: python3 tools <command> [options]",
            "",
            *lines,
            "",
            wrap_text(
                "python3 tools <command> --help shows its options. On first use, each sets up what it needs in .venv.",
                stream,
            ),
        ]
    )
