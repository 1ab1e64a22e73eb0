"""`manage.py invite` prints a link."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from backend.people.models import User
from backend.projects.invitations import accept_invitation
from backend.projects.models import Project, Role


def invited(*arguments: str) -> str:
    out = StringIO()
    call_command("invite", *arguments, stdout=out)
    return out.getvalue().strip()


def test_the_printed_link_lets_charlie_in(project: Project, charlie: User) -> None:
    link = invited("--project", "skies", "--role", "head_annotator", "--site", "https://connote.example.org/")
    site, token = link.rsplit("/", 1)
    assert site == "https://connote.example.org/invitations"
    assert accept_invitation(token=token, user=charlie).role == Role.HEAD_ANNOTATOR


def test_without_a_site_the_link_is_to_this_machine(project: Project) -> None:
    assert invited("--project", "skies", "--role", "annotator").startswith("http://127.0.0.1:8000/invitations/")


def test_a_project_that_is_not_there_is_named_with_those_that_are(project: Project) -> None:
    with pytest.raises(CommandError, match=r"The project 'sky' does not exist\. There are: skies\."):
        invited("--project", "sky", "--role", "annotator")


def test_before_the_first_project_it_says_so(db: None) -> None:
    with pytest.raises(CommandError, match="There is none yet"):
        invited("--project", "sky", "--role", "annotator")


@pytest.mark.parametrize("arguments", [("--role", "owner"), ("--role", "annotator", "--days", "0")])
def test_a_role_or_a_time_that_makes_no_sense_is_refused(project: Project, arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        invited("--project", "skies", *arguments)
