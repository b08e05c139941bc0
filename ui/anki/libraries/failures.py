"""What went wrong while installing, as one sentence."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import Optional, Sequence, Tuple

from ...text import _, strings

NO_NETWORK = _("The Python Package Index could not be reached. Is this computer online? Nothing was installed.")
INDEX_FAILED = _("The Python Package Index answers with an error ({status}). Try again later. Nothing was installed.")
PROXY = _("The proxy of this computer did not let the download through. Nothing was installed.")
CERTIFICATE = _(
    "The connection to the Python Package Index could not be trusted, as its certificate was not accepted. A virus "
    "scanner or proxy that reads along, or a wrong clock, can be the cause. Nothing was installed."
)
CUT_OFF = _("The download was cut off. Nothing was installed.")
WRONG_FILE = _(
    "A file was not the one that this version of the add-on was tested with: {file}. It may be damaged, or something "
    "on the way has changed it. Nothing was installed."
)
NOT_IN_FOLDER = _("The folder does not hold all files that are needed: {file} is not there. Nothing was installed.")
NOT_IN_INDEX = _("The Python Package Index does not offer {file} for this computer. Nothing was installed.")

_FULL = (errno.ENOSPC, errno.EDQUOT)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EEXIST, errno.ENOTDIR)

#: Windows as it is set up takes names of 260 characters, and calls a longer one a file that is not there.
_LONG_NAME = 250


class InstallFailed(Exception):
    """Carries a sentence for the person and what pip said; its ``__cause__`` is what was raised."""

    def __init__(self, sentence: str, said: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.said: Tuple[str, ...] = tuple(said)


def failure(error: BaseException, said: Sequence[str], folder: Path, needed: float, *, offline: bool) -> InstallFailed:
    """Put what pip ``said`` and raised into one sentence.

    ``folder`` is where the libraries were to go, ``needed`` the megabytes for them, ``offline`` whether they were
    looked for in a folder only.
    """
    said = (*said, f"{type(error).__name__}: {error}")
    return InstallFailed(_sentence(error, said, folder, needed, offline=offline), said)


def _sentence(error: BaseException, said: Sequence[str], folder: Path, needed: float, *, offline: bool) -> str:
    disk = _disk_sentence(_system_error(error), folder, needed)
    if disk:
        return disk
    text = "\n".join(said)
    if type(error).__name__ in ("HashErrors", "HashMismatch"):
        return WRONG_FILE.format(file=_first(r"^ +([\w.-]+==[\w.]+|\S+\.whl) from ", text) or "?")
    wanted = _first(r"No matching distribution found for (\S+)", text)
    if offline and wanted:
        return NOT_IN_FOLDER.format(file=wanted)
    network = _network_sentence(text)
    if network:
        return network
    status = _first(r"(?:Could not fetch URL [^\n]*: |too many )((?!404)[45]\d\d)\b", text)
    if status:
        return INDEX_FAILED.format(status=status)
    return NOT_IN_INDEX.format(file=wanted) if wanted else strings.UNEXPECTED


def _disk_sentence(error: Optional[OSError], folder: Path, needed: float) -> str:
    """What the error says of the disk; empty where it says nothing that is known."""
    if error is None:
        return ""
    if error.errno in _FULL:
        return strings.DISK_FULL.format(needed=needed)
    if _is_name_too_long(error):
        return _(
            "The folder {folder} has so long a name that there is no room in it for names of files. Nothing was "
            "installed."
        ).format(folder=folder)
    return (
        _("The folder {folder} cannot be written to. Nothing was installed.").format(folder=error.filename or folder)
        if error.errno in _FORBIDDEN
        else ""
    )


def _network_sentence(text: str) -> str:
    """What the names of errors that pip mentions say of the network; empty where it mentions none."""
    for pattern, sentence in (
        (r"ProxyError|Proxy Authentication|proxy URL", PROXY),
        (r"SSLError|CERTIFICATE_VERIFY_FAILED|SSLCert", CERTIFICATE),
        (r"IncompleteRead|IncompleteDownload|incomplete", CUT_OFF),
        (r"NewConnectionError|NameResolution|ConnectTimeout|ConnectionError|NetworkConnection", NO_NETWORK),
        (r"ReadTimeout|ProtocolError|ConnectionReset|Connection aborted|HTTPError", NO_NETWORK),
    ):
        if re.search(pattern, text):
            return sentence
    return ""


def _system_error(error: Optional[BaseException]) -> Optional[OSError]:
    """The first error in the chain of causes that is about the disk, not about the network."""
    while error is not None:
        if isinstance(error, OSError) and (error.filename is not None or error.errno in _FULL):
            return error
        error = error.__cause__ or error.__context__
    return None


def _is_name_too_long(error: OSError) -> bool:
    return error.errno == errno.ENAMETOOLONG or (
        error.errno == errno.ENOENT and len(str(error.filename)) >= _LONG_NAME and os.name == "nt"
    )


def _first(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    return found.group(1) if found else ""
