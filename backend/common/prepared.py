"""A cursor that has PostgreSQL parse and plan a statement once for each connection, and afterwards only run it.

For the few statements that people wait for: parsing and planning them took PostgreSQL longer than running them. Their
text must be one of a few, with values as parameters, but for what a partial index asks for, which must stand in the
text. Anywhere else, and on SQLite, which keeps its own, `connection.cursor()` is right. Where CONNOTE_DB_PREPARE is
false nothing is kept: behind a pooler that hands each transaction another connection.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from psycopg import Cursor
from psycopg.errors import FeatureNotSupported
from psycopg.pq import TransactionStatus
from psycopg.types.numeric import Int8


class _PreparingCursor(Cursor[Any]):
    """A plan fits no more once a migration changed a column that it gives: PostgreSQL refuses it from then on. In a
    transaction that statement has failed, and the rollback has psycopg forget every plan; outside one it is asked anew.
    """

    def execute(self, query: Any, params: Any = None, **more: Any) -> Any:
        options = {"prepare": True, **more}
        try:
            return super().execute(query, params, **options)
        except FeatureNotSupported:
            if self.connection.info.transaction_status != TransactionStatus.IDLE:
                raise
        self.connection.execute("DEALLOCATE ALL", prepare=False)
        return super().execute(query, params, **options)


@contextmanager
def prepared_cursor() -> Iterator[CursorWrapper]:
    """Django's cursor as ever, counted and logged like any other. Read its rows before the next one is asked for."""
    connection: Any = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "postgresql":
        with connection.cursor() as cursor:
            yield cursor
        return
    connection.ensure_connection()
    yield connection._prepare_cursor(_cursor_of(connection.connection))


def _cursor_of(connection: Any) -> _PreparingCursor:
    """The connection's one cursor: making another costs a third of what running a statement does."""
    kept: dict[str, Any] = vars(connection)
    if "preparing_cursor" not in kept:
        kept["preparing_cursor"] = _PreparingCursor(connection)
    return cast(_PreparingCursor, kept["preparing_cursor"])


def parameter(value: Any) -> Any:
    """The value in a form whose type does not hang on its size: one statement stays one."""
    return Int8(value) if type(value) is int else value


def adapted(value: Any, connection: BaseDatabaseWrapper) -> Any:
    """The value as this database takes it: SQLite knows neither UUIDs nor moments."""
    if connection.vendor == "postgresql":
        return parameter(value)
    if isinstance(value, UUID) and not connection.features.has_native_uuid_field:
        return value.hex
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return value
