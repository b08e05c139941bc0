"""Notices, and refuses, whatever would leave the machine."""

from __future__ import annotations

import sys
from typing import Any, List, Tuple

#: Of Python's audit events, which of their arguments says where to.
_PLACE = {
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.sendmsg": 1,
    "socket.bind": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
    "socket.gethostbyaddr": 0,
    "urllib.Request": 0,
    "webbrowser.open": 0,
}
_HERE = ("127.", "::1", "localhost", "http://127.", "http://localhost")


class Network:
    """Every socket of Python in this process, from now and for good."""

    def __init__(self) -> None:
        self.asked: List[str] = []
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: Tuple[Any, ...]) -> None:
        if event not in _PLACE:
            return
        place = arguments[_PLACE[event]]
        host = place[0] if isinstance(place, tuple) else place
        if host is not None and not str(host).startswith(_HERE):
            self.asked.append(f"{event} {host}")
            raise ConnectionRefusedError("there is no network in this test")
