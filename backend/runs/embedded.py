"""The embedded site's stand-in for beat: a thread that takes up runs whose process was killed and does chores."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import structlog
from django.conf import settings
from django.db import DatabaseError, close_old_connections
from django.utils.module_loading import import_string

logger = structlog.get_logger(__name__)


def start_recovery() -> None:
    """Do each chore when it is due, for as long as this process lives."""
    threading.Thread(target=_recover_for_ever, name="embedded-beat", daemon=True).start()


def _recover_for_ever() -> None:
    due = dict.fromkeys(settings.CHORES, 0.0)
    while True:
        for name, (path, seconds) in settings.CHORES.items():
            if due[name] <= time.monotonic():
                due[name] = time.monotonic() + seconds
                _do(import_string(path))
        time.sleep(max(1, min(due.values()) - time.monotonic()))


def _do(chore: Callable[[], object]) -> None:
    """One chore. If it fails, the others still run, and this one runs again at the next look."""
    try:
        chore()
    except DatabaseError as error:  # not migrated yet, or locked: the next look may find it repaired
        logger.warning("recovery_failed", error=str(error))
    except Exception:
        logger.exception("chore_failed", chore=getattr(chore, "__qualname__", repr(chore)))
    finally:
        close_old_connections()
