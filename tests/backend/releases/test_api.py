"""Releases over HTTP: seen and downloaded by the members of their project, changed by nobody."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from rest_framework.test import APIClient

from backend.annotation.models import Assignment, Hit, Slot
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.entries import present_page
from backend.releases.entry_serializers import ReleaseEntryOut
from backend.releases.models import Release, ReleaseEntry
from backend.runs.models import Run
from pages_in_hand import take
from released_worlds import choose_and_release

KEPT_WORLD = choose_and_release

Clients = Callable[..., APIClient]
LIST = "/api/v1/projects/skies/releases"


def body(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


@pytest.fixture(autouse=True)
def finished(release: Release) -> None:
    """Nothing is left to judge."""
    Slot.objects.filter(assignment=None).delete()


@pytest.fixture
def captions(client_of: Clients, bob: User, release: Release) -> dict[str, Any]:
    """What the API says of captions.jsonl."""
    files = client_of(bob).get(LIST).json()["results"][0]["files"]
    return next(file for file in files if file["name"] == "captions.jsonl")


@pytest.mark.nightly
def test_members_list_releases_newest_first(
    client_of: Clients, bob: User, release: Release, project: Project, run_stage: Callable[..., Run]
) -> None:
    run_stage(project, "select", k=3)
    run_stage(project, "release")
    rows = client_of(bob).get(LIST).json()["results"]
    shown = [(row["version"], row["label"], row["n_captions"], row["created_by"]) for row in rows]
    assert shown == [(2, "2.0.0", 9, None), (1, "1.0.0", 15, "alice")]
    assert len(rows[0]["files"]) == 19
    assert set(rows[0]["files"][0]) == {"name", "n_bytes", "sha256", "url"}


def test_a_release_shows_its_manifest(client_of: Clients, bob: User, release: Release) -> None:
    shown = client_of(bob).get(f"/api/v1/releases/{release.pk}").json()
    assert (shown["project"], shown["version"], shown["manifest"]["policy"]) == ("skies", 1, "majority/1")


def test_a_file_is_downloaded_whole_as_an_attachment(client_of: Clients, bob: User, captions: dict[str, Any]) -> None:
    answer = client_of(bob).get(captions["url"])
    content = body(answer)
    assert (answer.status_code, len(content)) == (200, captions["n_bytes"])
    assert hashlib.sha256(content).hexdigest() == captions["sha256"]
    assert answer["Content-Disposition"] == 'attachment; filename="captions.jsonl"'
    assert (answer["ETag"], answer["Accept-Ranges"]) == (f'"{captions["sha256"]}"', "bytes")


def test_a_broken_download_goes_on_where_it_stopped(client_of: Clients, bob: User, captions: dict[str, Any]) -> None:
    client, tag = client_of(bob), f'"{captions["sha256"]}"'
    whole = body(client.get(captions["url"]))
    rest = client.get(captions["url"], headers={"Range": "bytes=100-", "If-Range": tag})
    assert (rest.status_code, rest["Content-Length"]) == (206, str(len(whole) - 100))
    assert rest["Content-Range"] == f"bytes 100-{len(whole) - 1}/{len(whole)}"
    assert whole[:100] + body(rest) == whole


def test_downloads_are_counted_and_shown_to_members(
    client_of: Clients, bob: User, release: Release, captions: dict[str, Any]
) -> None:
    """The start of a download counts. Its continuation, a HEAD, and a file that the client has do not."""
    client, at = client_of(bob), f"/api/v1/releases/{release.pk}"
    tag = f'"{captions["sha256"]}"'
    asked: list[dict[str, str]] = [{}, {"Range": "bytes=0-99"}, {"Range": "bytes=100-"}, {"If-None-Match": tag}]
    for headers in asked:
        body(client.get(captions["url"], headers=headers))
    client.head(captions["url"])
    body(client.get(f"{at}/archive"))
    told = [{"name": ".zip", "n": 1}, {"name": captions["name"], "n": 2}]
    assert client.get(at).json()["downloads"] == told
    assert client.get(f"/api/v1/projects/{release.project.slug}/releases").json()["results"][0]["downloads"] == told


def test_a_range_of_another_content_gets_the_whole_file(
    client_of: Clients, bob: User, captions: dict[str, Any]
) -> None:
    answer = client_of(bob).get(captions["url"], headers={"Range": "bytes=100-", "If-Range": '"something else"'})
    assert (answer.status_code, len(body(answer))) == (200, captions["n_bytes"])


def test_a_range_outside_the_file_says_how_long_it_is(client_of: Clients, bob: User, captions: dict[str, Any]) -> None:
    answer = client_of(bob).get(captions["url"], headers={"Range": f"bytes={captions['n_bytes']}-"})
    assert (answer.status_code, answer["Content-Range"]) == (416, f"bytes */{captions['n_bytes']}")
    assert answer.json()["code"] == "range_outside"


def test_a_client_that_has_the_file_is_sent_nothing(client_of: Clients, bob: User, captions: dict[str, Any]) -> None:
    answer = client_of(bob).get(captions["url"], headers={"If-None-Match": f'"{captions["sha256"]}"'})
    assert (answer.status_code, body(answer)) == (304, b"")


def test_behind_nginx_the_bytes_are_left_to_it(
    client_of: Clients, bob: User, release: Release, captions: dict[str, Any], settings: Any
) -> None:
    settings.ACCEL_REDIRECT = "/protected-media/"
    answer = client_of(bob).get(captions["url"], headers={"Range": "bytes=5-"})
    stored_as = release.files.get(name="captions.jsonl").stored_as
    assert answer["X-Accel-Redirect"] == f"/protected-media/{stored_as}"
    assert (answer.status_code, body(answer)) == (200, b"")


@pytest.mark.nightly
def test_an_address_gives_its_one_thing_whatever_a_client_accepts(
    client_of: Clients, bob: User, release: Release
) -> None:
    """Clients that are made from the schema ask for what it promises."""
    client, kinds = client_of(bob), documented_kinds()
    for accept in ("*/*", "text/csv", "application/octet-stream", "text/html", "nonsense"):
        headers = {"Accept": accept}
        for file in client.get(LIST, headers=headers).json()["results"][0]["files"]:
            answer = client.get(file["url"], headers=headers)
            assert (answer.status_code, len(body(answer))) == (200, file["n_bytes"]), (accept, file["name"])
            assert answer["Content-Type"].partition(";")[0] in kinds, (accept, file["name"])
        assert client.get(f"{LIST}/nothing", headers=headers).json()["code"] == "not_found", accept


def documented_kinds() -> set[str]:
    schema = json.loads((django_settings.BASE_DIR / "frontend" / "schema.json").read_text())
    responses = schema["paths"]["/api/v1/releases/{release_id}/files/{name}"]["get"]["responses"]
    return set(responses["200"]["content"])


def test_the_requests_of_a_client_made_from_the_schema_are_answered(
    client_of: Clients, alice: User, release: Release, shared_cases: Path
) -> None:
    script = (shared_cases / "48-accept-text-csv" / "run.sh").read_text()
    accepted = re.findall(r"\S+/\S+", re.findall(r"for a in (.*); do", script)[0].replace("'", ""))
    assert "text/csv" in accepted
    client = client_of(alice)
    for accept in accepted:
        file = client.get(f"/api/v1/releases/{release.pk}/files/captions.csv", headers={"Accept": accept})
        assert (file.status_code, file["Content-Type"]) == (200, "text/csv; charset=utf-8")
        assert body(file)
    suspects = client.get("/api/v1/projects/skies/suspects.csv", headers={"Accept": "text/csv"})
    assert (suspects.status_code, suspects["Content-Type"]) == (200, "text/csv; charset=utf-8")
    assert body(suspects)


@pytest.mark.parametrize("name", ["nothing.csv", "..%2f..%2fsettings.py", "judgments.spool"])
def test_no_other_file_can_be_had(client_of: Clients, bob: User, release: Release, name: str) -> None:
    assert client_of(bob).get(f"/api/v1/releases/{release.pk}/files/{name}").status_code == 404


def test_entries_are_paged_and_have_thumbnails(client_of: Clients, bob: User, release: Release) -> None:
    client = client_of(bob)
    page = client.get(f"/api/v1/releases/{release.pk}/entries", {"limit": 2}).json()
    rows = page["results"] + client.get(page["next"]).json()["results"]
    assert [row["position"] for row in rows] == [1, 2, 3]
    first = rows[0]
    assert set(first["image"]) == {"digest", "key", "width", "height", "licence", "attribution", "thumbnail"}
    assert set(first["image"]["thumbnail"]) == {"small", "large"}
    assert first["image"]["licence"]["name"] == "CC BY 2.0"
    assert set(first["captions"][0]) == {
        "key", "text", "n_good", "n_bad", "n_unsure", "source", "difficulty", "agreement", "lenses", "is_match",
        "consensus",
    }  # fmt: skip
    assert (first["method"], len(first["captions"])) == ("kmeans", 5)


def test_a_caption_shows_the_consensus_that_its_files_have(
    client_of: Clients, bob: User, release: Release, captions: dict[str, Any]
) -> None:
    lines = [json.loads(line) for line in body(client_of(bob).get(captions["url"])).splitlines()]
    frozen = {(line["image"], line["key"]): line["consensus"] for line in lines}
    rows = client_of(bob).get(f"/api/v1/releases/{release.pk}/entries").json()["results"]
    shown = {(row["image"]["digest"], one["key"]): one["consensus"] for row in rows for one in row["captions"]}
    assert shown == frozen
    told = next(iter(shown.values()))
    assert set(told) == {"decided_by", "category", "category_by_majority", "entropy", "posterior", "readings"}
    assert (told["decided_by"], told["posterior"]) == ("majority", None)
    assert [each["reading"] for each in told["readings"]] == ["value", "missing", "middle"]


def test_a_posterior_is_shown_and_a_release_that_froze_no_consensus_says_null(release: Release) -> None:
    entry = ReleaseEntry.objects.filter(release=release).first()
    posterior = {"bad": 0.1, "good": 0.85, "unsure": 0.05}
    one, other = entry.body["captions"][:2]
    one["consensus"] |= {"decided_by": "dawid_skene", "posterior": posterior}
    del one["consensus"]["readings"]  # as before these were frozen too
    del other["consensus"]
    [shown] = present_page(release=release, entries=[entry])
    told = [caption["consensus"] for caption in ReleaseEntryOut(shown).data["captions"][:2]]
    assert (told[0]["decided_by"], told[0]["posterior"], told[0]["readings"], told[1]) == (
        "dawid_skene", posterior, [], None,
    )  # fmt: skip


def test_entries_stay_as_they_were_frozen(client_of: Clients, bob: User, release: Release) -> None:
    address = f"/api/v1/releases/{release.pk}/entries"
    before = client_of(bob).get(address).json()
    Candidate.objects.update(text="changed since")
    Image.objects.update(attribution="changed since")
    assert client_of(bob).get(address).json() == before


def addresses(release: Release) -> list[str]:
    own, digest = f"/api/v1/releases/{release.pk}", release.entries.all()[0].digest
    return [LIST, own, f"{own}/files/captions.csv", f"{own}/entries", f"{own}/images/{digest}"]


@pytest.mark.nightly
def test_every_member_may_look_and_nobody_else(
    client_of: Clients, release: Release, alice: User, dora: User, bob: User, charlie: User
) -> None:
    for address in addresses(release):
        statuses = [client_of(user).get(address).status_code for user in (alice, dora, bob, charlie, None)]
        assert statuses == [200, 200, 200, 404, 401], address


@pytest.mark.nightly
def test_who_may_be_judging_reads_none_before_all_is_judged(
    client_of: Clients, release: Release, alice: User, bob: User
) -> None:
    """It tells which of the captions on a page are no controls, and what others said of them."""
    hit = Hit.objects.filter(project=release.project)[0]
    place = Slot.objects.create(project=release.project, hit=hit, root=hit, number=99)
    answers = [client_of(bob).get(address) for address in addresses(release)]
    assert [answer.status_code for answer in answers] == [200, 403, 403, 403, 403]
    assert {answer.json()["code"] for answer in answers[1:]} == {"still_judged"}
    assert [client_of(alice).get(address).status_code for address in addresses(release)] == [200] * 5
    page = take(release.project, alice)
    place.refresh_from_db()
    assert place.assignment == page
    assert client_of(bob).get(addresses(release)[1]).status_code == 403
    Assignment.objects.update(status="submitted")
    assert client_of(bob).get(addresses(release)[1]).status_code == 200


@pytest.mark.nightly
def test_there_is_no_way_to_change_one(client_of: Clients, release: Release, alice: User) -> None:
    for address in addresses(release):
        for verb in ("post", "put", "patch", "delete"):
            assert getattr(client_of(alice), verb)(address, {}).status_code == 405, (verb, address)
