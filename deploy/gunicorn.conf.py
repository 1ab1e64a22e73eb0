"""gunicorn's settings, read by `gunicorn backend.config.wsgi -c deploy/gunicorn.conf.py`; flags override them."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from typing import Any

# Each worker writes its own counters here, and /metrics adds them up; without it a scrape sees one worker by chance.
METRICS_FOLDER = tempfile.mkdtemp(prefix="connote-metrics-")
os.environ["PROMETHEUS_MULTIPROC_DIR"] = METRICS_FOLDER
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
forwarded_allow_ips = "*"
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


def post_worker_init(worker: Any) -> None:
    """Embedded, the web process is also the worker, and looks after runs that a kill left behind."""
    from django.conf import settings

    if settings.EMBEDDED:
        from backend.runs.embedded import start_recovery

        start_recovery()


def child_exit(server: Any, worker: Any) -> None:
    """Forget the gauges of a worker that has gone."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def on_exit(server: Any) -> None:
    shutil.rmtree(METRICS_FOLDER, ignore_errors=True)
