"""Statements that PostgreSQL parses and plans once for each connection, and afterwards only runs.

For the few statements that people wait for: parsing and planning them took PostgreSQL longer than running them. Their
text must be one of a few, with values as parameters, but for what a partial index asks for, which must stand in the
text. Anywhere else, and on SQLite, which keeps its own, `connection.cursor()` is right. Where CONNOTE_DB_PREPARE is
false nothing is kept: behind a pooler that hands each transaction another connection.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, cast
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from psycopg import Cursor
from psycopg.errors import FeatureNotSupported
from psycopg.pq import TransactionStatus
from psycopg.types.numeric import Int8

Given = Sequence[Any] | Mapping[str, Any]


class Statement(NamedTuple):
    """SQL, and its values in the order of their places."""

    text: str
    given: Sequence[Any]


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


def fetch(statement: str, given: Given) -> list[Any]:
    """What the statement finds or gives back: its rows, as tuples."""
    return cast(list[Any], _execute(statement, given).fetchall())


def fetch_after(first: Statement, then: Statement) -> list[Any]:
    """The rows of `then`, once `first` has run: on PostgreSQL in one round trip, where neither sees what the other
    writes."""
    if connections[DEFAULT_DB_ALIAS].vendor == "postgresql":
        return fetch(f"WITH first AS ({first.text}) {then.text}", [*first.given, *then.given])
    change(*first)
    return fetch(*then)


def change(statement: str, given: Given) -> int:
    """How many rows the statement changes."""
    return int(_execute(statement, given).rowcount)


def _execute(statement: str, given: Given) -> Any:
    connection: Any = connections[DEFAULT_DB_ALIAS]
    cursor = _cursor(connection)
    with connection.wrap_database_errors:
        cursor.execute(statement, given)
    return cursor


def _cursor(connection: Any) -> CursorWrapper | _PreparingCursor:
    """Django's around it only for who counts or logs what runs: nobody else asks, and a page takes a dozen."""
    if connection.vendor != "postgresql":
        return cast(CursorWrapper, connection.cursor())
    connection.ensure_connection()
    kept = _kept_cursor(connection.connection)
    if connection.queries_logged or connection.execute_wrappers:
        return cast(CursorWrapper, connection._prepare_cursor(kept))
    connection.validate_no_broken_transaction()
    return kept


def _kept_cursor(connection: Any) -> _PreparingCursor:
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
