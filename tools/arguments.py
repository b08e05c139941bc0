"""What the command lines have in common: one-line errors, and arguments as people type them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

INPUT_AT_FAULT = 2


class Parser(argparse.ArgumentParser):
    """One that says what is wrong in one line; --help says the rest."""

    def error(self, message: str) -> NoReturn:
        self.exit(INPUT_AT_FAULT, f"{message[0].upper()}{message[1:]}. {self.prog} --help says more.\n")


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
