"""The examples of operations about projects and their members have the shape of real answers."""

from __future__ import annotations

from collections.abc import Callable

from rest_framework.test import APIClient

from api_examples import Examples
from backend.people.models import User
from backend.projects.models import Membership, Project


def test_projects_are_as_in_their_examples(
    example: Examples, client_of: Callable[..., APIClient], project: Project, alice: User, bob: User
) -> None:
    client = client_of(alice)
    made = {
        "name": "Harbours",
        "slug": "harbours",
        "direction": "captions_of_image",
        "overlap": 3,
        "guidelines": "# Good\n\nThe caption is true.",
    }
    example("projects_create", client.post, "projects", made)
    example("projects_list", client.get, "projects")
    example("projects_read", client.get, "projects/skies")
    changed = {"version": 1, "overlap": 4, "guidelines": "# Good\n\nThe caption is true and says what matters."}
    example("projects_partial_update", client.patch, "projects/skies", changed)
    example("projects_history_list", client.get, "projects/skies/history")
    entry = client.get("/api/v1/projects/skies/history").json()["results"][0]
    example("projects_history_retrieve", client.get, f"projects/skies/history/{entry['id']}")
    member = f"projects/skies/members/{Membership.objects.get(user=bob).pk}"
    example("projects_members_list", client.get, "projects/skies/members")
    example("projects_members_partial_update", client.patch, member, {"role": "head_annotator"})
    example("projects_members_reset_link_create", client.post, f"{member}/reset-link")
    example("projects_members_destroy", client.delete, member)


def test_invitations_are_as_in_their_examples(
    example: Examples, client_of: Callable[..., APIClient], project: Project, alice: User
) -> None:
    client, all_of_them = client_of(alice), "projects/skies/invitations"
    sent = {"role": "annotator", "expires_in_days": 7, "note": "Course of spring"}
    link = example("projects_invitations_create", client.post, all_of_them, sent)
    example("projects_invitations_batch_create", client.post, f"{all_of_them}/batch", {**sent, "n": 2})
    example("projects_invitations_batch_list", client.get, f"{all_of_them}/batch")
    example("projects_invitations_list", client.get, all_of_them)
    example("invitations_retrieve", client_of().get, f"invitations/{link['token']}")
    account = {"username": "annotator-2", "email": "annotator-2@example.org", "password": "a long walk at dawn"}
    example("invitations_accept_create", client_of().post, f"invitations/{link['token']}/accept", account)
    example(
        "projects_invitations_destroy",
        client.delete,
        f"{all_of_them}/{client.post(f'/api/v1/{all_of_them}', sent).json()['id']}",
    )
