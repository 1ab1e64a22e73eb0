"""Writes an export into a folder, as one file: a table, or the folder of another tool in one archive."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
from django.db.models import Q

from backend.exports.filters import TABLES, read_filter
from backend.exports.models import Export, ExportedKind
from backend.exports.pseudonyms import FixedNames, read_names
from backend.exports.rows import (
    CaptionFilter,
    JudgmentFilter,
    iterate_agreement,
    iterate_annotators,
    iterate_captions,
    iterate_judgments,
    list_judgments,
)
from backend.methods.export_rows import CAPTION_COLUMNS, CsvTable, caption_cells, json_line
from backend.methods.exports.flat import SCHEMAS, WRITERS, in_batches
from backend.methods.exports.judged import Judged, read_judged, write_conqa, write_crowd_kit, write_label_studio
from backend.projects.models import Project
from backend.releases.bundle import write_sums
from backend.releases.entries import EntryFilter
from backend.releases.exporting import Source, export_release
from backend.releases.full_reads import iterate_captions as iterate_full_captions
from backend.releases.full_reads import list_caption_values, read_standings
from backend.releases.full_tables import write_full_tables

OF_VOTES: dict[str, Callable[[Path, Iterator[Judged]], object]] = {
    "label-studio": write_label_studio, "crowd-kit": write_crowd_kit, "conqa": write_conqa,
}  # fmt: skip
IN_OLDER_RELEASES = dict.fromkeys(CAPTION_COLUMNS)  # columns that came later are empty
MOMENT = (1980, 1, 1, 0, 0, 0)  # of every file in an archive, so that the same content gives the same bytes
Tick = Callable[..., object]


def write_export(*, export: Export, folder: Path, tick: Tick, look: Tick) -> Path:
    """Write the file. `tick` is called with a number of rows, or for one row, and `look` for each file of an archive.

    Both may raise.

    Raises ConnoteError where the content cannot be written in this format.
    """
    asked = read_filter(export.what, export.filter)
    left_out = frozenset(export.leave_out)
    if export.what == ExportedKind.RELEASE:
        made = _release(export, EntryFilter(**asked), folder, tick)
        return made if made.is_file() else _archive(made, look)
    if export.format not in TABLES:
        return _archive(_votes(export, left_out, folder, tick), look)
    path = folder / f"rows.{export.format}"
    batches = _batches(export.what, export.project, asked, left_out)
    WRITERS[export.format](path, SCHEMAS[export.what], _ticking(tick, batches))
    return path


def count_rows(export: Export) -> int | None:
    """How often `tick` will be called; None where it is not known before."""
    asked = read_filter(export.what, export.filter)
    if export.what == ExportedKind.JUDGMENTS and export.format in TABLES:
        names = read_names(project=export.project)
        return list_judgments(project=export.project, asked=JudgmentFilter(**asked), names=names).count()
    if export.what in (ExportedKind.JUDGMENTS, ExportedKind.CAPTIONS):
        condition = CaptionFilter(**asked).condition() if export.what == ExportedKind.CAPTIONS else Q()
        return list_caption_values(project=export.project).filter(condition).count()
    return None


def _batches(
    what: str, project: Project, asked: Mapping[str, Any], left_out: frozenset[str]
) -> Iterator[pa.RecordBatch]:
    if what == ExportedKind.JUDGMENTS:
        return iterate_judgments(project=project, asked=JudgmentFilter(**asked), left_out=left_out)
    rows: Iterator[dict[str, Any]]
    if what == ExportedKind.CAPTIONS:
        rows = iterate_captions(project=project, asked=CaptionFilter(**asked), left_out=left_out)
    elif what == ExportedKind.ANNOTATORS:
        rows = iterate_annotators(project=project)
    else:
        rows = iterate_agreement(project=project)
    return in_batches(rows, SCHEMAS[what])


def _ticking(tick: Tick, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        tick(batch.num_rows)
        yield batch


def _votes(export: Export, left_out: frozenset[str], folder: Path, tick: Tick) -> Path:
    """The answers that count, for a tool that takes votes. Pseudonyms are those of the other exports of the project."""
    project, tables, out = export.project, folder / "tables", folder / "out"
    tables.mkdir()
    out.mkdir()

    def captions() -> Iterator[Any]:
        for caption in iterate_full_captions(project=project, splits={}):
            tick()
            yield caption

    write_full_tables(
        folder=tables,
        captions=captions(),
        people=FixedNames(read_names(project=project)),
        standings=read_standings(project=project),
        left_out=left_out,
    )
    OF_VOTES[export.format](out, read_judged(tables / "candidates.parquet", tables / "judgments.parquet"))
    write_sums(out)
    return out


def _release(export: Export, asked: EntryFilter, folder: Path, tick: Tick) -> Path:
    assert export.release is not None  # noqa: S101  (a constraint of create_export)
    if export.format in ("jsonl", "csv"):
        path = folder / f"captions.{export.format}"
        _write_captions(path, Source(export.release, asked, tick))
        return path
    out = folder / "out"
    export_release(release=export.release, format=export.format, folder=out, asked=asked, tick=tick)
    return out


def _write_captions(path: Path, source: Source) -> None:
    """Lines of captions.jsonl or captions.csv, those that fit the filter."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = CsvTable(file, CAPTION_COLUMNS) if path.suffix == ".csv" else None
        for entry in source.list_lines():
            for caption in entry.body["captions"]:
                row = {"image": entry.digest, "split": entry.body.get("split", ""), **caption}
                if table is None:
                    file.write(json_line(row))
                else:
                    table.write({**IN_OLDER_RELEASES, **caption_cells(row)})


def _archive(folder: Path, look: Tick) -> Path:
    """A folder in one file, in the order of the names. Nothing is compressed: images and Parquet are small already."""
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for file in sorted(each for each in folder.rglob("*") if each.is_file()):
            look()
            entry = zipfile.ZipInfo(file.relative_to(folder).as_posix(), MOMENT)
            entry.external_attr = 0o644 << 16
            with file.open("rb") as content, archive.open(entry, "w", force_zip64=True) as to:
                while chunk := content.read(1 << 20):
                    to.write(chunk)
            file.unlink()
    return path
