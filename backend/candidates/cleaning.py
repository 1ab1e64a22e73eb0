"""The clean stage: every image's pool through the rules, in steps that a killed worker can resume between."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from django.db.models import QuerySet

from backend.candidates.bulk import Cleaned, keep_raw, write_cleaned
from backend.candidates.models import Candidate, CandidateStatus
from backend.methods.cleaning import Caption, Dropped, clean_text, drop_duplicates
from backend.projects.models import Project
from backend.runs.ledger import Ledger, Step

ROWS_AT_ONCE = 10_000
POOLS_AT_ONCE = 500


class Row(NamedTuple):
    """A candidate as cleaning reads it."""

    digest: str
    id: int
    key: str
    source: str
    raw_text: str
    text: str
    status: str


COLUMNS = ("image__digest", *Row._fields[1:])


def clean_candidates(*, ledger: Ledger, min_words: int) -> None:
    """Clean every candidate of the project that stands in no HIT yet, also those an earlier run cleaned otherwise.

    A caption that people may have judged never changes; an equal one that came later is dropped in its favour.
    """
    ledger.set_total(Candidate.objects.filter(project=ledger.run.project_id).count())
    while _clean_some(ledger, min_words):
        pass


def _clean_some(ledger: Ledger, min_words: int) -> bool:
    """One step over the next images by digest. False when there are none."""
    with ledger.step() as step:
        rows = _read_next(ledger.run.project_id, after=step.cursor.get("cleaned_up_to", ""))
        if rows:
            _clean(step, ledger.run.project_id, rows, min_words)
            step.cursor["cleaned_up_to"] = rows[-1].digest
    return bool(rows)


def _read_next(project_id: int, *, after: str) -> list[Row]:
    """The candidates of the next images by digest: whole pools of at most ROWS_AT_ONCE together, or one larger one.

    The project is locked first: a HIT that is just being built in it (its row needs a key-share lock on the project's)
    is either there before we look, or waits until this step is over.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project_id)
    ahead = Candidate.objects.filter(image__project=project_id, image__digest__gt=after).order_by("image__digest")
    rows = _read(ahead[:ROWS_AT_ONCE])
    if len(rows) < ROWS_AT_ONCE:
        return rows
    last = rows[-1].digest
    if rows[0].digest == last:
        return _read(Candidate.objects.filter(image__project=project_id, image__digest=last))
    return [row for row in rows if row.digest != last]


def _read(candidates: QuerySet[Candidate]) -> list[Row]:
    return list(map(Row._make, candidates.values_list(*COLUMNS)))


def _clean(step: Step, project_id: int, rows: list[Row], min_words: int) -> None:
    in_hits = _ids_in_hits(project_id, rows)
    pools = [list(pool) for _, pool in groupby(rows, key=attrgetter("digest"))]
    shares = (pools[start : start + POOLS_AT_ONCE] for start in range(0, len(pools), POOLS_AT_ONCE))
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="cleaner") as cleaner:
        for as_they_are, changed in cleaner.map(lambda share: _clean_pools(share, in_hits, min_words), shares):
            # PostgreSQL writes this share while the next ones are being cleaned.
            keep_raw(as_they_are)
            write_cleaned(changed)
            _count(step, len(as_they_are), changed)
    step.done = step.counts["in"] = len(rows)
    step.counts["in_hits"] = len(rows) - step.counts["out"] - step.dropped.total()


def _clean_pools(pools: list[list[Row]], in_hits: set[int], min_words: int) -> tuple[list[int], list[Cleaned]]:
    """Ids of what is kept as it came, and everything else with what became of it. No database: runs in a thread."""
    as_they_are: list[int] = []
    changed: list[Cleaned] = []
    for pool in pools:
        for row, outcome in clean_pool(pool, in_hits=in_hits, min_words=min_words):
            if outcome == row.raw_text:
                as_they_are.append(row.id)
            else:
                changed.append(_as_cleaned(row, outcome))
    return as_they_are, changed


def _count(step: Step, n_as_they_are: int, changed: list[Cleaned]) -> None:
    n_dropped = sum(row.status == CandidateStatus.DROPPED for row in changed)
    step.dropped.update(row.drop_rule for row in changed if row.drop_rule)
    step.counts["out"] += n_as_they_are + len(changed) - n_dropped


def _ids_in_hits(project_id: int, rows: list[Row]) -> set[int]:
    """Those of the rows' candidates that stand in a HIT, which people may have judged.

    `hit_item` belongs to the annotation room above. Asking the relation itself, and not a flag of ours that annotation
    would have to set, keeps one truth: what stands in a HIT cannot be cleaned again, however it came there.
    """
    hits = {"hit_item__hit__image__project": project_id}
    images = {"hit_item__hit__image__digest__range": (rows[0].digest, rows[-1].digest)}
    return set(Candidate.objects.filter(**hits, **images).values_list("id", flat=True))


def clean_pool(rows: Iterable[Row], *, in_hits: set[int], min_words: int) -> list[tuple[Row, str | Dropped]]:
    """What becomes of each candidate of one image that stands in no HIT."""
    free: list[Row] = []
    settled: list[Caption] = []
    for row in rows:
        if row.id not in in_hits:
            free.append(row)
        elif row.status == CandidateStatus.KEPT:
            settled.append(Caption(row.key, row.source, row.text))
    outcomes = {row.key: clean_text(row.raw_text, min_words=min_words) for row in free}
    captions = [Caption(row.key, row.source, text) for row in free if isinstance(text := outcomes[row.key], str)]
    outcomes |= drop_duplicates(captions, settled=settled)
    return [(row, outcomes[row.key]) for row in free]


def _as_cleaned(row: Row, outcome: str | Dropped) -> Cleaned:
    if isinstance(outcome, Dropped):
        return Cleaned(row.id, CandidateStatus.DROPPED, "", outcome.rule, outcome.detail)
    return Cleaned(row.id, CandidateStatus.KEPT, outcome, "", "")
