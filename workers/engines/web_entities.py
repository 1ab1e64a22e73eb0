"""Where on the web a picture is used: a client of Google Cloud Vision, `images:annotate` with WEB_DETECTION.

IMP, appendix C.2: the titles of the pages that show a picture are captions of it. Only they and the pages' domains are
kept (`web_answers`). Google's limits: 16 pictures and 10 MB a request; a request is paid for by picture.
"""

from __future__ import annotations

import json
import random
import re
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from urllib.parse import urlsplit

import httpx
from kombu.utils.limits import TokenBucket
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

from workers.engines.web_answers import MOST_PAGES, RESOURCE_EXHAUSTED, Answer, Found, NotTaken, NotYet, read_answers
from workers.engines.web_faults import (
    ENDPOINT_VARIABLE,
    KEY_VARIABLE,
    KeyRefusedError,
    PassingError,
    QuotaSpentError,
    Reply,
    UnfitRequestError,
    UnreachableError,
    UnsafeEndpointError,
    WebSearchError,
    check_reply,
    printable,
)

ENDPOINT = "https://vision.googleapis.com/v1/images:annotate"
MOST_PICTURES = 16
MOST_REQUEST_BYTES = 9_000_000  # base64 in one request; Google takes 10 MB with what is around it
MOST_ANSWER_BYTES = 32 * 2**20
ATTEMPTS = 6
LONGEST_WAIT = 120.0  # seconds; who asks to be left alone for longer is left alone, and the run stops
CONNECT_SECONDS, READ_SECONDS, ANSWER_SECONDS = 10.0, 60.0, 120.0
LOOPBACK = ("127.0.0.1", "::1", "localhost")
KEY = re.compile(r"[!-~]+")
NOT_SENT = "too_large"  # the code of what costs nothing
BACKOFF = wait_exponential(multiplier=1, max=60)
TOO_LARGE = "The image has {n:,} bytes in base64, but Google Vision takes {most:,}. It was not sent."
TOO_LONG = "The answer of Google Vision has more than {n:,} bytes. Connote did not read it."


class _StillOpenError(PassingError):
    """Some pictures of a batch have no answer yet, and each says why."""

    def __init__(self, open_: Mapping[int, NotYet]) -> None:
        self.open = open_
        super().__init__("Some images have no answer yet.")


@dataclass(frozen=True)
class Asked:
    """The result of each picture, in order: None where it was not answered because `error` stopped the requests."""

    outcomes: tuple[Found | NotTaken | None, ...]
    error: WebSearchError | None = None


class WebEntities:
    """Asks about pictures, a few at a time, no faster than `per_minute` pictures. Close it, or use it in a `with`.

    The key goes out in one header to one address, over https or to this very machine, and follows no redirect. Raises
    UnsafeEndpointError and KeyRefusedError before anything is sent.
    """

    def __init__(
        self,
        *,
        key: str,
        endpoint: str = ENDPOINT,
        per_minute: int = 600,
        sleep: Callable[[float], None] = time.sleep,
        read_seconds: float = READ_SECONDS,
    ) -> None:
        is_here = check_endpoint(endpoint)
        if not KEY.fullmatch(key):
            raise KeyRefusedError(f"{KEY_VARIABLE} has a space or a character that a key cannot have. Correct it.")
        self._endpoint, self._sleep, self._key = endpoint, sleep, key.encode()
        self._turns = TokenBucket(per_minute / 60, MOST_PICTURES)
        # Unpacked, an answer could be any size: it is asked for as it is. A proxy must not see the key unencrypted.
        headers = {"x-goog-api-key": key, "content-type": "application/json", "accept-encoding": "identity"}
        timeout = httpx.Timeout(read_seconds, connect=CONNECT_SECONDS)
        self._http = httpx.Client(headers=headers, timeout=timeout, follow_redirects=False, trust_env=not is_here)

    def __enter__(self) -> WebEntities:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def ask(self, pictures: Sequence[bytes]) -> Asked:
        """Ask about each picture (a whole file's bytes). What cannot go on is no exception, so that nothing is lost.

        A picture is paid for once; where an answer is lost on its way and it is asked again, Google may count it twice.
        """
        outcomes: dict[int, Found | NotTaken] = {}
        error = None
        try:
            for batch in batches(pictures):
                self._ask_batch(batch, outcomes)
        except WebSearchError as stopped:
            error = stopped
        for at, picture in enumerate(pictures):
            if (n := base64_length(picture)) > MOST_REQUEST_BYTES:
                outcomes[at] = NotTaken(NOT_SENT, TOO_LARGE.format(n=n, most=MOST_REQUEST_BYTES))
        return Asked(tuple(outcomes.get(at) for at in range(len(pictures))), error)

    def _ask_batch(self, batch: Mapping[int, bytes], outcomes: dict[int, Found | NotTaken]) -> None:
        """Ask until every picture of the batch has an outcome. Raises WebSearchError where that cannot be."""
        try:
            self._retrying()(self._ask_once, batch, outcomes)
        except _StillOpenError as still:
            outcomes |= {
                at: NotTaken("unanswered", not_yet.message, is_final=False) for at, not_yet in still.open.items()
            }
        except UnfitRequestError as error:
            left = {at: picture for at, picture in batch.items() if at not in outcomes}
            if len(left) == 1:
                outcomes |= {at: NotTaken(error.code, str(error), is_final=False) for at in left}
            else:
                for at, picture in left.items():
                    self._ask_batch({at: picture}, outcomes)

    def _ask_once(self, batch: Mapping[int, bytes], outcomes: dict[int, Found | NotTaken]) -> None:
        """One request for what of the batch is still open. Raises what `_post` does, and where some stay open."""
        left = {at: picture for at, picture in batch.items() if at not in outcomes}
        still: dict[int, NotYet] = {}
        for at, answer in zip(left, self._post(list(left.values())), strict=True):
            if isinstance(answer, NotYet):
                still[at] = answer
            else:
                outcomes[at] = answer
        for not_yet in still.values():
            if not_yet.code == RESOURCE_EXHAUSTED:
                raise QuotaSpentError(not_yet.message)
        if still:
            raise _StillOpenError(still)

    def _retrying(self) -> Retrying:
        return Retrying(
            retry=retry_if_exception_type(PassingError),
            stop=lambda state: stop_after_attempt(ATTEMPTS)(state) or _retry_after(state) > LONGEST_WAIT,
            wait=_pause,
            sleep=self._sleep,
            reraise=True,
        )

    def _post(self, pictures: Sequence[bytes]) -> list[Answer]:
        while not self._turns.can_consume(len(pictures)):
            self._sleep(self._turns.expected_time(len(pictures)))
        try:
            reply = self._exchange(request_body(pictures))
        except httpx.TimeoutException as error:
            raise UnreachableError("it did not answer in time") from error
        except httpx.ConnectError as error:
            raise UnreachableError(f"the connection failed ({printable(str(error))})") from error
        except httpx.HTTPError as error:
            raise UnreachableError(f"the connection broke ({type(error).__name__})") from error
        check_reply(reply)
        return read_answers(reply.body, n=len(pictures))

    def _exchange(self, body: bytes) -> Reply:
        """Send, and read no more than MOST_ANSWER_BYTES within ANSWER_SECONDS. An echo of the key is blotted out."""
        started, content = time.monotonic(), bytearray()
        with self._http.stream("POST", self._endpoint, content=body) as response:
            for chunk in response.iter_raw():
                content += chunk
                if len(content) > MOST_ANSWER_BYTES:
                    raise UnfitRequestError(TOO_LONG.format(n=MOST_ANSWER_BYTES))
                if time.monotonic() - started > ANSWER_SECONDS:
                    raise httpx.ReadTimeout("The answer came too slowly.")
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Reply(response.status_code, headers, bytes(content).replace(self._key, b"..."))


def check_endpoint(endpoint: str) -> bool:
    """Whether the endpoint is this very machine. Raises UnsafeEndpointError where it is neither that nor https."""
    try:
        parts = urlsplit(endpoint)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        parts, host = urlsplit(""), ""
    if (host and parts.scheme == "https") or (host in LOOPBACK and parts.scheme == "http"):
        return host in LOOPBACK
    raise UnsafeEndpointError(
        f"{ENDPOINT_VARIABLE} must be an https address, because Connote sends the key to it. Correct it."
    )


def batches(pictures: Sequence[bytes]) -> Iterator[dict[int, bytes]]:
    """The pictures by their place, in order, as many as a request takes; one too large for any is left out."""
    batch: dict[int, bytes] = {}
    size = 0
    for at, picture in enumerate(pictures):
        length = base64_length(picture)
        if length > MOST_REQUEST_BYTES:
            continue
        if len(batch) == MOST_PICTURES or size + length > MOST_REQUEST_BYTES:
            yield batch
            batch, size = {}, 0
        batch[at] = picture
        size += length
    if batch:
        yield batch


def base64_length(picture: bytes) -> int:
    """How many letters base64 makes of it."""
    return 4 * -(-len(picture) // 3)


def request_body(pictures: Sequence[bytes]) -> bytes:
    """The documented request: each picture's bytes in base64, and the one feature that is asked for."""
    features = [{"type": "WEB_DETECTION", "maxResults": MOST_PAGES}]
    requests = [{"image": {"content": b64encode(one).decode()}, "features": features} for one in pictures]
    return json.dumps({"requests": requests}).encode()


def _retry_after(state: RetryCallState) -> float:
    error = state.outcome and state.outcome.exception()
    return error.retry_after if isinstance(error, PassingError) else 0


def _pause(state: RetryCallState) -> float:
    """1, 2, 4 ... seconds or what Google asks for, and up to half as much again, so that workers do not come together.

    The jitter is no part of any result, so it needs no seed.
    """
    seconds = max(BACKOFF(state), _retry_after(state))
    return seconds + random.uniform(0, min(seconds, 20) / 2)
