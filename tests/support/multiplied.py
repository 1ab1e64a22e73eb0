"""Many rows of a table from one that Django made: a million HITs in a minute, and no column can be forgotten."""

from __future__ import annotations

from django.db import connection
from django.db.models import Model, UUIDField

COUNTING = {
    "postgresql": "generate_series(0, {last}) g",
    "sqlite": "(WITH RECURSIVE c(g) AS (SELECT 0 UNION ALL SELECT g + 1 FROM c WHERE g < {last}) SELECT g FROM c)",
}
JSON = {"postgresql": "jsonb", "sqlite": "text"}  # what a text that holds JSON is cast to


def multiply(template: Model, n: int, **expressions: str) -> int:
    """Insert `n` rows like the saved `template`, which goes. Returns the first new id, 0 for UUIDs.

    `expressions` are SQL for the columns that differ, over `g`, which runs from 0 to n - 1.
    """
    meta = template._meta
    key, table = meta.pk.column, meta.db_table
    columns = [field.column for field in meta.concrete_fields]
    where = [template.pk.hex if isinstance(meta.pk, UUIDField) and connection.vendor == "sqlite" else template.pk]
    with connection.cursor() as cursor:
        first = 0
        if isinstance(meta.pk, UUIDField):
            expressions.setdefault(key, "gen_random_uuid()")
        else:
            cursor.execute(f"SELECT max({key}) + 1 FROM {table}")
            first = cursor.fetchone()[0]
            expressions[key] = f"{first} + g"
        chosen = ", ".join(f"({expressions[name]})" if name in expressions else f"t.{name}" for name in columns)
        cursor.execute(f"CREATE TEMPORARY TABLE t AS SELECT * FROM {table} WHERE {key} = %s", where)
        cursor.execute(f"DELETE FROM {table} WHERE {key} = %s", where)
        counting = COUNTING[connection.vendor].format(last=n - 1)
        cursor.execute(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {chosen} FROM t, {counting} ORDER BY g")
        cursor.execute("DROP TABLE t")
        if first and connection.vendor == "postgresql":
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', '{key}'), {first + n})")
    return first
