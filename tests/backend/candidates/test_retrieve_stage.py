"""Retrieval: the captions of the pictures that lie near an image, and a reason where there are none."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.files.storage import default_storage
from django.utils import timezone
from PIL import Image as Pictures

from at_once import at_once
from backend.candidates import retrieval as service
from backend.candidates.models import Candidate, Neighbour, Pool, Suspect, SuspectDecision
from backend.catalogue.models import Corpus, Image, Sample, SamplePoint
from backend.common.errors import InvalidInput
from backend.people.models import User
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Refusal, Run, RunStatus
from corpora import caption, key
from drawn import saved
from protractor import Protractor, at, corpus_at, target_folder
from workers.engines import registry
from workers.engines.cluster_map import ClusterMap
from workers.engines.whole_files import sha256_of
from workers.tasks import retrieval as stage
from workers.tasks import retrieval_search
from workers.tasks.corpora_folders import folder_of

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 10**6  # a radius of COCO's that is more than any corpus here has
RunStage = Callable[..., Run]


@pytest.fixture
def encoder(settings: Any, tmp_path: Path) -> Protractor:
    settings.MEDIA_ROOT, settings.DATA_DIR = tmp_path / "media", tmp_path / "data"
    settings.EMBEDDINGS = tmp_path / "embeddings"
    encoder = Protractor()
    settings.VISION_MODEL = encoder.name
    registry.image_encoder.use(encoder.name, encoder)
    return encoder


@pytest.fixture
def run_stage(project: Project, encoder: Protractor) -> RunStage:
    """Run a stage, and give back the run, over."""

    def run(stage: str, *, into: Project = project, seed: int = 0, **parameters: Any) -> Run:
        started = services.start_run(project=into, stage=stage, parameters=parameters, seed=seed)
        started.refresh_from_db()
        return started

    return run


@pytest.fixture
def retrieve(run_stage: RunStage) -> RunStage:
    def run(**parameters: Any) -> Run:
        return run_stage("retrieve", **({"mode": "knn", "radius": MANY} | parameters))

    return run


@pytest.fixture
def import_at(run_stage: RunStage, tmp_path: Path) -> Callable[..., None]:
    """Images at these angles, called t0, t1 ..."""

    def make(*angles: int, **into: Project) -> None:
        run = run_stage("import_images", source=str(target_folder(tmp_path / f"targets{len(into)}", angles)), **into)
        assert run.status == RunStatus.SUCCEEDED and run.counts["out"] == len(angles), run.counts

    return make


@pytest.fixture
def embed_at(project: Project, run_stage: RunStage, tmp_path: Path) -> Callable[..., Corpus]:
    """An embedded corpus."""

    def make(pictures: Any, *, name: str = "near", into: Project = project, **more: Any) -> Corpus:
        corpus = corpus_at(into, tmp_path / f"{into.slug}-{name}", pictures, name=name, **more)
        run = run_stage("embed_corpus", into=into, corpus=name)
        assert run.status == RunStatus.SUCCEEDED, run.error
        return corpus

    return make


def pool_of(image: str = "t0") -> Pool:
    return Pool.objects.filter(image__key=image).order_by("-run__created_at")[0]


def lent(image: str = "t0") -> list[tuple[Any, ...]]:
    rows = Candidate.objects.filter(image__key=image).order_by("rank", "key")
    return list(rows.values_list("raw_text", "source", "source_ref", "rank", "similarity", "status"))


def cosine(degrees: float) -> float:
    return round(float(np.cos(np.radians(degrees))), 6)


def everything() -> list[Any]:
    """All that the stage writes, without the ids and runs of this database."""
    return [
        list(Candidate.objects.order_by("key").values_list("key", "source_ref", "rank", "similarity")),
        list(Suspect.objects.order_by("neighbour__key").values_list("neighbour__key", "bits", "cosine", "decision")),
        list(Neighbour.objects.order_by("key").values_list("key", "shard", "place")),
    ]


def test_the_nearest_pictures_lend_their_captions_as_far_as_their_mean_stays_in_the_band(
    import_at: Callable[..., None], embed_at: Callable[..., Corpus], retrieve: RunStage
) -> None:
    """SCIENCE 2.2's toy: cosines .906 .819 .707 .574 .423, whose running means are .906 .862 .811 .751 .686."""
    import_at(0)
    embed_at([65, 25, 35, 90, 55, 45])
    run = retrieve()
    assert run.status == RunStatus.SUCCEEDED, run.error
    degrees = {1: 25, 2: 35, 5: 45, 4: 55}
    assert lent() == [
        (caption(n), "corpus", f"near:0:{key(n)}", rank, cosine(angle), "new")
        for rank, (n, angle) in enumerate(degrees.items(), start=1)
    ]
    pool = pool_of()
    assert (pool.n_pictures, pool.n_captions, pool.ended_by, pool.reason, pool.label) == (4, 4, "mean", "", None)
    assert pool.mean_similarity == pytest.approx(np.mean([cosine(angle) for angle in degrees.values()]), abs=1e-6)
    assert (pool.could_widen, pool.is_noise, pool.radius) == (False, False, 51)
    assert run.counts == {
        "in": 1, "out": 4, "known": 0, "pictures": 4, "suspects": 0, "could_widen": 0, "noise": 0, "dropped": {},
    }  # fmt: skip
    assert (run.done, run.total) == (2, 2)
    assert run.models_used == {"protractor": Protractor().digest}


def test_the_radius_scales_with_the_corpora_and_a_high_mean_could_be_widened(
    import_at: Callable[..., None], embed_at: Callable[..., Corpus], retrieve: RunStage
) -> None:
    import_at(0)
    embed_at([20, 22, 24, 26])
    assert retrieve(radius=50).counts["pictures"] == 1  # 50 of 118,287 is one of four
    assert (pool_of().radius, pool_of().ended_by, pool_of().could_widen) == (1, "radius", True)
    retrieve(radius=60_000)
    assert (pool_of().radius, pool_of().n_pictures) == (3, 3)


def test_fewer_pictures_than_the_radius_are_all_taken(
    import_at: Callable[..., None], embed_at: Callable[..., Corpus], retrieve: RunStage
) -> None:
    import_at(0)
    embed_at([20, 30])
    retrieve()
    assert (pool_of().n_pictures, pool_of().ended_by) == (2, "list")


@pytest.mark.parametrize("mode", ["knn", "clustering"])
def test_a_corpus_with_one_picture_lends_that_one(
    mode: str, import_at: Callable[..., None], embed_at: Callable[..., Corpus], retrieve: RunStage
) -> None:
    import_at(0)
    embed_at([30])
    run = retrieve(mode=mode, radius=50)
    assert [row[:3] for row in lent()] == [(caption(0), "corpus", f"near:0:{key(0)}")]
    assert pool_of().label == (None if mode == "knn" else -1)
    assert run.counts["noise"] == (mode == "clustering")


def test_an_image_without_neighbours_above_the_band_has_an_empty_pool_that_says_so(
    import_at: Callable[..., None], embed_at: Callable[..., Corpus], retrieve: RunStage
) -> None:
    import_at(0, 90)
    embed_at([60, 70])
    run = retrieve()
    assert run.status == RunStatus.SUCCEEDED
    assert (pool_of("t0").n_pictures, pool_of("t0").reason, pool_of("t0").mean_similarity) == (0, "no_neighbours", None)
    assert pool_of("t1").n_pictures == 2
    assert run.counts["empty_no_neighbours"] == 1


def test_the_image_itself_and_near_copies_are_kept_out_and_listed(
    import_at: Callable[..., None], embed_at: Callable[..., Corpus], retrieve: RunStage
) -> None:
    import_at(0)
    copied = at(0, n=500)  # the very bytes of t0
    other_size = Image.objects.get()
    embed_at({"copy": copied, "alike": at(10, n=3), "near": at(30, n=4)})
    run = retrieve()
    assert [row[2] for row in lent()] == ["near:0:near"]
    listed = Suspect.objects.order_by("neighbour__key")
    assert [(one.image, one.neighbour.key, one.rules, one.decision) for one in listed] == [
        (other_size, "alike", ["cosine"], "open"),
        (other_size, "copy", ["perceptual_hash", "cosine"], "open"),
    ]
    assert [(one.bits, one.cosine) for one in listed] == [(None, cosine(10)), (0, 1.0)]
    assert (run.counts["suspects"], pool_of().n_kept_out) == (2, 2)


def test_a_copy_that_the_model_does_not_see_is_found_by_its_hash(
    import_at: Callable[..., None], embed_at: Callable[..., Corpus], retrieve: RunStage
) -> None:
    import_at(0)
    with Pictures.open(io.BytesIO(at(0, n=500))) as image:
        wide = saved(image.resize((160, 48)), "JPEG", quality=95)
    embed_at({"stretched": wide, "near": at(30, n=4)})
    retrieve()
    (suspect,) = Suspect.objects.all()
    assert (suspect.neighbour.key, suspect.rules, suspect.cosine) == ("stretched", ["perceptual_hash"], None)


def test_where_all_neighbours_leak_the_pool_is_empty(
    import_at: Callable[..., None], embed_at: Callable[..., Corpus], retrieve: RunStage
) -> None:
    import_at(0)
    embed_at([1, 2, 3])
    run = retrieve()
    assert (pool_of().reason, pool_of().n_kept_out, Candidate.objects.count()) == ("no_others", 3, 0)
    assert run.counts["empty_no_others"] == 1


def test_a_list_full_of_copies_is_searched_deeper(
    import_at: Callable[..., None],
    embed_at: Callable[..., Corpus],
    retrieve: RunStage,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(retrieval_search, "MARGIN", 1)
    import_at(0)
    embed_at([1, 2, 3, 4, 5, 6, 30, 40])
    retrieve(radius=20_000)  # two of eight: the first three found are all copies
    assert [row[4] for row in lent()] == [cosine(30), cosine(40)]
    assert (pool_of().n_kept_out, pool_of().radius) == (6, 2)


def test_a_suspect_that_a_person_allows_lends_its_captions_from_the_next_run_on(
    import_at: Callable[..., None], embed_at: Callable[..., Corpus], retrieve: RunStage, alice: User
) -> None:
    import_at(0)
    embed_at([10, 12, 30])
    retrieve()
    allowed, kept_out = Suspect.objects.order_by("neighbour__key")
    service.decide_suspect(suspect=allowed, decision="allowed", decided_by=alice)
    service.decide_suspect(suspect=allowed, decision="allowed", decided_by=alice)
    service.decide_suspect(suspect=kept_out, decision="kept_out", decided_by=alice)
    retrieve()
    assert {row[2] for row in lent()} == {f"near:0:{key(0)}", f"near:0:{key(2)}"}
    assert list(Suspect.objects.order_by("neighbour__key").values_list("decision", flat=True)) == [
        "allowed",
        "kept_out",
    ]
    assert list(SuspectDecision.objects.order_by("id").values_list("decision", flat=True)) == ["allowed", "kept_out"]
    with pytest.raises(InvalidInput, match="either kept_out or allowed"):
        service.decide_suspect(suspect=allowed, decision="open", decided_by=alice)


def test_captions_that_several_pictures_bear_come_once_from_the_nearest(
    import_at: Callable[..., None], embed_at: Callable[..., Corpus], retrieve: RunStage
) -> None:
    import_at(0)
    embed_at([40, 20, 30], captions={0: "A red sky\nThe end of a day", 1: "A red sky", 2: "A red sky\nTwo lines"})
    retrieve()
    assert [(row[0], row[2], row[3]) for row in lent()] == [
        ("A red sky", f"near:0:{key(1)}", 1),
        ("Two lines", f"near:0:{key(2)}", 2),
        ("The end of a day", f"near:0:{key(0)}", 3),
    ]
    assert (pool_of().n_pictures, pool_of().n_captions) == (3, 3)


def clustered(monkeypatch: pytest.MonkeyPatch, pictures: Sequence[int], images: Sequence[int]) -> None:
    """Let the map say that these pictures and images lie in these clusters."""
    found = ClusterMap(np.array(pictures), np.array(images), {"clusters": "given"})
    monkeypatch.setattr(stage, "map_clusters", lambda *given: found)


def test_with_clusters_only_pictures_of_the_images_own_lend(
    import_at: Callable[..., None],
    embed_at: Callable[..., Corpus],
    retrieve: RunStage,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import_at(0, 0)
    embed_at([20, 25, 30, 35, 40])
    clustered(monkeypatch, [1, 0, 1, -1, 0], [1, -1])
    run = retrieve(mode="clustering")
    assert [row[2] for row in lent("t0")] == [f"near:0:{key(0)}", f"near:0:{key(2)}"]
    assert (pool_of("t0").label, pool_of("t0").is_noise) == (1, False)
    assert pool_of("t1").n_pictures == 5 and pool_of("t1").is_noise
    assert run.models_used["clusters"] == "given"
    assert run.log_tail[-1] == "2 clusters; 1 pictures and 1 images lie in none."


def test_a_cluster_beyond_the_list_is_scored_picture_by_picture(
    import_at: Callable[..., None],
    embed_at: Callable[..., Corpus],
    retrieve: RunStage,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The list has two of another cluster; the image's own begins behind them."""
    monkeypatch.setattr(retrieval_search, "MARGIN", 0)
    import_at(0)
    embed_at([20, 21, 22, 30, 35, 85])
    clustered(monkeypatch, [0, 0, 0, 1, 1, 1], [1])
    retrieve(mode="clustering", radius=19_000)  # one of six
    assert pool_of().radius == 1
    assert [(row[2], row[4]) for row in lent()] == [(f"near:0:{key(3)}", cosine(30))]


def test_a_cluster_of_copies_alone_lends_nothing(
    import_at: Callable[..., None],
    embed_at: Callable[..., Corpus],
    retrieve: RunStage,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(retrieval_search, "MARGIN", 0)
    import_at(0)
    embed_at([1, 2, 30, 40])
    clustered(monkeypatch, [0, 0, 1, 1], [0])
    retrieve(mode="clustering", radius=25_000)
    assert (pool_of().reason, pool_of().n_kept_out) == ("alone_in_cluster", 2)


def test_an_image_alone_in_its_cluster_says_so(
    import_at: Callable[..., None],
    embed_at: Callable[..., Corpus],
    retrieve: RunStage,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import_at(0)
    embed_at([20, 30])
    clustered(monkeypatch, [0, 0], [1])
    run = retrieve(mode="clustering")
    assert (pool_of().reason, run.counts["empty_alone_in_cluster"]) == ("alone_in_cluster", 1)


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
    assert [row[2] for row in lent()] == [f"b:{key(0)}", f"a:{key(0)}", f"b:{key(1)}"]
    assert run.log_tail == [
        "1 images, 3 pictures of a, b: pools of at most 26 pictures.",
        "The corpus 'c' has no vectors yet and was left aside.",
    ]
    retrieve(corpora=" a , ")
    assert (pool_of().n_pictures, Candidate.objects.count()) == (1, 3)
    assert retrieve(corpora="a,c").error["code"] == "not_embedded"


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
        assert "embedded by 'protractor', not by 'dinov2'" in run.error["message"]
    assert not Pool.objects.exists() and not other.seen


def test_what_cannot_be_retrieved_from_is_a_sentence(
    project: Project,
    import_at: Callable[..., None],
    embed_at: Callable[..., Corpus],
    retrieve: RunStage,
    run_stage: RunStage,
    tmp_path: Path,
    charlie: User,
) -> None:
    elsewhere = Project.objects.get(slug="elsewhere")
    embed_at([20], name="theirs", into=elsewhere)
    with pytest.raises(services.NotStartable, match="Register a corpus"):
        retrieve()
    corpus_at(project, tmp_path / "c", [25], name="mine")
    assert retrieve().error["message"].startswith("This project has no images")
    import_at(0)
    assert retrieve().error == {
        "code": "not_embedded",
        "message": "No corpus of this project has vectors yet ('mine'): run embed_corpus.",
    }
    assert retrieve(corpora="theirs").error["code"] == "no_such_corpus"
    assert "low is 90 and high is 80" in retrieve(low=90).error["message"]
    assert retrieve(model=str(tmp_path / "no-model")).error["code"] == "model_not_found"


@pytest.mark.parametrize("value", [np.nan, 0.0])
@pytest.mark.parametrize("mode", ["knn", "clustering"])
def test_vectors_without_a_direction_are_refused(
    value: float,
    mode: str,
    import_at: Callable[..., None],
    embed_at: Callable[..., Corpus],
    retrieve: RunStage,
    encoder: Protractor,
) -> None:
    import_at(0)
    corpus = embed_at([20, 30])
    path = folder_of(corpus, encoder.digest) / "shard-00000.npy"
    vectors = np.load(path)
    vectors[1] = value
    np.save(path, vectors)
    run = retrieve(mode=mode)
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "no_direction")
    assert "vector with number 1 has no direction" in run.error["message"]
    assert not Candidate.objects.exists()


def test_an_image_whose_thumbnail_is_gone_is_listed_and_the_others_go_on(
    import_at: Callable[..., None], embed_at: Callable[..., Corpus], retrieve: RunStage
) -> None:
    import_at(0, 5)
    gone = Image.objects.get(key="t0")
    default_storage.delete(gone.large)
    embed_at([30])
    run = retrieve()
    assert (run.status, run.counts["dropped"], run.done, run.total) == (RunStatus.SUCCEEDED, {"gone": 1}, 4, 4)
    assert Refusal.objects.get(run=run).name == gone.digest
    assert list(Pool.objects.values_list("image__key", flat=True)) == ["t1"]


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


def test_the_stage_twice_gives_the_same_rows_and_the_same_files(
    import_at: Callable[..., None],
    embed_at: Callable[..., Corpus],
    retrieve: RunStage,
    encoder: Protractor,
    tmp_path: Path,
) -> None:
    import_at(0, 20, 40)
    embed_at([1, 15, 25, 35, 45, 55, 65])
    first = retrieve()
    before, files = everything(), files_in(tmp_path / "embeddings")
    n_seen = len(encoder.seen)
    second = retrieve()
    assert everything() == before and before[0]
    assert files_in(tmp_path / "embeddings") == files
    assert len(encoder.seen) == n_seen, "An image was embedded a second time."
    assert second.counts | {"out": 0, "known": 0} == first.counts | {"out": 0, "known": 0}
    assert (second.counts["out"], second.counts["known"]) == (0, first.counts["out"])
    pools = [list(Pool.objects.filter(run=run).order_by("image").values()) for run in (first, second)]
    ours = [[{name: row[name] for name in row if name not in ("id", "run_id")} for row in rows] for rows in pools]
    assert ours[0] == ours[1] and len(ours[0]) == 3


def files_in(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {str(path.relative_to(folder)): sha256_of(path) for path in files}


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
    runs = at_once(lambda: retrieve(), lambda: retrieve(into=elsewhere))
    assert [getattr(run, "status", run) for run in runs] == [RunStatus.SUCCEEDED] * 2
    assert [run.counts["out"] for run in runs if isinstance(run, Run)] == [3, 3]
    assert len(list((folder_of(Corpus.objects.all()[0], Protractor().digest).parent).glob("index-*"))) == 1
