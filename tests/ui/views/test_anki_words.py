from __future__ import annotations

import pytest

from ui.views.advice import anki_words


@pytest.mark.parametrize(
    ("version", "optimize", "optimize_all"),
    [
        ("24.11", "“Optimize”", "“Optimize All Presets” in the menu next to “Save”"),
        *((version, "“Optimize Current Preset”", "“Optimize All Presets”") for version in ("25.02.7", "26.09.3", "")),
    ],
)
def test_buttons_are_called_as_in_that_anki(version: str, optimize: str, optimize_all: str) -> None:
    words = anki_words(version)
    assert (words["optimize"], words["optimize_all"]) == (optimize, optimize_all)
