"""Install, update, disable and delete the package with Anki's own add-on manager."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from typing import Any, Set

import session
from running import Running, expect, expect_equal
from sample_collections import write_short
from session import ADDON_FOLDER, QUICK

#: Name of the add-on's folder if the package is installed from a file.
PACKAGE_NAME = "srs_evaluator"


def installing(folder):
    """Install from a file and under AnkiWeb's number, update, disable and delete the add-on while it is in use."""
    write_short(folder / "given.anki2")
    package = session.package()
    older = _write_older_package(package, folder / "older.ankiaddon")
    with Running(folder, folder / "given.anki2", with_addon=False) as anki:
        manager = anki.mw.addonManager
        expect(not manager.allAddons(), "a fresh profile has no add-ons")

        log, errors = manager.processPackages([str(older)], parent=anki.mw)
        expect(log and not errors, f"a double click on the file installs it: {log} {errors}")
        expect_equal(manager.allAddons(), [PACKAGE_NAME])
        meta = manager.addon_meta(PACKAGE_NAME)
        expect(meta.compatible() and meta.enabled, "it is enabled")
        expect_equal((meta.human_version, meta.human_name()), ("0.0.1", "SRS Evaluator"))
        _delete(manager, PACKAGE_NAME)

        _install_from_ankiweb(manager, older)
        manager.loadAddons()
        window = anki.open_window()
        expect(window.table.report is not None and not window.table.report.unfinished, "it evaluates")
        anki.wait(lambda: not window.panel.view.pixmap().isNull(), "the graph")
        window.close()
        config = {**manager.getConfig(ADDON_FOLDER), "folds": 3}
        manager.writeConfig(ADDON_FOLDER, config)
        _install_from_ankiweb(manager, package)
        expect(manager.addon_meta(ADDON_FOLDER).human_version != "0.0.1", "it is updated")
        expect_equal(manager.getConfig(ADDON_FOLDER), config)
        with zipfile.ZipFile(package) as file:
            expect_equal(_files(Path(manager.addonsFolder(ADDON_FOLDER))) - {"meta.json"}, set(file.namelist()))

        manager.toggleEnabled(ADDON_FOLDER, enable=False)
        expect(not manager.isEnabled(ADDON_FOLDER), "it is disabled")
        _delete(manager, ADDON_FOLDER)
        expect("matplotlib" in sys.modules, "all this happens while matplotlib is loaded")
        anki.settle()


def changing(anki, _folder):
    """Install the add-on under two names, and delete it while its window is open."""
    manager = anki.mw.addonManager
    anki.configure(algorithms=QUICK)
    anki.unpack_addon(anki.base / "addons21" / PACKAGE_NAME)
    manager.loadAddons()
    expect(f"{PACKAGE_NAME}.ui.menu" in sys.modules, "the second copy is loaded")
    # There is one menu item, and it belongs to the first copy.
    window = anki.open_window()
    expect(type(window).__module__.startswith(ADDON_FOLDER), "the window of the first copy")
    window.close()
    manager.deleteAddon(PACKAGE_NAME)
    anki.open_window()
    delete_through_dialog(anki)
    expect(anki.window() is None, "its window is closed")


def delete_through_dialog(anki):
    """Delete the add-on with Tools > Add-ons > Delete, and confirm."""
    import aqt.addons

    manager = anki.mw.addonManager
    addons = aqt.addons.AddonsDialog(manager)
    aqt.addons.askUser = lambda *_arguments, **_options: True
    addons.form.addonList.selectAll()
    addons.onDelete()
    expect(not manager.allAddons(), "the add-on is gone")
    addons.close()


def _write_older_package(package, path) -> Path:
    """Write the package with a lower version number and with a file that the package no longer has."""
    with zipfile.ZipFile(package) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "manifest.json":
                content = json.dumps({**json.loads(content), "human_version": "0.0.1"}).encode()
            target.writestr(name, content)
        target.writestr("ui/no_longer_there.py", "")
    return path


def _install_from_ankiweb(manager, package):
    """Install the package as Anki does after a download, with a manifest from AnkiWeb."""
    from aqt.addons import InstallOk

    manifest = {"package": ADDON_FOLDER, "name": "SRS Evaluator", "mod": 1_700_000_000, "branch_index": 0}
    with package.open("rb") as file:
        result = manager.install(file, manifest=manifest, force_enable=False)
    expect(isinstance(result, InstallOk) and result.name == "SRS Evaluator", str(result))
    expect_equal(manager.allAddons(), [ADDON_FOLDER])


def _files(folder: Path) -> Set[str]:
    """Return the paths of all files below the folder, without compiled ones."""
    files = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(folder).as_posix() for path in files}


def _delete(manager: Any, name: str) -> None:
    """Delete the only add-on."""
    manager.deleteAddon(name)
    expect(not Path(manager.addonsFolder(name)).exists(), f"{name} is gone")
    expect_equal(manager.allAddons(), [])
