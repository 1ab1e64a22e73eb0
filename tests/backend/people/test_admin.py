"""The admin, for staff with the right permissions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from backend.people import services
from backend.people.models import User
from backend.projects.admin import ProjectAdmin
from backend.projects.invitations import create_invitation
from backend.projects.models import Project, Role
from backend.projects.services import update_project

PAGES = ["people/user", "people/apitoken", "projects/project", "projects/invitation"]


@pytest.fixture
def root(make_user: Callable[..., User], client: Client) -> Client:
    client.force_login(make_user("root", is_staff=True, is_superuser=True))
    return client


@pytest.mark.parametrize("page", PAGES)
def test_every_list_and_every_row_opens(root: Client, project: Project, bob: User, page: str) -> None:
    token, secret = services.create_token(user=bob, name="script")
    invitation, link = create_invitation(project=project, role=Role.ANNOTATOR, created_by=bob)
    rows = dict(zip(PAGES, (bob.pk, token.pk, project.pk, invitation.pk), strict=True))
    for address in (f"/admin/{page}/", f"/admin/{page}/{rows[page]}/change/"):
        answer = root.get(address)
        assert answer.status_code == 200
        for hidden in (secret, token.digest, link, invitation.digest):
            assert hidden not in answer.content.decode()


@pytest.mark.parametrize("page", ["people/apitoken", "projects/project", "projects/invitation"])
def test_what_only_the_site_can_make_is_not_added_here(root: Client, page: str) -> None:
    assert root.get(f"/admin/{page}/add/").status_code == 403


def test_what_a_project_asks_for_is_changed_on_the_site_alone(root: Client, project: Project) -> None:
    """Guidelines came back with other ends of lines, and everybody had to read them anew."""
    form = root.get(f"/admin/projects/project/{project.pk}/change/").context["adminform"].form
    assert set(form.fields) == {"name"}


def test_a_change_in_the_admin_takes_back_none_that_was_made_meanwhile(
    root: Client, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole row was written as it was when the form was sent: with it went an overlap, and that it was changed."""
    address = f"/admin/projects/project/{project.pk}/change/"
    form = root.get(address).context["adminform"].form
    sent = {name: value for name, value in form.initial.items() if name in form.fields and value is not None}
    inline = {f"memberships-{name}_FORMS": 0 for name in ("TOTAL", "INITIAL")}
    real = ProjectAdmin.save_model

    def changed_meanwhile(*given: Any, **more: Any) -> None:
        update_project(project=Project.objects.get(), version=1, changes={"overlap": 5})
        real(*given, **more)

    monkeypatch.setattr(ProjectAdmin, "save_model", changed_meanwhile)
    answer = root.post(address, {**sent, **inline, "name": "Piers"})
    assert answer.status_code == 302, answer.context["errors"]
    assert Project.objects.values_list("name", "overlap", "version", "quota_version").get() == ("Piers", 5, 3, 2)


def test_bob_is_asked_to_sign_in_as_somebody_else(client: Client, bob: User) -> None:
    client.force_login(bob)
    assert client.get("/admin/").status_code == 302
