"""Failed installations and the sentence for each."""

from __future__ import annotations

import errno
import re
from typing import Sequence

from ...text import _, strings
from ..error_report import chain_of

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
    """Failed installation, with a sentence for the user and pip's messages."""

    def __init__(self, sentence: str, messages: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.messages = messages


def failure_sentence(error: BaseException, messages: Sequence[str], megabytes: float) -> str:
    """Return a sentence for the user on why the installation failed.

    Args:
        error: what was raised.
        messages: pip's messages, and the text of the error.
        megabytes: the disk space that the installation needs.
    """
    for cause in chain_of(error):
        if isinstance(cause, OSError) and cause.errno in _FULL:
            text = _("Not enough disk space: {needed:.0f} MB are needed temporarily. Nothing was installed.")
            return text.format(needed=megabytes)
        # Errors of the network name no file.
        if isinstance(cause, OSError) and cause.errno in _FORBIDDEN and cause.filename is not None:
            text = _("The folder {folder} cannot be written to. Nothing was installed.")
            return text.format(folder=cause.filename)
    return NO_NETWORK if re.search(_NETWORK, "\n".join(messages)) else strings.INSTALLATION_FAILED
