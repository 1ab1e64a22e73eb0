"""Pictures of a list of addresses, fetched from the open web and from nowhere else.

A list that somebody else wrote must not make this server ask its own network. drawbridge resolves each name once,
refuses it where any of its addresses is private, loopback, link-local or reserved, connects to the very address that it
checked (so that a name cannot change its mind in between), and does the same for every redirect.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import httpx
from drawbridge import DrawbridgeError, Policy, SyncClient

from backend.catalogue.sources import MemberRefused
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.pairs.url_table import MOST_FETCHED

MOST_SECONDS = 30.0
WAITED = 10.0  # seconds for a connection, or for the next bytes
REDIRECTS = 5
HEADERS = {"accept": "image/*", "accept-encoding": "identity", "user-agent": "Connote (image-caption research)"}
REFUSED = "Connote may not download from this address ({why})."
FAILED = "Connote could not download the image ({why})."
ANSWERED = "The server answered {status} instead of an image."
PACKED = "The server sent the image compressed ({how}), against the request."
TOO_LARGE = "The image has more than {limit:,} bytes."
TOO_SLOW = "The download of the image took more than {limit:.0f} seconds."


def open_web() -> Policy:
    """What may be fetched: public addresses, by http or https on their own ports."""
    return Policy(allow_ports=frozenset({80, 443}), timeout=WAITED, max_redirects=REDIRECTS, max_response_bytes=None)


class Deadline:
    """Ends a fetch after `seconds`, whatever it waits for: its connection is shut down under it.

    httpx limits only the wait for the next bytes, so a server that sends one every second is never late.
    """

    CONNECTED = ("connection.connect_tcp.complete", "connection.start_tls.complete")

    def __init__(self, seconds: float) -> None:
        self.is_over = False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> Deadline:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()

    def trace(self, event: str, info: dict[str, Any]) -> None:
        """Hears of every step of a request (httpx' extension `trace`); also of one that connects when time is up."""
        if event in self.CONNECTED:
            self._socket = info["return_value"].get_extra_info("socket")
        if self.is_over:
            self._cut()

    def _end(self) -> None:
        self.is_over = True
        self._cut()

    def _cut(self) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError):  # it may be closed already
                # Not SSLSocket's own, which takes the TLS state away from the thread that reads.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


@dataclass
class Fetcher:
    """An address to its bytes, any number at once. Raises MemberRefused, and nothing else."""

    policy: Policy = field(default_factory=open_web)
    most_bytes: int = MOST_FETCHED
    most_seconds: float = MOST_SECONDS

    def __post_init__(self) -> None:
        self._client = SyncClient(self.policy)
        self._here = threading.local()
        self._client._httpx_client.event_hooks = {"request": [self._watch]}  # drawbridge hands no extensions on

    def __call__(self, url: str) -> bytes:
        """The content behind `url`, at most `most_bytes`, within `most_seconds` and the wait for a connection."""
        with Deadline(self.most_seconds) as deadline:
            self._here.deadline = deadline
            try:
                return self._get(url, deadline)
            except DrawbridgeError as error:
                raise MemberRefused("not_fetched", REFUSED.format(why=printable(error, 200))) from error
            except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, ValueError, OSError) as error:
                if deadline.is_over:
                    raise self._too_slow() from error
                why = printable(error, 200) or type(error).__name__
                raise MemberRefused("not_fetched", FAILED.format(why=why)) from error

    def _watch(self, request: httpx.Request) -> None:
        request.extensions["trace"] = self._here.deadline.trace

    def _get(self, url: str, deadline: Deadline) -> bytes:
        data = bytearray()
        with self._client.stream("GET", url, headers=HEADERS) as answer:
            _check(answer)
            for chunk in answer.iter_raw():  # never unpacked: a few kilobytes can unpack to gigabytes
                data += chunk
                if len(data) > self.most_bytes:
                    raise MemberRefused("not_fetched", TOO_LARGE.format(limit=self.most_bytes))
        if deadline.is_over:  # an answer without a length ends where the connection does
            raise self._too_slow()
        return bytes(data)

    def _too_slow(self) -> MemberRefused:
        return MemberRefused("not_fetched", TOO_SLOW.format(limit=self.most_seconds))


def _check(answer: httpx.Response) -> None:
    if answer.status_code != httpx.codes.OK:
        raise MemberRefused("not_fetched", ANSWERED.format(status=answer.status_code))
    how = answer.headers.get("content-encoding", "").strip().lower()
    if how not in ("", "identity"):
        raise MemberRefused("not_fetched", PACKED.format(how=printable(how, 40)))
