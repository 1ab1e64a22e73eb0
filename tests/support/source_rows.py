"""Short ways to say what a source gave."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from backend.catalogue.sources import CaptionRow, ImageRow, Limits, Refused, open_source
from drawn import draw

A, B = draw(1), draw(2)


def images(path: Path, layout: str = "auto", **limits: int) -> list[ImageRow | Refused]:
    return list(open_source(path, layout, Limits(**limits)).images())


def captions(path: Path, layout: str = "auto") -> list[CaptionRow | Refused]:
    return list(open_source(path, layout).captions())


def keys(rows: list[Any]) -> list[str]:
    return [row.key for row in rows if isinstance(row, ImageRow)]


def texts(rows: list[Any]) -> list[tuple[str, str]]:
    return [(row.image_key, row.text) for row in rows if isinstance(row, CaptionRow)]


def refused(rows: list[Any]) -> list[tuple[int | None, str]]:
    return [(row.line, row.code) for row in rows if isinstance(row, Refused) and not row.is_ignored]


def ignored(rows: list[Any]) -> list[tuple[str, str]]:
    return [(row.name, row.code) for row in rows if isinstance(row, Refused) and row.is_ignored]


def as_lines(*rows: object) -> str:
    return "\n".join(json.dumps(row) for row in rows)
