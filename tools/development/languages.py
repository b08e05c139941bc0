"""``python3 tools languages``: update the translations to the current English texts, and compile them.

This uses Babel as a library. Its commands would report an error, because they take the "% i" in "95% interval" for a
field.
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

#: Functions that mark texts, with the meaning of their arguments in Babel's form.
_KEYWORDS = {"_": None, "Counted": (1, 2), "pgettext": ((1, "c"), 2)}


def main(arguments: list[str]) -> int:
    """Update the .po and .mo file of each language.

    With --check, no file is written, and the exit code is 1 if a translation is incomplete.
    """
    options = parsers.languages().parse_args(arguments)
    paths = {*FOLDER.glob("*.po"), *([FOLDER / f"{options.new}.po"] if options.new else [])}
    return max(_update_files(path, options.check) for path in sorted(paths))


def _update_files(path: Path, check: bool) -> int:
    """Update the files of one language unless ``check`` is set. Return the exit code."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import write_po

    catalog = updated_catalog(path)
    po = io.BytesIO()
    mo = io.BytesIO()
    compiled = path.with_suffix(".mo")
    # This leaves out fuzzy translations.
    write_mo(mo, catalog)
    if not check:
        write_po(po, catalog, width=120, include_lineno=False, ignore_obsolete=True)
        path.write_bytes(po.getvalue())
        compiled.write_bytes(mo.getvalue())
    missing = [message for message in catalog if message.id and (message.fuzzy or not all(_forms(message.string)))]
    print(f"{path.name}: {len(catalog) - len(missing):,} of {len(catalog):,} texts", file=sys.stderr)
    return int(check and bool(missing or not compiled.exists() or compiled.read_bytes() != mo.getvalue()))


@cache
def template() -> Catalog:
    """Return a catalog of all English texts to translate, from ``ui/`` and the descriptions of algorithms."""
    from babel.messages import Catalog
    from babel.messages.extract import extract_from_dir

    from evaluator.algorithms import CATALOG

    catalog = Catalog(fuzzy=False)
    texts = extract_from_dir(
        ROOT / "ui", [("**.py", "python")], keywords=_KEYWORDS, comment_tags=["Translators:"], strip_comment_tags=True
    )
    for file, _line, message, comments, context in texts:
        # Texts in this context are Anki's own, so Anki translates them.
        if context != ANKI:
            path = f"ui/{Path(file).as_posix()}"
            catalog.add(message, locations=[(path, 0)], auto_comments=comments, context=context)
    for algorithm in CATALOG.values():
        catalog.add(algorithm.description, locations=[("evaluator/algorithms", 0)])
        catalog.add(algorithm.family, locations=[("evaluator/algorithms", 0)], context="family")
    return catalog


def updated_catalog(path: Path) -> Catalog:
    """Return the catalog of a .po file with exactly the current English texts, and their existing translations.

    A translation is marked as fuzzy if its text has changed, or if its fields do not fit the text.
    """
    from babel.messages import Catalog
    from babel.messages.pofile import read_po

    catalog = Catalog(locale=path.stem, project="SRS Evaluator", fuzzy=False)
    if path.exists():
        with path.open("rb") as file:
            catalog = read_po(file, locale=path.stem, abort_invalid=True)
    # The update would change the messages of the cached template.
    catalog.update(copy.deepcopy(template()), update_creation_date=False)
    for message in catalog:
        # Babel takes the "% i" in "95% interval" for a field, which it is not.
        message.flags.discard("python-format")
        if message.id and not has_same_fields(message):
            message.flags.add("fuzzy")
    return catalog


def has_same_fields(message: Message) -> bool:
    """Return whether the translation has the same fields in braces as the English. A count may be left out."""
    try:
        english_fields = {field for form in _forms(message.id) for field in _fields(form)}
        required = {field for field in english_fields if not field.startswith("count")}
        return all(required <= {*_fields(form)} <= english_fields for form in _forms(message.string) if form)
    # A translation without one of its braces cannot be parsed.
    except ValueError:
        return False


def _fields(text: str) -> Iterator[str]:
    """Yield the fields in braces, each with its format."""
    for _literal, name, spec, conversion in Formatter().parse(text):
        if name is not None:
            yield f"{name}!{conversion}:{spec}"


def _forms(text: object) -> tuple[str, ...]:
    """Return the forms of a text or translation, which are the singular and the plurals if it has a count."""
    return tuple(form or "" for form in text) if isinstance(text, (tuple, list)) else (str(text or ""),)
