"""Exports over HTTP: asked for, looked at, downloaded with Range, cancelled, deleted; by curators and heads alone."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from rest_framework.test import APIClient

from backend.annotation.models import AnnotatorState, Judgment
from backend.exports.models import Export
from backend.methods.quality.shares import share_of
from backend.people.models import User
from backend.projects.models import Membership, Project
from backend.releases.models import Release
from exported_world import judge

KEPT_WORLD = judge

pytestmark = pytest.mark.both_engines

Clients = Callable[..., APIClient]
Make = Callable[..., dict[str, Any]]


@pytest.mark.nightly
def test_curators_and_heads_alone_see_and_make_exports(
    client_of: Clients, waiting: Export, alice: User, dora: User, bob: User, charlie: User
) -> None:
    project, own = "/api/v1/projects/skies", f"/api/v1/exports/{waiting.pk}"
    Export.objects.update(state="ready", file_name="a.csv", stored_as="nothing", n_bytes=0)
    asked = {"what": "captions", "format": "csv"}
    calls: list[tuple[str, str, Any, int]] = [
        ("get", f"{project}/exports", None, 200), ("post", f"{project}/exports", asked, 202), ("get", own, None, 200),
        ("get", f"{own}/file", None, 200), ("post", f"{own}/cancel", {}, 409),
        ("get", f"{project}/judgments", None, 200), ("get", f"{project}/judgments/annotators", None, 200),
        ("delete", own, None, 204),
    ]  # fmt: skip
    for verb, address, sent, done in calls:
        for user, wanted in ((None, 401), (charlie, 404), (bob, 403), (dora, done), (alice, done)):
            if verb == "delete" and user is alice:
                continue
            answer = getattr(client_of(user), verb)(address, sent, **({"format": "json"} if verb != "get" else {}))
            assert answer.status_code == wanted, (verb, address, user)


def test_a_member_of_another_project_gets_nothing_of_this_one(
    client_of: Clients, waiting: Export, release: Release, charlie: User
) -> None:
    other = Project.objects.create(slug="other", name="Other", created_by=charlie)
    Membership.objects.create(project=other, user=charlie, role="curator")
    client = client_of(charlie)
    for address in (f"/api/v1/exports/{waiting.pk}", f"/api/v1/exports/{waiting.pk}/file"):
        assert client.get(address).status_code == 404
    asked = {"what": "release", "format": "coco", "release": str(release.pk)}
    answer = client.post("/api/v1/projects/other/exports", asked, "json")
    assert (answer.status_code, answer.json()["code"]) == (400, "no_release_with_id")


MISFITS: list[tuple[dict[str, Any], str]] = [
    ({}, "what"), ({"what": "captions"}, "format"), ({"what": "captions", "format": "coco"}, "format"),
    ({"what": "release", "format": "coco"}, "release"),
    ({"what": "captions", "format": "csv", "filter": {"lable": "good"}}, "filter"),
    ({"what": "captions", "format": "csv", "filter": {"label": "nice"}}, "label"),
    ({"what": "judgments", "format": "conqa", "filter": {"label": "good"}}, "filter"),
    ({"what": "agreement", "format": "csv", "filter": {"label": "good"}}, "filter"),
    ({"what": "judgments", "format": "csv", "leave_out": ["names"]}, "leave_out"),
    ({"what": "agreement", "format": "csv", "leave_out": ["times"]}, "leave_out"),
    ({"what": "captions", "format": "csv", "release": "x"}, "release"),
]  # fmt: skip


def test_what_does_not_fit_together_is_refused_by_field(client_of: Clients, judged: Project, alice: User) -> None:
    for asked, field in MISFITS:
        answer = client_of(alice).post("/api/v1/projects/skies/exports", asked, "json")
        assert answer.status_code == 400, asked
        assert {name.split(".")[0] for name in answer.json()["fields"]} >= {field}, asked
        assert not Export.objects.exists()


def test_a_project_has_a_few_unfinished_exports_at_once(client_of: Clients, judged: Project, alice: User) -> None:
    asked, client = {"what": "captions", "format": "csv"}, client_of(alice)
    answers = [client.post("/api/v1/projects/skies/exports", asked, "json") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [202] * 5 + [409]
    assert answers[-1].json()["code"] == "too_many_exports"
    own = f"/api/v1/exports/{answers[0].json()['id']}"
    assert client.get(f"{own}/file").json()["code"] == "export_not_ready"
    assert client.post(f"{own}/cancel").json()["state"] == "cancelled"
    assert client.post(f"{own}/cancel").json()["code"] == "export_over"
    assert client.post("/api/v1/projects/skies/exports", asked, "json").status_code == 202


@pytest.mark.nightly
def test_a_file_is_sent_whole_in_part_or_not_at_all_under_a_name_of_any_language(
    client_of: Clients, make: Make, judged: Project, alice: User
) -> None:
    Project.objects.update(name='Himmel "über" Köln/空')
    export, client = make("judgments", "jsonl"), client_of(alice)
    assert export["file_name"].startswith("Himmel -über- Köln-空 judgments jsonl 20")
    whole = client.get(export["url"])
    content = b"".join(whole.streaming_content)
    tag = f'"{hashlib.sha256(content).hexdigest()}"'
    assert (whole["ETag"], whole["Content-Length"]) == (tag, str(export["n_bytes"]))
    assert whole["Content-Disposition"] == f"attachment; filename*=utf-8''{quote(export['file_name'])}"
    head = client.head(export["url"])
    assert (head.status_code, head["ETag"], head["Content-Length"]) == (200, tag, str(export["n_bytes"]))
    assert b"".join(head.streaming_content) == b""
    part = client.get(export["url"], headers={"Range": "bytes=10-19", "If-Range": tag})
    assert (part.status_code, b"".join(part.streaming_content)) == (206, content[10:20])
    assert part["Content-Range"] == f"bytes 10-19/{len(content)}"
    assert client.get(export["url"], headers={"If-None-Match": f'"x", {tag}'}).status_code == 304
    assert client.get(export["url"], headers={"Range": f"bytes={len(content)}-"}).status_code == 416


def test_exports_are_listed_newest_first_and_are_gone_when_deleted(
    client_of: Clients, make: Make, judged: Project, alice: User, own_media: Any
) -> None:
    made = [make("captions", name) for name in ("csv", "jsonl")]
    client = client_of(alice)
    listed = client.get("/api/v1/projects/skies/exports").json()["results"]
    assert [row["id"] for row in listed] == [made[1]["id"], made[0]["id"]]
    assert listed[0] == made[1]
    assert listed[0]["created_by"] == "alice"
    for export in made:
        assert client.delete(f"/api/v1/exports/{export['id']}").status_code == 204
        assert client.get(f"/api/v1/exports/{export['id']}").status_code == 404
    assert [path for path in own_media.rglob("exports/*/*")] == []  # noqa: C416
    assert client.get(f"/api/v1/exports/{uuid.uuid4()}").status_code == 404


def test_answers_are_paged_in_the_order_in_which_they_came(
    client_of: Clients, judged: Project, alice: User, bob: User, django_assert_max_num_queries: Any
) -> None:
    client, address = client_of(alice), "/api/v1/projects/skies/judgments"
    page = client.get(address, {"limit": 40}).json()
    rest = client.get(page["next"]).json()
    ids = [row["id"] for row in page["results"] + rest["results"]]
    assert ids == sorted(Judgment.objects.filter(control=None, candidate__control=None).values_list("pk", flat=True))
    assert rest["next"] is None
    with django_assert_max_num_queries(9):
        client.get(address, {"limit": 500})
    AnnotatorState.objects.filter(user=bob).update(state="excluded")
    rows = client.get(address, {"limit": 500}).json()["results"]
    counted = {row["annotator"] for row in rows if row["is_counted"]}
    assert (len(counted), rows[0]["annotator"] in counted) == (2, False)


def test_annotators_are_told_by_pseudonym_with_intervals(
    client_of: Clients, judged: Project, alice: User, bob: User
) -> None:
    AnnotatorState.objects.filter(user=bob).update(n_graded=4, n_failed=1)
    client = client_of(alice)
    rows = client.get("/api/v1/projects/skies/judgments/annotators").json()["results"]
    listed = client.get("/api/v1/projects/skies/judgments", {"limit": 500}).json()["results"]
    assert {row["annotator"] for row in rows} == {row["annotator"] for row in listed}
    bobs = next(row for row in rows if row["changed"])
    assert (bobs["judgments"], bobs["changed"], bobs["counted"], bobs["median_seconds"]) == (21, 1, 21, 2.5)
    assert (bobs["controls"], bobs["controls_passed"], bobs["controls_share"]) == (4, 3, 0.75)
    share = share_of(bobs["agreed"], bobs["decided"])
    assert (bobs["agreement"], bobs["agreement_low"], bobs["agreement_high"]) == (share.share, share.low, share.high)
    mine = [row for row in listed if row["annotator"] == bobs["annotator"] and row["is_counted"]]
    assert bobs["decided"] <= len(mine) == bobs["counted"]
