"""The record of rights: every change is in it, with who, before and after, and nothing takes it out again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.common.errors import Conflict
from backend.people.models import AppendOnlyError, RightsRecord, User
from backend.people.services import create_token
from backend.projects.invitations import accept_invitation, create_invitation
from backend.projects.models import Membership, Project, Role
from backend.projects.services import remove_member

Clients = Callable[..., APIClient]
SKIES = "/api/v1/projects/skies"


def told(client: APIClient) -> list[tuple[Any, ...]]:
    rows = client.get(f"{SKIES}/record").json()["results"]
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


@pytest.mark.parametrize(
    ("who", "status"), [("alice", 200), ("dora", 403), ("bob", 403), ("charlie", 404), (None, 401)]
)
def test_only_curators_read_it(
    request: pytest.FixtureRequest, client_of: Clients, project: Project, charlie: User, who: str | None, status: int
) -> None:
    client = client_of(request.getfixturevalue(who) if who else None)
    assert client.get(f"{SKIES}/record").status_code == status


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
