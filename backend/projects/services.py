"""What can be done to a project and to who belongs to it. Links that let people in are in invitations.py."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.text import slugify

from backend.common.errors import Conflict, InvalidFields, InvalidInput, NotAllowed, Stale
from backend.common.field_sentences import fields_of
from backend.people.models import RightsAction, User
from backend.people.records import record, record_changes
from backend.people.resets import path_of
from backend.projects.beginnings import begin_project
from backend.projects.models import Direction, Membership, Project, Role

RESERVED_SLUGS = {"new"}  # the site's own page beside the projects'
SLUG_LENGTH = 60
OVERLAPS = {"overlap", "max_overlap", "confidence"}


def lock_project(project: Project) -> Project:
    """The project as it is now, locked. Meanwhile no HIT is built, no pair is cleaned, and no control is made in it."""
    return Project.objects.select_for_update(no_key=True).get(pk=project.pk)


class AccountOfStaff(NotAllowed):
    """This is an account of the staff. Ask the administrator."""

    code = "account_of_staff"


class InOtherProjects(NotAllowed):
    """This person also works in projects that you do not curate. Ask the administrator."""

    code = "in_other_projects"


class LastCurator(Conflict):
    """A project needs at least one curator. Make another member a curator first."""

    code = "last_curator"


def may_create_projects(*, user: User) -> bool:
    return user.is_staff or settings.MEMBERS_CREATE_PROJECTS


@transaction.atomic
def create_project(
    *,
    created_by: User,
    name: str,
    direction: str = Direction.CAPTIONS_OF_AN_IMAGE,
    slug: str = "",
    **knobs: Any,
) -> Project:
    """A project with its creator as curator. `knobs` are further fields of Project; an empty slug is made of the name.

    Raises NotAllowed where this person may create none, InvalidInput where a value does not fit or the slug is taken.
    """
    if not may_create_projects(user=created_by):
        raise NotAllowed("Only staff can create projects here. Ask the administrator.", code="only_staff_create")
    project = Project(name=name, direction=direction, created_by=created_by, **knobs)
    _check(project)
    _save_under(project, [slug] if slug else _slugs_for(name))
    Membership.objects.create(project=project, user=created_by, role=Role.CURATOR)
    begin_project(project)
    return project


def _check(project: Project) -> None:
    try:
        project.full_clean(exclude=["slug"])
    except ValidationError as error:
        raise InvalidFields(fields_of(error)) from error
    _check_overlaps(project)


def _changed(project: Project, changes: dict[str, Any]) -> Project:
    found = copy.copy(project)
    for name, value in changes.items():
        setattr(found, name, value)
    return found


def _check_overlaps(project: Project) -> None:
    """An adaptive overlap that may ask for no more than everybody's would do nothing, and nobody would be told."""
    if project.confidence is not None and project.max_overlap <= project.overlap:
        raise InvalidInput(
            "Set the most answers per caption higher than the answers per caption.",
            code="overlap_cannot_grow",
            field="max_overlap",
        )


def _slugs_for(name: str) -> Iterator[str]:
    """Addresses to try, the plainest first; a name without Latin letters becomes `project`."""
    base = slugify(name)[: SLUG_LENGTH - 10].strip("-_").replace("_", "-") or "project"
    yield base
    yield from (f"{base}-{number}" for number in range(2, 6))
    yield from (f"{base}-{secrets.token_hex(4)}" for _ in range(3))


def _save_under(project: Project, slugs: Iterator[str] | list[str]) -> None:
    """Save under the first slug that is free. The unique constraint decides, so that two at once cannot both win."""
    for slug in slugs:
        if slug in RESERVED_SLUGS:
            continue
        project.slug = slug
        try:
            with transaction.atomic():
                return project.save(force_insert=True)
        except IntegrityError:
            continue
    raise InvalidInput("This address is taken. Choose another.", code="slug_taken", field="slug")


@transaction.atomic
def update_project(*, project: Project, version: int, changes: dict[str, Any], by: User | None = None) -> Project:
    """Change a project that is still at `version`. Raises Stale, with the version that now stands, where it is not, and
    InvalidInput where the values make no sense together."""
    wanted = _changed(project, changes)
    if project.version == version and not OVERLAPS.isdisjoint(changes):
        _check_overlaps(wanted)
    unchanged = Project.objects.filter(pk=project.pk, version=version)
    n_quotas = int(project.version != version or wanted.quota != project.quota)
    updated = unchanged.update(version=F("version") + 1, quota_version=F("quota_version") + n_quotas, **changes)
    before = {name: _as_json(getattr(project, name)) for name in changes}
    project.refresh_from_db()
    if not updated:
        raise Stale(details={"version": project.version})
    after = {name: _as_json(getattr(project, name)) for name in changes}
    _record_settings(project, before, after, by)
    return project


def _record_settings(project: Project, before: dict[str, Any], after: dict[str, Any], by: User | None) -> None:
    """Guidelines have a row of their own. Who sets examples records them in words, so their digest is left out."""
    for action, names in (
        (RightsAction.SETTINGS_CHANGED, before.keys() - {"guidelines", "examples_digest"}),
        (RightsAction.GUIDELINES_CHANGED, before.keys() & {"guidelines"}),
    ):
        was, now = ({name: side[name] for name in side if name in names} for side in (before, after))
        record_changes(action, by=by, project=project, before=was, after=now)


def _as_json(value: Any) -> Any:
    return str(value) if isinstance(value, Decimal) else value


@transaction.atomic
def change_role(*, membership: Membership, role: Role, by: User | None = None) -> Membership:
    """Give a member another role. Raises LastCurator where nobody could curate any more."""
    if role != Role.CURATOR:
        _keep_a_curator(membership)
    before, membership.role = membership.role, role
    membership.save(update_fields=["role"])
    if before != role:
        record(
            RightsAction.ROLE_CHANGED,
            by=by,
            subject=membership.user,
            project=membership.project,
            before={"role": before},
            after={"role": role},
        )
    return membership


@transaction.atomic
def remove_member(*, membership: Membership, by: User | None = None) -> None:
    """End a membership; what the person judged stays. Raises LastCurator where nobody could curate any more."""
    _keep_a_curator(membership)
    membership.delete()
    record(
        RightsAction.MEMBER_REMOVED,
        by=by,
        subject=membership.user,
        project=membership.project,
        before={"role": membership.role},
    )


def _keep_a_curator(leaving: Membership) -> None:
    """Lock the project's curators, so that of two who leave at once the second sees that the first has left."""
    curators = Membership.objects.select_for_update().filter(project=leaving.project_id, role=Role.CURATOR)
    if {curator.pk for curator in curators.order_by("pk")} == {leaving.pk}:
        raise LastCurator()


def check_in_charge(*, by: User, of: User) -> None:
    """Whether `by` may act on the whole account of `of`: erase it, or let its owner choose a new password.

    Whoever holds an account holds it in all projects. So only who curates every project of this person may, and nobody
    may with an account of the staff. Raises NotAllowed.
    """
    if of.is_staff or of.is_superuser:
        raise AccountOfStaff()
    curated = Membership.objects.filter(user=by, role=Role.CURATOR).values("project")
    if Membership.objects.filter(user=of).exclude(project__in=curated).exists():
        raise InOtherProjects()


@transaction.atomic
def make_reset_link(*, membership: Membership, by: User) -> str:
    """The site's page where this member can choose a new password, once. Raises NotAllowed, or Conflict for an account
    that nobody can sign in to."""
    check_in_charge(by=by, of=membership.user)
    if not membership.user.is_active:
        raise Conflict("This account is closed, so it needs no password.", code="account_closed")
    record(RightsAction.RESET_LINK_MADE, by=by, subject=membership.user, project=membership.project)
    return path_of(membership.user)
