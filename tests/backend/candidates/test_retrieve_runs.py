"""Retrieval from several corpora, from what cannot be retrieved from, twice, broken off, and at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from at_once import at_once
from backend.candidates import retrieval as service
from backend.candidates.models import Candidate, Neighbour, Pool, Suspect
from backend.catalogue.models import Corpus, Image, Sample, SamplePoint
from backend.methods.file_digests import sha256_of_file
from backend.people.models import User
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Refusal, Run, RunStatus
from corpora import key
from protractor import Protractor, corpus_at
from retrieved import lent, pool_of
from workers.engines import registry, shards
from workers.tasks import retrieval as stage
from workers.tasks import retrieval_search
from workers.tasks.corpora_folders import folder_of, recipe_by
from workers.tasks.retrieval_gallery import open_gallery

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_engines]
RunStage = Callable[..., Run]


def everything() -> list[Any]:
    """All that the stage writes, without the ids and runs of this database."""
    return [
        list(Candidate.objects.order_by("key").values_list("key", "source_ref", "rank", "similarity")),
        list(Suspect.objects.order_by("neighbour__key").values_list("neighbour__key", "bits", "cosine", "decision")),
        list(Neighbour.objects.order_by("key").values_list("key", "shard", "place")),
    ]


@pytest.mark.nightly
def test_all_embedded_corpora_are_one_and_those_without_vectors_are_named(
    project: Project,
    import_at: Callable[..., None],
    embed_at: Callable[..., Corpus],
    retrieve: RunStage,
    tmp_path: Path,
) -> None:
    import_at(0)
    embed_at([20, 40], name="b")
    embed_at([30], name="a", captions={0: "Of another corpus"})
    corpus_at(project, tmp_path / "c", [25], name="c")
    run = retrieve()
    assert [row[2] for row in lent()] == [f"b:0:{key(0)}", f"a:0:{key(0)}", f"b:0:{key(1)}"]
    assert run.log_tail == [
        "1 images, 3 corpus images of a, b: at most 26 for each image.",
        "The corpus 'c' has no vectors yet and was left out.",
    ]
    retrieve(corpora=" a , ")
    assert (pool_of().n_pictures, Candidate.objects.count()) == (1, 3)
    assert retrieve(corpora="a,c").error["code"] == "not_embedded"


@pytest.mark.nightly
def test_opening_corpora_reads_each_manifest_once(
    embed_at: Callable[..., Corpus], protractor: Protractor, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    embed_at([20, 30], name="a")
    embed_at([40, 50], name="b")
    read: list[Path] = []
    real = shards.as_manifest
    monkeypatch.setattr(shards, "as_manifest", lambda value, path: read.append(path) or real(value, path))
    gallery = open_gallery(project, "", recipe_by(protractor))
    assert (len(gallery.rows), gallery.starts) == (4, (0, 2))
    assert len(read) == len(set(read)) == 2


def test_a_corpus_of_another_model_is_refused_naming_both(
    import_at: Callable[..., None], embed_at: Callable[..., Corpus], retrieve: RunStage
) -> None:
    import_at(0)
    embed_at([20])
    other = Protractor(name="dinov2")
    registry.image_encoder.use(other.name, other)
    for corpora in ("", "near"):
        run = retrieve(model="dinov2", corpora=corpora)
        assert (run.status, run.error["code"]) == (RunStatus.FAILED, "other_model")
        assert "has vectors of 'protractor', not of 'dinov2'" in run.error["message"]
    assert not Pool.objects.exists() and not other.seen


def test_what_cannot_be_retrieved_from_is_a_sentence(
    project: Project,
    import_at: Callable[..., None],
    embed_at: Callable[..., Corpus],
    retrieve: RunStage,
    run_here: RunStage,
    tmp_path: Path,
    charlie: User,
) -> None:
    elsewhere = Project.objects.get(slug="elsewhere")
    embed_at([20], name="theirs", into=elsewhere)
    with pytest.raises(services.NotStartable, match="Register and prepare a corpus"):
        retrieve()
    corpus_at(project, tmp_path / "c", [25], name="mine")
    assert retrieve().error["message"].startswith("This project has no images")
    import_at(0)
    assert retrieve().error == {
        "code": "not_embedded",
        "message": "No corpus of this project has vectors yet ('mine'). Run embed_corpus.",
    }
    assert retrieve(corpora="theirs").error["code"] == "no_such_corpus"
    assert "low is 90, but high is 80" in retrieve(low=90).error["message"]
    assert retrieve(model=str(tmp_path / "no-model")).error["code"] == "model_not_found"


@pytest.mark.nightly
@pytest.mark.parametrize("value", [np.nan, 0.0])
@pytest.mark.parametrize("mode", ["knn", "clustering"])
def test_vectors_without_a_direction_are_refused(
    value: float,
    mode: str,
    import_at: Callable[..., None],
    embed_at: Callable[..., Corpus],
    retrieve: RunStage,
    protractor: Protractor,
) -> None:
    import_at(0)
    corpus = embed_at([20, 30])
    path = folder_of(corpus, protractor.digest) / "shard-00000.npy"
    vectors = np.load(path)
    vectors[1] = value
    np.save(path, vectors)
    run = retrieve(mode=mode)
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "no_direction")
    assert "vector with number 1 has no direction" in run.error["message"]
    assert not Candidate.objects.exists()


@pytest.mark.nightly
def test_an_image_whose_original_is_gone_is_listed_and_the_others_go_on(
    import_at: Callable[..., None], embed_at: Callable[..., Corpus], retrieve: RunStage
) -> None:
    import_at(0, 5)
    gone = Image.objects.get(key="t0")
    default_storage.delete(gone.original)
    embed_at([30])
    run = retrieve()
    assert (run.status, run.counts["dropped"], run.done, run.total) == (RunStatus.SUCCEEDED, {"gone": 1}, 4, 4)
    assert Refusal.objects.get(run=run).name == gone.digest
    assert list(Pool.objects.values_list("image__key", flat=True)) == ["t1"]


@pytest.mark.nightly
def test_only_what_a_sample_in_force_picked_is_searched_for(
    project: Project, import_at: Callable[..., None], embed_at: Callable[..., Corpus], retrieve: RunStage
) -> None:
    import_at(0, 90, 40)
    embed_at([25, 60, 65])
    facts = {"k": 1, "n_images": 3, "n_picked": 1, "n_left_out": 0, "is_everything": False, "is_short": False}
    facts |= {"settings": {}, "versions": {}, "model": "", "model_digest": "", "cover_radius": 0}
    made_by = Run.objects.create(project=project, stage="sample", status=RunStatus.SUCCEEDED)
    sample = Sample.objects.create(run=made_by, project=project, in_force_since=timezone.now(), **facts)
    for position, image in ((1, "t2"), (None, "t0"), (None, "t1")):
        SamplePoint.objects.create(sample=sample, image=Image.objects.get(key=image), x=0, y=0, position=position)
    run = retrieve()
    assert (run.counts["in"], run.done, run.total) == (1, 4, 4)
    assert list(Pool.objects.values_list("image__key", "n_pictures")) == [("t2", 2)]


@pytest.mark.nightly
def test_the_stage_twice_gives_the_same_rows_and_the_same_files(
    import_at: Callable[..., None],
    embed_at: Callable[..., Corpus],
    retrieve: RunStage,
    protractor: Protractor,
    tmp_path: Path,
) -> None:
    import_at(0, 20, 40)
    embed_at([1, 15, 25, 35, 45, 55, 65])
    first = retrieve()
    before, files = everything(), files_in(tmp_path / "embeddings")
    n_seen = len(protractor.seen)
    second = retrieve()
    assert everything() == before and before[0]
    assert files_in(tmp_path / "embeddings") == files
    assert len(protractor.seen) == n_seen, "An image was embedded a second time."
    assert second.counts | {"out": 0, "known": 0} == first.counts | {"out": 0, "known": 0}
    assert (second.counts["out"], second.counts["known"]) == (0, first.counts["out"])
    pools = [list(Pool.objects.filter(run=run).order_by("image").values()) for run in (first, second)]
    ours = [[{name: row[name] for name in row if name not in ("id", "run_id")} for row in rows] for rows in pools]
    assert ours[0] == ours[1] and len(ours[0]) == 3


def files_in(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {str(path.relative_to(folder)): sha256_of_file(path) for path in files}


def test_a_run_that_breaks_in_the_middle_goes_on_behind_what_it_had_found(
    import_at: Callable[..., None],
    embed_at: Callable[..., Corpus],
    retrieve: RunStage,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(retrieval_search, "MOST_AT_ONCE", 1)
    import_at(0, 20, 40)
    embed_at([15, 25, 35, 45, 55])
    kept, keep = [], service.keep_retrieved

    def keep_one(**what: Any) -> None:
        keep(**what)
        if kept:
            raise MemoryError("pulled")
        kept.append(what)

    monkeypatch.setattr(stage.service, "keep_retrieved", keep_one)
    run = retrieve()
    assert (run.status, run.counts["in"], Pool.objects.count()) == (RunStatus.FAILED, 1, 1)
    monkeypatch.setattr(stage.service, "keep_retrieved", keep)
    again = services.retry_run(run=run, started_by=None)
    again.refresh_from_db()
    assert (again.status, again.counts["in"], again.done, again.total) == (RunStatus.SUCCEEDED, 3, 6, 6)
    assert set(Pool.objects.values_list("run", "image__key")) == {(again.pk, f"t{n}") for n in range(3)}
    through = everything()
    retrieve()
    assert everything() == through


def test_two_projects_retrieve_from_the_same_corpus_at_once(
    project: Project,
    import_at: Callable[..., None],
    embed_at: Callable[..., Corpus],
    retrieve: RunStage,
    charlie: User,
) -> None:
    elsewhere = Project.objects.get(slug="elsewhere")
    for into in (project, elsewhere):
        embed_at([15, 25, 35], into=into)
    import_at(0, 10)
    import_at(0, 10, into=elsewhere)
    runs = at_once([lambda: retrieve(), lambda: retrieve(into=elsewhere)])
    assert [getattr(run, "status", run) for run in runs] == [RunStatus.SUCCEEDED] * 2
    assert [run.counts["out"] for run in runs if isinstance(run, Run)] == [3, 3]
    assert len(list((folder_of(Corpus.objects.all()[0], Protractor().digest).parent).glob("index-*"))) == 1
