"""A program that annotates: it signs every request with a token and knows nothing but what the API tells it."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from types import TracebackType
from typing import Any
from uuid import uuid4

import httpx

from workers.simulation.patience import LONGEST, Patience

ASKED_AGAIN_AFTER = 0.5  # seconds
GONE = (502, 503, 504)  # what is said for a site that does not answer itself
FULL = 429  # another moment may change this, too
CROWDED = "crowded"  # the code of a conflict that says so itself
DONE_BEFORE = ("already_skipped", "answer_final")  # what a repeated request hears whose first answer was lost


class ApiRefusedError(Exception):
    """The site answered with an error, or not at all; the message is its own sentence."""

    def __init__(self, message: str, *, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class SiteAwayError(ApiRefusedError):
    """The site is down, starts anew or is full: the same request may go better a moment later."""


class ApiClient:
    """One person's access to one site. Close it, or use it in a `with`.

    While `patience` lasts a site that is away is asked again: nobody goes home over a process that was restarted.
    `wait` lets seconds pass, and says whether it is time to give up.
    """

    def __init__(
        self,
        site: str,
        *,
        token: str,
        patience: Patience | None = None,
        wait: Callable[[float], bool | None] = time.sleep,
    ) -> None:
        self._patience, self._wait = patience or Patience(), wait
        self._http = httpx.Client(
            base_url=f"{site}/api/v1", headers={"Authorization": f"Token {token}"}, timeout=LONGEST, trust_env=False,
            verify=_trusted(),
        )  # fmt: skip

    def __enter__(self) -> ApiClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def rows(self, address: str) -> Iterator[dict[str, Any]]:
        """Every row of a list, page after page. Raises ApiRefusedError."""
        following: str | None = address
        while following:
            page = self._read("GET", following)
            yield from page["results"]
            following = page["next"]

    def get(self, address: str) -> dict[str, Any]:
        """The JSON there. Raises ApiRefusedError."""
        return self._read("GET", address)

    def post(self, address: str, body: object = None) -> dict[str, Any]:
        """The JSON that this gets, {} where there is none. Raises ApiRefusedError."""
        return self._read("POST", address, json=body)

    def next_assignment(self, project: str) -> dict[str, Any] | None:
        """The HIT this person holds, or else the next that needs them; None when there is none left."""
        found = self._read("POST", f"/projects/{project}/assignments/next")["assignment"]
        return dict(found) if found else None

    def count_judgments(self, project: str) -> int:
        """How many pairs of the project this person has judged. Raises ApiRefusedError."""
        return int(self._read("GET", f"/projects/{project}/progress")["mine"]["judgments_total"])

    def submit(self, assignment_id: str, judgments: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
        """Send every judgment of a HIT. The next HIT comes with the answer."""
        found = self._read(
            "POST", f"/assignments/{assignment_id}/submit",
            json={"judgments": list(judgments), "fetch_next": True}, headers={"Idempotency-Key": uuid4().hex},
        )["next"]  # fmt: skip
        return dict(found) if found else None

    def _read(self, method: str, address: str, **request: Any) -> dict[str, Any]:
        started, is_repeated = time.monotonic(), False
        while True:
            try:
                return self._ask(method, address, **request)
            except SiteAwayError:
                if self._patience.ends(started) or self._wait(ASKED_AGAIN_AFTER):
                    raise
            except ApiRefusedError as refused:
                if not (is_repeated and refused.code in DONE_BEFORE):
                    raise
                return {}
            is_repeated = True

    def _ask(self, method: str, address: str, **request: Any) -> dict[str, Any]:
        try:
            answer = self._send(method, address, **request)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            kind = SiteAwayError if isinstance(error, httpx.TransportError) else ApiRefusedError
            raise kind(f"{self._http.base_url} did not answer: {error}") from error
        if not answer.is_success:
            raise _refusal(answer)
        try:
            return dict(answer.json()) if answer.content else {}
        except ValueError as error:
            raise ApiRefusedError(
                f"{self._http.base_url} is not a Connote site, because its answers have another form."
            ) from error

    def _send(self, method: str, address: str, **request: Any) -> httpx.Response:
        seconds, is_there = self._patience.asked(), False
        try:
            answer = self._http.request(method, address, timeout=seconds, **request)
            is_there = answer.status_code not in GONE
            return answer
        finally:
            self._patience.answered(by_the_site=is_there)


@cache
def _trusted() -> ssl.SSLContext:
    """Whom every client trusts: read anew for each it would be most of a client's memory and of its start."""
    return httpx.create_ssl_context(trust_env=False)


def _refusal(answer: httpx.Response) -> ApiRefusedError:
    try:
        said = answer.json()
        message, code = said["message"], str(said.get("code", ""))
    except (ValueError, KeyError, TypeError, AttributeError):
        message, code = "no reason was given", ""
    kind = SiteAwayError if answer.status_code in (*GONE, FULL) or code == CROWDED else ApiRefusedError
    return kind(f"{answer.request.url.path} answered {answer.status_code}: {message}", code=code)
