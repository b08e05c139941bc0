"""The libraries that the add-on needs, their folder, and whether Python finds them."""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.metadata
import importlib.util
import re
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple, Optional, Tuple

from ...text import _
from .lock_files import platform_here

IN_THE_WAY = _(
    "It is in {place}. Update or disable the add-on that includes it, or update it there, then restart Anki."
)


class Library(NamedTuple):
    """A library that the add-on needs."""

    title: str
    module: str  #: name of its module, and of its package on PyPI
    at_least: str  #: the oldest suitable version


LIBRARIES = (Library("NumPy", "numpy", "2.0"), Library("matplotlib", "matplotlib", "3.9"))

#: matplotlib's required dependencies, by the names under which they are imported.
_DEPENDENCIES = ("PIL", "contourpy", "cycler", "dateutil", "fontTools", "kiwisolver", "packaging", "pyparsing")
if sys.version_info < (3, 10):
    _DEPENDENCIES = (*_DEPENDENCIES, "importlib_resources")

#: All required modules.
MODULES = (*(library.module for library in LIBRARIES), *_DEPENDENCIES)

#: Name of the folder of the libraries. It is in Anki's own folder, because an update replaces the add-on's folder and
#: would fail on Windows while files in it are in use.
FOLDER_NAME = "srs_evaluator_libraries"


def missing_modules() -> Tuple[str, ...]:
    """Return the required modules that Python does not find at all."""
    return tuple(module for module in MODULES if find_folder(module) is None)


def outdated_library() -> Optional[Tuple[Library, str, Path]]:
    """Return a library that Python imports in too old a version. Installing a newer one next to it would not help.

    Returns:
        The first such library, its version, and the folder that it is in. None if all are new enough.
    """
    for library in LIBRARIES:
        folder = find_folder(library.module)
        if folder is not None:
            version = _version(library.module, folder)
            if _numbers(version) < _numbers(library.at_least):
                return library, version, folder
    return None


def foreign_numpy() -> Optional[Path]:
    """Return the folder of the NumPy that Python finds, if it was built for another Python or cannot be imported.

    The name of its compiled core tells for which Python it was built. Importing NumPy takes a while, so it is tried
    only if NumPy comes neither with Python itself nor from an installation by this add-on, because those are known to
    work.
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
    # A folder of that name without any code has no origin.
    return None if spec is None or spec.origin is None else Path(spec.origin).parent.parent


def _version(module: str, folder: Path) -> str:
    """Return the version of the imported module, or else of the one in the folder."""
    imported = sys.modules.get(module)
    if imported is None:
        for distribution in importlib.metadata.distributions(name=module, path=[str(folder)]):
            return str(distribution.version)
        imported = importlib.import_module(module)
    return str(getattr(imported, "__version__", "0"))


def _numbers(version: str) -> Tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:2])


def folder_of(base: Path) -> Path:
    """Return the folder of the libraries for this Python and platform, below Anki's own folder ``base``."""
    return base / FOLDER_NAME / f"{sys.implementation.cache_tag}-{platform_here()}"


def add_to_path(base: Path) -> None:
    """Make Python find the libraries that were installed below ``base``, after all other places."""
    folder = folder_of(base)
    if folder.is_dir() and str(folder) not in sys.path:
        sys.path.append(str(folder))
        importlib.invalidate_caches()


def are_ready(base: Path) -> bool:
    """Return whether Python finds all libraries in suitable versions, including those installed below ``base``."""
    add_to_path(base)
    return not missing_modules() and foreign_numpy() is None and outdated_library() is None
