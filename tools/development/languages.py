"""``python3 tools languages``: bring the translations up to date with the English texts, and compile them.

Uses Babel, but not its commands, which take the "% i" in "95% interval" for a field and report an error.
"""

from __future__ import annotations

import copy
import io
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

from tools import parsers
from tools.environment import ROOT
from ui.text import ANKI, FOLDER

if TYPE_CHECKING:
    from babel.messages import Catalog, Message

#: The functions that mark texts, in Babel's form: the meaning of each argument.
_KEYWORDS = {"_": None, "ngettext": (1, 2), "Counted": (1, 2), "pgettext": ((1, "c"), 2)}


def main(arguments: list[str]) -> int:
    """Update the .po and .mo file of each language. With --check, only return 1 if a translation is incomplete."""
    requested = parsers.languages().parse_args(arguments)
    paths = {*FOLDER.glob("*.po"), *([FOLDER / f"{requested.new}.po"] if requested.new else [])}
    return max(_bring_up_to_date(path, requested.check) for path in sorted(paths))


def _bring_up_to_date(path: Path, check: bool) -> int:
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import write_po

    catalog, po, mo, compiled = updated(path), io.BytesIO(), io.BytesIO(), path.with_suffix(".mo")
    write_mo(mo, catalog)  # without translations that are fuzzy
    if not check:
        write_po(po, catalog, width=120, include_lineno=False, ignore_obsolete=True)
        path.write_bytes(po.getvalue())
        compiled.write_bytes(mo.getvalue())
    left = [message for message in catalog if message.id and (message.fuzzy or not all(_forms(message.string)))]
    print(f"{path.name}: {len(catalog) - len(left):,} of {len(catalog):,} texts", file=sys.stderr)
    return int(check and bool(left or not compiled.exists() or compiled.read_bytes() != mo.getvalue()))


@cache
def template() -> Catalog:
    """Return all English texts to translate: those marked in ``ui/``, and the descriptions of algorithms."""
    from babel.messages import Catalog
    from babel.messages.extract import extract_from_dir

    from evaluator.algorithms import CATALOG

    catalog = Catalog(fuzzy=False)
    result = extract_from_dir(
        ROOT / "ui", [("**.py", "python")], keywords=_KEYWORDS, comment_tags=["Translators:"], strip_comment_tags=True
    )
    for file, _line, message, comments, context in result:
        if context != ANKI:  # Anki has these words itself
            path = f"ui/{Path(file).as_posix()}"
            catalog.add(message, locations=[(path, 0)], auto_comments=comments, context=context)
    for algorithm in CATALOG.values():
        catalog.add(algorithm.description, locations=[("evaluator/algorithms", 0)])
        catalog.add(algorithm.family, locations=[("evaluator/algorithms", 0)], context="family")
    return catalog


def updated(path: Path) -> Catalog:
    """Return the catalog of a .po file with exactly the current English texts, and their translations so far.

    A translation of a text that has changed, or that cannot be filled in, is fuzzy.
    """
    from babel.messages import Catalog
    from babel.messages.pofile import read_po

    catalog = Catalog(locale=path.stem, project="SRS Evaluator", fuzzy=False)
    if path.exists():
        with path.open("rb") as file:
            catalog = read_po(file, locale=path.stem, abort_invalid=True)
    catalog.update(copy.deepcopy(template()), update_creation_date=False)  # it takes its messages as they are
    for message in catalog:
        message.flags.discard("python-format")  # the "% i" in "95% interval" is not a field
        if message.id and not fits(message):
            message.flags.add("fuzzy")
    return catalog


def fits(message: Message) -> bool:
    """Return True if the translation has the same {fields} as the English. A plural form may omit the count."""
    try:
        requested = {field for form in _forms(message.id) for field in _fields(form)}
        optional = {field for field in requested if field.startswith("count")}
        return all(requested - optional <= {*_fields(form)} <= requested for form in _forms(message.string) if form)
    except ValueError:  # a brace is missing
        return False


def _fields(text: str) -> Iterator[str]:
    """Yield the fields in braces, each with its format."""
    for _literal, name, spec, conversion in Formatter().parse(text):
        if name is not None:
            yield f"{name}!{conversion}:{spec}"


def _forms(text: object) -> tuple[str, ...]:
    """Return a text or translation as a tuple, with an item for each number form."""
    return tuple(form or "" for form in text) if isinstance(text, (tuple, list)) else (str(text or ""),)
