"""Load NumPy with one thread for its matrix products, if it is not loaded yet.

The matrices are small, so more threads would only wait for each other, and keep processors from drawing the window.
OpenBLAS reads the environment variable while it is loaded. Then it is deleted, so that programs that Anki starts do not
inherit it.
"""

from __future__ import annotations

import importlib
import os
import sys

VARIABLE = "OPENBLAS_NUM_THREADS"

if "numpy" not in sys.modules and VARIABLE not in os.environ:
    os.environ[VARIABLE] = "1"
    try:
        importlib.import_module("numpy")
    finally:
        del os.environ[VARIABLE]
