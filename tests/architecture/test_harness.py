"""The tests' own servers: empty databases, and nothing left when the harness dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

import services
from deploy import throwaway

HARNESS = services.__file__


def test_the_fixtures_give_a_database_that_knows_unicode_and_a_redis(postgres_url: str, redis_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute("SELECT upper('é')").fetchone() == ("É",)
    assert redis.Redis.from_url(redis_url).ping()


def test_a_command_sees_both_servers_and_its_exit_status_is_kept() -> None:
    script = f"import os, sys; sys.exit(7 if os.environ['{services.DATABASE_VARIABLE}'] else 1)"
    assert services.run_with_services([sys.executable, "-c", script]) == 7


def test_a_server_named_by_the_environment_is_used_as_it_is(monkeypatch) -> None:
    monkeypatch.setenv(services.REDIS_VARIABLE, "redis://elsewhere:6379/3")
    with services.redis() as url:
        assert url == "redis://elsewhere:6379/3"


def test_what_is_missing_is_said_in_one_sentence(monkeypatch) -> None:
    monkeypatch.setattr(throwaway.shutil, "which", lambda name: None)
    try:
        throwaway.redis_binary()
    except throwaway.MissingServiceError as missing:
        assert str(missing) == "redis-server is not installed: apt-get install redis-server, or set CONNOTE_REDIS_URL."


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A temporary folder that the user postgres may enter, for what a killed harness cannot tidy."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_a_killed_harness_takes_its_servers_with_it(open_folder: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CONNOTE_")}
    environment["TMPDIR"] = str(open_folder)
    said = open_folder / "urls"
    command = [sys.executable, HARNESS, "run", "--", "sh", "-c", f"env > {said}.part; mv {said}.part {said}; sleep 60"]
    harness = subprocess.Popen(command, env=environment, start_new_session=True)
    _wait_for(said.exists)
    harness.send_signal(signal.SIGKILL)
    harness.wait()
    _wait_for(lambda: not _answers(_url_in(said)))
    os.killpg(harness.pid, signal.SIGKILL)


def _url_in(said: Path) -> str:
    return next(line.partition("=")[2] for line in said.read_text().splitlines() if services.REDIS_VARIABLE in line)


def _answers(url: str) -> bool:
    try:
        return bool(redis.Redis.from_url(url).ping())
    except redis.ConnectionError:
        return False


def _wait_for(condition, timeout: float = 30) -> None:
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, "The condition was not met in time."
        time.sleep(0.1)
