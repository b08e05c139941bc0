"""Load NumPy with one thread for its matrix products, if it is not loaded yet.

Ours are small: more threads would only wait for each other, on the very processors that draw the window. OpenBLAS reads
the variable while it is loaded, so it is taken back at once, and nothing that Anki starts will find it.
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
