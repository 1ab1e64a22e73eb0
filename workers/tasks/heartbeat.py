"""While a long step computes, another thread says that this worker is alive."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog
from django.conf import settings
from django.db import DatabaseError, connection

logger = structlog.get_logger(__name__)


@contextmanager
def beating(beat: Callable[[], object], **what: str) -> Iterator[None]:
    """Call `beat`, which tells the database, every quarter of the stale time; `what` names the work in the log."""
    over = threading.Event()
    thread = threading.Thread(target=_beat_until, args=(over, beat, what), name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat_until(over: threading.Event, beat: Callable[[], object], what: dict[str, str]) -> None:
    while not over.wait(settings.RUN_STALE_SECONDS / 4):
        try:
            beat()
        except DatabaseError as error:  # a long step holds SQLite, or PostgreSQL starts anew: the next beat may pass
            logger.warning("beat_missed", error=str(error), **what)
        finally:
            connection.close()
