"""Reads whose SQL is compiled once. Django takes longer to build a queryset and to compile it than the database takes
to answer, so what annotators wait for between two HITs is compiled:

    OWN = Compiled(lambda given: Membership.objects.filter(user=given("user"), project=given("project")))
    membership = OWN.first(user=user.pk, project=project.pk)
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Expression, QuerySet
from django.db.models.query import FlatValuesListIterable, ModelIterable, get_related_populators
from django.db.models.sql.compiler import SQLCompiler
from psycopg.sql import Literal

Row = TypeVar("Row")
LISTS = {"postgresql": "(SELECT unnest(%s::bigint[]))", "sqlite": "(SELECT value FROM json_each(%s))"}
PLACE = re.compile("%s|%%")


class Given(Expression):
    """Stands for a value that comes with each run, never None; with `many`, after `__in`, for a list of ids."""

    def __init__(self, name: str, *, many: bool = False) -> None:
        super().__init__()
        self.name, self.many = name, many

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, list[Any]]:  # type: ignore[override]
        return LISTS[connection.vendor] if self.many else "%s", [self]


@dataclass(frozen=True)
class Compiled(Generic[Row]):
    """The SQL of a queryset for each kind of database, and how its rows become what the queryset gives.

    `prefetch_related` is not for this. Run one that locks rows in a transaction.
    """

    write: Callable[[type[Given]], QuerySet[Any, Row]]
    statements: dict[str, _Statement] = field(default_factory=dict)

    def rows(self, **given: object) -> list[Row]:
        """What the queryset gives with these values: ids, texts, numbers, times. Raises KeyError if one is missing."""
        connection = connections[DEFAULT_DB_ALIAS]
        if (statement := self.statements.get(connection.vendor)) is None:
            statement = self.statements[connection.vendor] = _compile(self.write(Given), connection)
        with connection.cursor() as cursor:
            values = [
                _adapt(given[one.name], connection) if isinstance(one, Given) else one for one in statement.values
            ]
            cursor.execute(statement.sql, values)
            rows = cursor.fetchall()
        if statement.converters:
            rows = [list(row) for row in rows]
        for place, (steps, column) in statement.converters.items():
            for row in rows:
                for step in steps:
                    row[place] = step(row[place], column, connection)
        return [statement.make(row) for row in rows]

    def first(self, **given: object) -> Row | None:
        """The first of the rows, or None."""
        return next(iter(self.rows(**given)), None)


@dataclass(frozen=True)
class _Statement:
    """SQL with its values in their order, some of which are Given."""

    sql: str
    values: Sequence[Any]
    converters: Mapping[int, tuple[list[Callable[..., Any]], Any]]
    make: Callable[[Sequence[Any]], Any]


def _compile(queryset: QuerySet[Any, Any], connection: BaseDatabaseWrapper) -> _Statement:
    compiler = queryset.query.get_compiler(connection=connection)
    sql, values = compiler.as_sql()
    if connection.vendor == "postgresql":
        # Constants go into the text: a plan that is made once uses a partial index only if it sees what the index asks.
        rest = iter(values)
        sql = PLACE.sub(lambda place: place[0] if place[0] == "%%" else _literal(next(rest)), sql)
        values = [one for one in values if isinstance(one, Given)]
    columns = [column for column, _, _ in compiler.select[: compiler.col_count]]
    make: Callable[[Sequence[Any]], Any] = tuple
    if issubclass(queryset._iterable_class, ModelIterable):
        make = _instances(compiler)
    elif issubclass(queryset._iterable_class, FlatValuesListIterable):
        make = itemgetter(0)
    return _Statement(sql, values, compiler.get_converters(columns), make)


def _literal(value: object) -> str:
    return "%s" if isinstance(value, Given) else Literal(value).as_string().replace("%", "%%")


def _instances(compiler: SQLCompiler) -> Callable[[Sequence[Any]], Any]:
    """Makes an instance of a row, with its annotations and what it refers to, as Django's ModelIterable does."""
    info = compiler.klass_info or {}
    first, last = info["select_fields"][0], info["select_fields"][-1] + 1
    names = [column.target.attname for column, _, _ in compiler.select[first:last]]
    related = get_related_populators(info, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]  # of 6.0
    annotated = dict(compiler.annotation_col_map or {})

    def make(row: Sequence[Any]) -> Any:
        made = info["model"].from_db(DEFAULT_DB_ALIAS, names, row[first:last])
        for populator in related:
            populator.populate(row, made)
        for name, place in annotated.items():
            setattr(made, name, row[place])
        return made

    return make


def _adapt(value: object, connection: BaseDatabaseWrapper) -> Any:
    """A value as the driver takes it: SQLite has no times, UUIDs and lists."""
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    if connection.vendor == "sqlite" and isinstance(value, UUID | list):
        return value.hex if isinstance(value, UUID) else json.dumps(value)
    return value
