"""The history of a project: every change is in it, with who, before and after, and nothing takes it out again."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from backend.common.errors import Conflict
from backend.methods.quality import read_rules
from backend.people.models import AppendOnlyError, RightsKind, RightsRecord, User
from backend.people.services import create_token
from backend.projects.invitations import accept_invitation, create_invitation
from backend.projects.models import Membership, Project, Role
from backend.projects.services import change_role, remove_member, update_project
from backend.quality.models import QualityPolicy
from policed_world import apply_policy, rule
from world import World

Clients = Callable[..., APIClient]
SKIES = "/api/v1/projects/skies"


def told(client: APIClient) -> list[tuple[Any, ...]]:
    rows = client.get(f"{SKIES}/history").json()["results"]
    names = [[row[who] and row[who]["username"] for who in ("actor", "subject")] for row in rows]
    return [(row["action"], *who, row["before"], row["after"]) for row, who in zip(rows, names, strict=True)]


def test_what_curators_change_is_in_the_record(
    client_of: Clients, project: Project, alice: User, bob: User, dora: User
) -> None:
    client = client_of(alice)
    members = dict(Membership.objects.filter(project=project).values_list("user__username", "pk"))
    client.patch(SKIES, {"version": 1, "overlap": 4, "name": "Skies", "pay_per_hit": "0.2500"})
    client.patch(f"{SKIES}/members/{members['bob']}", {"role": "curator"})
    client.patch(f"{SKIES}/members/{members['bob']}", {"role": "curator"})
    client.delete(f"{SKIES}/members/{members['dora']}")
    made = client.post(f"{SKIES}/invitations", {"role": "annotator"}).json()
    client.delete(f"{SKIES}/invitations/{made['id']}")
    client.delete(f"{SKIES}/invitations/{made['id']}")
    assert told(client) == [
        ("invitation_withdrawn", "alice", None, {"role": "annotator"}, {}),
        ("invitation_made", "alice", None, {}, {"role": "annotator"}),
        ("member_removed", "alice", "dora", {"role": "head_annotator"}, {}),
        ("role_changed", "alice", "bob", {"role": "annotator"}, {"role": "curator"}),
        (
            "settings_changed", "alice", None,
            {"overlap": 2, "pay_per_hit": None}, {"overlap": 4, "pay_per_hit": "0.2500"},
        ),
    ]  # fmt: skip


def test_who_joins_and_who_makes_tokens_is_in_it(
    client_of: Clients, project: Project, beside_alice: None, alice: User, charlie: User
) -> None:
    create_token(user=charlie, name="before joining")
    _, token = create_invitation(project=project, role=Role.ANNOTATOR, created_by=alice)
    accept_invitation(token=token, user=charlie)
    client_of(charlie).post("/api/v1/me/tokens", {"name": "secret plans", "is_read_only": True})
    rows = told(client_of(alice))
    assert [row[:3] for row in rows] == [
        ("token_created", "charlie", "charlie"),
        ("member_joined", "charlie", "charlie"),
        ("invitation_made", "alice", None),
    ]
    assert rows[0][4] == {"expires_in_days": 90, "is_read_only": True}
    assert "secret plans" not in str(rows)


@pytest.fixture
def beside_alice(alice: User, charlie: User) -> None:
    """What happens in charlie's own project stands in no other record."""
    remove_member(membership=_second_curator(Project.objects.get(slug="elsewhere"), alice), by=alice)


def _second_curator(project: Project, user: User) -> Membership:
    return Membership.objects.create(project=project, user=user, role=Role.CURATOR)


def test_a_change_that_failed_is_not_in_it(client_of: Clients, project: Project, alice: User) -> None:
    assert client_of(alice).patch(SKIES, {"version": 9, "overlap": 4}).status_code == 409
    with pytest.raises(Conflict):
        remove_member(membership=Membership.objects.get(user=alice, project=project), by=alice)
    assert not RightsRecord.objects.exists()


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("who", "status"), [("alice", 200), ("dora", 200), ("bob", 403), ("charlie", 404), (None, 401)]
)
def test_curators_and_heads_of_the_project_read_it(
    request: pytest.FixtureRequest, client_of: Clients, project: Project, charlie: User, who: str | None, status: int
) -> None:
    change_role(membership=Membership.objects.get(project=project, user__username="bob"), role=Role.ANNOTATOR)
    update_project(project=project, version=1, changes={"overlap": 3})
    client = client_of(request.getfixturevalue(who) if who else None)
    entry = RightsRecord.objects.get()
    for address in ("history", "history?format=csv", f"history/{entry.pk}"):
        assert client.get(f"{SKIES}/{address}").status_code == status
    assert client_of(charlie).get(f"/api/v1/projects/elsewhere/history/{entry.pk}").status_code == 404


def test_heads_read_nothing_of_tokens_and_passwords(
    client_of: Clients, project: Project, alice: User, dora: User, bob: User
) -> None:
    create_token(user=bob, name="script")
    create_token(user=bob, name="for skies", project=project)
    update_project(project=project, version=1, changes={"overlap": 3}, by=alice)
    assert [row[0] for row in told(client_of(alice))] == ["settings_changed", "token_created", "token_created"]
    assert [row[0] for row in told(client_of(dora))] == ["settings_changed"]
    hidden = RightsRecord.objects.filter(action="token_created", project=project).get()
    assert client_of(dora).get(f"{SKIES}/history/{hidden.pk}").status_code == 404
    assert client_of(dora).get(f"{SKIES}/history?kind=accounts").json()["results"] == []
    assert "token_created" not in text_of(client_of(dora).get(f"{SKIES}/history?format=csv"))


def test_each_change_of_the_work_is_in_it_under_its_kind(
    client_of: Clients, project: Project, alice: User, dora: User, bob: User
) -> None:
    curator, head, world = client_of(alice), client_of(dora), World(project)
    [image], version = world.photos(1), project.version
    assert curator.patch(SKIES, {"version": version, "guidelines": "Look.", "overlap": 3}).status_code == 200
    example = {"image": image.pk, "text": "A pier", "label": "good", "explanation": "It is one."}
    put(curator, "guidelines/examples", {"version": version + 1, "examples": [example]})
    terms = {"asks_guidelines": True, "n_questions": 4, "pass_mark": 0.9, "max_attempts": 3, "retry_after_minutes": 0}
    put(curator, "qualification", {"version": 0, "valid_days": None, **terms})
    quiz = post(curator, "controls", {"image": image.pk, "text": "Quiz words", "accepted": ["bad"], "is_quiz": True})
    made = post(curator, "controls", {"image": image.pk, "text": "Hidden words", "accepted": ["good", "unsure"]})
    curator.patch(f"{SKIES}/controls/{made['id']}", {"state": "retired", "reason": "Shown often."})
    curator.patch(f"{SKIES}/controls/{made['id']}", {"state": "retired"})
    curator.delete(f"{SKIES}/controls/{quiz['id']}")
    file = SimpleUploadedFile("controls.csv", b"image_id,text,accepted,quiz\nphoto-0.jpg,From a file,bad,yes\n")
    curator.post(f"{SKIES}/controls/import", {"file": file}, format="multipart")
    head.post(f"{SKIES}/annotators/{bob.pk}/state", {"state": "paused", "reason": "We must speak."})
    rules = [rule("control_failures", "exclude", threshold=0.7, min_n=2)]
    first = post(curator, "policies", {"rules": rules, "note": "Strict."})["version"]
    second = post(curator, "policies", {"rules": []})["version"]
    for policy in (first, second, first):
        apply_policy(policy=QualityPolicy.objects.get(project=project, version=policy), applied_by=alice)

    rows = [(row["action"], row["before"], row["after"]) for row in pages(curator)]
    name = {"image": "photo-0.jpg"}
    hidden = name | {"text": "Hidden words"}
    saved = [each.as_json() for each in read_rules(rules)]
    by_version = {first: {"version": first, "rules": saved}, second: {"version": second, "rules": []}}
    assert rows[::-1] == [
        ("settings_changed", {"overlap": 2}, {"overlap": 3}),
        ("guidelines_changed", {"guidelines": ""}, {"guidelines": "Look."}),
        (
            "examples_changed", {"examples": []},
            {"examples": [name | {"text": "A pier", "label": "good", "edited_text": "", "explanation": "It is one."}]},
        ),
        (
            "quiz_changed", {"asks_guidelines": False, "n_questions": 0, "pass_mark": 0.8},
            {"asks_guidelines": True, "n_questions": 4, "pass_mark": 0.9},
        ),
        ("quiz_item_made", {}, name | {"text": "Quiz words", "accepted": ["bad"]}),
        ("control_made", {}, hidden | {"accepted": ["good", "unsure"]}),
        (
            "control_changed", hidden | {"state": "active", "reason": ""},
            hidden | {"state": "retired", "reason": "Shown often."},
        ),
        ("quiz_item_deleted", name | {"text": "Quiz words", "accepted": ["bad"]}, {}),
        ("controls_imported", {}, {"n": 1, "n_quiz": 1}),
        ("annotator_decided", {"state": "active"}, {"state": "paused", "decided": "paused"}),
        ("rules_saved", {}, by_version[first] | {"note": "Strict."}),
        ("rules_saved", {}, by_version[second]),
        ("rules_applied", {}, by_version[first]),
        ("rules_applied", by_version[first], by_version[second]),
        ("rules_undone", by_version[second], by_version[first]),
    ]  # fmt: skip
    kinds = [row["kind"] for row in pages(curator)]
    for kind in RightsKind:
        assert [row["kind"] for row in pages(curator, kind)] == [kind] * kinds.count(kind)
    [entry] = pages(curator, "annotators")
    assert (entry["actor"]["username"], entry["subject"]["username"]) == ("dora", "bob")


def test_a_long_text_is_cut_in_the_list_and_whole_in_its_entry_and_in_the_table(
    client_of: Clients, project: Project, dora: User
) -> None:
    text = "=SUM(1;2) " + "Look well. " * 2_000
    update_project(project=project, version=1, changes={"guidelines": text})
    client = client_of(dora)
    [row] = client.get(f"{SKIES}/history").json()["results"]
    assert (len(row["after"]["guidelines"]), row["is_short"]) == (301, True)
    entry = client.get(f"{SKIES}/history/{row['id']}").json()
    assert (entry["after"]["guidelines"], entry["is_short"]) == (text, False)
    answer = client.get(f"{SKIES}/history?format=csv")
    assert answer["Content-Type"].startswith("text/csv")
    again = client.get(f"{SKIES}/history?format=csv", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "no-store" in client.get(f"{SKIES}/history")["Cache-Control"]
    [line] = csv.DictReader(io.StringIO(text_of(answer)))
    assert (line["kind"], line["field"], line["before"], line["after"]) == ("guidelines", "guidelines", "", f"'{text}")


@pytest.mark.parametrize("asked", ["kind=rights", "format=pdf"])
def test_a_question_that_means_nothing_is_refused(client_of: Clients, project: Project, dora: User, asked: str) -> None:
    assert client_of(dora).get(f"{SKIES}/history?{asked}").status_code == 400


def test_an_entry_that_cannot_be_is_not_found(client_of: Clients, project: Project, dora: User) -> None:
    assert client_of(dora).get(f"{SKIES}/history/{2**70}").status_code == 404


def pages(client: APIClient, kind: str = "") -> list[dict[str, Any]]:
    """All of the history, two entries at a time."""
    url, rows = f"{SKIES}/history?limit=2" + (f"&kind={kind}" if kind else ""), []
    while url:
        page = client.get(url).json()
        url, rows = page["next"], rows + page["results"]
    return rows


def post(client: APIClient, address: str, sent: dict[str, Any]) -> dict[str, Any]:
    answer = client.post(f"{SKIES}/{address}", sent)
    assert answer.status_code == 201, answer.content
    return dict(answer.json())


def put(client: APIClient, address: str, sent: dict[str, Any]) -> None:
    answer = client.put(f"{SKIES}/{address}", sent)
    assert answer.status_code == 200, answer.content


def text_of(answer: Any) -> str:
    return answer.getvalue().decode()


def test_nobody_changes_it(project: Project, bob: User) -> None:
    create_token(user=bob, name="script")
    row = RightsRecord.objects.get()
    for change in (
        row.save,
        row.delete,
        RightsRecord.objects.all().delete,
        lambda: RightsRecord.objects.update(after={}),
    ):
        with pytest.raises(AppendOnlyError):
            change()
    assert RightsRecord.objects.count() == 1


def test_the_admin_pages_write_it_too(
    client_of: Clients, project: Project, make_user: Callable[..., User], bob: User
) -> None:
    root = make_user("root", is_staff=True, is_superuser=True)
    client = client_of(root)
    rows = list(Membership.objects.filter(project=project).order_by("pk"))
    form: dict[str, Any] = {
        "name": "Skies",
        "memberships-TOTAL_FORMS": len(rows),
        "memberships-INITIAL_FORMS": len(rows),
    }
    for at, row in enumerate(rows):
        form |= {f"memberships-{at}-id": row.pk, f"memberships-{at}-project": project.pk}
        form |= {f"memberships-{at}-user": row.user_id, f"memberships-{at}-role": row.role}
        if row.user_id == bob.pk:
            form[f"memberships-{at}-role"] = Role.CURATOR
    assert client.post(f"/admin/projects/project/{project.pk}/change/", form, format="multipart").status_code == 302
    [entry] = RightsRecord.objects.all()
    assert (entry.action, entry.actor, entry.subject, entry.after) == ("role_changed", root, bob, {"role": "curator"})
    assert client.get("/admin/people/rightsrecord/").status_code == 200
    assert client.post(f"/admin/people/rightsrecord/{entry.pk}/delete/", {"post": "yes"}).status_code == 403
    assert client.get(f"/admin/people/user/{bob.pk}/delete/").status_code == 403
