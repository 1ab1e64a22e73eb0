"""Shards shared out among workers: one claim wins, silence frees, and who lost a shard writes nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.utils import timezone

from at_once import at_once
from backend.catalogue import corpora, corpora_work
from backend.catalogue.corpora_work import (
    LeftOut,
    beat_shard,
    claim_shard,
    finish_shard,
    give_back,
    refuse_shard,
    tally,
)
from backend.catalogue.models import Corpus, ShardState, ShardWork
from backend.projects.models import Project
from backend.runs.models import Refusal, Run, RunStatus
from corpora import tar_corpus

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_engines]
STALE = settings.RUN_STALE_SECONDS
Claim = Callable[..., ShardWork]


@pytest.fixture
def corpus(project: Project, tmp_path: Path) -> Corpus:
    folder = tar_corpus(tmp_path / "corpus", shards=(1, 1, 1))
    return corpora.register_corpus(project=project, folder=folder, manifest=corpora.scanned(folder))[0]


@pytest.fixture
def run(project: Project, corpus: Corpus) -> Run:
    made = Run.objects.create(project=project, stage="embed_corpus", status=RunStatus.RUNNING)
    assert corpora_work.lay_out(run=made, corpus=corpus) == 3
    return made


@pytest.fixture
def claim(run: Run) -> Claim:
    def take(worker: str = "one") -> ShardWork:
        work = claim_shard(run=run, worker=worker)
        assert work is not None
        return work

    return take


def later(seconds: float) -> Any:
    return time_machine.travel(timezone.now() + timedelta(seconds=seconds), tick=False)


def test_shards_are_claimed_in_order_and_each_once(run: Run, claim: Claim) -> None:
    assert [str(claim(worker).shard) for worker in ("one", "two", "one")] == ["00000.tar", "00001.tar", "00002.tar"]
    assert claim_shard(run=run, worker="three") is None


def test_of_many_claimants_at_once_each_gets_its_own_shard(run: Run) -> None:
    works = at_once([lambda n=n: claim_shard(run=run, worker=f"worker {n}") for n in range(6)])
    got = [work.shard_id for work in works if isinstance(work, ShardWork)]
    assert len(got) == len(set(got)) == 3
    assert works.count(None) == 3


def test_a_silent_worker_loses_its_shard_after_the_stale_time_and_not_before(run: Run, claim: Claim) -> None:
    for _ in range(3):
        claim("silent")
    with later(STALE - 1):
        assert claim_shard(run=run, worker="next") is None
    with later(STALE + 1):
        assert claim("next").attempt == 2


def test_a_shard_whose_heartbeat_lies_far_in_the_future_is_taken_up_again(run: Run, claim: Claim) -> None:
    with later(3600):
        lost = claim("before the clock was set back")
    assert claim("next").shard_id == lost.shard_id


def test_a_beating_worker_keeps_its_shard(run: Run, claim: Claim) -> None:
    works = [claim("alive") for _ in range(3)]
    with later(STALE - 1):
        assert all(beat_shard(work=work, n_done=7) for work in works)
    with later(STALE + 1):
        assert claim_shard(run=run, worker="next") is None
    assert tally(run=run).n_done == 21


def test_who_lost_a_shard_cannot_beat_finish_refuse_or_give_it_back(run: Run, claim: Claim) -> None:
    lost = claim("silent")
    with later(STALE + 1):
        taken = claim("next")
        assert taken.pk == lost.pk
        assert not beat_shard(work=lost)
        assert not finish_shard(work=lost, n_done=1, left_out=[LeftOut("a", "no_bytes", "No bytes.")])
        assert not refuse_shard(work=lost, code="odd", message="It is odd.")
        assert not give_back(work=lost)
        assert not Refusal.objects.exists()
        assert finish_shard(work=taken, n_done=1, left_out=[])
    assert not finish_shard(work=taken, n_done=1, left_out=[])


def test_a_shard_that_kills_its_workers_is_refused_in_the_end(run: Run) -> None:
    ShardWork.objects.filter(shard__position__gt=0).update(state=ShardState.DONE)
    for attempt in range(corpora_work.MAX_ATTEMPTS):
        with later(attempt * (STALE + 1)):
            assert claim_shard(run=run, worker=f"worker {attempt}") is not None
    with later(corpora_work.MAX_ATTEMPTS * (STALE + 1)):
        assert claim_shard(run=run, worker="the last") is None
    assert corpora_work.refused_shards(run=run) == [
        ("00000.tar", corpora_work.DEADLY.format(n=corpora_work.MAX_ATTEMPTS, file="00000.tar"))
    ]


def test_a_shard_that_is_given_back_is_free_at_once_and_the_attempt_does_not_count(run: Run, claim: Claim) -> None:
    work = claim("one")
    assert give_back(work=work)
    again = claim("two")
    assert (again.pk, again.attempt) == (work.pk, 1)


def test_the_tally_adds_up_what_all_workers_did(run: Run, claim: Claim) -> None:
    finish_shard(work=claim(), n_done=5, left_out=[LeftOut("a", "empty", "."), LeftOut("b", "truncated", ".")])
    finish_shard(work=claim(), n_done=4, left_out=[LeftOut("c", "empty", ".")])
    found = tally(run=run)
    assert (found.n_open, found.n_done, found.n_skipped) == (1, 9, 3)
    assert found.dropped == {"empty": 2, "truncated": 1}
    assert [refusal.name for refusal in Refusal.objects.all()] == ["00000.tar: a", "00000.tar: b", "00001.tar: c"]


def test_a_shard_has_as_many_pairs_as_rows_however_many_captions_were_left_out(claim: Claim) -> None:
    """Five pairs, one with a caption too long; a row whose only caption is no text; a picture twice; two nameless."""
    said = ["a too_long", "b not_text", "b no_caption", "c duplicate_key", "c duplicate_key", " damaged", " damaged"]
    left_out = [LeftOut(*one.split(" "), ".") for one in said]
    work = claim()
    finish_shard(work=work, n_done=5, left_out=left_out)
    work.shard.refresh_from_db()
    assert work.shard.n_pairs == 5 + 1 + 2 + 2


def test_work_is_laid_out_once(run: Run, corpus: Corpus, claim: Claim) -> None:
    claim()
    assert corpora_work.lay_out(run=run, corpus=corpus) == 3
    assert ShardWork.objects.filter(run=run).count() == 3


def test_a_run_is_wanted_while_it_runs_and_nobody_cancelled_it(run: Run) -> None:
    assert corpora_work.is_wanted(run_id=run.pk)
    Run.objects.update(cancel_requested_at=timezone.now())
    assert not corpora_work.is_wanted(run_id=run.pk)
    Run.objects.update(cancel_requested_at=None, status=RunStatus.FAILED)
    assert not corpora_work.is_wanted(run_id=run.pk)
