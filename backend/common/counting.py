"""Pieces of queries: counts beside the rows of a statement, and long lists of ids."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django.db import connection
from django.db.models import Count, IntegerField, QuerySet, Subquery
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce


def count_of(rows: QuerySet[Any, Any], by: str) -> Coalesce:
    """The number of `rows`, which are narrowed to those of one `by` with OuterRef or a value; 0 where there is none."""
    counted = rows.order_by().values(by).annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def in_one(ids: Iterable[int]) -> RawSQL:
    """Ids for `__in` as a single parameter: of a few thousand parameters the reading costs more than the looking up."""
    if connection.vendor == "postgresql":
        return RawSQL("SELECT unnest(%s::bigint[])", [list(ids)])
    return RawSQL("SELECT value FROM json_each(%s)", [json.dumps(list(ids))])
