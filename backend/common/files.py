"""Answers that a browser keeps as a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes

from backend.methods.export_rows import csv_lines

CSV: Final = {(200, "text/csv"): OpenApiTypes.BINARY}
CSV_TYPE: Final = "text/csv; charset=utf-8"


def file_headers(name: str) -> dict[str, str]:
    """Let the answer be a file called `name`, which no cache on the way keeps: a project's files are its members'."""
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private, no-cache"}


def csv_file(name: str, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> StreamingHttpResponse:
    """A table as a file called `name`, line by line. No spreadsheet takes a cell of it for a formula."""
    return StreamingHttpResponse(csv_lines(rows, columns), content_type=CSV_TYPE, headers=file_headers(name))
