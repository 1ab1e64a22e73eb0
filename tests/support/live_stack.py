"""Connote as in production, but for the proxy: gunicorn, two Celery workers and beat on PostgreSQL and Redis."""

from __future__ import annotations

import fcntl
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit, urlunsplit
from urllib.request import urlopen
from uuid import uuid4

import psycopg
import redis

import services
from deploy import compose, native
from deploy.probe import answers
from deploy.processes import Process, ProcessEndedError
from migrated import create_on_postgres
from tiny_clips import PANEL_SETTINGS

SECRETS = {
    "CONNOTE_SECRET_KEY": uuid4().hex + uuid4().hex,
    "CONNOTE_DATABASE_PASSWORD": "in its URL",
    "CONNOTE_REDIS_PASSWORD": "in its URL",
}
# Without a proxy, and as one version of the code, whatever is committed while the tests run.
FOR_TESTS = {
    "CONNOTE_ACCEL_REDIRECT": "",
    "CONNOTE_CODE_VERSION": "under-test",
    "CONNOTE_TOKEN_CALLS_PER_MINUTE": "0",  # one program annotates for many people, faster than any of them
    "CONNOTE_SESSION_CALLS_PER_MINUTE": "0",
    **PANEL_SETTINGS,
}
WORKERS = ("worker-cpu", "worker-gpu")
REDIS_DATABASES = range(1, 16)  # what Redis has, but for that of its address
LONGEST_CLAIM = 3600  # seconds: one that a kill left behind runs out


class LiveStack:
    """The running processes, by the names of docker-compose.yml."""

    def __init__(self, place: native.Place, settings: Mapping[str, str]) -> None:
        self.place, self.settings = place, {**FOR_TESTS, **settings}
        self.services = compose.services(SECRETS)
        self.processes: dict[str, Process] = {}

    @property
    def url(self) -> str:
        """The site's address, without a slash at the end."""
        return self.place.web_url

    @property
    def data_dir(self) -> Path:
        return self.place.data

    def start(self) -> None:
        """Start everything, wait for /health/ready. Raises ProcessEndedError with the end of a log."""
        self.place.data.mkdir(parents=True, exist_ok=True)
        for name in ("web", *WORKERS, "beat"):
            self.start_process(name)
        self.wait_ready()

    def start_process(self, name: str) -> None:
        """Start one process anew, under the name it has in docker-compose.yml."""
        self.processes[name] = native.process_of(self.services[name], self.place, self.settings)
        self.processes[name].start()

    def readiness(self) -> tuple[int, dict[str, Any]]:
        """Status and body of /health/ready."""
        try:
            with urlopen(f"{self.url}/health/ready") as answer:
                return answer.status, json.load(answer)
        except HTTPError as refused:
            with refused:
                return refused.code, json.load(refused)

    def wait_ready(self, timeout: float = 300) -> None:
        """Wait until the site says that its database, broker and a worker answer."""
        deadline = time.monotonic() + timeout
        while not answers(f"{self.url}/health/ready", timeout=10):
            self._complain_of_the_dead()
            if time.monotonic() > deadline:
                raise ProcessEndedError(f"/health/ready was not 200 after {timeout:.0f} s.\n{self.logs()}")
            time.sleep(0.3)

    def _complain_of_the_dead(self) -> None:
        for process in self.processes.values():
            if not process.is_running:
                raise ProcessEndedError(f"{process.name} ended by itself. Its log ends:\n{process.tail()}")

    def kill_workers(self) -> None:
        """kill -9 both workers and their children, in the middle of whatever they do."""
        for name in WORKERS:
            self.processes.pop(name).kill()

    def start_workers(self) -> None:
        """Start both workers, and wait until one answers."""
        # Needs Django's settings, which the benches of pages do not have.
        from backend.config.health import KEPT_SECONDS

        for name in WORKERS:
            self.start_process(name)
        time.sleep(KEPT_SECONDS)  # until then the site may tell what it found before they were killed
        self.wait_ready()

    def manage(self, *arguments: str) -> str:
        """What `manage.py ARGUMENTS` prints under the stack's own settings. Raises ProcessEndedError when it fails."""
        environment = native.environment_of(self.services["web"], self.place, self.settings)
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, env=environment, cwd=compose.ROOT, capture_output=True, text=True)
        if done.returncode:
            raise ProcessEndedError(f"manage.py {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def logs(self, n_lines: int = 40) -> str:
        """The end of every process's log."""
        return "\n".join(f"== {name}\n{process.tail(n_lines)}" for name, process in self.processes.items())

    def stop(self) -> None:
        """End every process at once, for nobody reads its data again. A worker asked to end takes its time."""
        for process in reversed(list(self.processes.values())):
            process.kill()


@contextmanager
def live_stack(
    folder: Path, *, postgres_url: str, redis_url: str, settings: Mapping[str, str] | None = None
) -> Iterator[LiveStack]:
    """A stack with a database and a Redis number of its own; its logs stay in `folder`, its data goes."""
    with (
        emptied(folder) as own,
        fresh_redis(redis_url) as broker,
        migrated_database(postgres_url, broker, own) as database,
    ):
        stack = LiveStack(native.Place(own, database, broker), settings or {})
        try:
            stack.start()
            yield stack
        finally:
            stack.stop()
            shutil.rmtree(stack.data_dir, ignore_errors=True)


@contextmanager
def emptied(folder: Path) -> Iterator[Path]:
    """The folder, emptied. While another run of the tests uses it: the next one that is free, `folder-2` and so on."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    for n in count(1):
        own = folder if n == 1 else folder.with_name(f"{folder.name}-{n}")
        with own.with_name(f"{own.name}.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            shutil.rmtree(own, ignore_errors=True)
            own.mkdir()
            yield own
            return


@contextmanager
def throwaway_stack() -> Iterator[LiveStack]:
    """A stack on a PostgreSQL and a Redis of its own, for what runs outside the tests; nothing of it stays."""
    with (
        tempfile.TemporaryDirectory(prefix="connote-bench-") as folder,
        services.postgres() as database,
        services.redis() as broker,
        live_stack(Path(folder) / "stack", postgres_url=database, redis_url=broker) as stack,
    ):
        yield stack


@contextmanager
def migrated_database(postgres_url: str, redis_url: str, folder: Path) -> Iterator[str]:
    """The URL of a new database on that server, dropped at the end. A migration writes its log into `folder`."""
    name = f"connote_stack_{uuid4().hex[:12]}"

    def url_of(database: str) -> str:
        return urlunsplit(urlsplit(postgres_url)._replace(path=f"/{database}"))

    def migrate(database: str) -> None:
        place = native.Place(folder, url_of(database), redis_url)
        place.data.mkdir(parents=True, exist_ok=True)
        native.run_once(compose.services(SECRETS)["migrate"], place, FOR_TESTS)

    with psycopg.connect(postgres_url, autocommit=True) as connection:
        try:
            create_on_postgres(connection, name, migrate)
            yield url_of(name)
        finally:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@contextmanager
def fresh_redis(redis_url: str) -> Iterator[str]:
    """The URL of a numbered database on that Redis, emptied before and after. Whoever else takes one takes another."""
    with redis.Redis.from_url(redis_url) as register:
        number = next((n for n in REDIS_DATABASES if register.set(_claim(n), "", nx=True, ex=LONGEST_CLAIM)), None)
        if number is None:
            raise RuntimeError(f"Every database of {redis_url} is taken by other stacks.")
        url = urlunsplit(urlsplit(redis_url)._replace(path=f"/{number}"))
        with redis.Redis.from_url(url) as client:
            client.flushdb()
            try:
                yield url
            finally:
                client.flushdb()
                register.delete(_claim(number))


def _claim(number: int) -> str:
    return f"connote-stack-{number}"
