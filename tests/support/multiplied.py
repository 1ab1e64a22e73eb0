"""Many rows of a table from one that Django made: a million HITs in a minute, and no column can be forgotten."""

from __future__ import annotations

from django.db import connection
from django.db.models import Model, UUIDField


def multiply(template: Model, n: int, **expressions: str) -> int:
    """Insert `n` rows like the saved `template`, which goes. Needs PostgreSQL. Returns the first new id, 0 for UUIDs.

    `expressions` are SQL for the columns that differ, over `g`, which runs from 0 to n - 1.
    """
    meta = template._meta
    key = meta.pk.column
    columns = [field.column for field in meta.concrete_fields]
    with connection.cursor() as cursor:
        first = 0
        if isinstance(meta.pk, UUIDField):
            expressions.setdefault(key, "gen_random_uuid()")
        else:
            cursor.execute(f"SELECT max({key}) + 1 FROM {meta.db_table}")
            first = cursor.fetchone()[0]
            expressions[key] = f"{first} + g"
        chosen = ", ".join(f"({expressions[name]})" if name in expressions else f"t.{name}" for name in columns)
        cursor.execute(f"CREATE TEMPORARY TABLE t AS SELECT * FROM {meta.db_table} WHERE {key} = %s", [template.pk])
        cursor.execute(f"DELETE FROM {meta.db_table} WHERE {key} = %s", [template.pk])
        cursor.execute(
            f"INSERT INTO {meta.db_table} ({', '.join(columns)}) "
            f"SELECT {chosen} FROM t, generate_series(0, {n - 1}) g ORDER BY g"
        )
        cursor.execute("DROP TABLE t")
        if first:
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{meta.db_table}', '{key}'), {first + n})")
    return first
