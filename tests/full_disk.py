"""A disk that is full after a kilobyte."""

from __future__ import annotations

import resource
import sys
from contextlib import contextmanager
from typing import Iterator


@contextmanager
def full_disk() -> Iterator[None]:
    """Prevent files from becoming larger than a kilobyte."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    writes_bytecode = not sys.dont_write_bytecode
    # Python would leave half of a module's bytecode, and import it from then on.
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        sys.dont_write_bytecode = not writes_bytecode
