"""The list of commands, and how to run one.

To add a command: one file with a ``main``, and one line here; if it has options, a parser of its name in
:mod:`tools.parsers`.

By hand, as argparse's subcommands would import every command, and so all libraries, before the ``.venv`` is there.
"""

from __future__ import annotations

import difflib
import importlib
import signal
import sys
import threading
import time
from dataclasses import dataclass
from typing import TextIO

from evaluator.errors import EvaluatorError
from evaluator.report.sanitize import sanitize_text
from tools import environment, parsers, stopping
from tools.arguments import FAILED, BadResults, Parser
from tools.environment import MachineNotReady
from tools.output.streams import flush_streams, in_lines, prepare_streams, say, show

#: Signals that the system has; Windows has no SIGHUP.
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
#: Minimum seconds for a timing on the terminal.
SECONDS_WORTH_A_WORD = 1.0


@dataclass(frozen=True)
class Command:
    """A command, which ``main(arguments) -> exit code`` of its module runs."""

    name: str
    module: str  #: below ``tools``
    summary: str
    extras: tuple[str, ...] = ()  #: extras of ``pyproject.toml``, besides the plain dependencies

    def parser(self) -> Parser:
        """Return the parser of a command without options."""
        return Parser(prog=f"python3 tools {self.name}", description=f"{self.summary[0].upper()}{self.summary[1:]}.")


#: Extras for the tests: their tools, and what is tested.
TESTED = ("test", "lock", "languages", "statistics", "pretrain", "parquet", "cluster")

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
    Command("measure workload", "development.measure.workload", "check the forecast of the year ahead"),
    Command("describe", "development.describe", "write docs/report.md: what every key and column of the output means"),
    Command("pretrain", "development.pretrain.command", "make the starting weights of the networks", ("pretrain",)),
    Command("languages", "development.languages", "update the translations, and compile them", ("languages",)),
    Command("package", "development.package", "make the package that Anki installs, dist/srs_evaluator.ankiaddon"),
    Command("lock", "development.lock", "update the list of libraries that the package downloads", ("lock",)),
    Command("test", "development.test", "run ruff, mypy and the tests, including those in a real Anki", TESTED),
)


def run(arguments: list[str]) -> int:
    """Run the command that the first argument names with the other arguments, and return its exit code."""
    prepare_streams()
    before = {number: signal.signal(number, stopping.end) for number in SIGNALS if _is_handled(number)}
    hook, sys.unraisablehook = sys.unraisablehook, stopping.keep_ignored
    try:
        try:
            code = _run(arguments)
            stopping.raise_ignored()
        finally:
            show("")
    except KeyboardInterrupt as ended:
        say("Cancelled.")
        code = ended.code if isinstance(ended, stopping.Ended) else 128 + signal.SIGINT
    except Exception as error:  # noqa: BLE001 - raised again, unless there is a sentence for it
        code = _report_error(error)
    finally:
        flush_streams()
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)
    return code


def _is_handled(number: int) -> bool:
    """Return whether to handle a signal. One that is ignored stays so (`nohup`), except Ctrl-C (scripts with `&`)."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and (number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN)


def _report_error(error: Exception) -> int:
    """Print what is wrong with the input or the machine, and return the exit code. Raise any other error again."""
    if isinstance(error, BrokenPipeError):  # its reader has gone, as of `| head`
        return 0
    if isinstance(error, EvaluatorError):
        from ui.text.errors import error_sentence

        say(error_sentence(error))
    elif isinstance(error, MachineNotReady):
        say(str(error))
    elif isinstance(error, BadResults):
        say(sanitize_text(str(error)))
    elif isinstance(error, OSError):  # no permission, disk full, ...
        say(sanitize_text(f"{error.filename or 'The system'}: {error.strerror or error}."))
    elif isinstance(error, MemoryError):
        say("Not enough memory.")
    else:
        raise error
    return FAILED


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(usage(sys.stdout))
        return 0
    named = {command.name: command for command in COMMANDS}
    words = 2 if " ".join(arguments[:2]) in named else 1
    command = named.get(" ".join(arguments[:words]))
    if command is None:
        close = difflib.get_close_matches(arguments[0], named, n=1)
        meant = f" Did you mean {close[0]}?" if close else ""
        say(f"Unknown command: {arguments[0]}.{meant}\n\n{usage(sys.stderr)}")
        return FAILED
    typed = arguments[words : words + 1] if command.name == "dask" else arguments[words:]  # Dask's own has help, too
    with_options = getattr(parsers, command.name.replace(" ", "_"), None)
    parser = with_options() if with_options else command.parser()
    if not {"-h", "--help"}.isdisjoint(typed):
        parser.print_help()
        return 0
    if with_options is None:
        parser.parse_args(typed)
    environment.ensure(command.extras)
    started = time.monotonic()
    code: int = importlib.import_module(f"tools.{command.module}").main(arguments[words:])
    seconds = time.monotonic() - started
    if sys.stderr.isatty() and seconds >= SECONDS_WORTH_A_WORD and code != FAILED:
        from tools.output.progress import duration

        sys.stdout.flush()
        say(f"\nIt took {duration(seconds)}.")
    return code


def usage(stream: TextIO) -> str:
    """Return the help text: all commands, a line each."""
    width = max(len(command.name) for command in COMMANDS)
    lines = [in_lines(f"  {command.name:{width}}  {command.summary}", stream, width + 4) for command in COMMANDS]
    return "\n".join(
        [
            "usage: python3 tools <command> [options]",
            "",
            *lines,
            "",
            in_lines(
                "python3 tools <command> --help shows its options. On first use, each sets up what it needs in .venv.",
                stream,
            ),
        ]
    )
