"""Record what the add-on must not do, until the process ends."""

from __future__ import annotations

import sys
import threading
from typing import List

#: For each of Python's audit events that reach other machines, the position of the argument with the address.
_ADDRESS_POSITIONS = {
    **dict.fromkeys(("socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind"), 1),
    **dict.fromkeys(("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"), 0),
    **dict.fromkeys(("urllib.Request", "webbrowser.open"), 0),
}
_THIS_MACHINE = ("127.", "::1", "localhost", "http://127.", "http://localhost")
#: Libraries that take long to import.
_SLOW_LIBRARIES = ("numpy", "matplotlib")


def refuse_connections() -> List[str]:
    """Refuse this process every connection to other machines. Return the list to which each attempt is added."""
    attempts = []

    def refuse(event, arguments):
        if event not in _ADDRESS_POSITIONS:
            return
        address = arguments[_ADDRESS_POSITIONS[event]]
        host = address[0] if isinstance(address, tuple) else address
        if host is not None and not str(host).startswith(_THIS_MACHINE):
            attempts.append(f"{event} {host}")
            raise ConnectionRefusedError("there is no network in this test")

    sys.addaudithook(refuse)
    return attempts


def record_slow_imports() -> List[str]:
    """Return the list to which the modules of slow libraries are added that are imported on the main thread."""
    modules = []

    def record(event, arguments):
        if event == "import" and threading.current_thread() is threading.main_thread():
            name = arguments[0]
            if name.partition(".")[0] in _SLOW_LIBRARIES:
                modules.append(name)

    sys.addaudithook(record)
    return modules
