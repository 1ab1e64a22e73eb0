"""Runs over corpora that meet: cancelled, helped, resumed elsewhere, twice at once, and with another model."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from at_once import at_once
from backend.catalogue import corpora_work
from backend.catalogue.models import Corpus, CorpusShard, ShardState, ShardWork
from backend.catalogue.sources import SourceUnreadable
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Run, RunStatus
from corpora import MeanColours, key, opened, states, tar_corpus
from workers.engines import registry
from workers.engines.shards import Manifest, Recipe
from workers.tasks import corpora as stage
from workers.tasks import corpora_hands
from workers.tasks.corpora_folders import NotEmbedded, folder_of, open_embedded

pytestmark = pytest.mark.django_db(transaction=True)
Register = Callable[..., Corpus]
Embed = Callable[..., Run]


@pytest.mark.nightly
def test_a_run_that_is_cancelled_in_the_middle_stops_and_goes_on_later(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cancel() -> None:
        if len(encoder.seen) >= 3:
            services.cancel_run(run=Run.objects.get())

    monkeypatch.setattr(corpora_hands, "PULSE", 0.0)
    corpus = register(tar_corpus(tmp_path / "corpus", shards=(3, 3, 3)))
    encoder.before_block = cancel
    run = embed()
    assert (run.status, states(run)) == (RunStatus.CANCELLED, ["done", "pending", "pending"])
    encoder.before_block = lambda: None
    again = services.retry_run(run=run, started_by=None)
    again.refresh_from_db()
    assert (again.status, again.done, again.counts["out"]) == (RunStatus.SUCCEEDED, 9, 9)
    assert len(opened(corpus, encoder)) == 9
    assert encoder.seen.count(key(0)) == 1


def test_a_corpus_of_another_model_is_refused_naming_both(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    corpus = register(tar_corpus(tmp_path / "corpus"))
    other = Recipe("dinov2", "d" * 64, "224", 384)
    with pytest.raises(NotEmbedded, match=r"no vectors yet\. Run embed_corpus with the model 'dinov2'"):
        open_embedded(corpus, other)
    embed()
    with pytest.raises(NotEmbedded, match="has vectors of 'mean-colours', not of 'dinov2'"):
        open_embedded(corpus, other)
    same_name = Recipe(encoder.name, "e" * 64, encoder.preprocessing, encoder.dimensions)
    with pytest.raises(NotEmbedded, match=rf"of 'mean-colours' \({encoder.digest[:12]}.*, not of .*\(eeeeeeeeeeee"):
        open_embedded(corpus, same_name)
    shown_otherwise = Recipe(encoder.name, encoder.digest, "5 x 5 fields", encoder.dimensions)
    with pytest.raises(NotEmbedded, match=r"4 x 3 fields.*5 x 5 fields"):
        open_embedded(corpus, shown_otherwise)


def test_vectors_that_were_damaged_are_refused_and_made_anew(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    corpus = register(tar_corpus(tmp_path / "corpus"))
    embed()
    npy = folder_of(corpus, encoder.digest) / "shard-00001.npy"
    npy.write_bytes(npy.read_bytes()[:-4])
    with pytest.raises(NotEmbedded, match=r"cannot use the vectors .* Run embed_corpus again"):
        opened(corpus, encoder)
    embed()
    assert len(opened(corpus, encoder)) == 6


def test_the_model_must_be_there_and_the_corpus_too(register: Register, embed: Embed, tmp_path: Path) -> None:
    register(tar_corpus(tmp_path / "corpus"))
    assert embed("nothing").error["code"] == "no_such_corpus"
    run = embed(model=str(tmp_path / "no-model"))
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "model_not_found")


def test_two_projects_embed_the_same_corpus_at_once_and_share_its_vectors(
    register: Register, embed: Embed, encoder: MeanColours, project: Project, tmp_path: Path
) -> None:
    other = Project.objects.create(slug="seas", name="Seas", created_by=project.created_by)
    folder = tar_corpus(tmp_path / "corpus", shards=(4, 4, 4))
    corpus = register(folder)
    register(folder, into=other)
    runs = at_once([lambda: embed(), lambda: embed(into=other)])
    assert [getattr(run, "status", run) for run in runs] == [RunStatus.SUCCEEDED] * 2
    assert [run.counts["out"] for run in runs if isinstance(run, Run)] == [12, 12]
    assert sorted(encoder.seen) == [key(n) for n in range(12)]
    assert len(opened(corpus, encoder)) == 12


@pytest.mark.nightly
def test_helpers_share_the_shards_and_none_is_computed_twice(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run's own worker is held in its first shard until two helpers have done the rest."""
    corpus = register(tar_corpus(tmp_path / "corpus", shards=(2,) * 6))
    invited: list[tuple[str, int]] = []
    monkeypatch.setattr(stage.queue, "invite", lambda run_id, *, stage, n: invited.append((run_id, n)))
    monkeypatch.setattr(stage, "WAIT", 0.01)
    mine: list[int] = []

    def help_first() -> None:
        if threading.current_thread() is owner and not mine:
            mine.append(1)
            at_once([lambda: stage.embed_shards(invited[0][0])] * 2)

    owner = threading.current_thread()
    encoder.before_block = help_first
    run = embed()
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert invited == [(str(run.pk), 5)]
    assert sorted(encoder.seen) == [key(n) for n in range(12)]
    assert ShardWork.objects.values("claimed_by").distinct().count() >= 2
    assert ShardWork.objects.filter(attempt=1, state=ShardState.DONE).count() == 6
    assert len(opened(corpus, encoder)) == 12


def test_a_helper_makes_room_for_other_runs_after_its_turn_and_comes_back_behind_them(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(tar_corpus(tmp_path / "corpus", shards=(2,) * 4))
    invited: list[int] = []
    monkeypatch.setattr(stage.queue, "invite", lambda run_id, *, stage, n: invited.append(n))
    monkeypatch.setattr(stage, "A_TURN", 0.0)
    done: list[int] = []

    def help_thrice() -> None:
        if threading.current_thread() is owner and not done:
            for _ in range(3):
                done.append(ShardWork.objects.filter(state=ShardState.DONE).count())
                at_once([lambda: stage.embed_shards(str(Run.objects.get().pk))])

    owner = threading.current_thread()
    encoder.before_block = help_thrice
    assert embed().status == RunStatus.SUCCEEDED
    assert done == [0, 1, 2]
    assert invited == [3, 1, 1, 1]


def test_a_helper_that_cannot_read_the_corpus_refuses_nothing_and_goes_home(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is mounted where the run's own worker is, and nowhere else."""
    corpus = register(tar_corpus(tmp_path / "corpus", shards=(2,) * 6))
    owner, really, tried = threading.current_thread(), corpora_hands.embed_shard, []

    def embed_where_mounted(encoder: MeanColours, shard: CorpusShard, **more: Any) -> Manifest:
        if threading.current_thread() is owner:
            return really(encoder, shard, **more)
        tried.append(shard.position)
        raise SourceUnreadable("The shard is no longer in its folder.", code="shard_gone")

    def help_once() -> None:
        if not tried:
            at_once([lambda: stage.embed_shards(str(Run.objects.get().pk))])

    monkeypatch.setattr(corpora_hands, "embed_shard", embed_where_mounted)
    encoder.before_block = help_once
    run = embed()
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert tried == [1, 2, 3]
    assert ShardWork.objects.filter(attempt=1, state=ShardState.DONE).count() == 6
    assert len(opened(corpus, encoder)) == 12


def test_a_helper_leaves_a_run_alone_that_is_over_or_of_other_weights(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    register(tar_corpus(tmp_path / "corpus"))
    run = embed()
    seen = len(encoder.seen)
    stage.embed_shards(str(run.pk))
    Run.objects.filter(pk=run.pk).update(status=RunStatus.RUNNING, models_used={encoder.name: "0" * 64})
    ShardWork.objects.update(state=ShardState.PENDING)
    stage.embed_shards(str(run.pk))
    stage.embed_shards("00000000-0000-0000-0000-000000000000")
    assert len(encoder.seen) == seen
    assert set(states(run)) == {"pending"}


def test_a_run_taken_up_again_stays_with_its_corpus_and_its_weights(
    register: Register, embed: Embed, encoder: MeanColours, project: Project, tmp_path: Path
) -> None:
    """Between two workers of one run somebody registers another corpus, and the second worker has other weights."""
    corpus = register(tar_corpus(tmp_path / "corpus"))
    run = Run.objects.create(project=project, stage="embed_corpus", parameters={"corpus": "", "model": ""})
    run.models_used = {encoder.name: encoder.digest}
    run.save()
    corpora_work.lay_out(run=run, corpus=corpus)
    register(tar_corpus(tmp_path / "another", shards=(1,)))

    registry.image_encoder.use(encoder.name, MeanColours(name="other weights"))
    stage.embed_corpus(str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "other_weights")

    registry.image_encoder.use(encoder.name, encoder)
    Run.objects.filter(pk=run.pk).update(status=RunStatus.QUEUED)
    stage.embed_corpus(str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.counts["out"]) == (RunStatus.SUCCEEDED, 6)
    assert len(opened(corpus, encoder)) == 6
