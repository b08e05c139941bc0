"""Installation failures, each as one sentence."""

from __future__ import annotations

import errno
import re
from pathlib import Path
from typing import Optional, Sequence, Tuple

from ...text import _, strings

NO_NETWORK = _(
    "The Python Package Index could not be reached, or returned an error. Check your connection, proxy and "
    "antivirus software. Nothing was installed."
)

_FULL = (errno.ENOSPC, errno.EDQUOT)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EEXIST, errno.ENOTDIR)
#: Words in pip's messages about the network, the index's answers, and files changed in transit.
_NETWORK = (
    r"Hash|Proxy|SSL|CERTIFICATE|[Ii]ncomplete|Connect|NameResolution|Timeout|ProtocolError|HTTPError|Could not fetch"
    r"|No matching distribution found"
)


class InstallFailed(Exception):
    """Carries a sentence for the user and pip's messages. Its ``__cause__`` is what was raised."""

    def __init__(self, sentence: str, text: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.messages: Tuple[str, ...] = tuple(text)


def failure(error: BaseException, messages: Sequence[str], folder: Path, needed: float) -> InstallFailed:
    """Describe in one sentence what pip ``messages`` and raised.

    ``folder`` is the libraries' destination, ``needed`` the megabytes for them.
    """
    messages = (*messages, f"{type(error).__name__}: {error}")
    return InstallFailed(_sentence(error, messages, folder, needed), messages)


def _sentence(error: BaseException, messages: Sequence[str], folder: Path, needed: float) -> str:
    disk = _system_error(error)
    if disk is not None and disk.errno in _FULL:
        return strings.DISK_FULL.format(needed=needed)
    if disk is not None and disk.errno in _FORBIDDEN:
        return _("The folder {folder} cannot be written to. Nothing was installed.").format(
            folder=disk.filename or folder
        )
    return NO_NETWORK if re.search(_NETWORK, "\n".join(messages)) else strings.UNEXPECTED


def _system_error(error: Optional[BaseException]) -> Optional[OSError]:
    """Return the first error in the chain of causes that is about the disk, not about the network."""
    while error is not None:
        if isinstance(error, OSError) and (error.filename is not None or error.errno in _FULL):
            return error
        error = error.__cause__ or error.__context__
    return None
