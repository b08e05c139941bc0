"""A disk that is full after a kilobyte."""

from __future__ import annotations

import resource
from contextlib import contextmanager
from typing import Iterator


@contextmanager
def full_disk() -> Iterator[None]:
    """Prevent files from becoming larger than a kilobyte."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
