"""Runs several calls at the same moment, each on its own thread and database connection."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connections


def elsewhere(call: Callable[[], Any]) -> Any:
    """What the call returns; for a thread of its own, whose connections are closed."""
    try:
        return call()
    finally:
        connections.close_all()


def at_once(*calls: Callable[[], object]) -> list[object]:
    """What each call returned, or the exception it raised. Needs `django_db(transaction=True)`."""
    start = Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        try:
            start.wait(timeout=20)
            return elsewhere(call)
        except Exception as error:
            return error

    with ThreadPoolExecutor(max_workers=len(calls)) as threads:
        return list(threads.map(run, calls))
