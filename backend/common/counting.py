"""What is counted beside the rows of a query, in the same statement."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, IntegerField, QuerySet, Subquery
from django.db.models.functions import Coalesce


def count_of(rows: QuerySet[Any, Any], by: str) -> Coalesce:
    """The number of `rows`, which are narrowed to those of one `by` with OuterRef or a value; 0 where there is none."""
    counted = rows.order_by().values(by).annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)
