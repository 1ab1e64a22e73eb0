"""The map of images and captions: laid out once, coloured by what is known now, for reviewers alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.files.storage import default_storage
from rest_framework.test import APIClient

from api_examples import Examples
from backend.candidates.models import Candidate, CandidateStatus
from backend.catalogue.models import Image
from backend.curation.models import CaptionMap, Consensus, Difficulty, SelectionItem
from backend.methods.map_points import MapPoints, unpack
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Refusal, Run, RunStatus
from judged_project import work_on
from panels import store_pictures
from word_sentences import WordSentences
from workers.engines import registry
from workers.engines.protocols import EncodedBlock, PictureSource
from workers.tasks import sampling

ADDRESS = "/api/v1/projects/skies/map"
Clients = Callable[..., APIClient]
RunStage = Callable[..., Run]


class ByteHashes:
    """An image encoder: a direction drawn by the SHA-256 of the file."""

    name, preprocessing, dimensions = "bytes", "whole bytes", 8
    digest = hashlib.sha256(b"bytes/1").hexdigest()

    def encode(self, pictures: Iterable[tuple[str, PictureSource]], **_: object) -> Iterator[EncodedBlock]:
        for key, data in pictures:
            seed = int.from_bytes(hashlib.sha256(bytes(data)).digest()[:4], "big")  # type: ignore[arg-type]
            vector = np.random.default_rng(seed).normal(size=(1, self.dimensions)).astype(np.float32)
            yield EncodedBlock((key,), vector / np.linalg.norm(vector))


@pytest.fixture(autouse=True)
def without_umap(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the tests of the night lay out by UMAP: it compiles for 20 s. The others get the plane of a few pictures."""
    if request.node.get_closest_marker("nightly") is None:
        monkeypatch.setattr(sampling, "FEWEST", 100)


@pytest.fixture
def judged(
    project: Project, make_judged: Callable[..., Project], run_stage: RunStage, tmp_path: Path, settings: Any
) -> Project:
    settings.EMBEDDINGS = tmp_path / "embeddings"
    settings.VISION_MODEL, settings.SENTENCE_MODEL = ByteHashes.name, WordSentences.name
    registry.use_image_encoder(ByteHashes.name, ByteHashes())
    opinion = lambda image, caption, person: "bad" if (caption, person) in ((0, 0), (1, 0), (1, 1)) else "good"  # noqa: E731
    make_judged(project, images=4, captions=8, opinion=opinion)
    store_pictures(project)
    return project


@pytest.fixture
def mapped(judged: Project, run_stage: RunStage) -> CaptionMap:
    run = run_stage(judged, "map_captions")
    assert run.status == RunStatus.SUCCEEDED, run.error
    return CaptionMap.objects.get()


def points_of(found: CaptionMap) -> MapPoints:
    return unpack(bytes(found.points))


def column(columns: list[dict[str, Any]], name: str) -> list[Any]:
    """The values of a column by place, None where undefined."""
    one = next(each for each in columns if each["name"] == name)
    if one["codes"] is None:
        return list(one["numbers"])
    return [None if code < 0 else one["values"][code] for code in one["codes"]]


@pytest.mark.nightly
def test_every_image_and_kept_caption_gets_a_place(mapped: CaptionMap, judged: Project) -> None:
    points = points_of(mapped)
    assert points.images.ids.tolist() == sorted(Image.objects.values_list("pk", flat=True))
    assert points.captions.ids.tolist() == sorted(Candidate.objects.values_list("pk", flat=True))
    assert (mapped.n_images, mapped.n_captions, mapped.n_left_out) == (4, 32, 0)
    assert mapped.run is not None
    assert mapped.run.counts == {"dropped": {}, "in": 36, "out": 36}
    assert mapped.run.models_used == {"bytes": ByteHashes.digest, "words": WordSentences.digest}


@pytest.mark.nightly
def test_the_same_seed_makes_the_same_map_and_replaces_the_one_before(
    mapped: CaptionMap, judged: Project, run_stage: RunStage
) -> None:
    run_stage(judged, "map_captions")
    again = CaptionMap.objects.get()
    assert (again.digest, again.pk) == (mapped.digest, mapped.pk)
    assert again.run_id != mapped.run_id


@pytest.mark.nightly
def test_captions_of_one_text_lie_on_one_place(judged: Project, run_stage: RunStage) -> None:
    first, second = Candidate.objects.order_by("pk")[:2]
    Candidate.objects.filter(pk=second.pk).update(text=first.text)
    run_stage(judged, "map_captions")
    places = points_of(CaptionMap.objects.get()).captions.places
    assert places[0].tolist() == places[1].tolist()


@pytest.mark.nightly
def test_a_dropped_caption_and_an_image_without_a_file_are_left_out(judged: Project, run_stage: RunStage) -> None:
    dropped, gone = Candidate.objects.earliest("pk"), Image.objects.latest("pk")
    Candidate.objects.filter(pk=dropped.pk).update(status=CandidateStatus.DROPPED, drop_rule="too_short")
    default_storage.delete(gone.original)
    run = run_stage(judged, "map_captions")
    points = points_of(CaptionMap.objects.get())
    assert dropped.pk not in points.captions.ids
    assert gone.pk not in points.images.ids
    assert list(Refusal.objects.filter(run=run).values_list("name", "code")) == [(gone.digest, "gone")]


def test_columns_say_what_is_known_now(
    client_of: Clients, dora: User, mapped: CaptionMap, judged: Project, run_stage: RunStage
) -> None:
    before = client_of(dora).get(f"{ADDRESS}/columns").json()
    assert column(before["caption_columns"], "label") == [None] * 32
    assert column(before["image_columns"], "status") == [None] * 4

    run_stage(judged, "consensus")
    run_stage(judged, "select")
    hard = SelectionItem.objects.earliest("pk")
    Difficulty.objects.create(item=hard, policy="unanimous", category="hard", n_votes=0)
    Difficulty.objects.create(
        item=SelectionItem.objects.filter(selection=hard.selection).latest("pk"),
        policy="unanimous",
        category="easy",
        n_votes=7,
    )
    addresses = ("https://www.photos.example/1.jpg", "https://photos.example/2.jpg", "", "https://museum.example/3.jpg")
    for image, address in zip(Image.objects.order_by("pk"), addresses, strict=True):
        Image.objects.filter(pk=image.pk).update(source_url=address)
    now = client_of(dora).get(f"{ADDRESS}/columns").json()
    points = points_of(mapped)
    sites = dict(zip(points.images.ids.tolist(), column(now["image_columns"], "source"), strict=True))
    assert [sites[pk] for pk in sorted(sites)] == ["photos.example", "photos.example", None, "museum.example"]
    assert now["digest"] == mapped.digest
    rows = Consensus.objects.in_bulk(points.captions.ids.tolist(), field_name="candidate_id")
    consensus = [rows[pk] for pk in points.captions.ids.tolist()]
    assert column(now["caption_columns"], "label") == [row.label or "tied" for row in consensus]
    assert column(now["caption_columns"], "entropy") == [row.entropy for row in consensus]
    assert set(column(now["caption_columns"], "votes")) == {2}
    assert set(column(now["caption_columns"], "source")) == {"human"}
    assert column(now["caption_columns"], "selection").count("chosen") == SelectionItem.objects.count() == 20
    place = points.captions.ids.tolist().index(hard.candidate_id)
    difficulty = column(now["caption_columns"], "difficulty")
    assert (difficulty[place], difficulty.count("easy"), difficulty.count(None)) == ("hard", 1, 30)
    assert now["texts"][place] == hard.candidate.text
    image = now["images"][place]
    assert now["keys"][image] == hard.candidate.image.key
    assert column(now["image_columns"], "difficulty")[image] == "hard"
    assert column(now["image_columns"], "entropy") == [0.125] * 4  # one of eight captions is tied, with one bit
    assert column(now["image_columns"], "captions") == [8] * 4
    assert column(before["image_columns"], "good") == [None] * 4
    assert column(now["image_columns"], "good") == [6] * 4  # one is bad, one is tied


def test_what_came_went_and_changed_since_the_map_was_made_is_counted(
    client_of: Clients, dora: User, mapped: CaptionMap, judged: Project, make_judged: Callable[..., Project]
) -> None:
    one, other = Candidate.objects.order_by("pk")[:2]
    Candidate.objects.filter(pk=one.pk).update(text="another text")
    Candidate.objects.filter(pk=other.pk).update(status=CandidateStatus.DROPPED, drop_rule="too_short")
    Candidate.objects.create(image=one.image, project=judged, key="new", raw_text="new", text="new", status="kept")
    found = client_of(dora).get(f"{ADDRESS}/columns").json()
    assert (found["n_images_missing"], found["n_captions_missing"], found["n_captions_changed"]) == (0, 1, 1)
    assert found["texts"][:2] == ["another text", ""]
    assert column(found["caption_columns"], "source")[1] is None


def test_points_are_sent_as_bytes_and_once(client_of: Clients, dora: User, mapped: CaptionMap) -> None:
    found = client_of(dora).get(ADDRESS).json()
    assert (found["map"]["digest"], found["run"]["status"]) == (mapped.digest, "succeeded")
    first = client_of(dora).get(f"{ADDRESS}/points")
    assert (first.status_code, first["Content-Type"]) == (200, "application/octet-stream")
    assert first.content == bytes(mapped.points)
    again = client_of(dora).get(f"{ADDRESS}/points", HTTP_IF_NONE_MATCH=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")


def test_before_a_map_is_made_there_is_none(client_of: Clients, dora: User, project: Project) -> None:
    assert client_of(dora).get(ADDRESS).json() == {"map": None, "run": None}
    assert client_of(dora).get(f"{ADDRESS}/points").status_code == 404
    assert client_of(dora).get(f"{ADDRESS}/columns").status_code == 404


@pytest.mark.nightly
@pytest.mark.parametrize("what", ["", "/points", "/columns"])
def test_only_reviewers_see_the_map(
    client_of: Clients, mapped: CaptionMap, alice: User, dora: User, bob: User, charlie: User, what: str
) -> None:
    statuses = [client_of(one).get(f"{ADDRESS}{what}").status_code for one in (alice, dora, bob, charlie, None)]
    assert statuses == [200, 200, 403, 404, 401]


def test_reviewers_get_thumbnails_of_a_part_of_the_map(
    client_of: Clients, alice: User, dora: User, bob: User, charlie: User, judged: Project
) -> None:
    images = list(Image.objects.order_by("pk")[:2])
    address = f"{ADDRESS}/thumbnails?images={images[1].pk},{images[0].pk},999999"
    for user in (alice, dora):
        found = client_of(user).get(address).json()
        assert [one["image"] for one in found] == [image.pk for image in images]
        assert set(found[0]["thumbnail"]) == {"url", "width", "height"}
    assert [client_of(user).get(address).status_code for user in (bob, charlie, None)] == [403, 404, 401]
    assert client_of(dora).get(f"{ADDRESS}/thumbnails").status_code == 400


def test_a_project_without_kept_captions_has_no_map(judged: Project, run_stage: RunStage) -> None:
    Candidate.objects.update(status=CandidateStatus.DROPPED, drop_rule="too_short")
    run = Run.objects.create(project=judged, stage="map_captions", parameters={"model": "", "text_model": ""})
    assert (work_on(run).error or {}).get("code") == "nothing_to_map"


@pytest.mark.nightly
def test_the_map_is_as_in_its_examples(example: Examples, mapped: CaptionMap, client_of: Clients, dora: User) -> None:
    client, own = client_of(dora), "projects/skies/map"
    example("projects_map_retrieve", client.get, own)
    example("map_columns", client.get, f"{own}/columns")
    example("map_thumbnails", client.get, f"{own}/thumbnails?images={Image.objects.earliest('pk').pk}")
