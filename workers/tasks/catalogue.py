"""Import images: rows of a source in, thumbnails and originals into storage, images into the project.

Files are written before their rows, so that every row has its files; a kill in between leaves files that the next run
finds and uses.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, TypeVar

from django.conf import settings

from backend.catalogue import uploads
from backend.catalogue.refusals import refusal_of
from backend.catalogue.selectors import get_digests, open_source_of
from backend.catalogue.services import (
    Named,
    NewImage,
    add_images,
    choose_licence,
    read_default_licence,
    refuse_other_bytes,
)
from backend.catalogue.sources import ImageRow, MemberRefused, Refused
from backend.catalogue.sources.rows import not_read
from backend.catalogue.storage import keep_file, original_name, thumbnail_name
from backend.methods.licences import Licence
from backend.projects.models import Project
from backend.runs.ledger import Ledger
from backend.runs.outcome import NoImages, check_outcome
from backend.runs.queue import LOOK_AT_UPLOAD, app
from workers.engines.in_order import map_in_order
from workers.engines.pictures import Picture, PictureRefused, read_picture
from workers.tasks.memory_limit import bounded_memory, within_memory
from workers.tasks.stage import stage

BATCH = 50
MOST_LOOK_SECONDS = 120
Row = ImageRow | Refused
FACTS = ("digest", "perceptual_hash", "width", "height", "format", "n_bytes")
CREDITS = ("line", "name", "key", "author", "title", "source_url", "attribution", "names")
ENDINGS = {
    ".jpg": "JPEG", ".jpeg": "JPEG", ".png": "PNG", ".gif": "GIF", ".webp": "WEBP", ".bmp": "BMP", ".avif": "AVIF",
    ".tif": "TIFF", ".tiff": "TIFF",
}  # fmt: skip
T = TypeVar("T")


@dataclass(frozen=True)
class There:
    """A row whose picture the project has already, or gets by a row before it, known without decoding it."""

    named: Named


@dataclass(frozen=True)
class Repeat:
    """A row about the same file as a row before it in its batch, as where each caption has a row.

    `first` is what a report calls that one.
    """

    row: ImageRow
    first: str


Outcome = NewImage | Refused | There | Repeat


@dataclass(frozen=True)
class Job:
    """One row to be worked on, and the digest of what the project has under its id; empty for nothing."""

    row: ImageRow
    licence: Licence
    known_digest: str


@app.task(name=LOOK_AT_UPLOAD, time_limit=MOST_LOOK_SECONDS)
def look_at_upload(upload_id: str) -> None:
    """What somebody uploaded, within narrow limits: nobody can cancel this."""
    with bounded_memory():
        uploads.look_at_upload(upload_id=upload_id)


@stage("import_images")
@within_memory
def import_images(ledger: Ledger) -> None:
    """The cursor counts rows of the source; a run taken up again goes on after the last committed one."""
    source = open_source_of(run=ledger.run)
    default = read_default_licence(ledger.parameters["default_licence"])
    if ledger.run.total is None:
        ledger.set_total(sum(1 for _ in source.images()))
    rows = islice(source.images(), ledger.cursor.get("rows", 0), None)
    outcomes = map_in_order(work_on, jobs_of(rows, project=ledger.run.project, default=default))
    for batch in batches_of(outcomes):
        write_down(ledger, batch)
    check_outcome(ledger.run.counts, empty=NoImages)


def jobs_of(rows: Iterable[Row], *, project: Project, default: Licence | None) -> Iterator[Job | Repeat | Refused]:
    """What there is to do for each row: one query finds out what a whole batch of ids stands for already."""
    for batch in batches_of(rows):
        known = get_digests(project=project, keys={row.key for row in batch if isinstance(row, ImageRow)})
        seen: dict[tuple[str, str], str] = {}
        for row in batch:
            if isinstance(row, Refused):
                yield row
            elif (row.key, row.name) in seen:
                yield Repeat(row, seen[row.key, row.name])
            else:
                seen[row.key, row.name] = row.shown
                yield _job_of(row, known, default)


def _job_of(row: ImageRow, known: dict[str, str], default: Licence | None) -> Job | Refused:
    licence = choose_licence(row, default)
    return licence if isinstance(licence, Refused) else Job(row, licence, known.get(row.key, ""))


def work_on(job: Job | Repeat | Refused) -> Outcome:
    """Read, judge, draw and store one picture. Runs in a thread of its own and touches no database."""
    if isinstance(job, Refused | Repeat):
        return job
    row = job.row
    try:
        data = row.read()
        if job.known_digest:
            same = hashlib.sha256(data).hexdigest() == job.known_digest
            return There(Named(row.key, row.names)) if same else refuse_other_bytes(row.line, row.shown, row.key)
        picture = read_picture(data, max_pixels=settings.MAX_IMAGE_PIXELS, name=row.name)
    except MemberRefused as refused:
        return refused.at(row.line, row.shown)
    except PictureRefused as refused:
        return Refused(row.line, row.shown, refused.code, refused.template, refused.params)
    except OSError as error:
        return not_read(error).at(row.line, row.shown)
    return keep_picture(job, picture, data)


def keep_picture(job: Job, picture: Picture, data: bytes) -> NewImage:
    """Store the original and both thumbnails; the row that will name them."""
    row, digest = job.row, picture.digest
    original = original_name(digest, picture.format)
    small, large = thumbnail_name(digest, "small"), thumbnail_name(digest, "large")
    for name, content in ((original, data), (small, picture.small), (large, picture.large)):
        keep_file(name, content)
    facts: dict[str, Any] = {name: getattr(picture, name) for name in FACTS} | {
        name: getattr(row, name) for name in CREDITS
    }
    notes = (*picture.notes, *_note_on_name(row.name, picture.format))
    return NewImage(original=original, small=small, large=large, licence=job.licence.code, notes=notes, **facts)


def _note_on_name(name: str, format: str) -> Iterator[str]:
    """Pictures are judged by content; a name that says otherwise is worth a word."""
    ending = PurePosixPath(name).suffix.lower()
    if ENDINGS.get(ending, format) != format:
        yield f"The name of the file ends in {ending}, but its format is {format}."


def write_down(ledger: Ledger, batch: list[Outcome]) -> None:
    """One step: the batch's images, its refusals and how far the source is read."""
    new = [outcome for outcome in batch if isinstance(outcome, NewImage)]
    batch = _without_repeats(batch)
    refused = [outcome for outcome in batch if isinstance(outcome, Refused)]
    there = [outcome.named for outcome in batch if isinstance(outcome, There)]
    with ledger.step() as step:
        added = add_images(project=ledger.run.project, images=new, there=there)
        step.refuse(ledger.run, [refusal_of(one) for one in refused + added.refused])
        step.counts.update({"in": len(batch), "out": added.n_added, "already_there": len(there) + added.n_there})
        step.cursor["rows"] = step.cursor.get("rows", 0) + len(batch)
        step.done = len(batch)


def _without_repeats(batch: list[Outcome]) -> list[Outcome]:
    """Each repeat is there already, or refused for the reason of the first."""
    why = {outcome.name: outcome for outcome in batch if isinstance(outcome, Refused)}
    return [_of_repeat(outcome, why) if isinstance(outcome, Repeat) else outcome for outcome in batch]


def _of_repeat(repeat: Repeat, why: dict[str, Refused]) -> Outcome:
    row, first = repeat.row, why.get(repeat.first)
    return replace(first, line=row.line, name=row.shown) if first else There(Named(row.key, row.names))


def batches_of(items: Iterable[T]) -> Iterator[list[T]]:
    """`items` in lists of BATCH, the last one shorter."""
    rest = iter(items)
    while batch := list(islice(rest, BATCH)):
        yield batch
