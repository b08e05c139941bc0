"""No text is in the code: in a language in which every text stands between marks, nothing stands outside of them."""

from __future__ import annotations

import functools
import subprocess
import sys
from pathlib import Path

import marked_texts
import pytest
from babel.messages.pofile import write_po
from marked_texts import LANGUAGE, LEFT, RIGHT, marked, untranslated

from tools import languages


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A language that somebody has added: one file, as a person leaves it, and the command was run."""
    folder = tmp_path_factory.mktemp("languages")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(languages, "FOLDER", folder)
        patch.setattr(languages, "template", functools.cache(languages.template))
        path = folder / f"{LANGUAGE}.po"
        catalogue = languages.updated(path)
        for message in filter(lambda one: one.id, catalogue):
            message.string = marked(message.id) if isinstance(message.id, str) else tuple(map(marked, message.id))
        with path.open("wb") as file:
            write_po(file, catalogue)
        assert languages.main([]) == 0
    return folder


@pytest.fixture(scope="module")
def words(folder: Path) -> list[str]:
    """All that the page of a report with every section says."""
    command = [sys.executable, "-X", "utf8", marked_texts.__file__, str(folder)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.splitlines()


def test_nothing_stands_outside_the_marks(words: list[str]) -> None:
    assert len(words) > 1000
    left = untranslated(words)
    assert not left, "\n".join(left)


def test_no_text_is_torn(words: list[str]) -> None:
    """Each begins and ends in one place, however it was put together."""
    assert not [line for line in words if line.count(LEFT) != line.count(RIGHT)]
