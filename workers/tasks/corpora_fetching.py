"""Pictures of a list of addresses, fetched from the open web and from nowhere else.

A list that somebody else wrote must not make this server ask its own network. drawbridge resolves each name once,
refuses it where any of its addresses is private, loopback, link-local or reserved, connects to the very address that it
checked (so that a name cannot change its mind in between), and does the same for every redirect.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import httpx
from drawbridge import DrawbridgeError, Policy, SyncClient

from backend.catalogue.sources import MemberRefused
from backend.catalogue.sources.names import printable

MB = 1024 * 1024
MOST_BYTES = 20 * MB
MOST_SECONDS = 30.0
WAITED = 10.0  # seconds for a connection, or for the next bytes
REDIRECTS = 5
HEADERS = {"accept": "image/*", "accept-encoding": "identity", "user-agent": "Connote (image-caption research)"}
REFUSED = "The address is not one that may be fetched ({why})."
FAILED = "The picture could not be fetched ({why})."
ANSWERED = "The server answered {status} instead of a picture."
TOO_LARGE = "The picture has more than {limit:,} bytes."
TOO_SLOW = "The picture did not arrive within {limit:.0f} seconds."


def open_web() -> Policy:
    """What may be fetched: public addresses, by http or https on their own ports."""
    return Policy(allow_ports=frozenset({80, 443}), timeout=WAITED, max_redirects=REDIRECTS, max_response_bytes=None)


@dataclass
class Fetcher:
    """An address to its bytes, any number at once. Raises MemberRefused, and nothing else."""

    policy: Policy = field(default_factory=open_web)
    most_bytes: int = MOST_BYTES
    most_seconds: float = MOST_SECONDS

    def __post_init__(self) -> None:
        self._client = SyncClient(self.policy)

    def __call__(self, url: str) -> bytes:
        """The content behind `url`, at most `most_bytes`, within `most_seconds` once the server answers."""
        try:
            return self._get(url)
        except DrawbridgeError as error:
            raise MemberRefused("not_fetched", REFUSED.format(why=printable(error, 200))) from error
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, ValueError, OSError) as error:
            why = printable(error, 200) or type(error).__name__
            raise MemberRefused("not_fetched", FAILED.format(why=why)) from error

    def _get(self, url: str) -> bytes:
        until = time.monotonic() + self.most_seconds
        data = bytearray()
        with self._client.stream("GET", url, headers=HEADERS) as answer:
            if answer.status_code != httpx.codes.OK:
                raise MemberRefused("not_fetched", ANSWERED.format(status=answer.status_code))
            for chunk in answer.iter_bytes():
                data += chunk
                if len(data) > self.most_bytes:
                    raise MemberRefused("not_fetched", TOO_LARGE.format(limit=self.most_bytes))
                if time.monotonic() > until:
                    raise MemberRefused("not_fetched", TOO_SLOW.format(limit=self.most_seconds))
        return bytes(data)
