from __future__ import annotations

import gettext
from pathlib import Path

import pytest
from babel.messages import Catalog

from tools.development import languages
from tools.development.languages import has_same_fields, template, updated_catalog
from ui.anki.language import borrow_from
from ui.text import FOLDER

#: Languages besides English, which is in the code.
LANGUAGES = ("ja", "zh_CN")


@pytest.mark.parametrize("language", LANGUAGES)
def test_shipped_translations_have_the_right_fields(language):
    with (FOLDER / f"{language}.mo").open("rb") as file:
        shipped = gettext.GNUTranslations(file)
    assert len(shipped._catalog) > 600
    catalog = Catalog(locale=language)
    for message in filter(lambda item: item.id, template()):
        if isinstance(message.id, str):
            text = shipped.pgettext(message.context, message.id) if message.context else shipped.gettext(message.id)
            catalog.add(message.id, text, context=message.context)
        else:
            catalog.add(message.id, tuple(shipped.ngettext(*message.id, count) for count in (0, 1, 2, 5, 21)))
    assert [message.id for message in catalog if message.id and not has_same_fields(message)] == []


def test_template_has_all_strings_of_code_and_algorithms():
    catalog = template()
    (cut,) = (item for item in catalog if item.auto_comments == ["A list that is too long to be given whole."])
    assert cut.locations[0][0] == "ui/text/phrases.py"
    assert cut.id in (languages.ROOT / "ui/text/phrases.py").read_text(encoding="utf-8")
    assert catalog.get("Baseline", "family") is not None
    assert catalog.get("Close", "Anki") is None
    assert [message.id for message in catalog if "\N{RIGHT SINGLE QUOTATION MARK}" in str(message.id)] == []
    assert not any("python-format" in message.flags for message in updated_catalog(FOLDER / "ja.po"))


def set_texts(monkeypatch: pytest.MonkeyPatch, *texts: str | tuple[str, str]) -> None:
    """Replace all English texts by these."""
    catalog = Catalog(fuzzy=False)
    for text in texts:
        catalog.add(text)
    monkeypatch.setattr(languages, "template", lambda: catalog)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with a German translation of three texts."""
    monkeypatch.setattr(languages, "FOLDER", tmp_path)
    set_texts(monkeypatch, "One", "Two", ("{count} day", "{count} days"))
    assert languages.main(["de"]) == 0
    written = (tmp_path / "de.po").read_text(encoding="utf-8").partition('msgid "One"')
    body = f"{written[1]}{written[2]}"
    for german in ("Eins", "Zwei", "{count} Tag", "{count} Tage"):
        body = body.replace(' ""\n', f' "{german}"\n', 1)
    (tmp_path / "de.po").write_text(written[0] + body, encoding="utf-8")
    assert languages.main([]) == 0
    return tmp_path


def german(folder: Path) -> gettext.GNUTranslations:
    """Return the compiled catalog."""
    with (folder / "de.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def edit(folder: Path, old: str, new: str) -> None:
    """Edit the file as a translator does."""
    text = (folder / "de.po").read_text(encoding="utf-8")
    assert text.count(old) == 1
    (folder / "de.po").write_text(text.replace(old, new), encoding="utf-8")


def test_changed_text_keeps_its_translation_as_fuzzy(folder, monkeypatch, capsys):
    assert languages.main(["--check"]) == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    set_texts(monkeypatch, "One.", ("{count} day", "{count} days"), "Something else")
    assert languages.main(["--check"]) == 1
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert languages.main([]) == 0
    assert "de.po: 1 of 3 texts\n" in capsys.readouterr().err
    assert "Zwei" not in (folder / "de.po").read_text(encoding="utf-8")
    assert german(folder).gettext("One.") == "One."
    assert german(folder).ngettext("{count} day", "{count} days", 2) == "{count} Tage"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert languages.main([]) == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before, "a second time changes nothing"
    edit(folder, "#, fuzzy\n", "")
    languages.main([])
    assert german(folder).gettext("One.") == "Eins"


def test_check_detects_uncompiled_catalogs(folder):
    edit(folder, '"Zwei"', '"Zwo"')
    assert languages.main(["--check"]) == 1


@pytest.mark.parametrize("translation", ["{anzahl} Tage", "{count:.1f} Tage", "{count Tage"])
def test_translations_with_wrong_fields_are_not_compiled(folder, translation):
    edit(folder, '"{count} Tage"', f'"{translation}"')
    assert languages.main([]) == 0
    assert translation in (folder / "de.po").read_text(encoding="utf-8")
    assert german(folder).ngettext("{count} day", "{count} days", 2) == "{count} days"
    assert german(folder).gettext("Two") == "Zwei"


def test_new_language_is_begun(folder, capsys):
    assert languages.main(["pt_BR"]) == 0
    assert "pt_BR.po: 0 of 3 texts" in capsys.readouterr().err
    assert sorted(path.name for path in folder.iterdir()) == ["de.mo", "de.po", "pt_BR.mo", "pt_BR.po"]


def test_words_are_borrowed_from_anki():
    class Tr:
        """Stand-in for Anki's translations."""

        def actions_close(self):
            return "&閉じる"

    borrow = borrow_from(Tr())
    assert borrow("Close") == "閉じる"
    assert borrow("Cancel") is None
    assert borrow("SRS Evaluator") is None
