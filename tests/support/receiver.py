"""A receiver of webhooks on this machine: it keeps what it gets, and answers as it is told."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

HERE = (ipaddress.ip_network("127.0.0.0/8"),)


@dataclass
class Got:
    path: str
    headers: dict[str, str]
    body: str


@dataclass
class Receiver:
    """`status`, `headers` and `body` are of its answers. With `drips` it sends single bytes, for ever."""

    port: int
    got: list[Got] = field(default_factory=list)
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    drips: bool = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = HERE
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.receiver = Receiver(server.server_port)  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server.receiver  # type: ignore[attr-defined]
    server.shutdown()
    server.server_close()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        receiver: Receiver = self.server.receiver  # type: ignore[attr-defined]
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        receiver.got.append(Got(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        try:
            while receiver.drips:
                self.wfile.write(b"H")
                time.sleep(0.05)
        except OSError:
            return
        self.send_response(receiver.status)
        for name, value in receiver.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(receiver.body)))
        self.end_headers()
        self.wfile.write(receiver.body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""
