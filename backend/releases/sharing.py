"""The public link of a release: opened and closed by curators, followed by anybody."""

from __future__ import annotations

import re
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from backend.annotation.selectors import has_work_left
from backend.common.errors import Conflict, Gone, NotFound
from backend.people.models import User
from backend.projects.selectors import curating
from backend.releases.figures import get_figures
from backend.releases.models import Release, ReleaseFile, ReleaseLink
from backend.releases.selectors import get_release

TOKEN = re.compile(r"[A-Za-z0-9_-]{16,64}")


class NoSuchReleaseLink(NotFound):
    """This link leads to no release. Check that you copied the whole link."""

    code = "no_such_release_link"


class ReleaseLinkClosed(Gone):
    """The public page of this release is closed."""

    code = "release_link_closed"


class WorkLeft(Conflict):
    """Annotators still have tasks. A public release shows them which captions are test questions."""

    code = "work_left"


def get_curated_release(*, user: User, release_id: UUID) -> Release:
    """A release of a project that `user` curates. Raises NotFound, NotAllowed."""
    release = get_release(user=user, release_id=release_id)
    curating(user=user, slug=release.project.slug)
    return release


def get_open_link(*, release: Release) -> ReleaseLink | None:
    found: ReleaseLink | None = ReleaseLink.objects.filter(release=release, closed_at=None).first()
    return found


def open_link(*, release: Release, by: User, is_indexable: bool, despite_work: bool) -> ReleaseLink:
    """Open the public page, or change the choice of the open one; its address stays.

    Raises WorkLeft where annotators have tasks and the curator did not confirm.
    """
    if has_work_left(project_id=release.project_id) and not despite_work:
        raise WorkLeft()
    get_figures(release=release)  # counted now, so that no visitor waits for it
    try:
        with transaction.atomic():
            link, is_new = ReleaseLink.objects.get_or_create(
                release=release, closed_at=None, defaults={"created_by": by, "is_indexable": is_indexable}
            )
    except IntegrityError as error:  # the link of another request was opened and closed meanwhile
        raise Conflict() from error
    if not is_new:
        ReleaseLink.objects.filter(pk=link.pk).update(is_indexable=is_indexable)
        link.is_indexable = is_indexable
    return link


def close_link(*, release: Release) -> None:
    """Close the public page. Its address says so from now on, and a new link has another one."""
    ReleaseLink.objects.filter(release=release, closed_at=None).update(closed_at=timezone.now())


def follow(token: str) -> ReleaseLink:
    """The open link behind an address. Raises NoSuchReleaseLink, ReleaseLinkClosed."""
    if not TOKEN.fullmatch(token):
        raise NoSuchReleaseLink()
    links = ReleaseLink.objects.select_related("release__project").prefetch_related("release__files")
    found: ReleaseLink | None = links.filter(token=token).first()
    if found is None:
        raise NoSuchReleaseLink()
    if found.closed_at is not None:
        raise ReleaseLinkClosed()
    return found


def get_public_file(*, link: ReleaseLink, name: str) -> ReleaseFile:
    """Raises NotFound."""
    found: ReleaseFile | None = link.release.files.filter(name=name).first()
    if found is None:
        raise NotFound("This release has no file with this name.", code="no_such_file")
    return found
