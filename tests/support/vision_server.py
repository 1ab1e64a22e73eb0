"""Google Vision on this machine: it answers `images:annotate` in the documented form, or goes wrong as it is told."""

from __future__ import annotations

import json
import threading
import time
from base64 import b64decode
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "the-key-of-these-tests"
PATIENCE = 30.0  # seconds that anything here waits at most


def page(
    title: str | None, url: str = "https://blog.example.org/2019/red-sky?from=mail", **more: Any
) -> dict[str, Any]:
    """One entry of `pagesWithMatchingImages`, with what Google adds to it."""
    titled = {} if title is None else {"pageTitle": title}
    return {"url": url, **titled, "fullMatchingImages": [{"url": "https://cdn.example.org/1.jpg"}], **more}


def found(*pages: dict[str, Any]) -> dict[str, Any]:
    """The response about one picture that some pages show, with the parts that nobody keeps."""
    return {
        "webDetection": {
            "webEntities": [{"entityId": "/m/01bqvp", "score": 0.9, "description": "Sky"}],
            "visuallySimilarImages": [{"url": "https://cdn.example.org/similar.jpg"}],
            "bestGuessLabels": [{"label": "red sky", "languageCode": "en"}],
            **({"pagesWithMatchingImages": list(pages)} if pages else {}),
        }
    }


def refused(code: int = 3, message: str = "Bad image data.") -> dict[str, Any]:
    """The response about one picture that could not be worked on; `code` is google.rpc.Code's."""
    return {"error": {"code": code, "message": message}}


@dataclass(frozen=True)
class Reply:
    """What one request gets instead of the ordinary answer; a body of None is the ordinary one."""

    status: int = 200
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0


def fault(status: int, message: str = "No.", name: str = "", *, reason: str = "", **headers: str) -> Reply:
    """An HTTP error with Google's body."""
    details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason}] if reason else []
    error = {"code": status, "message": message, "status": name, "details": details}
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Reply(status, json.dumps({"error": error}).encode(), named)


@dataclass
class Vision:
    """`answers` by a picture's bytes (none: no page shows it); `script` is used up first, one reply a request."""

    url: str = ""
    answers: dict[bytes, Any] = field(default_factory=dict)
    script: deque[Reply] = field(default_factory=deque)
    requests: list[list[bytes]] = field(default_factory=list)
    raw: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def asked(self) -> list[bytes]:
        """Every picture that was sent, in order, as often as it was."""
        return [picture for request in self.requests for picture in request]

    def answer(self, path: str, headers: dict[str, str], body: bytes) -> Reply:
        """Note the request down, and say what it gets."""
        payload = json.loads(body)
        pictures = [b64decode(one["image"]["content"], validate=True) for one in payload["requests"]]
        self.raw.append(payload)
        self.headers.append(headers)
        self.requests.append(pictures)
        reply = self.script.popleft() if self.script else Reply()
        ordinary = json.dumps({"responses": [self._about(picture) for picture in pictures]}).encode()
        return reply if reply.body is not None else Reply(reply.status, ordinary, reply.headers, reply.delay)

    def _about(self, picture: bytes) -> Any:
        answer = self.answers.get(picture, {})
        return answer.popleft() if isinstance(answer, deque) else answer


@contextmanager
def serving() -> Iterator[Vision]:
    """Such a server on a free port of this machine, for the length of the `with`."""
    vision = Vision()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = PATIENCE  # for a client that connects and sends nothing, or half of it
        wbufsize = 2**16  # headers and body leave together, or each request waits for an acknowledgement

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            reply = vision.answer(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            time.sleep(reply.delay)
            assert reply.body is not None
            try:
                self.send_response(reply.status)
                for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)
            except ConnectionError:
                self.close_connection = True  # the client has had enough

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        server.socket.settimeout(PATIENCE)  # for a client that is gone again before it is let in
        vision.url = f"http://127.0.0.1:{server.server_address[1]}/v1/images:annotate"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield vision
        finally:
            server.shutdown()
            thread.join(PATIENCE)
            assert not thread.is_alive(), "The server is still there."
