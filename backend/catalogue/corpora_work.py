"""The shards of an embedding run, shared out: claimed by one worker each, beaten, finished, refused, given back.

What a shard's state is stands in the claim's own row, so that the conditional UPDATE decides between two claimants: a
condition on another table would be judged by an old snapshot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet, Sum
from django.utils import timezone

from backend.catalogue.models import Corpus, CorpusShard, ShardState, ShardWork
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.pairs.rows import OF_A_CAPTION
from backend.runs.models import Refusal, Run, RunStatus
from backend.runs.selectors import is_silent

MAX_ATTEMPTS = 3
LISTED = 100  # refusals of one shard that become rows; all of them stand in the embedding shard's manifest
DEADLY = "{n} workers stopped at the shard {file}, perhaps because memory was full. Look at their logs, then retry."
MORE = "More rows of this shard were left out: {n:,}. The manifest next to its vectors lists all of them."
TWICE = "duplicate_key"
IS_OPEN = Q(state__in=(ShardState.PENDING, ShardState.WORKING))


@dataclass(frozen=True)
class LeftOut:
    """A row or a caption that has no vector, and why."""

    key: str
    code: str
    message: str


@dataclass(frozen=True)
class Tally:
    """How far a run is, over all its shards."""

    n_open: int = 0
    n_done: int = 0
    n_skipped: int = 0
    shards: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)


@transaction.atomic
def lay_out(*, run: Run, corpus: Corpus) -> int:
    """A row of work for each shard, unless they are there. Returns how many are open.

    Deletes the refused rows of an earlier attempt. Each shard lists its own again, also a finished one.
    """
    if not ShardWork.objects.filter(run=run).exists():
        Refusal.objects.filter(run=run).delete()
        works = [ShardWork(run=run, shard=shard) for shard in CorpusShard.objects.filter(corpus=corpus)]
        ShardWork.objects.bulk_create(works, batch_size=1000)
    return ShardWork.objects.filter(IS_OPEN, run=run).count()


def is_wanted(*, run_id: Any) -> bool:
    """Whether somebody still waits for the run: it is running, and nobody asked to cancel it."""
    return Run.objects.filter(pk=run_id, status=RunStatus.RUNNING, cancel_requested_at=None).exists()


def claim_shard(*, run: Run, worker: str, but: Collection[int] = ()) -> ShardWork | None:
    """Take a shard that nobody has in hand, or whose worker fell silent. None when there is none.

    `but` are ids of works that this worker leaves to others.
    """
    while True:
        free = ShardWork.objects.filter(_in_nobodys_hands(), run=run).exclude(pk__in=but)
        found = free.order_by("shard__position").values_list("pk", flat=True).first()
        if found is None:
            return None
        claim = {"state": ShardState.WORKING, "claimed_by": worker, "heartbeat_at": timezone.now()}
        if free.filter(pk=found).update(attempt=F("attempt") + 1, n_done=0, n_skipped=0, **claim):
            work = ShardWork.objects.select_related("shard__corpus", "run").get(pk=found)
            if work.attempt <= MAX_ATTEMPTS:
                return work
            message = DEADLY.format(n=MAX_ATTEMPTS, file=work.shard.name)
            refuse_shard(work=work, code="worker_died", message=message)


def _in_nobodys_hands() -> Q:
    """Pending, or under a worker that has been silent for RUN_STALE_SECONDS."""
    return Q(state=ShardState.PENDING) | Q(is_silent(timezone.now()), state=ShardState.WORKING)


def _mine(work: ShardWork) -> QuerySet[ShardWork]:
    return ShardWork.objects.filter(pk=work.pk, claimed_by=work.claimed_by, state=ShardState.WORKING)


def beat_shard(*, work: ShardWork, n_done: int | None = None) -> bool:
    """Say that the worker is alive, and how many pictures it is through. False when the shard is no longer its own."""
    more = {} if n_done is None else {"n_done": n_done}
    return bool(_mine(work).update(heartbeat_at=timezone.now(), **more))


@transaction.atomic
def finish_shard(*, work: ShardWork, n_done: int, left_out: Sequence[LeftOut]) -> bool:
    """The shard's vectors are published. False, and nothing written, when another worker has it in hand."""
    dropped = dict(sorted(Counter(one.code for one in left_out).items()))
    counts = {"n_done": n_done, "n_skipped": len(left_out), "dropped": dropped}
    if not _mine(work).update(state=ShardState.DONE, error=None, **counts):
        return False
    CorpusShard.objects.filter(pk=work.shard_id, n_pairs=None).update(n_pairs=n_done + _n_rows(left_out))
    Refusal.objects.bulk_create(_refusals(work, left_out))
    return True


def _n_rows(left_out: Sequence[LeftOut]) -> int:
    """How many rows were left out: captions are none, nor is the second refusal of a row. The same key again is one."""
    rows = [one for one in left_out if one.code not in OF_A_CAPTION]
    named = {one.key for one in rows if one.key and one.code != TWICE}
    return len(named) + sum(not one.key or one.code == TWICE for one in rows)


def _refusals(work: ShardWork, left_out: Sequence[LeftOut]) -> list[Refusal]:
    name = work.shard.name
    rows = [_refusal(work, f"{name}: {one.key}", one.code, one.message) for one in left_out[:LISTED]]
    if len(left_out) > LISTED:
        rows.append(_refusal(work, name, "more", MORE.format(n=len(left_out) - LISTED)))
    return rows


def _refusal(work: ShardWork, name: str, code: str, message: str) -> Refusal:
    return Refusal(run_id=work.run_id, name=printable(name), code=code[:40], message=printable(message, 500))


@transaction.atomic
def refuse_shard(*, work: ShardWork, code: str, message: str) -> bool:
    """The shard cannot be read or used. False when another worker has it in hand."""
    error = {"code": code, "message": message}
    if not _mine(work).update(state=ShardState.REFUSED, error=error, n_done=0, n_skipped=0):
        return False
    Refusal.objects.create(run_id=work.run_id, name=printable(work.shard.name), code=code[:40], message=message[:500])
    return True


def give_back(*, work: ShardWork) -> bool:
    """Let another worker have the shard; this attempt does not count."""
    return bool(_mine(work).update(state=ShardState.PENDING, claimed_by="", n_done=0, attempt=F("attempt") - 1))


def tally(*, run: Run) -> Tally:
    """How far the run is."""
    works = ShardWork.objects.filter(run=run)
    shards: Counter[str] = Counter(dict(works.values_list("state").annotate(n=Count("id")).order_by()))
    sums = works.aggregate(done=Sum("n_done", default=0), skipped=Sum("n_skipped", default=0))
    dropped: Counter[str] = Counter()
    for counts in works.exclude(dropped={}).values_list("dropped", flat=True):
        dropped.update(counts)
    n_open = shards[ShardState.PENDING] + shards[ShardState.WORKING]
    return Tally(n_open, sums["done"], sums["skipped"], shards, dropped)


def refused_shards(*, run: Run) -> list[tuple[str, str]]:
    """Name and sentence of every refused shard, in order."""
    refused = ShardWork.objects.filter(run=run, state=ShardState.REFUSED).select_related("shard")
    return [(str(work.shard), str((work.error or {}).get("message", ""))) for work in refused]


def note_size(*, corpus: Corpus) -> None:
    """The corpus knows how many pairs it has, once every shard does."""
    shards = CorpusShard.objects.filter(corpus=corpus)
    if not shards.filter(n_pairs=None).exists():
        total = shards.aggregate(n=Sum("n_pairs", default=0))["n"]
        Corpus.objects.filter(pk=corpus.pk).update(n_pairs=total)
