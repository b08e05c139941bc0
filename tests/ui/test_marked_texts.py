"""No text is in the code: in a language in which every text stands between marks, nothing stands outside of them."""

from __future__ import annotations

import subprocess
import sys

import marked_texts
import pytest
from marked_texts import LANGUAGE, LEFT, RIGHT, untranslated


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """All that the page of a report with every section says."""
    folder = tmp_path_factory.mktemp("languages")
    (folder / f"{LANGUAGE}.mo").write_bytes(marked_texts.catalogue())
    command = [sys.executable, "-X", "utf8", marked_texts.__file__, str(folder)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.splitlines()


def test_nothing_stands_outside_the_marks(words: list[str]) -> None:
    """But numbers, signs and names."""
    assert len(words) > 1000
    left = untranslated(words)
    assert not left, "\n".join(left)


def test_no_text_is_torn(words: list[str]) -> None:
    """Each begins and ends in one place, however it was put together."""
    assert not [line for line in words if line.count(LEFT) != line.count(RIGHT)]
