"""Answers that a browser keeps as a file."""

from __future__ import annotations

from typing import Final

from drf_spectacular.types import OpenApiTypes

CSV: Final = {(200, "text/csv"): OpenApiTypes.BINARY}
CSV_TYPE: Final = "text/csv; charset=utf-8"


def file_headers(name: str) -> dict[str, str]:
    """Let the answer be a file called `name`, which no cache on the way keeps: a project's files are its members'."""
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private, no-cache"}
