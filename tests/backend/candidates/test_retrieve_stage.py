"""Retrieval: the captions of the pictures that lie near an image, and a reason where there are none."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from PIL import Image as Pictures

from backend.candidates import retrieval as service
from backend.candidates.models import Candidate, Suspect, SuspectDecision
from backend.catalogue.models import Corpus, Image
from backend.common.errors import InvalidInput
from backend.people.models import User
from backend.runs.models import Run, RunStatus
from corpora import caption, key
from drawn import saved
from protractor import Protractor, at
from retrieved import lent, pool_of
from workers.engines.cluster_map import ClusterMap
from workers.tasks import retrieval as stage
from workers.tasks import retrieval_search

pytestmark = pytest.mark.django_db(transaction=True)
RunStage = Callable[..., Run]


def cosine(degrees: float) -> float:
    return round(float(np.cos(np.radians(degrees))), 6)


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_the_radius_scales_with_the_corpora_and_a_high_mean_could_be_widened(
    import_at: Callable[..., None], embed_at: Callable[..., Corpus], retrieve: RunStage
) -> None:
    import_at(0)
    embed_at([20, 22, 24, 26])
    assert retrieve(radius=50).counts["pictures"] == 1  # 50 of 118,287 is one of four
    assert (pool_of().radius, pool_of().ended_by, pool_of().could_widen) == (1, "radius", True)
    retrieve(radius=60_000)
    assert (pool_of().radius, pool_of().n_pictures) == (3, 3)


@pytest.mark.nightly
def test_fewer_pictures_than_the_radius_are_all_taken(
    import_at: Callable[..., None], embed_at: Callable[..., Corpus], retrieve: RunStage
) -> None:
    import_at(0)
    embed_at([20, 30])
    retrieve()
    assert (pool_of().n_pictures, pool_of().ended_by) == (2, "list")


@pytest.mark.nightly
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


@pytest.mark.nightly
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


@pytest.mark.nightly
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


@pytest.mark.nightly
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


def test_suspects_beyond_the_list_are_kept_out_and_counted(
    import_at: Callable[..., None],
    embed_at: Callable[..., Corpus],
    retrieve: RunStage,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(retrieval_search, "MOST_LISTED", 2)
    monkeypatch.setattr(service, "AT_ONCE", 1)
    import_at(0)
    embed_at([3, 1, 4, 2, 30])
    run = retrieve()
    assert [one.cosine for one in Suspect.objects.order_by("-cosine")] == [cosine(1), cosine(2)]
    assert (run.counts["suspects"], run.counts["suspects_not_listed"], pool_of().n_kept_out) == (4, 2, 4)
    assert [row[4] for row in lent()] == [cosine(30)]


@pytest.mark.nightly
def test_where_all_neighbours_leak_the_pool_is_empty(
    import_at: Callable[..., None], embed_at: Callable[..., Corpus], retrieve: RunStage
) -> None:
    import_at(0)
    embed_at([1, 2, 3])
    run = retrieve()
    assert (pool_of().reason, pool_of().n_kept_out, Candidate.objects.count()) == ("no_others", 3, 0)
    assert run.counts["empty_no_others"] == 1


@pytest.mark.nightly
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
    with pytest.raises(InvalidInput, match="kept_out, allowed or open"):
        service.decide_suspect(suspect=allowed, decision="perhaps", decided_by=alice)


@pytest.mark.nightly
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


@pytest.mark.nightly
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
    assert run.log_tail[-1] == "2 clusters; 1 corpus images and 1 images are in none."


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


@pytest.mark.nightly
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
