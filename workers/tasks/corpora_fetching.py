"""Pictures of a list of addresses, fetched from the public web within bounds of bytes and seconds."""

from __future__ import annotations

import contextlib
import socket
import threading
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import httpcore
import httpx

from backend.catalogue.sources import MemberRefused
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.pairs.url_table import MOST_FETCHED
from workers.engines.public_web import NotPublicError, Policy, PublicWeb, TooManyRedirectsError

MOST_SECONDS = 30.0
HEADERS = {"accept": "image/*", "accept-encoding": "identity", "user-agent": "Connote (image-caption research)"}
NOT_PUBLIC = "Connote downloads only from public addresses of the web, on their usual ports."
TOO_MANY_REDIRECTS = "The server redirects too often."
FAILED = "Connote could not download the image ({why})."
ANSWERED = "The server answered {status} instead of an image."
PACKED = "The server sent the image compressed ({how}), against the request."
TOO_LARGE = "The image has more than {limit:,} bytes."
TOO_SLOW = "The download of the image took more than {limit:.0f} seconds."
BROKE = (
    httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, httpcore.UnsupportedProtocol,
    httpx.InvalidURL, ValueError, OSError,
)  # fmt: skip


class Deadline:
    """Ends a fetch after `seconds`, whatever it waits for: its connection is shut down under it.

    The client limits only the wait for the next bytes, so a server that sends one every second is never late.
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
        """Hears of every step of a request (httpcore's `trace`); also of one that connects when time is up."""
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

    policy: Policy = field(default_factory=Policy)
    most_bytes: int = MOST_FETCHED
    most_seconds: float = MOST_SECONDS

    def __post_init__(self) -> None:
        self._web = PublicWeb(self.policy)

    def __call__(self, url: str) -> bytes:
        """The content behind `url`, at most `most_bytes`, within `most_seconds` and the wait for a connection."""
        with Deadline(self.most_seconds) as deadline:
            try:
                return self._get(url, deadline)
            except NotPublicError as error:
                raise MemberRefused("not_fetched", NOT_PUBLIC) from error
            except TooManyRedirectsError as error:
                raise MemberRefused("not_fetched", TOO_MANY_REDIRECTS) from error
            except BROKE as error:
                if deadline.is_over:
                    raise self._too_slow() from error
                why = printable(error, 200) or type(error).__name__
                raise MemberRefused("not_fetched", FAILED.format(why=why)) from error

    def _get(self, url: str, deadline: Deadline) -> bytes:
        data = bytearray()
        with self._web.get(url, headers=HEADERS, trace=deadline.trace) as answer:
            _check(answer)
            for chunk in answer.iter_stream():  # never unpacked: a few kilobytes can unpack to gigabytes
                data += chunk
                if len(data) > self.most_bytes:
                    raise MemberRefused("not_fetched", TOO_LARGE.format(limit=self.most_bytes))
        if deadline.is_over:  # an answer without a length ends where the connection does
            raise self._too_slow()
        return bytes(data)

    def _too_slow(self) -> MemberRefused:
        return MemberRefused("not_fetched", TOO_SLOW.format(limit=self.most_seconds))


def _check(answer: httpcore.Response) -> None:
    if answer.status != httpx.codes.OK:
        raise MemberRefused("not_fetched", ANSWERED.format(status=answer.status))
    packed = (value for name, value in answer.headers if name.lower() == b"content-encoding")
    how = next(packed, b"").decode("latin-1").strip().lower()
    if how not in ("", "identity"):
        raise MemberRefused("not_fetched", PACKED.format(how=printable(how, 40)))
