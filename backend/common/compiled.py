"""Querysets that are compiled to SQL once for the process and afterwards only run.

Building a queryset and compiling it costs Django several times what sending the statement costs, and parsing and
planning it costs PostgreSQL more than running it. Where people wait, between one page of work and the next, a statement
is written as a queryset all the same, checked by the same tests on both databases, and run by its name:

    OWN = CompiledRows(lambda ask: Standing.objects.filter(project=ask("project"), user=ask("user")))
    rows = OWN.rows(project=project.pk, user=user.pk)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Expression, QuerySet
from django.db.models.expressions import BaseExpression
from django.db.models.query import ModelIterable, get_related_populators
from django.db.models.sql import UpdateQuery
from django.db.models.sql.compiler import SQLCompiler
from psycopg.sql import Literal

from backend.common.prepared import adapted, change, fetch

Row = TypeVar("Row")
PLACE = re.compile("%s|%%")


@dataclass(frozen=True)
class _Asked:
    """Stands among a statement's parameters for a value that comes with each run."""

    name: str


class Ask(Expression):
    """A value that is given when the statement runs, by its name: any plain value, but no list."""

    allowed_default = True
    contains_aggregate = contains_over_clause = False

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, list[Any]]:  # type: ignore[override]
        return "%s", [_Asked(self.name)]


@dataclass(frozen=True)
class _Statement:
    """SQL with its parameters, some of which are asked for, and how the columns become Python values."""

    sql: str
    parameters: Sequence[object]
    converters: Mapping[int, tuple[list[Callable[..., Any]], Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, compiler: SQLCompiler, returning: BaseExpression | None = None) -> _Statement:
        """What the compiler makes of its query. On PostgreSQL constants go into the text: a plan that is made once can
        use a partial index only where it sees what the index wants."""
        sql, parameters = compiler.as_sql()
        if returning is not None:
            given_back, more = compiler.compile(returning)
            sql, parameters = f"{sql} RETURNING {given_back}", (*parameters, *more)
        if compiler.connection.vendor != "postgresql":
            return cls(sql, parameters)
        known = iter(parameters)
        text = PLACE.sub(lambda place: place[0] if place[0] == "%%" else _literal(next(known)), sql)
        return cls(text, [one for one in parameters if isinstance(one, _Asked)])

    def values(self, connection: BaseDatabaseWrapper, given: Mapping[str, object]) -> list[Any]:
        return [
            adapted(given[one.name], connection) if isinstance(one, _Asked) else one for one in self.parameters
        ]  # fmt: skip

    def convert(self, rows: Iterable[Sequence[Any]], connection: BaseDatabaseWrapper) -> list[tuple[Any, ...]]:
        if not self.converters:
            return [tuple(row) for row in rows]
        found = [list(row) for row in rows]
        for place, (steps, expression) in self.converters.items():
            for row in found:
                for step in steps:
                    row[place] = step(row[place], expression, connection)
        return [tuple(row) for row in found]


def _literal(value: object) -> str:
    """A constant as PostgreSQL writes it; a value that is asked for keeps its place."""
    return "%s" if isinstance(value, _Asked) else Literal(value).as_string().replace("%", "%%")


class _Compiled:
    """A statement that is compiled once for each kind of database that the process meets."""

    def __init__(self) -> None:
        self._statements: dict[str, _Statement] = {}

    def _fetch(self, given: Mapping[str, object]) -> list[tuple[Any, ...]]:
        statement, connection = self._statement()
        return statement.convert(fetch(statement.sql, statement.values(connection, given)), connection)

    def _statement(self) -> tuple[_Statement, BaseDatabaseWrapper]:
        connection = connections[DEFAULT_DB_ALIAS]
        if connection.vendor not in self._statements:
            self._statements[connection.vendor] = self._compile(connection)
        return self._statements[connection.vendor], connection

    def _compile(self, connection: BaseDatabaseWrapper) -> _Statement:
        raise NotImplementedError


class CompiledRows(_Compiled, Generic[Row]):
    """A SELECT. Rows are tuples where the queryset is a `values_list`, else instances, `select_related` included.

    Annotations are attributes of the instances; `prefetch_related` is not for this.
    """

    def __init__(self, write: Callable[[type[Ask]], QuerySet[Any, Row]]) -> None:
        super().__init__()
        self._write = write
        self._instance: Callable[[Sequence[Any]], Any] = tuple

    def rows(self, **given: object) -> list[Row]:
        """Every row, in the queryset's order. Raises KeyError where a value that it asks for is not given."""
        return [self._instance(row) for row in self._fetch(given)]

    def first(self, **given: object) -> Row | None:
        """The first of the rows, or None. Slice the queryset to one where there may be more."""
        rows = self.rows(**given)
        return rows[0] if rows else None

    def _compile(self, connection: BaseDatabaseWrapper) -> _Statement:
        queryset = self._write(Ask)
        compiler = queryset.query.get_compiler(connection=connection)
        made = _Statement.of(compiler)
        columns = compiler.select[: compiler.col_count]
        made = replace(made, converters=compiler.get_converters([column for column, _, _ in columns]))
        if issubclass(queryset._iterable_class, ModelIterable):
            self._instance = _maker(compiler)
        return made


def _maker(compiler: SQLCompiler) -> Callable[[Sequence[Any]], Any]:
    """What turns a row into an instance and those it refers to, as Django's own ModelIterable does."""
    info = compiler.klass_info or {}
    first, last = info["select_fields"][0], info["select_fields"][-1] + 1
    names = [column.target.attname for column, _, _ in compiler.select[first:last]]
    related = get_related_populators(info, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]  # of 6.0

    annotated = dict(compiler.annotation_col_map or {})

    def make(row: Sequence[Any]) -> Any:
        made = info["model"].from_db(DEFAULT_DB_ALIAS, names, row[first:last])
        for name, place in annotated.items():
            setattr(made, name, row[place])
        for populator in related:
            populator.populate(row, made)
        return made

    return make


class CompiledUpdate(_Compiled):
    """An UPDATE of one table: the rows that a queryset names, and the new values by field.

    `returning` is an expression over such a row, as an annotation would be. What a subquery in it sees of other rows
    that the same statement changes is the database's affair.
    """

    def __init__(
        self,
        write: Callable[[type[Ask]], tuple[QuerySet[Any, Any], dict[str, Any]]],
        *,
        returning: BaseExpression | None = None,
    ) -> None:
        super().__init__()
        self._write = write
        self._returning = returning

    def run(self, **given: object) -> int:
        """How many rows it changed. Raises KeyError where a value that it asks for is not given."""
        if self._returning is not None:
            return len(self.returned(**given))  # SQLite counts rows only once they are read
        statement, connection = self._statement()
        return change(statement.sql, statement.values(connection, given))

    def returned(self, **given: object) -> list[Any]:
        """What it gives back of each row it changed. Raises KeyError as `run` does."""
        return [value for (value,) in self._fetch(given)]

    def _compile(self, connection: BaseDatabaseWrapper) -> _Statement:
        queryset, values = self._write(Ask)
        query = queryset.query.chain(UpdateQuery)
        query.add_update_values(values)  # type: ignore[attr-defined]  # an UpdateQuery by now
        query.clear_ordering(force=True)
        query.annotations = {}
        compiler = query.get_compiler(connection=connection)
        if self._returning is None:
            return _Statement.of(compiler)
        returning = self._returning.resolve_expression(query, allow_joins=False)
        return replace(_Statement.of(compiler, returning), converters=compiler.get_converters([returning]))
