"""deploy/gunicorn.conf.py with a small application behind it: connections find the process that has time for them."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from deploy.probe import answers
from deploy.processes import Process, free_port
from processor_time import children_of

APPLICATION = """
import os, time
from django.conf import settings
from prometheus_client import CollectorRegistry, Counter, generate_latest, multiprocess

settings.configure(EMBEDDED=False)
ASKED = Counter("asked", "Requests.")

def application(environ, start_response):
    time.sleep(0.002)
    ASKED.inc()
    if environ["PATH_INFO"] == "/metrics":
        start_response("200 OK", [("Content-Type", "text/plain")])
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)
        return [generate_latest(registry)]
    if environ["PATH_INFO"] == "/scheme":
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [environ["wsgi.url_scheme"].encode()]
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [str(os.getpid()).encode()]
"""
N_CLIENTS = 8


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[Process, int]]:
    """gunicorn with two processes, and its port."""
    (tmp_path / "telling.py").write_text(APPLICATION)
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "telling", "-c", "deploy/gunicorn.conf.py"]
    named = ["--pythonpath", str(tmp_path), "--bind", f"127.0.0.1:{port}", "--graceful-timeout", "2"]
    (tmp_path / "temporary").mkdir()
    environment = os.environ | {"WEB_CONCURRENCY": "2", "TMPDIR": str(tmp_path / "temporary")}
    process = Process("web", [*command, *named], log=tmp_path / "web.log", environment=environment)
    process.start()
    try:
        process.wait_until(lambda: len(children_of(process.pid)) == 2, timeout=30)
        process.wait_until(lambda: answers(f"http://127.0.0.1:{port}", timeout=5), timeout=30)
        yield process, port
    finally:
        process.stop()


@pytest.fixture
def connections(server: tuple[Process, int]) -> Iterator[list[HTTPConnection]]:
    with ExitStack() as kept:
        yield [
            kept.enter_context(closing(HTTPConnection("127.0.0.1", server[1], timeout=20))) for _ in range(N_CLIENTS)
        ]


def answering(connection: HTTPConnection) -> int:
    """The process that answers it."""
    connection.request("GET", "/")
    return int(connection.getresponse().read())


def keep_asking(connection: HTTPConnection) -> Counter[int]:
    """Which process answered how often within two seconds, without a pause between."""
    until, answered = time.monotonic() + 2, Counter[int]()
    while time.monotonic() < until:
        answered[answering(connection)] += 1
    return answered


@pytest.mark.nightly
def test_connections_that_one_process_took_are_shared_out_when_there_is_work_for_two(
    server: tuple[Process, int], connections: list[HTTPConnection]
) -> None:
    stopped, alone = children_of(server[0].pid)
    os.kill(stopped, signal.SIGSTOP)
    try:
        assert {answering(connection) for connection in connections} == {alone}
    finally:
        os.kill(stopped, signal.SIGCONT)

    with ThreadPoolExecutor(N_CLIENTS) as people:
        answered = sum(people.map(keep_asking, connections), Counter[int]())

    assert min(answered[stopped], answered[alone]) > 0.2 * answered.total()


def test_connections_that_are_asked_one_by_one_stay_where_they_are(connections: list[HTTPConnection]) -> None:
    first = [answering(connection) for connection in connections]
    assert all([answering(connection) for connection in connections] == first for _ in range(20))


def asked_so_far(port: int) -> float:
    with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("asked_total "))


def files_of(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "temporary").glob("connote-metrics-*/*"))


def replace_workers(server: tuple[Process, int]) -> None:
    """kill -9 the workers, and wait for those that take their places."""
    process, port = server
    killed = children_of(process.pid)
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    process.wait_until(lambda: len(set(children_of(process.pid)) - set(killed)) == 2, timeout=30)
    process.wait_until(lambda: answers(f"http://127.0.0.1:{port}", timeout=5), timeout=30)


@pytest.mark.nightly
def test_killed_processes_leave_their_counts_and_no_files(server: tuple[Process, int], tmp_path: Path) -> None:
    """A scrape reads every file. Without reuse of files it gets slower with each process that ends."""
    for _ in range(10):
        urlopen(f"http://127.0.0.1:{server[1]}").close()
    before = asked_so_far(server[1])
    for _ in range(3):
        replace_workers(server)
    assert asked_so_far(server[1]) > before >= 10
    assert len(files_of(tmp_path)) <= 2, files_of(tmp_path)


@pytest.mark.nightly
def test_a_new_server_removes_the_counters_of_a_killed_one(server: tuple[Process, int], tmp_path: Path) -> None:
    process, port = server
    (first,) = (tmp_path / "temporary").glob("connote-metrics-*")
    process.kill()
    process.start()
    process.wait_until(lambda: answers(f"http://127.0.0.1:{port}", timeout=5), timeout=30)
    (second,) = (tmp_path / "temporary").glob("connote-metrics-*")
    assert first != second


@pytest.mark.nightly
def test_reading_the_settings_again_keeps_the_counters(server: tuple[Process, int], tmp_path: Path) -> None:
    process, port = server
    before, old = asked_so_far(port), children_of(process.pid)
    os.kill(process.pid, signal.SIGHUP)
    process.wait_until(lambda: not set(old) & set(children_of(process.pid)), timeout=60)
    process.wait_until(lambda: answers(f"http://127.0.0.1:{port}", timeout=5), timeout=30)
    assert asked_so_far(port) > before
    assert len(list((tmp_path / "temporary").glob("connote-metrics-*"))) == 1


def test_a_client_does_not_say_which_scheme_it_came_by(server: tuple[Process, int]) -> None:
    claim = Request(f"http://127.0.0.1:{server[1]}/scheme", headers={"X-Forwarded-Proto": "https"})
    with urlopen(claim) as answer:
        assert answer.read() == b"http"
