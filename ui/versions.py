"""Of what somebody runs, for reports of errors. Loads nothing that is not loaded."""

from __future__ import annotations

import platform
import sys
from typing import Dict

from . import language
from .science import __version__


def versions() -> Dict[str, str]:
    """Names and versions, ours first."""
    from anki.buildinfo import version
    from aqt.qt import PYQT_VERSION_STR, qVersion

    libraries = {name: getattr(sys.modules.get(name), "__version__", "not loaded") for name in ("numpy", "matplotlib")}
    return {
        "SRS Evaluator": __version__,
        "Anki": version,
        "Python": platform.python_version(),
        "Qt": f"{qVersion()}, binding {PYQT_VERSION_STR}",
        **libraries,
        "language": language.code(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",  # asks no other program
    }
