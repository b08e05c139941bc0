"""The libraries that the add-on needs, their folder, and whether Python finds them."""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.metadata
import importlib.util
import re
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Optional, Tuple

from ...text import _
from .lock import platform_here

IN_THE_WAY = _(
    "It is in {place}. Update or disable the add-on that includes it, or update it there, then restart Anki."
)


@dataclass(frozen=True)
class Library:
    """A library that the add-on needs."""

    title: str
    module: str
    distribution: str
    at_least: str  #: the oldest suitable version


LIBRARIES = (Library("NumPy", "numpy", "numpy", "2.0"), Library("matplotlib", "matplotlib", "matplotlib", "3.9"))

#: matplotlib's required dependencies, by the names under which they are imported.
_COMPANIONS = ("PIL", "contourpy", "cycler", "dateutil", "fontTools", "kiwisolver", "packaging", "pyparsing")
if sys.version_info < (3, 10):
    _COMPANIONS = (*_COMPANIONS, "importlib_resources")

#: All required modules.
MODULES = (*(library.module for library in LIBRARIES), *_COMPANIONS)


@dataclass(frozen=True)
class TooOld:
    """A library that Python finds before any that could be installed, in too old a version."""

    library: Library
    version: str
    folder: str  #: the folder it is in


def missing() -> Tuple[str, ...]:
    """Return the modules that Python does not find at all."""
    return tuple(module for module in MODULES if find_folder(module) is None)


def too_old() -> Optional[TooOld]:
    """Return the first library that Python finds in too old a version. Installing another next to it would not help."""
    for library in LIBRARIES:
        folder = find_folder(library.module)
        if folder is not None:
            version = _version(library, folder)
            if _numbers(version) < _numbers(library.at_least):
                return TooOld(library, version, str(folder))
    return None


def foreign_numpy() -> Optional[Path]:
    """Return the folder of the NumPy that Python finds, if it was built for another Python or cannot be imported.

    The compiled core has a name of its own for each Python. So NumPy, which takes a while to import, is imported only
    if it is neither Python's own nor installed here: those are known to work.
    """
    folder = None if "numpy" in sys.modules else find_folder("numpy")
    if folder is None:
        return None
    names = {f"_multiarray_umath{suffix}" for suffix in importlib.machinery.EXTENSION_SUFFIXES}
    if not any(path.name in names for path in folder.glob("numpy/*core/*")):
        return folder
    trusted = {Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib")}
    if folder.resolve() in trusted or FOLDER_NAME in folder.parts:
        return None
    try:
        importlib.import_module("numpy")
    except Exception:  # noqa: BLE001 - whatever is wrong with it
        return folder
    return None


def find_folder(module: str) -> Optional[Path]:
    """Return the folder from which Python imports the module, or None if it finds none."""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None:  # a folder of that name without any code
        return None
    return Path(spec.origin).parent.parent


def _version(library: Library, path: Path) -> str:
    """Return the version of the library that is imported, or else of the one that would be."""
    loaded = sys.modules.get(library.module)
    if loaded is None:
        for distribution in importlib.metadata.distributions(name=library.distribution, path=[str(path)]):
            return str(distribution.version)
        loaded = importlib.import_module(library.module)
    return str(getattr(loaded, "__version__", "0"))


def _numbers(version: str) -> Tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:2])


#: Next to Anki's profiles and add-ons folder, so that an update of the add-on never touches files in use.
FOLDER_NAME = "srs_evaluator_libraries"


def folder_of(base: Path) -> Path:
    """Return the folder of the libraries for this Python and platform, below Anki's own folder ``base``."""
    return base / FOLDER_NAME / f"{sys.implementation.cache_tag}-{platform_here()}"


def use(base: Path) -> None:
    """Make Python find what was installed there, after all other places."""
    folder = folder_of(base)
    if folder.is_dir() and str(folder) not in sys.path:
        sys.path.append(str(folder))
        importlib.invalidate_caches()


def ready(base: Path) -> bool:
    """Return whether Python finds suitable libraries, including those that were installed here."""
    use(base)
    return not missing() and foreign_numpy() is None and too_old() is None
