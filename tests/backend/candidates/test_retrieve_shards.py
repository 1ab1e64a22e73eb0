"""Retrieval from a corpus whose shards each number their pictures from 0."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from backend.candidates import retrieval as service
from backend.candidates.models import Candidate, Suspect
from backend.candidates.retrieval_reads import get_lender
from backend.catalogue import corpora
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from corpora import caption, key
from drawn import write_tar
from protractor import at

pytestmark = pytest.mark.django_db(transaction=True)
RunHere = Callable[..., Run]


def refs() -> list[str]:
    return list(Candidate.objects.order_by("rank").values_list("source_ref", flat=True))


@pytest.mark.nightly
def test_shards_that_both_number_their_pictures_from_0_keep_them_apart(
    import_at: Callable[..., None],
    retrieve: RunHere,
    run_here: RunHere,
    project: Project,
    alice: User,
    tmp_path: Path,
) -> None:
    """Two suspects, and two lenders, that have one key in two shards."""
    import_at(0)
    for n, (suspect, lender) in enumerate(((2, 30), (3, 40))):
        said = {f"{key(0)}.txt": b"A suspect", f"{key(1)}.txt": caption(n).encode()}
        drawn = {f"{key(0)}.jpg": at(suspect, n=n), f"{key(1)}.jpg": at(lender, n=n)}
        (tmp_path / "near").mkdir(exist_ok=True)
        write_tar(tmp_path / "near" / f"{n:05d}.tar", dict(sorted((drawn | said).items())))
    corpora.register_corpus(project=project, folder=tmp_path / "near", manifest=corpora.scanned(tmp_path / "near"))
    assert run_here("embed_corpus").status == RunStatus.SUCCEEDED
    run = retrieve()
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert refs() == [f"near:0:{key(1)}", f"near:1:{key(1)}"]
    suspects = Suspect.objects.order_by("neighbour__shard")
    assert list(suspects.values_list("neighbour__shard", "neighbour__key")) == [(0, key(0)), (1, key(0))]

    ids = Candidate.objects.order_by("rank").values_list("id", flat=True)
    lenders = [get_lender(project=project, candidate_id=one) for one in ids]
    assert [(one.shard, one.key) for one in lenders] == [(0, key(1)), (1, key(1))]

    service.decide_suspect(suspect=suspects[1], decision="allowed", decided_by=alice)
    retrieve()
    assert "near:1:" + key(0) in refs()
    assert "near:0:" + key(0) not in refs()
