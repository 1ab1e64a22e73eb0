"""Runs several calls at the same moment, each on its own thread and database connection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

from django.db import connection, connections


def elsewhere(call: Callable[[], Any]) -> Any:
    """What the call returns; for a thread of its own, whose connections are closed."""
    try:
        return call()
    finally:
        connections.close_all()


def at_once(calls: Sequence[Callable[[], Any]], *, needs_database: bool = True) -> list[Any]:
    """What each call returned, or the exception it raised. What needs the database needs `django_db(transaction=True)`,
    and is connected before all are let go."""
    start = Barrier(len(calls))

    def once_all_are_here(call: Callable[[], Any]) -> Any:
        if needs_database:
            connection.ensure_connection()
        start.wait(timeout=30)
        return call()

    def run(call: Callable[[], Any]) -> Any:
        try:
            return elsewhere(partial(once_all_are_here, call))
        except Exception as error:
            return error

    with ThreadPoolExecutor(max_workers=len(calls)) as threads:
        return list(threads.map(run, calls))
