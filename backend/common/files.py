"""Answers that a browser keeps as a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes

from backend.methods.export_rows import csv_lines

CSV: Final = {(200, "text/csv"): OpenApiTypes.BINARY}
SMALL: Final = 1_000_000  # characters of a table that is held in memory for its ETag
CSV_TYPE: Final = "text/csv; charset=utf-8"


def file_headers(name: str) -> dict[str, str]:
    """Let the answer be a file called `name`, which no cache on the way keeps: a project's files are its members'."""
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private, no-cache"}


def csv_file(name: str, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> HttpResponseBase:
    """A table as a file called `name`. No spreadsheet takes a cell of it for a formula.

    A small table is sent whole, and ConditionalGetMiddleware gives it an ETag. A large one is sent line by line.
    """
    lines, size = csv_lines(rows, columns), 0
    read: list[str] = []
    for line in lines:
        read.append(line)
        size += len(line)
        if size > SMALL:
            return StreamingHttpResponse(chain(read, lines), content_type=CSV_TYPE, headers=file_headers(name))
    return HttpResponse("".join(read), content_type=CSV_TYPE, headers=file_headers(name))
