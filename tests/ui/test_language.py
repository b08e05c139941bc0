"""How texts get their language."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Callable

import pytest
from babel.messages import Catalog
from babel.messages.mofile import write_mo

from ui import text
from ui.text import Counted, strings

ROOT = Path(__file__).resolve().parents[2]

#: What a module of texts may hold, and what may stand beside it.
MODULE = """
from typing import NamedTuple
from ui.text import Counted
from ui.text import translate

class Pair(NamedTuple):
    first: str
    second: str

CLOSE = "Close"
EMPTY = ""
DAYS = Counted("{count} day", "{count:,} days")
PAIR = Pair("one", "two")
BY_CODE = {"a": "one", ("b", 1): "two", "deep": {"c": ("one", "three")}}
_PRIVATE = "one"
small = "one"

translate(globals(), "here")
"""

PROGRAM = """
import sys
from pathlib import Path
from ui import text

text.FOLDER = Path(sys.argv[1])
text.choose(sys.argv[2], {"here.CLOSE": "borrowed"}.get)
import texts

print(text.code(), texts.CLOSE, repr(texts.EMPTY), texts.DAYS(1), texts.DAYS(1000), sep="|")
print(texts.PAIR, type(texts.PAIR).__name__, texts.BY_CODE, texts._PRIVATE, texts.small, sep="|")
print(text.pgettext("algorithm.X", "described"), text.pgettext("algorithm.Y", "described"), sep="|")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A module of texts, and translations into two languages: Polish, with three forms, and Brazilian Portuguese."""
    (tmp_path / "texts.py").write_text(MODULE)
    for name, forms in (
        ("pl", ("{count} dzień", "{count} dni", "{count:,} dni")),
        ("pt_BR", ("{count} dia", "{count} dias")),
    ):
        catalogue = Catalog(locale=name)
        catalogue.add(("{count} day", "{count:,} days"), forms, context="here.DAYS")
        catalogue.add("Close", "not this", context="here.CLOSE")
        catalogue.add("one", f"{name} 1", context="here.PAIR.first")
        catalogue.add("one", f"{name} one", context="here.BY_CODE.a")
        catalogue.add("two", f"{name} two", context="here.BY_CODE.b.1")
        catalogue.add("three", f"{name} three", context="here.BY_CODE.deep.c.1")
        catalogue.add("one", "wrong", context="here._PRIVATE")
        catalogue.add("described", f"{name} described", context="algorithm.X")
        with (tmp_path / f"{name}.mo").open("wb") as file:
            write_mo(file, catalogue)
    return tmp_path


def said(folder: Path, code: str) -> list[str]:
    """By a process of its own, as a language is chosen once."""
    command = [
        sys.executable,
        "-X",
        "utf8",
        "-c",
        f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(folder)!r}]\n{PROGRAM}",
    ]
    done = subprocess.run([*command, str(folder), code], capture_output=True, encoding="utf-8", check=True)
    return done.stdout.splitlines()


def test_texts_are_in_the_language_that_was_chosen(folder: Path) -> None:
    """Each by its context, deep down too; what is borrowed goes first, and what is not translated stays English."""
    assert said(folder, "pl") == [
        "pl|borrowed|''|1 dzień|1,000 dni",
        (
            "Pair(first='pl 1', second='two')|Pair|{'a': 'pl one', ('b', 1): 'pl two', "
            "'deep': {'c': ('one', 'pl three')}}|one|one"
        ),
        "pl described|described",
    ]


@pytest.mark.parametrize(
    ("code", "catalogue"), [("pt-BR", "pt-BR"), ("pt_BR", "pt-BR"), ("pl-PL", "pl"), ("pl_PL", "pl")]
)
def test_a_language_is_found_however_it_is_written(folder: Path, code: str, catalogue: str) -> None:
    """Anki writes "pt-BR"; where there is no catalogue of the region, that of the language is taken."""
    assert said(folder, code)[0].split("|")[0] == catalogue


@pytest.mark.parametrize("code", ["de", "pt", "pt-PT", "en", "en-GB", "", "../pl"])
def test_without_a_catalogue_all_is_english(folder: Path, code: str) -> None:
    """And nothing is borrowed: two languages in one window would be worse than the wrong one."""
    assert said(folder, code)[0] == "en|Close|''|1 day|1,000 days"


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: b"",
        lambda whole: b"no catalogue",
        lambda whole: whole[: len(whole) // 2],
        lambda whole: whole.replace("dzień".encode(), b"dzie\xff\xff"),
        lambda whole: whole.replace(b"charset=utf-8", b"charset=utf-0"),
        lambda whole: whole.replace(b"nplurals=", b"nplurals?").replace(b"plural=", b"plural=*"),
    ],
)
def test_a_damaged_catalogue_is_none(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    """Whatever it holds, the add-on begins, in English."""
    file = folder / "pl.mo"
    whole = file.read_bytes()
    assert damage(whole) != whole
    file.write_bytes(damage(whole))
    assert said(folder, "pl")[0] == "en|Close|''|1 day|1,000 days"


def test_a_folder_in_the_place_of_a_catalogue_is_none(folder: Path) -> None:
    """As when unpacking went wrong."""
    (folder / "pl.mo").unlink()
    (folder / "pl.mo").mkdir()
    assert said(folder, "pl")[0] == "en|Close|''|1 day|1,000 days"


def test_number_forms_in_english() -> None:
    """One, and any other, none among them."""
    text = Counted("{count} {what}", "{count:,} {what}s")
    assert [text(count, what="review") for count in (0, 1, 2, 1000)] == [
        "0 reviews",
        "1 review",
        "2 reviews",
        "1,000 reviews",
    ]


def test_messages_are_all_texts_in_capitals() -> None:
    """Those of dictionaries and tuples by the names within; no empty ones."""
    module = {"A": "one", "B": {"x": "two", ("y", True): ("three", "")}, "_C": "no", "d": "no", "N": Counted("1", "2")}
    assert list(text.messages(module, "m")) == [
        ("m.A", "one"),
        ("m.B.x", "two"),
        ("m.B.y.True.0", "three"),
        ("m.N", Counted("1", "2")),
    ]


def test_texts_are_english_unless_told_otherwise() -> None:
    """As here, and in the terminal."""
    assert text.code() == "en"
    assert strings.REVIEWS(1) == "1 review"
