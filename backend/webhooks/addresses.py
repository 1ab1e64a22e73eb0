"""Which addresses a webhook may have. A worker checks them again when it connects, as names can change."""

from __future__ import annotations

import re
import socket
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from backend.common.errors import InvalidInput
from backend.methods.public_addresses import is_in, is_public

PORTS = frozenset({443, 8443})  # of public addresses
ODD = re.compile(r"[^\x21-\x7e]")  # spaces, control characters and letters that an address must write otherwise
NOT_AN_ADDRESS = "Write a complete address, for example https://example.org/hook."


def check_url(url: str) -> str:
    """The address, if messages may go there. Raises InvalidInput with a sentence about the field `url`."""
    parts, port = _split(url)
    found = _resolve(parts.hostname or "", port)
    if all(is_in(address, settings.WEBHOOK_NETWORKS) for address in found):
        return url
    if not all(is_public(address, settings.WEBHOOK_NETWORKS) for address in found):
        raise InvalidInput(
            "This address is in a private network. The server sends only to public addresses.",
            code="webhook_not_public",
            field="url",
        )
    if parts.scheme != "https":
        raise InvalidInput("Use an address that starts with https.", code="webhook_needs_https", field="url")
    if port not in PORTS:
        raise InvalidInput("Use port 443 or 8443.", code="webhook_port", field="url")
    return url


def _split(url: str) -> tuple[SplitResult, int]:
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError as error:
        raise InvalidInput(NOT_AN_ADDRESS, code="webhook_no_address", field="url") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or ODD.search(url) or parts.fragment:
        raise InvalidInput(NOT_AN_ADDRESS, code="webhook_no_address", field="url")
    if parts.username is not None or parts.password is not None:
        raise InvalidInput(
            "Remove the name and password from the address. The signature proves the sender.",
            code="webhook_with_password",
            field="url",
        )
    return parts, port


def _resolve(host: str, port: int) -> list[str]:
    """All IP addresses of the host."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise InvalidInput(
            "The server finds no host with the name {host}.",
            code="webhook_unknown_host",
            field="url",
            params={"host": host},
        ) from error
    return [str(one[4][0]) for one in found]
