"""HTTP to one site: the token, retries, pages, and errors as exceptions."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

from connote_client.cache import default_cache
from connote_client.errors import ApiError, NoAnswer, NotConnote, TooManyRequests, kind_of

VERSION = "0.1.0"
MOST_ROWS = 500  # in a page; the site gives fewer where its own limit is lower
FULL = (429, 503)  # with Retry-After the site itself asks to try again
AWAY = (502, 503, 504)
REPEATABLE = ("GET", "HEAD", "PUT", "DELETE")
FIRST_WAIT, LONGEST_STEP = 0.5, 8.0  # seconds between tries without Retry-After
Json = dict[str, Any]


class Site:
    """One site, for one person. A request is tried again where that cannot do anything twice."""

    def __init__(
        self,
        url: str,
        *,
        token: str = "",
        timeout: float = 60.0,
        retries: int = 4,
        longest_wait: float = 120.0,
        cache: str | Path | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise ValueError(f"{url!r} is not the address of a site. Write for example https://connote.example.org.")
        self.url = url.rstrip("/")
        self.cache = Path(cache) if cache is not None else default_cache()
        self._origin = (parts.scheme, parts.netloc)
        self._token, self._retries, self._longest_wait = token, retries, longest_wait
        headers = {"User-Agent": f"connote-client/{VERSION}", "Accept": "application/json, */*;q=0.1"}
        self._http = httpx.Client(headers=headers, timeout=timeout, transport=transport)

    def __repr__(self) -> str:
        return f"<Site {self.url}>"

    def close(self) -> None:
        self._http.close()

    def api(self, path: str) -> str:
        """The address of a path of the API: `/projects`."""
        return f"{self.url}/api/v1/{path.lstrip('/')}"

    def address(self, link: str) -> str:
        """A link of an answer as an address. Links are paths from the root of the host."""
        return urljoin(f"{self.url}/", link)

    def ask(self, method: str, path: str, *, repeatable: bool = False, **request: Any) -> Any:
        """The JSON of one answer, None where it is empty. `repeatable`: a second try does nothing twice.

        Raises ApiError, NoAnswer and NotConnote.
        """
        answer = self._send(method, self.api(path), repeatable=repeatable, **request)
        try:
            if not answer.is_success:
                answer.read()
                raise _refusal(answer)
            return answer.json() if answer.content else None
        except ValueError as error:
            raise NotConnote(f"{answer.request.url} does not answer with JSON. Is it a Connote site?") from error

    def get(self, path: str, **query: Any) -> Any:
        return self.ask("GET", path, params=without_none(query))

    def rows(self, path: str, **query: Any) -> Iterator[Any]:
        """Every row of a list, page by page. A page is fetched when its first row is needed."""
        page = self.get(path, **{"limit": MOST_ROWS, **query})
        while True:
            yield from page["results"]
            if not page["next"]:
                return
            # Only the query: behind some proxies the host in `next` is not the one that was asked.
            page = self.ask("GET", f"{path}?{urlsplit(page['next']).query}")

    @contextmanager
    def stream(self, link: str, headers: Mapping[str, str] | None = None) -> Iterator[httpx.Response]:
        """The open answer to a GET of a link, whose bytes the caller reads. Raises ApiError and NoAnswer."""
        answer = self._send("GET", self.address(link), headers=dict(headers or {}), stream=True, follow_redirects=True)
        try:
            if not answer.is_success:
                answer.read()
                raise _refusal(answer)
            yield answer
        except httpx.TransportError as error:
            raise NoAnswer(f"{self.url} stopped in the middle of an answer: {error}") from error
        finally:
            answer.close()

    def read(self, link: str) -> bytes:
        """The bytes behind a link of the site, for example a picture. Raises ApiError and NoAnswer."""
        with self.stream(link) as answer:
            return answer.read()

    def _send(
        self, method: str, url: str, *, repeatable: bool = False, stream: bool = False, follow_redirects: bool = False,
        headers: Mapping[str, str] | None = None, **request: Any,
    ) -> httpx.Response:  # fmt: skip
        sent = dict(headers or {})
        if self._token and self._origin == urlsplit(url)[:2]:  # never to another host
            sent["Authorization"] = f"Token {self._token}"
        may_repeat = repeatable or method in REPEATABLE
        for n_tried in range(self._retries + 1):
            is_last = n_tried == self._retries
            try:
                made = self._http.build_request(method, url, headers=sent, **request)
                answer = self._http.send(made, stream=stream, follow_redirects=follow_redirects)
            except (httpx.TransportError, httpx.InvalidURL) as error:
                if is_last or not (may_repeat or isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout))):
                    raise NoAnswer(f"{self.url} does not answer: {error or type(error).__name__}") from error
                seconds = _pause(n_tried)
            else:
                wait = self._wait_for(answer, n_tried, may_repeat=may_repeat)
                if wait is None or is_last:
                    return answer
                answer.close()
                seconds = wait
            time.sleep(seconds)
        raise AssertionError("The last try returns or raises.")

    def _wait_for(self, answer: httpx.Response, n_tried: int, *, may_repeat: bool) -> float | None:
        """Seconds until the next try; None where this answer is the last word."""
        asked = retry_after(answer) if answer.status_code in FULL else None
        if asked is not None:
            return asked if asked <= self._longest_wait else None
        if answer.status_code == 429 or (answer.status_code in AWAY and may_repeat):
            return _pause(n_tried)
        return None


def without_none(query: Mapping[str, Any]) -> Json:
    """The values that are given. Booleans are written as JSON writes them."""
    words = {True: "true", False: "false"}
    return {
        name: words[value] if isinstance(value, bool) else value for name, value in query.items() if value is not None
    }


def retry_after(answer: httpx.Response) -> float | None:
    """The seconds of Retry-After, which may also be a date; None without a readable one."""
    text = answer.headers.get("Retry-After", "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        left: float = (parsedate_to_datetime(text) - datetime.now(timezone.utc)).total_seconds()
        return max(0.0, left)
    except (ValueError, TypeError):
        return None


def _pause(n_tried: int) -> float:
    """Longer after each try, and not the same for all clients of a site that comes back."""
    return min(LONGEST_STEP, FIRST_WAIT * 2.0**n_tried) * random.uniform(0.75, 1.25)


def _refusal(answer: httpx.Response) -> ApiError | NotConnote:
    """The exception for an answer that is an error."""
    if answer.is_redirect:
        return NotConnote(f"The site sends requests to {answer.headers.get('Location')}. Use that address.")
    try:
        said = answer.json()
        message, code = str(said["message"]), str(said["code"])
    except (ValueError, KeyError, TypeError):
        if answer.status_code < 500 and answer.status_code != 429:
            return NotConnote(
                f"{answer.request.url} answered {answer.status_code} without a reason. Is the site right?"
            )
        said, message, code = {}, f"The site answered {answer.status_code} without a reason.", ""
    kind = kind_of(answer.status_code)
    told = {
        "code": code,
        "status": answer.status_code,
        "details": said.get("details"),
        "request_id": said.get("request_id"),
    }
    if kind is TooManyRequests:
        return TooManyRequests(message, seconds=retry_after(answer) or 0.0, **told)
    return kind(message, **told)
