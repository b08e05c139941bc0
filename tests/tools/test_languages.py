"""The translations: whole, fitting, compiled; and the command that keeps them so."""

from __future__ import annotations

import gettext
import io
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages import Catalog
from babel.messages.pofile import read_po

from evaluator.counted import Counted
from evaluator.language import FOLDER
from tools import languages
from tools.languages import as_po, compiled, english, po_file, untranslated, updated
from ui.anki_words import ANKI_WORDS, borrow_from

LANGUAGES = languages.languages()


def fields(text: str) -> set[tuple[str | None, str | None, str | None]]:
    """What is filled in, with its format."""
    return {(name, conversion, spec) for _, name, spec, conversion in Formatter().parse(text) if name is not None}


def forms(text: Any) -> tuple[str, ...]:
    """Of a message of a catalogue, or its translation."""
    return (text,) if isinstance(text, str) else tuple(text)


def read(language: str) -> Catalog:
    """As it stands in the project."""
    with po_file(language).open("rb") as file:
        return read_po(file, locale=language)


def said(catalogue: Catalog) -> dict[str, tuple[Any, Any]]:
    """Text and translation by context."""
    return {f"{message.context}={message.id}": (message.id, message.string) for message in catalogue if message.id}


def test_japanese_and_chinese_are_there() -> None:
    """Beside English, which stands in the code."""
    assert {"ja", "zh_CN"} <= set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_and_no_other(language: str) -> None:
    """None is missing, none is of an English text that has changed, and none is of a text that is no longer there."""
    assert untranslated(updated(language)) == []
    assert said(read(language)).keys() == said(updated(language)).keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_filled_in_is_kept(language: str) -> None:
    """Each field with its format, in every form; only the number itself may be left to words ("one review")."""
    for key, (text, translation) in said(read(language)).items():
        wanted = set().union(*map(fields, forms(text)))
        for form in forms(translation):
            assert fields(form) <= wanted, key
            assert {field for field in wanted - fields(form) if field[0] != "count"} == set(), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_marks_are_kept(language: str) -> None:
    """Bold letters, and the key that presses a button."""
    for key, (text, translation) in said(read(language)).items():
        english_text = forms(text)[0]
        for form in forms(translation):
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
    monkeypatch.setattr(languages, "FOLDER", tmp_path)
    monkeypatch.setattr(languages, "ROOT", tmp_path)
    texts = [("a", "One"), ("b", "Two"), ("c", Counted("{count} day", "{count} days"))]
    monkeypatch.setattr(languages, "english", lambda: iter(texts))
    catalogue = updated("de")
    for message, string in zip(list(catalogue)[1:], ("Eins", "Zwei", ("{count} Tag", "{count} Tage")), strict=True):
        message.string = string
    po_file("de").write_bytes(as_po(catalogue))
    return tmp_path


def test_a_changed_text_keeps_its_translation_as_fuzzy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until somebody has looked at it; it is not compiled, a new one is empty, and an old one is gone."""
    texts = [("a", "One more"), ("c", Counted("{count} day", "{count} days")), ("d", "Four")]
    monkeypatch.setattr(languages, "english", lambda: iter(texts))
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


def test_the_command_writes_both_files_and_says_what_is_left(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of each language that there is, and of a new one."""
    assert languages.main([]) == 0
    assert "de.po: 3 of 3 texts" in capsys.readouterr().err
    assert languages.main(["pl"]) == 1
    assert "pl.po: 0 of 3 texts\n  a\n  b\n  c" in capsys.readouterr().err
    assert sorted(path.name for path in folder.iterdir()) == ["de.mo", "de.po", "pl.mo", "pl.po"]


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
    ours = {context for module in languages.MODULES for context, _ in languages.texts_of(module)}
    assert set(ANKI_WORDS) <= ours
    assert not set(ANKI_WORDS) & {context for context, _ in english()}
