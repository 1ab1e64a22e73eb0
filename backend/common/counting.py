"""What is counted, or looked up in a list, beside the rows of a query, in the same statement."""

from __future__ import annotations

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, Count, Func, IntegerField, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.db.models.sql.compiler import SQLCompiler


def count_of(rows: QuerySet[Any, Any], by: str) -> Coalesce:
    """The number of `rows`, which are narrowed to those of one `by` with OuterRef or a value; 0 where there is none."""
    counted = rows.order_by().values(by).annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


class ListLength(Func):
    """How long a list in a JSON column is."""

    function = "JSONB_ARRAY_LENGTH"
    output_field = IntegerField()

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra_context: Any
    ) -> tuple[str, tuple[str | int, ...]]:
        return self.as_sql(compiler, connection, function="JSON_ARRAY_LENGTH", **extra_context)


class InList(Func):
    """Whether a number is in a list of numbers in a JSON column: `InList(number, "column")`."""

    template, arg_joiner = "(TO_JSONB(%(expressions)s)", ") <@ "
    output_field = BooleanField()

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra_context: Any
    ) -> tuple[str, tuple[str | int, ...]]:
        asked = {"template": "%(expressions)s))", "arg_joiner": " IN (SELECT value FROM JSON_EACH("}
        return self.as_sql(compiler, connection, **asked, **extra_context)
