"""The package goes through Anki's own add-on manager: in, updated, switched off, out."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from typing import Any, Dict, List

import session
from running import Running, expect
from sample_collections import write_short
from session import ADDON_FOLDER, QUICK, AnkiSession

#: Under this name it installs itself from a file.
PACKAGE_NAME = "srs_evaluator"


def installing(folder: Path) -> None:
    """Install from a file and under AnkiWeb's number, update, disable and delete the add-on while it is in use."""
    write_short(folder / "given.anki2")
    package = session.package()
    older = _older(package, folder / "older.ankiaddon")
    with Running(folder, folder / "given.anki2", with_addon=False) as anki:
        manager = anki.mw.addonManager
        expect(not manager.allAddons(), "a fresh profile has no add-ons")

        log, errors = manager.processPackages([str(older)], parent=anki.mw)
        expect(log and not errors, f"a double click on the file installs it: {log} {errors}")
        expect(manager.allAddons() == [PACKAGE_NAME], "under the name in its manifest")
        meta = manager.addon_meta(PACKAGE_NAME)
        expect(meta.compatible() and meta.enabled, "and it is switched on")
        expect(meta.human_version == "0.0.1" and meta.human_name() == "SRS Evaluator", "with its version")
        _remove(manager, PACKAGE_NAME)

        expect(_install_numbered(manager, older), "as from AnkiWeb")
        _use_it(anki)
        kept = _leave_traces(manager)
        expect(_install_numbered(manager, package), "updated while matplotlib is loaded")
        _expect_updated(manager, package, kept)

        manager.toggleEnabled(ADDON_FOLDER, enable=False)
        expect(not manager.isEnabled(ADDON_FOLDER), "it can be switched off")
        _remove(manager, ADDON_FOLDER)
        expect("matplotlib" in sys.modules, "all that with matplotlib loaded")
        anki.settle()


def changing(anki: AnkiSession, _folder: Path) -> None:
    """Install the add-on under two names, and delete it while its window is open."""
    anki.mw.addonManager.writeConfig(ADDON_FOLDER, {"algorithms": QUICK})
    _twice(anki)
    anki.open_window()
    delete_through_dialog(anki)
    expect(anki.window() is None, "its window is closed")


def delete_through_dialog(anki: AnkiSession) -> None:
    """Delete the add-on by Tools > Add-ons > Delete, answering the question with yes."""
    import aqt.addons

    manager = anki.mw.addonManager
    addons = aqt.addons.AddonsDialog(manager)
    aqt.addons.askUser = lambda *_arguments, **_options: True
    addons.form.addonList.selectAll()
    addons.onDelete()
    expect(not manager.allAddons(), "the add-on is gone")
    addons.close()


def _twice(anki: AnkiSession) -> None:
    """Under AnkiWeb's number and from a file: there is one item in the menu, and that one works."""
    anki.put_addon(anki.base / "addons21" / PACKAGE_NAME)
    anki.mw.addonManager.loadAddons()
    expect(f"{PACKAGE_NAME}.ui.menu" in sys.modules, "it was loaded")
    window = anki.open_window()
    expect(type(window).__module__.startswith(ADDON_FOLDER), "that of the first")
    window.close()
    _remove_folder(anki.mw.addonManager, PACKAGE_NAME)


def _older(package: Path, path: Path) -> Path:
    """An earlier version, with a file that is no longer there."""
    with zipfile.ZipFile(package) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "manifest.json":
                content = json.dumps({**json.loads(content), "human_version": "0.0.1"}).encode()
            target.writestr(name, content)
        target.writestr("ui/no_longer_there.py", "")
    return path


def _install_numbered(manager: Any, package: Path) -> bool:
    """Do as Anki does after a download: its own facts about the add-on override the manifest."""
    from aqt.addons import InstallOk

    known = {"package": ADDON_FOLDER, "name": "SRS Evaluator", "mod": 1_700_000_000, "branch_index": 0}
    with package.open("rb") as file:
        result = manager.install(file, manifest=known, force_enable=False)
    expect(isinstance(result, InstallOk) and result.name == "SRS Evaluator", str(result))
    return manager.allAddons() == [ADDON_FOLDER]


def _use_it(anki: AnkiSession) -> None:
    """Load it as Anki does at its start, open the window, and let it draw."""
    anki.mw.addonManager.loadAddons()
    window = anki.open_window()
    expect(window.table.report is not None and not window.table.report.unfinished, "it evaluates")
    anki.wait(lambda: window.panel.view.image is not None, "the graph")
    window.close()


def _leave_traces(manager: Any) -> Dict[str, Any]:
    config: Dict[str, Any] = {**manager.getConfig(ADDON_FOLDER), "folds": 3}
    manager.writeConfig(ADDON_FOLDER, config)
    return config


def _expect_updated(manager: Any, package: Path, config: Dict[str, Any]) -> None:
    installed = Path(manager.addonsFolder(ADDON_FOLDER))
    expect(manager.addon_meta(ADDON_FOLDER).human_version != "0.0.1", "the new version")
    expect(manager.getConfig(ADDON_FOLDER) == config, "the configuration is kept")
    with zipfile.ZipFile(package) as file:
        shipped = set(file.namelist())
    expect(_files(installed) - {"meta.json"} == shipped, "nothing else is there")


def _files(folder: Path) -> set[str]:
    result: List[Path] = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(folder).as_posix() for path in result}


def _remove(manager: Any, name: str) -> None:
    _remove_folder(manager, name)
    expect(not manager.allAddons(), "nothing else is there")


def _remove_folder(manager: Any, name: str) -> None:
    manager.deleteAddon(name)
    expect(not Path(manager.addonsFolder(name)).exists(), f"{name} is gone")
