"""Captions that do not count by the word of their own source: a person rejected or skipped them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from backend.catalogue.sources.names import printable
from backend.catalogue.sources.rows import Refused
from backend.methods.foreign.statuses import is_status, why_no_vote
from backend.methods.tables import as_text

WITHDRAWN = "The source says in {column} that this caption does not count: {value}."
ANSWER, OF_PRODIGY = "answer", "_task_hash"  # elsewhere `answer` is a text


def withdrawal_of(line: int, name: str, record: Mapping[str, Any]) -> Refused | None:
    """The row as ignored, where its source does not count it; None where it does.

    Mechanical Turk says it in `AssignmentStatus`, VizWiz in `is_rejected`, Prodigy in `answer`.
    """
    for column in _status_columns(tuple(record)):
        value = str(record[column]).lower() if isinstance(record[column], bool) else as_text(record[column])
        if why_no_vote("status" if column == ANSWER else column, value):
            says = {"column": printable(column, 40), "value": printable(value, 40)}
            return Refused(line, printable(name), "caption_withdrawn", WITHDRAWN, says, is_ignored=True)
    return None


@lru_cache(maxsize=256)
def _status_columns(columns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(column for column in columns if is_status(column) or (column == ANSWER and OF_PRODIGY in columns))
