"""What differs between versions of Anki where windows open or pip runs."""

from __future__ import annotations

import ssl
from pathlib import Path
from types import SimpleNamespace

import pytest

from ui.anki.libraries import install
from ui.anki.libraries.lock import Lock
from ui.window import places


@pytest.mark.parametrize(
    ("browser", "search"),
    [
        (SimpleNamespace(_lastSearchTxt="deck:A", current_search=lambda: "typed"), "deck:A"),
        (SimpleNamespace(current_search=lambda: "typed"), "typed"),
    ],
)
def test_what_the_browser_shows(browser: SimpleNamespace, search: str) -> None:
    assert places.search_of(browser) == search


def test_certificates_are_looked_after_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lock = Lock(Path("lock.txt"), "3.13", "here", 1, ())
    option = "--use-deprecated=legacy-certs"
    monkeypatch.setattr(ssl, "SSLContext", type("SSLContext", (), {"__module__": "ssl"}))
    assert option not in install._arguments(lock, Path("there"), None)
    monkeypatch.setattr(ssl, "SSLContext", type("SSLContext", (), {"__module__": "truststore._api"}))
    assert option in install._arguments(lock, Path("there"), None)
