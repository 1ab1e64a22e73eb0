"""Captions from a file become candidates, in steps that a killed worker can resume between."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from math import isfinite

from backend.candidates.bulk import NewCandidate, check_references, insert_candidates
from backend.candidates.models import OTHER_IMAGE, QUERY, candidate_key
from backend.catalogue.models import Image
from backend.catalogue.refusals import refusal_of
from backend.catalogue.sources.rows import CaptionRow, Refused
from backend.common.errors import InvalidInput
from backend.runs.ledger import Ledger, Step
from backend.runs.models import Run
from backend.runs.walk import SOURCE_NAME

BATCH = 10_000
MAX_BYTES = 100_000
MAX_REF = 200
MAX_PAGE_URL = 500
MAX_RANK = 2**31
ORIGIN = re.compile(SOURCE_NAME)
UNFIT_SOURCE = "Use at most 40 small letters, digits, - and _ for a source, but not other_image or query."
NO_TEXT = re.compile("[\x00\ud800-\udfff]")
Images = dict[str, tuple[int, str]]  # key -> (id, digest)


def check_origin(origin: str) -> None:
    """Raises InvalidInput where captions of a file cannot be called `origin`."""
    if not ORIGIN.fullmatch(origin):
        raise InvalidInput(
            "Use at most 40 small letters, digits, - and _ for the origin, for example human or web.",
            code="origin_letters",
        )
    if origin == OTHER_IMAGE:
        raise InvalidInput(
            "The origin {origin} is only for captions of other images. Choose another origin.",
            code="origin_reserved",
            params={"origin": OTHER_IMAGE},
        )
    if origin == QUERY:
        raise InvalidInput(
            "The origin {origin} is only for queries. Choose another origin, or import queries.",
            code="origin_of_queries",
            params={"origin": QUERY},
        )


def import_captions(*, ledger: Ledger, rows: Iterable[CaptionRow | Refused], origin: str) -> None:
    """Add every readable caption of `rows` to its image, list every other one as refused.

    A caption that is there already is counted as `known`, so that importing a file twice changes nothing.
    """
    check_origin(origin)
    run, images = ledger.run, _images_of(ledger.run)
    judged = (_judge(row, run, images, origin) for row in islice(rows, ledger.cursor.get("rows", 0), None))
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="reader") as reader:
        upcoming = reader.submit(_next_batch, judged)
        while batch := upcoming.result():
            with ledger.step() as step:
                _take(run, step, batch)
                step.cursor["rows"] = step.cursor.get("rows", 0) + len(batch)
                # Checking foreign keys is half of a step, and all of it waiting: read on meanwhile.
                upcoming = reader.submit(_next_batch, judged)
                check_references()


def _next_batch(judged: Iterator[NewCandidate | Refused]) -> list[NewCandidate | Refused]:
    return list(islice(judged, BATCH))


def _take(run: Run, step: Step, batch: list[NewCandidate | Refused]) -> None:
    taken = [row for row in batch if isinstance(row, NewCandidate)]
    n_new = insert_candidates(taken)
    step.done = len(batch)
    step.counts.update({"in": len(batch), "out": n_new, "known": len(taken) - n_new})
    step.refuse(run, [refusal_of(row) for row in batch if isinstance(row, Refused)])


def _images_of(run: Run) -> Images:
    """(id, digest) of the project's images by the key their source gave them; 300 bytes an image."""
    images = Image.objects.filter(project=run.project_id).values_list("key", "id", "digest")
    return {key: (image_id, digest) for key, image_id, digest in images.iterator(chunk_size=10_000)}


def _judge(row: CaptionRow | Refused, run: Run, images: Images, origin: str) -> NewCandidate | Refused:
    """The row as a candidate, or why it becomes none. No database: this runs in the reader's thread."""
    if isinstance(row, Refused):
        return row
    if reason := _reason(row, images):
        return Refused(row.line, row.image_key, *reason)
    image_id, digest = images[row.image_key]
    source = row.source or origin
    key = candidate_key(digest=digest, source=source, raw_text=row.text)
    ref = _storable(row.ref)[:MAX_REF]
    page = _storable(row.page_url)[:MAX_PAGE_URL], _storable(row.site_name)[:MAX_REF]
    return NewCandidate(run.project_id, image_id, key, row.text, source, ref, row.rank, row.similarity, *page)


def _reason(row: CaptionRow, images: Images) -> tuple[str, str] | None:
    if len(row.text) * 4 > MAX_BYTES and len(row.text.encode("utf-8", "replace")) > MAX_BYTES:
        return "too_long", f"The caption has more than {MAX_BYTES:,} bytes. Shorten it."
    if _storable(row.text) is not row.text:
        return "not_text", "The caption has a null or incomplete character. Save the file as UTF-8."
    if row.source and (row.source in (OTHER_IMAGE, QUERY) or not ORIGIN.fullmatch(row.source)):
        return "unfit_source", UNFIT_SOURCE
    if not 0 <= (row.rank or 0) < MAX_RANK or not isfinite(row.similarity or 0):
        return "unfit_number", "Use a whole number from 0 for a rank, and a finite number for a similarity."
    if row.image_key not in images:
        return "unknown_image", f"This project has no image {row.image_key[:200]!r}. Import it first, or fix the key."
    return None


def _storable(text: str) -> str:
    """`text` as a database can hold it: PostgreSQL takes no NUL, nothing takes half a character."""
    return text if text.isascii() and "\0" not in text else NO_TEXT.sub("\ufffd", text)
