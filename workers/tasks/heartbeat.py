"""While a long step computes, another thread says that this worker is alive, and ends a step that nobody wants."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog
from django.conf import settings
from django.db import DatabaseError, connection

from backend.runs import queue

logger = structlog.get_logger(__name__)


@contextmanager
def beating(beat: Callable[[], bool], give_up: Callable[[], object] | None = None, **what: str) -> Iterator[None]:
    """Call `beat`, which tells the database, every quarter of the stale time; `what` names the work in the log.

    `beat` returns whether the work is still wanted. A step notices by itself when it is not, at its end. One that has
    not ended RUN_CANCEL_SECONDS later is stuck: `give_up` writes that down, then this worker process ends.
    """
    over = threading.Event()
    thread = threading.Thread(target=_beat_until, args=(over, beat, give_up, what), name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat_until(
    over: threading.Event, beat: Callable[[], bool], give_up: Callable[[], object] | None, what: dict[str, str]
) -> None:
    unwanted_since: float | None = None
    while not over.wait(settings.RUN_STALE_SECONDS / 4):
        try:
            if beat():
                unwanted_since = None
                continue
            now = time.monotonic()
            unwanted_since = now if unwanted_since is None else unwanted_since
            if now - unwanted_since >= settings.RUN_CANCEL_SECONDS:
                if give_up is not None:
                    give_up()
                logger.error("step_is_stuck", **what)
                return end_stuck_step()
        except DatabaseError as error:  # a long step holds SQLite, or PostgreSQL starts anew: the next beat may pass
            logger.warning("beat_missed", error=str(error), **what)
        finally:
            connection.close()
    return None


def end_stuck_step() -> None:
    """End this worker process: nothing else stops a step inside a C library. Celery starts another process.

    What a step did not commit is lost, as after any kill. The embedded thread cannot be killed: it is left alone.
    """
    if settings.EMBEDDED:
        queue.replace_thread()
    else:
        os.kill(os.getpid(), signal.SIGKILL)
