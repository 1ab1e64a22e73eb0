"""gunicorn's settings, read by `gunicorn backend.config.wsgi -c deploy/gunicorn.conf.py`; flags override them."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Any

PREFIX = f"connote-metrics-{os.getuid()}-"


def metrics_folder() -> str:
    """A new folder for the counters of this master; those of masters that were killed are removed.

    A master that reads its settings again keeps its folder, in which its workers write.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}[0-9]*-*"):
        pid = int(folder.name.removeprefix(PREFIX).partition("-")[0])
        if pid == os.getpid() and str(folder) == os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            return str(folder)
        if pid == os.getpid() or not is_running(pid):
            shutil.rmtree(folder, ignore_errors=True)
    return tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# Each worker writes its own counters here, and /metrics adds them up; without it a scrape sees one worker by chance.
METRICS_FOLDER = metrics_folder()
os.environ["PROMETHEUS_MULTIPROC_DIR"] = METRICS_FOLDER
os.environ.setdefault("CONNOTE_DB_FAIL_FAST", "true")
# A request waits ten seconds for a row that another transaction holds, and then answers "try again": a few of them that
# waited for ever would be a site that answers nobody. Workers wait. Behind a pooler a connection takes no such option.
if os.environ.get("CONNOTE_DB_PREPARE", "").strip().lower() not in ("0", "false", "no", "off"):
    os.environ.setdefault("PGOPTIONS", "-c lock_timeout=10s")

bind = "0.0.0.0:8000"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
# A process runs Python on one core at a time, and more threads than a few only take it from each other: annotators get
# more done by two processes of three threads than of four or eight; `make bench-annotation` compares them, as it is and
# with GUNICORN_CMD_ARGS="--threads 8". Slow clients are the proxy's; a lone process has more, as it may have none.
threads = 8 if workers == 1 else 3
worker_class = "gthread"
# Uploads of gigabytes arrive slowly; a stuck worker is still found out within two minutes.
timeout = 120
graceful_timeout = 30
keepalive = 75
max_requests = 20_000
max_requests_jitter = 2_000
# What a client says of its scheme is believed where CONNOTE_HTTPS says that a proxy sets it, and Django looks at that.
secure_scheme_headers: dict[str, str] = {}
# As long as nginx takes, which refuses longer ones in the shape of the API.
limit_request_line = 8190
accesslog = None
# Nobody steers it by a socket, and two sites of one user would share one.
control_socket_disable = True


LETS_GO_EVERY = 0.1  # seconds
let_go_at = 0.0


def pre_request(worker: Any, request: Any) -> None:
    """Let a connection go now and then where more of them want a thread than there are.

    A kept connection belongs to the process that took it, and one process may take them all: while others start, or
    because it woke first. What is let go comes back to a process that has time; so the cores share the work. Threads
    that come here at the same moment may each let one go, which does no harm.
    """
    global let_go_at
    n_at_work = worker.nr_conns - len(worker.keepalived_conns) - len(worker.pending_conns)
    if worker.cfg.workers > 1 and n_at_work > worker.cfg.threads and time.monotonic() > let_go_at + LETS_GO_EVERY:
        let_go_at = time.monotonic()
        request.force_close()


def pre_fork(server: Any, worker: Any) -> None:
    """Give the worker the lowest number that no living worker has."""
    taken = {other.number for other in server.WORKERS.values()}
    worker.number = next(number for number in count() if number not in taken)


def post_fork(server: Any, worker: Any) -> None:
    """Let the worker go on with the counters of an earlier worker with its number, so that no files pile up."""
    from prometheus_client import values

    values.ValueClass = values.MultiProcessValue(lambda: worker.number)  # type: ignore[no-untyped-call]


def post_worker_init(worker: Any) -> None:
    """Embedded, the web process is also the worker, and looks after runs that a kill left behind."""
    from django.conf import settings

    if settings.EMBEDDED:
        from backend.runs.embedded import start_recovery

        start_recovery()


def child_exit(server: Any, worker: Any) -> None:
    """Forget the gauges of a worker that has gone."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.number)  # type: ignore[no-untyped-call]


def on_exit(server: Any) -> None:
    shutil.rmtree(METRICS_FOLDER, ignore_errors=True)
