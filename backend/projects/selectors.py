"""Which projects a person belongs to, and as what: the access rules that every room above stands on.

An API asks one of `belonging`, `reviewing` or `curating` for its project; each raises NotFound where the caller is no
member (whether or not the project exists) and NotAllowed where the role is too small. Objects that are not addressed
through a project are scoped by `project__in=projects_of(user=user)`, or held against `check_standing` one by one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from backend.common.compiled import Compiled
from backend.common.errors import NotAllowed, NotFound
from backend.common.models import LARGEST_ID
from backend.people.models import ACTIONS_OF_KIND, RightsKind, RightsRecord, User
from backend.projects.models import Invitation, InvitationBatch, Membership, Project, Role

REVIEWING_ROLES = tuple(role for role in Role if role.may_review)


class OnlyCurators(NotAllowed):
    """Only a curator of this project can do this."""

    code = "only_curators"


class OnlyReviewers(NotAllowed):
    """Only a curator or head annotator of this project can do this."""

    code = "only_reviewers"


def projects_of(*, user: User) -> QuerySet[Project]:
    """The projects that `user` is a member of: the scope of every queryset in the house."""
    return _scope(user).filter(memberships__user_id=user.pk)


def _scope(user: User) -> QuerySet[Project]:
    """All projects, or the one that the token of this request opens."""
    return Project.objects.filter(pk=user.only_project_id) if user.only_project_id else Project.objects.all()


def projects_curated_by(*, user: User) -> QuerySet[Project]:
    """The projects where `user` is a curator: the scope of what only curators see."""
    return _scope(user).filter(memberships__user_id=user.pk, memberships__role=Role.CURATOR)


def projects_reviewed_by(*, user: User) -> QuerySet[Project]:
    """The projects where `user` is a curator or the head annotator."""
    return _scope(user).filter(memberships__user_id=user.pk, memberships__role__in=REVIEWING_ROLES)


MEMBERSHIP = Compiled(
    lambda given: Membership.objects.select_related("project").filter(user=given("user"), project__slug=given("slug"))
)


def membership_of(*, user: User, slug: str) -> Membership:
    """How `user` belongs to the project, its `project` loaded. Raises NotFound where they do not."""
    found = MEMBERSHIP.first(user=user.pk, slug=slug)
    if found is None or user.only_project_id not in (None, found.project_id):
        raise NotFound()
    return found


def belonging(*, user: User, slug: str) -> Project:
    """The project, for any of its members. Raises NotFound to everybody else."""
    return membership_of(user=user, slug=slug).project


def reviewing(*, user: User, slug: str) -> Project:
    """The project, for its curators and head annotators. Raises NotFound or NotAllowed to everybody else."""
    return reviewing_as(user=user, slug=slug).project


def reviewing_as(*, user: User, slug: str) -> Membership:
    """The membership of a curator or a head annotator. Raises NotFound or NotAllowed to everybody else."""
    membership = membership_of(user=user, slug=slug)
    if not Role(membership.role).may_review:
        raise OnlyReviewers()
    return membership


def curating(*, user: User, slug: str) -> Project:
    """The project, for its curators. Raises NotFound or NotAllowed to everybody else."""
    membership = membership_of(user=user, slug=slug)
    if not Role(membership.role).may_curate:
        raise OnlyCurators()
    return membership.project


def check_standing(*, user: User, project_id: int, may_change: bool = False) -> None:
    """For a row that is addressed by its own id: is `user` a reviewer of its project, or, to change it, a curator?

    Raises NotFound where they are no member, NotAllowed where their role is too small.
    """
    own = Membership.objects.filter(project=project_id, user=user).first()
    if own is None or user.only_project_id not in (None, project_id):
        raise NotFound()
    role = Role(own.role)
    if may_change and not role.may_curate:
        raise OnlyCurators()
    if not role.may_review:
        raise OnlyReviewers()


def list_projects(*, user: User) -> QuerySet[Project]:
    """The projects of `user`, each with their `role` on it, newest first."""
    return projects_of(user=user).annotate(role=F("memberships__role")).order_by("-id")


def list_members(*, project: Project) -> QuerySet[Membership]:
    """Who belongs to the project, in the order they came."""
    return Membership.objects.filter(project=project).select_related("user").order_by("id")


def get_member(*, user: User, slug: str, member_id: int) -> Membership:
    """A membership that `user` may change: any for a curator, their own for everybody else.

    Raises NotFound outside the project and for ids that are not in it, NotAllowed for other people's.
    """
    own = membership_of(user=user, slug=slug)
    if not Role(own.role).may_curate and own.pk != member_id:
        raise OnlyCurators()
    found = list_members(project=own.project).filter(pk=member_id).first()
    if found is None:
        raise NotFound()
    return found


def list_invitations(*, project: Project, batch: int | None = None) -> QuerySet[Invitation]:
    """Every link of the project, newest first, with the used ones: each names its sender and its new member. All of
    them, or those of one batch."""
    found = Invitation.objects.filter(project=project).select_related("accepted_by").order_by("-id")
    return found if batch is None else found.filter(batch=batch)


def list_invitation_batches(*, project: Project) -> QuerySet[InvitationBatch]:
    """Links that were made at once, newest first, with how many were accepted, withdrawn, expired, and are open."""
    accepted = Q(invitations__accepted_at__isnull=False)
    withdrawn = Q(invitations__revoked_at__isnull=False)
    is_over = Q(invitations__expires_at__lte=timezone.now())
    return (
        InvitationBatch.objects.filter(project=project)
        .annotate(
            n=Count("invitations"),
            n_accepted=Count("invitations", filter=accepted),
            n_withdrawn=Count("invitations", filter=~accepted & withdrawn),
            n_expired=Count("invitations", filter=~accepted & ~withdrawn & is_over),
            n_open=Count("invitations", filter=~accepted & ~withdrawn & ~is_over),
        )
        .order_by("-id")
    )


def list_history(*, membership: Membership, kind: RightsKind | None = None) -> QuerySet[RightsRecord]:
    """Who changed what in the project, newest first, all of it or one kind.

    Curators also read what its members did to their passwords and tokens since they came. Others do not.
    """
    project = membership.project
    found = RightsRecord.objects.filter(project=project)
    if Role(membership.role).may_curate:
        members = Membership.objects.filter(project=project)
        since = members.filter(user=OuterRef("subject"), created_at__lte=OuterRef("created_at"))
        of_members = Q(Exists(since), project=None, project_slug="", subject__in=members.values("user"))
        found = RightsRecord.objects.filter(Q(project=project) | of_members)
    else:
        found = found.exclude(action__in=ACTIONS_OF_KIND[RightsKind.ACCOUNTS])
    if kind:
        found = found.filter(action__in=ACTIONS_OF_KIND[kind])
    return found.select_related("actor", "subject").order_by("-id")


def get_history_entry(*, membership: Membership, entry_id: int) -> RightsRecord:
    """One entry of the history. Raises NotFound."""
    found = list_history(membership=membership).filter(pk=entry_id).first() if entry_id <= LARGEST_ID else None
    if found is None:
        raise NotFound()
    return found


def iter_history_rows(entries: QuerySet[RightsRecord]) -> Iterator[dict[str, Any]]:
    """Entries as lines of a table: one line for each field that an entry has, and one for an entry without fields."""
    for entry in entries.iterator(chunk_size=500):
        told = {
            "at": entry.created_at.isoformat(),
            "kind": entry.kind.value,
            "action": entry.action,
            "by": entry.actor.shown_name if entry.actor else "",
            "about": entry.subject.shown_name if entry.subject else "",
        }
        for name in {**entry.before, **entry.after} or ("",):
            before, after = (_as_cell(side.get(name)) for side in (entry.before, entry.after))
            yield told | {"field": name, "before": before, "after": after}


def _as_cell(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
