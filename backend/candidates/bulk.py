"""Thousands of candidates in one statement: the only raw SQL of the room, once for PostgreSQL and once for SQLite.

Call both functions inside a transaction; a ledger's step is one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from django.db import connection
from django.utils import timezone

from backend.candidates.models import CandidateStatus


class NewCandidate(NamedTuple):
    """A pair as imported, in the order of the INSERTs below."""

    project_id: int
    image_id: int
    key: str
    raw_text: str
    source: str
    source_ref: str


class Cleaned(NamedTuple):
    """What cleaning made of one candidate; `text` is empty where it is dropped."""

    id: int
    status: CandidateStatus
    text: str
    drop_rule: str
    drop_detail: str


STAGING = """
CREATE TEMPORARY TABLE incoming_candidate (
    project_id bigint, image_id bigint, key text, raw_text text, source text, source_ref text
) ON COMMIT DROP
"""
COPY_IN = "COPY incoming_candidate FROM STDIN"
TAKE_STAGED = """
INSERT INTO candidates_candidate
    (project_id, image_id, key, raw_text, source, source_ref, text, status, drop_rule, drop_detail, created_at)
SELECT project_id, image_id, key, raw_text, source, source_ref, '', 'new', '', '', now() FROM incoming_candidate
ON CONFLICT DO NOTHING
"""
INSERT_ONE = """
INSERT INTO candidates_candidate
    (project_id, image_id, key, raw_text, source, source_ref, text, status, drop_rule, drop_detail, created_at)
VALUES (%s, %s, %s, %s, %s, %s, '', 'new', '', '', %s)
ON CONFLICT DO NOTHING
"""
# PostgreSQL takes a JSON set for a hundred rows and looks each id up; a staging table would tempt it into a full scan.
UPDATE_ALL = """
UPDATE candidates_candidate AS candidate
SET status = cleaned.status, text = coalesce(cleaned.text, ''),
    drop_rule = coalesce(cleaned.drop_rule, ''), drop_detail = coalesce(cleaned.drop_detail, '')
FROM json_to_recordset(%s::json) AS cleaned(id bigint, status text, text text, drop_rule text, drop_detail text)
WHERE candidate.id = cleaned.id
"""
UPDATE_ONE = """
UPDATE candidates_candidate
SET status = %s, text = %s, drop_rule = %s, drop_detail = %s
WHERE id = %s
"""


def insert_candidates(rows: Sequence[NewCandidate]) -> int:
    """Add the pairs that are not there yet, uncleaned. Returns how many were new."""
    if not rows:
        return 0
    return _copy(rows) if connection.vendor == "postgresql" else _insert(rows)


def _copy(rows: Sequence[NewCandidate]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(STAGING)
        with cursor.copy(COPY_IN) as copy:
            for row in rows:
                copy.write_row(row)
        cursor.execute(TAKE_STAGED)
        n_new: int = cursor.rowcount
        cursor.execute("DROP TABLE incoming_candidate")
    return n_new


def _insert(rows: Sequence[NewCandidate]) -> int:
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.executemany(INSERT_ONE, [(*row, now) for row in rows])
        n_new: int = cursor.rowcount
    return n_new


def write_cleaned(rows: Sequence[Cleaned]) -> None:
    """Give each candidate its cleaned text and status."""
    if not rows:
        return
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(UPDATE_ALL, [json.dumps([_sparse(row) for row in rows], ensure_ascii=False)])
        else:
            cursor.executemany(UPDATE_ONE, [(*row[1:], row.id) for row in rows])


def _sparse(row: Cleaned) -> dict[str, object]:
    """The row without what is empty, which is what the statement fills in."""
    return {name: value for name, value in zip(row._fields, row, strict=True) if value}


def refresh_statistics() -> None:
    """Let PostgreSQL plan by what was just loaded, and not by the empty table it remembers."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE candidates_candidate")
