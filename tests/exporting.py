"""Export a collection as Anki's menus do."""

from __future__ import annotations

import os
from pathlib import Path


def export_packages(collection: Path, folder: Path) -> None:
    """Export packages of decks and of the collection, each in the new and in the legacy format.

    They are ``new.apkg``, ``old.apkg``, ``new.colpkg`` and ``old.colpkg``.
    """
    from anki.collection import Collection, ExportAnkiPackageOptions

    col = Collection(str(collection), server=True)
    for name, legacy in (("new", False), ("old", True)):
        options = ExportAnkiPackageOptions(with_scheduling=True, with_deck_configs=True, with_media=True, legacy=legacy)
        col.export_anki_package(out_path=os.fspath(folder / f"{name}.apkg"), options=options, limit=None)
        col.export_collection_package(os.fspath(folder / f"{name}.colpkg"), include_media=True, legacy=legacy)
        col.reopen()
    col.close()
