"""Sending the messages of webhooks. A chore calls it every few seconds."""

from __future__ import annotations

import ssl
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

import httpcore
import httpx
import structlog
from django.conf import settings
from django.db import IntegrityError
from django.utils import timezone

from backend.webhooks import delivering
from backend.webhooks.addresses import PORTS
from backend.webhooks.delivering import Outcome
from backend.webhooks.models import Delivery, TryError
from workers.engines.public_web import (
    REDIRECTING,
    Deadline,
    NotPublicError,
    Policy,
    PublicWeb,
    UnknownHostError,
)

logger = structlog.get_logger(__name__)
AT_ONCE = 8
MOST_SECONDS = 15.0  # of one request
SECONDS = 20.0  # of one call of the chore: the worker has other work, too
MOST_ANSWER = 1024  # bytes of an answer that are kept
USER_AGENT = "Connote-Webhooks/1"


def deliver() -> int:
    """Send what is due, for about 20 seconds. Returns how many requests were made."""
    began, n = time.monotonic(), 0
    web: PublicWeb | None = None
    while time.monotonic() - began < SECONDS and (taken := delivering.take_due()):
        web = web or PublicWeb(Policy(ports=PORTS, also=settings.WEBHOOK_NETWORKS))
        n += len(taken)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            # The database is asked here alone: a thread would open a connection of its own.
            sent = {
                pool.submit(send, web, each.webhook.url, delivering.headers_of(each), each.body): each for each in taken
            }
            for future in as_completed(sent):
                _settle(sent[future], future.result())
    return n


def _settle(delivery: Delivery, outcome: Outcome) -> None:
    try:
        delivering.settle(delivery=delivery, outcome=outcome)
    except IntegrityError:
        logger.info("delivery_gone", delivery=delivery.message_id)  # its project is being deleted


def send(web: PublicWeb, url: str, headers: dict[str, str], body: str) -> Outcome:
    """Post one message. Whatever happens is an outcome."""
    at, began = timezone.now(), time.monotonic()
    named = {**headers, "content-type": "application/json", "user-agent": USER_AGENT, "connection": "close"}
    with Deadline(MOST_SECONDS) as deadline:
        try:
            with web.post(url, headers=named, content=body.encode(), trace=deadline.trace) as answer:
                said, status, retry_after = _first_bytes(answer), answer.status, _retry_after(answer)
        except Exception as error:
            what = TryError.TIMED_OUT if deadline.is_over else _what(error)
            return Outcome(at=at, ms=_ms_since(began), error=what)
    why = "" if 200 <= status < 300 else TryError.REDIRECTED if status in REDIRECTING else TryError.STATUS
    return Outcome(at=at, ms=_ms_since(began), status=status, error=why, answer=said, retry_after=retry_after)


def _what(error: Exception) -> TryError:
    match error:
        case NotPublicError():
            return TryError.NOT_PUBLIC
        case UnknownHostError():
            return TryError.UNKNOWN_HOST
        case httpcore.TimeoutException():
            return TryError.TIMED_OUT
        case httpcore.RemoteProtocolError():
            return TryError.BAD_ANSWER
        case httpcore.ConnectError() if isinstance(error.__cause__, ssl.SSLError):
            return TryError.BAD_CERTIFICATE
        case httpcore.NetworkError() | httpx.InvalidURL() | httpcore.ProtocolError() | OSError():
            return TryError.NO_CONNECTION
    logger.exception("webhook_not_sent", exc_info=error)
    return TryError.NO_CONNECTION


def _first_bytes(answer: httpcore.Response) -> str:
    """The beginning of the answer as text; the connection closes without the rest."""
    found = b""
    for chunk in answer.iter_stream():
        found += chunk
        if len(found) >= MOST_ANSWER:
            break
    return found[:MOST_ANSWER].decode("utf-8", "replace").replace("\x00", "\ufffd")


def _retry_after(answer: httpcore.Response) -> int:
    """The seconds that the receiver asks for; 0 where it names none, or a date."""
    said = next((value for name, value in answer.headers if name.lower() == b"retry-after"), b"").strip()
    return int(said) if said.isdigit() and len(said) < 8 else 0


def _ms_since(began: float) -> int:
    return round(1000 * (time.monotonic() - began))
