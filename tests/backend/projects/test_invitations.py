"""Links that let one person in, once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
import time_machine
from django.utils import timezone
from rest_framework.test import APIClient

from at_once import at_once
from backend.people.models import User
from backend.projects.invitations import (
    InvitationSpent,
    accept_invitation,
    create_invitation,
    get_invitation,
    join_with_new_account,
)
from backend.projects.models import Invitation, Membership, Project, Role
from backend.projects.services import create_project

Clients = Callable[..., APIClient]
INVITATIONS = "/api/v1/projects/skies/invitations"
EMMA = {"username": "emma", "password": "a long walk at dawn"}


@pytest.fixture
def token(project: Project, alice: User) -> str:
    return create_invitation(project=project, role=Role.ANNOTATOR, created_by=alice, note="for Emma")[1]


def door(token: str) -> str:
    return f"/api/v1/invitations/{token}"


def accept(token: str) -> str:
    return f"/api/v1/invitations/{token}/accept"


def test_a_link_is_shown_once_and_kept_as_a_digest(client_of: Clients, alice: User, project: Project) -> None:
    client = client_of(alice)
    made = client.post(INVITATIONS, {"role": "head_annotator", "note": "for Emma", "expires_in_days": 3})
    assert made.status_code == 201
    token = made.json()["token"]
    assert made.json()["url"] == f"http://testserver/invitations/{token}"
    listed = client.get(INVITATIONS)
    assert token not in listed.content.decode()
    assert token not in str(Invitation.objects.values().get())
    row = listed.json()["results"][0]
    assert (row["role"], row["note"]) == ("head_annotator", "for Emma")
    assert (row["accepted_at"], row["accepted_by"], row["revoked_at"]) == (None, None, None)


def test_links_of_a_batch_let_one_person_in_each_and_have_numbers(
    client_of: Clients, alice: User, charlie: User, project: Project
) -> None:
    client = client_of(alice)
    made = client.post(f"{INVITATIONS}/batch", {"role": "annotator", "note": "Course", "n": 3})
    assert made.status_code == 201
    links = made.json()["invitations"]
    assert [link["note"] for link in links] == ["Course 1", "Course 2", "Course 3"]
    assert len({link["token"] for link in links}) == 3
    assert client_of(charlie).post(accept(links[1]["token"])).status_code == 200
    assert [row["accepted_by"] is not None for row in client.get(INVITATIONS).json()["results"]] == [False, True, False]
    alone = client.post(f"{INVITATIONS}/batch", {"role": "annotator", "note": "Emma", "n": 1}).json()
    assert [link["note"] for link in alone["invitations"]] == ["Emma"]


def test_a_batch_is_counted_and_its_open_links_are_withdrawn_at_once(
    client_of: Clients, alice: User, charlie: User, project: Project
) -> None:
    client = client_of(alice)
    links = client.post(f"{INVITATIONS}/batch", {"role": "annotator", "note": "Course", "n": 4}).json()["invitations"]
    other = client.post(INVITATIONS, {"role": "annotator"}).json()
    client_of(charlie).post(accept(links[0]["token"]))
    client.delete(f"{INVITATIONS}/{links[1]['id']}")
    Invitation.objects.filter(pk=links[2]["id"]).update(expires_at=timezone.now())

    def counts() -> list[int]:
        [batch] = client.get(f"{INVITATIONS}/batch").json()["results"]
        assert (batch["role"], batch["note"]) == ("annotator", "Course")
        return [batch[name] for name in ("n", "n_accepted", "n_withdrawn", "n_expired", "n_open")]

    assert counts() == [4, 1, 1, 1, 1]
    [batch] = {link["batch"] for link in links}
    listed = client.get(f"{INVITATIONS}?batch={batch}").json()["results"]
    assert [row["id"] for row in listed] == [link["id"] for link in reversed(links)]
    for _ in range(2):
        assert client.delete(f"{INVITATIONS}/batch/{batch}").status_code == 204
    assert counts() == [4, 1, 2, 1, 0]
    assert client_of().get(door(links[3]["token"])).status_code == 410
    assert client_of().get(door(other["token"])).status_code == 200


def test_only_curators_of_the_project_see_and_withdraw_a_batch(
    client_of: Clients, alice: User, dora: User, bob: User, charlie: User, project: Project
) -> None:
    made = client_of(alice).post(f"{INVITATIONS}/batch", {"role": "annotator", "n": 2}).json()["invitations"]
    address = f"{INVITATIONS}/batch/{made[0]['batch']}"
    for user, status in ((dora, 403), (bob, 403), (charlie, 404), (None, 401)):
        assert client_of(user).get(f"{INVITATIONS}/batch").status_code == status
        assert client_of(user).delete(address).status_code == status
    elsewhere = create_project(created_by=alice, name="Elsewhere").slug
    assert client_of(alice).delete(address.replace("skies", elsewhere)).status_code == 404
    assert client_of(alice).delete(f"{INVITATIONS}/batch/{2**70}").status_code == 404
    assert client_of(alice).get(f"{INVITATIONS}?batch=x").status_code == 400
    assert Invitation.objects.filter(revoked_at=None).count() == 2


@pytest.mark.parametrize("wish", [{"n": 0}, {"n": 101}, {"n": 2, "note": "x" * 117}, {}])
def test_a_batch_that_makes_no_sense_makes_no_link(
    client_of: Clients, alice: User, project: Project, wish: dict[str, object]
) -> None:
    assert client_of(alice).post(f"{INVITATIONS}/batch", {"role": "annotator", **wish}).status_code == 400
    assert not Invitation.objects.exists()


def test_the_holder_is_told_what_it_is_for(client_of: Clients, token: str, charlie: User) -> None:
    seen = client_of().get(door(token))
    assert seen.status_code == 200
    assert seen.json() | {"expires_at": ""} == {
        "project_name": "Skies",
        "role": "annotator",
        "expires_at": "",
        "signed_in_as": None,
    }
    assert client_of(charlie).get(door(token)).json()["signed_in_as"] == "charlie"


def test_emma_joins_with_a_new_account_though_sign_up_is_closed(client_of: Clients, alice: User, token: str) -> None:
    client = client_of()
    answer = client.post(accept(token), EMMA)
    assert answer.status_code == 200
    assert answer.json()["project_slug"] == "skies"
    assert answer.json()["session"]["user"]["username"] == "emma"
    assert client.get("/api/v1/projects/skies").json()["role"] == "annotator"
    row = client_of(alice).get(INVITATIONS).json()["results"][0]
    assert (row["accepted_by"], bool(row["accepted_at"])) == ("emma", True)


def test_charlie_joins_as_who_he_is(client_of: Clients, charlie: User, token: str) -> None:
    answer = client_of(charlie).post(accept(token), {})
    assert (answer.status_code, answer.json()["session"]["user"]["username"]) == (200, "charlie")
    assert Membership.objects.get(user=charlie, project__slug="skies").role == Role.ANNOTATOR


def test_a_link_works_once(client_of: Clients, charlie: User, token: str) -> None:
    client_of().post(accept(token), EMMA)
    for answer in (client_of(charlie).post(accept(token)), client_of().get(door(token))):
        assert (answer.status_code, answer.json()["code"]) == (410, "invitation_accepted")
        assert "accepted this invitation already" in answer.json()["message"]
    assert not Membership.objects.filter(user=charlie, project__slug="skies").exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_who_claim_one_link_one_gets_in(token: str, charlie: User, make_user: Callable[..., User]) -> None:
    emma = make_user("emma")
    outcomes = at_once([partial(accept_invitation, token=token, user=user) for user in (charlie, emma)])
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["InvitationSpent", "Membership"]
    assert Membership.objects.filter(project__slug="skies", user__in=(charlie, emma)).count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_new_accounts_on_one_link_one_comes_to_be(token: str) -> None:
    names = ("emma", "frank")

    def join(name: str) -> Membership:
        return join_with_new_account(token=token, username=name, password=EMMA["password"])

    outcomes = at_once([partial(join, name) for name in names])
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["InvitationSpent", "Membership"]
    assert User.objects.filter(username__in=names).count() == 1


def test_a_claim_that_read_too_early_is_refused_by_the_update(
    token: str, charlie: User, make_user: Callable[..., User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same race without threads: both have seen the link open before the first of them writes."""
    seen = get_invitation(token=token)
    monkeypatch.setattr("backend.projects.invitations.get_invitation", lambda **_: seen)
    accept_invitation(token=token, user=charlie)
    with pytest.raises(InvitationSpent):
        accept_invitation(token=token, user=make_user("emma"))


def test_a_link_expires_on_the_second(project: Project, alice: User, client_of: Clients) -> None:
    now = timezone.now()
    with time_machine.travel(now, tick=False) as clock:
        _, token = create_invitation(project=project, role=Role.ANNOTATOR, created_by=alice, expires_in_days=1)
        clock.shift(timedelta(days=1) - timedelta(seconds=1))
        assert client_of().get(door(token)).status_code == 200
        clock.shift(timedelta(seconds=2))
        answer = client_of().post(accept(token), EMMA)
    assert (answer.status_code, answer.json()["code"]) == (410, "invitation_expired")
    assert answer.json()["message"] == "This invitation has expired. Ask the curator for a new one."
    assert not User.objects.filter(username="emma").exists()


def test_one_second_before_it_expires_it_still_lets_in(project: Project, alice: User, charlie: User) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        _, token = create_invitation(project=project, role=Role.ANNOTATOR, created_by=alice)
        clock.shift(timedelta(days=14) - timedelta(seconds=1))
        assert accept_invitation(token=token, user=charlie).role == Role.ANNOTATOR


def test_a_withdrawn_link_lets_nobody_in(client_of: Clients, alice: User, charlie: User, token: str) -> None:
    address = f"{INVITATIONS}/{Invitation.objects.get().pk}"
    client = client_of(alice)
    assert client.delete(address).status_code == 204
    withdrawn_at = Invitation.objects.get().revoked_at
    assert client.delete(address).status_code == 204
    assert Invitation.objects.get().revoked_at == withdrawn_at
    answer = client_of(charlie).post(accept(token))
    assert (answer.status_code, "withdrew" in answer.json()["message"]) == (410, True)


def test_an_accepted_link_cannot_be_withdrawn_any_more(
    client_of: Clients, alice: User, charlie: User, token: str
) -> None:
    accept_invitation(token=token, user=charlie)
    answer = client_of(alice).delete(f"{INVITATIONS}/{Invitation.objects.get().pk}")
    assert (answer.status_code, answer.json()["code"]) == (409, "already_accepted")


def test_a_member_who_accepts_is_told_so_and_leaves_the_link_open(
    client_of: Clients, alice: User, bob: User, charlie: User, project: Project
) -> None:
    _, token = create_invitation(project=project, role=Role.CURATOR, created_by=alice)
    answer = client_of(bob).post(accept(token))
    assert (answer.status_code, answer.json()["code"]) == (409, "already_member")
    assert Membership.objects.get(user=bob).role == Role.ANNOTATOR
    assert accept_invitation(token=token, user=charlie).role == Role.CURATOR


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "username"),
        (EMMA | {"username": "bob"}, "username"),
        (EMMA | {"password": "short"}, "password"),
        (EMMA | {"email": "nowhere"}, "email"),
    ],
)
def test_an_account_that_would_not_do_leaves_the_link_open(
    client_of: Clients, token: str, body: dict[str, str], field: str
) -> None:
    answer = client_of().post(accept(token), body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert field in answer.json()["details"]
    assert Invitation.objects.get().is_live
    assert client_of().post(accept(token), EMMA).status_code == 200


def test_accepting_asks_for_the_csrf_token(charlie: User, token: str) -> None:
    client = APIClient(enforce_csrf_checks=True)
    assert client.post(accept(token), EMMA).json()["code"] == "csrf_failed"
    client.force_login(charlie)
    assert client.post(accept(token)).json()["code"] == "csrf_failed"
    assert Invitation.objects.get().is_live


@pytest.mark.parametrize("unknown", ["x", "a" * 43, "a" * 500, "%00", "%F0%9F%90%98", "..%2F..", "é"])
def test_a_link_nobody_made_is_not_found(client_of: Clients, token: str, unknown: str) -> None:
    for answer in (client_of().get(door(unknown)), client_of().post(accept(unknown), EMMA)):
        assert (answer.status_code, answer.json()["code"]) == (
            404,
            "not_found" if unknown.startswith(".") else "no_such_invitation",
        )


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"role": "owner"},
        {"role": "annotator", "expires_in_days": 0},
        {"role": "annotator", "expires_in_days": 366},
        {"role": "annotator", "note": "n" * 121},
    ],
)
def test_an_invitation_that_makes_no_sense_is_refused(
    client_of: Clients, alice: User, project: Project, body: dict[str, object]
) -> None:
    assert client_of(alice).post(INVITATIONS, body).status_code == 400
    assert not Invitation.objects.exists()


def test_invitations_page_newest_first_and_back(client_of: Clients, alice: User, project: Project) -> None:
    for number in range(5):
        create_invitation(project=project, role=Role.ANNOTATOR, created_by=alice, note=f"{number}")
    client = client_of(alice)
    first = client.get(f"{INVITATIONS}?limit=2").json()
    second = client.get(first["next"]).json()
    assert [row["note"] for row in first["results"] + second["results"]] == ["4", "3", "2", "1"]
    assert client.get(second["previous"]).json()["results"] == first["results"]
