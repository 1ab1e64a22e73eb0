"""A file of controls as it comes in a request: small enough to be read while its sender waits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO, cast

from django.core.files.uploadedfile import UploadedFile

from backend.catalogue.sources.names import is_table, printable
from backend.catalogue.sources.records import Record, read_records
from backend.catalogue.sources.rows import MB, Limits, Refused, SourceUnreadable
from backend.catalogue.uploads import TooLarge
from backend.controls.imports import Imported, import_controls
from backend.people.models import User
from backend.projects.models import Project

MOST_MB = 10
MOST_ROWS = 2_000
TOO_MANY = "Connote read the first {most} rows. Send the other rows in another file."


def import_file(*, project: Project, file: UploadedFile[bytes], made_by: User) -> Imported:
    """The controls of an uploaded table. Raises TooLarge, and SourceUnreadable where it is no table at all."""
    if (file.size or 0) > MOST_MB * MB:
        raise TooLarge(
            "This file has more than {most} MB. Send it in parts.", code="file_too_large", params={"most": MOST_MB}
        )
    name = file.name or ""
    if not is_table(name):
        raise SourceUnreadable(
            "{name} is not a CSV, TSV, JSON, Excel or Parquet file.",
            code="not_a_table",
            params={"name": printable(name)[:100]},
        )
    stream = cast(BinaryIO, file.open("rb").file)
    return import_controls(project=project, rows=_first_rows(stream, name), made_by=made_by)


def _first_rows(stream: BinaryIO, name: str) -> Iterator[Record | Refused]:
    rows = read_records(stream, name, Limits(max_line_bytes=MB))
    yield from islice(rows, MOST_ROWS)
    if (more := next(rows, None)) is not None:
        line = more.line if isinstance(more, Refused) else more[0]
        yield Refused(line, "", "too_many_rows", TOO_MANY, {"most": MOST_ROWS})
