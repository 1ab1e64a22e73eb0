"""The public page of a release: opened by curators, read by anybody, closed for ever."""

from __future__ import annotations

import hashlib
import io
import itertools
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.storage import default_storage
from django.db.models import Count
from django.utils import timezone
from PIL import Image as Picture
from rest_framework.test import APIClient

from backend.annotation.models import Hit, Slot
from backend.annotation.selectors import counted_judgments
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release, ReleaseFigures, ReleaseLink, Withdrawal
from backend.releases.public_api import ArchiveThrottle
from backend.runs.models import Run
from released_worlds import choose_and_release

KEPT_WORLD = choose_and_release

Clients = Callable[..., APIClient]


@pytest.fixture
def finished(release: Release) -> None:
    """Nothing is left to judge."""
    Slot.objects.filter(assignment=None).delete()


@pytest.fixture
def address(release: Release, finished: None) -> str:
    return f"/api/v1/releases/{release.pk}/link"


@pytest.fixture
def token(client_of: Clients, alice: User, address: str) -> str:
    return str(client_of(alice).post(address).json()["url"].rpartition("/r/")[2])


@pytest.fixture
def visitor() -> APIClient:
    return APIClient()


def body(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


@pytest.mark.nightly
def test_only_curators_open_see_and_close_the_page(
    client_of: Clients, address: str, alice: User, dora: User, bob: User, charlie: User
) -> None:
    for verb, done in (("post", 200), ("get", 200), ("delete", 204)):
        statuses = [getattr(client_of(user), verb)(address).status_code for user in (dora, bob, charlie, None, alice)]
        assert statuses == [403, 403, 404, 401, done], verb


def test_visitors_read_what_members_read_but_no_names_of_people(
    client_of: Clients, visitor: APIClient, alice: User, release: Release, token: str
) -> None:
    own, public = f"/api/v1/releases/{release.pk}", f"/api/v1/public/releases/{token}"
    known, seen = client_of(alice).get(own).json(), visitor.get(public).json()
    assert set(known) - set(seen) == {"id", "created_by", "downloads"}
    assert seen["citation"] == known["citation"]
    assert f"http://testserver/r/{token}" in seen["citation"]["bibtex"]
    assert "alice" not in str(seen)
    for part in ("figures", "entries"):
        assert visitor.get(f"{public}/{part}").json() == client_of(alice).get(f"{own}/{part}").json()
    for file in seen["files"]:
        content = body(visitor.get(file["url"]))
        assert hashlib.sha256(content).hexdigest() == file["sha256"], file["name"]


def test_a_closed_page_is_gone_for_ever_and_a_new_one_has_another_address(
    client_of: Clients, visitor: APIClient, alice: User, address: str, token: str
) -> None:
    client_of(alice).delete(address)
    told = [visitor.get(f"/api/v1/public/releases/{token}{part}") for part in ("", "/figures", "/entries", "/archive")]
    assert [(answer.status_code, answer.json()["code"]) for answer in told] == [(410, "release_link_closed")] * 4
    assert client_of(alice).get(address).json()["is_open"] is False
    again = client_of(alice).post(address).json()["url"]
    assert not again.endswith(token)
    assert visitor.get(f"/api/v1/public/releases/{token}").status_code == 410


@pytest.mark.django_db
def test_a_link_that_leads_nowhere_says_so(visitor: APIClient) -> None:
    for token in ("x" * 32, "short", "\u2028" * 20):
        answer = visitor.get(f"/api/v1/public/releases/{token}")
        assert (answer.status_code, answer.json()["code"]) == (404, "no_such_release_link")
        assert answer["X-Robots-Tag"] == "noindex, nofollow"


def test_search_engines_get_the_choice_of_the_curator_and_the_address_stays(
    client_of: Clients, visitor: APIClient, alice: User, address: str, token: str
) -> None:
    public = f"/api/v1/public/releases/{token}"
    assert visitor.get(public)["X-Robots-Tag"] == "noindex, nofollow"
    changed = client_of(alice).post(address, {"is_indexable": True}).json()
    assert (changed["url"], changed["is_indexable"]) == (f"http://testserver/r/{token}", True)
    assert visitor.get(public)["X-Robots-Tag"] == "all"
    assert ReleaseLink.objects.count() == 1


def test_a_curator_confirms_a_page_that_shows_test_questions_to_annotators_at_work(
    client_of: Clients, alice: User, release: Release, address: str
) -> None:
    hit = Hit.objects.filter(project=release.project)[0]
    Slot.objects.create(project=release.project, hit=hit, root=hit, number=99)
    refused = client_of(alice).post(address)
    assert (refused.status_code, refused.json()["code"]) == (409, "work_left")
    assert client_of(alice).post(address, {"despite_work": True}).json()["is_open"] is True


def test_a_link_opens_no_other_release(
    client_of: Clients, visitor: APIClient, alice: User, project: Project, token: str, run_stage: Callable[..., Run]
) -> None:
    run_stage(project, "select", k=3)
    run_stage(project, "release")
    newer = Release.objects.get(project=project, version=2)
    for part in ("", "/figures", "/entries", "/archive", "/link", "/files/captions.csv"):
        assert visitor.get(f"/api/v1/releases/{newer.pk}{part}").status_code == 401, part
    assert visitor.get(f"/api/v1/public/releases/{token}").json()["version"] == 1
    assert visitor.get(f"/api/v1/public/releases/{token}/files/nothing.csv").status_code == 404


@pytest.mark.nightly
def test_visitors_change_nothing(visitor: APIClient, token: str) -> None:
    for part in ("", "/figures", "/entries", "/archive", "/files/captions.csv"):
        for verb in (visitor.post, visitor.put, visitor.patch, visitor.delete):
            assert verb(f"/api/v1/public/releases/{token}{part}", {}).status_code == 405, part


def test_a_visitor_who_asks_too_often_waits(visitor: APIClient, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ArchiveThrottle, "rate", "2/hour", raising=False)
    address = f"/api/v1/public/releases/{token}/archive"
    answers = [visitor.get(address), visitor.head(address), visitor.get(address)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[2]["Retry-After"]) > 0
    assert visitor.get(f"/api/v1/public/releases/{token}").status_code == 200


def test_the_archive_has_every_file_as_it_is_and_says_its_length(
    client_of: Clients, visitor: APIClient, alice: User, release: Release, token: str,
    contents: Callable[[Release], dict[str, bytes]],
) -> None:  # fmt: skip
    own = client_of(alice).get(f"/api/v1/releases/{release.pk}/archive")
    sent = visitor.get(f"/api/v1/public/releases/{token}/archive")
    for answer in (own, sent):
        data = body(answer)
        assert len(data) == int(answer["Content-Length"])
        assert answer["Content-Type"] == "application/zip"
        stem = answer["Content-Disposition"].partition('filename="')[2].removesuffix('.zip"')
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            assert archive.testzip() is None
            found = {name.removeprefix(f"{stem}/"): archive.read(name) for name in archive.namelist()}
        assert found == contents(release)
    told = client_of(alice).get(f"/api/v1/releases/{release.pk}").json()["downloads"]
    assert told == [{"name": ".zip", "n": 2}]
    assert "downloads" not in visitor.get(f"/api/v1/public/releases/{token}").json()


@pytest.mark.nightly
def test_an_archive_that_broke_off_continues_from_any_byte(
    client_of: Clients, alice: User, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, address = client_of(alice), f"/api/v1/releases/{release.pk}/archive"
    whole = client.get(address)
    data, tag = body(whole), whole["ETag"]
    assert whole["Accept-Ranges"] == "bytes"
    head = client.head(address, headers={"Range": "bytes=5-"})
    assert (head.status_code, head["Content-Length"], head["ETag"]) == (200, str(len(data)), tag)
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
    assert client.get(address, headers={"Range": f"bytes={len(data)}-"}).status_code == 416
    assert body(client.get(address, headers={"Range": "bytes=9-", "If-Range": '"another"'})) == data
    cuts = sorted({0, 1, 29, 31, len(data) - 1, *(data.find(mark) + 3 for mark in (b"PK\7\10", b"PK\1\2", b"PK\6\6"))})
    for is_known in (True, False):  # the checksums of the files
        for start, stop in itertools.combinations(cuts, 2):
            if not is_known:
                cache.clear()
            part = client.get(address, headers={"Range": f"bytes={start}-{stop}", "If-Range": tag})
            assert (part.status_code, body(part)) == (206, data[start : stop + 1]), (start, stop)
            assert part["Content-Range"] == f"bytes {start}-{stop}/{len(data)}"

    def read(name: str, *_: object) -> Iterator[bytes]:
        raise AssertionError(f"{name} lies before the range")

    first, *_, last = zipfile.ZipFile(io.BytesIO(data)).infolist()
    assert first.header_offset < last.header_offset
    body(client.get(address))
    monkeypatch.setattr("backend.releases.archive.read_stored", read)
    assert body(client.get(address, headers={"Range": "bytes=-200"})) == data[-200:]


@pytest.mark.nightly
def test_every_member_gets_the_archive_and_the_figures_and_nobody_else(
    client_of: Clients, release: Release, finished: None, alice: User, dora: User, bob: User, charlie: User
) -> None:
    hit = Hit.objects.filter(project=release.project)[0]
    for has_work, expected in ((False, [200, 200, 200, 404, 401]), (True, [200, 200, 403, 404, 401])):
        if has_work:
            Slot.objects.create(project=release.project, hit=hit, root=hit, number=99)
        for part in ("figures", "archive"):
            address = f"/api/v1/releases/{release.pk}/{part}"
            statuses = [client_of(user).get(address).status_code for user in (alice, dora, bob, charlie, None)]
            assert statuses == expected, part


def test_figures_add_up_to_the_release_and_are_counted_once(
    client_of: Clients, alice: User, release: Release, django_assert_max_num_queries: Any
) -> None:
    address, client = f"/api/v1/releases/{release.pk}/figures", client_of(alice)
    told = client.get(address).json()
    for name, total in (
        ("splits", release.n_images), ("licences", release.n_images), ("captions_per_image", release.n_images),
        ("sources", release.n_captions), ("categories", release.n_captions), ("difficulty", release.n_captions),
        ("votes", release.n_judgments),
    ):  # fmt: skip
        assert sum(row["n"] for row in told[name]) == total, name
    assert sum(each["n"] for each in told["agreement"]) + told["n_without_votes"] == release.n_captions
    assert told["difficulty"] == [{"name": "not_asked", "n": release.n_captions}]
    kept = ReleaseFigures.objects.get()
    with django_assert_max_num_queries(10):
        assert client.get(address).json() == told
    assert ReleaseFigures.objects.get().created_at == kept.created_at


@pytest.mark.nightly
def test_the_list_says_agreement_withdrawn_images_and_the_public_page(
    client_of: Clients, alice: User, release: Release, finished: None
) -> None:
    address, client = f"/api/v1/projects/{release.project.slug}/releases", client_of(alice)
    [row] = client.get(address).json()["results"]
    assert (row["n_withdrawn"], row["public_url"]) == (0, None)
    assert row["alpha"]["low"] <= row["alpha"]["value"] <= row["alpha"]["high"]
    judged = counted_judgments(project=release.project).values("candidate").annotate(n=Count("pk"))
    assert row["alpha"]["n_items"] == sum(each["n"] > 1 for each in judged)
    assert row["alpha"]["n_judgments"] == sum(each["n"] for each in judged if each["n"] > 1)

    opened = client.post(f"/api/v1/releases/{release.pk}/link").json()
    image = release.entries.first()
    assert image
    client.post(f"/api/v1/projects/{release.project.slug}/withdrawals", {"image": image.digest, "reason": "Asked."})
    ReleaseFigures.objects.filter(release=release)._raw_delete("default")
    [row] = client.get(address).json()["results"]
    assert (row["n_withdrawn"], row["public_url"], row["alpha"]) == (1, opened["url"], None)
    client.delete(f"/api/v1/releases/{release.pk}/link")
    assert client.get(address).json()["results"][0]["public_url"] is None


def test_figures_of_a_release_from_before_decisions_were_frozen(
    client_of: Clients, alice: User, release: Release
) -> None:
    ReleaseFigures.objects.filter(release=release)._raw_delete("default")
    for entry in release.entries.all():
        for caption in entry.body["captions"]:
            for name in ("consensus", "difficulty"):
                caption.pop(name)
        entry.body.pop("split")
        type(entry).objects.filter(pk=entry.pk)._raw_delete("default")
        entry._state.adding = True
        entry.save(force_insert=True)
    told = client_of(alice).get(f"/api/v1/releases/{release.pk}/figures").json()
    assert told["categories"] == [{"name": "no_votes", "n": release.n_captions}]
    assert told["splits"] == [{"name": "train", "n": release.n_images}]


@pytest.fixture
def built(tmp_path: Any, settings: Any) -> None:
    """A front end with the head that the real one has."""
    settings.FRONTEND_DIST = tmp_path / "dist"
    settings.FRONTEND_DIST.mkdir()
    source = settings.BASE_DIR / "frontend" / "index.html"
    (settings.FRONTEND_DIST / "index.html").write_text(source.read_text())


def test_other_sites_get_a_title_a_sentence_and_a_picture_and_no_markup_of_people(
    visitor: APIClient, release: Release, token: str, built: None
) -> None:
    Project.objects.filter(pk=release.project_id).update(name='</title><script>alert("x")</script> & skies')
    page = visitor.get(f"/r/{token}")
    text = page.content.decode()
    assert (page.status_code, page["X-Robots-Tag"]) == (200, "noindex, nofollow")
    assert text.count("<title>") == text.count('name="description"') == 1
    assert "<script>alert" not in text
    shown = "&lt;/title&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; skies, version 1.0.0"
    assert f'<meta property="og:title" content="{shown}" />' in text
    assert '<meta name="robots" content="noindex, nofollow" />' in text
    assert f'content="http://testserver/api/v1/public/releases/{token}/preview.jpg"' in text
    ReleaseLink.objects.update(is_indexable=True)
    page = visitor.get(f"/r/{token}")
    assert ('name="robots"' in page.content.decode(), page["X-Robots-Tag"]) == (False, "all")
    ReleaseLink.objects.update(closed_at=timezone.now())
    assert [visitor.get(f"/r/{each}").status_code for each in (token, "x" * 32)] == [410, 404]
    assert "og:" not in visitor.get(f"/r/{token}").content.decode()


def test_a_preview_shows_only_what_may_be_shown_elsewhere(visitor: APIClient, release: Release, token: str) -> None:
    address = f"/api/v1/public/releases/{token}/preview.jpg"
    red = io.BytesIO()
    Picture.new("RGB", (640, 480), "red").save(red, "WEBP")
    digests = list(release.entries.values_list("digest", flat=True))
    for image in Image.objects.filter(digest__in=digests):
        default_storage.delete(image.large)
        default_storage.save(image.large, io.BytesIO(red.getvalue()))
    answer = visitor.get(address)
    with Picture.open(io.BytesIO(answer.content)) as drawn:
        assert (answer["Content-Type"], drawn.format, drawn.size) == ("image/jpeg", "JPEG", (1200, 630))
        reds = [drawn.getpixel((x, 315))[0] > 200 for x in (200, 600, 1000)]
    assert reds == [True, True, True]
    known = visitor.get(address, headers={"If-None-Match": answer["ETag"]})
    assert (known.status_code, known.content, known["Cache-Control"]) == (304, b"", answer["Cache-Control"])
    for digest in digests:
        Withdrawal.objects.create(project=release.project, digest=digest, key=digest[:8], reason="asked for")
    gone = visitor.get(address)
    assert (gone.status_code, gone.json()["code"]) == (404, "no_preview")
