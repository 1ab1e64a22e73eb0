"""The examples of operations that erase and delete have the shape of real answers."""

from __future__ import annotations

from collections.abc import Callable

from rest_framework.test import APIClient

from api_examples import Examples
from backend.people.models import User
from backend.projects.models import Membership, Project
from cast import PASSWORD


def test_what_erases_is_as_in_its_examples(
    example: Examples, client_of: Callable[..., APIClient], full: Project, alice: User, bob: User, dora: User
) -> None:
    example("me_export", client_of(bob).get, "me/export")
    example("me_erase", client_of(bob).post, "me/erase", {"password": PASSWORD})
    member = Membership.objects.get(user=dora)
    example("member_erase", client_of(alice).post, f"projects/skies/members/{member.pk}/erase", {"username": "dora"})
    example("project_delete", client_of(alice).post, "projects/skies/delete", {"slug": "skies"})
