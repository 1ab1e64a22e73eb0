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

import pytest

from deploy.probe import answers
from deploy.processes import Process, free_port
from processor_time import children_of

APPLICATION = """
import os, time
from django.conf import settings

settings.configure(EMBEDDED=False)

def application(environ, start_response):
    time.sleep(0.002)
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
    named = ["--pythonpath", str(tmp_path), "--bind", f"127.0.0.1:{port}"]
    environment = os.environ | {"WEB_CONCURRENCY": "2"}
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
