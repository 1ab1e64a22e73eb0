"""INSERT for rows that nobody reads back: what `bulk_create` does, without building the statement anew each time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import AutoField, Field, Model

from backend.common.prepared import Statement, change, parameter

# psycopg writes their values as they stand in the object; asking each field took longer than sending the rows.
AS_THEY_ARE = frozenset({
    models.BigIntegerField, models.BooleanField, models.CharField, models.DateTimeField, models.ForeignKey,
    models.PositiveIntegerField, models.PositiveSmallIntegerField, models.SmallIntegerField, models.TextField,
    models.UUIDField,
})  # fmt: skip


def insert_plainly(rows: Sequence[Model]) -> None:
    """Insert instances of one model in one statement. They learn neither their ids nor what the database filled in.

    No signals, no batches: for a page's worth of rows. Raises IntegrityError as any insert does.
    """
    if rows:
        change(*insertion(rows))


def insertion(rows: Sequence[Model]) -> Statement:
    """What inserts these, at least one."""
    connection = connections[DEFAULT_DB_ALIAS]
    fields, head = _fields(type(rows[0])), _head(type(rows[0]))
    values = [_value(field, row, connection) for row in rows for field in fields]
    places = f"({', '.join(['%s'] * len(fields))})"
    return Statement(f"{head} {', '.join([places] * len(rows))}", [parameter(value) for value in values])


def _value(field: Field[Any, Any], row: Model, connection: BaseDatabaseWrapper) -> object:
    value = field.pre_save(row, True)
    if connection.vendor == "postgresql" and type(field) in AS_THEY_ARE:
        return value
    return field.get_db_prep_save(value, connection)


@cache
def _fields(model: type[Model]) -> tuple[Field[Any, Any], ...]:
    """Every column but an id that the database gives."""
    return tuple(field for field in model._meta.local_concrete_fields if not isinstance(field, AutoField))


@cache
def _head(model: type[Model]) -> str:
    columns = ", ".join(f'"{field.column}"' for field in _fields(model))
    return f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES'
