"""Pictures of a list of addresses, fetched from the public web within bounds of bytes and seconds."""

from __future__ import annotations

from dataclasses import dataclass, field

import httpcore
import httpx

from backend.catalogue.sources import MemberRefused
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.pairs.url_table import MOST_FETCHED
from workers.engines.public_web import Deadline, NotPublicError, Policy, PublicWeb, TooManyRedirectsError

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
