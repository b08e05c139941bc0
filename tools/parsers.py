"""Argument parsers of all commands with options.

They need only the standard library, so that `--help` works before the ``.venv`` exists. Modules that a command needs
are imported when it runs.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tools.arguments import (
    Parser,
    ResultSource,
    add_algorithms,
    add_number,
    add_protocol_options,
    add_review_options,
    add_scope_options,
    add_source_options,
    parse_algorithm,
    parse_names,
    parse_number,
    parse_path,
)
from tools.processes import usable_processors
from ui.exports import EXPORTS
from ui.text.sanitize import elide_middle
from ui.views import NAMES

#: Formats of ``simulate``.
FORMATS = ("collections", "csv", "parquet")
#: Kinds of memory of simulated learners.
MEMORIES = ("fsrs", "power", "act-r", "half-life", "two-traces", "dash")
#: Checks that ``test`` can run without the tests.
CHECKS = ("ruff check", "ruff format", "mypy")
#: Command lines at the end of the help of ``evaluate``.
EVALUATE_EXAMPLES = """\
  python3 tools evaluate collection.anki2
  python3 tools evaluate collection.anki2 --preset Vocabulary --html report.html
  python3 tools evaluate backup.colpkg --since 2024-05-01 --sections quick
  python3 tools evaluate collection.anki2 --algorithms FSRS-6,FSRS-7,Anki-SM-2"""
#: Versions of Anki in which ``test`` can test.
ANKIS = ("24.11", "25.02", "25.09", "26.9")


def add_external(parser: argparse._ActionsContainer, metavar: str, help_text: str) -> None:
    """Add the option for external predictions. It may be repeated, and gives a list of :class:`PredictionsFile`."""
    parser.add_argument(
        "--external", metavar=f"NAME={metavar}", type=_parse_external, action="append", default=[], help=help_text
    )


def _parse_external(text: str) -> object:
    """Parse the value of --external. Raises argparse.ArgumentTypeError."""
    from tools.sources.predictions import PredictionsFile

    try:
        return PredictionsFile.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def evaluate() -> Parser:
    """Return the parser of ``evaluate``."""
    parser = Parser(
        prog="python3 tools evaluate",
        usage="%(prog)s PATH [options]",
        description="Test how well FSRS, SM-2 and other algorithms would have predicted your reviews.",
        epilog=f"examples:\n{EVALUATE_EXAMPLES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
    )
    help_text = "a .anki2, .colpkg or .apkg file, a review log as CSV, or a file from SuperMemo or a public data set"
    parser.add_argument_group("what").add_argument("path", metavar="PATH", type=parse_path, help=help_text)
    reviews = parser.add_argument_group("which reviews")
    add_scope_options(reviews)
    add_review_options(reviews)
    algorithms = parser.add_argument_group("which algorithms")
    add_algorithms(algorithms)
    add_external(
        algorithms,
        "FILE",
        "add a row for the predictions in this CSV: column review_id (or card_id and time) and one with the "
        "probability of recall; FILE#COLUMN picks one of several",
    )
    algorithms.add_argument(
        "--parameters",
        metavar="NAME=NUMBERS",
        action="append",
        default=[],
        help="add a row for FSRS with these 17, 19, 21 or 34 parameters, as Anki shows them; may be repeated",
    )
    help_text = "the algorithm to compare with (default: the first of Anki-SM-2, SM-2 and AVG that is run)"
    algorithms.add_argument("--baseline", metavar="NAME", type=parse_algorithm, help=help_text)
    add = parser.add_argument_group("output").add_argument
    add(
        "--sections",
        metavar="NAMES",
        type=parse_names,
        help=f"show more of the report: {', '.join(NAMES)}, separated by commas, "
        f"or 'none', 'all' or 'quick' (all that take little time; default for --json and --html)",
    )
    for item in EXPORTS.values():
        if item.option:
            add(item.option, metavar="FILE" if item.lines else "DIR", type=parse_path, help=item.help)
    add(
        "--graphs",
        choices=("main", "all"),
        default="main",
        help="graphs in --html and --charts. main: those of the whole report and of the headline's algorithm; all: "
        "those of all algorithms too (default: %(default)s)",
    )
    rare = parser.add_argument_group("rarely needed")
    rare.add_argument(
        "--split-by",
        metavar="TEXT",
        action="append",
        default=[],
        help="with --sections splitting: test separate parameters for the cards of this search, e.g. note:Cloze,"
        " and for the rest; may be repeated; write a search that begins with - as --split-by=-tag:x",
    )
    add_source_options(rare)
    add_protocol_options(rare)
    rare.add_argument("--traceback", action="store_true", help="show tracebacks of failing algorithms and sections")
    rare.add_argument("-h", "--help", action="help", help="show this help")
    return parser


def benchmark() -> Parser:
    """Return the parser of ``benchmark``."""
    parser = Parser(
        prog="python3 tools benchmark",
        description="Evaluate all collections in a folder and append one line per collection and algorithm to the"
        " results. To resume a stopped run, run it again.",
    )
    add = parser.add_argument
    add(
        "source",
        metavar="FOLDER",
        type=parse_path,
        help=(
            "a folder with .anki2, .colpkg, .apkg or .csv files, or files from SuperMemo or public data sets, "
            "at any depth; or the data set anki-revlogs-10k (revlogs/user_id=N/*.parquet, cards, decks)"
        ),
    )
    add(
        "--out",
        metavar="RESULTS",
        type=parse_path,
        default=Path("benchmark"),
        help="a .jsonl file, or a folder for results.jsonl; results with same-day reviews go to a second file "
        "next to it (default: %(default)s)",
    )
    add_algorithms(parser)
    add_external(
        parser,
        "PREDICTIONS",
        "add a row for the predictions in that folder: a CSV for each collection, as for `evaluate "
        "--external`, named like the collection with or without its extension (1.anki2.csv or 1.csv)",
    )
    add("--retry", action="store_true", help="retry the collections and algorithms that failed")
    help_text = "number of collections to process in parallel (default: all cores)"
    add("--processes", metavar="N", type=parse_number, help=help_text)
    help_text = "run only every N-th collection from the K-th (1 to N), to split the work between machines"
    add("--shard", metavar="K/N", type=_parse_shard, help=help_text)
    add("--scheduler", metavar="ADDRESS", help="use the workers of this Dask scheduler, e.g. tcp://host:8786")
    help_text = "for all CSV and .apkg files: the start of any of their days, in seconds since 1970"
    add("--next-day-at", metavar="SECONDS", type=parse_number, help=help_text)
    add_review_options(parser)
    add_protocol_options(parser)
    return parser


def _parse_shard(text: str) -> tuple[int, int]:
    """Parse ``K/N``. Raises argparse.ArgumentTypeError."""
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError(f"{elide_middle(text)!r} is not a shard like 2/8")
    return int(number), int(count)


def summarize() -> Parser:
    """Return the parser of ``summarize``."""
    parser = Parser(
        prog="python3 tools summarize",
        description="Put the results of many collections into one table, with intervals and pairwise comparisons.",
    )
    add = parser.add_argument
    add(
        "results",
        metavar="RESULTS",
        nargs="+",
        type=ResultSource.parse,
        help="what `benchmark` wrote, or a results folder of the original benchmark; LABEL=RESULTS adds the label "
        "to the names of these algorithms",
    )
    add("--out", metavar="FOLDER", type=parse_path, help="write Markdown, CSV, JSON and figures there")
    help_text = "leave out these algorithms, separated by commas"
    add("--without", metavar="NAMES", type=parse_names, default=[], help=help_text)
    return parser


def simulate() -> Parser:
    """Return the parser of ``simulate``."""
    parser = Parser(
        prog="python3 tools simulate",
        description="Simulate people who study with Anki and differ as much as real ones. The same seed gives "
        "the same people. All have an FSRS-like memory: what is best here need not be best for real people.",
    )
    add = parser.add_argument
    add("folder", metavar="FOLDER", type=parse_path, help="a new or empty folder")
    _add_people_options(parser, rows=2000)
    add(
        "--drift",
        metavar="S",
        type=float,
        default=0.0,
        help="standard deviation of changes over weeks: in the logit of recall, and in the logarithm of new cards and "
        "reviews per day; 1 is a lot (default: %(default)s, no change)",
    )
    add("--format", choices=FORMATS, default="collections", help="(default: %(default)s)")
    return parser


def _add_people_options(parser: argparse.ArgumentParser, *, rows: int) -> None:
    """Add the options on the simulated learners.

    Args:
        parser: the parser.
        rows: the default number of rows of the median log.
    """
    add = parser.add_argument
    add_number(parser, "--people", 100, "number of people")
    help_text = "rows of the median review log (default: %(default)s); every log has at least 700"
    add("--reviews", metavar="N", type=parse_number, default=rows, help=help_text)
    add_number(parser, "--seed", 1)
    help_text = "number of people to process in parallel (default: all cores)"
    add("--processes", metavar="N", type=parse_number, default=usable_processors(), help=help_text)


def measure_screen() -> Parser:
    """Return the parser of ``measure screen``."""
    parser = Parser(
        prog="python3 tools measure screen",
        description="Count how often the first screen is wrong: simulated people get its report, and its claims are "
        "compared with the true probability of each review, and its advice with what came of it.",
    )
    add_number(parser, "--logs", 60, "review logs of each kind")
    add_number(parser, "--seed", 1)
    add_number(parser, "--processes", 2, "logs at a time")
    return parser


def measure_workload() -> Parser:
    """Return the parser of ``measure workload``."""
    parser = Parser(
        prog="python3 tools measure workload",
        description="For simulated people, compare the forecast of the year ahead with the year that their true memory "
        "gives.",
    )
    _add_people_options(parser, rows=6000)
    parser.add_argument("--memory", choices=MEMORIES, default=MEMORIES[0], help="what their memories are like")
    return parser


def languages() -> Parser:
    """Return the parser of ``languages``."""
    parser = Parser(
        prog="python3 tools languages",
        description="Bring ui/text/languages/ up to date with the English texts, and compile it. Translations whose "
        "English has changed, or whose {fields} differ, are marked as fuzzy, and English is shown instead.",
    )
    parser.add_argument("new", nargs="?", metavar="LANGUAGE", help="also add this one: de, pt_BR ...")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a translation is incomplete")
    return parser


def dask() -> Parser:
    """Return the parser of ``dask``, which has no options. Those of its subcommands are parsed by Dask."""
    return Parser(
        prog="python3 tools dask",
        usage="python3 tools dask scheduler [options]\n       python3 tools dask worker ADDRESS [options]",
        description="Start the scheduler of a Dask cluster, or this machine's workers: one process per core unless "
        "--nworkers says otherwise. The options are Dask's own; `scheduler --help` and `worker --help` list them. The "
        "work comes from `python3 tools benchmark FOLDER --scheduler ADDRESS`, and FOLDER must have the same path on "
        "all machines.",
    )


def test() -> argparse.ArgumentParser:
    """Return the parser of ``test``."""
    parser = argparse.ArgumentParser(
        prog="python3 tools test",
        description="Run ruff, mypy and all tests, including those in a real Anki. Installs what they need.",
        epilog="Any other arguments go to pytest, e.g.: python3 tools test -k csv",
        allow_abbrev=False,
    )
    parser.add_argument("--only", choices=CHECKS, help="run this one check and no tests")
    parser.add_argument("--anki", choices=ANKIS, help="run all tests of the window, even the long ones, in this Anki")
    return parser
