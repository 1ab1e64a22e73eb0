"""A withdrawn image: its picture goes, what was released stays, and the next release does without it."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import Image as Pillow
from rest_framework.test import APIClient

from backend.annotation.models import Slot
from backend.catalogue.models import Image
from backend.catalogue.selectors import target_images
from backend.catalogue.storage import original_name, thumbnail_name
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.exporting import export_release
from backend.releases.models import Immutable, Release, Withdrawal
from backend.releases.withdrawing import AlreadyWithdrawn, remove_pictures, withdraw_image
from backend.runs.models import Run
from released_worlds import choose_and_release

KEPT_WORLD = choose_and_release

pytestmark = pytest.mark.both_engines
Clients = Callable[..., APIClient]
PLACE = "/api/v1/projects/skies/withdrawals"


@pytest.fixture
def pictured(release: Release) -> Image:
    """The first image of the release, with its files as an import stores them."""
    Slot.objects.filter(assignment=None).delete()
    image = Image.objects.filter(project=release.project).earliest("digest")
    names = [original_name(image.digest, image.format), *(thumbnail_name(image.digest, n) for n in ("small", "large"))]
    Image.objects.filter(pk=image.pk).update(**dict(zip(("original", "small", "large"), names, strict=True)))
    out = io.BytesIO()
    Pillow.new("RGB", (9, 9)).save(out, "JPEG")
    for name in names:
        default_storage.save(name, ContentFile(out.getvalue()))
    return Image.objects.get(pk=image.pk)


@pytest.mark.nightly
def test_the_picture_goes_and_the_releases_say_why(
    pictured: Image,
    release: Release,
    client_of: Clients,
    alice: User,
    run_stage: Callable[..., Run],
    django_capture_on_commit_callbacks: Any,
    tmp_path: Path,
) -> None:
    before = {"digest": release.digest, "entries": list(release.entries.values_list("body", flat=True))}
    with django_capture_on_commit_callbacks(execute=True):
        answer = client_of(alice).post(PLACE, {"image": pictured.digest, "reason": "The artist asked for it."})
    assert (answer.status_code, answer.json()["created_by"]) == (201, "alice")
    assert not [name for name in (pictured.original, pictured.small, pictured.large) if default_storage.exists(name)]
    shown = client_of(alice).get(f"/api/v1/releases/{release.pk}/entries").json()["results"]
    first = next(each for each in shown if each["image"]["digest"] == pictured.digest)
    assert (first["withdrawn"]["reason"], first["image"]["thumbnail"]) == ("The artist asked for it.", None)
    assert len(first["captions"]) == 5
    assert [each["withdrawn"] for each in shown if each is not first] == [None, None]
    export_release(release=release, format="parquet", folder=tmp_path / "out")
    rows = {row["digest"]: row for row in pq.read_table(tmp_path / "out" / "data").to_pylist()}
    assert rows[pictured.digest]["image"] is None
    now = Release.objects.get(pk=release.pk)
    assert {"digest": now.digest, "entries": list(now.entries.values_list("body", flat=True))} == before
    assert pictured not in target_images(project=release.project)
    run_stage(release.project, "release")
    second = Release.objects.get(version=2)
    assert (second.label, second.changelog["images"]["left"]["first"]) == ("2.0.0", [pictured.digest])


def test_a_picture_of_another_project_stays_there_and_a_killed_removal_is_done_later(
    pictured: Image, charlie: User, alice: User
) -> None:
    elsewhere = Project.objects.get(slug="elsewhere")
    twin = Image.objects.get(pk=pictured.pk)
    twin.pk, twin.project = None, elsewhere
    twin.save(force_insert=True)
    withdraw_image(project=pictured.project, digest=pictured.digest, reason="Gone", by=alice)  # the commit never ends
    assert (remove_pictures(), default_storage.exists(twin.original)) == (0, True)
    twin.delete()
    assert (remove_pictures(), default_storage.exists(twin.original)) == (3, False)
    assert remove_pictures() == 0


def test_an_image_is_withdrawn_once_and_the_row_never_changes(pictured: Image, alice: User) -> None:
    made = withdraw_image(project=pictured.project, digest=pictured.digest, reason="Gone", by=alice)
    with pytest.raises(AlreadyWithdrawn):
        withdraw_image(project=pictured.project, digest=pictured.digest, reason="Again", by=alice)
    for change in (made.save, made.delete, Withdrawal.objects.all().delete):
        with pytest.raises(Immutable):
            change()


def test_curators_withdraw_heads_look_and_others_do_neither(
    pictured: Image, client_of: Clients, alice: User, bob: User, charlie: User, dora: User
) -> None:
    asked = {"image": pictured.digest, "reason": "Gone"}
    assert [client_of(one).post(PLACE, asked).status_code for one in (bob, dora, charlie)] == [403, 403, 404]
    assert [client_of(one).get(PLACE).status_code for one in (bob, dora, charlie)] == [403, 200, 404]
    assert APIClient().post(PLACE, asked).status_code in (401, 403)
    for wrong in ({"image": "x", "reason": "a"}, {"image": pictured.digest, "reason": " "}, {"reason": "a"}):
        assert client_of(alice).post(PLACE, wrong).status_code == 400
    assert client_of(alice).post(PLACE, {"image": "0" * 64, "reason": "a"}).status_code == 404
    assert client_of(alice).post(PLACE, asked).status_code == 201
    assert client_of(alice).post(PLACE, asked).json()["code"] == "already_withdrawn"
    assert [row["reason"] for row in client_of(dora).get(PLACE).json()["results"]] == ["Gone"]
