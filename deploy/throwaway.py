"""PostgreSQL and Redis of one's own: on free ports of 127.0.0.1, in a temporary folder, gone with the process."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from deploy.processes import Process, free_port

OWNER = DATABASE = "connote"
NOTHING_TO_LOSE = ("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off")
# As in docker-compose.yml: to compile a statement takes longer than to run it.
AS_DEPLOYED = ("-c", "jit=off", "-c", "random_page_cost=1.1")
NO_POSTGRES = "PostgreSQL's server is not installed. Run apt-get install postgresql, or set CONNOTE_DATABASE_URL."
NO_REDIS = "redis-server is not installed. Run apt-get install redis-server, or set CONNOTE_REDIS_URL."
NO_POSTGRES_USER = (
    "PostgreSQL cannot run as root, and this machine has no user 'postgres'. Run apt-get install "
    "postgresql, use another user, or set CONNOTE_DATABASE_URL."
)


class MissingServiceError(RuntimeError):
    """A server that the command needs is not installed; the message says how to get it."""


def postgres_binaries() -> Path:
    """The folder that holds initdb and postgres. Raises MissingServiceError."""
    folders = [*_pg_config(), *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    folders += [Path(found).parent for found in [shutil.which("initdb")] if found]
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise MissingServiceError(NO_POSTGRES)


def _pg_config() -> list[Path]:
    if shutil.which("pg_config") is None:
        return []
    answer = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True, check=False)
    return [Path(answer.stdout.strip())] if answer.returncode == 0 else []


def redis_binary() -> str:
    """The path of redis-server. Raises MissingServiceError."""
    found = shutil.which("redis-server")
    if found is None:
        raise MissingServiceError(NO_REDIS)
    return found


def _unprivileged() -> str | None:
    """The user PostgreSQL must run as: none but ourselves, unless we are root."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        raise MissingServiceError(NO_POSTGRES_USER) from None


@contextmanager
def temporary_folder(owner: str | None = None) -> Iterator[Path]:
    """A private folder under the system's temporary one, owned by `owner`, removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="connote-"))
    try:
        if owner:
            shutil.chown(folder, owner, owner)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _initialise(binaries: Path, data: Path, *, user: str | None, password: str) -> None:
    """initdb with one owner who needs a password: a superuser open to every local account would be a back door."""
    secret = data.parent / "password"
    secret.write_text(password)
    if user:
        shutil.chown(secret, user, user)
    command = [str(binaries / "initdb"), "-D", str(data), "-U", OWNER, "--auth=scram-sha-256", f"--pwfile={secret}"]
    command += ["--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
    groups: list[str] | None = [] if user else None
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=data.parent,
        user=user,
        group=user,
        extra_groups=groups,
        check=False,
    )
    secret.unlink()
    if done.returncode:
        raise MissingServiceError(f"initdb failed, so the tests have no database:\n{done.stdout}{done.stderr}")


@contextmanager
def postgres(arguments: Sequence[str] = NOTHING_TO_LOSE, *, log: Path | None = None) -> Iterator[str]:
    """Run a PostgreSQL of one's own; yields the URL of its empty database `connote`. Raises MissingServiceError."""
    with postgres_server(arguments, log=log) as (url, _):
        yield url


@contextmanager
def postgres_server(
    arguments: Sequence[str] = NOTHING_TO_LOSE, *, log: Path | None = None
) -> Iterator[tuple[str, Process]]:
    """The same with the server's process, for who wants to restart it."""
    binaries, user, port, password = postgres_binaries(), _unprivileged(), free_port(), secrets.token_hex(16)
    with temporary_folder(user) as folder:
        data = folder / "data"
        _initialise(binaries, data, user=user, password=password)
        place = ["-D", str(data), "-p", str(port), "-k", str(folder), "-c", "listen_addresses=127.0.0.1"]
        server = Process(
            "postgres",
            [str(binaries / "postgres"), *AS_DEPLOYED, *arguments, *place],
            log=log or folder / "postgres.log",
            cwd=folder,
            user=user,
            stop_signal=signal.SIGINT,
        )
        with running(server, [str(binaries / "pg_isready"), "-h", "127.0.0.1", "-p", str(port)]):
            login = {**os.environ, "PGPASSWORD": password}
            place = ["-h", "127.0.0.1", "-p", str(port), "-U", OWNER, DATABASE]
            subprocess.run([str(binaries / "createdb"), *place], env=login, check=True)
            yield f"postgresql://{OWNER}:{password}@127.0.0.1:{port}/{DATABASE}", server


@contextmanager
def redis(arguments: Sequence[str] = ("--save", "", "--appendonly", "no"), *, log: Path | None = None) -> Iterator[str]:
    """Run a Redis of one's own; yields its URL. Raises MissingServiceError."""
    binary, port = redis_binary(), free_port()
    with temporary_folder() as folder:
        place = ["--bind", "127.0.0.1", "--port", str(port), "--dir", str(folder), "--set-proc-title", "no"]
        command = [binary, *arguments, *place]
        server = Process("redis", command, log=log or folder / "redis.log", cwd=folder, stop_signal=signal.SIGINT)
        with running(server, [str(Path(binary).with_name("redis-cli")), "-p", str(port), "ping"]):
            yield f"redis://127.0.0.1:{port}/0"


@contextmanager
def running(server: Process, health: Sequence[str], *, timeout: float = 60) -> Iterator[Process]:
    """Start `server`, wait until the `health` command succeeds, stop it at the end whatever happens."""
    server.start()
    try:
        server.wait_until(lambda: subprocess.run(health, capture_output=True).returncode == 0, timeout=timeout)
        yield server
    finally:
        server.stop()
