from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.mofile import write_mo

from ui.text import Counted

ROOT = Path(__file__).resolve().parents[3]

PROGRAM = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from ui import text
from ui.text import _, Counted, pgettext

text.FOLDER = Path(sys.argv[2])
text.choose_language(sys.argv[3], {"Close": "borrowed", "one": "not this"}.get)
DAYS = Counted("{count} day", "{count:,} days")

print(text.language_code(), _("one"), pgettext("x", "one"), pgettext("y", "one"), _("none"), sep="|")
print(pgettext("Anki", "Close"), pgettext("Anki", "Open"), DAYS(1), DAYS(2), sep="|")
"""
ENGLISH = ["en|one|one|one|none", "Close|Open|1 day|2 days"]


@pytest.fixture
def folder(tmp_path):
    """Folder with catalogs of a few texts in Polish, which has three plural forms, and in Brazilian Portuguese."""
    for name, forms in (
        ("pl", ("{count} dzień", "{count} dni", "{count:,} dni")),
        ("pt_BR", ("{count} dia", "{count} dias")),
    ):
        catalog = Catalog(locale=name)
        catalog.add(("{count} day", "{count:,} days"), forms)
        catalog.add("one", f"{name} one")
        catalog.add("one", f"{name} one of x", context="x")
        with (tmp_path / f"{name}.mo").open("wb") as file:
            write_mo(file, catalog)
    return tmp_path


def texts_in(folder: Path, code: str) -> list[str]:
    """Return texts in this language from another process, because a process chooses its language once."""
    command = [sys.executable, "-X", "utf8", "-c", PROGRAM, str(ROOT), str(folder), code]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.splitlines()


def test_texts_are_in_the_chosen_language(folder):
    assert texts_in(folder, "pl") == ["pl|pl one|pl one of x|one|none", "borrowed|Open|1 dzień|2 dni"]


@pytest.mark.parametrize(("code", "catalog"), [("pt-BR", "pt-BR"), ("pl_PL", "pl")])
def test_language_is_found_in_any_spelling(folder, code, catalog):
    assert texts_in(folder, code)[0].split("|")[0] == catalog


@pytest.mark.parametrize("code", ["pt-PT", "", "../pl"])
def test_language_without_catalog_is_english(folder, code):
    assert texts_in(folder, code) == ENGLISH


def test_english_uses_the_singular_for_1_only():
    counted = Counted("{count} {what}", "{count:,} {what}s")
    texts = [counted(count, what="review") for count in (0, 1, 2, 1000)]
    assert texts == ["0 reviews", "1 review", "2 reviews", "1,000 reviews"]
