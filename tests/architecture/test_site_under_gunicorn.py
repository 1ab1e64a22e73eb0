"""The site as gunicorn serves it: kept connections after a refusal, and a database that is away."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from deploy import throwaway
from deploy.processes import Process
from embedded_site import EmbeddedSite, embedded_site

JSON = {"Content-Type": "application/json"}
TOKEN = {"Authorization": "Token connote_of_nobody"}  # to find that out, the database is asked

pytestmark = pytest.mark.stack


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Process]]:
    with throwaway.postgres_server((), log=tmp_path_factory.mktemp("postgres") / "log") as server:
        yield server


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedSite]:
    with embedded_site(tmp_path_factory.mktemp("embedded")) as running:
        yield running


@pytest.fixture(scope="module")
def postgres_site(tmp_path_factory: pytest.TempPathFactory, postgres: tuple[str, Process]) -> Iterator[EmbeddedSite]:
    """The site with two processes of three threads, on a PostgreSQL that a test may stop."""
    settings = {"CONNOTE_DATABASE_URL": postgres[0], "WEB_CONCURRENCY": "2"}
    with embedded_site(tmp_path_factory.mktemp("site"), **settings) as running:
        yield running


@pytest.mark.parametrize(
    ("method", "address", "headers", "status"),
    [
        ("POST", "/api/v1/projects", JSON, 401),
        ("POST", "/api/v1/session", JSON, 403),
        ("POST", "/api/v1/nothing", JSON, 404),
        ("POST", "/api/v1/projects/skies/uploads", {"Content-Type": "multipart/form-data; boundary=b"}, 401),
        ("PUT", "/health/live", {}, 403),
        ("POST", "/sign-in", {}, 405),
    ],
)
@pytest.mark.parametrize("n_kb", [1, 100, 9000])
def test_after_a_body_that_nobody_read_its_connection_takes_the_next_request(
    site: EmbeddedSite, method: str, address: str, headers: dict[str, str], status: int, n_kb: int
) -> None:
    """Proxies send requests of different people on one connection, and do not send a failed POST again."""
    with closing(HTTPConnection(site.url.removeprefix("http://"), timeout=20)) as connection:
        connection.request(method, address, b"x" * n_kb * 1024, headers)
        answer = connection.getresponse()
        answer.read()
        assert (answer.status, answer.headers["Connection"]) == (status, "keep-alive")
        used = connection.sock
        connection.request("POST", "/api/v1/session", b"{}", JSON)
        answer = connection.getresponse()
        assert (answer.status, json.loads(answer.read())["code"]) == (403, "csrf_failed")
        assert connection.sock is used


def test_a_refused_body_on_a_connection_that_closes_is_not_waited_for(site: EmbeddedSite) -> None:
    """As for uploads: the client may send the rest slowly, and would hold a thread."""
    with closing(HTTPConnection(site.url.removeprefix("http://"), timeout=5)) as connection:
        connection.putrequest("POST", "/api/v1/projects/skies/uploads")
        for name, value in {"Connection": "close", "Content-Length": "9000000"}.items():
            connection.putheader(name, value)
        connection.endheaders(b"the first bytes")
        assert connection.getresponse().status == 401


@pytest.mark.nightly
def test_while_the_database_is_away_the_site_says_so_at_once(
    postgres_site: EmbeddedSite, postgres: tuple[str, Process]
) -> None:
    site = postgres_site
    assert status_of(site, "/api/v1/me")[0] == 401
    postgres[1].stop()
    try:
        with ThreadPoolExecutor(12) as people:
            asking = [people.submit(keep_asking, site, seconds=7) for _ in range(11)]
            time.sleep(3.5)  # the first requests find out
            waits = [status_of(site, "/health/live") for _ in range(20)]
            found = [found for person in asking for found in person.result()]
        assert {status for status, _ in waits} == {200}
        assert max(seconds for _, seconds in waits) < 1
        assert {status for status, _ in found} == {503}
        assert len(found) > 150
    finally:
        postgres[1].start()
    back_by = time.monotonic() + 20
    while status_of(site, "/api/v1/me")[0] != 401:
        assert time.monotonic() < back_by, site.process.tail()
        time.sleep(0.2)


def keep_asking(site: EmbeddedSite, *, seconds: float) -> list[tuple[int, float]]:
    until, found = time.monotonic() + seconds, []
    while time.monotonic() < until:
        found.append(status_of(site, "/api/v1/me"))
        time.sleep(0.05)
    return found


def status_of(site: EmbeddedSite, address: str) -> tuple[int, float]:
    """The status of an answer, and how long it took in seconds."""
    began = time.monotonic()
    try:
        with urlopen(Request(f"{site.url}{address}", headers=TOKEN), timeout=30) as answer:
            return answer.status, time.monotonic() - began
    except HTTPError as refused:
        with refused:
            return refused.code, time.monotonic() - began
