"""The texts for people: what they point at is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("evaluator/**/*.md")]


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_and_pictures_lead_somewhere(text: Path) -> None:
    """Those within the project."""
    targets = re.findall(r"\]\(([^)\s]+)\)", text.read_text(encoding="utf-8"))
    assert not [target for target in targets if "://" not in target and not (text.parent / target).exists()]


def test_every_picture_is_shown_and_described() -> None:
    """None lies there for nothing."""
    shown = {
        (text.parent / target).resolve(): words
        for text in TEXTS
        for words, target in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", text.read_text(encoding="utf-8"))
    }
    assert set(shown) == set((ROOT / "docs").glob("*.png"))
    assert all(len(words) > 20 for words in shown.values())


def test_the_ankiweb_page_explains_every_column() -> None:
    """For somebody who has never heard of them; and says what is promised of privacy."""
    page = (ROOT / "docs" / "ankiweb.md").read_text(encoding="utf-8")
    for term in ("Log loss", "RMSE (bins)", "AUC", "A star", "AVG", "The graph"):
        assert f"**{term}**" in page
    for heading in ("How to use it", "How to read the result", "Privacy", "Limits"):
        assert f"## {heading}\n" in page
