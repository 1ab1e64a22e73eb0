"""Queries from a file become pairs to judge, in steps that a killed worker can resume between."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from backend.candidates.queries import check_direction, pair_images, read_query
from backend.catalogue.image_index import ImageIndex
from backend.catalogue.models import Image, Query
from backend.catalogue.refusals import refusal_of
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.queries import QueryRow
from backend.catalogue.sources.rows import MemberRefused, Refused
from backend.common.errors import InvalidInput
from backend.runs.ledger import Ledger, Step
from backend.runs.models import Run

BATCH = 5_000


@dataclass(frozen=True)
class Pair:
    """A row that can be taken: its image is in the project, or it names none."""

    text: str
    kind: str
    image_id: int


def import_queries(*, ledger: Ledger, rows: Iterable[QueryRow | Refused]) -> None:
    """Add every readable query with its images, list every other row as refused.

    A pair that is there already is counted as `known`, so that importing a file twice changes nothing. Raises
    InvalidInput where the project's HITs hold an image still.
    """
    check_direction(ledger.run.project)
    index = ImageIndex(ledger.run.project_id)
    todo = islice(rows, ledger.cursor.get("rows", 0), None)
    while batch := list(islice(todo, BATCH)):
        with ledger.step() as step:
            _take(ledger.run, step, batch, index)
            step.cursor["rows"] = step.cursor.get("rows", 0) + len(batch)


def _take(run: Run, step: Step, batch: Sequence[QueryRow | Refused], index: ImageIndex) -> None:
    read = [_judge(row, index) for row in batch]
    pairs = [pair for pair in read if isinstance(pair, Pair)]
    images = Image.objects.in_bulk({pair.image_id for pair in pairs if pair.image_id})
    queries, n_queries = _queries_of(run, pairs)
    n_new, n_known = _pair(queries, pairs, images)
    step.done = len(batch)
    step.counts.update({"in": len(batch), "out": n_new, "known": n_known, "queries": n_queries})
    step.refuse(run, [refusal_of(row) for row in read if isinstance(row, Refused)])


def _judge(row: QueryRow | Refused, index: ImageIndex) -> Pair | Refused:
    if isinstance(row, Refused):
        return row
    try:
        text, kind = read_query(row.text, row.kind)
        return Pair(text, kind, index.find([row.image_key]).pk if row.image_key else 0)
    except InvalidInput as error:
        return Refused(row.line, printable(row.text), error.error_code, error.message, error.params)
    except MemberRefused as refused:
        return refused.at(row.line, printable(row.image_key))


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


def _pair(queries: dict[str, Query], pairs: Sequence[Pair], images: dict[int, Image]) -> tuple[int, int]:
    """How many pairs were new, and how many were there."""
    wanted: dict[str, dict[int, Image]] = {}
    for pair in pairs:
        if pair.image_id:
            wanted.setdefault(pair.text, {})[pair.image_id] = images[pair.image_id]
    n_new = sum(pair_images(query=queries[text], images=of_query.values()) for text, of_query in wanted.items())
    return n_new, sum(bool(pair.image_id) for pair in pairs) - n_new
