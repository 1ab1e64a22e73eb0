"""Links that let one person in, once."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from backend.common.errors import Conflict, Gone, NotFound
from backend.people.models import RightsAction, User
from backend.people.records import record
from backend.people.services import create_account, digest_of
from backend.projects.models import Invitation, InvitationBatch, Membership, Project, Role

DAYS_OPEN = 14


class InvitationSpent(Gone):
    """This invitation is not valid any more. Ask the curator for a new one."""

    code = "invitation_spent"


class AlreadyMember(Conflict):
    """You are already a member of this project. The link stays open for another person."""

    code = "already_member"


class AlreadyAccepted(Conflict):
    """A person accepted this invitation already. Remove the member instead."""

    code = "already_accepted"


def path_of(token: str) -> str:
    """The site's page behind a link."""
    return f"/invitations/{token}"


@transaction.atomic
def create_invitation(
    *,
    project: Project,
    role: Role,
    created_by: User,
    expires_in_days: int = DAYS_OPEN,
    note: str = "",
    batch: InvitationBatch | None = None,
) -> tuple[Invitation, str]:
    """A link for one person and its token, which is kept nowhere and cannot be shown again."""
    token = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        project=project,
        role=role,
        note=note,
        batch=batch,
        digest=digest_of(token),
        created_by=created_by,
        expires_at=batch.expires_at if batch else _end(expires_in_days),
    )
    record(RightsAction.INVITATION_MADE, by=created_by, project=project, after={"role": role})
    return invitation, token


@transaction.atomic
def create_invitations(
    *, n: int, project: Project, role: Role, created_by: User, expires_in_days: int = DAYS_OPEN, note: str = ""
) -> list[tuple[Invitation, str]]:
    """`n` links with their tokens, each for one person. Several are a batch, and their notes have a number."""
    if n == 1:
        one = create_invitation(
            project=project, role=role, created_by=created_by, expires_in_days=expires_in_days, note=note
        )
        return [one]
    batch = InvitationBatch.objects.create(
        project=project, role=role, note=note, created_by=created_by, expires_at=_end(expires_in_days)
    )
    notes = [f"{note} {place}" if note else "" for place in range(1, n + 1)]
    return [
        create_invitation(project=project, role=role, created_by=created_by, note=each, batch=batch) for each in notes
    ]


def _end(days: int) -> datetime:
    return timezone.now() + timedelta(days=days)


def get_invitation(*, token: str) -> Invitation:
    """The open invitation behind a token. Raises NotFound, or InvitationSpent with the reason."""
    found = Invitation.objects.select_related("project").filter(digest=digest_of(token)).first()
    if found is None:
        raise NotFound(
            "This invitation does not exist. Check that you copied the whole link.", code="no_such_invitation"
        )
    if found.accepted_at:
        raise InvitationSpent(
            "A person accepted this invitation already. Ask the curator for a new one.", code="invitation_accepted"
        )
    if found.revoked_at:
        raise InvitationSpent(
            "A curator withdrew this invitation. Ask the curator for a new one.", code="invitation_withdrawn"
        )
    if not found.is_live:
        raise InvitationSpent("This invitation has expired. Ask the curator for a new one.", code="invitation_expired")
    return found


@transaction.atomic
def accept_invitation(*, token: str, user: User) -> Membership:
    """Make `user` a member. Of two who claim the same link the conditional UPDATE lets one win.

    Raises NotFound, InvitationSpent, or AlreadyMember, which leaves the link open.
    """
    invitation = get_invitation(token=token)
    _claim(invitation, user)
    try:
        with transaction.atomic():
            membership = Membership.objects.create(project=invitation.project, user=user, role=invitation.role)
    except IntegrityError as error:
        raise AlreadyMember() from error
    joined = {"role": invitation.role}
    record(RightsAction.MEMBER_JOINED, by=user, subject=user, project=invitation.project, after=joined)
    return membership


def _claim(invitation: Invitation, user: User) -> None:
    now = timezone.now()
    still_open = Invitation.objects.filter(pk=invitation.pk, accepted_at=None, revoked_at=None, expires_at__gt=now)
    if not still_open.update(accepted_at=now, accepted_by=user):
        raise InvitationSpent()


@transaction.atomic
def join_with_new_account(*, token: str, username: str, password: str, email: str = "") -> Membership:
    """Make an account and let it in, or do neither. Works where sign-up is closed: the link is the permission."""
    get_invitation(token=token)
    user = create_account(username=username, password=password, email=email)
    return accept_invitation(token=token, user=user)


@transaction.atomic
def revoke_invitation(*, project: Project, invitation_id: int, by: User | None = None) -> None:
    """Close a link; closing it twice changes nothing. Raises NotFound, or AlreadyAccepted where it let somebody in."""
    here = Invitation.objects.filter(pk=invitation_id, project=project)
    if here.filter(accepted_at=None, revoked_at=None).update(revoked_at=timezone.now()):
        role = here.values_list("role", flat=True).get()
        return record(RightsAction.INVITATION_WITHDRAWN, by=by, project=project, before={"role": role})
    if here.filter(accepted_at=None).exists():
        return None
    raise AlreadyAccepted() if here.exists() else NotFound()


@transaction.atomic
def revoke_batch(*, project: Project, batch_id: int, by: User | None = None) -> None:
    """Close the open links of a batch. The links that people accepted stay. Raises NotFound."""
    batch = InvitationBatch.objects.filter(pk=batch_id, project=project).first()
    if batch is None:
        raise NotFound()
    now = timezone.now()
    still_open = Invitation.objects.filter(batch=batch, accepted_at=None, revoked_at=None, expires_at__gt=now)
    for _ in range(still_open.update(revoked_at=now)):
        record(RightsAction.INVITATION_WITHDRAWN, by=by, project=project, before={"role": batch.role})
