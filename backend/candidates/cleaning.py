"""The clean stage: every image's pool through the rules, in steps that a killed worker can resume between."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from django.db.models import Count

from backend.candidates.bulk import Cleaned, write_cleaned
from backend.candidates.models import Candidate, CandidateStatus
from backend.catalogue.models import Image
from backend.methods.cleaning import Caption, Dropped, clean_text, drop_duplicates
from backend.runs.ledger import Ledger, Step

IMAGES_AT_ONCE = 1_000
ROWS_AT_ONCE = 10_000


class Row(NamedTuple):
    """A candidate as cleaning reads it. `hit_item` is set once it stands in a HIT."""

    id: int
    image_id: int
    key: str
    source: str
    raw_text: str
    text: str
    status: str
    drop_rule: str
    drop_detail: str
    hit_item: int | None


# `hit_item` belongs to the annotation room above. Asking the relation itself, and not a flag of ours that annotation
# would have to set, keeps one truth: what stands in a HIT cannot be cleaned again, however it came there.
COLUMNS = (*Row._fields[:-1], "hit_item__id")


def clean_candidates(*, ledger: Ledger, min_words: int) -> None:
    """Clean every candidate of the project that stands in no HIT yet, also those an earlier run cleaned otherwise.

    A caption that people may have judged never changes; an equal one that came later is dropped in its favour.
    """
    ledger.set_total(Candidate.objects.filter(project=ledger.run.project_id).count())
    for images in _image_batches(ledger):
        with ledger.step() as step:
            _clean_images(step, [image_id for image_id, _ in images], min_words)
            step.cursor["cleaned_up_to"] = images[-1][1]


def _image_batches(ledger: Ledger) -> Iterator[list[tuple[int, str]]]:
    """Images as (id, digest) in the order of digests, each batch with at most ROWS_AT_ONCE candidates or one image."""
    images = Image.objects.filter(project=ledger.run.project_id).order_by("digest")
    while ahead := list(
        images.filter(digest__gt=ledger.cursor.get("cleaned_up_to", "")).values_list("id", "digest")[:IMAGES_AT_ONCE]
    ):
        yield _first_of(ahead)


def _first_of(images: list[tuple[int, str]]) -> list[tuple[int, str]]:
    pools = Candidate.objects.filter(image__in=[image_id for image_id, _ in images]).order_by()
    sizes = dict(pools.values_list("image").annotate(n=Count("id")))
    summed = accumulate(sizes.get(image_id, 0) for image_id, _ in images)
    n_fitting = sum(n_rows <= ROWS_AT_ONCE for n_rows in summed)
    return images[: max(1, n_fitting)]


def _clean_images(step: Step, image_ids: list[int], min_words: int) -> None:
    pools = _read_pools(image_ids)
    changed: list[Cleaned] = []
    for rows in pools.values():
        cleaned = clean_pool(rows, min_words=min_words)
        _count(step, rows, cleaned)
        changed += [new for row, new in cleaned if _differs(row, new)]
    write_cleaned(changed)


def _read_pools(image_ids: list[int]) -> dict[int, list[Row]]:
    """The candidates of these images, by image.

    The images are locked first: a HIT being built on one of them (which needs a key-share lock on its image) is either
    there before we look, or waits until we are done.
    """
    list(Image.objects.select_for_update().filter(pk__in=image_ids).order_by("pk").values_list("pk"))
    pools: dict[int, list[Row]] = defaultdict(list)
    for values in Candidate.objects.filter(image__in=image_ids).order_by().values_list(*COLUMNS):
        row = Row._make(values)
        pools[row.image_id].append(row)
    return pools


def clean_pool(rows: Iterable[Row], *, min_words: int) -> list[tuple[Row, Cleaned]]:
    """What becomes of each candidate of one image that stands in no HIT."""
    free: list[Row] = []
    settled: list[Row] = []
    for row in rows:
        (free if row.hit_item is None else settled).append(row)
    outcomes = {row.key: clean_text(row.raw_text, min_words=min_words) for row in free}
    captions = [Caption(row.key, row.source, text) for row in free if isinstance(text := outcomes[row.key], str)]
    fixed = [Caption(row.key, row.source, row.text) for row in settled if row.status == CandidateStatus.KEPT]
    outcomes |= drop_duplicates(captions, settled=fixed)
    return [(row, _as_cleaned(row, outcomes[row.key])) for row in free]


def _as_cleaned(row: Row, outcome: str | Dropped) -> Cleaned:
    if isinstance(outcome, Dropped):
        return Cleaned(row.id, CandidateStatus.DROPPED, "", outcome.rule, outcome.detail)
    return Cleaned(row.id, CandidateStatus.KEPT, outcome, "", "")


def _differs(row: Row, new: Cleaned) -> bool:
    return (row.status, row.text, row.drop_rule, row.drop_detail) != new[1:]


def _count(step: Step, rows: list[Row], cleaned: list[tuple[Row, Cleaned]]) -> None:
    step.done += len(rows)
    step.counts["in"] += len(rows)
    step.counts["in_hits"] += len(rows) - len(cleaned)
    for _, new in cleaned:
        if new.status == CandidateStatus.KEPT:
            step.counts["out"] += 1
        else:
            step.dropped[new.drop_rule] += 1
