"""Pools, suspects and the pictures behind captions, over HTTP: for reviewers of the project and nobody else."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from PIL import Image as Pictures
from rest_framework.test import APIClient

from backend.candidates import neighbour_pictures
from backend.candidates.models import Candidate, Neighbour, Pool, Suspect, SuspectDecision
from backend.catalogue import corpora
from backend.catalogue.models import Corpus, Image
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run
from corpora import imagefolder_corpus, key, picture, url_corpus
from drawn import saved
from protractor import corpus_at

pytestmark = pytest.mark.django_db
Clients = Callable[..., APIClient]
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
BOMB = saved(Pictures.new("1", (12_000, 12_000)), "PNG")


@pytest.fixture(autouse=True)
def media(tmp_path: Path, settings: Any) -> Path:
    settings.MEDIA_ROOT, settings.DATA_DIR = tmp_path / "media", tmp_path / "data"
    return tmp_path / "media"


@pytest.fixture
def images(make_images: Callable[..., list[Image]]) -> list[Image]:
    return make_images("sky", "sea")


@pytest.fixture
def run(project: Project) -> Run:
    return Run.objects.create(project=project, stage="retrieve", status="succeeded")


@pytest.fixture
def pools(images: list[Image], run: Run) -> list[Pool]:
    """A full pool and an empty one."""
    full = {
        "n_pictures": 2,
        "n_captions": 3,
        "n_kept_out": 1,
        "mean_similarity": 0.85,
        "label": -1,
        "could_widen": True,
    }
    empty = {"n_pictures": 0, "n_captions": 0, "n_kept_out": 0, "could_widen": False, "reason": "no_neighbours"}
    return [
        Pool.objects.create(run=run, image=images[0], radius=9, ended_by="mean", **full),
        Pool.objects.create(run=run, image=images[1], radius=9, ended_by="mean", **empty),
    ]


@pytest.fixture
def corpus(project: Project, tmp_path: Path) -> Corpus:
    drawn = {"large": picture(1, size=(900, 600)), "svg": SVG, "torn": picture(2)[:300], "bomb": BOMB}
    return corpus_at(project, tmp_path / "near", drawn, name="near")


@pytest.fixture
def neighbour(corpus: Corpus) -> Callable[[str], Neighbour]:
    """Where a picture of the corpus lies, as embedding would have noted it."""

    def find(stem: str) -> Neighbour:
        import tarfile

        with tarfile.open(Path(corpus.folder) / "00000.tar") as tar:
            member = tar.getmember(f"{stem}.jpg")
        place = f"{member.offset_data}+{member.size}"
        return Neighbour.objects.create(corpus=corpus, key=stem, shard=0, place=place)

    return find


@pytest.fixture
def suspect(images: list[Image], neighbour: Callable[[str], Neighbour]) -> Suspect:
    return Suspect.objects.create(image=images[0], neighbour=neighbour("large"), bits=2)


@pytest.fixture
def candidate(images: list[Image], add_caption: Callable[..., Candidate]) -> Candidate:
    return add_caption(images[0], "A red sky", source="corpus", source_ref="near:0:large", rank=1, similarity=0.9)


@pytest.fixture
def addresses(images: list[Image], pools: list[Pool], suspect: Suspect, candidate: Candidate) -> list[str]:
    own = "/api/v1/projects/skies"
    return [
        f"{own}/pools",
        f"{own}/images/{images[0].pk}/pool",
        f"{own}/suspects",
        f"{own}/candidates/{candidate.pk}/neighbour",
        f"/api/v1/suspects/{suspect.pk}/picture",
    ]


@pytest.mark.nightly
def test_curator_and_head_annotator_see_everything(
    client_of: Clients, alice: User, dora: User, addresses: list[str]
) -> None:
    assert {client_of(user).get(url).status_code for user in (alice, dora) for url in addresses} == {200}


def test_an_annotator_is_told_that_the_role_does_not_allow_it(
    client_of: Clients, bob: User, addresses: list[str], suspect: Suspect
) -> None:
    client = client_of(bob)
    assert {client.get(url).status_code for url in addresses} == {403}
    assert client.post(f"/api/v1/suspects/{suspect.pk}/decisions", {"decision": "allowed"}).status_code == 403


def test_an_outsider_finds_nothing(
    client_of: Clients, charlie: User, addresses: list[str], suspect: Suspect, images: list[Image], candidate: Candidate
) -> None:
    client = client_of(charlie)
    through_ones_own = [
        f"/api/v1/projects/elsewhere/images/{images[0].pk}/pool",
        f"/api/v1/projects/elsewhere/candidates/{candidate.pk}/neighbour",
    ]
    assert {client.get(url).status_code for url in (*addresses, *through_ones_own)} == {404}
    assert client.post(f"/api/v1/suspects/{suspect.pk}/decisions", {"decision": "allowed"}).status_code == 404
    for url in ("pools", "suspects"):
        assert client.get(f"/api/v1/projects/elsewhere/{url}").json()["results"] == []
    suspect.refresh_from_db()
    assert suspect.decision == "open"


def test_nobody_sees_anything_without_signing_in(client_of: Clients, addresses: list[str]) -> None:
    assert {client_of().get(url).status_code for url in addresses} == {401}


def test_a_pool_says_how_large_and_how_alike_it_is_or_why_it_is_empty(
    client_of: Clients, alice: User, addresses: list[str], run: Run
) -> None:
    full, empty = client_of(alice).get(addresses[0]).json()["results"]
    assert (full["image_key"], full["n_pictures"], full["n_captions"], full["n_kept_out"]) == ("sky", 2, 3, 1)
    assert (full["mean_similarity"], full["is_noise"], full["could_widen"], full["reason"]) == (0.85, True, True, "")
    assert full["run"] == str(run.pk)
    assert (empty["mean_similarity"], empty["reason_code"]) == (None, "no_neighbours")
    assert empty["reason"] == "No image of the corpus is similar enough."


def test_the_newest_run_speaks_and_earlier_ones_when_asked(
    client_of: Clients, alice: User, addresses: list[str], run: Run, project: Project, images: list[Image]
) -> None:
    newer = Run.objects.create(project=project, stage="retrieve")
    facts = {"n_captions": 1, "n_kept_out": 0, "could_widen": False, "radius": 9, "ended_by": "list"}
    Pool.objects.create(run=newer, image=images[0], n_pictures=1, **facts)
    client = client_of(alice)
    assert [one["n_pictures"] for one in client.get(addresses[0]).json()["results"]] == [1]
    assert [one["n_pictures"] for one in client.get(f"{addresses[0]}?run={run.pk}").json()["results"]] == [2, 0]
    assert client.get(addresses[1]).json()["run"] == str(newer.pk)
    foreign = Run.objects.create(project=Project.objects.create(slug="x", name="X", created_by=alice), stage="retrieve")
    assert client.get(f"{addresses[0]}?run={foreign.pk}").status_code == 404
    assert client.get(f"{addresses[0]}?run=nonsense").status_code == 400


def test_an_image_nothing_was_retrieved_for_says_so(client_of: Clients, alice: User, images: list[Image]) -> None:
    answer = client_of(alice).get(f"/api/v1/projects/skies/images/{images[0].pk}/pool")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_pool")


def test_a_suspect_is_decided_and_the_decision_kept(
    client_of: Clients, dora: User, addresses: list[str], suspect: Suspect
) -> None:
    client = client_of(dora)
    (row,) = client.get(f"{addresses[2]}?decision=open").json()["results"]
    assert (row["corpus"], row["key"], row["rules"], row["bits"]) == ("near", "large", ["perceptual_hash"], 2)
    address = f"/api/v1/suspects/{suspect.pk}/decisions"
    for decision in ("allowed", "kept_out"):
        assert client.post(address, {"decision": decision}).json()["decision"] == decision
    assert client.get(f"{addresses[2]}?decision=open").json()["results"] == []
    made = SuspectDecision.objects.order_by("id").values_list("decision", "decided_by__username")
    assert list(made) == [("allowed", "dora"), ("kept_out", "dora")]
    for nonsense in ("perhaps", ""):
        assert client.post(address, {"decision": nonsense}).status_code == 400


def test_a_decision_is_taken_back_by_another_word_that_is_kept_as_well(
    client_of: Clients, dora: User, addresses: list[str], suspect: Suspect
) -> None:
    client, address = client_of(dora), f"/api/v1/suspects/{suspect.pk}/decisions"
    assert client.post(address, {"decision": "allowed"}).json()["decided"]["decided_by"]
    answer = client.post(address, {"decision": "open"}).json()
    assert (answer["decision"], answer["decided"]) == ("open", None)
    (row,) = client.get(f"{addresses[2]}?decision=open").json()["results"]
    assert row["id"] == suspect.pk
    assert list(SuspectDecision.objects.order_by("id").values_list("decision", flat=True)) == ["allowed", "open"]


def test_the_picture_behind_a_caption_is_a_small_jpeg_that_is_drawn_once(
    client_of: Clients, alice: User, addresses: list[str], corpus: Corpus, media: Path
) -> None:
    client = client_of(alice)
    for url in addresses[3:]:
        answer = client.get(url)
        assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("image/jpeg", "nosniff")
        assert answer["Cache-Control"].startswith("private")
        with Pictures.open(io.BytesIO(answer.content)) as shown:
            assert (shown.format, shown.size) == ("JPEG", (320, 213))
    assert len(list(media.rglob("*.jpg"))) == 1
    (Path(corpus.folder) / "00000.tar").unlink()
    assert client.get(addresses[3]).content == answer.content


def test_a_picture_whose_shard_is_gone_is_not_found(
    client_of: Clients, alice: User, addresses: list[str], corpus: Corpus
) -> None:
    (Path(corpus.folder) / "00000.tar").unlink()
    answer = client_of(alice).get(addresses[3])
    assert (answer.status_code, answer.json()["code"]) == (404, "shard_gone")
    corpus.shards.all().delete()
    assert client_of(alice).get(addresses[3]).json()["code"] == "shard_gone"


def test_a_picture_that_was_replaced_beside_its_table_is_drawn_anew(
    client_of: Clients, alice: User, project: Project, images: list[Image], add_caption: Any, tmp_path: Path
) -> None:
    folder = imagefolder_corpus(tmp_path / "beside")
    table, _ = corpora.register_corpus(project=project, folder=folder, manifest=corpora.scanned(folder), name="beside")
    Neighbour.objects.create(corpus=table, key="0.jpg", shard=0, place="0.jpg")
    candidate = add_caption(images[0], "A cat", source="corpus", source_ref="beside:0:0.jpg")
    url, client = f"/api/v1/projects/skies/candidates/{candidate.pk}/neighbour", client_of(alice)
    before = client.get(url).content
    assert client.get(url).content == before
    (folder / "0.jpg").write_bytes(picture(77, size=(900, 600)))
    after = client.get(url).content
    with Pictures.open(io.BytesIO(before)) as old, Pictures.open(io.BytesIO(after)) as new:
        assert (old.size, new.size) == ((48, 32), (320, 213))
    (folder / "0.jpg").unlink()
    assert client.get(url).json()["code"] == "shard_gone"


def test_a_picture_that_lies_elsewhere_is_not_fetched_for_a_look(
    client_of: Clients, alice: User, project: Project, images: list[Image], add_caption: Any, tmp_path: Path
) -> None:
    folder = url_corpus(tmp_path / "urls", "https://a.example/1.jpg\tA cat\n")
    listed, _ = corpora.register_corpus(project=project, folder=folder, manifest=corpora.scanned(folder), name="urls")
    Neighbour.objects.create(corpus=listed, key=key(0), shard=0, place="https://a.example/1.jpg")
    candidate = add_caption(images[0], "A cat", source="corpus", source_ref=f"urls:0:{key(0)}")
    answer = client_of(alice).get(f"/api/v1/projects/skies/candidates/{candidate.pk}/neighbour")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_fetched")


@pytest.mark.parametrize("stem", ["svg", "torn", "bomb"])
def test_what_is_no_picture_is_never_served(
    stem: str,
    client_of: Clients,
    alice: User,
    images: list[Image],
    neighbour: Callable[[str], Neighbour],
    add_caption: Callable[..., Candidate],
    media: Path,
) -> None:
    neighbour(stem)
    shown = add_caption(images[0], "Nothing to see", source="corpus", source_ref=f"near:0:{stem}")
    answer = client_of(alice).get(f"/api/v1/projects/skies/candidates/{shown.pk}/neighbour")
    assert (answer.status_code, answer.json()["code"]) == (404, "image_not_shown")
    assert not list(media.rglob("*.jpg"))


@pytest.mark.parametrize(
    ("source", "ref"),
    [
        ("human", "near:0:large"),
        ("corpus", "near"),
        ("corpus", "far:0:large"),
        ("corpus", "near:0:none"),
        ("corpus", "near:1:large"),
        ("corpus", "near:large"),
        ("corpus", "near:²:large"),
    ],
)
def test_a_caption_that_no_picture_lent_has_no_neighbour(
    source: str,
    ref: str,
    client_of: Clients,
    alice: User,
    images: list[Image],
    suspect: Suspect,
    add_caption: Callable[..., Candidate],
) -> None:
    candidate = add_caption(images[1], "A red sky", source=source, source_ref=ref)
    answer = client_of(alice).get(f"/api/v1/projects/skies/candidates/{candidate.pk}/neighbour")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_neighbour")


def test_a_key_too_long_for_its_reference_is_found_by_what_is_left_of_it(
    client_of: Clients, alice: User, images: list[Image], corpus: Corpus, add_caption: Callable[..., Candidate]
) -> None:
    long = key(7) * 22
    Neighbour.objects.create(corpus=corpus, key=long[:198], shard=0, place="0+0")
    candidate = add_caption(images[0], "A red sky", source="corpus", source_ref=f"near:0:{long}"[:200])
    answer = client_of(alice).get(f"/api/v1/projects/skies/candidates/{candidate.pk}/neighbour")
    assert answer.json()["code"] == "image_not_shown"
    Neighbour.objects.create(corpus=corpus, key=f"{long[:197]}x", shard=0, place="0+0")
    answer = client_of(alice).get(f"/api/v1/projects/skies/candidates/{candidate.pk}/neighbour")
    assert answer.json()["code"] == "no_neighbour"  # rather than another picture


def test_pictures_lie_upright_on_white(monkeypatch: pytest.MonkeyPatch) -> None:
    sideways = Pictures.Exif()
    sideways[0x0112] = 6
    drawn = neighbour_pictures._small_jpeg(saved(Pictures.new("RGB", (40, 20), "red"), "JPEG", exif=sideways))
    assert Pictures.open(io.BytesIO(drawn)).size == (20, 40)
    clear = neighbour_pictures._small_jpeg(saved(Pictures.new("RGBA", (8, 8), (0, 0, 0, 0)), "PNG"))
    assert Pictures.open(io.BytesIO(clear)).getpixel((4, 4)) == (255, 255, 255)


def test_a_suspect_shows_the_image_it_is_like_and_who_decided(
    client_of: Clients, dora: User, addresses: list[str], suspect: Suspect
) -> None:
    client = client_of(dora)
    (row,) = client.get(addresses[2]).json()["results"]
    assert (row["image_key"], row["decided"]) == ("sky", None)
    assert set(row["thumbnail"]) == {"small", "large"}
    answer = client.post(f"/api/v1/suspects/{suspect.pk}/decisions", {"decision": "allowed"}).json()
    assert answer["decided"]["decided_by"] == "dora"
    assert client.get(addresses[2]).json()["results"] == [answer]


@pytest.mark.nightly
@pytest.mark.parametrize("decision", ["open", "allowed"])
def test_suspects_of_one_decision_are_found_by_an_index(
    project: Project, images: list[Image], corpus: Corpus, decision: str
) -> None:
    rows = [Neighbour(corpus=corpus, key=f"k{n}", shard=0, place="0+0") for n in range(3000)]
    facts = {"image": images[0], "bits": 1, "decision": "kept_out"}
    Suspect.objects.bulk_create(Suspect(neighbour=row, **facts) for row in Neighbour.objects.bulk_create(rows))
    found = Suspect.objects.filter(decision=decision).order_by("id")
    if connection.vendor == "postgresql":  # which looks at how many there are
        connection.cursor().execute("ANALYZE candidates_suspect")
    assert "suspect_by_decision" in found.explain()


def test_suspects_are_counted_by_decision(
    client_of: Clients, dora: User, bob: User, charlie: User, images: list[Image], corpus: Corpus
) -> None:
    decisions = ("open", "open", "kept_out")
    rows = [Neighbour.objects.create(corpus=corpus, key=f"k{n}", shard=0, place="0+0") for n in range(len(decisions))]
    for row, decision in zip(rows, decisions, strict=True):
        Suspect.objects.create(image=images[0], neighbour=row, bits=1, decision=decision)
    address = "/api/v1/projects/skies/suspects/counts"
    assert client_of(dora).get(address).json() == {
        "open": 2,
        "kept_out": 1,
        "allowed": 0,
        "open_by_cosine": [{"cosine": None, "n": 2}],
    }
    assert [client_of(user).get(address).status_code for user in (bob, charlie, None)] == [403, 404, 401]


def test_all_open_suspects_at_least_so_alike_are_kept_out_at_once(
    client_of: Clients, dora: User, bob: User, charlie: User, images: list[Image], corpus: Corpus
) -> None:
    """Two below 0.98, two at least as alike, one that the hash alone found, and one that somebody allowed."""
    cosines = (0.951, 0.9799, 0.98, 0.9912, None, 0.995)
    rows = [Neighbour.objects.create(corpus=corpus, key=f"k{n}", shard=0, place="0+0") for n in range(len(cosines))]
    for row, cosine in zip(rows, cosines, strict=True):
        bits = 1 if cosine is None else None
        decision = "allowed" if cosine == 0.995 else "open"
        Suspect.objects.create(image=images[0], neighbour=row, cosine=cosine, bits=bits, decision=decision)
    own, client = "/api/v1/projects/skies/suspects", client_of(dora)
    assert client.get(f"{own}/counts").json()["open_by_cosine"] == [
        {"cosine": 0.951, "n": 1},
        {"cosine": 0.979, "n": 1},
        {"cosine": 0.98, "n": 1},
        {"cosine": 0.991, "n": 1},
        {"cosine": None, "n": 1},
    ]
    assert len(client.get(own, {"decision": "open", "min_cosine": "0.98"}).json()["results"]) == 3
    assert client.get(own, {"min_cosine": "nan"}).status_code == 400
    sent = {"min_cosine": 0.98, "expected": 3}
    for user, status in ((bob, 403), (charlie, 404), (None, 401)):
        assert client_of(user).post(f"{own}/keep-out", sent).status_code == status
    stale = client.post(f"{own}/keep-out", sent | {"expected": 2})
    assert (stale.status_code, stale.json()["code"], stale.json()["details"]) == (409, "suspects_changed", {"n": 3})
    assert client.post(f"{own}/keep-out", sent).json() == {"n_kept_out": 3}
    decided = Suspect.objects.order_by("neighbour__key").values_list("decision", flat=True)
    assert list(decided) == ["open", "open", "kept_out", "kept_out", "kept_out", "allowed"]
    assert SuspectDecision.objects.filter(decided_by=dora, decision="kept_out").count() == 3


def test_suspects_come_as_a_table_that_no_spreadsheet_runs(
    client_of: Clients, dora: User, bob: User, charlie: User, suspect: Suspect, images: list[Image], corpus: Corpus
) -> None:
    sly = Neighbour.objects.create(corpus=corpus, key="=1+1", shard=3, place="0+0")
    Suspect.objects.create(image=images[1], neighbour=sly, cosine=0.97)
    client_of(dora).post(f"/api/v1/suspects/{suspect.pk}/decisions", {"decision": "kept_out"})
    address = "/api/v1/projects/skies/suspects.csv"
    answer = client_of(dora).get(address)
    assert answer["Content-Disposition"] == 'attachment; filename="skies-suspects.csv"'
    assert answer["Cache-Control"].startswith("private"), "it names people"
    header, *lines = answer.getvalue().decode().splitlines()
    assert header == '"image","corpus","shard","picture","bits","cosine","rules","decision","decided_by","decided_at"'
    assert lines[0].startswith('"sky","near","0","large","2","","perceptual_hash","kept_out","dora","20')
    assert lines[1] == '"sea","near","3","\'=1+1","","0.97","cosine","open","",""'
    only = client_of(dora).get(f"{address}?decision=open")
    assert len(only.getvalue().splitlines()) == 2
    assert [client_of(user).get(address).status_code for user in (bob, charlie, None)] == [403, 404, 401]
