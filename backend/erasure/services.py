"""What starts a deletion."""

from __future__ import annotations

from django.db import transaction

from backend.common.errors import Conflict, InvalidInput
from backend.erasure.accounts import erase_account
from backend.erasure.models import ProjectDeletion
from backend.people.models import RightsAction, User
from backend.people.records import record
from backend.people.services import check_own_password
from backend.projects.models import Invitation, InvitationBatch, Membership, Project
from backend.projects.services import check_in_charge
from backend.runs.models import LIVE, Run
from backend.runs.services import cancel_run


def erase_own_account(*, user: User, password: str) -> User:
    """Erase the account of who asks. Raises InvalidInput on a wrong password, SoleCurator."""
    check_own_password(user=user, password=password, field="password")
    return erase_account(user=user, by=user)


def erase_member(*, membership: Membership, username: str, by: User) -> User:
    """Erase the account of a member. `username` is typed as the confirmation.

    Raises NotAllowed where `by` does not curate every project of this person, InvalidInput on another name.
    """
    check_in_charge(by=by, of=membership.user)
    if username != membership.user.username:
        raise InvalidInput("This is not the user name of this person.", code="other_username", field="username")
    return erase_account(user=membership.user, by=by)


@transaction.atomic
def delete_project(*, project: Project, confirmation: str, by: User | None) -> ProjectDeletion:
    """Take the project from everybody at once. A worker then deletes its rows and files (deleting.py).

    `confirmation` is the typed slug. Raises InvalidInput on another one, Conflict where it is being deleted already.
    """
    if confirmation != project.slug:
        raise InvalidInput("Type {slug} to confirm.", code="other_slug", params={"slug": project.slug}, field="slug")
    Project.objects.select_for_update().get(pk=project.pk)
    if ProjectDeletion.objects.filter(project_key=project.pk).exists():
        raise Conflict("This project is being deleted already.", code="being_deleted")
    deletion = ProjectDeletion.objects.create(project_key=project.pk, project_slug=project.slug, requested_by=by)
    for run in Run.objects.filter(project=project, status__in=LIVE):
        cancel_run(run=run)
    Invitation.objects.filter(project=project).delete()
    InvitationBatch.objects.filter(project=project).delete()
    Membership.objects.filter(project=project).delete()
    record(RightsAction.PROJECT_DELETED, by=by, project=project)
    return deletion
