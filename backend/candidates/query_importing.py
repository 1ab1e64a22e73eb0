"""Queries from a file become pairs to judge, in steps that a killed worker can resume between."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from backend.candidates.queries import check_direction, pair_images, read_query
from backend.catalogue.models import Image, Query
from backend.catalogue.refusals import refusal_of
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.queries import QueryRow
from backend.catalogue.sources.rows import Refused
from backend.common.errors import InvalidInput
from backend.runs.ledger import Ledger, Step
from backend.runs.models import Run

BATCH = 5_000


@dataclass(frozen=True)
class Pair:
    """A row that can be taken: its image is in the project, or it names none."""

    text: str
    kind: str
    image_key: str


def import_queries(*, ledger: Ledger, rows: Iterable[QueryRow | Refused]) -> None:
    """Add every readable query with its images, list every other row as refused.

    A pair that is there already is counted as `known`, so that importing a file twice changes nothing. Raises
    InvalidInput where the project's HITs hold an image still.
    """
    check_direction(ledger.run.project)
    todo = islice(rows, ledger.cursor.get("rows", 0), None)
    while batch := list(islice(todo, BATCH)):
        with ledger.step() as step:
            _take(ledger.run, step, batch)
            step.cursor["rows"] = step.cursor.get("rows", 0) + len(batch)


def _take(run: Run, step: Step, batch: Sequence[QueryRow | Refused]) -> None:
    images = _images_of(run, batch)
    read = [_judge(row, images) for row in batch]
    pairs = [pair for pair in read if isinstance(pair, Pair)]
    queries, n_queries = _queries_of(run, pairs)
    n_new, n_known = _pair(queries, pairs, images)
    step.done = len(batch)
    step.counts.update({"in": len(batch), "out": n_new, "known": n_known, "queries": n_queries})
    step.refuse(run, [refusal_of(row) for row in read if isinstance(row, Refused)])


def _images_of(run: Run, batch: Sequence[QueryRow | Refused]) -> dict[str, Image]:
    keys = {row.image_key for row in batch if isinstance(row, QueryRow)}
    return {image.key: image for image in Image.objects.filter(project=run.project_id, key__in=keys)}


def _judge(row: QueryRow | Refused, images: dict[str, Image]) -> Pair | Refused:
    if isinstance(row, Refused):
        return row
    try:
        text, kind = read_query(row.text, row.kind)
    except InvalidInput as error:
        return Refused(row.line, printable(row.text), error.error_code, error.message)
    if row.image_key and row.image_key not in images:
        message = f"This project has no image {row.image_key[:200]!r}. Import it first, or fix the key."
        return Refused(row.line, printable(row.image_key), "unknown_image", message)
    return Pair(text, kind, row.image_key)


def _queries_of(run: Run, pairs: Sequence[Pair]) -> tuple[dict[str, Query], int]:
    """The queries of the pairs by their texts, made where they are not there, and how many were made."""
    kinds: dict[str, str] = {}
    for pair in pairs:
        kinds[pair.text] = pair.kind or kinds.get(pair.text, "")
    there = {query.text: query for query in Query.objects.filter(project=run.project_id, text__in=kinds)}
    new = [Query(project_id=run.project_id, text=text, kind=kind) for text, kind in kinds.items() if text not in there]
    Query.objects.bulk_create(new, batch_size=1000)
    changed = [query for query in there.values() if kinds[query.text] not in ("", query.kind)]
    for query in changed:
        query.kind = kinds[query.text]
    Query.objects.bulk_update(changed, ["kind"], batch_size=1000)
    return there | {query.text: query for query in new}, len(new)


def _pair(queries: dict[str, Query], pairs: Sequence[Pair], images: dict[str, Image]) -> tuple[int, int]:
    """How many pairs were new, and how many were there."""
    wanted: dict[str, dict[str, Image]] = {}
    for pair in pairs:
        if pair.image_key:
            wanted.setdefault(pair.text, {})[pair.image_key] = images[pair.image_key]
    n_new = sum(pair_images(query=queries[text], images=of_query.values()) for text, of_query in wanted.items())
    return n_new, sum(bool(pair.image_key) for pair in pairs) - n_new

