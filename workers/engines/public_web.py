"""GET from the public internet and from nowhere else, for addresses that strangers wrote.

A list of addresses must not make this server ask its own network. Each name is resolved once. It is refused where any
of its addresses is not public. The connection goes to the very address that was checked, so that a name cannot change
its mind in between. A redirect is a new request, checked the same way.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpcore
import httpx

# The special-purpose registries of IANA, without the networks that are reachable from everywhere.
NOT_PUBLIC_V4 = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
            "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
            "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        ),
    )
)  # fmt: skip
# Only 2000::/3 is public: not ::/96, ::ffff:0:0/96, NAT64 (64:ff9b::/96), fc00::/7, fe80::/10, fec0::/10 or ff00::/8.
PUBLIC_V6 = ipaddress.IPv6Network("2000::/3")
NOT_PUBLIC_V6 = tuple(map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
REDIRECTING = (301, 302, 303, 307, 308)
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class NotPublicError(Exception):
    """The address leads elsewhere than to the public web. It is not named: reviewers read the reason."""


class TooManyRedirectsError(Exception):
    """One redirect leads to the next."""


@dataclass(frozen=True)
class Policy:
    """Where requests may go. `also` are networks of a test's own server."""

    ports: frozenset[int] = frozenset({80, 443})
    also: tuple[Network, ...] = ()
    seconds: float = 10.0  # for a connection, or for the next bytes
    redirects: int = 5


def is_public(address: str, also: Iterable[Network] = ()) -> bool:
    """Whether an IP address is one of the public internet, or in one of the networks `also`.

    >>> [is_public(one) for one in ("93.184.216.34", "10.0.0.7", "::ffff:93.184.216.34", "2606:2800:220:1::1")]
    [True, False, False, True]
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if any(ip in network for network in also):
        return True
    if isinstance(ip, ipaddress.IPv4Address):
        return not any(ip in network for network in NOT_PUBLIC_V4)
    return ip.scope_id is None and ip in PUBLIC_V6 and not any(ip in network for network in NOT_PUBLIC_V6)


class PublicBackend(httpcore.SyncBackend):
    """Connections to public addresses alone. Raises NotPublicError before anybody is asked."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def connect_tcp(self, host: str, port: int, *args: Any, **named: Any) -> httpcore.NetworkStream:
        if port not in self._policy.ports:
            raise NotPublicError
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
            raise httpcore.ConnectError("the name is not known") from error
        addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
        if not all(is_public(address, self._policy.also) for address in addresses):
            raise NotPublicError
        return addresses


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
            with self._one(at, headers, trace) as answer:
                place = next((value for name, value in answer.headers if name.lower() == b"location"), b"")
                if answer.status not in REDIRECTING or not place:
                    yield answer
                    return
                at = at.join(place.decode("latin-1"))
        raise TooManyRedirectsError

    def _one(self, at: httpx.URL, headers: Mapping[str, str], trace: Any) -> Any:
        if at.scheme not in ("http", "https") or not at.host:
            raise NotPublicError
        port = at.port or (443 if at.scheme == "https" else 80)
        waits = dict.fromkeys(("connect", "read", "write", "pool"), self.policy.seconds)
        extensions = {"timeout": waits, **({} if trace is None else {"trace": trace})}
        target = httpcore.URL(scheme=at.raw_scheme, host=at.raw_host, port=port, target=at.raw_path)
        named: dict[bytes | str, bytes | str] = {"host": at.netloc.decode("ascii")}
        named.update(headers.items())
        return self._pool.stream("GET", target, headers=named, extensions=extensions)
