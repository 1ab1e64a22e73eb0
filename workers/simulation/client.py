"""A program that annotates: it signs every request with a token and knows nothing but what the API tells it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any
from uuid import uuid4

import httpx

SECONDS = 60.0


class ApiRefusedError(Exception):
    """The site answered with an error, or not at all; the message is its own sentence."""


class ApiClient:
    """One person's access to one site. Close it, or use it in a `with`."""

    def __init__(self, site: str, *, token: str) -> None:
        headers = {"Authorization": f"Token {token}"}
        self._http = httpx.Client(base_url=f"{site}/api/v1", headers=headers, timeout=SECONDS, trust_env=False)

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
        try:
            answer = self._http.request(method, address, **request)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ApiRefusedError(f"{self._http.base_url} did not answer: {error}") from error
        if not answer.is_success:
            raise ApiRefusedError(_sentence(answer))
        try:
            return dict(answer.json()) if answer.content else {}
        except ValueError as error:
            raise ApiRefusedError(f"{self._http.base_url} is no site of Connote: it answers in another way.") from error


def _sentence(answer: httpx.Response) -> str:
    try:
        said = answer.json()["message"]
    except (ValueError, KeyError, TypeError):
        said = "no reason was given"
    return f"{answer.request.url.path} answered {answer.status_code}: {said}"
