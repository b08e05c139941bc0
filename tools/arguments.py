"""What the command lines have in common: one-line errors, and arguments as people type them."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

from evaluator.scope import WHOLE_COLLECTION, ScopeChoice

INPUT_AT_FAULT = 2


class Parser(argparse.ArgumentParser):
    """One that says what is wrong in one line; --help says the rest."""

    def __init__(self, **words: Any) -> None:
        super().__init__(allow_abbrev=False, **words)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:  # as argparse has it, with a suggestion
        """Argparse: the answers; what is misspelt is said with what comes close."""
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            known = [text for action in self._actions for text in action.option_strings]
            close = difflib.get_close_matches(unknown[0].partition("=")[0], known, n=1)
            suggestion = f" Did you mean {close[0]}?" if close else ""
            self.exit(INPUT_AT_FAULT, f"There is no {unknown[0]} here.{suggestion} {self.prog} --help says more.\n")
        return options

    def error(self, message: str) -> NoReturn:
        self.exit(INPUT_AT_FAULT, f"{message[0].upper()}{message[1:]}. {self.prog} --help says more.\n")


def add_source_options(parser: argparse.ArgumentParser) -> None:
    """What sources that are no collection do not say themselves."""
    parser.add_argument(
        "--cards", metavar="FILE", type=typed_path, help="with a CSV: id,did of the cards that still exist"
    )
    parser.add_argument(
        "--next-day-at",
        metavar="SECONDS",
        type=typed_number,
        help="with a CSV or .apkg: when some day begins, in seconds since 1970",
    )


def add_scope_options(parser: argparse.ArgumentParser) -> None:
    """Which cards' reviews; :func:`chosen_scope` reads the answer."""
    one = parser.add_mutually_exclusive_group()
    one.add_argument(
        "--deck", metavar="NAME", help="only that deck with its subdecks, e.g. Languages::Spanish; of a CSV its id"
    )
    one.add_argument("--preset", metavar="NAME", help="only the cards of that preset of deck options")
    one.add_argument("--search", metavar="TEXT", help="only the cards that Anki's browser finds, e.g. tag:verb")


def chosen_scope(options: argparse.Namespace) -> ScopeChoice:
    """What :func:`add_scope_options` was answered."""
    for kind in ("deck", "preset", "search"):
        name = getattr(options, kind)
        if name is not None:
            return ScopeChoice(kind, name)
    return WHOLE_COLLECTION


def typed_path(text: str) -> Path:
    """A path as typed; ``~`` is the home folder even where quotes kept the shell from saying so."""
    return Path(text).expanduser()


def typed_names(text: str) -> list[str]:
    """Names separated by commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def quoted(names: Iterable[str]) -> str:
    """The names as alternatives, for a help text."""
    return " or ".join(repr(name) for name in names)


def typed_number(text: str) -> int:
    """A whole number, or a sentence that says it is none."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None
