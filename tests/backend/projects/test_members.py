"""Who belongs to a project, and as what."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from time import sleep

import pytest
from django.db import transaction
from rest_framework.test import APIClient

from at_once import at_once
from backend.people.models import User
from backend.projects import services
from backend.projects.models import Membership, Project, Role
from backend.projects.services import LastCurator
from world import World

Clients = Callable[..., APIClient]
MEMBERS = "/api/v1/projects/skies/members"


def of(user: User, project: Project) -> Membership:
    return Membership.objects.get(user=user, project=project)


def address(user: User, project: Project) -> str:
    return f"{MEMBERS}/{of(user, project).pk}"


def test_members_are_listed_in_the_order_they_came(client_of: Clients, dora: User, project: Project) -> None:
    User.objects.filter(username="bob").update(display_name="Bob the annotator")
    rows = client_of(dora).get(MEMBERS).json()["results"]
    assert [(row["username"], row["display_name"], row["role"]) for row in rows] == [
        ("alice", "alice", "curator"),
        ("dora", "dora", "head_annotator"),
        ("bob", "Bob the annotator", "annotator"),
    ]
    assert set(rows[0]) == {"id", "username", "display_name", "role", "joined_at", "last_seen_at"}


def test_members_page_both_ways(client_of: Clients, alice: User, project: Project) -> None:
    for number in range(20):
        World(project).person(f"reader{number}")
    client = client_of(alice)
    first = client.get(f"{MEMBERS}?limit=15").json()
    second = client.get(first["next"]).json()
    assert len(first["results"] + second["results"]) == 23
    assert client.get(second["previous"]).json()["results"] == first["results"]


def test_alice_makes_bob_the_head_annotator(client_of: Clients, alice: User, bob: User, project: Project) -> None:
    answer = client_of(alice).patch(address(bob, project), {"role": "head_annotator"})
    assert (answer.status_code, answer.json()["role"]) == (200, "head_annotator")
    assert of(bob, project).role == Role.HEAD_ANNOTATOR


def test_a_role_that_does_not_exist_is_refused(client_of: Clients, alice: User, bob: User, project: Project) -> None:
    for body in ({"role": "owner"}, {}, {"role": None}):
        assert client_of(alice).patch(address(bob, project), body).status_code == 400
    assert of(bob, project).role == Role.ANNOTATOR


def test_somebody_removed_sees_the_project_no_more(
    client_of: Clients, alice: User, bob: User, project: Project
) -> None:
    bobs = client_of(bob)
    assert bobs.get("/api/v1/projects/skies").status_code == 200
    assert client_of(alice).delete(address(bob, project)).status_code == 204
    assert bobs.get("/api/v1/projects/skies").status_code == 404


def test_bob_may_leave_by_himself_and_take_nobody_along(
    client_of: Clients, alice: User, bob: User, dora: User, project: Project
) -> None:
    client = client_of(bob)
    assert client.delete(address(dora, project)).status_code == 403
    assert client.delete(address(bob, project)).status_code == 204
    assert Membership.objects.filter(project=project).count() == 2


def test_bob_cannot_promote_himself(client_of: Clients, bob: User, project: Project) -> None:
    assert client_of(bob).patch(address(bob, project), {"role": "curator"}).status_code == 403
    assert of(bob, project).role == Role.ANNOTATOR


@pytest.mark.parametrize("way", ["leaves", "steps down"])
def test_the_last_curator_stays(client_of: Clients, alice: User, project: Project, way: str) -> None:
    client, own = client_of(alice), address(alice, project)
    answer = client.delete(own) if way == "leaves" else client.patch(own, {"role": "annotator"})
    assert (answer.status_code, answer.json()["code"]) == (409, "last_curator")
    assert "Make another member a curator first" in answer.json()["message"]
    assert of(alice, project).role == Role.CURATOR


def test_a_curator_made_curator_again_stays_the_last_one(client_of: Clients, alice: User, project: Project) -> None:
    assert client_of(alice).patch(address(alice, project), {"role": "curator"}).status_code == 200


def test_a_curator_of_another_project_is_no_second_curator_here(alice: User, charlie: User, project: Project) -> None:
    with pytest.raises(LastCurator):
        services.remove_member(membership=of(alice, project))


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_of_two_curators_who_leave_at_the_same_moment_one_stays(alice: User, bob: User, project: Project) -> None:
    services.change_role(membership=of(bob, project), role=Role.CURATOR)
    alices, bobs = of(alice, project), of(bob, project)
    alice_has_left = Event()

    def leave_and_commit_a_little_later() -> None:
        with transaction.atomic():
            services.remove_member(membership=alices)
            alice_has_left.set()
            sleep(0.3)

    def step_down_meanwhile() -> None:
        alice_has_left.wait(timeout=20)
        services.change_role(membership=bobs, role=Role.ANNOTATOR)

    outcomes = at_once([leave_and_commit_a_little_later, step_down_meanwhile])
    assert [type(outcome) for outcome in outcomes] == [type(None), LastCurator]
    assert of(bob, project).role == Role.CURATOR


def test_the_member_of_another_project_is_not_found_here(
    client_of: Clients, alice: User, charlie: User, project: Project
) -> None:
    charlies = Membership.objects.get(user=charlie).pk
    assert client_of(alice).delete(f"{MEMBERS}/{charlies}").status_code == 404
    assert client_of(alice).patch(f"{MEMBERS}/{charlies}", {"role": "annotator"}).status_code == 404
