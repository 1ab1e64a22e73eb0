"""The demo's site: gunicorn on this machine only, as a child of the command that walks beside it."""

from __future__ import annotations

import fcntl
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from deploy.probe import answers
from deploy.processes import Process

HOST = "127.0.0.1"
START_SECONDS = 120  # a busy machine imports slowly
PORT_TAKEN = "Port {port} is in use. Stop the other program, or choose another port: PORT={other} make demo."
RUNS_ALREADY = "Another demo runs on the data in {folder}. Use it, or stop it with Ctrl-C first."


class CannotServeError(RuntimeError):
    """The site cannot start. The message says why and what to do."""


@contextmanager
def served_on(port: int) -> Iterator[Process]:
    """The site on this port, ready to answer, until the block ends; its log is `demo-site.log` in the data folder.

    Raises CannotServeError where the port is in use, and ProcessEndedError with the end of the log where the site
    does not start.
    """
    if not _is_free(port):
        raise CannotServeError(PORT_TAKEN.format(port=port, other=port + 1))
    gunicorn = [sys.executable, "-m", "gunicorn", "backend.config.wsgi", "-c", "deploy/gunicorn.conf.py"]
    command = [*gunicorn, "--bind", f"{HOST}:{port}", "--max-requests", "0"]
    log = settings.DATA_DIR / "demo-site.log"
    log.unlink(missing_ok=True)
    environment = os.environ | {"WEB_CONCURRENCY": "1"}
    site = Process("The site", command, log=log, environment=environment, cwd=settings.BASE_DIR)
    try:
        site.start()
        site.wait_until(lambda: answers(f"http://{HOST}:{port}/health/ready"), timeout=START_SECONDS)
        yield site
    finally:
        site.stop()


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as gunicorn does: an ended site leaves no trace
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold the folder for one demo, however it ends. Raises CannotServeError where another demo holds it."""
    with (folder / ".demo.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CannotServeError(RUNS_ALREADY.format(folder=folder)) from error
        yield
