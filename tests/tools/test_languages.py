"""The translations can be used; and the command that keeps them so."""

from __future__ import annotations

import gettext
from collections.abc import Callable
from pathlib import Path

import pytest
from babel.messages import Catalog

from tools import languages
from tools.languages import Unreadable, as_po, disk_code, misfits, po_file, read, template, updated
from ui.anki.language import borrow_from
from ui.text import FOLDER

LANGUAGES = languages.languages()
#: An English text, or one and other.
Text = str | tuple[str, str]


def test_japanese_and_chinese_are_there() -> None:
    """Beside English, which stands in the code."""
    assert {"ja", "zh_CN"} <= set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_translation_can_be_used(language: str) -> None:
    """What is filled in is kept, marks are kept, and the file that ships can be read.

    Whether something is missing, or is of an English text that has changed, is not asked here: English is shown then.
    """
    assert misfits(read(language)) == []
    with (FOLDER / f"{language}.mo").open("rb") as file:
        shipped = gettext.GNUTranslations(file)
    assert len(shipped._catalog) > 900  # type: ignore[attr-defined]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_ships_can_be_filled_in(language: str) -> None:
    """Whatever the English text is by now."""
    with (FOLDER / f"{language}.mo").open("rb") as file:
        shipped = gettext.GNUTranslations(file)
    catalogue = Catalog(locale=language)
    for message in filter(lambda one: one.id, template()):
        if isinstance(message.id, str):
            said = shipped.pgettext(message.context, message.id) if message.context else shipped.gettext(message.id)
            catalogue.add(message.id, said, context=message.context)
        else:
            forms = tuple(shipped.ngettext(*message.id, count) for count in (0, 1, 2, 5, 21))
            catalogue.add(message.id, forms)
    assert misfits(catalogue) == []


def test_the_template_holds_what_the_code_and_the_algorithms_say() -> None:
    """With what translators should know; Anki's own words are not there."""
    catalogue = template()
    (until,) = (one for one in catalogue if one.auto_comments == ["A column of dates."])
    file = until.locations[0][0]
    assert file.startswith("ui/")
    assert f'_("{until.id}")' in (languages.ROOT / file).read_text(encoding="utf-8")
    assert catalogue.get("Baseline", "family") is not None
    assert catalogue.get("Close", "Anki") is None
    assert not any("python-format" in message.flags for message in updated("ja"))


def english(*texts: Text) -> Callable[[], Catalog]:
    """A template of these."""
    catalogue = Catalog(fuzzy=False)
    for text in texts:
        catalogue.add(text)
    return lambda: catalogue


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A translation of three texts into German."""
    monkeypatch.setattr(languages, "FOLDER", tmp_path)
    monkeypatch.setattr(languages, "template", english("One", "Two", ("{count} day", "{count} days")))
    catalogue = updated("de")
    for message, string in zip(list(catalogue)[1:], ("Eins", "Zwei", ("{count} Tag", "{count} Tage")), strict=True):
        message.string = string
    po_file("de").write_bytes(as_po(catalogue))
    assert languages.main([]) == 0
    return tmp_path


def german(folder: Path) -> gettext.GNUTranslations:
    """What ships."""
    with (folder / "de.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def change(folder: Path, old: str, new: str) -> None:
    """As a person does in the file."""
    path = folder / "de.po"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_changed_text_keeps_its_translation_as_fuzzy(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Until somebody has looked at it; it is not compiled, a new one is empty, and an old one is gone."""
    monkeypatch.setattr(languages, "template", english("One.", ("{count} day", "{count} days"), "Something else"))
    capsys.readouterr()
    assert languages.main([]) == 0
    said = capsys.readouterr().err
    assert "de.po: 1 of 3 texts\n  Missing, or of an English text that has changed (fuzzy):" in said
    strings = [message.string or "" for message in read("de") if message.id]
    assert strings == ["Eins", ("{count} Tag", "{count} Tage"), ""]
    assert "Zwei" not in po_file("de").read_text(encoding="utf-8")
    assert german(folder).gettext("One.") == "One."
    assert german(folder).ngettext("{count} day", "{count} days", 2) == "{count} Tage"
    before = po_file("de").read_bytes()
    assert languages.main([]) == 0
    assert po_file("de").read_bytes() == before, "a second time changes nothing"
    change(folder, "#, fuzzy\n", "")
    languages.main([])
    assert german(folder).gettext("One.") == "Eins"


def test_the_check_names_what_is_not_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Missing, of a text that is gone, not compiled; nothing is written."""
    capsys.readouterr()
    assert languages.main(["--check"]) == 0
    assert capsys.readouterr().err == "de.po: 3 of 3 texts\n"
    monkeypatch.setattr(languages, "template", english("One", ("{count} day", "{count} days"), "Something else"))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert languages.main(["--check"]) == 1
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    said = capsys.readouterr().err
    assert "(fuzzy):\n    Something else" in said
    assert "no longer there:\n    Two" in said
    assert "Not compiled:\n    de.mo" in said


def test_what_translators_write_beside_it_is_kept(folder: Path) -> None:
    """Their names and their comments."""
    change(folder, "FULL NAME <EMAIL@ADDRESS>", "Ada <ada@example.org>")
    change(folder, 'msgid "Two"', '# Or "Zwo"?\nmsgid "Two"')
    assert languages.main([]) == 0
    kept = po_file("de").read_text(encoding="utf-8")
    assert "Last-Translator: Ada <ada@example.org>" in kept
    assert '# Or "Zwo"?' in kept


@pytest.mark.parametrize(
    ("old", "new"),
    [('msgstr "Zwei"', 'msgstr "Zwei'), ('msgstr "Zwei"', "msgstr Zwei"), ('msgid "Two"', 'msgid "Two" "x" y')],
)
def test_what_cannot_be_read_is_left_as_it_is(
    folder: Path, capsys: pytest.CaptureFixture[str], old: str, new: str
) -> None:
    """With the line, in a sentence; nothing is lost."""
    change(folder, old, new)
    before = po_file("de").read_bytes()
    with pytest.raises(Unreadable, match=r"de\.po, line \d+"):
        read("de")
    assert languages.main([]) == 2
    assert "de.po, line" in capsys.readouterr().err
    assert po_file("de").read_bytes() == before


@pytest.mark.parametrize(
    ("translation", "why"),
    [
        ("{anzahl} Tage", "in braces there must be count:"),
        ("{count} Tage <b>", "<b> must stand there 0 times"),
        ("{count} &Tage", "the letter after & is a key"),
        ("{count Tage", "its braces cannot be read"),
    ],
)
def test_what_cannot_be_filled_in_is_not_compiled(
    folder: Path, capsys: pytest.CaptureFixture[str], translation: str, why: str
) -> None:
    """The command names it; the window says it in English."""
    change(folder, '"{count} Tage"', f'"{translation}"')
    assert languages.main(["--check"]) == 1
    assert f"'{{count}} day': {why}" in capsys.readouterr().err
    assert languages.main([]) == 0
    assert german(folder).ngettext("{count} day", "{count} days", 2) == "{count} days"
    assert german(folder).gettext("Two") == "Zwei"


def test_a_new_language_is_begun(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Beside the one that there is."""
    assert languages.main(["pl"]) == 0
    assert "pl.po: 0 of 3 texts" in capsys.readouterr().err
    assert sorted(path.name for path in folder.iterdir()) == ["de.mo", "de.po", "pl.mo", "pl.po"]


@pytest.mark.parametrize(
    ("asked", "file"), [("de_DE", "de"), ("zh_TW", "zh_TW"), ("zh-CN", "zh_CN"), ("tl", "tl"), ("nb_NO", "nb_NO")]
)
def test_a_catalogue_is_called_what_anki_calls_the_language(asked: str, file: str) -> None:
    """However it is asked for."""
    assert disk_code(asked) == file


def test_a_language_that_nobody_speaks_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a sentence, and nothing is written."""
    with pytest.raises(SystemExit):
        languages.main(["klingon"])
    assert "klingon" in capsys.readouterr().err
    assert not (folder / "klingon.po").exists()


def test_words_are_borrowed_from_anki() -> None:
    """Without the mark for a key; what this Anki has no word for is ours."""

    class Tr:
        def actions_close(self) -> str:
            return "&閉じる"

    borrow = borrow_from(Tr())
    assert borrow("Close") == "閉じる"
    assert borrow("Cancel") is None
    assert borrow("SRS Evaluator") is None
