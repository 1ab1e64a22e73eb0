"""How asking Google Vision can go wrong, each as a sentence that says what to do. No sentence can hold the key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from workers.engines.protocols import EngineError

KEY_VARIABLE = "CONNOTE_GOOGLE_VISION_KEY"
ENDPOINT_VARIABLE = "CONNOTE_GOOGLE_VISION_ENDPOINT"
LATER = "Connote kept the earlier answers. Retry this run later. Then it sends only the other images."
MOST_SAID = 200  # letters of what Google says in a sentence of ours


class WebSearchError(EngineError):
    """The web search cannot go on. What was answered before stays good."""

    code = "web_search"


class UnsafeEndpointError(WebSearchError):
    """The endpoint is one that the key must not be sent to."""

    code = "unsafe_endpoint"


class KeyRefusedError(WebSearchError):
    """Google does not take the key."""

    code = "key_refused"


class UnfitRequestError(WebSearchError):
    """One of the pictures in a request may be at fault, and the others not: they are asked one by one."""

    code = "not_taken"


class PassingError(WebSearchError):
    """What may be over in a while. `retry_after` is how many seconds Google wants to be left alone; 0 where unsaid."""

    code = "unreachable"

    def __init__(self, message: str, *, retry_after: float = 0) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class QuotaSpentError(PassingError):
    """Google answers no more for now."""

    code = "quota_spent"

    def __init__(self, said: str, *, retry_after: float = 0) -> None:
        wait = f", and you must wait {retry_after:,.0f} seconds" if retry_after else ""
        super().__init__(
            (
                f"The quota of Google Vision is used up ({said}){wait}. {LATER} Or raise the quota in the "
                "Google Cloud console."
            ),
            retry_after=retry_after,
        )


class UnreachableError(PassingError):
    """Google does not answer, or says that it cannot at the moment."""

    def __init__(self, what: str, *, retry_after: float = 0) -> None:
        super().__init__(f"Connote cannot reach Google Vision now: {what}. {LATER}", retry_after=retry_after)


class MalformedError(PassingError):
    """An answer that is not in the documented form; a proxy's page, say."""

    code = "malformed_answer"

    def __init__(self, what: str) -> None:
        super().__init__(f"Connote cannot use the answer of Google Vision: {what}. {LATER}")


@dataclass(frozen=True)
class Reply:
    """One answer over HTTP: its status, its headers in small letters, and its body, never more than the cap."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def check_reply(reply: Reply) -> None:
    """Raises what the reply says, as one of the errors above; returns where its status is 200."""
    if reply.status == 200:
        return
    said, reason = _read_fault(reply.body)
    retry_after = read_retry_after(reply.headers.get("retry-after", ""))
    says = f"{reply.status} {said or reason}".strip()
    if reply.status in (401, 403) or reason == "API_KEY_INVALID":
        raise KeyRefusedError(f"Google Vision refuses the key in {KEY_VARIABLE} ({says}). Correct it, then retry.")
    if reply.status == 429 or reason == "RESOURCE_EXHAUSTED":
        raise QuotaSpentError(says, retry_after=retry_after)
    if reply.status == 408 or reply.status >= 500:
        raise UnreachableError(f"it answered {says}", retry_after=retry_after)
    if reply.status in (400, 413):
        raise UnfitRequestError(f"Google Vision refuses the image ({says}).")
    raise WebSearchError(_unexpected(reply.status, says))


def _unexpected(status: int, says: str) -> str:
    if 300 <= status < 400:
        return (
            f"The endpoint redirects to another address ({status}). Connote does not send the key there. "
            f"Correct {ENDPOINT_VARIABLE}."
        )
    return f"The endpoint answered {says}. This is not an answer of Google Vision. Check {ENDPOINT_VARIABLE}."


def _read_fault(body: bytes) -> tuple[str, str]:
    """(message, reason) of Google's error body, both empty where it is none; a reason beats the status's name.

    The documented form: `{"error": {"code", "message", "status", "details": [{"reason": "API_KEY_INVALID", ...}]}}`.
    """
    try:
        error = json.loads(body)["error"]
        reasons = [one.get("reason") for one in error.get("details", []) if isinstance(one, dict)]
        known = next((reason for reason in reasons if isinstance(reason, str)), error.get("status"))
        return printable(error.get("message")), printable(known)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return "", ""


def read_retry_after(value: str) -> float:
    """Seconds from now that a Retry-After header asks for, as a number or a date (RFC 9110, 10.2.3); 0 for nonsense."""
    if value.strip().isascii() and value.strip().isdigit():
        return float(value.strip()[:9])
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return 0
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0, (until - datetime.now(UTC)).total_seconds())


def printable(said: object) -> str:
    """What somebody else said, fit for a sentence: one line without control characters, shortened."""
    if not isinstance(said, str):
        return ""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in said[: 10 * MOST_SAID]).split())
    return line if len(line) <= MOST_SAID else f"{line[: MOST_SAID - 3]}..."
