"""An account becomes a pseudonym: the person goes, the answers stay and count as before."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from backend.annotation.models import Draft
from backend.common.errors import Conflict
from backend.people.models import ApiToken, RightsAction, User
from backend.people.records import record
from backend.projects.models import Invitation, Membership
from backend.projects.services import LastCurator, remove_member

PERSONAL: dict[str, Any] = {
    "first_name": "",
    "last_name": "",
    "email": "",
    "display_name": "",
    "last_login": None,
    "last_seen_at": None,
    "preferences": {},
}
POWERS = {"is_active": False, "is_staff": False, "is_superuser": False}


class SoleCurator(Conflict):
    """{project} has no other curator. Make another member a curator first, or delete the project."""

    code = "sole_curator"


@transaction.atomic
def erase_account(*, user: User, by: User | None) -> User:
    """Make a pseudonym of the account. Name, e-mail, password, tokens, sessions, drafts and memberships are gone.

    What the person answered, wrote and decided stays under the pseudonym, so that no figure changes. Erasing it again
    changes nothing. Raises SoleCurator.
    """
    user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if user.erased_at:
        return user
    _leave_projects(user, by)
    Invitation.objects.filter(accepted_by=user).update(note="")
    Invitation.objects.filter(created_by=user, accepted_at=None, revoked_at=None).update(revoked_at=timezone.now())
    ApiToken.objects.filter(user=user).delete()
    Draft.objects.filter(assignment__annotator=user).delete()
    for name, value in (PERSONAL | POWERS).items():
        setattr(user, name, value)
    user.username, user.erased_at = _free_pseudonym(), timezone.now()
    user.set_unusable_password()
    user.save()
    user.groups.clear()
    user.user_permissions.clear()
    _rename_in_admin_log(user)
    end_sessions(user)
    return user


def _leave_projects(user: User, by: User | None) -> None:
    memberships = list(Membership.objects.filter(user=user).select_related("project", "user").order_by("project_id"))
    for membership in memberships:
        try:
            remove_member(membership=membership, by=by)
        except LastCurator as error:
            raise SoleCurator(params={"project": membership.project.name}) from error
        record(RightsAction.ACCOUNT_ERASED, by=by, subject=user, project=membership.project)
    if not memberships:
        record(RightsAction.ACCOUNT_ERASED, by=by, subject=user)


def _free_pseudonym() -> str:
    """Drawn, not made of the name, so that nobody can find the person by trying names."""
    while User.objects.filter(username=(name := f"erased-{secrets.token_hex(5)}")).exists():
        pass
    return name


def _rename_in_admin_log(user: User) -> None:
    """The log of the admin pages keeps the names of what was changed there."""
    kind = ContentType.objects.get_for_model(User)
    LogEntry.objects.filter(content_type=kind, object_id=str(user.pk)).update(object_repr=user.username)


def end_sessions(user: User) -> None:
    """Delete the sessions of this person. They cannot be looked up by person, so all open ones are read."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator(chunk_size=2000):
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()
