"""Thousands of candidates in one statement: the only raw SQL of the room, once for PostgreSQL and once for SQLite.

Call these inside a transaction; a ledger's step is one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import F
from django.utils import timezone

from backend.candidates.models import Candidate, CandidateStatus


class NewCandidate(NamedTuple):
    """A pair as imported, in the order of the columns below."""

    project_id: int
    image_id: int
    key: str
    raw_text: str
    source: str
    source_ref: str
    rank: int | None = None
    similarity: float | None = None
    page_url: str = ""
    site_name: str = ""


class Cleaned(NamedTuple):
    """What cleaning made of one candidate; `text` is empty where it is dropped."""

    id: int
    status: CandidateStatus
    text: str
    drop_rule: str
    drop_detail: str
    flags: tuple[str, ...] = ()


UNCLEANED = ("", "new", "", "")
COPY = """
COPY candidates_candidate
    (project_id, image_id, key, raw_text, source, source_ref, rank, similarity, page_url, site_name,
     text, status, drop_rule, drop_detail, created_at)
FROM STDIN
"""
STAGING = """
CREATE TEMPORARY TABLE incoming_candidate (
    project_id bigint, image_id bigint, key text, raw_text text, source text, source_ref text,
    rank integer, similarity double precision, page_url text, site_name text
) ON COMMIT DROP
"""
COPY_STAGED = "COPY incoming_candidate FROM STDIN"
TAKE_STAGED = """
INSERT INTO candidates_candidate
    (project_id, image_id, key, raw_text, source, source_ref, rank, similarity, page_url, site_name,
     text, status, drop_rule, drop_detail, created_at)
SELECT project_id, image_id, key, raw_text, source, source_ref, rank, similarity, page_url, site_name,
     '', 'new', '', '', now()
FROM incoming_candidate
ON CONFLICT DO NOTHING
"""
INSERT_ONE = """
INSERT INTO candidates_candidate
    (project_id, image_id, key, raw_text, source, source_ref, rank, similarity, page_url, site_name,
     text, status, drop_rule, drop_detail, created_at)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT DO NOTHING
"""
ARE_BARE = "SELECT NOT EXISTS (SELECT FROM candidates_candidate WHERE image_id = ANY(%s))"
KEEP_RAW = """
UPDATE candidates_candidate SET status = 'kept', text = raw_text, drop_rule = '', drop_detail = '', flags = '[]'
WHERE id = ANY(%s) AND (status <> 'kept' OR text <> raw_text OR flags <> '[]')
"""
# PostgreSQL takes a JSON set for a hundred rows and looks each id up; a staging table would tempt it into a full scan.
UPDATE_ALL = """
UPDATE candidates_candidate AS candidate
SET status = cleaned.status, text = cleaned.text, drop_rule = cleaned.drop_rule, drop_detail = cleaned.drop_detail,
    flags = cleaned.flags
FROM json_to_recordset(%s::json)
    AS cleaned(id bigint, status text, text text, drop_rule text, drop_detail text, flags jsonb)
WHERE candidate.id = cleaned.id
  AND (candidate.status, candidate.text, candidate.drop_rule, candidate.drop_detail, candidate.flags)
   <> (cleaned.status, cleaned.text, cleaned.drop_rule, cleaned.drop_detail, cleaned.flags)
"""
UPDATE_ONE = """
UPDATE candidates_candidate SET status = %s, text = %s, drop_rule = %s, drop_detail = %s, flags = %s WHERE id = %s
"""


def insert_candidates(rows: Iterable[NewCandidate]) -> int:
    """Add the pairs that are not there yet, uncleaned. Returns how many were new."""
    different = list({(row.image_id, row.key): row for row in rows}.values())
    if not different:
        return 0
    if connection.vendor != "postgresql":
        return _insert(different)
    return _copy(different) if _are_bare({row.image_id for row in different}) else _copy_and_compare(different)


def _are_bare(image_ids: set[int]) -> bool:
    """Whether these images have no candidate at all, so that nothing can be there twice."""
    with connection.cursor() as cursor:
        cursor.execute(ARE_BARE, [list(image_ids)])
        bare: bool = cursor.fetchone()[0]
    return bare


def _copy(rows: Sequence[NewCandidate]) -> int:
    rest = (*UNCLEANED, timezone.now().isoformat())
    with connection.cursor() as cursor, cursor.copy(COPY) as copy:
        for row in rows:
            copy.write_row(row + rest)
    return len(rows)


def _copy_and_compare(rows: Sequence[NewCandidate]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(STAGING)
        with cursor.copy(COPY_STAGED) as copy:
            for row in rows:
                copy.write_row(row)
        cursor.execute(TAKE_STAGED)
        n_new: int = cursor.rowcount
        cursor.execute("DROP TABLE incoming_candidate")
    return n_new


def _insert(rows: Sequence[NewCandidate]) -> int:
    rest = (*UNCLEANED, connection.ops.adapt_datetimefield_value(timezone.now()))
    with connection.cursor() as cursor:
        cursor.executemany(INSERT_ONE, [row + rest for row in rows])
        n_new: int = cursor.rowcount
    return n_new


def check_references() -> None:
    """Let PostgreSQL check the foreign keys of what was inserted now, and not when the transaction commits."""
    if connection.vendor == "postgresql":
        _execute("SET CONSTRAINTS ALL IMMEDIATE", [])


def keep_raw(ids: Sequence[int]) -> None:
    """Keep these candidates with their raw text as the clean one: most captions need no repair.

    Here and in `write_cleaned` PostgreSQL passes over rows that are so already: a new version of a row is dear.
    """
    if not ids:
        return
    if connection.vendor == "postgresql":
        _execute(KEEP_RAW, [ids])
    else:
        Candidate.objects.filter(pk__in=ids).update(
            status=CandidateStatus.KEPT, text=F("raw_text"), drop_rule="", drop_detail="", flags=[]
        )


def write_cleaned(rows: Sequence[Cleaned]) -> None:
    """Give each candidate its cleaned text and status."""
    if not rows:
        return
    if connection.vendor == "postgresql":
        _execute(UPDATE_ALL, [json.dumps([row._asdict() for row in rows], ensure_ascii=False)])
    else:
        with connection.cursor() as cursor:
            cursor.executemany(UPDATE_ONE, [(*row[1:-1], json.dumps(row.flags), row.id) for row in rows])


def refresh_statistics() -> None:
    """Let PostgreSQL plan by what was just loaded, and not by the empty table it remembers.

    Only the columns it is searched by: sorting samples of long texts would take four times as long.
    """
    if connection.vendor == "postgresql":
        _execute("ANALYZE candidates_candidate (id, project_id, image_id, key)", [])


def _execute(sql: str, parameters: list[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
