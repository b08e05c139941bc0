"""The translations: whole, fitting, compiled; and the command that keeps them so."""

from __future__ import annotations

import gettext
import io
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages import Catalog

from tools import catalogues, languages
from tools.anki_languages import disk_code
from tools.catalogues import Unreadable, as_po, compiled, misfits, po_file, read, untranslated, updated
from tools.texts import MODULES, english, texts_of
from ui.anki.language import ANKI_WORDS, borrow_from
from ui.text import FOLDER, Counted

LANGUAGES = catalogues.languages()
#: Of which nothing may be missing; a language that somebody has begun may be finished later.
FINISHED = ("ja", "zh_CN")


def fields(text: str) -> set[tuple[str | None, str | None, str | None]]:
    """What is filled in, with its format."""
    return {(name, conversion, spec) for _, name, spec, conversion in Formatter().parse(text) if name is not None}


def forms(text: Any) -> tuple[str, ...]:
    """Of a message of a catalogue, or its translation."""
    return (text,) if isinstance(text, str) else tuple(text)


def said(catalogue: Catalog) -> dict[str, tuple[Any, Any]]:
    """Text and translation by context; an empty translation is none."""
    return {
        f"{message.context}={message.id}": (message.id, message.string or ()) for message in catalogue if message.id
    }


def test_japanese_and_chinese_are_there() -> None:
    """Beside English, which stands in the code."""
    assert set(FINISHED) <= set(LANGUAGES)


@pytest.mark.parametrize("language", FINISHED)
def test_every_text_is_translated_and_no_other(language: str) -> None:
    """None is missing, none is of an English text that has changed, and none is of a text that is no longer there."""
    assert untranslated(updated(language)) == []
    assert said(read(language)).keys() == said(updated(language)).keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_filled_in_is_kept(language: str) -> None:
    """Each field with its format, in every form; only the number itself may be left to words ("one review")."""
    for key, (text, translation) in said(read(language)).items():
        wanted = set().union(*map(fields, forms(text)))
        for form in filter(None, forms(translation)):
            assert fields(form) <= wanted, key
            assert {field for field in wanted - fields(form) if field[0] != "count"} == set(), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_marks_are_kept(language: str) -> None:
    """Bold letters, and the key that presses a button."""
    for key, (text, translation) in said(read(language)).items():
        english_text = forms(text)[0]
        for form in filter(None, forms(translation)):
            for mark in ("<b>", "</b>", "**", "★", "…"):
                assert form.count(mark) == english_text.count(mark), (key, mark)
            if key.startswith("libraries."):
                assert form.count("&") == english_text.count("&"), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_of_the_texts(language: str) -> None:
    """The one that ships says what the one for people says."""
    with (FOLDER / f"{language}.mo").open("rb") as file:
        shipped = gettext.GNUTranslations(file)
    made = gettext.GNUTranslations(io.BytesIO(compiled(read(language))))
    for context, text in english():
        if isinstance(text, Counted):
            for count in (0, 1, 2, 5, 21):
                asked = (context, text.one, text.other, count)
                assert shipped.npgettext(*asked) == made.npgettext(*asked)
        else:
            assert shipped.pgettext(context, text) == made.pgettext(context, text)


def test_remarks_go_to_the_translators() -> None:
    """What stands above a constant goes with each of its texts."""
    found = updated("de").get("{name}", "window.SCOPE_BUTTON.deck")
    assert found is not None
    assert found.auto_comments == ["By the kind of :class:`evaluator.scope.ScopeChoice`."]


def test_contexts_are_unique() -> None:
    """But for the families of algorithms, which have one."""
    contexts = [context for context, _ in english() if context != "family"]
    assert len(set(contexts)) == len(contexts)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A translation of three texts into German."""
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    monkeypatch.setattr(languages, "ROOT", tmp_path.parent)
    monkeypatch.setattr(languages, "FOLDER", tmp_path)
    texts = [("a", "One"), ("b", "Two"), ("c", Counted("{count} day", "{count} days"))]
    monkeypatch.setattr(catalogues, "english", lambda: iter(texts))
    catalogue = updated("de")
    for message, string in zip(list(catalogue)[1:], ("Eins", "Zwei", ("{count} Tag", "{count} Tage")), strict=True):
        message.string = string
    po_file("de").write_bytes(as_po(catalogue))
    return tmp_path


def test_a_changed_text_keeps_its_translation_as_fuzzy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until somebody has looked at it; it is not compiled, a new one is empty, and an old one is gone."""
    texts = [("a", "One more"), ("c", Counted("{count} day", "{count} days")), ("d", "Four")]
    monkeypatch.setattr(catalogues, "english", lambda: iter(texts))
    after = updated("de")
    assert untranslated(after) == ["a", "d"]
    strings = [message.string or "" for message in after if message.id]
    assert strings == ["Eins", ("{count} Tag", "{count} Tage"), ""]
    po_file("de").write_bytes(as_po(after))
    again = updated("de")
    assert as_po(again) == as_po(after)
    german = gettext.GNUTranslations(io.BytesIO(compiled(again)))
    assert german.pgettext("a", "One more") == "One more"
    assert german.npgettext("c", "{count} day", "{count} days", 2) == "{count} Tage"


def change(folder: Path, old: str, new: str) -> None:
    """As a person does in the file."""
    path = folder / "de.po"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_text_that_is_again_what_it_was_is_translated_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Meanwhile the catalogue holds the English text that the translation is of."""
    before = po_file("de").read_bytes()
    original = list(catalogues.english())
    monkeypatch.setattr(catalogues, "english", lambda: iter([("a", "One more"), *original[1:]]))
    po_file("de").write_bytes(as_po(updated("de")))
    assert b'#| msgid "One"' in po_file("de").read_bytes()
    monkeypatch.setattr(catalogues, "english", lambda: iter([("a", "One more!"), *original[1:]]))
    po_file("de").write_bytes(as_po(updated("de")))
    monkeypatch.setattr(catalogues, "english", lambda: iter(original))
    po_file("de").write_bytes(as_po(updated("de")))
    assert po_file("de").read_bytes() == before


def test_who_removes_the_word_fuzzy_has_looked_at_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else is left of it: the translation is of today's text then, and no longer of the one before."""
    original = list(catalogues.english())
    monkeypatch.setattr(catalogues, "english", lambda: iter([("a", "One more"), *original[1:]]))
    po_file("de").write_bytes(as_po(updated("de")))
    change(folder, "#, fuzzy\n", "")
    assert b'#| msgid "One"' in po_file("de").read_bytes()
    assert untranslated(updated("de")) == []
    monkeypatch.setattr(catalogues, "english", lambda: iter(original))
    assert untranslated(updated("de")) == ["a"]


def test_a_constant_of_another_name_keeps_its_translation(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As its English text tells which it was."""
    texts = [("new", "One"), ("b", "Two"), ("other", Counted("{count} day", "{count} days"))]
    monkeypatch.setattr(catalogues, "english", lambda: iter(texts))
    assert untranslated(updated("de")) == []
    assert next(message.string for message in updated("de") if message.id) == "Eins"


def test_what_translators_write_beside_it_is_kept(folder: Path) -> None:
    """Their names and their comments."""
    change(folder, "FULL NAME <EMAIL@ADDRESS>", "Ada <ada@example.org>")
    change(folder, 'msgctxt "b"', '# Or "Zwo"?\nmsgctxt "b"')
    kept = as_po(updated("de")).decode()
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
        ("{count Tage", "its braces cannot be read"),
    ],
)
def test_what_cannot_be_filled_in_is_not_compiled(
    folder: Path, capsys: pytest.CaptureFixture[str], translation: str, why: str
) -> None:
    """The command names it; the window says it in English."""
    change(folder, '"{count} Tage"', f'"{translation}"')
    assert languages.main([]) == 1
    assert f"c: {why}" in capsys.readouterr().err
    with (folder / "de.mo").open("rb") as file:
        german = gettext.GNUTranslations(file)
    assert german.npgettext("c", "{count} day", "{count} days", 2) == "{count} days"
    assert german.pgettext("b", "Two") == "Zwei"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_translation_can_be_used(language: str) -> None:
    """As the command finds it."""
    assert misfits(read(language)) == []


def test_the_command_writes_both_files_and_says_what_is_left(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of each language that there is, and of a new one."""
    assert languages.main([]) == 0
    assert "de.po: 3 of 3 texts" in capsys.readouterr().err
    assert languages.main(["pl"]) == 1
    assert "pl.po: 0 of 3 texts\n  Missing, or of an English text that has changed (fuzzy):\n    a\n    b\n    c" in (
        capsys.readouterr().err
    )
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
    assert borrow("window.CLOSE") == "閉じる"
    assert borrow("window.CANCEL") is None
    assert borrow("window.TITLE") is None


def test_what_is_borrowed_is_a_text_of_ours() -> None:
    """And is in no catalogue."""
    ours = {context for module in MODULES for context, _ in texts_of(module)}
    assert set(ANKI_WORDS) <= ours
    assert not set(ANKI_WORDS) & {context for context, _ in english()}
