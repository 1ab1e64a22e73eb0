"""Every address of the room, asked by everybody of the cast."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from backend.common.errors import NotAllowed, NotFound
from backend.people.models import User
from backend.people.services import create_token
from backend.projects import selectors
from backend.projects.invitations import create_invitation
from backend.projects.models import Invitation, Membership, Project, Role

Clients = Callable[..., APIClient]
SKIES = "/api/v1/projects/skies"
# method, address, body, and what alice (curator), dora (head annotator), bob (annotator), charlie and nobody are told
MATRIX = [
    ("get", SKIES, None, (200, 200, 200, 404, 401)),
    ("patch", SKIES, {"version": 1, "name": "X"}, (200, 403, 403, 404, 401)),
    ("get", f"{SKIES}/members", None, (200, 200, 403, 404, 401)),
    ("patch", f"{SKIES}/members/{{bob}}", {"role": "annotator"}, (200, 403, 403, 404, 401)),
    ("delete", f"{SKIES}/members/{{dora}}", None, (204, 204, 403, 404, 401)),
    ("get", f"{SKIES}/invitations", None, (200, 403, 403, 404, 401)),
    ("post", f"{SKIES}/invitations", {"role": "curator"}, (201, 403, 403, 404, 401)),
    ("post", f"{SKIES}/invitations/batch", {"role": "annotator", "n": 2}, (201, 403, 403, 404, 401)),
    ("delete", f"{SKIES}/invitations/{{invitation}}", None, (204, 403, 403, 404, 401)),
    ("get", "/api/v1/projects", None, (200, 200, 200, 200, 401)),
    ("post", "/api/v1/projects", {"name": "X", "direction": "captions_of_image"}, (201, 403, 403, 403, 401)),
]
CAST = ("alice", "dora", "bob", "charlie", None)
CASES = [(*row[:3], who, status) for row in MATRIX for who, status in zip(CAST, row[3], strict=True)]


@pytest.fixture
def ids(project: Project, alice: User) -> dict[str, int]:
    invitation, _ = create_invitation(project=project, role=Role.ANNOTATOR, created_by=alice)
    members = Membership.objects.filter(project=project).values_list("user__username", "id")
    return {**dict(members), "invitation": invitation.pk}


@pytest.mark.parametrize(("method", "address", "body", "who", "status"), CASES)
def test_each_address_answers_each_person_as_their_role_allows(
    request: pytest.FixtureRequest,
    client_of: Clients,
    ids: dict[str, int],
    method: str,
    address: str,
    body: dict | None,
    who: str | None,
    status: int,
) -> None:
    client = client_of(request.getfixturevalue(who) if who else None)
    answer = getattr(client, method)(address.format(**ids), body)
    assert answer.status_code == status
    if status >= 400:
        codes = {
            401: ["not_signed_in"],
            403: ["only_curators", "only_reviewers", "only_staff_create"],
            404: ["not_found"],
        }
        assert answer.json()["code"] in codes[status]


@pytest.mark.parametrize(("method", "address", "body"), [row[:3] for row in MATRIX[:8]])
def test_what_charlie_may_not_see_looks_like_what_does_not_exist(
    client_of: Clients, charlie: User, ids: dict[str, int], method: str, address: str, body: dict | None
) -> None:
    client = client_of(charlie)
    hidden = getattr(client, method)(address.format(**ids), body).json()
    absent = getattr(client, method)(address.format(**ids).replace("skies", "nowhere"), body).json()
    assert hidden | {"request_id": ""} == absent | {"request_id": ""}


def test_charlies_own_curatorship_reaches_into_no_other_project(
    client_of: Clients, charlie: User, ids: dict[str, int]
) -> None:
    """The id is another project's, the address charlie's own."""
    client = client_of(charlie)
    elsewhere = "/api/v1/projects/elsewhere"
    assert client.delete(f"{elsewhere}/invitations/{ids['invitation']}").status_code == 404
    assert client.delete(f"{elsewhere}/members/{ids['bob']}").status_code == 404
    assert Invitation.objects.get().is_live


@pytest.mark.parametrize(("who", "status"), [("alice", 200), ("bob", 403), ("charlie", 404)])
def test_a_token_may_what_its_owner_may(
    request: pytest.FixtureRequest, client_of: Clients, project: Project, who: str, status: int
) -> None:
    _, secret = create_token(user=request.getfixturevalue(who), name="script")
    header = {"Authorization": f"Token {secret}"}
    answer = client_of().patch(SKIES, {"version": 1, "name": "By a script"}, headers=header)
    assert answer.status_code == status


def test_staff_who_are_no_members_see_nothing_either(
    client_of: Clients, make_user: Callable[..., User], project: Project
) -> None:
    root = make_user("root", is_staff=True, is_superuser=True)
    assert client_of(root).get(SKIES).status_code == 404
    assert client_of(root).get("/api/v1/projects").json()["results"] == []


GATES = {
    selectors.belonging: ("alice", "dora", "bob"),
    selectors.reviewing: ("alice", "dora"),
    selectors.curating: ("alice",),
}


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.__name__)
def test_each_gate_lets_its_roles_through_and_tells_the_others_why(
    request: pytest.FixtureRequest, project: Project, gate: Callable[..., Project]
) -> None:
    for who in ("alice", "dora", "bob"):
        user = request.getfixturevalue(who)
        if who in GATES[gate]:
            assert gate(user=user, slug="skies") == project
        else:
            with pytest.raises(NotAllowed):
                gate(user=user, slug="skies")
    with pytest.raises(NotFound):
        gate(user=request.getfixturevalue("charlie"), slug="skies")


def test_scopes_hold_exactly_the_projects_of_each_role(
    project: Project, alice: User, bob: User, dora: User, charlie: User
) -> None:
    people = (alice, dora, bob, charlie)
    assert [selectors.projects_of(user=user).filter(slug="skies").count() for user in people] == [1, 1, 1, 0]
    assert [selectors.projects_reviewed_by(user=user).filter(slug="skies").count() for user in people] == [1, 1, 0, 0]
    assert [selectors.projects_curated_by(user=user).filter(slug="skies").count() for user in people] == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("who", "looks", "changes"),
    [
        ("alice", None, None),
        ("dora", None, "Only a curator of this project can do this."),
        ("bob", "Only a curator or head annotator of this project can do this.", "Only a curator of this"),
        ("charlie", "", ""),
    ],
)
def test_a_row_is_held_against_the_standing_in_its_project(
    request: pytest.FixtureRequest, project: Project, who: str, looks: str | None, changes: str | None
) -> None:
    user = request.getfixturevalue(who)
    for may_change, sentence in ((False, looks), (True, changes)):
        if sentence is None:
            selectors.check_standing(user=user, project_id=project.pk, may_change=may_change)
            continue
        with pytest.raises(NotAllowed if sentence else NotFound, match=sentence or None):
            selectors.check_standing(user=user, project_id=project.pk, may_change=may_change)
