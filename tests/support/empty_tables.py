"""Empties the tables after a test with real transactions, in milliseconds.

Django truncates every table and makes the content types and permissions again: 0.2 s after each of some 470 tests. Here
the rows go and these two tables stay as they are.
"""

from __future__ import annotations

from functools import cache

import pytest
from django.db import connection
from django.test import TransactionTestCase

KEPT = {"django_content_type", "auth_permission"}


@cache
def _tables() -> tuple[str, ...]:
    found = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return tuple(sorted(set(found) - KEPT))


def delete_rows() -> None:
    """All rows of all other tables."""
    is_postgresql = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica" if is_postgresql else "PRAGMA foreign_keys = OFF")
        for table in _tables():
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")
        cursor.execute("SET session_replication_role = DEFAULT" if is_postgresql else "PRAGMA foreign_keys = ON")


@pytest.fixture(autouse=True, scope="session")
def _empty_tables_by_delete() -> None:
    TransactionTestCase._fixture_teardown = lambda case: delete_rows()  # type: ignore[method-assign]
