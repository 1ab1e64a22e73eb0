"""Captions from a file become candidates, in steps that a killed worker can resume between."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import islice
from math import isfinite

from backend.candidates.bulk import NewCandidate, check_references, insert_candidates
from backend.candidates.models import OTHER_IMAGE, QUERY, candidate_key
from backend.catalogue.image_index import ImageIndex, KnownImage, Seen
from backend.catalogue.refusals import refusal_of
from backend.catalogue.sources.rows import CaptionRow, MemberRefused, Picture, Refused, not_read
from backend.common.errors import InvalidInput
from backend.runs.ledger import Ledger, Step
from backend.runs.models import Run
from backend.runs.stages.captions import SOURCE_NAME

BATCH = 10_000
MAX_BYTES = 100_000
MAX_REF = 200
MAX_PAGE_URL = 500
MAX_RANK = 2**31
ORIGIN = re.compile(SOURCE_NAME)
TOO_LONG = "The caption has more than {most} bytes. Shorten it."
NOT_TEXT = "The caption has a null or incomplete character. Save the file as UTF-8."
UNFIT_NUMBER = "Use a whole number from 0 for a rank, and a finite number for a similarity."
UNFIT_SOURCE = "Use at most 40 small letters, digits, - and _ for a source, but not other_image or query."
NO_TEXT = re.compile("[\x00\ud800-\udfff]")


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
    run, images = ledger.run, ImageIndex(ledger.run.project_id)
    seen = Pictures()
    judged = (_judge(row, run, images, seen, origin) for row in islice(rows, ledger.cursor.get("rows", 0), None))
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


def _judge(
    row: CaptionRow | Refused, run: Run, images: ImageIndex, seen: Pictures, origin: str
) -> NewCandidate | Refused:
    """The row as a candidate, or why it becomes none. No database: this runs in the reader's thread."""
    if isinstance(row, Refused):
        return row
    try:
        _check(row)
        image = _image_of(row, images, seen)
    except MemberRefused as refused:
        return refused.at(row.line, row.shown)
    source = row.source or origin
    key = candidate_key(digest=image.digest, source=source, raw_text=row.text)
    ref = _storable(row.ref)[:MAX_REF]
    page = _storable(row.page_url)[:MAX_PAGE_URL], _storable(row.site_name)[:MAX_REF]
    return NewCandidate(run.project_id, image.pk, key, row.text, source, ref, row.rank, row.similarity, *page)


class Pictures:
    """The pictures beside captions. A picture with a name is read once, however many captions it has."""

    def __init__(self) -> None:
        self._digests: dict[tuple[str, str], bytes] = {}

    def see(self, row: CaptionRow) -> Seen | None:
        """The picture beside the row, if the source has it. Raises MemberRefused where it cannot be read."""
        if row.picture is None:
            return None
        place = (row.file, row.picture.name)
        digest = self._digests.get(place)
        if digest is None:
            digest = sha256(_bytes_of(row.picture)).digest()
            if row.picture.name:
                self._digests[place] = digest
        return Seen(row.picture.name, digest.hex(), row.picture.is_by_id)


def _bytes_of(picture: Picture) -> bytes:
    try:
        return picture.read()
    except OSError as error:
        raise not_read(error) from error


def _image_of(row: CaptionRow, images: ImageIndex, seen: Pictures) -> KnownImage:
    """Raises MemberRefused. What is said about the surer names is what a reader can correct."""
    picture = seen.see(row)
    try:
        return images.find([row.image_key, *row.names], picture)
    except MemberRefused:
        if not row.weak_key:
            raise
        try:
            return images.find([row.weak_key], picture)
        except MemberRefused:
            pass
        raise


def _check(row: CaptionRow) -> None:
    """Raises MemberRefused where the caption itself cannot be stored."""
    if len(row.text) * 4 > MAX_BYTES and len(row.text.encode("utf-8", "replace")) > MAX_BYTES:
        raise MemberRefused("caption_too_long", TOO_LONG, {"most": MAX_BYTES})
    if _storable(row.text) is not row.text:
        raise MemberRefused("caption_not_text", NOT_TEXT)
    if row.source and (row.source in (OTHER_IMAGE, QUERY) or not ORIGIN.fullmatch(row.source)):
        raise MemberRefused("unfit_source", UNFIT_SOURCE)
    if not 0 <= (row.rank or 0) < MAX_RANK or not isfinite(row.similarity or 0):
        raise MemberRefused("unfit_number", UNFIT_NUMBER)


def _storable(text: str) -> str:
    """`text` as a database can hold it: PostgreSQL takes no NUL, nothing takes half a character."""
    return text if text.isascii() and "\0" not in text else NO_TEXT.sub("\ufffd", text)
