"""Reads of exports, and of the rows that they are made of."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from backend.common.errors import Conflict, Gone, NotFound
from backend.exports.models import Export, ExportState
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.selectors import check_standing
from backend.releases.models import ReleaseEntry, Withdrawal


class NotReady(Conflict):
    """This export is not ready. Look at its state."""

    code = "export_not_ready"


class Expired(Gone):
    """The file of this export was deleted. Make the export again."""

    code = "export_expired"


class Withdrawn(Gone):
    """An image of this export was withdrawn. Make the export again."""

    code = "export_withdrawn"


def list_exports(*, project: Project) -> QuerySet[Export]:
    """The exports of a project, newest first."""
    found = Export.objects.filter(project=project).select_related("project", "release", "created_by")
    return found.order_by("-created_at", "-id")


def get_export(*, user: User, export_id: UUID) -> Export:
    """An export of a project that the user curates or reviews. Raises NotFound, NotAllowed."""
    found = Export.objects.select_related("project", "release", "created_by").filter(pk=export_id).first()
    if found is None:
        raise NotFound()
    check_standing(user=user, project_id=found.project_id)
    return found


def get_ready_export(*, user: User, export_id: UUID) -> Export:
    """The same, of which there is a file. Raises NotReady, or Expired."""
    export = get_export(user=user, export_id=export_id)
    if export.state == ExportState.EXPIRED:
        raise Expired()
    if export.state != ExportState.READY:
        raise NotReady()
    if has_withdrawn_image(export=export):
        raise Withdrawn()
    return export


def has_withdrawn_image(*, export: Export) -> bool:
    """Whether an image of the exported release was withdrawn after the worker started."""
    if export.release_id is None:
        return False
    since = Withdrawal.objects.filter(project=export.project_id, created_at__gte=export.started_at)
    digests = since.order_by().values("digest")
    return ReleaseEntry.objects.filter(release=export.release_id, digest__in=digests).exists()
