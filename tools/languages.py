"""``python3 tools languages``: bring the translations up to date with the English texts, and compile them."""

from __future__ import annotations

import sys

from tools.anki_languages import disk_code
from tools.arguments import Parser
from tools.environment import ROOT
from ui.text import FOLDER

#: So many are named of those that are left.
_MOST_NAMES = 10


def main(arguments: list[str]) -> int:
    """Write both files of each language; 1 where something is missing or cannot be used."""
    parser = Parser(
        prog="python3 tools languages",
        description=f"Bring {FOLDER.relative_to(ROOT)}/ up to date with the English texts, and compile it. A text that "
        "has changed keeps its translation, marked as fuzzy, until somebody has looked at it.",
    )
    parser.add_argument("new", nargs="*", metavar="LANGUAGE", type=disk_code, help="begin this one too: de, pt_BR ...")
    asked = parser.parse_args(arguments)

    from tools.catalogues import Unreadable, languages

    try:
        return max([_bring_up_to_date(language) for language in sorted({*asked.new, *languages()})])
    except Unreadable as problem:
        print(problem, file=sys.stderr)
        return 2


def _bring_up_to_date(language: str) -> int:
    from tools.catalogues import as_po, compiled, misfits, po_file, untranslated, updated

    catalogue = updated(language)
    path = po_file(language)
    path.write_bytes(as_po(catalogue))
    path.with_suffix(".mo").write_bytes(compiled(catalogue))
    left, unfit = untranslated(catalogue), misfits(catalogue)
    print(f"{path.relative_to(ROOT)}: {len(catalogue) - len(left):,} of {len(catalogue):,} texts", file=sys.stderr)
    _name("Missing, or of an English text that has changed (fuzzy)", left)
    _name("Cannot be used, so English is shown", [f"{context}: {why}" for context, why in unfit])
    return 1 if left or unfit else 0


def _name(what: str, items: list[str]) -> None:
    if items:
        more = [f"... and {len(items) - _MOST_NAMES:,} more"] if len(items) > _MOST_NAMES else []
        print(f"  {what}:", *items[:_MOST_NAMES], *more, sep="\n    ", file=sys.stderr)
