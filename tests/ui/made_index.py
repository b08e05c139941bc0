"""Serve a package index from this machine, with a fault to choose."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@contextlib.contextmanager
def serve(folder: Path, fault: str = "", headers: list[str] | None = None) -> Iterator[str]:
    """Serve an index of the wheels in the folder, and return its address. Request headers are added to ``headers``.

    With the fault "503" the server answers with this error, with "cut off" it sends half of each wheel, and with
    "changed" another last byte.
    """

    class Index(BaseHTTPRequestHandler):
        """Handler that lists the wheels of a package and sends them."""

        def do_GET(self):
            if headers is not None:
                headers.extend(f"{name}: {value}" for name, value in self.headers.items() if name != "Host")
            if fault.isdecimal():
                self.send_error(int(fault))
            elif self.path.endswith(".whl"):
                wheel = (folder / self.path.rpartition("/")[2]).read_bytes()
                content = wheel[:-1] + b"\1" if fault == "changed" else wheel
                self._send(content, "application/octet-stream", part=0.5 if fault == "cut off" else 1.0)
            else:
                name = self.path.strip("/").rpartition("/")[2]
                links = "".join(f'<a href="/{w.name}">{w.name}</a>' for w in folder.glob(f"{name}-*.whl"))
                self._send(f"<!DOCTYPE html><html><body>{links}</body></html>".encode(), "text/html")

        def _send(self, content: bytes, kind: str, part: float = 1.0) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self.wfile.write(content[: int(len(content) * part)])

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Index)
    # The server checks every 10 ms whether it is to end.
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/simple/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
