"""nginx as it is configured, before the real web service: people share the connections between the two."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from deploy import compose, native, proxy
from deploy.throwaway import running, temporary_folder
from embedded_site import embedded_site

SERVICE = compose.services(
    {"CONNOTE_SECRET_KEY": "k" * 40, "CONNOTE_DATABASE_PASSWORD": "p" * 20, "CONNOTE_REDIS_PASSWORD": "r" * 20}
)["proxy"]
JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "multipart/form-data; boundary=b"}
MB = 1024 * 1024
# What is refused before anybody read it: by Django where nginx kept it, by Django while it comes in, by nginx itself.
REFUSED = [
    ("/api/v1/projects", JSON, 9 * MB, 401),
    ("/api/v1/session", JSON, 9 * MB, 403),
    ("/api/v1/nothing", JSON, 2 * MB, 404),
    ("/api/v1/projects/skies/uploads", FORM, 15 * MB, 401),
    ("/api/v1/projects", JSON, 12 * MB, 413),
    ("/api/v1/projects/skies/uploads", FORM, 30 * MB, 413),
]
PEOPLE, POSTS, ROUNDS = 8, 60, 6

pytestmark = [pytest.mark.stack, pytest.mark.nightly]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[native.Place]:
    with embedded_site(tmp_path_factory.mktemp("site")) as web, temporary_folder() as folder:
        place = native.Place(folder, "", "", web_port=urlsplit(web.url).port or 0)
        (folder / "dist").mkdir()
        proxy.write_configuration(place, {"CONNOTE_MAX_UPLOAD_MB": "20", "CONNOTE_HTTPS": "false"}, folder / "dist")
        with running(native.process_of(SERVICE, place), ["bash", "-c", f": < /dev/tcp/127.0.0.1/{place.proxy_port}"]):
            yield place


def post(connection: HTTPConnection, address: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
    """The answer, which may come before all of the body is sent."""
    with suppress(BrokenPipeError, ConnectionResetError):
        connection.request("POST", address, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_a_large_body_that_is_refused_breaks_nobody_elses_post(site: native.Place) -> None:
    """nginx does not send a failed POST again, so whoever gets a broken connection gets a 502."""
    is_over = threading.Event()

    def work() -> Counter[tuple[int, str]]:
        """One person who sends small requests on one connection to nginx."""
        found = Counter[tuple[int, str]]()
        with closing(HTTPConnection("127.0.0.1", site.proxy_port, timeout=60)) as connection:
            while not is_over.is_set() or sum(found.values()) < POSTS:
                status, body = post(connection, "/api/v1/session", b"{}", JSON)
                found[status, json.loads(body)["code"] if body[:1] == b"{" else body[:80].decode()] += 1
        return found

    def disturb(address: str, headers: dict[str, str], n_bytes: int) -> set[int]:
        statuses = set()
        for _ in range(ROUNDS):
            with closing(HTTPConnection("127.0.0.1", site.proxy_port, timeout=60)) as connection:
                statuses.add(post(connection, address, b"x" * n_bytes, headers)[0])
        return statuses

    with ThreadPoolExecutor(PEOPLE + len(REFUSED)) as pool:
        working = [pool.submit(work) for _ in range(PEOPLE)]
        try:
            disturbing = [pool.submit(disturb, *refused[:3]) for refused in REFUSED]
            statuses = [each.result() for each in disturbing]
        finally:
            is_over.set()
        found = sum((person.result() for person in working), Counter[tuple[int, str]]())
    assert statuses == [{status} for *_, status in REFUSED]
    assert set(found) == {(403, "csrf_failed")}, found
    assert sum(found.values()) >= PEOPLE * POSTS
