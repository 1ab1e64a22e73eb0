"""Images over HTTP: who sees them, in which pages, at which price, and through which links."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine
from django.conf import settings as django_settings
from django.core.files.storage import default_storage
from django.test import Client
from rest_framework.test import APIClient

from api_examples import Examples
from backend.catalogue.media import media_url
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run
from world import World

pytestmark = pytest.mark.django_db(transaction=True)
ClientOf = Callable[..., APIClient]
IMAGES = "/api/v1/projects/skies/images"


@pytest.fixture
def image(import_from: Callable[..., Run], picture_folder: Callable[..., Path]) -> Image:
    import_from(picture_folder(1, author="Ada", title="A dot"))
    return Image.objects.get()


def fetch(url: str, **headers: str) -> Any:
    """What a browser without any session gets; `body` holds what was streamed."""
    answer: Any = Client().get(url, headers=headers)
    answer.body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    answer.close()
    return answer


@pytest.mark.parametrize("who", ["alice", "dora"])
def test_reviewers_see_the_images_with_licence_credit_and_thumbnails(
    image: Image, client_of: ClientOf, who: str, request: pytest.FixtureRequest
) -> None:
    (row,) = client_of(request.getfixturevalue(who)).get(IMAGES).json()["results"]
    assert row["licence"] == {
        "code": "CC-BY-4.0",
        "name": "CC BY 4.0",
        "url": "https://creativecommons.org/licenses/by/4.0/",
    }
    assert (row["key"], row["author"], row["title"], row["format"]) == ("p0", "Ada", "A dot", "PNG")
    assert {size: (t["width"], t["height"]) for size, t in row["thumbnail"].items()} == {
        "small": (40, 30),
        "large": (40, 30),
    }
    assert not {"n_candidates", "n_kept", "selection", "original", "small"} & row.keys()


@pytest.mark.nightly
@pytest.mark.parametrize("address", ["", "/{id}"])
def test_charlie_and_strangers_see_nothing(image: Image, client_of: ClientOf, charlie: User, address: str) -> None:
    url = IMAGES + address.format(id=image.pk)
    assert client_of(charlie).get(url).status_code == 404
    assert client_of().get(url).status_code == 401


@pytest.mark.nightly
@pytest.mark.parametrize("address", ["", "?limit=1", "/{id}"])
def test_annotators_are_not_told_which_images_came_in_when(
    image: Image, client_of: ClientOf, bob: User, address: str
) -> None:
    """Beside the address of a thumbnail, an id or a time would say which of a page's pictures are hidden controls."""
    answer = client_of(bob).get(IMAGES + address.format(id=image.pk))
    assert (answer.status_code, answer.json()["code"]) == (403, "only_reviewers")
    assert image.small not in answer.content.decode()


def test_an_image_of_another_project_is_not_found_through_mine(
    image: Image, client_of: ClientOf, charlie: User
) -> None:
    answer = client_of(charlie).get(f"/api/v1/projects/elsewhere/images/{image.pk}")
    assert answer.status_code == 404 and answer.json()["code"] == "not_found"


def test_only_curators_are_given_the_original(image: Image, client_of: ClientOf, alice: User, dora: User) -> None:
    assert client_of(dora).get(f"{IMAGES}/{image.pk}").json()["original_url"] is None
    seen = client_of(alice).get(f"{IMAGES}/{image.pk}").json()
    assert (seen["phash"], seen["notes"], seen["n_bytes"]) == (image.perceptual_hash, [], image.n_bytes)
    answer = fetch(seen["original_url"])
    assert hashlib.sha256(answer.body).hexdigest() == image.digest
    assert answer["Content-Disposition"].startswith("attachment; filename=")


@pytest.mark.nightly
def test_pages_go_on_where_the_last_ended(
    import_from: Callable[..., Run], picture_folder: Callable[..., Path], client_of: ClientOf, dora: User
) -> None:
    import_from(picture_folder(7))
    client = client_of(dora)
    for limit in (2, 7):
        client.get(IMAGES, {"limit": limit})
    page = client.get(IMAGES, {"limit": 3}).json()
    keys = [row["key"] for row in page["results"]]
    while page["next"]:
        page = client.get(page["next"]).json()
        keys += [row["key"] for row in page["results"]]
    assert keys == [f"p{n}" for n in range(7)]
    World(Project.objects.get(slug="skies")).photos(210)
    assert len(client.get(IMAGES, {"limit": 5000}).json()["results"]) == 200
    assert len(client.get(IMAGES).json()["results"]) == 60


def test_a_thumbnails_link_needs_no_session(image: Image) -> None:
    answer = fetch(media_url(image.small))
    assert answer.status_code == 200 and answer["Content-Type"] == "image/webp"
    with default_storage.open(image.small) as file:
        assert answer.body == file.read()
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert re.fullmatch(r"private, max-age=\d+, immutable", answer["Cache-Control"])
    assert "sandbox" in answer["Content-Security-Policy"]


@pytest.mark.nightly
@pytest.mark.parametrize("accel_redirect", ["", "/protected-media/"])
def test_pictures_do_not_tell_when_they_came_in(
    import_from: Callable[..., Run], picture_folder: Callable[..., Path], settings: Any, accel_redirect: str
) -> None:
    """No header but those of place and length differs between an early picture and a late one, whoever sends it."""
    import_from(picture_folder(2))
    settings.ACCEL_REDIRECT = accel_redirect
    told = []
    with time_machine.travel(1_900_000_000, tick=False):
        for age, image in enumerate(Image.objects.order_by("id")):
            os.utime(default_storage.path(image.small), (86_400 * age,) * 2)
            told.append(dict(fetch(media_url(image.small)).headers))
    assert told[0].keys() == told[1].keys() and not {"Last-Modified", "ETag"} & told[0].keys()
    differing = {name for name in told[0] if told[0][name] != told[1][name]}
    assert differing <= {"Content-Length", "X-Accel-Redirect", "X-Request-ID"}


def test_a_link_stays_the_same_for_hours_and_ends_after_a_day(image: Image) -> None:
    grid = django_settings.MEDIA_LINK_HOURS * 3600
    start = 1_900_000_000 // grid * grid
    with time_machine.travel(start, tick=False) as clock:
        url = media_url(image.small)
        clock.move_to(start + grid - 1)
        assert media_url(image.small) == url
        clock.move_to(start + grid)
        assert media_url(image.small) != url
        clock.move_to(start + 2 * grid - 1)
        assert fetch(url)["Cache-Control"] == "private, max-age=1, immutable"
        clock.move_to(start + 2 * grid)
        answer = fetch(url)
        assert (answer.status_code, answer.json()["code"]) == (403, "link_expired")


@pytest.mark.parametrize(
    "change",
    [
        lambda name, query: (name.replace("small", "large"), query),
        lambda name, query: (name, query | {"expires": str(int(query["expires"]) + 1)}),
        lambda name, query: (name, query | {"expires": "9" * 40}),
        lambda name, query: (name, query | {"expires": "²"}),
        lambda name, query: (name, query | {"signature": "x" + query["signature"][1:]}),
        lambda name, query: (name, query | {"signature": "ü"}),
        lambda name, query: (name, query | {"download": "x.html"}),
        lambda name, query: (name, {}),
    ],
)
def test_a_link_that_was_changed_opens_nothing(image: Image, change: Callable[..., Any]) -> None:
    parts = urlsplit(media_url(image.small))
    query = {name: value for name, (value,) in parse_qs(parts.query).items()}
    path, changed = change(parts.path, query)
    answer = Client().get(path, changed)
    assert (answer.status_code, answer.json()["code"]) == (403, "link_broken")


@pytest.mark.parametrize(
    "name", ["../connote.sqlite3", "thumbnails/../../secret", "releases/ab/abcd", "thumbnails/gone"]
)
def test_even_a_signed_link_reads_nothing_but_pictures(image: Image, name: str) -> None:
    assert fetch(media_url(name)).status_code in (403, 404)


def test_nginx_sends_the_bytes_where_it_stands_in_front(image: Image, settings: Any) -> None:
    settings.ACCEL_REDIRECT = "/protected-media/"
    answer = fetch(media_url(image.large))
    assert answer["X-Accel-Redirect"] == f"/protected-media/{image.large}"
    assert answer["Content-Type"] == "image/webp" and answer.body == b""


def test_media_answers_only_to_reading(image: Image) -> None:
    assert Client().post(media_url(image.small)).status_code == 405


def test_an_id_no_database_could_hold_is_not_found(image: Image, client_of: ClientOf, alice: User) -> None:
    assert client_of(alice).get(f"{IMAGES}/{10**40}").status_code == 404


def test_images_are_as_in_their_examples(example: Examples, client_of: ClientOf, alice: User, image: Image) -> None:
    example("projects_images_list", client_of(alice).get, "projects/skies/images")
    example("projects_images_retrieve", client_of(alice).get, f"projects/skies/images/{image.pk}")
