"""Parser of the command lines, options that several commands share, and parsers of option values.

:mod:`argparse` itself prints its usage before each error, and suggests nothing for a misspelled option.
"""

from __future__ import annotations

import argparse
import datetime as dt
import difflib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from evaluator.errors import BadOption
from evaluator.scope import TABLES, WHOLE_COLLECTION, WHOLE_DAY_TABLE, ScopeChoice
from tools.output.streams import say
from ui.text.sanitize import elide_middle, sanitize_text
from ui.text.strings import ALGORITHM_GROUPS
from ui.views.labels import LABELS, OWN_DEFAULT

if TYPE_CHECKING:
    from evaluator.options import Options

#: Exit code if the input, an option or the machine is at fault.
FAILED = 2
#: Value of --table for one table after the other.
BOTH_TABLES = "both"


class BadResults(Exception):
    """Error about unusable results of a benchmark. The message says why, and what to do."""


class Parser(argparse.ArgumentParser):
    """Parser that reports an error in one line."""

    def __init__(self, **texts: Any) -> None:
        super().__init__(allow_abbrev=False, **texts)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments. For a misspelled option, suggest the closest one."""
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            unknown_option = next((text for text in unknown if text.startswith("-")), None)
            if unknown_option is None:
                self._refuse(f"Unexpected argument: {elide_middle(unknown[0])}.")
            names = [text for action in self._actions for text in action.option_strings]
            close = difflib.get_close_matches(unknown_option.partition("=")[0], names, n=1)
            suggestion = f" Did you mean {close[0]}?" if close else ""
            self._refuse(f"Unknown option: {elide_middle(unknown_option)}.{suggestion}")
        return options

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """Parse a value. A blank one, such as that of an unset shell variable, is an error."""
        if not arg_string.strip():
            self._refuse(f"{'/'.join(action.option_strings) or action.metavar} cannot be '{arg_string}'.")
        return super()._get_value(action, arg_string)

    def error(self, message: str) -> NoReturn:
        self._refuse(f"{elide_middle(message[0].upper() + message[1:], 300, 100)}.")

    def _refuse(self, sentence: str) -> NoReturn:
        say(f"{sanitize_text(sentence)} See {self.prog} --help.")
        self.exit(FAILED)


def add_number(parser: argparse._ActionsContainer, option: str, default: int, text: str = "") -> None:
    """Add an option with an integer, whose help text ends in the default."""
    help_text = f"{text} (default: %(default)s)".strip()
    parser.add_argument(option, metavar="N", type=parse_number, default=default, help=help_text)


def add_source_options(parser: argparse._ActionsContainer) -> None:
    """Add the options on facts that a CSV or .apkg lacks, which are the existing cards and the start of the day."""
    add = parser.add_argument
    help_text = "for a CSV: the cards that still exist, as a CSV with columns id,did"
    add("--cards", metavar="FILE", type=parse_path, help=help_text)
    help_text = "for a CSV or .apkg: the start of any of your days, in seconds since 1970"
    add("--next-day-at", metavar="SECONDS", type=parse_number, help=help_text)


def add_scope_options(parser: argparse._ActionsContainer) -> None:
    """Add the options that :func:`chosen_scope` reads, which choose the cards to evaluate."""
    add = parser.add_mutually_exclusive_group().add_argument
    add("--deck", metavar="NAME", help="only that deck with its subdecks, e.g. Languages::Spanish; for a CSV, its id")
    add("--preset", metavar="NAME", help="only the cards with that options preset")
    add(
        "--search",
        metavar="TEXT",
        help="only the cards that Anki's browser finds, e.g. tag:verb; write --search=-tag:x if it begins with -",
    )


def chosen_scope(options: argparse.Namespace) -> ScopeChoice:
    """Return the scope that the options choose."""
    for kind in ("deck", "preset", "search"):
        name = getattr(options, kind)
        if name is not None:
            return ScopeChoice(kind, name)
    return WHOLE_COLLECTION


def add_algorithms(parser: argparse._ActionsContainer) -> None:
    """Add the option with the algorithms."""
    parser.add_argument(
        "--algorithms",
        metavar="NAMES",
        type=lambda text: [*map(parse_algorithm, parse_names(text))],
        default=["default"],
        help=f"separated by commas, or {' or '.join(map(repr, ALGORITHM_GROUPS))}; `python3 tools algorithms` lists "
        "them",
    )


def add_protocol_options(parser: argparse._ActionsContainer) -> None:
    """Add the options on the folds and the outlier filter."""
    add_number(parser, "--folds", 5, "number of folds")
    help_text = "keep cards whose first interval is unusual"
    parser.add_argument("--no-outlier-filter", dest="outlier_filter", action="store_false", help=help_text)


def add_review_options(parser: argparse._ActionsContainer) -> None:
    """Add the options on the tested reviews, and on the table, which :func:`chosen_tables` reads."""
    add = parser.add_argument
    add("--since", metavar="DATE", type=_parse_date, help="test only reviews on or after this date, e.g. 2024-05-01")
    add(
        "--table",
        choices=(*TABLES, BOTH_TABLES),
        default=WHOLE_DAY_TABLE,
        help="which reviews are tested. whole-day: those on a later day than the card's previous one; same-day: all "
        "but each card's first, with exact times; both: one table after the other (default: %(default)s)",
    )
    add("--no-same-day", dest="same_day", action="store_false", help="hide same-day repeats from every algorithm")


def chosen_tables(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the chosen table, or both."""
    return TABLES if options.table == BOTH_TABLES else (options.table,)


def chosen_options(options: argparse.Namespace) -> Options:
    """Return the evaluator's options, from the options of the command."""
    # Imported here because it needs NumPy, which --help must not.
    from evaluator.options import Options

    return Options(
        algorithms=tuple(options.algorithms),
        folds=options.folds,
        since=options.since,
        same_day=options.same_day,
        outlier_filter=options.outlier_filter,
    )


def parse_path(text: str) -> Path:
    """Parse a path. A leading ``~`` is the home folder, even if quotes hid it from the shell.

    As in a shell, ``~someone`` is unchanged if there is no user of that name.

    Raises:
        argparse.ArgumentTypeError: if the path is empty, which would be the working directory.
    """
    if not text:
        raise argparse.ArgumentTypeError("a path is needed")
    return Path(os.path.expanduser(text))  # noqa: PTH111 - Path.expanduser raises an error without such a user


def parse_names(text: str) -> list[str]:
    """Parse names that are separated by commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def parse_algorithm(text: str) -> str:
    """Return the name of the algorithm with that label, or the text itself if there is none."""
    labels = [*LABELS.items(), ("Your parameters", OWN_DEFAULT)]
    return next((name for name, label in labels if label.casefold() == text.casefold()), text)


def parse_number(text: str) -> int:
    """Parse an integer. Raises argparse.ArgumentTypeError."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{elide_middle(text)!r} is not an integer") from None


@dataclass(frozen=True)
class ResultSource:
    """A file or folder of results of `benchmark`."""

    path: Path
    #: Text that is appended to the names of the algorithms, in parentheses.
    label: str = ""

    @classmethod
    def parse(cls, text: str) -> ResultSource:
        """Parse ``PATH`` or ``LABEL=PATH``. If the whole text is an existing path, it has no label."""
        label, equals, path = text.partition("=")
        if equals and label and not parse_path(text).exists():
            return cls(parse_path(path), label.strip())
        return cls(parse_path(text))


def check_minimum(options: argparse.Namespace, **minimums: int) -> None:
    """Raise BadOption if an option's number is below its minimum."""
    for name, minimum in minimums.items():
        value = getattr(options, name)
        if value is not None and value < minimum:
            raise BadOption(option=f"--{name}", value=value, allowed=f"an integer of at least {minimum}")


def _parse_date(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date like 2024-05-01") from None
