"""The texts for people: what they point at is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("evaluator/**/*.md")]


def anchors(text: Path) -> set[str]:
    """The names that the headings of a text get: small letters, hyphens for blanks, no other signs."""
    headings = re.findall(r"^#+ (.+)$", text.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def leads_nowhere(text: Path, target: str) -> bool:
    """Whether there is no such file, or no such heading in it; what is elsewhere is not looked up."""
    name, _, anchor = target.partition("#")
    file = text.parent / name if name else text
    return "://" not in target and (not file.exists() or (bool(anchor) and anchor not in anchors(file)))


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_and_pictures_lead_somewhere(text: Path) -> None:
    """Those within the project."""
    targets = re.findall(r"\]\(([^)\s]+)\)", text.read_text(encoding="utf-8"))
    assert not [target for target in targets if leads_nowhere(text, target)]


def test_a_wrong_link_would_be_noticed() -> None:
    """A file, a heading."""
    assert leads_nowhere(ROOT / "README.md", "docs/none.md")
    assert leads_nowhere(ROOT / "README.md", "docs/ankiweb.md#none")
    assert not leads_nowhere(ROOT / "README.md", "docs/ankiweb.md#how-to-read-the-result")


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


def test_the_ankiweb_page_knows_how_large_the_libraries_are() -> None:
    """From the smallest to the largest of all platforms."""
    locks = [path.read_text(encoding="utf-8") for path in (ROOT / "ui" / "libraries" / "locks").glob("*.txt")]
    sizes = [int(size) / 1e6 for lock in locks for size in re.findall(r"^# \w+ (\d+)$", lock, flags=re.MULTILINE)]
    assert len(sizes) > 20
    page = (ROOT / "docs" / "ankiweb.md").read_text(encoding="utf-8")
    assert f"({min(sizes):.0f} to {max(sizes):.0f} MB)" in page
