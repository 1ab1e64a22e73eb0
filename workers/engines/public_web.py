"""Requests to the public internet and to nowhere else, for addresses that strangers wrote.

A list of addresses must not make this server ask its own network. Each name is resolved once. It is refused where any
of its addresses is not public. The connection goes to the very address that was checked, so that a name cannot change
its mind in between. A redirect is a new request, checked the same way.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import httpcore
import httpx

from backend.methods.public_addresses import Network, is_in, is_public

REDIRECTING = (301, 302, 303, 307, 308)


class NotPublicError(Exception):
    """The address leads elsewhere than to the public web. It is not named: reviewers read the reason."""


class TooManyRedirectsError(Exception):
    """One redirect leads to the next."""


class UnknownHostError(httpcore.ConnectError):
    """The name of the host has no address."""


@dataclass(frozen=True)
class Policy:
    """Where requests may go. `also` are networks that are open too, at every port."""

    ports: frozenset[int] = frozenset({80, 443})
    also: tuple[Network, ...] = ()
    seconds: float = 10.0  # for a connection, or for the next bytes
    redirects: int = 5


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


class PublicBackend(httpcore.SyncBackend):
    """Connections to public addresses alone. Raises NotPublicError before anybody is asked."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def connect_tcp(self, host: str, port: int, *args: Any, **named: Any) -> httpcore.NetworkStream:
        error: httpcore.ConnectError | httpcore.ConnectTimeout | None = None
        for address in self._checked(host, port):
            try:
                return super().connect_tcp(address, port, *args, **named)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as failed:
                error = failed
        raise error or httpcore.ConnectError("the name has no address")

    def connect_unix_socket(self, *args: Any, **named: Any) -> httpcore.NetworkStream:
        raise NotPublicError

    def _checked(self, host: str, port: int) -> list[str]:
        """The addresses of the host, all of them public."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise UnknownHostError("the name is not known") from error
        addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
        if not all(self._may_ask(address, port) for address in addresses):
            raise NotPublicError
        return addresses

    def _may_ask(self, address: str, port: int) -> bool:
        return is_in(address, self._policy.also) or (port in self._policy.ports and is_public(address))


class PublicWeb:
    """A client for any number of threads."""

    def __init__(self, policy: Policy | None = None) -> None:
        self.policy = policy or Policy()
        self._pool = httpcore.ConnectionPool(
            ssl_context=httpx.create_ssl_context(), network_backend=PublicBackend(self.policy), max_connections=100
        )

    @contextmanager
    def get(self, url: str, *, headers: Mapping[str, str], trace: Any = None) -> Iterator[httpcore.Response]:
        """The answer behind the redirects, its body unread. `trace` hears of each step (httpcore's extension).

        Raises NotPublicError, TooManyRedirectsError, httpx.InvalidURL, and what httpcore raises.
        """
        at = httpx.URL(url)
        for _ in range(self.policy.redirects + 1):
            with self._one("GET", at, headers, trace=trace) as answer:
                place = next((value for name, value in answer.headers if name.lower() == b"location"), b"")
                if answer.status not in REDIRECTING or not place:
                    yield answer
                    return
                at = at.join(place.decode("latin-1"))
        raise TooManyRedirectsError

    @contextmanager
    def post(
        self, url: str, *, headers: Mapping[str, str], content: bytes, trace: Any = None
    ) -> Iterator[httpcore.Response]:
        """The answer to `content`, its body unread. A redirect is an answer like others.

        Raises NotPublicError, httpx.InvalidURL, and what httpcore raises.
        """
        named = {**headers, "content-length": str(len(content))}
        with self._one("POST", httpx.URL(url), named, content=content, trace=trace) as answer:
            yield answer

    def _one(
        self, method: str, at: httpx.URL, headers: Mapping[str, str], *, content: bytes | None = None, trace: Any = None
    ) -> Any:
        if at.scheme not in ("http", "https") or not at.host:
            raise NotPublicError
        port = at.port or (443 if at.scheme == "https" else 80)
        waits = dict.fromkeys(("connect", "read", "write", "pool"), self.policy.seconds)
        extensions = {"timeout": waits, **({} if trace is None else {"trace": trace})}
        target = httpcore.URL(scheme=at.raw_scheme, host=at.raw_host, port=port, target=at.raw_path)
        named: dict[bytes | str, bytes | str] = {"host": at.netloc.decode("ascii")}
        named.update(headers.items())
        return self._pool.stream(method, target, headers=named, content=content, extensions=extensions)
