"""What Google Vision's WEB_DETECTION answers, cut down to page titles and domains; all else is let go of here.

The documented answer: `{"responses": [{"webDetection": {"pagesWithMatchingImages": [{"url", "pageTitle", ...}]}} or
{"error": {"code", "message"}}]}`, one response for each picture in the order sent. A picture nobody uses has an empty
response. Titles come with markup and entities and stay as they are: cleaning is a stage of its own (IMP, C.2 and C.3).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from workers.engines.web_faults import MalformedError, printable

MOST_PAGES = 50  # asked for and kept, of one picture
MOST_TITLE_BYTES = 100_000  # as of any imported caption
NO_TEXT = re.compile("[\x00\ud800-\udfff]")
HOST = re.compile(r"[\w.-]{1,253}")
# google.rpc.Code: what may be answered another time. Anything else is an answer.
DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, INTERNAL, UNAVAILABLE = 4, 8, 10, 13, 14
PASSING_CODES = frozenset({DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, INTERNAL, UNAVAILABLE})


class WebTitle(NamedTuple):
    """A page's title as it came, and the host of its address; empty where the address has none."""

    title: str
    domain: str


@dataclass(frozen=True)
class Found:
    """The titles of the pages that show a picture, best page first. `left_out` counts others: `{reason: how many}`."""

    titles: tuple[WebTitle, ...] = ()
    left_out: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class NotTaken:
    """Google looked at the picture and refuses it: `code` for programs, `message` for people.

    `is_final` where asking again would not change it; a whole request that is refused could have other reasons.
    """

    code: str
    message: str
    is_final: bool = field(default=True, compare=False)


@dataclass(frozen=True)
class NotYet:
    """No answer this time; another request may get one. `code` is google.rpc.Code's."""

    code: int
    message: str


Answer = Found | NotTaken | NotYet


def read_answers(body: bytes, *, n: int) -> list[Answer]:
    """The result of each of the n pictures, in the order sent.

    Raises MalformedError where the body is not in the documented form. With fewer or more responses than pictures
    nobody can say whose titles are whose, so none is taken.
    """
    try:
        responses = json.loads(body)["responses"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise MalformedError("its answer is not JSON in the documented form") from error
    if not isinstance(responses, list) or not all(isinstance(one, dict) for one in responses):
        raise MalformedError("its responses are not a list of objects")
    if len(responses) != n:
        raise MalformedError(f"it sent {len(responses):,} responses for {n:,} images")
    return [_read(response) for response in responses]


def _read(response: dict[str, Any]) -> Answer:
    """What is filled in is right even beside an error: so says the documentation of AnnotateImageResponse."""
    found = response.get("webDetection")
    error = response.get("error")
    if isinstance(error, dict) and error and not isinstance(found, dict):
        code = error.get("code")
        message = printable(error.get("message")) or "It gave no reason."
        return NotYet(code, message) if code in PASSING_CODES else NotTaken("not_taken", message)
    pages = found.get("pagesWithMatchingImages") if isinstance(found, dict) else None
    return _titles_of(pages if isinstance(pages, list) else [])


def _titles_of(pages: list[Any]) -> Found:
    titles: list[WebTitle] = []
    left_out: Counter[str] = Counter()
    for page in pages[:MOST_PAGES]:
        title = page.get("pageTitle") if isinstance(page, dict) else None
        if not isinstance(title, str) or not title.strip():
            continue
        if reason := _why_unfit(title):
            left_out[reason] += 1
        else:
            titles.append(WebTitle(title, host_of(page.get("url"))))
    return Found(tuple(titles), dict(sorted(left_out.items())))


def _why_unfit(title: str) -> str:
    """What an import refuses too, under the same names: a database holds neither NUL nor half a character."""
    if NO_TEXT.search(title):
        return "not_text"
    return "too_long" if len(title) * 4 > MOST_TITLE_BYTES and len(title.encode()) > MOST_TITLE_BYTES else ""


def host_of(url: object) -> str:
    """The host of an address in small letters, without user, port and path; empty where there is none to be read.

    >>> host_of("https://someone@Blog.Example.org:8080/2019/red-sky?from=mail")
    'blog.example.org'
    """
    try:
        host = urlsplit(url).hostname if isinstance(url, str) else None
    except ValueError:
        host = None
    return host if host and HOST.fullmatch(host) else ""
